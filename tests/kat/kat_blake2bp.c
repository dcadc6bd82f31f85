/*
 * BLAKE2bp: the figures of its authors, and of libb2 where there is one.
 */
#include "support.h"

#include <string.h>

#include "blake2bp.h"
#include "bytes.h"
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

/* By definition: node by node, a stream each. */
static void by_nodes(uint8_t *dst, size_t out_len, const uint8_t *key, size_t key_len,
                     const uint8_t *src, size_t len)
{
    struct fc_blake2b_node node = {
        .fanout = 4,
        .depth = 2,
        .inner_len = 64,
        .tree_out_len = out_len,
    };
    struct fc_blake2b_params params = {.out_len = 64, .key_len = key_len, .node = &node};
    struct fc_blake2b leaf, root;
    uint8_t inner[4][64];

    params.key = key;
    for (size_t i = 0; i < 4; i++) {
        node.node_offset = i;
        node.last_node = i == 3;
        fc_blake2b_init(&leaf, &params);
        for (size_t at = 128 * i; at < len; at += 512)
            fc_blake2b_update(&leaf, src + at, fc_min_size(128, len - at));
        fc_blake2b_final(&leaf, inner[i]);
    }
    node.node_offset = 0;
    node.node_depth = 1;
    params.out_len = out_len;
    params.key = NULL;
    fc_blake2b_init(&root, &params);
    fc_blake2b_update(&root, inner, sizeof(inner));
    fc_blake2b_final(&root, dst);
}

/* In pieces of the length given, after a first one; and nothing is left behind. */
static void in_pieces(uint8_t *dst, const uint8_t *key, size_t key_len, const uint8_t *src,
                      size_t len, size_t first, size_t piece)
{
    static const struct fc_blake2bp wiped;
    struct fc_blake2bp b;

    fc_blake2bp_init(&b, 64, key, key_len);
    for (size_t at = 0, take = fc_min_size(first, len); at < len;
         at += take, take = fc_min_size(piece, len - at))
        fc_blake2bp_update(&b, src + at, take);
    fc_blake2bp_final(&b, dst);
    assert_memory_equal(&b, &wiped, sizeof(b));
}

/* Every length, in pieces of all kinds, with a key and without. */
static void test_lengths(void **state)
{
    static const size_t pieces[] = {8192, 1, 3, 127, 128, 129, 385, 511, 512, 513, 897, 1000, 1537};
    enum { N = sizeof(pieces) / sizeof(pieces[0]) };
    static uint8_t msg[8192];
    uint8_t key[64], want[64], out[64];

    (void)state;
    test_random(msg, sizeof(msg), 1);
    test_random(key, sizeof(key), 4);
    for (size_t len = 0; len <= sizeof(msg); len++) {
        size_t key_len = len % 3 == 0 ? 1 + len % 64 : 0;

        by_nodes(want, 64, key, key_len, msg, len);
        for (size_t i = len < 1600 ? 0 : N - 1 - len % N; i < N; i += len < 1600 ? 1 : N) {
            in_pieces(out, key, key_len, msg, len, len * 7 % 1100, pieces[i]);
            assert_memory_equal(out, want, 64);
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
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_authors_file),
#ifdef FC_HAVE_LIBB2
        cmocka_unit_test(test_libb2),
#endif
    };

    return test_status(cmocka_run_group_tests_name("blake2bp", tests, NULL, NULL));
}
