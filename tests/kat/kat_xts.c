/*
 * AES-XTS, every tier: the vectors of IEEE 1619 annex B, and those of NIST's validation program as
 * Debian's python3-cryptography-vectors brings them.
 */
#include "xts_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

#define CAVP "/usr/lib/python3/dist-packages/cryptography_vectors/ciphers/AES/XTS/"

enum { MOST_BYTES = 512 };

/* One record of a .rsp file. */
struct vector {
    uint8_t key[64], tweak[16], plain[MOST_BYTES], cipher[MOST_BYTES];
    size_t key_len, bits, plain_len, cipher_len;
};

static void take_field(struct vector *v, const struct test_field *field)
{
    const char *name = field->name;

    if (strcmp(name, "COUNT") == 0)
        memset(v, 0, sizeof(*v));
    else if (strcmp(name, "DataUnitLen") == 0)
        v->bits = strtoul(field->value, NULL, 10);
    else if (strcmp(name, "Key") == 0)
        v->key_len = test_hex(v->key, sizeof(v->key), field->value);
    else if (strcmp(name, "i") == 0)
        assert_int_equal(test_hex(v->tweak, sizeof(v->tweak), field->value), 16);
    else if (strcmp(name, "DataUnitSeqNumber") == 0)
        fc_store_le64(v->tweak, strtoull(field->value, NULL, 0));
    else if (strcmp(name, "PT") == 0)
        v->plain_len = test_hex(v->plain, sizeof(v->plain), field->value);
    else if (strcmp(name, "CT") == 0)
        v->cipher_len = test_hex(v->cipher, sizeof(v->cipher), field->value);
    else
        fail_msg("no such field: %s", name);
}

/* The next vector of whole bytes; false behind the last. */
static bool next_vector(FILE *f, struct vector *v)
{
    struct test_field field;

    memset(v, 0, sizeof(*v));
    while (test_read_field(f, &field)) {
        take_field(v, &field);
        if (v->bits % 8 == 0 && v->plain_len > 0 && v->cipher_len > 0) {
            assert_int_equal(v->plain_len, v->bits / 8);
            assert_int_equal(v->cipher_len, v->bits / 8);
            return true;
        }
    }
    return false;
}

/* The tweak as the number of a sector. */
static void check_numbered(const struct fc_xts_candidate *tier, const struct fc_xts_key *key,
                           const struct vector *v)
{
    struct fc_xts_run run = {
        .first = fc_load_le64(v->tweak), .sector_len = v->plain_len, .count = 1};
    uint8_t dst[MOST_BYTES];

    test_xts_encrypt(tier, key, dst, v->plain, &run);
    assert_memory_equal(dst, v->cipher, v->plain_len);
    test_xts_decrypt(tier, key, dst, dst, &run);
    assert_memory_equal(dst, v->plain, v->plain_len);
}

/* The tweak as it stands. */
static void check_tweaked(const struct fc_xts_candidate *tier, const struct fc_xts_key *key,
                          const struct vector *v)
{
    struct fc_xts_run run = {.sector_len = v->plain_len, .count = 1};
    struct fc_xts_kern kern;
    uint8_t dst[MOST_BYTES];

    test_xts_tweaked(&kern, tier, v->tweak);
    fc_xts_encrypt_with(&kern, key, dst, v->plain, &run);
    assert_memory_equal(dst, v->cipher, v->plain_len);
    fc_xts_decrypt_with(&kern, key, dst, dst, &run);
    assert_memory_equal(dst, v->plain, v->plain_len);
}

typedef void check_fn(const struct fc_xts_candidate *tier, const struct fc_xts_key *key,
                      const struct vector *v);

/* All vectors of the file, which are so many. */
static void check_file(const struct fc_xts_candidate *tier, const char *path, size_t expected,
                       check_fn *check)
{
    FILE *f = fopen(path, "r");
    struct vector v;
    struct fc_xts_key key;
    size_t n;

    assert_non_null(f);
    for (n = 0; next_vector(f, &v); n++) {
        test_xts_key(tier, &key, v.key, v.key_len);
        check(tier, &key, &v);
    }
    fclose(f);
    assert_int_equal(n, expected);
}

static void test_ieee1619(void **state)
{
    check_file(*state, FC_IEEE1619, 19, check_numbered);
}

static void test_cavp_numbers_128(void **state)
{
    check_file(*state, test_need_file(CAVP "tweak-dataunitseqno/XTSGenAES128.rsp"), 800,
               check_numbered);
}

static void test_cavp_numbers_256(void **state)
{
    check_file(*state, test_need_file(CAVP "tweak-dataunitseqno/XTSGenAES256.rsp"), 600,
               check_numbered);
}

static void test_cavp_tweaks_128(void **state)
{
    check_file(*state, test_need_file(CAVP "tweak-128hexstr/XTSGenAES128.rsp"), 800, check_tweaked);
}

static void test_cavp_tweaks_256(void **state)
{
    check_file(*state, test_need_file(CAVP "tweak-128hexstr/XTSGenAES256.rsp"), 600, check_tweaked);
}

static void test_halves_equal(void **state)
{
    uint8_t secret[64];

    (void)state;
    for (size_t key_len = 32; key_len <= 64; key_len += 32) {
        test_random(secret, key_len / 2, key_len);
        memcpy(secret + key_len / 2, secret, key_len / 2);
        assert_true(fc_xts_halves_equal(secret, key_len));
        for (size_t i = 0; i < key_len; i++) {
            secret[i] ^= 0x80;
            assert_false(fc_xts_halves_equal(secret, key_len));
            secret[i] ^= 0x80;
        }
    }
}

static void test_key_wipe(void **state)
{
    static const struct fc_xts_key zero;
    struct fc_xts_key key;
    uint8_t secret[64];

    (void)state;
    test_random(secret, sizeof(secret), 1);
    fc_xts_key_init(&key, secret, sizeof(secret));
    fc_xts_key_wipe(&key);
    assert_memory_equal(&key, &zero, sizeof(key));
}

int main(void)
{
    const struct CMUnitTest numbered[] = {
        cmocka_unit_test(test_ieee1619),
        cmocka_unit_test(test_cavp_numbers_128),
        cmocka_unit_test(test_cavp_numbers_256),
    };
    const struct CMUnitTest tweaked[] = {
        cmocka_unit_test(test_cavp_tweaks_128),
        cmocka_unit_test(test_cavp_tweaks_256),
    };
    const struct CMUnitTest keys[] = {
        cmocka_unit_test(test_halves_equal),
        cmocka_unit_test(test_key_wipe),
    };
    int failed = test_xts_run("sector numbers", numbered, 3, true);

    failed += test_xts_run("tweaks of 128 bits", tweaked, 2, false);
    failed += cmocka_run_group_tests(keys, NULL, NULL);
    return test_status(failed);
}
