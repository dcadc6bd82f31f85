# Whatever one tier writes, every other reads. A tier above the machine means its best.
load helpers

TIERS='generic sse41 aesni bmi2 avx2 avx512'

# crosswise OPTION...: a is encrypted under every tier and decrypted under every tier.
crosswise() {
    local writer reader
    for writer in $TIERS; do
        FCRYPT_TIER=$writer fcrypt enc -k key "$@" -f -o $writer.fcrypt a
        for reader in $TIERS; do
            FCRYPT_TIER=$reader fcrypt dec -k key -c $writer.fcrypt | cmp - a ||
                fail "$reader does not read what $writer wrote"
        done
    done
}

@test "every tier reads what every other wrote: one chunk of odd length" {
    make_file a 1237
    crosswise
    crosswise --cipher aes-128-gcm-siv
}

@test "every tier reads what every other wrote: many chunks" {
    make_file a 200001
    crosswise --chunk-size 8K
    crosswise --cipher aes-128-gcm-siv
}

@test "every tier reads what every other wrote: nothing" {
    make_file a 0
    crosswise
}

@test "every tier refuses a flipped bit, and releases what stands before it" {
    make_file a 100000
    fcrypt enc -k key --chunk-size 8K a
    damage a.fcrypt 50000
    for tier in $TIERS; do
        status=0
        FCRYPT_TIER=$tier fcrypt dec -k key -c a.fcrypt >out 2>/dev/null || status=$?
        expect_status 4
        cmp out <(head -c 40960 a)
    done
}

@test "an unknown tier is status 2 and named" {
    make_file a 10
    for tier in mmx AVX2 ' generic' generic2; do
        FCRYPT_TIER=$tier refused 2 fcrypt enc -k key -o out a
        said "FCRYPT_TIER"
    done
}
