/*
 * The journal of a change in place: what it says comes back, and nothing that is torn is believed.
 */
#include "journal.h"

#include <string.h>

#include "support.h"

enum {
    SIZE = 5000,
    HEAD_END = 168, /* padding follows */
};

static uint8_t slot[FC_JOURNAL_HEAD + SIZE];
static const uint8_t key[64] = {1, 2, 3};

static struct fc_journal_record record(void)
{
    struct fc_journal_record r = {
        .job = {.encrypt = true,
                .sector_len = 512,
                .first_sector = UINT64_C(1) << 40,
                .iv = {0xff, 6, 5},
                .image_len = 1 << 20,
                .offset = 4096,
                .len = 65536},
        .salt = {9, 8, 7},
        .number = 3,
        .at = 8192,
        .size = SIZE,
    };

    fc_journal_key_check(r.check, r.salt, key, sizeof(key));
    return r;
}

static void build(const struct fc_journal_record *r)
{
    test_random(slot + FC_JOURNAL_HEAD, SIZE, 1);
    fc_journal_build(slot, r);
}

static void there_and_back(void **state)
{
    struct fc_journal_record r = record(), back;

    (void)state;
    build(&r);
    assert_true(fc_journal_parse(&back, slot, sizeof(slot)));
    assert_int_equal(fc_journal_agree(&back, &r.job, key, sizeof(key), NULL), FC_OK);
    assert_memory_equal(back.job.iv, r.job.iv, sizeof(r.job.iv));
    assert_int_equal(back.number, r.number);
    assert_int_equal(back.at, r.at);
    assert_int_equal(back.size, r.size);
    assert_memory_equal(back.salt, r.salt, sizeof(r.salt));
}

static void torn_records_are_no_records(void **state)
{
    struct fc_journal_record r = record(), back;

    (void)state;
    build(&r);
    for (size_t len = 0; len < sizeof(slot); len += len < 200 ? 1 : 997)
        assert_false(fc_journal_parse(&back, slot, len));
    for (size_t i = 0; i < sizeof(slot); i += i < HEAD_END ? 1 : 211) {
        if (i >= HEAD_END && i < FC_JOURNAL_HEAD)
            continue;
        slot[i] ^= 0x10;
        assert_false(fc_journal_parse(&back, slot, sizeof(slot)));
        slot[i] ^= 0x10;
    }
    memset(slot, 0, sizeof(slot));
    assert_false(fc_journal_parse(&back, slot, sizeof(slot)));
}

static void windows_stay_inside(void **state)
{
    static const uint64_t places[] = {0, 4095, 4096 + 65536 - SIZE + 1, 1 << 20, UINT64_MAX};
    struct fc_journal_record r = record(), back;

    (void)state;
    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        r.at = places[i];
        build(&r);
        assert_false(fc_journal_parse(&back, slot, sizeof(slot)));
    }
}

static void other_jobs_and_keys_do_not_agree(void **state)
{
    const struct fc_journal_record r = record();
    uint8_t other[sizeof(key)];
    struct fc_journal_job jobs[9];

    (void)state;
    for (size_t i = 0; i < 9; i++)
        jobs[i] = r.job;
    jobs[0].encrypt = false;
    jobs[1].large_iv = true;
    jobs[2].sector_len = 4096;
    jobs[3].first_sector++;
    jobs[4].image_len++;
    jobs[5].offset += 512;
    jobs[6].len += 512;
    jobs[7].ctr = true;
    jobs[8].iv[15]++;
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(fc_journal_agree(&r, &jobs[i], key, sizeof(key), NULL), FC_ERR_USAGE);
    memcpy(other, key, sizeof(key));
    other[63] ^= 1;
    assert_int_equal(fc_journal_agree(&r, &r.job, other, sizeof(other), NULL), FC_ERR_KEY);
    assert_int_equal(fc_journal_agree(&r, &r.job, key, 32, NULL), FC_ERR_KEY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(torn_records_are_no_records),
        cmocka_unit_test(windows_stay_inside),
        cmocka_unit_test(other_jobs_and_keys_do_not_agree),
    };

    return test_status(cmocka_run_group_tests(tests, NULL, NULL));
}
