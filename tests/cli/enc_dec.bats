# Round trips: what comes back is what went in, whatever its size and name and the options.
load helpers

# round_trip SIZE CHUNK OPTION...: through files and through pipes.
round_trip() {
    local size=$1 chunk=$2
    shift 2
    make_file plain "$size"
    fcrypt enc -k key "$@" plain
    assert_equal "$(stat -c %s plain.fcrypt)" "$(container_size "$size" "$chunk")"
    fcrypt dec -k key -o back plain.fcrypt
    cmp plain back
    fcrypt enc -k key "$@" <plain | cat | fcrypt dec -k key | cmp - plain
    rm -f plain plain.fcrypt back
}

@test "sizes around the edges of the smallest chunk" {
    for size in 0 1 15 16 17 8191 8192 8193 16383 16384 16385 24577; do
        round_trip $size 8192 --chunk-size 8K
    done
}

@test "sizes around the edges of the default chunk" {
    for size in 0 1 65535 65536 65537 131072; do
        round_trip $size 65536
    done
}

@test "both ciphers" {
    for cipher in aes-256-gcm-siv aes-128-gcm-siv; do
        round_trip 100001 65536 --cipher $cipher
    done
}

@test "every chunk size" {
    for log2 in {13..24}; do
        round_trip 70001 $((1 << log2)) --chunk-size $((1 << log2))
    done
}

@test "chunk sizes are written with K and M, with and without iB" {
    make_file plain 10
    for size in 1M 1MiB 1024K 1024KiB 1048576; do
        fcrypt enc -k key --chunk-size $size -f plain
        assert_equal "$(bytes plain.fcrypt 9 1)" 14
    done
}

@test "several MiB with any number of threads" {
    make_file plain 5000001
    for threads in 0 1 2 3 8; do
        fcrypt enc -k key -T $threads -f plain
        fcrypt dec -k key -T $threads -c plain.fcrypt | cmp - plain
        fcrypt enc -k key -T $threads <plain | fcrypt dec -k key --threads $threads | cmp - plain
    done
}

@test "a chunk of 16 MiB that is full, and one byte more" {
    for size in 16777216 16777217; do
        round_trip $size 16777216 --chunk-size 16M
    done
}

@test "X becomes X.fcrypt and back; the input is kept" {
    make_file a 1000
    cp a orig
    succeeds fcrypt enc -k key a
    assert_equal "$output" ""
    cmp a orig
    rm a
    succeeds fcrypt dec -k key a.fcrypt
    assert_equal "$output" ""
    cmp a orig
    assert_file_exist a.fcrypt
}

@test "X.fcrypt becomes X.fcrypt.fcrypt" {
    make_file a 10
    fcrypt enc -k key a
    fcrypt enc -k key a.fcrypt
    assert_file_exist a.fcrypt.fcrypt
}

@test "several files in one run" {
    for i in 1 2 3 4; do make_file f$i $((i * 10000)); done
    mkdir orig
    cp f? orig
    succeeds fcrypt enc -k key f1 f2 f3 f4
    rm f?
    succeeds fcrypt dec -k key f1.fcrypt f2.fcrypt f3.fcrypt f4.fcrypt
    for i in 1 2 3 4; do cmp f$i orig/f$i; done
}

@test "dec -c of several files is their plaintexts one behind the other" {
    make_file a 100000
    make_file b 3
    fcrypt enc -k key a b
    fcrypt dec -k key -c a.fcrypt b.fcrypt | cmp - <(cat a b)
}

@test "-c and -o - write to stdout" {
    make_file a 100
    fcrypt enc -k key -c a | fcrypt dec -k key | cmp - a
    fcrypt enc -k key -o - a | fcrypt dec -k key -o - | cmp - a
    fcrypt enc -k key --stdout a | fcrypt dec -k key --stdout | cmp - a
    assert_not_exist a.fcrypt
}

@test "- is stdin, alone and among files" {
    make_file a 100
    fcrypt enc -k key - <a | fcrypt dec -k key - | cmp - a
    fcrypt enc -k key -o a.fcrypt - <a
    fcrypt dec -k key -c - a.fcrypt <a.fcrypt | cmp - <(cat a a)
    fcrypt dec -k key -o b - <a.fcrypt
    cmp a b
}

@test "-o names the output" {
    make_file a 100
    fcrypt enc -k key -o x a
    fcrypt dec -k key --output y x
    cmp a y
    assert_not_exist a.fcrypt
}

@test "--suffix for both ways" {
    make_file a 100
    cp a orig
    fcrypt enc -k key --suffix .sealed a
    rm a
    fcrypt dec -k key --suffix .sealed a.sealed
    cmp a orig
    refused 2 fcrypt dec -k key -f a.sealed
}

@test "dec of a name without the suffix, or of the suffix alone, wants -o or -c" {
    make_file a 100
    fcrypt enc -k key -o a.bin a
    cp a.bin .fcrypt
    for name in a.bin .fcrypt; do
        refused 2 fcrypt dec -k key $name
        said '^hint: .*-o'
    done
    fcrypt dec -k key -c a.bin | cmp - a
}

@test "-t verifies and writes nothing" {
    make_file a 100000
    fcrypt enc -k key a
    rm a
    before=$(snapshot)
    succeeds fcrypt dec -k key -t a.fcrypt
    assert_equal "$output" ""
    succeeds fcrypt dec -k key --test <a.fcrypt
    assert_equal "$output" ""
    unchanged_since "$before"
    refused 4 fcrypt dec -k key -t a.fcrypt key
}

@test "names with blanks, newlines, quotes, bytes that are no UTF-8" {
    for name in 'with blank' $'new\nline' $'tab\t' "quo'te\"" $'\xff\xfe' '*' ' ' $'esc\e[2J'; do
        make_file "$name" 100
        cp "$name" orig
        fcrypt enc -k key "$name"
        rm "$name"
        fcrypt dec -k key "$name.fcrypt"
        cmp "$name" orig
    done
}

@test "names with a leading dash, behind --" {
    make_file ./-k 100
    cp ./-k orig
    fcrypt enc -k key -- -k
    rm ./-k
    fcrypt dec -k key -- -k.fcrypt
    cmp orig ./-k
}

@test "a file named -, as ./-" {
    make_file ./- 100
    cp ./- orig
    fcrypt enc -k key ./-
    fcrypt dec -k key -o back ./-.fcrypt
    cmp orig back
}

@test "names of 255 bytes" {
    name=$(printf 'n%.0s' {1..255})
    stem=${name:0:248}
    make_file "$name" 100
    cp "$name" orig
    fcrypt enc -k key -o "$stem.fcrypt" "$name"
    fcrypt dec -k key "$stem.fcrypt"
    cmp "$stem" orig
    fcrypt dec -k key -f -o "$name" "$stem.fcrypt"
    cmp "$name" orig
    refused 5 fcrypt enc -k key "$name"
}

@test "two encryptions of one file share no salt, tag or byte of payload" {
    make_file a 100
    fcrypt enc -k key -o x a
    fcrypt enc -k key -o y a
    for part in '16 32' '80 32' '144 16' '160 32' '192 48' '1024 100'; do
        assert_not_equal "$(bytes x $part)" "$(bytes y $part)"
    done
}

@test "the header is as the format says" {
    make_file a 100
    fcrypt enc -k key --cipher aes-128-gcm-siv --chunk-size 32K a
    assert_equal "$(bytes a.fcrypt 0 16)" 6663727970740a01020f010000000000
    assert_equal "$(bytes a.fcrypt 48 32)" "$(printf '0%.0s' {1..64})"
    assert_equal "$(bytes a.fcrypt 128 16)" 02000000000000000000000000000000
    assert_equal "$(bytes a.fcrypt 256 768)" "$(printf '0%.0s' {1..1536})"
}

@test "the default cost is three passes over 256 MiB" {
    printf 'secret\n' >pass
    make_file a 10
    succeeds fcrypt enc --passphrase-file pass a
    assert_equal "$(bytes a.fcrypt 128 16)" 01000000030000000000040000000000
    succeeds fcrypt dec --passphrase-file pass -o b a.fcrypt
    cmp a b
}

@test "a cost below 64 MiB is written with a note" {
    printf 'secret\n' >pass
    make_file a 10
    run --separate-stderr fcrypt enc --passphrase-file pass --kdf-memory 2 --kdf-passes 2 a
    expect_status 0
    said '^fcrypt: .*MiB'
    assert_equal "$(bytes a.fcrypt 128 16)" 01000000020000000008000000000000
}
