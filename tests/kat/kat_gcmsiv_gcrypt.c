/*
 * AES-GCM-SIV, every tier and the public functions, compared with libgcrypt: all short lengths, a
 * few long ones, and runs of messages of mixed length, in place and not.
 */
#include "gcmsiv_support.h"

#include <stdlib.h>
#include <string.h>

#include <gcrypt.h>

enum { SHORT = 600, MOST_AD = 600, RUNS = 60, MOST_MSGS = 12, RUN_BYTES = 2000 };

/* A message with what libgcrypt makes of it. */
struct sample {
    struct fc_gcmsiv_msg msg; /* without src and dst */
    uint8_t ad[MOST_AD];
    uint8_t *plain, *sealed, *buf; /* len, len + 16, len + 16 */
};

static void ok(gcry_error_t error)
{
    if (error != 0)
        fail_msg("libgcrypt: %s", gcry_strerror(error));
}

static void gcrypt_seal(const uint8_t *secret, size_t key_len, const struct sample *s)
{
    int algo = key_len == 16 ? GCRY_CIPHER_AES128 : GCRY_CIPHER_AES256;
    gcry_cipher_hd_t cipher;

    ok(gcry_cipher_open(&cipher, algo, GCRY_CIPHER_MODE_GCM_SIV, 0));
    ok(gcry_cipher_setkey(cipher, secret, key_len));
    ok(gcry_cipher_setiv(cipher, s->msg.nonce, FC_GCMSIV_NONCE));
    ok(gcry_cipher_authenticate(cipher, s->ad, s->msg.ad_len));
    ok(gcry_cipher_encrypt(cipher, s->sealed, s->msg.len, s->plain, s->msg.len));
    ok(gcry_cipher_gettag(cipher, s->sealed + s->msg.len, FC_GCMSIV_TAG));
    gcry_cipher_close(cipher);
}

static void *allocate(size_t len)
{
    void *p = malloc(len);

    assert_non_null(p);
    return p;
}

static void sample_init(struct sample *s, const uint8_t *secret, size_t key_len, size_t len,
                        size_t ad_len, uint64_t seed)
{
    s->plain = allocate(len + 1);
    s->sealed = allocate(len + FC_GCMSIV_TAG);
    s->buf = allocate(len + FC_GCMSIV_TAG);
    s->msg = (struct fc_gcmsiv_msg){.ad = ad_len > 0 ? s->ad : NULL, .ad_len = ad_len, .len = len};
    test_random(s->msg.nonce, FC_GCMSIV_NONCE, seed);
    test_random(s->ad, ad_len, seed + 1);
    test_random(s->plain, len, seed + 2);
    gcrypt_seal(secret, key_len, s);
}

static void sample_free(struct sample *s)
{
    free(s->plain);
    free(s->sealed);
    free(s->buf);
}

/* Seals n samples as one run. */
static void check_seal(const struct fc_gcmsiv_candidate *tier, const struct fc_gcmsiv_key *key,
                       const struct sample *s, size_t n, bool in_place)
{
    struct fc_gcmsiv_msg msgs[MOST_MSGS] = {0};

    for (size_t i = 0; i < n; i++) {
        msgs[i] = s[i].msg;
        msgs[i].src = in_place ? s[i].buf : s[i].plain;
        msgs[i].dst = s[i].buf;
        if (in_place)
            memcpy(s[i].buf, s[i].plain, s[i].msg.len);
    }
    test_gcmsiv_seal(tier, key, msgs, n);
    for (size_t i = 0; i < n; i++)
        assert_memory_equal(s[i].buf, s[i].sealed, s[i].msg.len + FC_GCMSIV_TAG);
}

/* Opens n samples as one run. */
static void check_open(const struct fc_gcmsiv_candidate *tier, const struct fc_gcmsiv_key *key,
                       const struct sample *s, size_t n, bool in_place)
{
    struct fc_gcmsiv_msg msgs[MOST_MSGS] = {0};

    for (size_t i = 0; i < n; i++) {
        msgs[i] = s[i].msg;
        msgs[i].src = in_place ? s[i].buf : s[i].sealed;
        msgs[i].dst = s[i].buf;
        if (in_place)
            memcpy(s[i].buf, s[i].sealed, s[i].msg.len + FC_GCMSIV_TAG);
    }
    assert_int_equal(test_gcmsiv_open(tier, key, msgs, n), n);
    for (size_t i = 0; i < n; i++)
        assert_memory_equal(s[i].buf, s[i].plain, s[i].msg.len);
}

static void check_run(const struct fc_gcmsiv_candidate *tier, const uint8_t *secret, size_t key_len,
                      const struct sample *s, size_t n)
{
    struct fc_gcmsiv_key key;

    test_gcmsiv_key(tier, &key, secret, key_len);
    check_seal(tier, &key, s, n, false);
    check_seal(tier, &key, s, n, true);
    check_open(tier, &key, s, n, false);
    check_open(tier, &key, s, n, true);
}

/* One message with a key of its own; the key's length is that of seed's parity. */
static void check_length(const struct fc_gcmsiv_candidate *tier, size_t len, uint64_t seed)
{
    size_t key_len = seed % 2 == 0 ? 16 : 32;
    uint8_t secret[32];
    struct sample s;

    test_random(secret, key_len, seed);
    sample_init(&s, secret, key_len, len, seed * 7 % MOST_AD, seed << 8);
    check_run(tier, secret, key_len, &s, 1);
    sample_free(&s);
}

static void test_short(void **state)
{
    for (size_t len = 0; len <= SHORT; len++) {
        check_length(*state, len, 2 * len);
        check_length(*state, len, 2 * len + 1);
    }
}

static void test_long(void **state)
{
    static const size_t lens[] = {4096, 5000, 65536, 65551, 300001, 1048576 + 15};

    for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
        check_length(*state, lens[i], 2 * i);
        check_length(*state, lens[i], 2 * i + 1);
    }
}

/* RUNS runs of 2 to MOST_MSGS messages, neighbours of any two lengths. */
static void test_runs(void **state)
{
    struct sample s[MOST_MSGS];
    uint8_t secret[32];

    for (size_t run = 0; run < RUNS; run++) {
        size_t key_len = run % 2 == 0 ? 16 : 32, n = 2 + run % (MOST_MSGS - 1);

        test_random(secret, key_len, run);
        for (size_t i = 0; i < n; i++) {
            uint16_t random[2];

            test_random(random, sizeof(random), run * MOST_MSGS + i);
            sample_init(&s[i], secret, key_len, random[0] % RUN_BYTES, random[1] % MOST_AD,
                        run << 16 | i << 8);
        }
        check_run(*state, secret, key_len, s, n);
        for (size_t i = 0; i < n; i++)
            sample_free(&s[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_runs),
    };

    gcry_check_version(NULL);
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    return test_status(test_gcmsiv_run("libgcrypt", tests, sizeof(tests) / sizeof(tests[0]), true));
}
