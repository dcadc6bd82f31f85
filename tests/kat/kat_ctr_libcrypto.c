/*
 * AES-CTR, every tier and the public function, compared with libcrypto: all short lengths and some
 * long ones, from anywhere in a stream, with counters that carry, whole and in pieces.
 */
#include "ctr_support.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/bn.h>
#include <openssl/evp.h>

#include "bytes.h"

enum {
    ALL_LENGTHS = 1200,
    FARTHEST = 64,                  /* blocks from a carry */
    CARRY_LEN = 16 * (64 + 40) + 7, /* past the carry from there, by more than any group */
};

/* A part of a stream. */
struct sample {
    size_t key_len, len;
    uint64_t offset;
    uint8_t secret[32], iv[FC_CTR_IV];
};

static const EVP_CIPHER *cipher_for(size_t key_len)
{
    if (key_len == 16)
        return EVP_aes_128_ctr();
    return key_len == 24 ? EVP_aes_192_ctr() : EVP_aes_256_ctr();
}

/* counter = iv + n modulo 2^128 */
static void counter_at(uint8_t counter[FC_CTR_IV], const uint8_t iv[FC_CTR_IV], uint64_t n)
{
    uint8_t bytes[8];
    BIGNUM *sum = BN_bin2bn(iv, FC_CTR_IV, NULL), *term;

    fc_store_le64(bytes, n);
    term = BN_lebin2bn(bytes, sizeof(bytes), NULL);
    assert_true(sum != NULL && term != NULL && BN_add(sum, sum, term));
    if (BN_num_bits(sum) > 128)
        BN_mask_bits(sum, 128);
    assert_int_equal(BN_bn2binpad(sum, counter, FC_CTR_IV), FC_CTR_IV);
    BN_free(sum);
    BN_free(term);
}

static void libcrypto(uint8_t *dst, const uint8_t *src, const struct sample *s)
{
    static const uint8_t zero[16];
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    uint8_t counter[FC_CTR_IV], before[16];
    int out_len;

    counter_at(counter, s->iv, s->offset / 16);
    assert_int_equal(EVP_EncryptInit_ex(ctx, cipher_for(s->key_len), NULL, s->secret, counter), 1);
    assert_int_equal(EVP_EncryptUpdate(ctx, before, &out_len, zero, (int)(s->offset % 16)), 1);
    assert_int_equal(EVP_EncryptUpdate(ctx, dst, &out_len, src, (int)s->len), 1);
    EVP_CIPHER_CTX_free(ctx);
}

/* Pieces of random lengths, up to about a third. */
static void in_pieces(const struct fc_ctr_candidate *tier, const struct fc_ctr_key *key,
                      uint8_t *data, const struct sample *s)
{
    for (size_t i = 0, n; i < s->len; i += n) {
        uint32_t random;

        test_random(&random, sizeof(random), s->offset + s->len + i);
        n = fc_min_size(1 + random % (s->len / 3 + 20), s->len - i);
        test_ctr_xor(tier, key, data + i, data + i, n, s->iv, s->offset + i);
    }
}

/* Encrypts from one buffer to another, decrypts in place; in pieces, the other way round. */
static void check_sample(const struct fc_ctr_candidate *tier, const struct sample *s)
{
    uint8_t *src = malloc(3 * s->len + 1), *want = src + s->len, *dst = want + s->len;
    struct fc_ctr_key key;

    assert_non_null(src);
    test_random(src, s->len, s->len + 3);
    libcrypto(want, src, s);
    fc_ctr_key_init(&key, s->secret, s->key_len);

    test_ctr_xor(tier, &key, dst, src, s->len, s->iv, s->offset);
    assert_memory_equal(dst, want, s->len);
    test_ctr_xor(tier, &key, dst, dst, s->len, s->iv, s->offset);
    assert_memory_equal(dst, src, s->len);
    in_pieces(tier, &key, dst, s);
    assert_memory_equal(dst, want, s->len);
    free(src);
}

/* Under a key of its own of every size. */
static void check(const struct fc_ctr_candidate *tier, struct sample *s, uint64_t seed)
{
    for (s->key_len = 16; s->key_len <= 32; s->key_len += 8) {
        test_random(s->secret, s->key_len, seed + s->key_len);
        check_sample(tier, s);
    }
}

/* From somewhere in the stream; every seventh from far behind. */
static void test_lengths(void **state)
{
    for (size_t len = 0; len <= ALL_LENGTHS; len++) {
        struct sample s = {.len = len};

        test_random(s.iv, sizeof(s.iv), len);
        test_random(&s.offset, sizeof(s.offset), len + 1);
        s.offset %= len % 7 == 0 ? UINT64_MAX - ALL_LENGTHS : 5000;
        check(*state, &s, len);
    }
}

static void test_long(void **state)
{
    static const size_t lens[] = {4096, 65537, 1000003, (1 << 20) - 1};

    for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
        struct sample s = {.len = lens[i], .offset = i};

        test_random(s.iv, sizeof(s.iv), i);
        check(*state, &s, i);
    }
}

/* The counter leaves its low bits behind after so many blocks: of the data, or of the stream. */
static void check_carry(const struct fc_ctr_candidate *tier, unsigned bits, unsigned distance)
{
    struct sample s = {.len = CARRY_LEN - distance % 5 * 16};

    test_random(s.iv, sizeof(s.iv), distance);
    memset(s.iv + FC_CTR_IV - bits / 8, 0xff, bits / 8);
    s.iv[FC_CTR_IV - 1] = (uint8_t)(0 - distance);
    check(tier, &s, distance);
    s.offset = 16 * distance - 1 - distance % 32;
    check(tier, &s, distance);
}

static void test_carries(void **state)
{
    for (unsigned bits = 32; bits <= 128; bits *= 2)
        for (unsigned distance = 1; distance <= FARTHEST; distance++)
            check_carry(*state, bits, distance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_carries),
    };

    return test_status(test_ctr_run("libcrypto", tests, 3, true));
}
