#!/bin/bash
# objects.sh LIBFC_A: what must hold for every object of the library on x86-64.
#
# - no executable stack is asked for
# - marked for indirect branch tracking and shadow stacks, and every assembly function begins with
#   endbr64
# - a function of an AVX tier has no legacy SSE instruction (mixing them is slow)
# - one of a tier below avx512 has no EVEX instruction, so no zmm and no register above 15, and no
#   mask register; one below avx2 no VEX instruction either, but bmi2 for general registers: its CPU
#   may lack them
set -u
failed=0

complain() {
    echo "$*"
    failed=1
}

folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
archive=$(realpath "$1") || exit 2
(cd "$folder" && ar x "$archive") || exit 2

check_marks() {
    local object=$1 name=${1##*/}
    readelf -SW "$object" | grep -q '\.note\.GNU-stack' || complain "$name: no .note.GNU-stack"
    if readelf -SW "$object" | grep '\.note\.GNU-stack' | grep -q ' X '; then
        complain "$name: asks for an executable stack"
    fi
    readelf -nW "$object" | grep -q 'IBT, SHSTK' || complain "$name: not marked IBT and SHSTK"
}

check_instructions() {
    objdump -dw "$1" | awk -F '\t' -v object="${1##*/}" '
        function complain(text) { print object ": " name ": " text; bad = 1 }

        # In 64-bit code these bytes begin nothing else, and legacy prefixes may stand in front.
        function encoding(bytes) {
            gsub(/^((26|2e|36|3e|64|65|66|67|f0|f2|f3) )+/, "", bytes)
            return bytes ~ /^c[45]/ ? "VEX" : bytes ~ /^62/ ? "EVEX" : "legacy"
        }

        function fault(how, vector, mask) {
            if (tier ~ /^avx/ && how == "legacy" && vector)
                return "legacy SSE"
            if (tier != "avx512" && how == "EVEX")
                return "EVEX"
            if (tier != "avx512" && mask)
                return "mask register"
            if (tier !~ /^avx/ && how == "VEX" && (vector || tier != "bmi2"))
                return "VEX"
            return ""
        }

        /^[0-9a-f]+ <.*>:$/ {
            name = tier = $0
            gsub(/^.*<|>:$/, "", name)
            sub(/^.*_/, "", tier)
            sub(/>:$/, "", tier)
            begins = name ~ /^fc_/
        }
        NF >= 3 {
            mnemonic = $3
            sub(/ .*/, "", mnemonic)
            if (begins && mnemonic != "endbr64")
                complain("does not begin with endbr64")
            begins = 0
            text = fault(encoding($2), $3 ~ /%[xyz]mm/, $3 ~ /%k[0-7]/)
            if (text != "")
                complain(text ": " mnemonic)
        }
        END { exit bad }'
}

shopt -s nullglob
for object in "$folder"/*.o; do
    check_marks "$object"
    case $object in
    *.S.o) check_instructions "$object" || failed=1 ;;
    esac
done
exit $failed
