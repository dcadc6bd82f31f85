/*
 * BLAKE2b-512, one message from beginning to end, beside the peers.
 */
#include <stdlib.h>

#include "kern.h"
#include "suite.h"

enum { MAX_LEN = 32768 };

static const size_t lens[] = {128, 1024, MAX_LEN};

struct work {
    fc_blake2b_compress_fn *compress;
    const uint8_t *src;
    size_t nblocks;
};

/* The messages are whole blocks, so a candidate needs nothing of fc_blake2b_update, which would use
 * the chosen one. */
static void run(void *arg, size_t reps)
{
    static const struct fc_blake2b_params params = {.out_len = FC_BLAKE2B_MAX_OUT};
    const struct work *w = arg;
    size_t before = w->nblocks - 1;

    while (reps-- > 0) {
        struct fc_blake2b state;

        fc_blake2b_init(&state, &params);
        w->compress(&state, w->src, before, FC_BLAKE2B_BLOCK, 0);
        w->compress(&state, w->src + before * FC_BLAKE2B_BLOCK, 1, FC_BLAKE2B_BLOCK, ~(uint64_t)0);
    }
}

static void group(struct suite *suite, const uint8_t *src, size_t len)
{
    struct peer_job job = {.op = PEER_BLAKE2B, .len = len, .count = 1};
    struct work work[FC_NTIERS];
    size_t n;
    const struct fc_blake2b_candidate *candidates = fc_blake2b_candidates(&n);

    if (!suite_begin(suite, "blake2b", len, 1))
        return;
    for (size_t i = 0; i < n; i++) {
        work[i] = (struct work){candidates[i].compress, src, len / FC_BLAKE2B_BLOCK};
        suite_candidate(suite, candidates[i].tier, candidates[i].needs, run, &work[i]);
    }
    suite_peers(suite, &job);
    suite_race(suite);
}

void rows_blake2b(struct suite *suite)
{
    uint8_t *src = peer_buffer(MAX_LEN, 1);

    if (src == NULL) {
        suite->failures++;
        return;
    }
    for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++)
        group(suite, src, lens[i]);
    free(src);
}
