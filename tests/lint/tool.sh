#!/bin/bash
# tool.sh SOURCE_DIR clang-format|shellcheck|mandoc: the checks that tools bring. 77: no such tool.
set -u
cd "$1" || exit 2
shopt -s nullglob globstar

command -v "$2" >/dev/null || {
    echo "$2 is not installed"
    exit 77
}

case $2 in
clang-format)
    files=(bench/**/*.[ch] cmd/*.[ch] lib/*.[ch] tests/**/*.[ch])
    run=(clang-format --dry-run -Werror)
    ;;
shellcheck)
    files=(.ci/* tests/all bench/**/*.sh tests/**/*.sh tests/**/*.bash completions/*.bash)
    run=(shellcheck --external-sources --source-path=SCRIPTDIR)
    ;;
mandoc)
    files=(man/*.[1-8])
    run=(mandoc -T lint -W warning)
    ;;
*)
    echo "unknown tool $2"
    exit 2
    ;;
esac

[ ${#files[@]} -eq 0 ] || "${run[@]}" "${files[@]}"
