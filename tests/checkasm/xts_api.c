/*
 * fc_xts_encrypt and fc_xts_decrypt over the functions of one tier: every length of a sector in
 * bytes, runs of sectors.
 */
#include <stdio.h>
#include <string.h>

#include "checkasm.h"

static struct fc_xts_key keys[2]; /* XTS-AES-256, XTS-AES-128 */
static uint8_t plain[CHECK_MAX_LEN];

static void prepare(void)
{
    fill_random(plain, sizeof(plain), 40);
    xts_oracle_key(&keys[0], 64, 41);
    xts_oracle_key(&keys[1], 32, 42);
}

struct question {
    const struct fc_xts_key *key;
    const struct fc_xts_run *run;
};

static bool call_encrypt(const struct transform *t, uint8_t *dst, uint8_t *src, const char *where)
{
    const struct xts_subject *s = t->subject;
    const struct question *q = t->question;

    (void)where;
    fc_xts_encrypt_with(s->kern, q->key, dst, src, q->run);
    return true;
}

static bool call_decrypt(const struct transform *t, uint8_t *dst, uint8_t *src, const char *where)
{
    const struct xts_subject *s = t->subject;
    const struct question *q = t->question;

    (void)where;
    fc_xts_decrypt_with(s->kern, q->key, dst, src, q->run);
    return true;
}

/* Encrypts and decrypts one run. want[] is the oracle's. */
static void try_run(struct xts_subject *s, const struct fc_xts_key *key,
                    const struct fc_xts_run *run, enum flush flush, const uint8_t *want)
{
    const struct question q = {key, run};
    struct transform t = {
        .check = &s->check,
        .len = run->sector_len * run->count,
        .subject = s,
        .question = &q,
    };

    snprintf(t.what, sizeof(t.what), "XTS-AES-%u, %zu sectors of %zu bytes",
             key->rounds == 14 ? 256 : 128, run->count, run->sector_len);
    t.src = plain;
    t.want = want;
    t.call = call_encrypt;
    transform_at(&t, flush);
    t.src = want;
    t.want = plain;
    t.call = call_decrypt;
    transform_at(&t, flush);
}

static void try_lengths(struct xts_subject *s, size_t n)
{
    static uint8_t want[CHECK_MAX_LEN];

    for (size_t len = FC_XTS_MIN_SECTOR; len <= CHECK_MAX_LEN; len++) {
        const struct fc_xts_key *key = &keys[len / 16 % 2];
        struct fc_xts_run run = {.first = len * 0x123456789, .sector_len = len, .count = 1};

        if (!length_wanted(len))
            continue;
        fc_xts_encrypt_with(xts_oracle(), key, want, plain, &run);
        for (size_t i = 0; i < n; i++)
            try_run(&s[i], key, &run, len / 2 % 2 ? FLUSH_START : FLUSH_END, want);
    }
}

/* The oracle's answer for a run, sector by sector. */
static void one_by_one(uint8_t *dst, const struct fc_xts_key *key, const struct fc_xts_run *run)
{
    for (size_t i = 0; i < run->count; i++) {
        struct fc_xts_run one = {
            .first = run->first + i * run->stride, .sector_len = run->sector_len, .count = 1};

        fc_xts_encrypt_with(xts_oracle(), key, dst + i * one.sector_len, plain + i * one.sector_len,
                            &one);
    }
}

/* Numbers of sectors around those that one call of a kernel takes; sector numbers that pass 2^32
 * on the way. */
static void try_runs(struct xts_subject *s, size_t n)
{
    static const size_t lens[] = {16, 17, 31, 32, 48, 60, 512, 520, 1024};
    static const size_t counts[] = {0, 1, 2, 3, 5, 8, 16, 63, 64, 65, 127, 128, 129, 200};
    static uint8_t want[CHECK_MAX_LEN];

    for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
        for (size_t k = 0; k < sizeof(counts) / sizeof(counts[0]); k++) {
            const struct fc_xts_key *key = &keys[k % 2];
            struct fc_xts_run run = {.first = 0xffffffd0,
                                     .stride = i % 2 ? 8 : 1,
                                     .sector_len = lens[i],
                                     .count = counts[k]};

            if (run.sector_len * run.count > CHECK_MAX_LEN)
                break;
            one_by_one(want, key, &run);
            for (size_t a = 0; a < n; a++)
                try_run(&s[a], key, &run, k % 3 ? FLUSH_END : FLUSH_START, want);
        }
    }
}

void checkasm_xts_api(void)
{
    struct xts_subject s[CHECK_MAX_CANDIDATES];
    size_t n = xts_subjects(s, "xts runs");

    if (n == 0)
        return;
    prepare();
    try_lengths(s, n);
    try_runs(s, n);
    for (size_t i = 0; i < n; i++)
        check_end(&s[i].check);
}
