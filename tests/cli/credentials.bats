# Key files and passphrases from every source; what opens what.
load helpers

SLOT_SALT='144 16'

setup_credentials() {
    make_file a 1000
    printf 'correct horse' >pass
    printf 'battery staple' >other
    make_key key2 2
}

# opens FILE OPTION...: those credentials give a's bytes back.
opens() {
    local file=$1
    shift
    fcrypt dec -c "$@" "$file" | cmp - a
}

# --- sources ---

@test "a passphrase comes the same from every source" {
    setup_credentials
    export SECRET='correct horse'
    fcrypt enc --passphrase-file pass "${KDF[@]}" a
    opens a.fcrypt --passphrase-file pass
    opens a.fcrypt --passphrase-env SECRET
    opens a.fcrypt --passphrase-command 'cat pass'
    opens a.fcrypt --passphrase-fd 7 7<pass
    opens a.fcrypt --passphrase-fd 7 7< <(cat pass)
    opens a.fcrypt --passphrase-file <(cat pass)
    opens a.fcrypt --passphrase-file /dev/fd/7 7<pass
    opens a.fcrypt --passphrase-file - <pass
    opens a.fcrypt --passphrase-fd 0 <pass
    for source in '--passphrase-env SECRET' '--passphrase-fd 7' '--passphrase-file -'; do
        fcrypt enc $source "${KDF[@]}" -f a 7<pass <pass
        opens a.fcrypt --passphrase-file pass
    done
    fcrypt enc --passphrase-command 'echo correct horse' "${KDF[@]}" -f a
    opens a.fcrypt --passphrase-file pass
}

@test "exactly one line ending is taken off, LF or CRLF, from every source" {
    setup_credentials
    fcrypt enc --passphrase-file pass "${KDF[@]}" a
    for ending in '' '\n' '\r\n'; do
        printf "correct horse$ending" >typed
        opens a.fcrypt --passphrase-file typed
        opens a.fcrypt --passphrase-fd 7 7<typed
        opens a.fcrypt --passphrase-command 'cat typed'
        SECRET=$(cat typed && echo .)
        SECRET=${SECRET%.} opens a.fcrypt --passphrase-env SECRET
    done
    for ending in '\n\n' '\r\n\r\n' '\r' '\n\r' ' ' ' \n' '\0' '\0\n'; do
        printf "correct horse$ending" >typed
        refused 3 fcrypt dec --passphrase-file typed -o out a.fcrypt
        refused 3 fcrypt dec --passphrase-fd 7 -o out a.fcrypt 7<typed
        refused 3 fcrypt dec --passphrase-command 'cat typed' -o out a.fcrypt
    done
}

@test "a passphrase is bytes: NUL, newline, blanks, no UTF-8" {
    setup_credentials
    for bytes in 'a\0b' '\0' 'a\nb' ' ' '\r' '\n\n' '\xff\xfe' 'a\0b\n'; do
        printf "$bytes" >pass
        fcrypt enc --passphrase-file pass "${KDF[@]}" -f a
        opens a.fcrypt --passphrase-fd 7 7<pass
    done
    printf 'a\0b' >pass
    fcrypt enc --passphrase-file pass "${KDF[@]}" -f a
    printf 'a\0c' >typed
    refused 3 fcrypt dec --passphrase-file typed -o out a.fcrypt
    printf 'a' >typed
    refused 3 fcrypt dec --passphrase-file typed -o out a.fcrypt
}

@test "a passphrase of 64 KiB is taken to its last byte, a longer one refused" {
    setup_credentials
    head -c 65536 /dev/zero | tr '\0' p >pass
    fcrypt enc --passphrase-file pass "${KDF[@]}" a
    (cat pass; echo) >typed
    opens a.fcrypt --passphrase-file typed
    (head -c 65535 pass; echo q) >typed
    refused 3 fcrypt dec --passphrase-file typed -o out a.fcrypt
    (cat pass; echo p) >typed
    refused 2 fcrypt dec --passphrase-file typed -o out a.fcrypt
    said '64 KiB|65536'
    refused 2 fcrypt enc --passphrase-file /dev/zero "${KDF[@]}" -o out a
    refused 2 fcrypt enc --passphrase-fd 7 "${KDF[@]}" -o out a 7</dev/zero
    refused 2 fcrypt enc --passphrase-command 'cat /dev/zero' "${KDF[@]}" -o out a
}

@test "an empty passphrase is refused by enc" {
    setup_credentials
    for bytes in '' '\n' '\r\n'; do
        printf "$bytes" >pass
        refused 2 fcrypt enc --passphrase-file pass "${KDF[@]}" a
        said 'empty'
    done
    SECRET='' refused 2 fcrypt enc --passphrase-env SECRET "${KDF[@]}" a
    refused 2 fcrypt enc --passphrase-command true "${KDF[@]}" a
}

@test "--passphrase-command: /bin/sh, stdin from /dev/null, its failure is status 5" {
    setup_credentials
    fcrypt enc --passphrase-command 'cat; printf "%s horse" correct' "${KDF[@]}" <a >a.fcrypt
    opens a.fcrypt --passphrase-file pass
    refused 5 fcrypt dec --passphrase-command 'cat pass; exit 3' -o out a.fcrypt
    refused 5 fcrypt dec --passphrase-command 'kill -9 $$' -o out a.fcrypt
    run --separate-stderr fcrypt dec --passphrase-command /no/such/command -o out a.fcrypt
    expect_status 5
    assert_not_exist out
}

@test "a source that is not there" {
    setup_credentials
    fcrypt enc --passphrase-file pass "${KDF[@]}" a
    refused 5 fcrypt dec --passphrase-file missing -o out a.fcrypt
    said '^fcrypt: missing: .*No such file or directory'
    refused 5 fcrypt dec -k missing -o out a.fcrypt
    said '^fcrypt: missing: .*No such file or directory'
    refused 5 fcrypt dec -k . -o out a.fcrypt
    unset SECRET
    refused 2 fcrypt dec --passphrase-env SECRET -o out a.fcrypt
    said 'SECRET'
    refused 5 bash -c 'fcrypt dec --passphrase-fd 77 -o out a.fcrypt 77<&-'
}

@test "the passphrase and the key stay out of the command's children" {
    setup_credentials
    fcrypt enc -k key --passphrase-command 'ls /proc/self/fd | wc -l >fds; cat pass' "${KDF[@]}" a 3>&-
    sh -c 'ls /proc/self/fd | wc -l >base; cat pass' </dev/null >/dev/null 3>&-
    assert [ "$(cat fds)" -le "$(($(cat base) + 1))" ]
}

@test "stdin gives either the credential or the data" {
    setup_credentials
    fcrypt enc -k - -o a.fcrypt a <key
    opens a.fcrypt -k key
    opens a.fcrypt -k - <key
    opens a.fcrypt -k /dev/stdin <key
    refused 2 bash -c 'fcrypt enc -k - <key'
    refused 2 bash -c 'fcrypt enc -k - - -o out <key'
    refused 2 bash -c 'fcrypt enc --passphrase-file - -o out <pass'
    refused 2 bash -c 'fcrypt enc -k - --passphrase-file - -o out a <key'
    refused 2 bash -c 'fcrypt dec -k - -o out <a.fcrypt'
}

# --- key files ---

@test "32 raw bytes and keygen's text, also from a pipe" {
    setup_credentials
    fcrypt enc -k key a
    opens a.fcrypt -k <(cat key)
    opens a.fcrypt --key-file /dev/fd/7 7<key
    fcrypt keygen >text
    fcrypt enc -k text -f a
    opens a.fcrypt -k <(cat text)
    (sed 's/$/\r/' text; printf '# more\r\n\r\n') >crlf
    opens a.fcrypt -k crlf
    sed '/^fcrypt-key/s/$/ \t /' text >blanks
    opens a.fcrypt -k blanks
    tr -d '\n' < <(grep ^fcrypt-key text) >unended
    opens a.fcrypt -k unended
}

@test "raw bytes are taken whole: NUL, newline, 0xff" {
    setup_credentials
    printf '\0%031d' 0 >nul
    printf '\n\200%029d\n' 0 >newline
    printf '%031d\377' 0 >high
    for k in nul newline high; do
        fcrypt enc -k $k -f a
        opens a.fcrypt -k $k
    done
    printf '\0%030d1' 0 >nul2
    fcrypt enc -k nul -f a
    refused 3 fcrypt dec -k nul2 -o out a.fcrypt
}

@test "a malformed key file is status 2 and named" {
    setup_credentials
    fcrypt keygen >text
    head -c 31 key >short
    (cat key; printf x) >long
    : >empty
    printf '%032d' 7 >printable
    grep ^fcrypt-key text | sed 's/:[0-9a-f]*$/:00000000/' >typo
    cat text text >twice
    sed 's/^fcrypt-key-1/fcrypt-key-2/' text >newer
    grep -v ^fcrypt-key text >comments || echo '# nothing' >comments
    head -c 70000 /dev/zero >huge
    for bad in short long empty printable typo twice newer comments huge; do
        refused 2 fcrypt enc -k $bad a
        said "^fcrypt: $bad: "
    done
    refused 2 fcrypt enc -k typo a
    said 'typing mistake'
    refused 2 fcrypt enc -k printable a
    said '^hint: '
    refused 2 fcrypt enc -k /dev/zero a
}

@test "every digit of keygen's line is covered by its checksum" {
    setup_credentials
    fcrypt keygen | grep ^fcrypt-key >text
    line=$(cat text)
    for ((i = 13; i < ${#line}; i++)); do
        digit=${line:i:1}
        [ "$digit" != : ] || continue
        [ "$digit" = 0 ] && digit=1 || digit=0
        echo "${line:0:i}$digit${line:i+1}" >typo
        status=0
        fcrypt enc -k typo -c a >out 2>/dev/null || status=$?
        expect_status 2
        [ ! -s out ]
    done
}

# --- what opens what ---

@test "a wrong passphrase or key is status 3" {
    setup_credentials
    fcrypt enc --passphrase-file pass "${KDF[@]}" -o p a
    fcrypt enc -k key -o k a
    refused 3 fcrypt dec --passphrase-file other -o out p
    said '^fcrypt: p: .*passphrase'
    refused 3 fcrypt dec -k key2 -o out k
    said '^fcrypt: k: .*key'
    refused 3 fcrypt dec -k key -o out p
    refused 3 fcrypt dec --passphrase-file pass -o out k
    refused 3 fcrypt dec -k key2 -t k
    refused 3 fcrypt dec -k key2 -c k
}

@test "both factors: the slot needs both, and the right ones" {
    setup_credentials
    fcrypt enc -k key --passphrase-file pass "${KDF[@]}" a
    assert_equal "$(bytes a.fcrypt 128 1)" 03
    opens a.fcrypt -k key --passphrase-file pass
    refused 3 fcrypt dec -k key -o out a.fcrypt
    refused 3 fcrypt dec --passphrase-file pass -o out a.fcrypt
    refused 3 fcrypt dec -k key2 --passphrase-file pass -o out a.fcrypt
    refused 3 fcrypt dec -k key --passphrase-file other -o out a.fcrypt
}

@test "a credential of both factors opens a slot that needs one of them" {
    setup_credentials
    fcrypt enc --passphrase-file pass "${KDF[@]}" -o p a
    fcrypt enc -k key -o k a
    opens p -k key --passphrase-file pass
    opens k -k key --passphrase-file pass
}

@test "a key file with its secret typed as a passphrase opens nothing" {
    setup_credentials
    fcrypt enc -k key a
    refused 3 fcrypt dec --passphrase-file key -o out a.fcrypt
}

@test "damage in the slot that a credential is for is damage, not a wrong credential" {
    printf 'pw' >pw
    make_file a 1000
    fcrypt enc "${KDF[@]}" --passphrase-file pw a
    fcrypt enc -k key -o k a
    dd if=k of=a.fcrypt bs=128 skip=1 seek=2 count=1 conv=notrunc status=none
    damage a.fcrypt 300
    refused 4 fcrypt dec -k key a.fcrypt -o out
    said 'slot 1 is damaged'
    fcrypt dec --passphrase-file pw a.fcrypt -o out 2>/dev/null
    cmp a out
}

@test "enc tells of a passphrase with more than one line" {
    succeeds bash -c 'printf "pw\r\n" | fcrypt enc --kdf-memory 64 --kdf-passes 1 --passphrase-file - key -o out'
    printf 'pw\nuser: me\n' >pw
    run --separate-stderr fcrypt enc --kdf-memory 64 --kdf-passes 1 --passphrase-file pw key -o out2
    expect_status 0
    said 'more than one line'
    fcrypt dec --passphrase-file pw out2 -o back
    cmp key back
}

@test "several files: one slot salt, so one Argon2id run; --fresh-salt gives each its own" {
    setup_credentials
    cp a b
    fcrypt enc --passphrase-file pass "${KDF[@]}" a b
    assert_equal "$(bytes a.fcrypt $SLOT_SALT)" "$(bytes b.fcrypt $SLOT_SALT)"
    assert_not_equal "$(bytes a.fcrypt 16 32)" "$(bytes b.fcrypt 16 32)"
    assert_not_equal "$(bytes a.fcrypt 160 80)" "$(bytes b.fcrypt 160 80)"
    fcrypt dec --passphrase-file pass -c a.fcrypt b.fcrypt | cmp - <(cat a a)
    fcrypt enc --passphrase-file pass "${KDF[@]}" --fresh-salt -f a b
    assert_not_equal "$(bytes a.fcrypt $SLOT_SALT)" "$(bytes b.fcrypt $SLOT_SALT)"
    fcrypt dec --passphrase-file pass -c a.fcrypt b.fcrypt | cmp - <(cat a a)
}

@test "two runs never share a slot salt" {
    setup_credentials
    fcrypt enc --passphrase-file pass "${KDF[@]}" -o x a
    fcrypt enc --passphrase-file pass "${KDF[@]}" -o y a
    assert_not_equal "$(bytes x $SLOT_SALT)" "$(bytes y $SLOT_SALT)"
}

@test "key files of one run never share a slot salt" {
    setup_credentials
    cp a b
    fcrypt enc -k key a b
    assert_not_equal "$(bytes a.fcrypt 160 80)" "$(bytes b.fcrypt 160 80)"
}

@test "a passphrase is asked for or read once for several files" {
    setup_credentials
    cp a b
    fcrypt enc --passphrase-command 'echo x >>count; cat pass' "${KDF[@]}" a b
    assert_equal "$(wc -l <count)" 1
    rm a b
    fcrypt dec --passphrase-fd 7 a.fcrypt b.fcrypt 7< <(cat pass)
    cmp a b
}

@test "secrets are on no command line: there is no option that takes one" {
    setup_credentials
    for option in --passphrase --password; do
        run --separate-stderr fcrypt enc $option=secret -o out a
        expect_status 2
        assert_not_exist out
    done
}
