# --xts: raw images, as plain dm-crypt has them.
load helpers

PAYLOAD=c7834452ad5d99f2a2f91c954f2510df35854527e5915cbb088d987b53789978

xts() { fcrypt "$1" --xts -k key "${@:2}"; }

setup() {
    set -o pipefail
    umask 022
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work" || return
    fcrypt keygen --xts 256 -o key
}

@test "images of plain dm-crypt, read and written again" {
    need_vectors dmcrypt-plain
    for sector in 512 4096; do
        xz -dc "$VECTORS/plain64-sector$sector.img.xz" >image
        fcrypt dec --xts -k "$VECTORS/aes256.key" --sector-size $sector -o plain image
        assert_equal "$(head -c 524288 plain | sha256sum)" "$PAYLOAD  -"
        fcrypt enc --xts -k "$VECTORS/aes256.key" --sector-size $sector <plain | cmp - image
        rm plain
    done
}

@test "there and back by files and pipes, for every sector size and key" {
    make_file a 3145728
    for bits in 128 256; do
        fcrypt keygen --xts $bits -o key$bits
        for sector in 512 1024 2048 4096; do
            for large in "" --iv-large-sectors; do
                args=(--xts -k key$bits --sector-size $sector $large)
                succeeds fcrypt enc "${args[@]}" -o a.x a
                assert_equal "$(stat -c %s a.x)" 3145728
                fcrypt enc "${args[@]}" <a | cmp - a.x
                fcrypt dec "${args[@]}" -c a.x | cmp - a
                cat a.x | fcrypt dec "${args[@]}" | cmp - a
                rm a.x
            done
        done
    done
}

@test "the tweak counts units of 512 bytes, or sectors with --iv-large-sectors" {
    head -c 4096 /dev/zero >zeros
    xts enc --sector-size 512 -o small zeros
    # The first 512 bytes of a sector are those of a small sector with the same tweak.
    for sector in 1024 2048 4096; do
        xts enc --sector-size $sector -o large zeros
        assert_equal "$(bytes large 0 512)" "$(bytes small 0 512)"
        rm large
    done
    xts enc --sector-size 1024 -o large zeros
    assert_equal "$(bytes large 1024 512)" "$(bytes small 1024 512)"
    xts enc --sector-size 1024 --iv-large-sectors -o counted zeros
    assert_equal "$(bytes counted 1024 512)" "$(bytes small 512 512)"
}

@test "--first-sector: a piece of an image" {
    make_file a 65536
    xts enc --sector-size 1024 -o a.x a
    tail -c +8193 a.x | xts dec --sector-size 1024 --first-sector 8 | cmp - <(tail -c +8193 a)
    # Beyond 2^32 sectors.
    xts enc --first-sector 4294967296 -o far a
    xts enc --range 0:512 -c a >near
    assert_not_equal "$(bytes far 0 512)" "$(bytes near 0 512)"
    xts dec --first-sector 4294967296 -c far | cmp - a
}

@test "--range copies out that part, from files and pipes" {
    make_file a 1000000
    truncate -s 1000448 a
    xts enc -o a.x a
    for range in 0:512 512:512 4096:8192 512:999936 999936:512 65536:131072 0:1000448; do
        tail -c +$((${range%:*} + 1)) a >from
        head -c "${range#*:}" from >part
        xts dec --range $range -c a.x | cmp - part
        xts dec --range $range <a.x | cmp - part
        xts dec --range $range < <(cat a.x) | cmp - part
        tail -c +$((${range%:*} + 1)) a.x >from
        head -c "${range#*:}" from >part
        xts enc --range $range -c a | cmp - part
    done
    xts dec --range 4K:8KiB -c a.x >part
    xts dec --range 4096:8192 -c a.x | cmp - part
    assert_equal "$(xts dec --range 512:0 -c a.x | wc -c)" 0
    # OFFSET is added to --first-sector.
    tail -c +5121 a.x >piece
    xts dec --first-sector 10 --range 1024:512 -c piece >out
    xts dec --range 6144:512 -c a.x | cmp - out
}

@test "--range reads a pipe no further than it must" {
    make_file a 4096
    { cat a && xts enc --range 0:1024 -c a >/dev/null; } | {
        xts enc --range 512:1024 >out
        assert_equal "$(wc -c)" $((4096 - 1536))
    }
}

@test "--range that is malformed, off the bounds or beyond the end is refused" {
    make_file a 4096
    for range in "" : 1 512 512: :512 a:b 0x0:512 -512:512 512:-1 1:512 512:1 0:4608 4608:512 \
        18446744073709551615:512 512:18446744073709551615 18446744073709551104:1024; do
        refused 2 fcrypt dec --xts -k key --range "$range" -o out a
    done
    refused 2 fcrypt dec --xts -k key --sector-size 4096 --range 512:512 -o out a
    fails 4 fcrypt dec --xts -k key --range 0:8192 -o out - < <(cat a)
    assert_not_exist out
}

@test "lengths that are no multiple of the sector size are refused" {
    for size in 1 511 513 4095 66000; do
        make_file a $size
        refused 2 fcrypt enc --xts -k key -o out a
        said "no multiple of the sector size"
        refused 4 fcrypt dec --xts -k key -o out a
        fails 2 bash -c 'cat a | fcrypt enc --xts -k key -o out -f'
        assert_not_exist out
    done
    make_file a 3072
    refused 2 fcrypt enc --xts -k key --sector-size 4096 -o out a
    said "^hint: --sector-size 1024 "
    : >empty
    succeeds fcrypt enc --xts -k key -o out empty
    assert_equal "$(stat -c %s out)" 0
}

@test "keys of other kinds and sizes are refused" {
    make_file a 512
    fcrypt keygen -o text
    refused 2 fcrypt enc --xts -k text -o out a
    said "^hint: fcrypt keygen --xts"
    xxd -p -c 200 key >hex
    refused 2 fcrypt enc --xts -k hex -o out a
    said "hexadecimal"
    for size in 0 16 31 33 63 65 128; do
        head -c $size /dev/urandom >bad
        refused 2 fcrypt enc --xts -k bad -o out a
        said "32 or 64 raw bytes"
    done
    for half in 16 32; do
        head -c $half /dev/urandom >part
        cat part part >twice
        refused 2 fcrypt enc --xts -k twice -o out a
        said "halves"
    done
    succeeds fcrypt dec --xts -k twice -o out a # what was written so must stay readable
}

@test "no key, or a passphrase: status 2" {
    make_file a 512
    echo secret >pw
    refused 2 fcrypt enc --xts -o out a
    said "^hint: fcrypt keygen --xts"
    refused 2 fcrypt enc --xts -p -o out a
    refused 2 fcrypt enc --xts -k key --passphrase-file pw -o out a
    refused 2 fcrypt dec --xts --passphrase-env PW -o out a
}

@test "no default name of an output" {
    make_file a 512
    refused 2 fcrypt enc --xts -k key a
    said "^hint: .*-o FILE"
    refused 2 fcrypt dec --xts -k key a
    xts enc <a | xts dec | cmp - a
}

@test "options that do not go with --xts, or need it, are refused" {
    make_file a 512
    for option in "--cipher aes-128-gcm-siv" "--chunk-size 64K" --fresh-salt "--kdf-memory 64" \
        "--kdf-passes 1" --luks "--label x"; do
        # shellcheck disable=SC2086
        refused 2 fcrypt enc --xts -k key $option -o out a
    done
    refused 2 fcrypt dec --xts -k key -t a
    refused 2 fcrypt dec --xts -k key --key-slot 1 -o out a
    refused 2 fcrypt enc --xts -k key --sector-size 1000 -o out a
    refused 2 fcrypt enc --xts -k key --sector-size 8192 -o out a
    refused 2 fcrypt enc --xts -k key --first-sector 18014398509481984 -o out a
    for option in "--sector-size 512" "--first-sector 1" --iv-large-sectors "--range 0:512" --in-place; do
        # shellcheck disable=SC2086
        refused 2 fcrypt enc -k key $option a
        # shellcheck disable=SC2086
        refused 2 fcrypt dec -k key $option a
    done
}

@test "unknown input is not guessed, and --xts is named" {
    head -c 4096 /dev/urandom >a
    refused 4 fcrypt dec -k key -o out a
    said "^hint: .*--xts"
}

@test "keygen --xts: raw keys with two halves, mode 0600, never overwritten" {
    succeeds fcrypt keygen --xts 128 -o k1
    assert_equal "$(stat -c '%s %a' k1)" "32 600"
    assert_equal "$(fcrypt keygen --xts 256 | wc -c)" 64
    refused 5 fcrypt keygen --xts 128 -o k1
    refused 2 fcrypt keygen --xts 192 -o k2
    refused 2 fcrypt keygen --xts 512 -o k2
    run script -qec "$FCRYPT keygen --xts 256" /dev/null
    assert_failure 5
    assert_output --partial "not written to a terminal"
}

@test "dec --sparse makes holes of zeros" {
    truncate -s 8M a
    make_file b 70000
    dd if=b of=a bs=4096 seek=700 conv=notrunc status=none
    xts enc -o a.x a
    xts dec --sparse -o back a.x
    cmp back a
    [ "$(stat -c %b back)" -lt 1024 ]
    make_key k 1
    fcrypt enc -k k a
    fcrypt dec --sparse -k k -o back2 a.fcrypt
    cmp back2 a
    [ "$(stat -c %b back2)" -lt 1024 ]
    fcrypt dec --sparse -k k -c a.fcrypt | cmp - a
    truncate -s 1M zeros
    fcrypt enc -k k zeros
    fcrypt dec --sparse -k k -o back3 zeros.fcrypt
    cmp back3 zeros
}
