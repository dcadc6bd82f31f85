/*
 * The generic POLYVAL against RFC 8452 and against a product worked out bit by bit.
 */
#include "support.h"

#include <string.h>

#include "polyval_generic.h"

/* RFC 8452 section 7. */
static void test_dot(void **state)
{
    uint8_t acc[16] = {0}, a[16], b[16];

    (void)state;
    test_hex(a, 16, "66e94bd4ef8a2c3b884cfa59ca342b2e");
    test_hex(b, 16, "ff000000000000000000000000000000");
    fc_polyval_generic(acc, b, a, 1);
    assert_hex(acc, 16, "ebe563401e7e91ea3ad6426b8140c394");
    memset(acc, 0, 16);
    fc_polyval_generic(acc, a, b, 1);
    assert_hex(acc, 16, "ebe563401e7e91ea3ad6426b8140c394");
}

/* RFC 8452 appendix A, in one call and in two. */
static void test_appendix_a(void **state)
{
    uint8_t acc[16] = {0}, h[16], x[32];

    (void)state;
    test_hex(h, 16, "25629347589242761d31f826ba4b757b");
    test_hex(x, 32, "4f4f95668c83dfb6401762bb2d01a262 d1a24ddd2721d006bbe45f20d3c9f362");
    fc_polyval_generic(acc, h, x, 2);
    assert_hex(acc, 16, "f7a3b47b846119fae5b7866cf5e5b77e");

    memset(acc, 0, 16);
    fc_polyval_generic(acc, h, x, 1);
    fc_polyval_generic(acc, h, x, 0);
    fc_polyval_generic(acc, h, x + 16, 1);
    assert_hex(acc, 16, "f7a3b47b846119fae5b7866cf5e5b77e");
}

/* v = v x^-1 */
static void divide_by_x(uint8_t v[16])
{
    uint8_t odd = v[0] & 1;

    for (int i = 0; i < 15; i++)
        v[i] = (uint8_t)(v[i] >> 1 | v[i + 1] << 7);
    v[15] >>= 1;
    if (odd)
        v[15] ^= 0xe1; /* x^127 + x^126 + x^125 + x^120, the modulus less 1 over x */
}

/* acc = (acc + x) h x^-128, a bit of h at a time. */
static void slow_polyval(uint8_t acc[16], const uint8_t h[16], const uint8_t x[16])
{
    uint8_t v[16], sum[16] = {0};

    for (int i = 0; i < 16; i++)
        v[i] = acc[i] ^ x[i];
    for (int bit = 127; bit >= 0; bit--) {
        divide_by_x(v);
        for (int i = 0; i < 16 && (h[bit / 8] >> bit % 8 & 1); i++)
            sum[i] ^= v[i];
    }
    memcpy(acc, sum, 16);
}

static void test_bit_by_bit(void **state)
{
    enum { BLOCKS = 5 };
    uint8_t h[16], x[16 * BLOCKS], acc[16], expected[16];

    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        test_random(h, sizeof(h), 3 * seed);
        test_random(x, sizeof(x), 3 * seed + 1);
        test_random(acc, sizeof(acc), 3 * seed + 2);
        memcpy(expected, acc, 16);
        for (size_t i = 0; i < BLOCKS; i++)
            slow_polyval(expected, h, x + 16 * i);
        fc_polyval_generic(acc, h, x, BLOCKS);
        assert_memory_equal(acc, expected, 16);
    }
}

/* All ones make every column of the integer products as high as it gets. */
static void test_all_ones(void **state)
{
    uint8_t h[16], acc[16] = {0}, expected[16] = {0}, x[16];

    (void)state;
    memset(h, 0xff, 16);
    memset(x, 0xff, 16);
    slow_polyval(expected, h, x);
    fc_polyval_generic(acc, h, x, 1);
    assert_memory_equal(acc, expected, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dot),
        cmocka_unit_test(test_appendix_a),
        cmocka_unit_test(test_bit_by_bit),
        cmocka_unit_test(test_all_ones),
    };

    return test_status(cmocka_run_group_tests(tests, NULL, NULL));
}
