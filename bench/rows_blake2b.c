/*
 * BLAKE2b-512, one message from beginning to end, and eight of the same length in lanes, beside the
 * peers.
 */
#include <stdlib.h>
#include <string.h>

#include "kern.h"
#include "suite.h"

enum { MAX_LEN = 32768, MESSAGES = FC_BLAKE2B_MAX_LANES, MAX_LANE_LEN = 1 << 20 };

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const size_t lens[] = {128, 1024, MAX_LEN};
static const struct {
    size_t len;
    enum fc_bench_depth depth;
} lane_lens[] = {{128, FC_BENCH_ALL},
                 {1024, FC_BENCH_ALL},
                 {4096, FC_BENCH_BRIEF},
                 {MAX_LEN, FC_BENCH_ALL},
                 {MAX_LANE_LEN, FC_BENCH_BRIEF}};

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

    if (!suite_begin(suite, FC_BENCH_BRIEF, "blake2b", len, 1))
        return;
    for (size_t i = 0; i < n; i++) {
        work[i] = (struct work){candidates[i].compress, src, len / FC_BLAKE2B_BLOCK};
        suite_candidate(suite, candidates[i].tier, candidates[i].needs, run, &work[i]);
    }
    suite_peers(suite, &job);
    suite_race(suite);
}

struct lanes_work {
    const struct fc_blake2b_lanes_candidate *candidate;
    const uint8_t *src;
    size_t len;
};

/* The lanes of a candidate begin messages first, first + 1, ... */
static void begin_lanes(struct fc_blake2b_lanes *lanes, const struct lanes_work *w, size_t first)
{
    static const struct fc_blake2b_params params = {.out_len = FC_BLAKE2B_MAX_OUT};
    struct fc_blake2b state;

    fc_blake2b_init(&state, &params);
    for (size_t i = 0; i < w->candidate->lanes; i++) {
        for (size_t k = 0; k < 8; k++)
            lanes->h[k][i] = state.h[k];
        lanes->t[0][i] = lanes->t[1][i] = 0;
        lanes->inc[i] = FC_BLAKE2B_BLOCK;
        lanes->last[i] = 0;
        lanes->src[i] = w->src + (first + i) * peer_stride(w->len);
    }
}

static void run_lanes(void *arg, size_t reps)
{
    const struct lanes_work *w = arg;
    struct fc_blake2b_lanes lanes = {0};

    for (size_t first = 0; first < reps * MESSAGES; first += w->candidate->lanes) {
        begin_lanes(&lanes, w, first % MESSAGES);
        w->candidate->compress(&lanes, w->len / FC_BLAKE2B_BLOCK - 1, FC_BLAKE2B_BLOCK);
        memset(lanes.last, 0xff, sizeof(lanes.last));
        w->candidate->compress(&lanes, 1, FC_BLAKE2B_BLOCK);
    }
}

static void group_lanes(struct suite *suite, enum fc_bench_depth depth, const uint8_t *src,
                        size_t len)
{
    struct peer_job job = {.op = PEER_BLAKE2B, .len = len, .count = MESSAGES};
    struct lanes_work work[FC_NTIERS];
    size_t n;
    const struct fc_blake2b_lanes_candidate *candidates = fc_blake2b_lanes_candidates(&n);

    if (!suite_begin(suite, depth, "blake2b x8", len, MESSAGES))
        return;
    for (size_t i = 0; i < n; i++) {
        work[i] = (struct lanes_work){&candidates[i], src, len};
        suite_candidate(suite, candidates[i].tier, candidates[i].needs, run_lanes, &work[i]);
    }
    suite_peers(suite, &job);
    suite_race(suite);
}

void rows_blake2b(struct suite *suite)
{
    uint8_t *src = peer_buffer(MAX_LANE_LEN, MESSAGES);

    if (src == NULL) {
        suite_no_memory(suite);
        return;
    }
    for (size_t i = 0; i < COUNT(lens); i++)
        group(suite, src, lens[i]);
    for (size_t i = 0; i < COUNT(lane_lens); i++)
        group_lanes(suite, lane_lens[i].depth, src, lane_lens[i].len);
    free(src);
}
