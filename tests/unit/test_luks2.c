/* LUKS2 images made here, read back: keys, copies of the header, limits. */
#include "support.h"

#include <string.h>

#include "luks2_parts.h"

enum { HEADER = FC_LUKS2_MIN_HEADER };

static uint8_t raw[FC_LUKS2_FORMAT_MAX];
static size_t raw_len;
static struct fc_luks2 img;
static struct fc_luks2_volume made, found;
static struct fc_luks2_segment segment;
static struct fc_err err;

static struct fc_luks2_params params(void)
{
    return (struct fc_luks2_params){
        .pass = {"secret", 6},
        .key_len = 64,
        .sector_len = 4096,
        .data_offset = FC_LUKS2_DATA_OFFSET,
        .passes = 1,
        .mem_kib = 64,
        .label = "backup",
        .uuid = "01234567-89ab-4cde-8f01-23456789abcd",
    };
}

static void format(const struct fc_luks2_params *p)
{
    assert_int_equal(fc_luks2_format(raw, &raw_len, &segment, &made, p, &err), FC_OK);
}

static int setup(void **state)
{
    struct fc_luks2_params p = params();

    (void)state;
    format(&p);
    return 0;
}

static void parse(void)
{
    if (fc_luks2_parse(&img, raw, raw_len, &err) != FC_OK)
        fail_msg("%s", err.what);
}

static struct fc_luks2_attempt attempt(const char *pass)
{
    return (struct fc_luks2_attempt){
        .pass = {pass, strlen(pass)},
        .slot = FC_LUKS2_ANY_SLOT,
        .max_mem_kib = 1 << 20,
        .max_work_kib = 1 << 20,
    };
}

static void assert_opens(void)
{
    struct fc_luks2_attempt a = attempt("secret");

    assert_int_equal(fc_luks2_unlock(&found, &img, raw, raw_len, &a, &err), FC_OK);
    assert_int_equal(found.key_len, made.key_len);
    assert_memory_equal(found.key, made.key, made.key_len);
    assert_int_equal(found.slot, 0);
}

static void assert_locked(const struct fc_luks2_attempt *a, size_t len, enum fc_status status,
                          const char *what)
{
    static const struct fc_luks2_volume none;

    memset(&found, 0xaa, sizeof(found));
    assert_int_equal(fc_luks2_unlock(&found, &img, raw, len, a, &err), status);
    assert_int_equal(err.status, status);
    if (strstr(err.what, what) == NULL)
        fail_msg("\"%s\" instead of \"%s\"", err.what, what);
    assert_memory_equal(&found, &none, sizeof(none));
}

static void test_round_trip(void **state)
{
    static const struct {
        size_t key_len;
        uint32_t sector_len;
        uint64_t data_offset;
    } cases[] = {
        {64, 4096, FC_LUKS2_DATA_OFFSET},
        {64, 512, 2 * HEADER + 258048},
        {32, 2048, 2 * HEADER + 131072},
        {32, 1024, UINT64_C(1) << 40},
    };
    struct fc_luks2_params p = params();

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        p.key_len = cases[i].key_len;
        p.sector_len = cases[i].sector_len;
        p.data_offset = cases[i].data_offset;
        format(&p);
        parse();
        assert_string_equal(img.note, "");
        assert_int_equal(fc_luks2_check(&img, &err), FC_OK);
        assert_string_equal(img.label, "backup");
        assert_string_equal(img.uuid, p.uuid);
        assert_int_equal(img.segment.offset, p.data_offset);
        assert_int_equal(img.segment.len, 0);
        assert_int_equal(img.segment.sector_len, p.sector_len);
        assert_memory_equal(&img.segment, &segment, sizeof(segment));
        assert_true(fc_luks2_unlock_need(&img, FC_LUKS2_ANY_SLOT) <= raw_len);
        assert_opens();
    }
}

static void test_random_uuid(void **state)
{
    struct fc_luks2_params p = params();
    char first[FC_LUKS2_UUID_SIZE];

    (void)state;
    p.uuid = NULL;
    p.label = NULL;
    format(&p);
    parse();
    assert_string_equal(img.label, "");
    assert_int_equal(strlen(img.uuid), 36);
    assert_int_equal(img.uuid[14], '4');
    assert_non_null(strchr("89ab", img.uuid[19]));
    memcpy(first, img.uuid, sizeof(first));
    p.uuid = first; /* what was made is taken */
    format(&p);
    p.uuid = NULL;
    format(&p);
    parse();
    assert_string_not_equal(img.uuid, first);
}

static void assert_params_refused(const struct fc_luks2_params *p, const char *what)
{
    assert_int_equal(fc_luks2_format(raw, &raw_len, &segment, &made, p, &err), FC_ERR_USAGE);
    if (strstr(err.what, what) == NULL)
        fail_msg("\"%s\" instead of \"%s\"", err.what, what);
}

static void test_params_refused(void **state)
{
    struct fc_luks2_params p;

    (void)state;
#define REFUSED(field, value, what)                                                                \
    p = params();                                                                                  \
    p.field = (value);                                                                             \
    assert_params_refused(&p, what)
    REFUSED(key_len, 48, "256 or 512 bits");
    REFUSED(sector_len, 256, "sector");
    REFUSED(sector_len, 8192, "sector");
    REFUSED(sector_len, 1536, "sector");
    REFUSED(data_offset, 0, "offset");
    REFUSED(data_offset, 2 * HEADER + 258048 - 4096, "at least 290816");
    REFUSED(data_offset, FC_LUKS2_DATA_OFFSET + 512, "multiple of 4096");
    REFUSED(passes, 0, "costs");
    REFUSED(mem_kib, 31, "costs");
    REFUSED(label, "123456789012345678901234567890123456789012345678", "at most 47");
    REFUSED(uuid, "", "UUID");
    REFUSED(uuid, "01234567-89ab-4cde-8f01-23456789abcg", "UUID");
    REFUSED(uuid, "0123456789ab4cde8f0123456789abcd", "UUID");
#undef REFUSED
}

static void test_run(void **state)
{
    struct fc_luks2_segment s = {.iv_tweak = 7, .sector_len = 4096};
    struct fc_xts_run run = fc_luks2_run(&s, UINT64_C(1) << 33, 5);

    (void)state;
    assert_int_equal(run.first, 7 + (UINT64_C(1) << 36));
    assert_int_equal(run.stride, 8);
    assert_int_equal(run.sector_len, 4096);
    assert_int_equal(run.count, 5);
}

static void test_need(void **state)
{
    static const uint8_t zeros[FC_LUKS2_MAX_HEADER + FC_LUKS2_BINARY_LEN];

    (void)state;
    assert_int_equal(fc_luks2_need(raw, 0), 4096);
    assert_int_equal(fc_luks2_need(raw, 4095), 4096);
    assert_int_equal(fc_luks2_need(raw, 4096), HEADER);
    assert_int_equal(fc_luks2_need(raw, HEADER), 2 * HEADER);
    assert_int_equal(fc_luks2_need(raw, 2 * HEADER), 2 * HEADER);
    assert_int_equal(fc_luks2_need(zeros, 4096), HEADER + 4096);
    assert_int_equal(fc_luks2_need(zeros, HEADER + 4096), 2 * HEADER + 4096);
    assert_true(fc_luks2_need(zeros, sizeof(zeros)) <= sizeof(zeros));
    raw[0] ^= 1;
    assert_int_equal(fc_luks2_need(raw, HEADER + 4096), 2 * HEADER);
    assert_int_equal(fc_luks2_need(raw, 2 * HEADER), 0);
}

static void assert_refused(size_t len, const char *what)
{
    assert_int_equal(fc_luks2_parse(&img, raw, len, &err), FC_ERR_DATA);
    if (strstr(err.what, what) == NULL)
        fail_msg("\"%s\" instead of \"%s\"", err.what, what);
}

/* Damage anywhere in one copy is survived and reported, in both it is an error. */
static void test_damaged_copies(void **state)
{
    (void)state;
    for (size_t at = 0; at < HEADER; at += at < 512 ? 1 : 97) {
        if (at >= 480 && at < 512)
            continue; /* behind the checksum, in its field, means nothing */
        raw[at] ^= 0x20;
        parse();
        assert_string_equal(img.note,
                            "the primary LUKS2 header is damaged: the secondary one is used");
        assert_string_equal(img.label, "backup");
        raw[HEADER + at] ^= 0x20;
        assert_int_equal(fc_luks2_parse(&img, raw, raw_len, &err), FC_ERR_DATA);
        assert_string_not_equal(err.what, "");
        raw[at] ^= 0x20;
        parse();
        assert_string_equal(img.note, "the secondary LUKS2 header is damaged");
        raw[HEADER + at] ^= 0x20;
    }
    memset(raw, 0, HEADER);
    parse();
    assert_opens();
}

static void test_cut_short(void **state)
{
    (void)state;
    assert_refused(0, "not a LUKS2 image");
    assert_refused(5, "not a LUKS2 image");
    assert_refused(100, "truncated: the LUKS2 header ends after 100 bytes");
    assert_refused(HEADER - 1, "truncated");
    assert_int_equal(fc_luks2_parse(&img, raw, HEADER, &err), FC_OK);
    assert_string_equal(img.note, "the secondary LUKS2 header is damaged");
    raw[6] = 0;
    raw[7] = 1;
    assert_refused(HEADER, "LUKS1");
    assert_non_null(strstr(err.hint, "cryptsetup convert"));
    raw[7] = 3;
    assert_refused(HEADER, "unknown LUKS version 3");
    raw[0] = 'l';
    assert_refused(HEADER, "not a LUKS2 image");
}

/* Writes one copy's binary part anew. */
static void rewrite(size_t copy, uint64_t seqid, const char *label)
{
    struct fc_luks2_binary b = {.offset = copy * HEADER, .header_len = HEADER, .seqid = seqid};
    uint8_t salt[64] = {0};

    strcpy(b.label, label);
    strcpy(b.uuid, "x");
    fc_luks2_binary_write(raw + b.offset, &b, salt);
}

static void test_newer_copy(void **state)
{
    (void)state;
    rewrite(0, 1, "first");
    rewrite(1, 1, "second");
    parse();
    assert_string_equal(img.label, "first");
    assert_string_equal(img.note, "");
    rewrite(1, 2, "second");
    parse();
    assert_string_equal(img.label, "second");
    assert_non_null(strstr(img.note, "primary LUKS2 header is older"));
    rewrite(0, UINT64_MAX, "first");
    parse();
    assert_string_equal(img.label, "first");
    assert_non_null(strstr(img.note, "secondary LUKS2 header is older"));
}

static char notes[256];

static void keep_note(void *user, const char *text)
{
    (void)user;
    strcpy(notes, text);
}

static void test_unlock_refused(void **state)
{
    struct fc_luks2_attempt a = attempt("Secret");

    (void)state;
    parse();
    assert_locked(&a, raw_len, FC_ERR_KEY, "wrong passphrase");
    a = attempt("");
    assert_locked(&a, raw_len, FC_ERR_KEY, "wrong passphrase");
    a = attempt("secret");
    a.slot = 3;
    assert_locked(&a, raw_len, FC_ERR_KEY, "no key slot 3");
    a.slot = 0;
    assert_locked(&a, 2 * HEADER + 255999, FC_ERR_DATA, "truncated: slot 0");
    a.max_mem_kib = 63;
    assert_locked(&a, raw_len, FC_ERR_LIMIT, "slot 0 asks for 1 MiB of memory, allowed are 0");
    a.max_mem_kib = 64;
    a.max_work_kib = 63;
    assert_locked(&a, raw_len, FC_ERR_LIMIT, "GiB-passes");
    a.max_work_kib = 64;
    assert_int_equal(fc_luks2_unlock(&found, &img, raw, 2 * HEADER + 256000, &a, &err), FC_OK);
}

/* Costs are judged, not spent. */
static void test_costs(void **state)
{
    struct fc_luks2_attempt a = attempt("secret");
    struct fc_luks2_kdf *kdf = &img.slots[0].kdf;

    (void)state;
    parse();
    kdf->passes = kdf->mem_kib = UINT32_MAX;
    assert_locked(&a, raw_len, FC_ERR_LIMIT, "4194304 MiB");
    a.max_mem_kib = UINT64_MAX;
    assert_locked(&a, raw_len, FC_ERR_LIMIT, "GiB-passes");
    kdf->type = FC_LUKS2_PBKDF2;
    kdf->iterations = FC_LUKS2_MAX_ITERATIONS;
    assert_locked(&a, raw_len, FC_ERR_LIMIT, "134227728 iterations of PBKDF2");
    kdf->iterations = 1;
    img.digest.iterations = UINT32_MAX;
    assert_locked(&a, raw_len, FC_ERR_LIMIT, "iterations of PBKDF2");
    assert_non_null(strstr(err.hint, "--key-slot"));
}

/* Slots are put next to the good one, of which one property each is wrong. */
static void test_slots(void **state)
{
    struct fc_luks2_attempt a = attempt("secret");
    struct fc_luks2_slot *slot = &img.slots[0];

    (void)state;
    parse();
    img.slots[1] = img.slots[0];
    img.slots[1].number = 9;
    img.nslots = 2;
    img.slots[1].priority = FC_LUKS2_PREFERRED;
    assert_int_equal(fc_luks2_unlock(&found, &img, raw, raw_len, &a, &err), FC_OK);
    assert_int_equal(found.slot, 9);
    slot->priority = FC_LUKS2_IGNORED;
    img.slots[1].bound = false;
    assert_locked(&a, raw_len, FC_ERR_KEY, "no key slot to be tried");
    a.slot = 9;
    assert_locked(&a, raw_len, FC_ERR_KEY, "slot 9 does not hold the key");
    a.slot = 0;
    assert_int_equal(fc_luks2_unlock(&found, &img, raw, raw_len, &a, &err), FC_OK);
    fc_luks2_unsupported(slot->unsupported, "is %s", "strange");
    a.note = keep_note;
    assert_locked(&a, raw_len, FC_ERR_DATA, "slot 0: is strange");
    assert_string_equal(notes, "");
    a.slot = FC_LUKS2_ANY_SLOT;
    slot->priority = img.slots[1].priority;
    img.slots[1].bound = true;
    fc_luks2_unsupported(img.slots[1].unsupported, "is odd");
    assert_locked(&a, raw_len, FC_ERR_DATA, "slot 9: is odd");
    assert_string_equal(notes, "slot 0: is strange");
    img.nslots = 0;
    assert_locked(&a, raw_len, FC_ERR_DATA, "no key slot is left");
    fc_luks2_unsupported(img.unsupported, "odd");
    assert_locked(&a, raw_len, FC_ERR_DATA, "odd");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_random_uuid),
        cmocka_unit_test(test_params_refused),
        cmocka_unit_test(test_run),
        cmocka_unit_test_setup(test_need, setup),
        cmocka_unit_test_setup(test_damaged_copies, setup),
        cmocka_unit_test_setup(test_cut_short, setup),
        cmocka_unit_test_setup(test_newer_copy, setup),
        cmocka_unit_test_setup(test_unlock_refused, setup),
        cmocka_unit_test_setup(test_costs, setup),
        cmocka_unit_test_setup(test_slots, setup),
    };

    return test_status(cmocka_run_group_tests_name("luks2", tests, NULL, NULL));
}
