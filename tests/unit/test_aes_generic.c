/*
 * The bit-sliced AES against FIPS 197, SP 800-38A and, where there is one, libcrypto.
 */
#include "support.h"

#include <string.h>

#include "aes_generic.h"

#ifdef FC_HAVE_LIBCRYPTO
#include <openssl/evp.h>
#endif

static uint32_t rounds_of(size_t key_len)
{
    return (uint32_t)key_len / 4 + 6;
}

static void slice(struct fc_aes_sliced_key *key, const uint8_t *secret, size_t key_len)
{
    uint8_t rk[16 * (FC_AES_MAX_ROUNDS + 1)];

    fc_aes_expand_generic(rk, secret, key_len);
    fc_aes_slice_generic(key, rk, rounds_of(key_len));
}

static void encrypt(uint8_t *dst, const uint8_t *src, size_t nblocks, const uint8_t *secret,
                    size_t key_len)
{
    struct fc_aes_sliced_key key;

    slice(&key, secret, key_len);
    fc_aes_encrypt_generic(&key, dst, src, nblocks);
}

static void decrypt(uint8_t *dst, const uint8_t *src, size_t nblocks, const uint8_t *secret,
                    size_t key_len)
{
    struct fc_aes_sliced_key key;

    slice(&key, secret, key_len);
    fc_aes_decrypt_generic(&key, dst, src, nblocks);
}

/* FIPS 197 appendix A: the last four words of each schedule, and some on the way. */
static void test_expand(void **state)
{
    uint8_t secret[32], rk[16 * (FC_AES_MAX_ROUNDS + 1)];

    (void)state;
    test_hex(secret, 16, "2b7e151628aed2a6abf7158809cf4f3c");
    fc_aes_expand_generic(rk, secret, 16);
    assert_hex(rk, 16, "2b7e151628aed2a6abf7158809cf4f3c");
    assert_hex(rk + 16, 16, "a0fafe1788542cb123a339392a6c7605");
    assert_hex(rk + 160, 16, "d014f9a8c9ee2589e13f0cc8b6630ca6");

    test_hex(secret, 24, "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b");
    fc_aes_expand_generic(rk, secret, 24);
    assert_hex(rk + 24, 8, "fe0c91f72402f5a5");
    assert_hex(rk + 192, 16, "e98ba06f448c773c8ecc720401002202");

    test_hex(secret, 32, "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4");
    fc_aes_expand_generic(rk, secret, 32);
    assert_hex(rk + 32, 32, "9ba354118e6925afa51a8b5f2067fcdea8b09c1a93d194cdbe49846eb75d5b9a");
    assert_hex(rk + 224, 16, "fe4890d1e6188d0b046df344706c631e");
}

/* FIPS 197 appendix C, the schedules of the equivalent inverse cipher: their ends, and what stands
 * next to them. */
static void test_invert(void **state)
{
    uint8_t secret[32], rk[16 * (FC_AES_MAX_ROUNDS + 1)], inverse[sizeof(rk)];

    (void)state;
    for (int i = 0; i < 32; i++)
        secret[i] = (uint8_t)i;
    fc_aes_expand_generic(rk, secret, 16);
    fc_aes_invert_generic(inverse, rk, 10);
    assert_hex(inverse, 32, "13111d7fe3944a17f307a78b4d2b30c5 13aa29be9c8faff6f770f58000f7bf03");
    assert_hex(inverse + 144, 32,
               "8c56dff0825dd3f9805ad3fc8659d7fd 000102030405060708090a0b0c0d0e0f");
    fc_aes_expand_generic(rk, secret, 32);
    fc_aes_invert_generic(inverse, rk, 14);
    assert_hex(inverse, 32, "24fc79ccbf0979e9371ac23c6d68de36 34f1d1ffbfceaa2ffce9e25f2558016e");
    assert_hex(inverse + 208, 32,
               "1a1f181d1e1b1c191217101516131411 000102030405060708090a0b0c0d0e0f");
}

/* FIPS 197 appendix C. */
static void test_fips197(void **state)
{
    static const char *const expected[] = {
        "69c4e0d86a7b0430d8cdb78070b4c55a",
        "dda97ca4864cdfe06eaf70a0ec0d7191",
        "8ea2b7ca516745bfeafc49904b496089",
    };
    uint8_t secret[32], block[16], dst[16];

    (void)state;
    for (int i = 0; i < 32; i++)
        secret[i] = (uint8_t)i;
    test_hex(block, 16, "00112233445566778899aabbccddeeff");
    for (size_t i = 0; i < 3; i++) {
        encrypt(dst, block, 1, secret, 16 + 8 * i);
        assert_hex(dst, 16, expected[i]);
        decrypt(dst, dst, 1, secret, 16 + 8 * i);
        assert_memory_equal(dst, block, 16);
    }
}

/* SP 800-38A sections F.1.1 to F.1.6. */
static void test_sp800_38a(void **state)
{
    static const struct {
        const char *secret, *expected;
    } cases[] = {
        {"2b7e151628aed2a6abf7158809cf4f3c",
         "3ad77bb40d7a3660a89ecaf32466ef97 f5d3d58503b9699de785895a96fdbaaf"
         "43b1cd7f598ece23881b00e3ed030688 7b0c785e27e8ad3f8223207104725dd4"},
        {"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
         "bd334f1d6e45f25ff712a214571fa5cc 974104846d0ad3ad7734ecb3ecee4eef"
         "ef7afd2270e2e60adce0ba2face6444e 9a4b41ba738d6c72fb16691603c18e0e"},
        {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
         "f3eed1bdb5d2a03c064b5a7e3db181f8 591ccb10d410ed26dc5ba74a31362870"
         "b6ed21b99ca6f4f9f153e7b1beafed1d 23304b7a39f9f3ff067d8d8f9e24ecc7"},
    };
    uint8_t secret[32], plain[64], buf[64];

    (void)state;
    test_hex(plain, sizeof(plain),
             "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51"
             "30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710");
    for (size_t i = 0; i < 3; i++) {
        size_t key_len = test_hex(secret, sizeof(secret), cases[i].secret);

        encrypt(buf, plain, 4, secret, key_len);
        assert_hex(buf, 64, cases[i].expected);
        decrypt(buf, buf, 4, secret, key_len);
        assert_memory_equal(buf, plain, 64);
    }
}

/* Any number of blocks gives what one at a time gives, and not a byte more is written. */
static void test_counts(void **state)
{
    enum { MOST = 20 };
    uint8_t secret[32], src[16 * MOST], one_by_one[16 * MOST], dst[16 * MOST + 1];

    (void)state;
    test_random(secret, sizeof(secret), 1);
    test_random(src, sizeof(src), 2);
    for (size_t i = 0; i < MOST; i++)
        encrypt(one_by_one + 16 * i, src + 16 * i, 1, secret, 32);
    for (size_t n = 0; n <= MOST; n++) {
        memset(dst, 0x5a, sizeof(dst));
        encrypt(dst, src, n, secret, 32);
        assert_memory_equal(dst, one_by_one, 16 * n);
        assert_int_equal(dst[16 * n], 0x5a);
        decrypt(dst, dst, n, secret, 32);
        assert_memory_equal(dst, src, 16 * n);
        assert_int_equal(dst[16 * n], 0x5a);
    }
}

#ifdef FC_HAVE_LIBCRYPTO
static void test_libcrypto(void **state)
{
    const EVP_CIPHER *const cipher[] = {EVP_aes_128_ecb(), EVP_aes_192_ecb(), EVP_aes_256_ecb()};
    uint8_t secret[32], src[16 * 37], dst[sizeof(src)], expected[sizeof(src)];
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int len;

    (void)state;
    for (uint64_t seed = 0; seed < 600; seed++) {
        size_t i = seed % 3;

        test_random(secret, sizeof(secret), seed);
        test_random(src, sizeof(src), ~seed);
        assert_int_equal(EVP_EncryptInit_ex(ctx, cipher[i], NULL, secret, NULL), 1);
        assert_int_equal(EVP_CIPHER_CTX_set_padding(ctx, 0), 1);
        assert_int_equal(EVP_EncryptUpdate(ctx, expected, &len, src, sizeof(src)), 1);
        encrypt(dst, src, sizeof(src) / 16, secret, 16 + 8 * i);
        assert_memory_equal(dst, expected, sizeof(dst));
        decrypt(dst, expected, sizeof(src) / 16, secret, 16 + 8 * i);
        assert_memory_equal(dst, src, sizeof(dst));
    }
    EVP_CIPHER_CTX_free(ctx);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expand),    cmocka_unit_test(test_invert),
        cmocka_unit_test(test_fips197),   cmocka_unit_test(test_sp800_38a),
        cmocka_unit_test(test_counts),
#ifdef FC_HAVE_LIBCRYPTO
        cmocka_unit_test(test_libcrypto),
#endif
    };

    return test_status(cmocka_run_group_tests(tests, NULL, NULL));
}
