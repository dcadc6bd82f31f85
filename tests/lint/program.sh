#!/bin/bash
# program.sh FCRYPT: how the linked program is hardened.
set -u
failed=0

# expect WHAT PATTERN READELF_OPTION
expect() {
    readelf "$3" -W "$program" | grep -Eq -- "$2" || {
        echo "$program: $1"
        failed=1
    }
}

program=$1
expect 'not a position-independent executable' 'Type: +DYN' -h
expect 'its stack is not marked non-executable' 'GNU_STACK.* RW +0x' -l
expect 'no RELRO' 'GNU_RELRO' -l
expect 'not bound at start' 'BIND_NOW|Flags:.* NOW' -d
exit $failed
