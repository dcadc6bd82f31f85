/*
 * Data that no cache holds: messages and sectors one behind the other, in more memory than there is
 * cache, each of which is used once until all others were.
 *
 * All candidates of a group move on through the same memory. Peers have buffers of their own, which
 * stay in the caches: there are none here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kern.h"
#include "suite.h"

enum { LEN = 65536, SECTOR = 4096, TOTAL = 256 << 20 };

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* The memory of all candidates, and the place where the next message begins. */
struct cold {
    uint8_t *src, *dst;
    size_t at;
};

/* What one candidate works with. */
struct work {
    struct cold *cold;
    fc_ctr_fn *xor_blocks;
    const struct fc_ctr_key *ctr_key;
    const struct fc_xts_kern *xts;
    struct fc_xts_key xts_key;
    const struct fc_gcmsiv_kern *gcmsiv;
    struct fc_gcmsiv_key gcmsiv_key;
    struct fc_gcmsiv_mk mk, other;
};

static const uint8_t secret[64] = {7, 8, 9};

static size_t next_place(struct cold *cold)
{
    size_t at = cold->at;

    cold->at = (at + LEN) % TOTAL;
    return at;
}

static void run_ctr(void *arg, size_t reps)
{
    static const uint8_t iv[FC_CTR_IV] = {10, 11, 12};
    struct work *w = arg;

    while (reps-- > 0) {
        size_t at = next_place(w->cold);

        fc_ctr_xor_with(w->xor_blocks, w->ctr_key, w->cold->dst + at, w->cold->src + at, LEN, iv,
                        0);
    }
}

static void run_xts(void *arg, size_t reps)
{
    static const struct fc_xts_run run = {.stride = 1, .sector_len = SECTOR, .count = LEN / SECTOR};
    struct work *w = arg;

    while (reps-- > 0) {
        uint8_t *p = w->cold->src + next_place(w->cold);

        fc_xts_encrypt_with(w->xts, &w->xts_key, p, p, &run);
    }
}

static void run_gcmsiv_open(void *arg, size_t reps)
{
    struct work *w = arg;

    while (reps-- > 0) {
        size_t at = next_place(w->cold);

        w->gcmsiv->open(&w->mk, w->cold->dst + at, w->cold->src + at, LEN / 16);
    }
}

/* What is hashed is the message before the one that is encrypted: in the caches, as in a run. */
static void run_gcmsiv_pair(void *arg, size_t reps)
{
    struct work *w = arg;

    while (reps-- > 0) {
        size_t at = next_place(w->cold);
        size_t before = (at + TOTAL - LEN) % TOTAL;

        w->gcmsiv->pair(&w->mk, &w->other, w->cold->dst + at, w->cold->src + at,
                        w->cold->src + before, LEN / 16);
    }
}

static void add_ctr(struct suite *suite, struct work *work, const struct fc_ctr_key *key)
{
    size_t n;
    const struct fc_ctr_candidate *c = fc_ctr_candidates(&n);

    for (size_t i = 0; i < n; i++)
        if (suite_candidate(suite, c[i].tier, c[i].needs, run_ctr, &work[i])) {
            work[i].xor_blocks = c[i].xor_blocks;
            work[i].ctr_key = key;
        }
}

static void add_xts(struct suite *suite, struct work *work)
{
    size_t n;
    const struct fc_xts_candidate *c = fc_xts_candidates(&n);

    for (size_t i = 0; i < n; i++)
        if (suite_candidate(suite, c[i].tier, c[i].needs, run_xts, &work[i])) {
            work[i].xts = &c[i].kern;
            work[i].xts_key.rounds = 14;
            c[i].kern.expand(&work[i].xts_key, secret);
        }
}

static void add_gcmsiv(struct suite *suite, struct work *work, bench_run_fn *run)
{
    static const uint8_t nonce[FC_GCMSIV_NONCE] = {10, 11, 12};
    size_t n;
    const struct fc_gcmsiv_candidate *c = fc_gcmsiv_candidates(&n);

    for (size_t i = 0; i < n; i++)
        if (suite_candidate(suite, c[i].tier, c[i].needs, run, &work[i])) {
            work[i].gcmsiv = &c[i].kern;
            work[i].gcmsiv_key.key_len = 32;
            work[i].gcmsiv_key.rounds = 14;
            c[i].kern.expand(&work[i].gcmsiv_key, secret);
            c[i].kern.derive(&work[i].mk, &work[i].gcmsiv_key, nonce, LEN / 16);
            c[i].kern.derive(&work[i].other, &work[i].gcmsiv_key, nonce, LEN / 16);
        }
}

static void finish(struct suite *suite, enum limit_work limit)
{
    suite_limits(suite, limit, 14);
    suite_race(suite);
}

static void groups(struct suite *suite, struct work *work)
{
    static const struct {
        const char *op;
        bench_run_fn *run;
    } gcmsiv[] = {{"gcmsiv-256 open cold", run_gcmsiv_open},
                  {"gcmsiv-256 pair cold", run_gcmsiv_pair}};
    struct fc_ctr_key ctr_key;

    for (size_t i = 0; i < COUNT(gcmsiv); i++)
        if (suite_begin(suite, FC_BENCH_BRIEF, gcmsiv[i].op, LEN, 1)) {
            add_gcmsiv(suite, work, gcmsiv[i].run);
            finish(suite, LIMIT_BOTH);
        }
    fc_ctr_key_init(&ctr_key, secret, 32);
    if (suite_begin(suite, FC_BENCH_BRIEF, "ctr-256 cold", LEN, 1)) {
        add_ctr(suite, work, &ctr_key);
        finish(suite, LIMIT_AES);
    }
    if (suite_begin(suite, FC_BENCH_BRIEF, "xts-256 encrypt x16 cold", SECTOR, LEN / SECTOR)) {
        add_xts(suite, work);
        finish(suite, LIMIT_AES);
    }
}

void rows_cold(struct suite *suite)
{
    struct work *work = aligned_alloc(_Alignof(struct work), FC_NTIERS * sizeof(*work));
    struct cold cold = {.src = peer_buffer(TOTAL, 1), .dst = peer_buffer(TOTAL, 1)};

    if (work != NULL && cold.src != NULL && cold.dst != NULL) {
        memset(work, 0, FC_NTIERS * sizeof(*work));
        for (size_t i = 0; i < FC_NTIERS; i++)
            work[i].cold = &cold;
        groups(suite, work);
    } else
        suite_no_memory(suite);
    free(cold.src);
    free(cold.dst);
    free(work);
}
