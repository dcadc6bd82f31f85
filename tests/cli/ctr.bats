# --ctr: raw AES-CTR, as openssl enc has it.
load helpers

IV=00112233445566778899aabbccddeeff

ctr() { fcrypt "$1" --ctr -k key --iv $IV "${@:2}"; }

# openssl_ctr KEY_FILE IV: standard input, by openssl.
openssl_ctr() {
    openssl enc "-aes-$((8 * $(stat -c %s "$1")))-ctr" -K "$(xxd -p -c 64 "$1")" -iv "$2"
}

setup() {
    set -o pipefail
    umask 022
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work" || return
    head -c 16 /dev/urandom >key16
    head -c 24 /dev/urandom >key24
    head -c 32 /dev/urandom >key32
    cp key32 key
    # The IVs whose counter wraps soon, after 32, 64 and 128 bits, and at once.
    IVS=($IV 000102030405060708090a0bffffffff 0001020304050607fffffffffffffffe
        fffffffffffffffffffffffffffffff0 ffffffffffffffffffffffffffffffff)
}

need_openssl() {
    [ -x "$(command -v openssl)" ] || skip "openssl is not installed"
}

@test "openssl reads what enc writes, and dec what openssl writes" {
    need_openssl
    for size in 0 1 15 16 17 4095 4096 4097 65537 1048583; do
        make_file a $size
        for k in key16 key24 key32; do
            for iv in "${IVS[@]}"; do
                openssl_ctr $k "$iv" <a >want
                fcrypt enc --ctr -k $k --iv "$iv" -f -o out a
                cmp out want
                fcrypt dec --ctr -k $k --iv "$iv" <want | cmp - a
                [ $size -ne 1048583 ] || break
            done
        done
    done
}

@test "100 MiB by two threads are openssl's" {
    need_openssl
    head -c 100M <(yes 'a line of some length' 2>/dev/null) >a
    openssl_ctr key $IV <a | cmp - <(ctr enc -T 2 -c a)
}

@test "IVs around the wraps, at every length of a few blocks" {
    need_openssl
    make_file all 200
    for iv in "${IVS[@]}"; do
        openssl_ctr key "$iv" <all >want
        for ((size = 1; size < 200; size += 7)); do
            head -c $size all | fcrypt enc --ctr -k key --iv "$iv" | cmp - <(head -c $size want)
        done
    done
}

@test "there and back by files and pipes" {
    make_file a 3000001
    succeeds ctr enc -o a.x a
    assert_equal "$(stat -c %s a.x)" 3000001
    ctr enc <a | cmp - a.x
    cat a | ctr enc | cmp - a.x
    ctr dec -c a.x | cmp - a
    cat a.x | ctr dec -T 2 | cmp - a
    succeeds ctr dec -o back a.x
    cmp back a
    (printf x && sleep 0.2 && cat a) | ctr enc | ctr dec | cmp - <(printf x && cat a)
    ctr dec -c a.x a.x | cmp - <(cat a a)
}

@test "digits of the IV in either case" {
    make_file a 100
    ctr enc -o a.x a
    fcrypt dec --ctr -k key --iv ${IV^^} -c a.x | cmp - a
}

@test "--range from any byte on, of files and pipes" {
    make_file a 1000003
    ctr enc -o a.x a
    for range in 0:1 0:16 1:14 1:15 15:1 15:2 16:16 17:500 65535:65538 999999:4 1000003:0 1000002:1 \
        333333:333333 0:1000003; do
        tail -c +$((${range%:*} + 1)) a | head -c "${range#*:}" >part || true
        ctr dec --range $range -c a.x | cmp - part
        ctr dec --range $range <a.x | cmp - part
        ctr dec --range $range < <(cat a.x) | cmp - part
        tail -c +$((${range%:*} + 1)) a.x | head -c "${range#*:}" >part || true
        ctr enc --range $range -c a | cmp - part
        ctr enc --range $range < <(cat a) | cmp - part
    done
    ctr dec --range 3K:5KiB -c a.x | cmp - <(ctr dec --range 3072:5120 -c a.x)
}

@test "--range reads no more than it must" {
    make_file a 4096
    cat a a | {
        ctr enc --range 511:1022 >out
        assert_equal "$(wc -c)" $((8192 - 1533))
    }
    # A hole of a TiB: not read. Zeros give the key stream.
    need_openssl
    truncate -s 1T far || skip "no such large files here"
    head -c 1000 /dev/zero | openssl_ctr key "$(printf '%032x' $(((1 << 40) / 16 - 64)))" |
        cmp - <(fcrypt enc --ctr -k key --iv $(printf '%032x' 0) --range $(((1 << 40) - 1024)):1000 -c far)
}

@test "--range that is malformed or beyond the end is refused" {
    make_file a 4097
    for range in "" : 1 512 512: :512 a:b 0x0:512 -512:512 512:-1 0:4098 4098:0 4097:1 \
        18446744073709551615:512 512:18446744073709551615 9223372036854775807:1; do
        refused 2 ctr dec --range "$range" -o out a
    done
    fails 4 ctr dec --range 0:8191 -o out - < <(cat a)
    assert_not_exist out
}

@test "an IV that is not 32 digits is refused" {
    make_file a 16
    for iv in "" 0 00112233445566778899aabbccddeef 00112233445566778899aabbccddeeff0 \
        0x112233445566778899aabbccddeeff 00112233445566778899aabbccddeefg " ${IV:1}" "-${IV:1}"; do
        refused 2 fcrypt enc --ctr -k key "--iv=$iv" -o out a
        refused 2 fcrypt dec --ctr -k key "--iv=$iv" -o out a
        said "32 hexadecimal digits"
    done
    refused 2 fcrypt enc --ctr -k key -o out a
    said "needs --iv"
    refused 2 fcrypt enc --ctr -k key --iv $IV --iv $IV -o out a
}

@test "keys of other kinds and sizes are refused" {
    make_file a 16
    fcrypt keygen -o text
    refused 2 fcrypt enc --ctr -k text --iv $IV -o out a
    said "container"
    said "^hint: "
    for k in key16 key24 key32; do
        xxd -p -c 64 $k >hex
        refused 2 fcrypt enc --ctr -k hex --iv $IV -o out a
        said "^hint: xxd"
    done
    for size in 0 1 15 17 23 31 33 64; do
        head -c $size /dev/urandom >bad
        refused 2 fcrypt dec --ctr -k bad --iv $IV -o out a
        said "16, 24 or 32 raw bytes"
    done
}

@test "no key, or a passphrase: status 2" {
    make_file a 16
    echo secret >pw
    refused 2 fcrypt enc --ctr --iv $IV -o out a
    said "^hint: .*-k FILE"
    refused 2 fcrypt enc --ctr --iv $IV -p -o out a
    refused 2 ctr enc --passphrase-file pw -o out a
    refused 2 fcrypt dec --ctr --iv $IV --passphrase-env PW -o out a
}

@test "no default name of an output, and no output that is the input or the key" {
    make_file a 16
    refused 2 ctr enc a
    said "^hint: .*-o FILE"
    refused 2 ctr dec a
    cp a b
    refused 2 ctr enc -o out a b
    refused 2 ctr enc -c a b
    refused 5 ctr enc -f -o a a
    refused 5 ctr enc -f -o key a
    refused 5 ctr enc -o b a
    ctr enc -f -o b a
    ctr dec -c b | cmp - a
}

@test "the key from a pipe, or from standard input" {
    make_file a 1000
    ctr enc -o a.x a
    fcrypt dec --ctr -k <(cat key) --iv $IV -c a.x | cmp - a
    fcrypt dec --ctr -k - --iv $IV -c a.x <key | cmp - a
    refused 2 fcrypt dec --ctr -k - --iv $IV <a.x
}

@test "options that do not go with --ctr, or need it, are refused" {
    make_file a 512
    fcrypt keygen --xts 128 -o xts
    for option in "--cipher aes-128-gcm-siv" "--chunk-size 64K" --fresh-salt "--kdf-memory 64" \
        "--kdf-passes 1" --luks "--label x" --xts "--sector-size 512" "--first-sector 0" \
        --iv-large-sectors; do
        # shellcheck disable=SC2086
        refused 2 ctr enc $option -o out a
    done
    for option in -t "--key-slot 1" "--max-memory 64" "--max-kdf-work 4" --xts "--sector-size 512" \
        "--first-sector 0" --iv-large-sectors --salvage; do
        # shellcheck disable=SC2086
        refused 2 ctr dec $option -o out a
    done
    refused 2 ctr enc --sparse -o out a
    for command in enc dec; do
        refused 2 fcrypt $command -k key --iv $IV -o out a
        said "needs --ctr"
        refused 2 fcrypt $command --xts -k xts --iv $IV -o out a
        refused 2 fcrypt $command -k key --range 0:1 -o out a
        said "needs --xts or --ctr"
    done
    refused 2 fcrypt enc --luks -k key --iv $IV -o out a
}

@test "unknown input is not guessed, and --ctr is named" {
    make_file a 5000
    ctr enc -o a.x a
    refused 4 fcrypt dec -k key -o out a.x
    said "^hint: .*--ctr"
}

@test "dec --sparse makes holes of zeros" {
    truncate -s 8M a
    make_file b 70000
    dd if=b of=a bs=4096 seek=700 conv=notrunc status=none
    ctr enc -o a.x a
    ctr dec --sparse -o back a.x
    cmp back a
    [ "$(stat -c %b back)" -lt 1024 ]
}

@test "modes, times and terminals are treated as for containers" {
    make_file a 100
    chmod 640 a
    touch -d 2001-02-03 a
    ctr enc -o a.x a
    assert_equal "$(stat -c '%a %Y' a.x)" "640 $(stat -c %Y a)"
    ctr dec -o back a.x
    assert_equal "$(stat -c '%a %Y' back)" "600 $(stat -c %Y a)"
    run script -qec "$FCRYPT enc --ctr -k key --iv $IV -c a" /dev/null
    assert_failure 5
}

@test "every tier reads what every other wrote" {
    make_file a 70003
    for k in key16 key24 key32; do
        FCRYPT_TIER=generic fcrypt enc --ctr -k $k --iv ffffffffffffffffffffffffffffff00 -f -o want a
        for tier in sse41 aesni bmi2 avx2 avx512; do
            FCRYPT_TIER=$tier fcrypt enc --ctr -k $k --iv ffffffffffffffffffffffffffffff00 -c a | cmp - want
            FCRYPT_TIER=$tier fcrypt dec --ctr -k $k --iv ffffffffffffffffffffffffffffff00 \
                --range 33333:30001 -c want | cmp - <(tail -c +33334 a | head -c 30001)
        done
    done
}

@test "--progress, -q and -v" {
    make_file a 1000000
    run --separate-stderr ctr enc --progress -o out a
    expect_status 0
    said "a"
    rm out
    succeeds ctr enc -q -o out a
    run --separate-stderr ctr enc -v -f -o out a
    expect_status 0
    said "encrypted to"
}
