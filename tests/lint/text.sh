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

# refuse WHAT PATTERN FILE...: no line may match the Perl pattern.
refuse() {
    local what=$1 pattern=$2
    shift 2
    if grep -nHP -e "$pattern" "$@"; then
        complain "$what"
    fi
}

# Data files (golden containers, malformed ones, vectors) are not text to be read.
mapfile -t files < <(
    find .ci asm bench cmake cmd completions lib man tests -type f \
        ! -path '*/golden/*' ! -path '*/corpus/*' ! -path 'tests/bad/*' ! -name '*.pyc'
    find . -maxdepth 1 -type f \( -name '*.md' -o -name '*.txt' -o -name '*.json' \)
)
mapfile -t code < <(printf '%s\n' "${files[@]}" | grep -E '\.(c|h|sh|bats|bash|py)$')

refuse "unfinished" "(?<![[:alnum:]])($words)(?![[:alnum:]])" "${files[@]}"
refuse "blanks at the end of a line" '[[:blank:]]+$' "${files[@]}"
refuse "tabs" '\t' "${code[@]}"
while read -r lines file; do
    max=$(max_lines "$file")
    if [ "$max" -gt 0 ] && [ "$lines" -gt "$max" ]; then
        complain "$file: more than $max lines"
    fi
done < <(wc -l "${files[@]}")
for file in "${files[@]}"; do
    [ ! -s "$file" ] || [ -z "$(tail -c 1 "$file")" ] || complain "$file: no newline at its end"
done
exit $failed
