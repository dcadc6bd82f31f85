/*
 * AES-CTR, every tier: the examples of SP 800-38A appendix F.5, and those of RFC 3686 as Debian's
 * python3-cryptography-vectors brings them.
 */
#include "ctr_support.h"

#include <stdio.h>
#include <string.h>

#define RFC3686(bits)                                                                              \
    "/usr/lib/python3/dist-packages/cryptography_vectors/ciphers/AES/CTR/aes-" #bits "-ctr.txt"

enum { MOST_BYTES = 64 };

struct vector {
    uint8_t key[32], iv[FC_CTR_IV], plain[MOST_BYTES], cipher[MOST_BYTES];
    size_t key_len, plain_len, cipher_len;
};

static void take_field(struct vector *v, const struct test_field *field)
{
    const char *name = field->name;

    if (strcmp(name, "COUNT") == 0)
        memset(v, 0, sizeof(*v));
    else if (strcmp(name, "KEY") == 0)
        v->key_len = test_hex(v->key, sizeof(v->key), field->value);
    else if (strcmp(name, "IV") == 0)
        assert_int_equal(test_hex(v->iv, sizeof(v->iv), field->value), FC_CTR_IV);
    else if (strcmp(name, "PLAINTEXT") == 0)
        v->plain_len = test_hex(v->plain, sizeof(v->plain), field->value);
    else if (strcmp(name, "CIPHERTEXT") == 0)
        v->cipher_len = test_hex(v->cipher, sizeof(v->cipher), field->value);
    else
        fail_msg("no such field: %s", name);
}

/* Encrypts and decrypts, all at once and in pieces of one byte up to all. */
static void check_vector(const struct fc_ctr_candidate *tier, const struct vector *v)
{
    size_t len = v->plain_len;
    struct fc_ctr_key key;
    uint8_t dst[MOST_BYTES];

    assert_int_equal(v->cipher_len, len);
    fc_ctr_key_init(&key, v->key, v->key_len);
    test_ctr_xor(tier, &key, dst, v->plain, len, v->iv, 0);
    assert_memory_equal(dst, v->cipher, len);
    for (size_t piece = 1; piece <= len; piece++) {
        memcpy(dst, v->cipher, len);
        for (size_t i = 0; i < len; i += piece)
            test_ctr_xor(tier, &key, dst + i, dst + i, len - i < piece ? len - i : piece, v->iv, i);
        assert_memory_equal(dst, v->plain, len);
    }
}

/* All vectors of the file, which are three. */
static void check_file(const struct fc_ctr_candidate *tier, const char *path)
{
    FILE *f = fopen(path, "r");
    struct test_field field;
    struct vector v;
    size_t n = 0;

    assert_non_null(f);
    while (test_read_field(f, &field)) {
        take_field(&v, &field);
        if (strcmp(field.name, "CIPHERTEXT") == 0) {
            check_vector(tier, &v);
            n++;
        }
    }
    fclose(f);
    assert_int_equal(n, 3);
}

static void test_sp800_38a(void **state)
{
    check_file(*state, FC_SP800_38A);
}

static void test_rfc3686_128(void **state)
{
    check_file(*state, test_need_file(RFC3686(128)));
}

static void test_rfc3686_192(void **state)
{
    check_file(*state, test_need_file(RFC3686(192)));
}

static void test_rfc3686_256(void **state)
{
    check_file(*state, test_need_file(RFC3686(256)));
}

static void test_key_wipe(void **state)
{
    static const struct fc_ctr_key zero;
    struct fc_ctr_key key;
    uint8_t secret[32];

    (void)state;
    test_random(secret, sizeof(secret), 1);
    fc_ctr_key_init(&key, secret, sizeof(secret));
    fc_ctr_key_wipe(&key);
    assert_memory_equal(&key, &zero, sizeof(key));
}

int main(void)
{
    const struct CMUnitTest vectors[] = {
        cmocka_unit_test(test_sp800_38a),
        cmocka_unit_test(test_rfc3686_128),
        cmocka_unit_test(test_rfc3686_192),
        cmocka_unit_test(test_rfc3686_256),
    };
    const struct CMUnitTest keys[] = {
        cmocka_unit_test(test_key_wipe),
    };
    int failed = test_ctr_run("vectors", vectors, 4, true);

    failed += cmocka_run_group_tests(keys, NULL, NULL);
    return test_status(failed);
}
