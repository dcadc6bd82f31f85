/*
 * The generic tier of AES-GCM-SIV, function by function. Whole messages are tested elsewhere; what
 * is right here is what the other tiers are compared with.
 */
#include "gcmsiv_support.h"

#include <string.h>

#include "bytes.h"

enum { MOST = 70 };

static void make_keys(struct fc_gcmsiv_mk *mk, size_t key_len)
{
    static const uint8_t secret[32] = {1}, nonce[12] = {3};
    struct fc_gcmsiv_key key = {.key_len = (uint32_t)key_len, .rounds = (uint32_t)key_len / 4 + 6};

    memset(mk, 0xa5, sizeof(*mk));
    fc_gcmsiv_expand_generic(&key, secret);
    fc_gcmsiv_derive_generic(mk, &key, nonce, MOST);
}

/* RFC 8452 appendix C.1 and C.2: record authentication and encryption key. */
static void test_derive(void **state)
{
    static const uint8_t zeros[16];
    struct fc_gcmsiv_mk mk;

    (void)state;
    make_keys(&mk, 16);
    assert_int_equal(mk.rounds, 10);
    assert_memory_equal(mk.acc, zeros, 16);
    assert_hex(mk.hpow[FC_MK_MAX_POWERS - 1], 16, "d9b360279694941ac5dbc6987ada7377");
    assert_hex(mk.rk[0], 16, "4004a0dcd862f2a57360219d2d44ef6c");

    make_keys(&mk, 32);
    assert_int_equal(mk.rounds, 14);
    assert_memory_equal(mk.acc, zeros, 16);
    assert_hex(mk.hpow[FC_MK_MAX_POWERS - 1], 16, "b5d3c529dfafac43136d2d11be284d7f");
    assert_hex(mk.rk[0], 32, "b914f4742be9e1d7a2f84addbf96dec3456e3c6c05ecc157cdbf0700fedad222");
}

/* Every number of blocks, the counter that far and less from its wrap, in place and unaligned. */
static void test_ctr(void **state)
{
    uint8_t src[16 * MOST], buf[16 * MOST + 2], expected[16 * MOST], ctr[16];
    struct fc_gcmsiv_mk mk;

    (void)state;
    test_random(src, sizeof(src), 1);
    for (size_t n = 0; n <= MOST; n++) {
        make_keys(&mk, n % 2 ? 16 : 32);
        test_random(ctr, 16, n);
        fc_store_le32(ctr, (uint32_t) - (int32_t)(n / 3));
        memcpy(mk.ctr, ctr, 16);
        test_gcmsiv_slow_ctr(&mk, ctr, expected, src, n);

        memset(buf, 0x5a, sizeof(buf));
        memcpy(buf + 1, src, 16 * n);
        fc_gcmsiv_ctr_generic(&mk, buf + 1, buf + 1, n);
        assert_memory_equal(buf + 1, expected, 16 * n);
        assert_int_equal(buf[16 * n + 1], 0x5a);
        assert_memory_equal(mk.ctr, ctr, 16);
    }
}

/* open and pair are ctr and polyval put together. */
static void test_open_and_pair(void **state)
{
    uint8_t src[16 * MOST], hsrc[16 * MOST], dst[16 * MOST], plain[16 * MOST];
    struct fc_gcmsiv_mk enc, auth;

    (void)state;
    test_random(src, sizeof(src), 1);
    test_random(hsrc, sizeof(hsrc), 2);
    for (size_t n = 0; n <= MOST; n++) {
        uint8_t ctr[16] = {0}, acc[16];

        make_keys(&enc, 32);
        make_keys(&auth, 16);
        memset(enc.ctr, 0, 16);
        test_gcmsiv_slow_ctr(&enc, ctr, plain, src, n);
        fc_gcmsiv_polyval_generic(&auth, hsrc, n);
        memcpy(acc, auth.acc, 16);
        memset(auth.acc, 0, 16);
        fc_gcmsiv_pair_generic(&enc, &auth, dst, src, hsrc, n);
        assert_memory_equal(dst, plain, 16 * n);
        assert_memory_equal(auth.acc, acc, 16);

        make_keys(&enc, 32);
        fc_gcmsiv_polyval_generic(&enc, plain, n);
        memcpy(acc, enc.acc, 16);
        memset(enc.acc, 0, 16);
        memset(enc.ctr, 0, 16);
        fc_gcmsiv_open_generic(&enc, dst, src, n);
        assert_memory_equal(dst, plain, 16 * n);
        assert_memory_equal(enc.acc, acc, 16);
        assert_memory_equal(enc.ctr, ctr, 16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derive),
        cmocka_unit_test(test_ctr),
        cmocka_unit_test(test_open_and_pair),
    };

    return test_status(cmocka_run_group_tests(tests, NULL, NULL));
}
