#!/bin/bash
# objects.sh LIBFC_A: what must hold for every object of the library on x86-64.
#
# - no executable stack is asked for
# - marked for indirect branch tracking and shadow stacks, and every assembly function begins with
#   endbr64
# - a function of an AVX tier has no legacy SSE instruction (mixing them is slow), one of an older
#   tier no VEX instruction (its CPU may lack them)
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

# disassemble OBJECT: "function mnemonic operands" for every instruction.
disassemble() {
    objdump -d --no-show-raw-insn "$1" |
        sed -nE -e '/^[0-9a-f]+ <.*>:$/{s/^[0-9a-f]+ <(.*)>:$/\1/;h;d}' \
            -e '/^ +[0-9a-f]+:\t/{s/^ +[0-9a-f]+:\t//;G;s/^(.*)\n(.*)$/\2 \1/p}'
}

check_instructions() {
    local name=${1##*/}
    disassemble "$1" | awk -v object="$name" '
        function complain(text) { print object ": " $1 ": " text; bad = 1 }
        $1 ~ /^fc_/ && $1 != last { last = $1; if ($2 != "endbr64") complain("does not begin with endbr64") }
        $1 ~ /_avx(2|512)$/ && /%xmm/ && $2 !~ /^[vk]/ { complain("legacy SSE: " $2) }
        $1 ~ /_(sse41|aesni)$/ && /%[xyz]mm/ && $2 ~ /^v/ { complain("VEX: " $2) }
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
