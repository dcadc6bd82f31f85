# fc_flags: what every target is compiled and linked with.

include(CheckCCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)

check_pie_supported()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

add_library(fc_flags INTERFACE)
target_compile_features(fc_flags INTERFACE c_std_17)
target_compile_definitions(fc_flags INTERFACE _GNU_SOURCE _FILE_OFFSET_BITS=64)
target_compile_options(fc_flags INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-Wall;-Wextra;-Wshadow;-Wstrict-prototypes;-Wmissing-prototypes;-Wvla;-Wpointer-arith;-Wcast-qual;-Wwrite-strings>
    $<$<AND:$<COMPILE_LANGUAGE:C>,$<BOOL:${FCRYPT_WERROR}>>:-Werror>)

# Hardening, as far as the compiler and the linker know it.
foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
    string(MAKE_C_IDENTIFIER "FC_HAS${flag}" has)
    check_c_compiler_flag(${flag} ${has})
    if(${has})
        target_compile_options(fc_flags INTERFACE ${flag})
    endif()
endforeach()
foreach(flag -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
    string(MAKE_C_IDENTIFIER "FC_HAS${flag}" has)
    check_linker_flag(C ${flag} ${has})
    if(${has})
        target_link_options(fc_flags INTERFACE ${flag})
    endif()
endforeach()

set(sanitizers "")
if(FCRYPT_SANITIZE OR FCRYPT_FUZZ)
    set(sanitizers address,undefined)
endif()
if(FCRYPT_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "FCRYPT_FUZZ needs clang")
    endif()
    target_compile_options(fc_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

if(sanitizers)
    target_compile_options(fc_flags INTERFACE
        -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(fc_flags INTERFACE -fsanitize=${sanitizers})
else()
    # The sanitizers bring checks of their own; without optimisation this one does nothing.
    target_compile_options(fc_flags INTERFACE
        $<$<AND:$<COMPILE_LANGUAGE:C>,$<NOT:$<CONFIG:Debug>>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>)
endif()
