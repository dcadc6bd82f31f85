/*
 * BLAKE2b by its public interface: published answers, and figures from other implementations.
 */
#include "support.h"

#include <string.h>

#include "blake2b.h"
#include "blake2_authors.h"

#ifdef FC_HAVE_LIBCRYPTO
#include <openssl/evp.h>
#endif

/* dst[i] = i */
static void count_up(uint8_t *dst, size_t len)
{
    for (size_t i = 0; i < len; i++)
        dst[i] = (uint8_t)i;
}

static void digest(uint8_t *dst, size_t out_len, const uint8_t *key, size_t key_len,
                   const void *src, size_t len)
{
    fc_blake2b(dst, out_len, key, key_len, &(struct fc_piece){src, len}, 1);
}

/* RFC 7693 appendix A, and the empty message. */
static void test_rfc7693(void **state)
{
    uint8_t out[64];

    (void)state;
    digest(out, 64, NULL, 0, "abc", 3);
    assert_hex(out, 64,
               "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
               "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
    fc_blake2b(out, 64, NULL, 0, NULL, 0);
    assert_hex(out, 64,
               "786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419"
               "d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce");
}

static void test_keyed_empty(void **state)
{
    uint8_t key[64], out[64];

    (void)state;
    count_up(key, sizeof(key));
    digest(out, 64, key, 64, NULL, 0);
    assert_hex(out, 64,
               "10ebb67700b1868efb4417987acf4690ae9d972fb7a590c2f02871799aaa4786"
               "b5e996e8f0f4eb981fc214b005f42d2ff4233499391653df7aefcbc13fc51568");
}

/* Python's hashlib.blake2b(b"abc", salt=bytes(range(16)), person=bytes(range(16, 32)), ...). */
static void test_salt_and_personal(void **state)
{
    uint8_t bytes[64], out[64];
    struct fc_blake2b b;

    (void)state;
    count_up(bytes, sizeof(bytes));
    fc_blake2b_init(
        &b, &(struct fc_blake2b_params){.out_len = 64, .salt = bytes, .personal = bytes + 16});
    fc_blake2b_update(&b, "abc", 3);
    fc_blake2b_final(&b, out);
    assert_hex(out, 64,
               "4c250e3899299f4705d220d1d0393a7407554308252e36ee3b5a9657854682ce"
               "aff1bedc20a2d5240326843632d474dcf854356c11601f348e67b334603df08c");
    fc_blake2b_init(&b, &(struct fc_blake2b_params){.out_len = 32, .salt = bytes});
    fc_blake2b_update(&b, "abc", 3);
    fc_blake2b_final(&b, out);
    assert_hex(out, 32, "4b1dc3655d37a9927b172ebf9db71acfe8101b186e70d14d036cfe462889ee4e");
}

/* BLAKE2b-512 over the digests of bytes(range(200)) with every output and every key length, as
 * Python's hashlib has it. */
static void test_all_lengths(void **state)
{
    struct fc_blake2b_params whole = {.out_len = 64};
    uint8_t msg[200], key[64], out[64];
    struct fc_blake2b outs, keys;

    (void)state;
    count_up(msg, sizeof(msg));
    count_up(key, sizeof(key));
    fc_blake2b_init(&outs, &whole);
    fc_blake2b_init(&keys, &whole);
    for (size_t n = 0; n <= 64; n++) {
        digest(out, 64, key, n, msg, sizeof(msg));
        fc_blake2b_update(&keys, out, 64);
        if (n > 0) {
            digest(out, n, NULL, 0, msg, sizeof(msg));
            fc_blake2b_update(&outs, out, n);
        }
    }
    fc_blake2b_final(&outs, out);
    assert_hex(out, 64,
               "ede34e29b027682041e584e1bc994078a4020c164b4821d5a5314ae1c1bd5500"
               "dc7cadcc36e95f87a34432775424989b3a8eec9909d28c2d0007686333f8ac21");
    fc_blake2b_final(&keys, out);
    assert_hex(out, 64,
               "2b4f657a70357b934160d01a7098dbabb5a35483ad13981361604a42bd5a0ab8"
               "baa4dc3da026fe63b2b2bef32d600d6a03f93c6d8087486a1c854a8fabd714b4");
}

/* Every length round the edges of blocks, in pieces of every kind, and nothing left behind. */
static void test_incremental(void **state)
{
    static const size_t pieces[] = {1, 2, 3, 17, 63, 127, 128, 129, 255, 256, 257, 500};
    static const struct fc_blake2b wiped;
    uint8_t msg[700], expected[64], out[64];
    struct fc_blake2b b;

    (void)state;
    test_random(msg, sizeof(msg), 1);
    for (size_t len = 0; len <= sizeof(msg); len++) {
        digest(expected, 64, NULL, 0, msg, len);
        for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
            fc_blake2b_init(&b, &(struct fc_blake2b_params){.out_len = 64});
            for (size_t at = 0; at < len; at += pieces[i])
                fc_blake2b_update(&b, msg + at, pieces[i] < len - at ? pieces[i] : len - at);
            fc_blake2b_update(&b, NULL, 0);
            fc_blake2b_final(&b, out);
            assert_memory_equal(out, expected, 64);
            assert_memory_equal(&b, &wiped, sizeof(b));
        }
    }
}

/* The byte counter's low half wraps inside a run of blocks, and in the last block. */
static void test_counter_carry(void **state)
{
    uint8_t msg[500], out[64];
    struct fc_blake2b b;

    (void)state;
    count_up(msg, sizeof(msg));
    fc_blake2b_init(&b, &(struct fc_blake2b_params){.out_len = 64});
    b.t[0] = -(uint64_t)256;
    fc_blake2b_update(&b, msg, 500);
    fc_blake2b_final(&b, out);
    assert_hex(out, 64,
               "cdd4c291b16850db0a9d01b9978123015e03b106caed58a2141cbc0f02bdfe37"
               "4cd6ce05b0f4b3af56817a77a29c581666d43068dff04ce02ad00583587590e3");
    fc_blake2b_init(&b, &(struct fc_blake2b_params){.out_len = 64});
    b.t[0] = -(uint64_t)100;
    fc_blake2b_update(&b, msg, 100);
    fc_blake2b_final(&b, out);
    assert_hex(out, 64,
               "565a533867e5466341ebfe95980b63340326981fd9d032359577232c415d7a02"
               "eab01061a3b8d5eb4048f660026d922c969636663e299c54d5c483485f5af48d");
}

static void test_authors_file(void **state)
{
    (void)state;
    test_blake2_authors("blake2/blake2b-kat.txt", digest);
}

#ifdef FC_HAVE_LIBCRYPTO
static void test_libcrypto(void **state)
{
    uint8_t msg[5000], expected[64], out[64];

    (void)state;
    for (size_t len = 0; len <= sizeof(msg); len += 1 + len / 50) {
        test_random(msg, len, len);
        assert_int_equal(EVP_Digest(msg, len, expected, NULL, EVP_blake2b512(), NULL), 1);
        digest(out, 64, NULL, 0, msg, len);
        assert_memory_equal(out, expected, 64);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rfc7693),           cmocka_unit_test(test_keyed_empty),
        cmocka_unit_test(test_salt_and_personal), cmocka_unit_test(test_all_lengths),
        cmocka_unit_test(test_incremental),       cmocka_unit_test(test_counter_carry),
        cmocka_unit_test(test_authors_file),
#ifdef FC_HAVE_LIBCRYPTO
        cmocka_unit_test(test_libcrypto),
#endif
    };

    return test_status(cmocka_run_group_tests(tests, NULL, NULL));
}
