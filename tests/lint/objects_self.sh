#!/bin/bash
# objects_self.sh LIBFC_WRONG_OBJECTS_A: objects.sh complains of what is wrong in the objects made to
# that end, and of nothing else.
set -u

expected() {
    cat <<END
wrong_marks_x86_64.S.o: asks for an executable stack
wrong_marks_x86_64.S.o: not marked IBT and SHSTK
END
    sed 's/^/wrong_x86_64.S.o: fc_wrong_/' <<END
sse_avx512: legacy SSE: pxor
sse_avx2: legacy SSE: aesenc
evex_avx2: EVEX: vpxorq
above_15_avx2: EVEX: vpaddd
zmm_avx2: EVEX: vpaddd
prefix_avx2: EVEX: vpaddd
mask_avx2: mask register: kmovq
vex_bmi2: VEX: vpaddd
vex_aesni: VEX: vaesenc
prefix_aesni: VEX: vpaddd
scalar_aesni: VEX: rorx
wide_aesni: VEX: vzeroupper
evex_aesni: EVEX: vpaddd
vex_sse41: VEX: vpaddd
vex_generic: VEX: vpaddd
vex: VEX: vpaddd
begin_avx2: does not begin with endbr64
END
}

found=$(bash "$(dirname "$0")/objects.sh" "$1")
if [ $? -ne 1 ]; then
    echo "objects.sh did not refuse them"
    exit 1
fi
diff <(expected) <(echo "$found")
