#!/bin/bash
# text.sh SOURCE_DIR: file lengths, blanks, and words that have no place in finished work.
set -u
cd "$1" || exit 2
failed=0

complain() {
    echo "$*"
    failed=1
}

# Spelled so that this file does not find itself.
words='TO''DO|FIX''ME|XX''X|HA''CK|for ''now|place''holder'

# max_lines FILE: 0 where there is no limit.
max_lines() {
    case $1 in
    *.c | *.h) echo 400 ;;
    *.S) echo 600 ;;
    *.inc) echo 400 ;;
    *) echo 0 ;;
    esac
}

check() {
    local file=$1 max
    max=$(max_lines "$file")
    if [ "$max" -gt 0 ] && [ "$(wc -l <"$file")" -gt "$max" ]; then
        complain "$file: more than $max lines"
    fi
    if grep -nHE "(^|[^[:alnum:]])($words)($|[^[:alnum:]])" "$file"; then
        complain "$file: unfinished"
    fi
    if grep -nHE '[[:blank:]]+$' "$file"; then
        complain "$file: blanks at the end of a line"
    fi
    case $file in
    *.c | *.h | *.sh | *.bats | *.bash)
        if grep -nHP '\t' "$file"; then
            complain "$file: tabs"
        fi
        ;;
    esac
    if [ -s "$file" ] && [ -n "$(tail -c 1 "$file")" ]; then
        complain "$file: no newline at its end"
    fi
}

# Data files (golden containers, malformed ones, vectors) are not text to be read.
while IFS= read -r file; do
    check "$file"
done < <(
    find .ci asm bench cmake cmd completions lib man tests -type f \
        ! -path 'tests/*/data/*' ! -path 'tests/bad/*' ! -path 'tests/fuzz/corpus/*' ! -path '*/golden/*' 2>/dev/null
    find . -maxdepth 1 -type f \( -name '*.md' -o -name '*.txt' -o -name '*.json' \)
)
exit $failed
