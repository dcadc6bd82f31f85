# Files written by other hands and in other times, and the other way round: fcref.py, which shares
# no code with the command, reads what it writes.
load helpers

KAT=$BATS_TEST_DIRNAME/../kat

fcref() { PYTHONDONTWRITEBYTECODE=1 python3 "$KAT/fcref.py" "$@"; }

@test "fcref.py reads what fcrypt writes, key files" {
    for size in 0 1 8192 8193 20000; do
        make_file a $size
        for cipher in aes-256-gcm-siv aes-128-gcm-siv; do
            fcrypt enc -k key --cipher $cipher --chunk-size 8K -f a
            fcref dec --key-file key a.fcrypt back
            cmp a back
        done
    done
    fcrypt keygen -o text
    fcrypt enc -k text -f a
    fcref dec --key-file text a.fcrypt back
    cmp a back
}

@test "fcref.py reads what fcrypt writes, passphrases and both factors" {
    make_file a 1000
    printf 'correct horse\n' >pass
    fcrypt enc --passphrase-file pass "${KDF[@]}" -o p a
    fcref dec --passphrase 'correct horse' p back
    cmp a back
    fcrypt enc --passphrase-file pass -k key "${KDF[@]}" -o both a
    fcref dec --passphrase 'correct horse' --key-file key both back
    cmp a back
}

@test "fcrypt reads what fcref.py writes" {
    printf 'correct horse\n' >pass
    for size in 0 1 8192 8193 20000; do
        make_file a $size
        for suite in 1 2; do
            fcref enc --key-file key --suite $suite --chunk-log2 13 --units 3 a x
            fcrypt dec -k key -c x | cmp - a
        done
    done
    fcref enc --passphrase 'correct horse' a x
    fcrypt dec --passphrase-file pass -c x | cmp - a
    fcref enc --passphrase 'correct horse' --key-file key a x
    fcrypt dec --passphrase-file pass -k key -c x | cmp - a
}

@test "golden containers decrypt, with every credential that opens them" {
    rows=0
    while IFS=$'\t' read -r file keyfile passphrase length sum; do
        [[ $file != '#'* ]] || continue
        credential=()
        [ "$keyfile" = - ] || credential+=(-k "$KAT/golden/$keyfile")
        if [ "$passphrase" != - ]; then
            printf %s "$passphrase" >pass
            credential+=(--passphrase-file pass)
        fi
        fcrypt dec -q "${credential[@]}" -f -o out "$KAT/golden/$file"
        assert_equal "$(stat -c %s out)" "$length"
        assert_equal "$(b2sum <out)" "$sum  -"
        rows=$((rows + 1))
    done <"$KAT/golden/manifest.tsv"
    assert [ $rows -gt 0 ]
}
