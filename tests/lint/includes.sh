#!/bin/bash
# includes.sh SOURCE_DIR: who may include whom.
#
#   ground    err, bytes, secret, cpu              includes nothing but itself
#   crypto    kern, the generic tier, primitives   ground
#   formats   header, chunk, journal, keyfile,     ground, crypto (not kern.h)
#             luks2, sumfile
#   stream    io, engine                           ground: it knows no crypto
#   ops       joins them behind fcrypt.h, hash     all of lib
#   bench     the measurements                     all of lib, json.h of cmd; fcrypt_bench.h, which
#                                                  cmd includes: lib's public headers
#   cmd       the program                          public headers only: lib's, fcrypt_bench.h
#   asm       *.S, *.inc                           *.inc and kern_layout.h only
#
# libsodium and libargon2 are included by lib/kdf.c alone, liburing by lib/hash_uring.c. lib neither prints nor exits.
set -u
cd "$1" || exit 2

public="fcrypt.h fcrypt_hash.h fcrypt_image.h cpu.h err.h header.h io.h keyfile.h secret.h sumfile.h"
failed=0

complain() {
    echo "$*"
    failed=1
}

layer_of() {
    case $1 in
    err.* | bytes.h | secret.* | cpu.*) echo ground ;;
    kern* | *_generic.* | ctr.* | gcmsiv.* | xts.* | blake2b.* | blake2bp.* | kdf.*) echo crypto ;;
    header.* | chunk.* | journal.* | keyfile.* | luks2* | sumfile.*) echo formats ;;
    io.* | engine*) echo stream ;;
    ops* | fcrypt* | hash*) echo ops ;;
    esac
}

# may_include LAYER LAYER
may_include() {
    case $1:$2 in
    "$1:$1" | *:ground | formats:crypto | ops:*) return 0 ;;
    *) return 1 ;;
    esac
}

# includes FILE: the names in its #include lines, "name" or <name> as they stand.
includes() {
    sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]+(["<][^">]+[">]).*/\1/p' "$1"
}

check_lib() {
    local file=$1 name layer other
    layer=$(layer_of "${file##*/}")
    [ -n "$layer" ] || complain "$file: belongs to no layer; add it to tests/lint/includes.sh"
    for name in $(includes "$file"); do
        case $name in
        \<sodium.h\> | \<argon2.h\>) [ "$file" = lib/kdf.c ] || complain "$file: only lib/kdf.c includes $name" ;;
        \<liburing.h\>) [ "$file" = lib/hash_uring.c ] || complain "$file: only lib/hash_uring.c includes $name" ;;
        \<*) ;;
        *)
            name=${name//\"/}
            other=$(layer_of "$name")
            may_include "$layer" "$other" || complain "$file ($layer): must not include $name ($other)"
            [ "$layer:$name" != formats:kern.h ] || complain "$file: formats use primitives, not kern.h"
            ;;
        esac
    done
    if grep -nE '(^|[^_[:alnum:]])(printf|fprintf|vfprintf|puts|fputs|perror|exit|_exit|abort)[[:space:]]*\(' "$file"; then
        complain "$file: lib neither prints nor exits"
    fi
}

# check_public FILE FOLDER NAME...: besides the system's headers, includes those of FOLDER, lib's
# public ones, and NAME.
check_public() {
    local file=$1 folder=$2 name
    shift 2
    for name in $(includes "$file"); do
        case $name in
        \<sodium.h\> | \<argon2.h\>) complain "$file: only lib/kdf.c includes $name" ;;
        \<liburing.h\>) complain "$file: only lib/hash_uring.c includes $name" ;;
        \<*) ;;
        *)
            name=${name//\"/}
            [ -e "$folder/$name" ] || [[ " $public $* " == *" $name "* ]] ||
                complain "$file: $name is not a public header"
            ;;
        esac
    done
}

check_bench() {
    local file=$1 name
    for name in $(includes "$file"); do
        case $name in
        \<sodium.h\> | \<argon2.h\>) complain "$file: only lib/kdf.c includes $name" ;;
        \<* | \"json.h\") ;;
        *)
            name=${name//\"/}
            [ -e "bench/$name" ] || [ -e "lib/$name" ] || complain "$file: $name is not of bench or lib"
            ;;
        esac
    done
}

check_asm() {
    local file=$1 name
    for name in $(includes "$file"); do
        case $name in
        \"*.inc\" | \"kern_layout.h\") ;;
        *) complain "$file: assembly includes *.inc and kern_layout.h, not $name" ;;
        esac
    done
}

shopt -s nullglob globstar
for f in lib/*.[ch]; do check_lib "$f"; done
for f in cmd/*.[ch]; do check_public "$f" cmd fcrypt_bench.h; done
for f in bench/*.[ch]; do check_bench "$f"; done
check_public bench/fcrypt_bench.h .
for f in asm/**/*.S asm/**/*.inc; do check_asm "$f"; done
exit $failed
