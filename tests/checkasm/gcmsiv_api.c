/*
 * fc_gcmsiv_seal and fc_gcmsiv_open over the functions of one tier: every length in bytes, runs of
 * messages, additional data, wrong tags; and what one tier sealed, every other opens.
 */
#include <stdio.h>
#include <string.h>

#include "checkasm.h"

enum {
    TAG = FC_GCMSIV_TAG,
    MAX_AD = 700, /* more than a group of blocks */
    RUN = 12,
    STRIDE = 1536, /* between the messages of a run: more than the longest of them, sealed */
};

/* Lengths of the messages of a run: equal neighbours, long beside short, empty ones, tails. */
static const uint16_t run_lengths[RUN] = {1024, 1024, 16, 1500, 0, 0, 333, 1, 512, 1039, 1024, 15};

static struct guard guard_plain, guard_sealed, guard_ad;
static struct fc_gcmsiv_key keys[2]; /* AES-256, AES-128 */
static uint8_t plain[CHECK_MAX_LEN], ad[MAX_AD];

static void prepare(void)
{
    uint8_t secret[32];

    guard_plain = guard_new(CHECK_MAX_LEN);
    guard_sealed = guard_new(CHECK_MAX_LEN + TAG);
    guard_ad = guard_new(MAX_AD);
    fill_random(plain, sizeof(plain), 20);
    fill_random(ad, sizeof(ad), 21);
    fill_random(secret, sizeof(secret), 22);
    for (size_t i = 0; i < 2; i++) {
        keys[i].rounds = i == 0 ? 14 : 10;
        keys[i].key_len = i == 0 ? 32 : 16;
        gcmsiv_oracle()->expand(&keys[i], secret);
    }
}

static struct fc_gcmsiv_msg message(size_t len, size_t ad_len, uint8_t *dst, const uint8_t *src)
{
    struct fc_gcmsiv_msg m = {.ad_len = ad_len, .src = src, .dst = dst, .len = len};

    fill_random(m.nonce, sizeof(m.nonce), len * 100 + ad_len);
    if (ad_len > 0) {
        m.ad = guard_place(&guard_ad, FLUSH_END, ad_len, 0);
        memcpy(guard_place(&guard_ad, FLUSH_END, ad_len, 0), ad, ad_len);
    }
    return m;
}

/* Seals and opens one message with its buffers flush with an end of their pages, between two
 * buffers and in place. want[len + 16] is the oracle's. */
static void try_message(struct gcmsiv_subject *s, const struct fc_gcmsiv_key *key, size_t len,
                        size_t ad_len, enum flush flush, const uint8_t *want)
{
    uint8_t *p = guard_place(&guard_plain, flush, len, 0);
    uint8_t *e = guard_place(&guard_sealed, flush, len + TAG, 0);
    struct fc_gcmsiv_msg seal = message(len, ad_len, e, p), open = message(len, ad_len, p, e);
    char where[96];

    if (check_failed(&s->check))
        return;
    snprintf(where, sizeof(where), "AES-%u, %zu bytes, ad of %zu", 8 * key->key_len, len, ad_len);

    guard_fill(&guard_sealed);
    memcpy(p, plain, len);
    fc_gcmsiv_seal_with(s->kern, key, &seal, 1);
    guard_judge(&guard_sealed, &s->check, where, e, want, len + TAG);

    guard_fill(&guard_plain);
    memcpy(e, want, len + TAG);
    if (fc_gcmsiv_open_with(s->kern, key, &open, 1) != 1)
        check_fail(&s->check, "%s: does not open", where);
    guard_judge(&guard_plain, &s->check, where, p, plain, len);

    guard_fill(&guard_sealed);
    memcpy(e, plain, len);
    seal.src = e;
    fc_gcmsiv_seal_with(s->kern, key, &seal, 1);
    guard_judge(&guard_sealed, &s->check, where, e, want, len + TAG);
    open.dst = e;
    if (fc_gcmsiv_open_with(s->kern, key, &open, 1) != 1 || memcmp(e, plain, len) != 0)
        check_fail(&s->check, "%s: does not open in place", where);
}

static void try_lengths(struct gcmsiv_subject *s, size_t n)
{
    static uint8_t want[CHECK_MAX_LEN + TAG];

    for (size_t len = 0; len <= CHECK_MAX_LEN; len++) {
        const struct fc_gcmsiv_key *key = &keys[len / 16 % 2];
        struct fc_gcmsiv_msg m = message(len, len % 3, want, plain);

        if (!length_wanted(len))
            continue;
        fc_gcmsiv_seal_with(gcmsiv_oracle(), key, &m, 1);
        for (size_t i = 0; i < n; i++)
            try_message(&s[i], key, len, len % 3, len % 2 ? FLUSH_START : FLUSH_END, want);
    }
}

static void try_ad(struct gcmsiv_subject *s, size_t n)
{
    uint8_t want[100 + TAG];

    for (size_t ad_len = 0; ad_len <= MAX_AD; ad_len += ad_len < 64 ? 1 : 53) {
        struct fc_gcmsiv_msg m = message(100, ad_len, want, plain);

        fc_gcmsiv_seal_with(gcmsiv_oracle(), &keys[0], &m, 1);
        for (size_t i = 0; i < n; i++)
            try_message(&s[i], &keys[0], 100, ad_len, FLUSH_END, want);
    }
}

/* A run of messages in place, message i at buf + i * STRIDE. */
static void make_run(struct fc_gcmsiv_msg run[RUN], uint8_t *buf)
{
    for (size_t i = 0; i < RUN; i++) {
        uint8_t *at = buf + i * STRIDE;

        run[i] = message(run_lengths[i], 0, at, at);
        memcpy(at, plain, run_lengths[i]);
    }
}

/* Every tier seals a run of every number of messages as the oracle seals them one by one. */
static void try_seal_runs(struct gcmsiv_subject *s)
{
    static uint8_t got[RUN * STRIDE], want[RUN * STRIDE];
    struct fc_gcmsiv_msg run[RUN];

    for (size_t n = 0; n <= RUN; n++) {
        memset(got, 0, sizeof(got));
        memset(want, 0, sizeof(want));
        make_run(run, want);
        for (size_t i = 0; i < n; i++)
            fc_gcmsiv_seal_with(gcmsiv_oracle(), &keys[0], &run[i], 1);
        make_run(run, got);
        fc_gcmsiv_seal_with(s->kern, &keys[0], run, n);
        if (memcmp(got, want, sizeof(got)) != 0)
            check_fail(&s->check, "a run of %zu messages is sealed wrongly", n);
    }
}

static bool all_zero(const uint8_t *p, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (p[i] != 0)
            return false;
    return true;
}

/* How a damaged run is opened: into buffers of its own, in place, in place and kept. */
enum how { APART, IN_PLACE, KEEP };

/* A flipped bit in message bad of a sealed run: those before it open, its dst is zeros (KEEP: as it
 * was), those behind it stay as they were. */
static void try_bad_tag(struct gcmsiv_subject *s, size_t bad, size_t at, enum how how)
{
    static uint8_t sealed[RUN * STRIDE], apart[RUN * STRIDE], before[RUN * STRIDE];
    uint8_t *buf = how == APART ? apart : sealed;
    struct fc_gcmsiv_msg run[RUN];
    size_t place = bad * STRIDE, behind = place + STRIDE, opened;

    make_run(run, sealed);
    fc_gcmsiv_seal_with(s->kern, &keys[0], run, RUN);
    sealed[place + at] ^= 0x10;
    memset(apart, 0x77, sizeof(apart));
    memcpy(before, buf, sizeof(before));
    for (size_t i = 0; i < RUN; i++)
        run[i].dst = buf + i * STRIDE;

    opened = how == KEEP ? fc_gcmsiv_open_or_keep(&keys[0], run, RUN)
                         : fc_gcmsiv_open_with(s->kern, &keys[0], run, RUN);
    if (opened != bad)
        check_fail(&s->check, "message %zu damaged: %zu opened", bad, opened);
    for (size_t i = 0; i < bad; i++)
        if (memcmp(run[i].dst, plain, run_lengths[i]) != 0)
            check_fail(&s->check, "message %zu damaged: message %zu is wrong", bad, i);
    if (how == KEEP ? memcmp(buf + place, before + place, run_lengths[bad]) != 0
                    : !all_zero(buf + place, run_lengths[bad]))
        check_fail(&s->check, "message %zu damaged: its dst is wrong", bad);
    if (bad + 1 < RUN && memcmp(buf + behind, before + behind, sizeof(before) - behind) != 0)
        check_fail(&s->check, "message %zu damaged: those behind it were touched", bad);
}

static void try_bad_tags(struct gcmsiv_subject *s)
{
    bool chosen = s->kern == &fc_gcmsiv_chosen()->kern;

    for (size_t bad = 0; bad < RUN; bad++) {
        size_t len = run_lengths[bad];

        for (size_t at = 0; at < len + TAG; at += at < len ? 97 : 1) {
            try_bad_tag(s, bad, at, APART);
            try_bad_tag(s, bad, at, IN_PLACE);
            if (chosen) /* keeping is not offered for the others */
                try_bad_tag(s, bad, at, KEEP);
        }
    }
}

static void try_each_other(struct gcmsiv_subject *s, size_t n)
{
    static uint8_t buf[RUN * STRIDE];
    struct fc_gcmsiv_msg run[RUN];

    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < n; b++) {
            make_run(run, buf);
            fc_gcmsiv_seal_with(s[a].kern, &keys[1], run, RUN);
            if (fc_gcmsiv_open_with(s[b].kern, &keys[1], run, RUN) != RUN)
                check_fail(&s[b].check, "does not open what %s sealed",
                           fc_tier_name(s[a].check.tier));
        }
    }
}

void checkasm_gcmsiv_api(void)
{
    struct gcmsiv_subject s[CHECK_MAX_CANDIDATES];
    size_t n = gcmsiv_subjects(s, "gcmsiv seal and open");

    if (n == 0)
        return;
    prepare();
    try_lengths(s, n);
    try_ad(s, n);
    for (size_t i = 0; i < n; i++) {
        try_seal_runs(&s[i]);
        try_bad_tags(&s[i]);
    }
    try_each_other(s, n);
    for (size_t i = 0; i < n; i++)
        check_end(&s[i].check);
}
