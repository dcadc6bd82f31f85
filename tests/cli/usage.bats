# Options, refused combinations, statuses and the shape of messages.
load helpers

@test "fcrypt alone: short usage on stderr, status 2" {
    run --separate-stderr fcrypt
    expect_status 2
    assert_equal "$output" ""
    said 'usage'
}

@test "help, help COMMAND, COMMAND --help and --help: stdout, status 0" {
    for command in help --help 'help enc' 'enc --help' 'help dec' 'dec --help' 'help keygen' \
        'keygen --help' 'help info' 'info --help' 'help bench' 'bench --help'; do
        succeeds fcrypt $command
        assert_output --partial fcrypt
        [ "$(awk '{ if (length($0) > 100) print }' <<<"$output")" = "" ] || fail "$command: wide"
    done
    assert_equal "$(fcrypt help enc)" "$(fcrypt enc --help)"
}

@test "every option that help names is taken" {
    make_file a 10
    for command in enc dec keygen info; do
        for option in $(fcrypt help $command | grep -oE -e '--[a-z][a-z-]+' | sort -u); do
            run --separate-stderr fcrypt $command $option
            not_said '(unrecognized|unknown|invalid) option'
        done </dev/null
    done
}

@test "--version; with -v tiers and libraries" {
    succeeds fcrypt --version
    assert_output --regexp '^fcrypt [0-9]+\.[0-9]+\.[0-9]+$'
    succeeds fcrypt --version -v
    assert_output --partial libsodium
    assert_output --partial generic
    succeeds fcrypt -v --version
    assert_output --partial libsodium
}

@test "unknown commands and options" {
    make_file a 10
    refused 2 fcrypt frobnicate
    refused 2 fcrypt help frobnicate
    said '^hint: '
    refused 2 fcrypt --frobnicate
    for command in enc dec keygen info bench; do
        refused 2 fcrypt $command --frobnicate a
        refused 2 fcrypt $command -Z a
    done
}

@test "options of the other command" {
    make_file a 10
    fcrypt enc -k key -o x a
    for option in --test -t '--max-memory 5' '--max-kdf-work 5'; do
        refused 2 fcrypt enc -k key $option a
    done
    for option in '--cipher aes-256-gcm-siv' '--chunk-size 64K' '--kdf-memory 64' '--kdf-passes 1' \
        --fresh-salt; do
        refused 2 fcrypt dec -k key $option -o y x
    done
}

@test "options without their argument" {
    make_file a 10
    for option in -k --key-file --passphrase-file --passphrase-fd --passphrase-env -o --suffix -T \
        --passphrase-command --cipher --chunk-size --kdf-memory --kdf-passes; do
        refused 2 fcrypt enc a $option
    done
}

@test "outputs that contradict each other" {
    make_file a 10
    make_file b 10
    fcrypt enc -k key -o x a
    refused 2 fcrypt enc -k key -o out a b
    refused 2 fcrypt enc -k key -c a b
    refused 2 fcrypt enc -k key -o - a b
    refused 2 fcrypt enc -k key -c -o out a
    refused 2 fcrypt dec -k key -o out x x
    refused 2 fcrypt dec -k key -c -o out x
    refused 2 fcrypt dec -k key -t -o out x
    refused 2 fcrypt dec -k key -t -c x
    refused 2 bash -c 'fcrypt enc -k key -o out - - <a'
    refused 2 bash -c 'fcrypt dec -k key -c - x - <x'
}

@test "one passphrase source only, one key file only" {
    make_file a 10
    echo secret >pass
    export SECRET=secret
    sources=(-p '--passphrase-file pass' '--passphrase-env SECRET' '--passphrase-fd 0'
        '--passphrase-command true')
    for one in "${sources[@]}"; do
        for two in "${sources[@]}"; do
            [ "$one" != "$two" ] || continue
            refused 2 without_terminal "$FCRYPT" enc $one $two a </dev/null
        done
    done
    refused 2 fcrypt enc -k key -k key a
}

@test "values that are none" {
    make_file a 10
    echo secret >pass
    for option in '--cipher aes-512-gcm-siv' '--cipher AES' '--chunk-size 0' '--chunk-size 4K' \
        '--chunk-size 32M' '--chunk-size 24K' '--chunk-size 65535' '--chunk-size 64X' \
        '--chunk-size K' '--chunk-size -8K' '--chunk-size 18446744073709559808' \
        '--chunk-size 8192KK' '--chunk-size 8i' '--chunk-size 8B' '-T -1' '-T x' '-T 1x' \
        '-T 4294967297' '--suffix=' '--suffix a/b'; do
        refused 2 fcrypt enc -k key $option a
    done
    for option in '--kdf-memory x' '--kdf-memory 64K' '--kdf-passes 1.5' '--kdf-passes x'; do
        refused 2 fcrypt enc --passphrase-file pass $option a
    done
    for option in '--passphrase-fd x' '--passphrase-fd -1' '--passphrase-fd 4294967296' \
        '--passphrase-fd 0x0'; do
        refused 2 bash -c "fcrypt enc $option a <pass"
    done
    fcrypt enc -k key a
    for option in '--max-memory x' '--max-memory -1' '--max-kdf-work x'; do
        refused 2 fcrypt dec -k key $option -o out a.fcrypt
    done
}

@test "an unknown FCRYPT_TIER is status 2 for every command" {
    make_file a 10
    fcrypt enc -k key a
    export FCRYPT_TIER=mmx
    refused 2 fcrypt enc -k key -o out a
    said 'mmx'
    refused 2 fcrypt dec -k key -o out a.fcrypt
}

@test "messages: fcrypt: FILE: what, and the hint on a line of its own" {
    make_file a 10
    refused 5 fcrypt enc -k key missing
    assert_regex "$stderr" '^fcrypt: missing: .*No such file or directory$'
    refused 5 fcrypt enc -k key ''
    fcrypt enc -k key -o a.bin a
    refused 2 fcrypt dec -k key a.bin
    assert_equal "$(wc -l <<<"$stderr")" 2
    assert_regex "${stderr_lines[0]}" '^fcrypt: a\.bin: '
    assert_regex "${stderr_lines[1]}" '^hint: '
}

@test "a name full of control characters cannot write to the terminal" {
    name=$'x\e[2Jy\a\nz'
    fails 5 fcrypt enc -k key "$name"
    ! grep -q $'[\e\a]' <<<"$stderr" || fail "raw control characters on stderr"
}

@test "a very long name is not cut into nonsense" {
    name=$(printf 'n%.0s' {1..3000})
    refused 5 fcrypt enc -k key "$name"
    said 'File name too long'
}

@test "several failures: their common status, else 1" {
    make_file a 10
    fcrypt enc -k key -o x a
    make_key other 2
    refused 5 fcrypt dec -k key -c missing missing2
    refused 1 fcrypt dec -k key -c missing a
    refused 3 fcrypt dec -k other -c x x
    fails 4 fcrypt dec -k key -c x a
    fails 1 fcrypt dec -k key -t x a missing
}

@test "-q says errors all the same; -v says more on stderr only" {
    make_file a 10
    refused 5 fcrypt enc -q -k key missing
    run --separate-stderr fcrypt enc -v -k key a
    expect_status 0
    assert_equal "$output" ""
}

@test "the same words in every locale" {
    for locale in C de_DE.UTF-8 ja_JP.UTF-8; do
        LC_ALL=$locale LANGUAGE=de refused 5 fcrypt enc -k key missing
        assert_regex "$stderr" '^fcrypt: missing: .*No such file or directory$'
    done
}

@test "options may stand behind the files" {
    make_file a 10
    succeeds fcrypt enc a -k key
    succeeds fcrypt dec a.fcrypt -o b -k key
    cmp a b
}
