/* The header: the example of fcrypt.5, and every byte of it changed, with and without a checksum
 * that was mended afterwards. */
#include "support.h"

#include <string.h>

#include "blake2b.h"
#include "bytes.h"
#include "header.h"

enum { BOUND = FC_PREAMBLE_BOUND, CHECKED = 112 };

/* What fcrypt.5 shows. */
static const char preamble_hex[] =
    "6663727970740a01010d010000000000404142434445464748494a4b4c4d4e4f"
    "505152535455565758595a5b5c5d5e5f00000000000000000000000000000000"
    "0000000000000000000000000000000025c9c33d15baae1cc72eb93735732cfb"
    "2da87ea6c367f6f6c872c3a6048658353edf42c55fa6b8e8069795a572bc353b";
static const char argon2_hex[] = "e37495dac06c4f04c74a3c485be304c937fdb7a73f3934ca0d477e3e8d0c6943";
static const char factor_hex[] = "1c0c802f04721145d1db40a273676f89d1a981fb38137c29f605c346df1682f5";
static const struct {
    enum fc_slot_kind kind;
    const char *kek, *raw;
} slots[] = {
    {FC_SLOT_PASSPHRASE, argon2_hex,
     "01000000010000000020000000000000606162636465666768696a6b6c6d6e6f"
     "ae5bc9cc7c51641c30047f50157fc34197d6b224971e09f8adc875a4169f4eb2"
     "e757b0cbe313beb775ac7af8f67c4b76a8107d48d64faeb95531f1c1f0a8d54d"
     "34674ca76b16d895814dec62a3a8b2e5b93b6bf9ca5f9042f86485c4ba0a16b9"},
    {FC_SLOT_KEY_FILE, factor_hex,
     "02000000000000000000000000000000606162636465666768696a6b6c6d6e6f"
     "f5a6cf24623ca3ab6285cf645f02e6d9600f27d4cb9ae6e00af3cca530097f06"
     "0d3af63b1394754dd16fcc5adc9441397470ea93268a3f28c019e91fcfa1448a"
     "7974bc1b5601ebc27256af503ff8fdbc2aff30490e218b5dcb88e35322d0c40d"},
    {FC_SLOT_BOTH, "4dc77b684dc957efc28effbab6f52b9001892d3686a1fbdd64da92ce9454e9b5",
     "03000000010000000020000000000000606162636465666768696a6b6c6d6e6f"
     "b4f7aebe01cb8962f9b80b91e708a1b05c271e8949d8615234b6261d7f58ccf0"
     "e70411e780164e078bec7e7bd6114b65b0082ca37d217de2d0a9dbaa1679eead"
     "2d18feb9ee25241d6086b8df4f11f39f049da4b264985cfcf67150945bf9877a"},
};

enum { NKINDS = sizeof(slots) / sizeof(slots[0]) };

static uint8_t file_key[FC_FILE_KEY_LEN];
static uint8_t preamble[FC_PREAMBLE_LEN];
static struct fc_err err;

static int setup(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(file_key); i++)
        file_key[i] = (uint8_t)(0x20 + i);
    test_hex(preamble, sizeof(preamble), preamble_hex);
    return 0;
}

/* Preamble or slot: its checksum made right. */
static void mend(uint8_t raw[128])
{
    const struct fc_piece piece = {raw, CHECKED};

    fc_blake2b(raw + CHECKED, 16, NULL, 0, &piece, 1);
}

static void assert_preamble_refused(const uint8_t *raw, const char *what)
{
    struct fc_preamble p;

    assert_int_equal(fc_preamble_parse(&p, raw, &err), FC_ERR_DATA);
    assert_int_equal(err.status, FC_ERR_DATA);
    if (strstr(err.what, what) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.what, what);
}

static enum fc_slot_verdict open_with(const uint8_t *raw, const uint8_t *pre, const char *kek_hex)
{
    static const uint8_t zeros[FC_FILE_KEY_LEN];
    uint8_t kek[FC_KEK_LEN], got[FC_FILE_KEY_LEN];
    enum fc_slot_verdict verdict;

    test_hex(kek, sizeof(kek), kek_hex);
    memset(got, 0xff, sizeof(got));
    verdict = fc_slot_open(got, raw, pre, kek);
    assert_memory_equal(got, verdict == FC_SLOT_OPENED ? file_key : zeros, sizeof(got));
    return verdict;
}

static void test_preamble_example(void **state)
{
    struct fc_preamble p = {.suite = FC_SUITE_AES256_GCM_SIV, .chunk_log2 = 13, .header_units = 1};
    struct fc_preamble parsed;
    uint8_t raw[FC_PREAMBLE_LEN];

    (void)state;
    for (size_t i = 0; i < sizeof(p.file_salt); i++)
        p.file_salt[i] = (uint8_t)(0x40 + i);
    fc_preamble_build(raw, &p, file_key);
    assert_hex(raw, sizeof(raw), preamble_hex);
    assert_int_equal(fc_preamble_parse(&parsed, raw, &err), FC_OK);
    assert_int_equal(parsed.suite, p.suite);
    assert_int_equal(parsed.chunk_log2, p.chunk_log2);
    assert_int_equal(parsed.header_units, p.header_units);
    assert_memory_equal(parsed.file_salt, p.file_salt, sizeof(p.file_salt));
}

static void test_preamble_ranges(void **state)
{
    struct fc_preamble p = {0}, parsed;
    uint8_t raw[FC_PREAMBLE_LEN];

    (void)state;
    for (unsigned suite = 1; suite <= 2; suite++)
        for (unsigned log2 = FC_CHUNK_LOG2_MIN; log2 <= FC_CHUNK_LOG2_MAX; log2++)
            for (unsigned units = 1; units <= FC_HEADER_MAX_UNITS; units += 9) {
                p.suite = (enum fc_suite)suite;
                p.chunk_log2 = (uint8_t)log2;
                p.header_units = (uint8_t)units;
                fc_preamble_build(raw, &p, file_key);
                assert_int_equal(fc_preamble_parse(&parsed, raw, &err), FC_OK);
                assert_true(fc_preamble_tag_ok(raw, file_key));
                assert_int_equal(parsed.suite, suite);
                assert_int_equal(parsed.chunk_log2, log2);
                assert_int_equal(parsed.header_units, units);
            }
}

/* A flipped bit is damage, and called so, wherever it is. */
static void test_preamble_damaged(void **state)
{
    (void)state;
    for (size_t bit = 0; bit < 8 * FC_PREAMBLE_LEN; bit++) {
        preamble[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_preamble_refused(preamble, bit / 8 < 7 ? "not an fcrypt container" : "damaged");
        preamble[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

static void test_preamble_refused(void **state)
{
    static const struct {
        uint8_t at, value;
        const char *what;
    } cases[] = {
        {7, 0, "damaged"},
        {7, 2, "newer fcrypt"},
        {7, 255, "newer fcrypt"},
        {8, 0, "unknown cipher suite: 0"},
        {8, 3, "unknown cipher suite: 3"},
        {9, 12, "chunk size"},
        {9, 25, "chunk size"},
        {9, 255, "chunk size"},
        {10, 0, "length is out of range: 0 KiB"},
        {10, 65, "length is out of range: 65 KiB"},
        {11, 1, "unknown flags: 0x01"},
        {12, 1, "reserved"},
        {15, 128, "reserved"},
        {48, 1, "reserved"},
        {79, 128, "reserved"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint8_t raw[FC_PREAMBLE_LEN];

        memcpy(raw, preamble, sizeof(raw));
        raw[cases[i].at] = cases[i].value;
        mend(raw);
        assert_preamble_refused(raw, cases[i].what);
    }
}

/* With its checksum mended, a change is refused at once or keeps every slot from opening. */
static void test_preamble_tampered(void **state)
{
    uint8_t slot[FC_SLOT_LEN];

    (void)state;
    test_hex(slot, sizeof(slot), slots[1].raw);
    for (size_t bit = 0; bit < 8 * CHECKED; bit++) {
        uint8_t raw[FC_PREAMBLE_LEN];
        struct fc_preamble p;

        memcpy(raw, preamble, sizeof(raw));
        raw[bit / 8] ^= (uint8_t)(1 << bit % 8);
        mend(raw);
        assert_false(fc_preamble_tag_ok(raw, file_key));
        assert_int_equal(open_with(slot, raw, slots[1].kek),
                         bit / 8 < BOUND ? FC_SLOT_OTHER_KEY : FC_SLOT_BROKEN);
        if (fc_preamble_parse(&p, raw, &err) == FC_OK)
            assert_true((bit / 8 >= 8 && bit / 8 <= 10) || (bit / 8 >= 16 && bit / 8 < 48) ||
                        bit / 8 >= BOUND);
    }
}

static void test_keks(void **state)
{
    uint8_t secret[32], a[32], f[32], kek[FC_KEK_LEN];

    (void)state;
    for (size_t i = 0; i < sizeof(secret); i++)
        secret[i] = (uint8_t)i;
    test_hex(a, sizeof(a), argon2_hex);
    fc_key_factor(f, secret);
    assert_hex(f, sizeof(f), factor_hex);
    for (size_t i = 0; i < NKINDS; i++) {
        fc_kek(kek, slots[i].kind, slots[i].kind == FC_SLOT_KEY_FILE ? NULL : a,
               slots[i].kind == FC_SLOT_PASSPHRASE ? NULL : f);
        assert_hex(kek, sizeof(kek), slots[i].kek);
    }
}

static void test_slot_examples(void **state)
{
    (void)state;
    for (size_t i = 0; i < NKINDS; i++) {
        bool costs = slots[i].kind != FC_SLOT_KEY_FILE;
        struct fc_slot slot = {.kind = slots[i].kind, .passes = 1, .mem_kib = 8192}, judged;
        uint8_t kek[FC_KEK_LEN], raw[FC_SLOT_LEN];

        for (size_t k = 0; k < sizeof(slot.salt); k++)
            slot.salt[k] = (uint8_t)(0x60 + k);
        test_hex(kek, sizeof(kek), slots[i].kek);
        fc_slot_seal(raw, preamble, &slot, kek, file_key);
        assert_hex(raw, sizeof(raw), slots[i].raw);

        fc_slot_judge(&judged, raw);
        assert_int_equal(judged.state, FC_SLOT_STATE_GOOD);
        assert_int_equal(judged.kind, slot.kind);
        assert_int_equal(judged.raw_kind, slot.kind);
        assert_int_equal(judged.passes, costs ? 1 : 0);
        assert_int_equal(judged.mem_kib, costs ? 8192 : 0);
        assert_memory_equal(judged.salt, slot.salt, sizeof(slot.salt));
        for (size_t k = 0; k < NKINDS; k++)
            assert_int_equal(open_with(raw, preamble, slots[k].kek),
                             k == i ? FC_SLOT_OPENED : FC_SLOT_OTHER_KEY);
    }
}

static enum fc_slot_state judge(const uint8_t *raw)
{
    struct fc_slot slot;

    fc_slot_judge(&slot, raw);
    assert_int_equal(slot.raw_kind, raw[0]);
    return slot.state;
}

static void test_slot_empty(void **state)
{
    uint8_t raw[FC_SLOT_LEN] = {0};

    (void)state;
    assert_int_equal(judge(raw), FC_SLOT_STATE_EMPTY);
    for (size_t bit = 0; bit < 8 * FC_SLOT_LEN; bit++) {
        raw[bit / 8] = (uint8_t)(1 << bit % 8);
        assert_int_equal(judge(raw), FC_SLOT_STATE_DAMAGED);
        raw[bit / 8] = 0;
    }
    /* A checksum does not make an empty slot of one that is not. */
    mend(raw);
    assert_int_equal(judge(raw), FC_SLOT_STATE_DAMAGED);
}

static void test_slot_damaged(void **state)
{
    (void)state;
    for (size_t i = 0; i < NKINDS; i++) {
        uint8_t raw[FC_SLOT_LEN];

        test_hex(raw, sizeof(raw), slots[i].raw);
        for (size_t bit = 0; bit < 8 * FC_SLOT_LEN; bit++) {
            raw[bit / 8] ^= (uint8_t)(1 << bit % 8);
            assert_int_equal(judge(raw), FC_SLOT_STATE_DAMAGED);
            raw[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
    }
}

static void judge_costs(unsigned kind, uint32_t passes, uint32_t mem_kib,
                        enum fc_slot_state expected)
{
    uint8_t raw[FC_SLOT_LEN];

    test_hex(raw, sizeof(raw), slots[kind - 1].raw);
    fc_store_le32(raw + 4, passes);
    fc_store_le32(raw + 8, mem_kib);
    mend(raw);
    assert_int_equal(judge(raw), expected);
}

static void test_slot_costs(void **state)
{
    (void)state;
    for (unsigned kind = FC_SLOT_PASSPHRASE; kind <= FC_SLOT_BOTH; kind += 2) {
        judge_costs(kind, 1, 8, FC_SLOT_STATE_GOOD);
        judge_costs(kind, UINT32_MAX, UINT32_MAX, FC_SLOT_STATE_GOOD);
        judge_costs(kind, 0, 8192, FC_SLOT_STATE_UNKNOWN);
        judge_costs(kind, 1, 7, FC_SLOT_STATE_UNKNOWN);
        judge_costs(kind, 1, 0, FC_SLOT_STATE_UNKNOWN);
    }
    judge_costs(FC_SLOT_KEY_FILE, 0, 0, FC_SLOT_STATE_GOOD);
    judge_costs(FC_SLOT_KEY_FILE, 1, 0, FC_SLOT_STATE_UNKNOWN);
    judge_costs(FC_SLOT_KEY_FILE, 0, 8, FC_SLOT_STATE_UNKNOWN);
}

static void test_slot_unknown_kinds(void **state)
{
    uint8_t raw[FC_SLOT_LEN];

    (void)state;
    test_random(raw, sizeof(raw), 1);
    for (unsigned kind = FC_SLOT_BOTH + 1; kind < 256; kind++) {
        raw[0] = (uint8_t)kind;
        mend(raw);
        assert_int_equal(judge(raw), FC_SLOT_STATE_UNKNOWN);
    }
}

/* With its checksum mended, a changed slot never opens. */
static void test_slot_tampered(void **state)
{
    (void)state;
    for (size_t i = 0; i < NKINDS; i++) {
        for (size_t bit = 0; bit < 8 * CHECKED; bit++) {
            size_t at = bit / 8;
            uint8_t raw[FC_SLOT_LEN];

            test_hex(raw, sizeof(raw), slots[i].raw);
            raw[at] ^= (uint8_t)(1 << bit % 8);
            mend(raw);
            assert_int_equal(open_with(raw, preamble, slots[i].kek),
                             at < 64 ? FC_SLOT_OTHER_KEY : FC_SLOT_BROKEN);
            if ((at >= 1 && at < 4) || (at >= 12 && at < 16))
                assert_int_equal(judge(raw), FC_SLOT_STATE_UNKNOWN);
            if (at >= 16)
                assert_int_equal(judge(raw), FC_SLOT_STATE_GOOD);
        }
    }
}

/* A slot that hands out a file key which the header does not commit to. */
static void test_slot_other_file_key(void **state)
{
    struct fc_preamble p;
    uint8_t raw[FC_PREAMBLE_LEN], slot[FC_SLOT_LEN], other[FC_FILE_KEY_LEN];

    (void)state;
    assert_int_equal(fc_preamble_parse(&p, preamble, &err), FC_OK);
    test_random(other, sizeof(other), 1);
    fc_preamble_build(raw, &p, other);
    test_hex(slot, sizeof(slot), slots[1].raw);
    assert_int_equal(open_with(slot, raw, slots[1].kek), FC_SLOT_BROKEN);
}

static void test_suites(void **state)
{
    (void)state;
    assert_string_equal(fc_suite_name(FC_SUITE_AES256_GCM_SIV), "aes-256-gcm-siv");
    assert_string_equal(fc_suite_name(FC_SUITE_AES128_GCM_SIV), "aes-128-gcm-siv");
    assert_int_equal(fc_suite_key_len(FC_SUITE_AES256_GCM_SIV), 32);
    assert_int_equal(fc_suite_key_len(FC_SUITE_AES128_GCM_SIV), 16);
    assert_int_equal(fc_header_nslots(1), 7);
    assert_int_equal(fc_header_nslots(64), 511);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_preamble_example),    cmocka_unit_test(test_preamble_ranges),
        cmocka_unit_test(test_preamble_damaged),    cmocka_unit_test(test_preamble_refused),
        cmocka_unit_test(test_preamble_tampered),   cmocka_unit_test(test_keks),
        cmocka_unit_test(test_slot_examples),       cmocka_unit_test(test_slot_empty),
        cmocka_unit_test(test_slot_damaged),        cmocka_unit_test(test_slot_costs),
        cmocka_unit_test(test_slot_unknown_kinds),  cmocka_unit_test(test_slot_tampered),
        cmocka_unit_test(test_slot_other_file_key), cmocka_unit_test(test_suites),
    };

    return test_status(cmocka_run_group_tests_name("header", tests, setup, NULL));
}
