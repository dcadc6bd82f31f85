# LUKS2 images.
load helpers

PAYLOAD=c7834452ad5d99f2a2f91c954f2510df35854527e5915cbb088d987b53789978
KDF=(--kdf-memory 1 --kdf-passes 1 -q)

setup() {
    set -o pipefail
    umask 022
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work" || return
    make_key key 1
    printf 'secret' >pw
    printf 'other' >bad
    "$FCRYPT" enc --luks -k pw "${KDF[@]}" </dev/null >probe 2>&1 || ! grep -q "built without" probe ||
        skip "this fcrypt was built without LUKS2"
    rm probe
}

luks() { fcrypt enc --luks -k pw "${KDF[@]}" "$@"; }

need_cryptsetup() {
    command -v cryptsetup >/dev/null || PATH=$PATH:/usr/sbin:/sbin
    command -v cryptsetup >/dev/null || skip "cryptsetup is not installed"
}

@test "images of cryptsetup and the kernel, by passphrase and key file, from files and pipes" {
    need_vectors luks2
    printf 'correct horse battery staple' >phrase
    for image in "$VECTORS"/*.img.xz; do
        xz -dc "$image" >image
        assert_equal "$(fcrypt dec -k phrase -c image | head -c 524288 | sha256sum)" "$PAYLOAD  -"
        assert_equal "$(fcrypt dec --passphrase-file phrase <image | head -c 524288 | sha256sum)" \
            "$PAYLOAD  -"
        assert_equal "$(cat image | fcrypt dec -k phrase | head -c 524288 | sha256sum)" "$PAYLOAD  -"
        fails 3 fcrypt dec -k bad -o out image
        assert_not_exist out
    done
}

@test "--key-slot tries one slot alone" {
    need_vectors luks2
    printf 'second one' >second
    xz -dc "$VECTORS/aes128-2lanes-and-pbkdf2.img.xz" >image
    fcrypt dec -k second --key-slot 1 -o plain image
    head -c 524288 plain | sha256sum | grep -q $PAYLOAD
    refused 3 fcrypt dec -k second --key-slot 0 -o out image
    refused 3 fcrypt dec -k second --key-slot 7 -o out image
    refused 2 fcrypt dec -k second --key-slot 32 -o out image
    make_file a 10
    fcrypt enc -k key a
    refused 2 fcrypt dec -k key --key-slot 0 -o out a.fcrypt
}

@test "there and back, for every sector and key size" {
    make_file a 1048576
    for sector in 512 1024 2048 4096; do
        for bits in 256 512; do
            luks --sector-size $sector --key-size $bits a
            mv a a.orig
            succeeds fcrypt dec -k pw a.luks
            cmp a a.orig
            rm a.luks
        done
    done
}

@test "pipes both ways" {
    make_file a 1048576
    luks <a | fcrypt dec --passphrase-file pw | cmp - a
    luks a
    assert_equal "$(stat -c %s a.luks)" $((16777216 + 1048576))
    [ "$(stat -c %b a.luks)" -lt 8192 ]
    cat a.luks | fcrypt dec -k pw | cmp - a
    luks --luks-offset 1M <a | wc -c | grep -qx $((1048576 * 2))
}

@test "every byte of -k counts, --passphrase-file loses one line ending" {
    make_file a 4096
    printf 'secret\n' >line
    luks a
    refused 3 fcrypt dec -k line -o out a.luks
    succeeds fcrypt dec --passphrase-file line -o out a.luks
    cmp out a
    rm a.luks out
    head -c 100000 /dev/urandom >long
    fcrypt enc --luks -k long "${KDF[@]}" a
    fcrypt dec -k long -c a.luks | cmp - a
    head -c $(((8 << 20) + 1)) /dev/zero >toolong
    refused 2 fcrypt enc --luks -k toolong "${KDF[@]}" -o out a
    : >empty
    refused 2 fcrypt enc --luks -k empty "${KDF[@]}" -o out a
    refused 2 fcrypt enc --luks --passphrase-file empty "${KDF[@]}" -o out a
}

@test "a key file and a passphrase together are refused" {
    make_file a 4096
    refused 2 fcrypt enc --luks -k pw --passphrase-file pw "${KDF[@]}" a
    luks a
    refused 2 fcrypt dec -k pw --passphrase-file pw -o out a.luks
}

@test "one call decrypts containers and images, each with what -k means there" {
    make_file a 4096
    make_file b 5000
    fcrypt enc --luks -k key "${KDF[@]}" a
    fcrypt enc -k key b
    fcrypt dec -k key -c a.luks b.fcrypt | cmp - <(cat a b)
    refused 2 fcrypt dec -k pw -o out b.fcrypt
}

@test "a length that does not fit is refused, with the sector size that does" {
    make_file a 3072
    refused 2 fcrypt enc --luks -k pw "${KDF[@]}" a
    said "^hint: --sector-size 1024 is the largest that fits"
    make_file a 3000
    refused 2 fcrypt enc --luks -k pw "${KDF[@]}" a
    fails 2 bash -c 'fcrypt enc --luks -k pw --kdf-memory 1 --kdf-passes 1 -q -o out - <a'
    assert_not_exist out
}

@test "options out of range, and options that need --luks" {
    make_file a 4096
    refused 2 fcrypt enc --luks -k pw "${KDF[@]}" --label "$(printf '%48s' x)" a
    refused 2 fcrypt enc --luks -k pw "${KDF[@]}" --uuid 1234 a
    refused 2 fcrypt enc --luks -k pw "${KDF[@]}" --luks-offset 1000001 a
    refused 2 fcrypt enc --luks -k pw "${KDF[@]}" --key-size 384 a
    refused 2 fcrypt enc --luks -k pw "${KDF[@]}" --chunk-size 64K a
    for option in "--key-size 256" "--label x" "--uuid x" "--luks-offset 16M"; do
        # shellcheck disable=SC2086
        refused 2 fcrypt enc -k key $option a
    done
}

@test "limits on what the slots may cost" {
    make_file a 4096
    fcrypt enc --luks -k pw --kdf-memory 64 --kdf-passes 2 a
    refused 6 fcrypt dec -k pw --max-memory 63 -o out a.luks
    refused 6 fcrypt enc --luks -k pw --kdf-memory 1024 --kdf-passes 17 -o out a
}

@test "truncated images are refused" {
    make_file a 8192
    luks a
    for size in 10 4096 20000 32768 100000 16777215; do
        head -c $size a.luks >cut
        refused 4 fcrypt dec -k pw -o out cut
        run --separate-stderr bash -c 'cat cut | fcrypt dec -k pw'
        expect_status 4
    done
    head -c $((16777216 + 8000)) a.luks >cut
    refused 4 fcrypt dec -k pw -o out cut
}

@test "one copy of the header may be damaged, or gone" {
    make_file a 8192
    luks a
    for place in 0 4; do
        for what in 1 8; do
            cp a.luks image
            dd if=/dev/urandom of=image bs=4096 seek=$place count=$what conv=notrunc status=none \
                iflag=fullblock
            [ $((place + what)) -le 8 ] && [ $place$what != 08 ] || continue
            run --separate-stderr bash -c 'fcrypt dec -k pw -c image | cmp - a'
            expect_status 0
            said "damaged"
        done
    done
}

@test "LUKS1 is named" {
    { printf 'LUKS\272\276\0\1' && head -c 100000 /dev/zero; } >old
    refused 4 fcrypt dec -k pw -o out old
    said "LUKS1"
}

@test "dec -t tells what it can verify" {
    make_file a 4096
    luks a
    run --separate-stderr fcrypt dec -t -k pw a.luks
    expect_status 0
    said "not authenticate"
    fails 3 fcrypt dec -t -k bad a.luks
}

@test "info shows the header, control characters escaped" {
    make_file a 4096
    uuid=01234567-89ab-4def-8123-456789abcdef
    luks --label "$(printf 'a"\033[31mb')" --uuid $uuid a
    run fcrypt info a.luks
    assert_success
    assert_line --regexp '^  label: +a"\\x1b\[31mb$'
    assert_line --regexp "^  UUID: +$uuid\$"
    assert_line --regexp '^  sector size: +4096 bytes$'
    assert_line --regexp '^  slot 0: +Argon2id, 1 pass over 1 MiB, 1 lane$'
    assert_equal "$(fcrypt info --json a.luks | jq -r '.format, .uuid, .slots[0].kdf, (.label | length)')" \
        "luks2
$uuid
argon2id
8"
    fcrypt info < <(cat a.luks) >/dev/null
}

@test "what enc --luks writes is LUKS2 to cryptsetup" {
    need_cryptsetup
    make_file a 1048576
    for bits in 256 512; do
        for sector in 512 4096; do
            luks --key-size $bits --sector-size $sector --label here -o image -f a
            cryptsetup isLuks --type luks2 image
            cryptsetup open --test-passphrase --key-file pw image
            run cryptsetup open --test-passphrase --key-file bad image
            assert_failure 2
            run cryptsetup luksDump image
            assert_success
            assert_line --regexp '^Label: +.here$'
            assert_line --regexp "sector: $sector "
            assert_line --regexp "Key: +$bits bits"
        done
    done
}

@test "slots that cryptsetup added and removed" {
    need_cryptsetup
    make_file a 1048576
    luks a
    cryptsetup luksAddKey --key-file pw --pbkdf pbkdf2 --pbkdf-force-iterations 1000 a.luks bad
    fcrypt dec -k bad -c a.luks | cmp - a
    cryptsetup luksRemoveKey a.luks pw
    refused 3 fcrypt dec -k pw -o out a.luks
    fcrypt dec -k bad -c a.luks | cmp - a
}
