/*
 * The BLAKE2b compression function over many blocks.
 */
#include <stdio.h>
#include <string.h>

#include "checkasm.h"

enum { MAX_BLOCKS = CHECK_MAX_LEN / FC_BLAKE2B_BLOCK };

struct question {
    size_t nblocks;
    uint64_t inc, last;
    struct fc_blake2b before, after;
    uint8_t src[CHECK_MAX_LEN];
};

static struct guard guard_src;

static void ask(struct blake2b_subject *s, const struct question *q, uint8_t *src)
{
    static struct checked_call call;
    static struct fc_blake2b state;
    struct check *c = &s->check;
    char where[96];

    if (check_failed(c))
        return;
    snprintf(where, sizeof(where), "%zu blocks, t = %#llx, src %% 64 = %u", q->nblocks,
             (unsigned long long)q->before.t[0], (unsigned)((uintptr_t)src % 64));
    memcpy(src, q->src, q->nblocks * FC_BLAKE2B_BLOCK);
    state = q->before;

    call_set(&call, s->kern, CALL_PTR(&state), CALL_PTR(src), q->nblocks, q->inc, q->last);
    if (!call_run(&call, c, where))
        return;
    if (memcmp(state.h, q->after.h, sizeof(state.h)) != 0)
        check_fail(c, "%s: h is wrong", where);
    if (memcmp(state.t, q->after.t, sizeof(state.t)) != 0)
        check_fail(c, "%s: t is wrong", where);
    if (memcmp(&state, &q->after, sizeof(state)) != 0)
        check_fail(c, "%s: changes more of the state than h and t", where);
    if (memcmp(src, q->src, q->nblocks * FC_BLAKE2B_BLOCK) != 0)
        check_fail(c, "%s: changes src", where);
    if (c->strict)
        call_seek(&call, c, where, src, q->nblocks > 0 ? FC_BLAKE2B_BLOCK : 0);
}

static void ask_oracle(struct question *q)
{
    q->after = q->before;
    blake2b_oracle()(&q->after, q->src, q->nblocks, q->inc, q->last);
}

static void ask_everyone(struct blake2b_subject *s, size_t n, struct question *q)
{
    size_t len = q->nblocks * FC_BLAKE2B_BLOCK;

    ask_oracle(q);
    for (size_t i = 0; i < n; i++)
        for (enum flush flush = 0; flush < NFLUSH; flush++)
            ask(&s[i], q, guard_place(&guard_src, flush, len, (q->nblocks * 13 + 1) % 64));
}

static void ask_all_offsets(struct blake2b_subject *s, size_t n, struct question *q)
{
    ask_oracle(q);
    for (size_t i = 0; i < n; i++)
        for (size_t at = 0; at < CHECK_OFFSETS; at++)
            ask(&s[i], q, guard_place(&guard_src, FLUSH_NONE, 0, at));
}

/* The byte counter is 128 bits: around the carry into its upper half, and its end. */
static void ask_around_carry(struct blake2b_subject *s, size_t n, struct question *q)
{
    static const uint64_t high[] = {0, 1, UINT64_MAX};

    for (size_t i = 0; i < sizeof(high) / sizeof(high[0]); i++) {
        for (uint64_t below = 1; below <= 4 * FC_BLAKE2B_BLOCK + 1; below += 16) {
            q->before.t[0] = 0 - below;
            q->before.t[1] = high[i];
            q->nblocks = 6;
            ask_everyone(s, n, q);
        }
    }
}

/* A last block of every length, flagged so; the kernel is given it padded. */
static void ask_last_blocks(struct blake2b_subject *s, size_t n, struct question *q)
{
    q->nblocks = 1;
    q->last = UINT64_MAX;
    for (q->inc = 0; q->inc <= FC_BLAKE2B_BLOCK; q->inc++)
        ask_everyone(s, n, q);
}

void blake2b_compress(struct blake2b_subject *s, size_t n)
{
    static struct question q;

    if (guard_src.lo == NULL)
        guard_src = guard_new(CHECK_MAX_LEN + 3 * 64);
    memset(&q, 0, sizeof(q));
    fill_random(&q.before, sizeof(q.before), 7);
    fill_random(q.src, sizeof(q.src), 8);
    q.inc = FC_BLAKE2B_BLOCK;

    for (q.nblocks = 0; q.nblocks <= MAX_BLOCKS; q.nblocks++)
        ask_everyone(s, n, &q);
    for (size_t i = 0; i < CHECK_LENGTHS && check_lengths[i] <= MAX_BLOCKS;
         i += check_options.quick ? 5 : 1) {
        q.nblocks = check_lengths[i];
        ask_all_offsets(s, n, &q);
    }
    ask_around_carry(s, n, &q);
    ask_last_blocks(s, n, &q);
}

void checkasm_blake2b(void)
{
    struct blake2b_subject s[CHECK_MAX_CANDIDATES];
    size_t n = blake2b_subjects(s, "blake2b compress");

    if (n > 0)
        blake2b_compress(s, n);
    for (size_t i = 0; i < n; i++)
        check_end(&s[i].check);
}
