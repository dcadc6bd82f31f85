/*
 * AES-GCM-SIV: whole calls beside the peers, and the kernels alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kern.h"
#include "suite.h"

enum { MAX_CANDIDATES = FC_NTIERS, RUN = 16, MAX_LEN = 65536, BLOCK = 16 };

static const size_t key_lens[] = {32, 16};
static const struct {
    size_t len;
    enum fc_bench_depth depth;
} call_lens[] = {{16, FC_BENCH_ALL},        {50, FC_BENCH_ALL},     {64, FC_BENCH_BRIEF},
                 {97, FC_BENCH_ALL},        {512, FC_BENCH_ALL},    {1024, FC_BENCH_BRIEF},
                 {1024 + 97, FC_BENCH_ALL}, {8192, FC_BENCH_BRIEF}, {MAX_LEN, FC_BENCH_BRIEF}};
static const size_t kernel_lens[] = {8192, 65536};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* What one candidate works on. Candidates share the buffers, which are large enough for a run. */
struct work {
    const struct fc_gcmsiv_kern *kern;
    struct fc_gcmsiv_key key;
    struct fc_gcmsiv_mk mk, other;
    struct fc_gcmsiv_msg msgs[RUN];
    size_t count;
    uint8_t *src, *dst;
    size_t nblocks;
};

struct fixture {
    struct work work[MAX_CANDIDATES];
    uint8_t *src, *dst;
};

static const uint8_t secret[32] = {7, 8, 9};
static const uint8_t nonce[FC_GCMSIV_NONCE] = {10, 11, 12};

static void run_seal(void *arg, size_t reps)
{
    struct work *w = arg;

    while (reps-- > 0)
        fc_gcmsiv_seal_with(w->kern, &w->key, w->msgs, w->count);
}

/* What was sealed just before cannot be refused. */
static void run_open(void *arg, size_t reps)
{
    struct work *w = arg;

    while (reps-- > 0)
        if (fc_gcmsiv_open_with(w->kern, &w->key, w->msgs, w->count) != w->count)
            abort();
}

static void run_derive(void *arg, size_t reps)
{
    struct work *w = arg;

    while (reps-- > 0)
        w->kern->derive(&w->mk, &w->key, nonce, w->nblocks);
}

static void run_polyval(void *arg, size_t reps)
{
    struct work *w = arg;

    while (reps-- > 0)
        w->kern->polyval(&w->mk, w->src, w->nblocks);
}

static void run_ctr(void *arg, size_t reps)
{
    struct work *w = arg;

    while (reps-- > 0)
        w->kern->ctr(&w->mk, w->src, w->src, w->nblocks);
}

static void run_open_kernel(void *arg, size_t reps)
{
    struct work *w = arg;

    while (reps-- > 0)
        w->kern->open(&w->mk, w->src, w->src, w->nblocks);
}

static void run_pair(void *arg, size_t reps)
{
    struct work *w = arg;

    while (reps-- > 0)
        w->kern->pair(&w->mk, &w->other, w->src, w->src, w->dst, w->nblocks);
}

static void set_up(struct work *w, const struct fixture *f, const struct fc_gcmsiv_kern *kern,
                   size_t key_len)
{
    w->kern = kern;
    w->src = f->src;
    w->dst = f->dst;
    w->key.key_len = (uint32_t)key_len;
    w->key.rounds = (uint32_t)key_len / 4 + 6;
    kern->expand(&w->key, secret);
}

/* The messages of a call: in place to seal, from src to dst to open. */
static void set_messages(struct work *w, size_t len, size_t count, bool in_place)
{
    w->count = count;
    for (size_t i = 0; i < count; i++) {
        struct fc_gcmsiv_msg *msg = &w->msgs[i];

        *msg = (struct fc_gcmsiv_msg){.src = w->src + i * peer_stride(len), .len = len};
        msg->dst = (in_place ? w->src : w->dst) + i * peer_stride(len);
        memcpy(msg->nonce, nonce, sizeof(nonce));
    }
}

/* Candidates agree (the tests see to that): what one of them sealed, all of them open. */
static void seal_to_open(struct work *w, size_t len)
{
    set_messages(w, len, 1, true);
    fc_gcmsiv_seal_with(w->kern, &w->key, w->msgs, 1);
}

/* Whole calls. A single message is sealed in two passes, a run in one and a bit. */
static const struct call {
    const char *name;
    bench_run_fn *run;
    enum peer_op op;
    size_t count;
    enum limit_work limit;
} calls[] = {
    {"seal", run_seal, PEER_GCMSIV_SEAL, 1, LIMIT_TURN},
    {"seal x16", run_seal, PEER_GCMSIV_SEAL, RUN, LIMIT_BOTH},
    {"open", run_open, PEER_GCMSIV_OPEN, 1, LIMIT_BOTH},
};

static const struct kernel {
    const char *name;
    bench_run_fn *run;
    bool limited;
    enum limit_work limit;
} kernels[] = {
    {"derive", run_derive, false, 0},     {"polyval", run_polyval, true, LIMIT_PCL},
    {"ctr", run_ctr, true, LIMIT_AES},    {"open", run_open_kernel, true, LIMIT_BOTH},
    {"pair", run_pair, true, LIMIT_BOTH},
};

/* Adds every candidate, with its key expanded. */
static void add_candidates(struct suite *suite, struct fixture *f, size_t key_len,
                           bench_run_fn *run)
{
    size_t n;
    const struct fc_gcmsiv_candidate *candidates = fc_gcmsiv_candidates(&n);

    for (size_t i = 0; i < n; i++) {
        struct work *w = &f->work[i];

        if (suite_candidate(suite, candidates[i].tier, candidates[i].needs, run, w))
            set_up(w, f, &candidates[i].kern, key_len);
    }
}

static void call_group(struct suite *suite, enum fc_bench_depth depth, struct fixture *f,
                       size_t key_len, size_t len, const struct call *call)
{
    bool open = call->op == PEER_GCMSIV_OPEN;
    struct peer_job job = {.op = call->op, .key_len = key_len, .len = len, .count = call->count};
    char op[64];

    snprintf(op, sizeof(op), "gcmsiv-%zu %s", key_len * 8, call->name);
    if (!suite_begin(suite, depth, op, len, call->count))
        return;
    add_candidates(suite, f, key_len, call->run);
    if (open && suite->n > 0)
        seal_to_open(suite->racers[0].arg, len);
    for (size_t i = 0; i < suite->n; i++)
        set_messages(suite->racers[i].arg, len, call->count, !open);
    suite_peers(suite, &job);
    suite_limits(suite, call->limit, (unsigned)key_len / 4 + 6);
    suite_race(suite);
}

static void kernel_group(struct suite *suite, struct fixture *f, size_t key_len, size_t len,
                         const struct kernel *kernel)
{
    char op[64];

    snprintf(op, sizeof(op), "gcmsiv-%zu kernel %s", key_len * 8, kernel->name);
    if (!suite_begin(suite, FC_BENCH_USUAL, op, len, 1))
        return;
    add_candidates(suite, f, key_len, kernel->run);
    for (size_t i = 0; i < suite->n; i++) {
        struct work *w = suite->racers[i].arg;

        w->nblocks = len / BLOCK;
        w->kern->derive(&w->mk, &w->key, nonce, w->nblocks);
        w->kern->derive(&w->other, &w->key, nonce, w->nblocks);
    }
    if (kernel->limited)
        suite_limits(suite, kernel->limit, (unsigned)key_len / 4 + 6);
    suite_race(suite);
}

static void all_groups(struct suite *suite, struct fixture *f, size_t key_len)
{
    for (size_t i = 0; i < COUNT(calls); i++)
        for (size_t j = 0; j < COUNT(call_lens); j++)
            call_group(suite, call_lens[j].depth, f, key_len, call_lens[j].len, &calls[i]);
    for (size_t i = 0; i < COUNT(kernels); i++)
        for (size_t j = 0; j < COUNT(kernel_lens); j++)
            kernel_group(suite, f, key_len, kernel_lens[j], &kernels[i]);
}

void rows_gcmsiv(struct suite *suite)
{
    struct fixture *f = aligned_alloc(_Alignof(struct fixture), sizeof(*f));

    if (f == NULL) {
        suite_no_memory(suite);
        return;
    }
    memset(f, 0, sizeof(*f));
    f->src = peer_buffer(MAX_LEN, RUN);
    f->dst = peer_buffer(MAX_LEN, RUN);
    if (f->src != NULL && f->dst != NULL)
        for (size_t i = 0; i < COUNT(key_lens); i++)
            all_groups(suite, f, key_lens[i]);
    else
        suite_no_memory(suite);
    free(f->src);
    free(f->dst);
    free(f);
}
