/*
 * AES-XTS: runs of sectors beside the peers. Expanding a key is not part of it, for a key serves a
 * whole image.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kern.h"
#include "suite.h"

enum { MAX_LEN = 65536 };

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const size_t key_lens[] = {64, 32};
static const struct shape {
    size_t sector_len, count;
    enum fc_bench_depth depth;
} shapes[] = {{512, 1, FC_BENCH_BRIEF},   {4096, 1, FC_BENCH_BRIEF}, {8192, 1, FC_BENCH_BRIEF},
              {65536, 1, FC_BENCH_USUAL}, {512, 16, FC_BENCH_USUAL}, {4096, 16, FC_BENCH_BRIEF},
              {512, 128, FC_BENCH_USUAL}};

struct work {
    const struct fc_xts_kern *kern;
    struct fc_xts_key key;
    struct fc_xts_run run;
    uint8_t *buf;
};

static void run_encrypt(void *arg, size_t reps)
{
    struct work *w = arg;

    while (reps-- > 0)
        fc_xts_encrypt_with(w->kern, &w->key, w->buf, w->buf, &w->run);
}

static void run_decrypt(void *arg, size_t reps)
{
    struct work *w = arg;

    while (reps-- > 0)
        fc_xts_decrypt_with(w->kern, &w->key, w->buf, w->buf, &w->run);
}

static const struct call {
    const char *name;
    bench_run_fn *run;
    enum peer_op op;
} calls[] = {
    {"encrypt", run_encrypt, PEER_XTS_ENCRYPT},
    {"decrypt", run_decrypt, PEER_XTS_DECRYPT},
};

/* Every candidate, with its key expanded; they share buf. */
static void add_candidates(struct suite *suite, struct work work[FC_NTIERS], uint8_t *buf,
                           const struct peer_job *job, bench_run_fn *run)
{
    static const uint8_t secret[64] = {7, 8, 9};
    size_t n;
    const struct fc_xts_candidate *candidates = fc_xts_candidates(&n);

    for (size_t i = 0; i < n; i++) {
        struct work *w = &work[i];

        if (!suite_candidate(suite, candidates[i].tier, candidates[i].needs, run, w))
            continue;
        w->kern = &candidates[i].kern;
        w->run = (struct fc_xts_run){.stride = 1, .sector_len = job->len, .count = job->count};
        w->buf = buf;
        w->key.rounds = (uint32_t)job->key_len / 8 + 6;
        w->kern->expand(&w->key, secret);
    }
}

static void group(struct suite *suite, uint8_t *buf, size_t key_len, const struct shape *shape,
                  const struct call *call)
{
    struct peer_job job = {
        .op = call->op, .key_len = key_len, .len = shape->sector_len, .count = shape->count};
    struct work work[FC_NTIERS];
    char op[64];

    snprintf(op, sizeof(op), "xts-%zu %s x%zu", key_len * 4, call->name, shape->count);
    if (!suite_begin(suite, shape->depth, op, shape->sector_len, shape->count))
        return;
    add_candidates(suite, work, buf, &job, call->run);
    suite_peers(suite, &job);
    suite_limits(suite, LIMIT_AES, (unsigned)key_len / 8 + 6);
    suite_race(suite);
}

void rows_xts(struct suite *suite)
{
    uint8_t *buf = peer_buffer(MAX_LEN, 1);

    if (buf == NULL) {
        suite_no_memory(suite);
        return;
    }
    for (size_t i = 0; i < COUNT(key_lens); i++)
        for (size_t j = 0; j < COUNT(calls); j++)
            for (size_t k = 0; k < COUNT(shapes); k++)
                group(suite, buf, key_lens[i], &shapes[k], &calls[j]);
    free(buf);
}
