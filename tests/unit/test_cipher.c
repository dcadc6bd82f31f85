/*
 * A cipher over an image: what it makes of a part does not depend on where the part was cut, and
 * positions are counted as each mode counts them.
 */
#include "ops_image.h"

#include <string.h>

#include "support.h"

enum { LEN = 16384 };

static uint8_t plain[LEN], whole[LEN], part[LEN];
static const uint8_t key[64] = {1, 2, 3, [32] = 4, 5, 6};

static struct fc_raw_params ctr_params(size_t key_len)
{
    struct fc_raw_params p = {.mode = FC_RAW_CTR, .key = key, .key_len = key_len};

    memset(p.iv, 0xff, sizeof(p.iv)); /* wraps at once */
    return p;
}

static void part_is_part_of_whole(const struct fc_cipher *c, size_t offset, size_t len,
                                  uint64_t base)
{
    memcpy(part, plain + offset, len);
    fc_cipher_apply(c, part, len, base + offset);
    assert_memory_equal(part, whole + offset, len);
}

static void ctr_from_any_byte(void **state)
{
    static const uint64_t bases[] = {0, UINT64_C(1) << 36, (UINT64_C(1) << 62) + 5};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const struct fc_raw_params p = ctr_params(16 + 8 * i);
        struct fc_cipher c;

        fc_cipher_raw(&c, &p, i == 1);
        memcpy(whole, plain, LEN);
        fc_cipher_apply(&c, whole, LEN, bases[i]);
        for (size_t offset = 0; offset < 40; offset++)
            for (size_t len = 0; len < 40; len++)
                part_is_part_of_whole(&c, offset, len, bases[i]);
        part_is_part_of_whole(&c, 4097, LEN - 4097, bases[i]);
    }
}

/* The counter at byte 16 * n is iv + n, modulo 2^128. */
static void ctr_counts_blocks(void **state)
{
    static const uint8_t ivs[][FC_CTR_IV] = {
        {[15] = 1},
        {[8] = 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe},
        {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
         0xfe},
    };
    static const uint8_t three_on[][FC_CTR_IV] = {{[15] = 4}, {[7] = 1, [15] = 1}, {[15] = 1}};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct fc_raw_params p = ctr_params(32);
        struct fc_cipher c;

        memcpy(p.iv, three_on[i], FC_CTR_IV);
        fc_cipher_raw(&c, &p, true);
        memcpy(whole, plain, LEN);
        fc_cipher_apply(&c, whole, LEN, 0);
        memcpy(p.iv, ivs[i], FC_CTR_IV);
        fc_cipher_raw(&c, &p, true);
        part_is_part_of_whole(&c, 0, LEN, 48);
    }
}

static void xts_from_any_sector(void **state)
{
    struct fc_raw_params p = {.key = key, .key_len = sizeof(key), .first_sector = 1000};
    struct fc_cipher c;

    (void)state;
    for (unsigned large = 0; large < 2; large++)
        for (p.sector_len = 512; p.sector_len <= 4096; p.sector_len *= 2) {
            p.large_iv = large;
            fc_cipher_raw(&c, &p, true);
            memcpy(whole, plain, LEN);
            fc_cipher_apply(&c, whole, LEN, 0);
            for (size_t at = 0; at < LEN; at += p.sector_len)
                part_is_part_of_whole(&c, at, LEN - at, 0);
            fc_cipher_raw(&c, &p, false);
            fc_cipher_apply(&c, whole + 4096, LEN - 4096, 4096);
            assert_memory_equal(whole + 4096, plain + 4096, LEN - 4096);
        }
}

static void ranges_that_cannot_be(void **state)
{
    static const struct fc_range bad[] = {{UINT64_MAX, 1},       {1, UINT64_MAX},
                                          {INT64_MAX, 1},        {1, INT64_MAX},
                                          {0, UINT64_MAX - 511}, {UINT64_MAX, UINT64_MAX}};
    const struct fc_raw_params p = ctr_params(16);

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_int_equal(fc_ops_raw_check(&p, &bad[i], NULL), FC_ERR_USAGE);
    assert_int_equal(fc_ops_raw_check(&p, &(struct fc_range){1, INT64_MAX - 1}, NULL), FC_OK);
    assert_int_equal(fc_ops_raw_fits(&p, true, 10, &(struct fc_range){3, 7}, NULL), FC_OK);
    assert_int_equal(fc_ops_raw_fits(&p, true, 10, &(struct fc_range){4, 7}, NULL), FC_ERR_USAGE);
    assert_int_equal(fc_ops_raw_fits(&p, true, 10, NULL, NULL), FC_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ctr_from_any_byte),
        cmocka_unit_test(ctr_counts_blocks),
        cmocka_unit_test(xts_from_any_sector),
        cmocka_unit_test(ranges_that_cannot_be),
    };

    test_random(plain, LEN, 1);
    return test_status(cmocka_run_group_tests(tests, NULL, NULL));
}
