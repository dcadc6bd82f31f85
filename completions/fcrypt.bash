# bash completion for fcrypt(1)

_fcrypt_options() {
    local credentials='-k --key-file -p --passphrase --passphrase-file --passphrase-fd
        --passphrase-env --passphrase-command'
    local files='-o --output -c --stdout -f --force --suffix'
    local raw='--xts --ctr --iv --sector-size --first-sector --iv-large-sectors --range --in-place'
    local running='-T --threads --progress --no-progress'
    local general='-q --quiet -v --verbose -h --help'

    case $1 in
    enc) echo "$credentials $files --cipher --chunk-size --kdf-memory --kdf-passes --fresh-salt
            --luks --key-size --label --uuid --luks-offset $raw $running $general" ;;
    dec) echo "$credentials $files -t --test --sparse --key-slot --max-memory --max-kdf-work
            $raw $running $general" ;;
    hash) echo '-b --binary -t --text -l --length --tag -z --zero -c --check --ignore-missing --quiet
            --status --strict -w --warn -r --recursive --key-file --algorithm -T --threads --progress
            -h --help --version' ;;
    keygen) echo "-o --output --xts $general" ;;
    info) echo "--json $general" ;;
    bench) echo "--filter --tier --rounds --all --list --csv --json $general" ;;
    help) echo "$general" ;;
    *) echo '-h --help --version -v --verbose' ;;
    esac
}

# _fcrypt_offer CURRENT COMPGEN-ARGUMENT...: one completion on a line, names with blanks whole.
_fcrypt_offer() {
    mapfile -t COMPREPLY < <(compgen "${@:2}" -- "$1")
}

_fcrypt_offer_files() {
    compopt -o filenames 2>/dev/null
    _fcrypt_offer "$1" -f
}

_fcrypt() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} cmd='' word

    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $word == -* ]] && continue
        cmd=$word
        break
    done
    COMPREPLY=()
    case $prev in
    -k | --key-file | --passphrase-file | -o | --output) _fcrypt_offer_files "$cur" ;;
    --passphrase-env) _fcrypt_offer "$cur" -e ;;
    --cipher) _fcrypt_offer "$cur" -W 'aes-256-gcm-siv aes-128-gcm-siv' ;;
    --algorithm) _fcrypt_offer "$cur" -W 'blake2b blake2bp' ;;
    --chunk-size)
        _fcrypt_offer "$cur" -W '8K 16K 32K 64K 128K 256K 512K 1M 2M 4M 8M 16M'
        ;;
    --sector-size) _fcrypt_offer "$cur" -W '512 1024 2048 4096' ;;
    --tier) _fcrypt_offer "$cur" -W 'generic sse41 aesni bmi2 avx2 avx512' ;;
    --key-size) _fcrypt_offer "$cur" -W '256 512' ;;
    --passphrase-fd | --passphrase-command | --suffix | -T | --threads | --kdf-memory | \
        --kdf-passes | --max-memory | --max-kdf-work | --iv | --first-sector | --range | \
        --key-slot | --label | --uuid | --luks-offset | -l | --length | --filter | --rounds) ;;
    *)
        if [[ $cur == -* ]]; then
            _fcrypt_offer "$cur" -W "$(_fcrypt_options "$cmd")"
        elif [[ -z $cmd || $cmd == help ]]; then
            _fcrypt_offer "$cur" -W 'enc dec hash keygen info bench help'
        elif [[ $cmd != keygen && $cmd != bench ]]; then
            _fcrypt_offer_files "$cur"
        fi
        ;;
    esac
}

complete -F _fcrypt fcrypt
