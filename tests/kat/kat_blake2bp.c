/*
 * BLAKE2bp: the figures of its authors, and of libb2 where there is one.
 */
#include "support.h"

#include <string.h>

#include "blake2bp.h"
#include "blake2_authors.h"

#ifdef FC_HAVE_LIBB2
#include <blake2.h>
#endif

static void digest(uint8_t *dst, size_t out_len, const uint8_t *key, size_t key_len,
                   const void *src, size_t len)
{
    struct fc_blake2bp b;

    fc_blake2bp_init(&b, out_len, key, key_len);
    fc_blake2bp_update(&b, src, len);
    fc_blake2bp_final(&b, dst);
}

/* Without a key, as libb2 0.98 has them. */
static void test_figures(void **state)
{
    uint8_t out[64];

    (void)state;
    digest(out, 64, NULL, 0, NULL, 0);
    assert_hex(out, 64,
               "b5ef811a8038f70b628fa8b294daae7492b1ebe343a80eaabbf1f6ae664dd67b"
               "9d90b0120791eab81dc96985f28849f6a305186a85501b405114bfa678df9380");
    digest(out, 32, NULL, 0, "abc", 3);
    assert_hex(out, 32, "4792f00c05827a437fc55481e447eea1c9a39add28087733b3e53f1c04430dc7");
}

/* Pieces of every kind round the edges of rows of four blocks, and nothing left behind. */
static void test_incremental(void **state)
{
    static const size_t pieces[] = {1, 3, 127, 128, 129, 511, 512, 513, 1000};
    static const struct fc_blake2bp wiped;
    uint8_t msg[1100], want[64], out[64];
    struct fc_blake2bp b;

    (void)state;
    test_random(msg, sizeof(msg), 1);
    for (size_t len = 0; len <= sizeof(msg); len += 1 + len / 40) {
        digest(want, 64, NULL, 0, msg, len);
        for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
            fc_blake2bp_init(&b, 64, NULL, 0);
            for (size_t at = 0; at < len; at += pieces[i])
                fc_blake2bp_update(&b, msg + at, pieces[i] < len - at ? pieces[i] : len - at);
            fc_blake2bp_final(&b, out);
            assert_memory_equal(out, want, 64);
            assert_memory_equal(b.leaf, wiped.leaf, sizeof(b.leaf));
            assert_memory_equal(&b.root, &wiped.root, sizeof(b.root));
        }
    }
}

static void test_authors_file(void **state)
{
    (void)state;
    test_blake2_authors("blake2/blake2bp-kat.txt", digest);
}

#ifdef FC_HAVE_LIBB2
/* Every length of digest and key, and messages of many rows. */
static void test_libb2(void **state)
{
    static uint8_t msg[20000];
    uint8_t key[64], want[64], out[64];

    (void)state;
    test_random(msg, sizeof(msg), 2);
    test_random(key, sizeof(key), 3);
    for (size_t len = 0, i = 0; len <= sizeof(msg); len += 1 + len / 60, i++) {
        size_t out_len = 1 + i % 64, key_len = i * 7 % 65;

        assert_int_equal(blake2bp(want, msg, key_len > 0 ? key : NULL, out_len, len, key_len), 0);
        digest(out, out_len, key, key_len, msg, len);
        assert_memory_equal(out, want, out_len);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures),
        cmocka_unit_test(test_incremental),
        cmocka_unit_test(test_authors_file),
#ifdef FC_HAVE_LIBB2
        cmocka_unit_test(test_libb2),
#endif
    };

    return test_status(cmocka_run_group_tests_name("blake2bp", tests, NULL, NULL));
}
