/*
 * AES-XTS, every tier and the public functions, compared with libcrypto: sectors of all lengths,
 * and runs of them with sector numbers around every power of two that a counter may be cut off at.
 */
#include "xts_support.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "bytes.h"

enum { LONGEST = 4200, MOST_SECTORS = 200, MOST_BYTES = 65536, RUNS = 60 };

/* A run under a key, with what libcrypto makes of src. */
struct sample {
    size_t key_len, len;
    struct fc_xts_run run;
    uint8_t secret[64];
    uint8_t *src, *encrypted, *decrypted, *dst;
};

static void libcrypto(uint8_t *dst, const struct sample *s, int encrypting)
{
    const EVP_CIPHER *cipher = s->key_len == 32 ? EVP_aes_128_xts() : EVP_aes_256_xts();
    size_t len = s->run.sector_len;
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

    assert_int_equal(EVP_CipherInit_ex(ctx, cipher, NULL, s->secret, NULL, encrypting), 1);
    for (size_t i = 0; i < s->run.count; i++) {
        uint8_t iv[16] = {0};
        int out_len;

        fc_store_le64(iv, s->run.first + i * s->run.stride);
        assert_int_equal(EVP_CipherInit_ex(ctx, NULL, NULL, NULL, iv, encrypting), 1);
        assert_int_equal(EVP_CipherUpdate(ctx, dst + i * len, &out_len, s->src + i * len, (int)len),
                         1);
        assert_int_equal(out_len, len);
    }
    EVP_CIPHER_CTX_free(ctx);
}

static void sample_init(struct sample *s, uint64_t seed)
{
    s->len = s->run.sector_len * s->run.count;
    s->src = malloc(4 * s->len);
    assert_non_null(s->src);
    s->encrypted = s->src + s->len;
    s->decrypted = s->encrypted + s->len;
    s->dst = s->decrypted + s->len;
    test_random(s->secret, s->key_len, seed);
    test_random(s->src, s->len, seed + 1);
    libcrypto(s->encrypted, s, 1);
    libcrypto(s->decrypted, s, 0);
}

static void check_sample(const struct fc_xts_candidate *tier, const struct sample *s)
{
    struct fc_xts_key key;

    test_xts_key(tier, &key, s->secret, s->key_len);
    test_xts_encrypt(tier, &key, s->dst, s->src, &s->run);
    assert_memory_equal(s->dst, s->encrypted, s->len);
    test_xts_decrypt(tier, &key, s->dst, s->dst, &s->run);
    assert_memory_equal(s->dst, s->src, s->len);
    test_xts_decrypt(tier, &key, s->dst, s->src, &s->run);
    assert_memory_equal(s->dst, s->decrypted, s->len);
    test_xts_encrypt(tier, &key, s->dst, s->dst, &s->run);
    assert_memory_equal(s->dst, s->src, s->len);
}

static void check_run(const struct fc_xts_candidate *tier, const struct fc_xts_run *run,
                      uint64_t seed)
{
    for (size_t key_len = 32; key_len <= 64; key_len += 32) {
        struct sample s = {.key_len = key_len, .run = *run};

        sample_init(&s, seed);
        check_sample(tier, &s);
        free(s.src);
    }
}

/* One sector, of every length at first. */
static void test_lengths(void **state)
{
    for (size_t len = FC_XTS_MIN_SECTOR; len <= LONGEST; len += len < 600 ? 1 : 41)
        check_run(*state, &(struct fc_xts_run){.first = len, .sector_len = len, .count = 1}, len);
}

static void test_runs(void **state)
{
    static const size_t lens[] = {16, 17, 31, 32, 48, 100, 128, 512, 520, 1040, 1041, 4096};
    static const uint64_t strides[] = {1, 8, 1, (uint64_t)1 << 33 | 1};
    static const uint64_t firsts[] = {0, ((uint64_t)1 << 32) - 70, ((uint64_t)1 << 63) - 70,
                                      UINT64_MAX - 70, ((uint64_t)1 << 35) - 70};
    uint8_t random;

    for (size_t i = 0; i < RUNS; i++) {
        size_t len = lens[i % 12];

        test_random(&random, 1, i);
        check_run(*state,
                  &(struct fc_xts_run){
                      .first = firsts[i % 5],
                      .stride = strides[i % 4],
                      .sector_len = len,
                      .count = fc_min_size(1 + random % MOST_SECTORS, MOST_BYTES / len),
                  },
                  i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_runs),
    };

    return test_status(test_xts_run("libcrypto", tests, 2, true));
}
