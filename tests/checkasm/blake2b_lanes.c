/*
 * The BLAKE2b compression function over several messages at once. The oracle is the generic
 * function for one stream, lane by lane.
 */
#include <stdio.h>
#include <string.h>

#include "checkasm.h"

enum { LANES = FC_BLAKE2B_MAX_LANES, MAX_BLOCKS = 64, MAX_LEN = MAX_BLOCKS * FC_BLAKE2B_BLOCK };

struct question {
    size_t nblocks, step;
    struct fc_blake2b_lanes before, after;
    uint8_t src[LANES][MAX_LEN];
};

/* Every lane reads in a place of its own. */
static struct guard guards[LANES];

/* What a lane may read. */
static size_t reach(const struct question *q)
{
    return q->nblocks == 0 ? 0 : (q->nblocks - 1) * q->step + FC_BLAKE2B_BLOCK;
}

static void ask_oracle(struct question *q)
{
    q->after = q->before;
    for (size_t i = 0; i < LANES; i++) {
        struct fc_blake2b state;

        for (size_t k = 0; k < 8; k++)
            state.h[k] = q->before.h[k][i];
        for (size_t k = 0; k < 2; k++)
            state.t[k] = q->before.t[k][i];
        for (size_t b = 0; b < q->nblocks; b++)
            blake2b_oracle()(&state, q->src[i] + b * q->step, 1, q->before.inc[i],
                             q->before.last[i]);
        for (size_t k = 0; k < 8; k++)
            q->after.h[k][i] = state.h[k];
        for (size_t k = 0; k < 2; k++)
            q->after.t[k][i] = state.t[k];
    }
}

/* A lane without a message: anything may happen to its h and t. */
static bool idle(const struct question *q, size_t i)
{
    return (q->before.inc[i] | q->before.last[i]) == 0;
}

static void judge_lane(struct check *c, const char *where, const struct question *q,
                       const struct fc_blake2b_lanes *got, const struct fc_blake2b_lanes *expected,
                       size_t i)
{
    bool h = true, t = true;

    for (size_t k = 0; k < 8; k++)
        h &= got->h[k][i] == expected->h[k][i];
    for (size_t k = 0; k < 2; k++)
        t &= got->t[k][i] == expected->t[k][i];
    if (!idle(q, i) && !h)
        check_fail(c, "%s: h of lane %zu is wrong", where, i);
    if (!idle(q, i) && !t)
        check_fail(c, "%s: t of lane %zu is wrong", where, i);
    if (got->inc[i] != expected->inc[i] || got->last[i] != expected->last[i])
        check_fail(c, "%s: inc or last of lane %zu is changed", where, i);
}

static void ask(struct blake2b_lanes_subject *s, const struct question *q, enum flush flush,
                size_t offset)
{
    static struct checked_call call;
    static struct fc_blake2b_lanes lanes;
    struct check *c = &s->check;
    size_t len = reach(q), n = s->kern->lanes;
    const uint8_t *src[LANES];
    char where[96];

    if (check_failed(c))
        return;
    snprintf(where, sizeof(where), "%zu blocks, step %zu, place %d, offset %zu", q->nblocks,
             q->step, (int)flush, offset);
    lanes = q->before;
    for (size_t i = 0; i < LANES; i++) {
        uint8_t *p = guard_place(&guards[i], flush, len, (offset + 9 * i) % 64);

        memcpy(p, q->src[i], len);
        lanes.src[i] = src[i] = p;
    }
    call_set(&call, s->kern->compress, CALL_PTR(&lanes), q->nblocks, q->step);
    if (!call_run(&call, c, where))
        return;
    for (size_t i = 0; i < LANES; i++) {
        judge_lane(c, where, q, &lanes, i < n ? &q->after : &q->before, i);
        if (lanes.src[i] != src[i] + (i < n ? q->nblocks * q->step : 0))
            check_fail(c, "%s: src of lane %zu is wrong", where, i);
        if (memcmp(src[i], q->src[i], len) != 0)
            check_fail(c, "%s: changes what lane %zu reads", where, i);
        if (c->strict)
            call_seek(&call, c, where, src[i], len > 0 ? FC_BLAKE2B_BLOCK : 0);
    }
}

static void ask_everyone(struct blake2b_lanes_subject *s, size_t n, struct question *q)
{
    ask_oracle(q);
    for (size_t i = 0; i < n; i++)
        for (enum flush flush = 0; flush < NFLUSH; flush++)
            ask(&s[i], q, flush, q->nblocks * 13 + 1);
}

static void set_all(struct question *q, uint64_t inc, uint64_t last)
{
    for (size_t i = 0; i < LANES; i++) {
        q->before.inc[i] = inc;
        q->before.last[i] = last;
    }
}

static void ask_lengths(struct blake2b_lanes_subject *s, size_t n, struct question *q)
{
    set_all(q, FC_BLAKE2B_BLOCK, 0);
    for (q->nblocks = 0; q->nblocks <= MAX_BLOCKS; q->nblocks++)
        ask_everyone(s, n, q);
    q->nblocks = 3;
    ask_oracle(q);
    for (size_t i = 0; i < n; i++)
        for (size_t at = 0; at < CHECK_OFFSETS; at++)
            ask(&s[i], q, FLUSH_NONE, at);
}

/* Blocks that lie apart. */
static void ask_steps(struct blake2b_lanes_subject *s, size_t n, struct question *q)
{
    for (q->step = FC_BLAKE2B_BLOCK; q->step <= 8 * FC_BLAKE2B_BLOCK; q->step += 72)
        for (q->nblocks = 0; reach(q) <= MAX_LEN; q->nblocks += 3)
            ask_everyone(s, n, q);
    q->step = FC_BLAKE2B_BLOCK;
}

/* Last blocks of every length beside whole ones, and lanes without a message. */
static void ask_mixtures(struct blake2b_lanes_subject *s, size_t n, struct question *q)
{
    q->nblocks = 1;
    for (size_t len = 0; len <= FC_BLAKE2B_BLOCK; len++) {
        set_all(q, FC_BLAKE2B_BLOCK, 0);
        for (size_t i = 0; i < LANES; i++) {
            if ((len >> i & 1) == 0)
                continue;
            q->before.inc[i] = len * (i + 1) % (FC_BLAKE2B_BLOCK + 1);
            q->before.last[i] = UINT64_MAX;
        }
        q->before.inc[len % LANES] = q->before.last[len % LANES] = 0;
        ask_everyone(s, n, q);
    }
}

/* The byte counters carry into their upper halves, at another block in every lane, or at none. */
static void ask_around_carry(struct blake2b_lanes_subject *s, size_t n, struct question *q)
{
    set_all(q, FC_BLAKE2B_BLOCK, 0);
    q->nblocks = 4;
    for (uint64_t below = 1; below <= 4 * FC_BLAKE2B_BLOCK + 1; below += 16) {
        for (size_t i = 0; i < LANES; i++) {
            q->before.t[0][i] = 0 - below * (i + 1) / 2;
            q->before.t[1][i] = i % 3 == 2 ? UINT64_MAX : i;
        }
        ask_everyone(s, n, q);
    }
}

void blake2b_lanes(struct blake2b_lanes_subject *s, size_t n)
{
    static struct question q;

    for (size_t i = 0; i < LANES; i++)
        if (guards[i].lo == NULL)
            guards[i] = guard_new(MAX_LEN + 3 * 64);
    memset(&q, 0, sizeof(q));
    fill_random(&q.before, sizeof(q.before), 9);
    fill_random(q.src, sizeof(q.src), 10);
    q.step = FC_BLAKE2B_BLOCK;
    ask_lengths(s, n, &q);
    ask_steps(s, n, &q);
    ask_mixtures(s, n, &q);
    ask_around_carry(s, n, &q);
}

void checkasm_blake2b_lanes(void)
{
    struct blake2b_lanes_subject s[CHECK_MAX_CANDIDATES];
    size_t n = blake2b_lanes_subjects(s, "blake2b lanes");

    if (n > 0)
        blake2b_lanes(s, n);
    for (size_t i = 0; i < n; i++)
        check_end(&s[i].check);
}
