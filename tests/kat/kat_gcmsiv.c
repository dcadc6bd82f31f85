/*
 * AES-GCM-SIV, every tier: RFC 8452 appendix C as whole messages, as runs of them and step by step;
 * the wrap of the 32-bit counter wherever it may fall.
 */
#include "gcmsiv_support.h"

#include <string.h>

#include "bytes.h"

enum { RECORDS = 50, MOST_BYTES = 80 };

struct bytes {
    uint8_t at[MOST_BYTES];
    size_t len;
};

/* One record of rfc8452.txt. */
struct record {
    struct bytes key, nonce, ad, plain, auth_key, enc_key, polyval, result;
};

static struct bytes *find_field(struct record *r, const char *name)
{
    const struct {
        const char *name;
        struct bytes *field;
    } fields[] = {
        {"key", &r->key},         {"nonce", &r->nonce},       {"ad", &r->ad},
        {"plain", &r->plain},     {"auth_key", &r->auth_key}, {"enc_key", &r->enc_key},
        {"polyval", &r->polyval}, {"result", &r->result},
    };

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        if (strcmp(name, fields[i].name) == 0)
            return fields[i].field;
    }
    fail_msg("no such field in rfc8452.txt: %s", name);
    return NULL;
}

static void read_records(struct record *records)
{
    FILE *f = fopen(FC_RFC8452, "r");
    struct test_field line;
    size_t n = 0;

    assert_non_null(f);
    while (test_read_field(f, &line)) {
        assert_true(n < RECORDS);
        struct bytes *field = find_field(&records[n], line.name);
        field->len = test_hex(field->at, sizeof(field->at), line.value);
        n += field == &records[n].result;
    }
    fclose(f);
    assert_int_equal(n, RECORDS);
}

/* The vectors of RFC 8452 appendix C: RECORDS of them. */
static const struct record *rfc8452(void)
{
    static struct record records[RECORDS];

    if (records[RECORDS - 1].result.len == 0)
        read_records(records);
    return records;
}

/* One sealing or opening of a record's message, in place where dst equals src. */
static struct fc_gcmsiv_msg message(const struct record *r, const uint8_t *src, uint8_t *dst)
{
    struct fc_gcmsiv_msg msg = {
        .ad = r->ad.at, .ad_len = r->ad.len, .src = src, .dst = dst, .len = r->plain.len};

    memcpy(msg.nonce, r->nonce.at, FC_GCMSIV_NONCE);
    return msg;
}

static void check_record(const struct fc_gcmsiv_candidate *tier, const struct record *r)
{
    uint8_t sealed[MOST_BYTES], plain[MOST_BYTES], both[MOST_BYTES];
    struct fc_gcmsiv_msg apart = message(r, r->plain.at, sealed);
    struct fc_gcmsiv_msg in_place = message(r, both, both);
    struct fc_gcmsiv_key key;

    test_gcmsiv_key(tier, &key, r->key.at, r->key.len);
    assert_int_equal(r->result.len, r->plain.len + FC_GCMSIV_TAG);
    test_gcmsiv_seal(tier, &key, &apart, 1);
    assert_memory_equal(sealed, r->result.at, r->result.len);
    memcpy(both, r->plain.at, r->plain.len);
    test_gcmsiv_seal(tier, &key, &in_place, 1);
    assert_memory_equal(both, r->result.at, r->result.len);

    apart = message(r, r->result.at, plain);
    assert_int_equal(test_gcmsiv_open(tier, &key, &apart, 1), 1);
    assert_memory_equal(plain, r->plain.at, r->plain.len);
    assert_int_equal(test_gcmsiv_open(tier, &key, &in_place, 1), 1);
    assert_memory_equal(both, r->plain.at, r->plain.len);
}

static void test_rfc8452(void **state)
{
    const struct record *records = rfc8452();

    for (size_t i = 0; i < RECORDS; i++)
        check_record(*state, &records[i]);
}

/* Seals records[n], which have one key, as one run; opens them as another. */
static void check_run(const struct fc_gcmsiv_candidate *tier, const struct record *records,
                      size_t n)
{
    static uint8_t sealed[RECORDS][MOST_BYTES], plain[RECORDS][MOST_BYTES];
    struct fc_gcmsiv_msg seals[RECORDS], opens[RECORDS];
    struct fc_gcmsiv_key key;

    for (size_t i = 0; i < n; i++) {
        seals[i] = message(&records[i], records[i].plain.at, sealed[i]);
        opens[i] = message(&records[i], sealed[i], plain[i]);
    }
    test_gcmsiv_key(tier, &key, records->key.at, records->key.len);
    test_gcmsiv_seal(tier, &key, seals, n);
    assert_int_equal(test_gcmsiv_open(tier, &key, opens, n), n);
    for (size_t i = 0; i < n; i++) {
        assert_memory_equal(sealed[i], records[i].result.at, records[i].result.len);
        assert_memory_equal(plain[i], records[i].plain.at, records[i].plain.len);
    }
}

static bool same_key(const struct record *a, const struct record *b)
{
    return a->key.len == b->key.len && memcmp(a->key.at, b->key.at, a->key.len) == 0;
}

static void test_rfc8452_runs(void **state)
{
    const struct record *records = rfc8452();
    size_t n, longest = 0;

    for (size_t i = 0; i < RECORDS; i += n) {
        for (n = 1; i + n < RECORDS && same_key(&records[i], &records[i + n]); n++)
            ;
        check_run(*state, &records[i], n);
        longest = n > longest ? n : longest;
    }
    assert_int_equal(longest, 16);
}

/* With any one byte of field changed, r must not open, and no plaintext may be left. */
static void check_refused(const struct fc_gcmsiv_candidate *tier, struct record *r,
                          struct bytes *field)
{
    static const uint8_t zeros[MOST_BYTES];
    uint8_t plain[MOST_BYTES];
    struct fc_gcmsiv_key key;

    for (size_t i = 0; i < field->len; i++) {
        uint8_t flip = (uint8_t)(1u << i % 8);

        field->at[i] ^= flip;
        test_gcmsiv_key(tier, &key, r->key.at, r->key.len);
        memset(plain, 0xa5, sizeof(plain));
        struct fc_gcmsiv_msg msg = message(r, r->result.at, plain);
        assert_int_equal(test_gcmsiv_open(tier, &key, &msg, 1), 0);
        assert_memory_equal(plain, zeros, r->plain.len);
        field->at[i] ^= flip;
    }
}

static void test_rfc8452_changed(void **state)
{
    const struct record *records = rfc8452();

    for (size_t i = 0; i < RECORDS; i++) {
        struct record r = records[i];

        check_refused(*state, &r, &r.key);
        check_refused(*state, &r, &r.nonce);
        check_refused(*state, &r, &r.ad);
        check_refused(*state, &r, &r.result);
    }
}

/* What POLYVAL reads of a message (RFC 8452 section 4): dst[16 * n], n returned. */
static size_t polyval_input(uint8_t *dst, const struct record *r)
{
    size_t ad = fc_round_up(r->ad.len, 16), plain = fc_round_up(r->plain.len, 16);

    memset(dst, 0, ad + plain);
    memcpy(dst, r->ad.at, r->ad.len);
    memcpy(dst + ad, r->plain.at, r->plain.len);
    fc_store_le64(dst + ad + plain, r->ad.len * 8);
    fc_store_le64(dst + ad + plain + 8, r->plain.len * 8);
    return (ad + plain) / 16 + 1;
}

/* x^128, the one of POLYVAL's product: POLYVAL of this block is the key itself. */
static const uint8_t polyval_one[16] = {[0] = 0x01, [15] = 0xc2};

/* The kernels in the order of RFC 8452 section 4, with every intermediate value it prints. */
static void check_steps(const struct fc_gcmsiv_candidate *tier, const struct record *r)
{
    const struct fc_gcmsiv_kern *kern = &tier->kern;
    const uint8_t *tag = r->result.at + r->plain.len;
    uint8_t input[2 * MOST_BYTES], text[MOST_BYTES] = {0}, made[16], ctr[16];
    size_t nblocks = polyval_input(input, r);
    struct fc_gcmsiv_key key;
    struct fc_gcmsiv_mk mk;

    test_gcmsiv_key(tier, &key, r->key.at, r->key.len);
    kern->derive(&mk, &key, r->nonce.at, nblocks);
    assert_memory_equal(mk.rk, r->enc_key.at, r->enc_key.len);
    kern->polyval(&mk, polyval_one, 1);
    assert_memory_equal(mk.acc, r->auth_key.at, 16);

    memset(mk.acc, 0, 16);
    kern->polyval(&mk, input, nblocks);
    assert_memory_equal(mk.acc, r->polyval.at, 16);

    memset(mk.acc, 0, 16);
    kern->finish(&mk, made, input, nblocks, r->nonce.at);
    assert_memory_equal(made, tag, 16);
    memcpy(ctr, tag, 16);
    ctr[15] |= 0x80;
    assert_memory_equal(mk.ctr, ctr, 16);

    memcpy(text, r->plain.at, r->plain.len);
    kern->ctr(&mk, text, text, fc_round_up(r->plain.len, 16) / 16);
    assert_memory_equal(text, r->result.at, r->plain.len);
}

static void test_rfc8452_steps(void **state)
{
    const struct record *records = rfc8452();

    for (size_t i = 0; i < RECORDS; i++)
        check_steps(*state, &records[i]);
}

/* The counter wraps after 1 to FARTHEST blocks of a message of up to MOST_BLOCKS. */
enum { FARTHEST = 64, MOST_BLOCKS = FARTHEST + 70 };

struct wrap {
    uint8_t src[16 * MOST_BLOCKS], hsrc[16 * MOST_BLOCKS];
    uint8_t expected[16 * MOST_BLOCKS]; /* src after the key stream, from the generic tier */
    uint8_t ctr[16];                    /* where it begins */
    size_t key_len;
};

static void derive(const struct fc_gcmsiv_kern *kern, struct fc_gcmsiv_mk *mk, const struct wrap *w)
{
    static const uint8_t secret[32] = {1}, nonce[FC_GCMSIV_NONCE] = {3};
    struct fc_gcmsiv_key key = {.key_len = (uint32_t)w->key_len,
                                .rounds = (uint32_t)w->key_len / 4 + 6};

    kern->expand(&key, secret);
    kern->derive(mk, &key, nonce, MOST_BLOCKS);
    memcpy(mk->ctr, w->ctr, 16);
}

/* All but the 32 bits that count are ones, so that a carry out of them would show. */
static void set_wrap(struct wrap *w, uint32_t distance)
{
    memset(w->ctr, 0xff, 16);
    fc_store_le32(w->ctr, -distance);
}

static void expect_ctr(const struct fc_gcmsiv_mk *mk, const struct wrap *w, size_t nblocks)
{
    uint8_t ctr[16];

    memcpy(ctr, w->ctr, 16);
    fc_store_le32(ctr, fc_load_le32(ctr) + (uint32_t)nblocks);
    assert_memory_equal(mk->ctr, ctr, 16);
}

static void expect_acc(const struct fc_gcmsiv_kern *generic, const struct fc_gcmsiv_mk *mk,
                       const struct wrap *w, const uint8_t *hashed, size_t nblocks)
{
    struct fc_gcmsiv_mk other;

    derive(generic, &other, w);
    generic->polyval(&other, hashed, nblocks);
    assert_memory_equal(mk->acc, other.acc, 16);
}

/* ctr, open and pair over the first nblocks blocks. */
static void check_wrap(const struct fc_gcmsiv_kern *kern, const struct fc_gcmsiv_kern *generic,
                       const struct wrap *w, size_t nblocks)
{
    uint8_t dst[16 * MOST_BLOCKS];
    struct fc_gcmsiv_mk mk, auth;

    derive(kern, &mk, w);
    memcpy(dst, w->src, sizeof(dst));
    kern->ctr(&mk, dst, dst, nblocks);
    assert_memory_equal(dst, w->expected, 16 * nblocks);
    assert_memory_equal(dst + 16 * nblocks, w->src + 16 * nblocks, sizeof(dst) - 16 * nblocks);
    expect_ctr(&mk, w, nblocks);

    derive(kern, &mk, w);
    kern->open(&mk, dst, w->src, nblocks);
    assert_memory_equal(dst, w->expected, 16 * nblocks);
    expect_ctr(&mk, w, nblocks);
    expect_acc(generic, &mk, w, w->expected, nblocks);

    derive(kern, &mk, w);
    derive(kern, &auth, w);
    memcpy(dst, w->src, sizeof(dst));
    kern->pair(&mk, &auth, dst, dst, w->hsrc, nblocks);
    assert_memory_equal(dst, w->expected, 16 * nblocks);
    expect_ctr(&mk, w, nblocks);
    expect_acc(generic, &auth, w, w->hsrc, nblocks);
}

/* The key stream block by block, and by the generic tier. */
static void expect_slowly(const struct fc_gcmsiv_kern *generic, struct wrap *w)
{
    uint8_t dst[16 * MOST_BLOCKS], ctr[16];
    struct fc_gcmsiv_mk mk;

    derive(generic, &mk, w);
    memcpy(ctr, w->ctr, 16);
    test_gcmsiv_slow_ctr(&mk, ctr, w->expected, w->src, MOST_BLOCKS);
    generic->ctr(&mk, dst, w->src, MOST_BLOCKS);
    assert_memory_equal(dst, w->expected, sizeof(dst));
}

static void test_wrap(void **state)
{
    size_t ntiers;
    const struct fc_gcmsiv_candidate *tier = *state, *tiers = fc_gcmsiv_candidates(&ntiers);
    const struct fc_gcmsiv_kern *generic = &tiers[ntiers - 1].kern;
    struct wrap w;

    test_random(w.src, sizeof(w.src), 1);
    test_random(w.hsrc, sizeof(w.hsrc), 2);
    for (w.key_len = 16; w.key_len <= 32; w.key_len += 16) {
        for (uint32_t distance = 1; distance <= FARTHEST; distance++) {
            set_wrap(&w, distance);
            expect_slowly(generic, &w);
            for (size_t nblocks = distance; nblocks <= distance + 1; nblocks++)
                check_wrap(&tier->kern, generic, &w, nblocks);
            check_wrap(&tier->kern, generic, &w, MOST_BLOCKS - distance % 8);
            check_wrap(&tier->kern, generic, &w, MOST_BLOCKS);
        }
    }
}

int main(void)
{
    const struct CMUnitTest messages[] = {
        cmocka_unit_test(test_rfc8452),
        cmocka_unit_test(test_rfc8452_runs),
        cmocka_unit_test(test_rfc8452_changed),
    };
    const struct CMUnitTest kernels[] = {
        cmocka_unit_test(test_rfc8452_steps),
        cmocka_unit_test(test_wrap),
    };
    int failed =
        test_gcmsiv_run("messages", messages, sizeof(messages) / sizeof(messages[0]), true);

    failed += test_gcmsiv_run("kernels", kernels, sizeof(kernels) / sizeof(kernels[0]), false);
    return test_status(failed);
}
