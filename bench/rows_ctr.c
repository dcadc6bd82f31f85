/*
 * AES-CTR: whole calls beside the peers, from one buffer to another. Expanding a key is not part of
 * it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kern.h"
#include "suite.h"

enum { MAX_LEN = 1 << 20, MAX_OFFSET = 97 };

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const size_t key_lens[] = {16, 24, 32};
static const struct {
    size_t len;
    enum fc_bench_depth depth;
} lens[] = {{16, FC_BENCH_ALL},  {50, FC_BENCH_BRIEF},   {64, FC_BENCH_BRIEF},  {97, FC_BENCH_ALL},
            {512, FC_BENCH_ALL}, {1024, FC_BENCH_BRIEF}, {8192, FC_BENCH_BRIEF}};
static const size_t all_lens[] = {64, 256, 1024, 4096, 16384, 65536, 262144, MAX_LEN};
static const size_t all_offsets[] = {0, 1, 8, 64, MAX_OFFSET};

/* One candidate's; they share the buffers. */
struct work {
    fc_ctr_fn *xor_blocks;
    const struct fc_ctr_key *key;
    uint8_t *dst;
    const uint8_t *src;
    size_t len;
};

struct fixture {
    struct fc_ctr_key key;
    uint8_t *src, *dst;
};

static void run(void *arg, size_t reps)
{
    static const uint8_t iv[FC_CTR_IV] = {10, 11, 12};
    const struct work *w = arg;

    while (reps-- > 0)
        fc_ctr_xor_with(w->xor_blocks, w->key, w->dst, w->src, w->len, iv, 0);
}

static void group(struct suite *suite, enum fc_bench_depth depth, const struct fixture *f,
                  const char *op, const struct peer_job *job)
{
    struct work work[FC_NTIERS];
    size_t n;
    const struct fc_ctr_candidate *c = fc_ctr_candidates(&n);

    if (!suite_begin(suite, depth, op, job->len, 1))
        return;
    for (size_t i = 0; i < n; i++) {
        work[i] =
            (struct work){c[i].xor_blocks, &f->key, f->dst, f->src + job->src_offset, job->len};
        suite_candidate(suite, c[i].tier, c[i].needs, run, &work[i]);
    }
    suite_peers(suite, job);
    suite_limits(suite, LIMIT_AES, f->key.rounds);
    suite_race(suite);
}

static void groups(struct suite *suite, struct fixture *f, size_t key_len)
{
    static const uint8_t secret[32] = {7, 8, 9};
    struct peer_job job = {.op = PEER_CTR, .key_len = key_len, .count = 1};
    char op[64];

    fc_ctr_key_init(&f->key, secret, key_len);
    snprintf(op, sizeof(op), "ctr-%zu", key_len * 8);
    for (size_t i = 0; i < COUNT(lens); i++) {
        job.len = lens[i].len;
        group(suite, lens[i].depth, f, op, &job);
    }
    for (size_t i = 0; i < COUNT(all_offsets); i++) {
        job.src_offset = all_offsets[i];
        snprintf(op, sizeof(op), "ctr-%zu src+%zu", key_len * 8, job.src_offset);
        for (size_t j = 0; j < COUNT(all_lens); j++) {
            job.len = all_lens[j];
            group(suite, FC_BENCH_ALL, f, op, &job);
        }
    }
}

void rows_ctr(struct suite *suite)
{
    struct fixture f = {.src = peer_buffer(MAX_LEN + MAX_OFFSET, 1),
                        .dst = peer_buffer(MAX_LEN, 1)};

    if (f.src != NULL && f.dst != NULL)
        for (size_t i = 0; i < COUNT(key_lens); i++)
            groups(suite, &f, key_lens[i]);
    else
        suite_no_memory(suite);
    free(f.src);
    free(f.dst);
}
