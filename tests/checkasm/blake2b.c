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

struct subjects {
    struct check *c;
    fc_blake2b_compress_fn *const *fns;
    size_t n;
};

static struct guard guard_src;

fc_blake2b_compress_fn *blake2b_oracle(void)
{
    size_t n;
    const struct fc_blake2b_candidate *c = fc_blake2b_candidates(&n);

    return c[n - 1].compress;
}

static void ask(struct check *c, fc_blake2b_compress_fn *fn, const struct question *q, uint8_t *src)
{
    static struct checked_call call;
    static struct fc_blake2b state;
    char where[96];

    if (check_failed(c))
        return;
    snprintf(where, sizeof(where), "%zu blocks, t = %#llx, src %% 64 = %u", q->nblocks,
             (unsigned long long)q->before.t[0], (unsigned)((uintptr_t)src % 64));
    memcpy(src, q->src, q->nblocks * FC_BLAKE2B_BLOCK);
    state = q->before;

    call_set(&call, fn, CALL_PTR(&state), CALL_PTR(src), q->nblocks, q->inc, q->last);
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

static void ask_everyone(const struct subjects *s, struct question *q)
{
    size_t len = q->nblocks * FC_BLAKE2B_BLOCK;

    ask_oracle(q);
    for (size_t i = 0; i < s->n; i++)
        for (enum flush flush = 0; flush < NFLUSH; flush++)
            ask(&s->c[i], s->fns[i], q,
                guard_place(&guard_src, flush, len, (q->nblocks * 13 + 1) % 64));
}

static void ask_all_offsets(const struct subjects *s, struct question *q)
{
    ask_oracle(q);
    for (size_t i = 0; i < s->n; i++)
        for (size_t at = 0; at < CHECK_OFFSETS; at++)
            ask(&s->c[i], s->fns[i], q, guard_place(&guard_src, FLUSH_NONE, 0, at));
}

/* The byte counter is 128 bits: around the carry into its upper half, and its end. */
static void ask_around_carry(const struct subjects *s, struct question *q)
{
    static const uint64_t high[] = {0, 1, UINT64_MAX};

    for (size_t i = 0; i < sizeof(high) / sizeof(high[0]); i++) {
        for (uint64_t below = 1; below <= 4 * FC_BLAKE2B_BLOCK + 1; below += 16) {
            q->before.t[0] = 0 - below;
            q->before.t[1] = high[i];
            q->nblocks = 6;
            ask_everyone(s, q);
        }
    }
}

/* A last block of every length, flagged so; the kernel is given it padded. */
static void ask_last_blocks(const struct subjects *s, struct question *q)
{
    q->nblocks = 1;
    q->last = UINT64_MAX;
    for (q->inc = 0; q->inc <= FC_BLAKE2B_BLOCK; q->inc++)
        ask_everyone(s, q);
}

void blake2b_compress(struct check *c, fc_blake2b_compress_fn *const *fns, size_t n)
{
    static struct question q;
    const struct subjects s = {c, fns, n};

    if (guard_src.lo == NULL)
        guard_src = guard_new(CHECK_MAX_LEN + 3 * 64);
    memset(&q, 0, sizeof(q));
    fill_random(&q.before, sizeof(q.before), 7);
    fill_random(q.src, sizeof(q.src), 8);
    q.inc = FC_BLAKE2B_BLOCK;

    for (q.nblocks = 0; q.nblocks <= MAX_BLOCKS; q.nblocks++)
        ask_everyone(&s, &q);
    for (size_t i = 0; i < CHECK_LENGTHS && check_lengths[i] <= MAX_BLOCKS;
         i += check_options.quick ? 5 : 1) {
        q.nblocks = check_lengths[i];
        ask_all_offsets(&s, &q);
    }
    ask_around_carry(&s, &q);
    ask_last_blocks(&s, &q);
}

void checkasm_blake2b(void)
{
    struct check c[CHECK_MAX_CANDIDATES];
    fc_blake2b_compress_fn *fns[CHECK_MAX_CANDIDATES];
    size_t n, k = 0;
    const struct fc_blake2b_candidate *candidates = fc_blake2b_candidates(&n);

    for (size_t i = 0; i < n && k < CHECK_MAX_CANDIDATES; i++) {
        fns[k] = candidates[i].compress;
        if (check_start(&c[k], "blake2b compress", candidates[i].tier, candidates[i].needs))
            k++;
    }
    if (k > 0)
        blake2b_compress(c, fns, k);
    for (size_t i = 0; i < k; i++)
        check_end(&c[i]);
}
