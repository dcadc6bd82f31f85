# What a hostile header may ask for, and what a user allows.
load helpers

PASSES=132 # offset of a slot's passes in the file's first slot; its memory stands behind it

setup_files() {
    make_file a 1000
    printf 'secret' >pass
    fcrypt enc --passphrase-file pass "${KDF[@]}" a
}

# costs PASSES KIB: a.fcrypt's only slot asks for so much, with a right checksum.
costs() {
    local i hex=
    for value in "$1" "$2"; do
        for i in 0 8 16 24; do hex+=$(printf %02x $(((value >> i) & 255))); done
    done
    python3 "$BATS_TEST_DIRNAME/mend.py" a.fcrypt $PASSES "$hex"
}

# in_a_second OPERAND...: fcrypt, killed after a second of computing.
in_a_second() { bash -c 'ulimit -t 1; exec "$FCRYPT" "$@"' - "$@"; }

@test "costs beyond the limits are refused at once, with what was asked and allowed" {
    setup_files
    for cost in '1 1048577' '17 1048576' '1 4294967295' '4294967295 8' '4294967295 4294967295' \
        '65536 65536' '4294967295 1048576' '1048576 4096' '2147483648 2147483648'; do
        costs $cost
        refused 6 in_a_second dec --passphrase-file pass -o out a.fcrypt
        said '[0-9].*[0-9]'
        said '^hint: .*--max-(memory|kdf-work)'
    done
}

@test "costs that mean nothing make the slot unknown" {
    setup_files
    for cost in '0 8' '1 0' '1 7' '0 0' '0 4294967295'; do
        costs $cost
        refused 3 in_a_second dec --passphrase-file pass -o out a.fcrypt
        said 'slot'
    done
}

@test "info takes hostile costs calmly" {
    setup_files
    for cost in '4294967295 4294967295' '65536 65536' '0 0' '1 7'; do
        costs $cost
        succeeds in_a_second info a.fcrypt
        succeeds in_a_second info --json a.fcrypt
    done
}

@test "a key file's holder does not pay for hostile passphrase slots" {
    make_file a 1000
    fcrypt enc -k key a
    # A second slot, of a passphrase nobody has, that asks for all there is.
    python3 "$BATS_TEST_DIRNAME/mend.py" a.fcrypt 256 01000000ffffffffffffffff00000000aa
    succeeds in_a_second dec -k key -o b a.fcrypt
    cmp a b
}

@test "--max-memory: a slot that needs more is refused, by how much" {
    setup_files
    fcrypt enc --passphrase-file pass --kdf-memory 3 --kdf-passes 1 -q -f a
    refused 6 fcrypt dec --passphrase-file pass --max-memory 2 -o out a.fcrypt
    said '3 MiB.* 2'
    said '^hint: .*--max-memory'
    succeeds fcrypt dec --passphrase-file pass --max-memory 3 -o out a.fcrypt
    cmp a out
}

@test "--max-kdf-work: passes times memory" {
    setup_files
    costs 1025 1024
    refused 6 fcrypt dec --passphrase-file pass --max-kdf-work 1 -o out a.fcrypt
    said '^hint: .*--max-kdf-work'
    costs 1 1024
    succeeds fcrypt dec --passphrase-file pass --max-kdf-work 1 -o out a.fcrypt
    cmp a out
}

@test "too little memory is no wrong passphrase: it says how much is needed" {
    setup_files
    needs_memory 400000
    fcrypt enc --passphrase-file pass --kdf-memory 512 --kdf-passes 1 -o big a
    refused 6 with_memory 400000 "$FCRYPT" dec --passphrase-file pass -o out big
    said '512 MiB'
}

@test "enc writes no cost that dec would refuse by default" {
    setup_files
    rm a.fcrypt
    for options in '--kdf-memory 1025' '--kdf-memory 4096' '--kdf-memory 1024 --kdf-passes 17' \
        '--kdf-passes 4294967295' '--kdf-passes 4294967297' '--kdf-memory 18446744073709551617'; do
        run --separate-stderr in_a_second enc --passphrase-file pass $options a
        [[ $status -eq 2 || $status -eq 6 ]] || fail "$options: status $status: $stderr"
        said '^fcrypt'
        assert_not_exist a.fcrypt
    done
}

@test "costs of nothing are refused by enc" {
    setup_files
    rm a.fcrypt
    for options in '--kdf-memory 0' '--kdf-passes 0' '--kdf-memory -1' '--kdf-passes -1'; do
        refused 2 fcrypt enc --passphrase-file pass $options a
    done
}

@test "many threads and large chunks stay within bounds" {
    needs_memory 1500000
    make_file a 3000000
    with_memory 1500000 "$FCRYPT" enc -k key -T 64 --chunk-size 16M a
    with_memory 1500000 "$FCRYPT" dec -k key -T 64 -c a.fcrypt | cmp - a
}
