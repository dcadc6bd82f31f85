/*
 * The AES-GCM-SIV operations that run over many blocks: polyval, ctr, open, pair.
 */
#include <stdio.h>
#include <string.h>

#include "bytes.h"
#include "checkasm.h"

static const char *const op_names[OP_NUMBER] = {
    [OP_POLYVAL] = "gcmsiv polyval",
    [OP_CTR] = "gcmsiv ctr",
    [OP_OPEN] = "gcmsiv open",
    [OP_PAIR] = "gcmsiv pair",
};

struct progress_state {
    uint8_t acc[16], ctr[16];
};

/* Message keys come in twos: pair's enc and auth. The other operations use the second, which ends
 * where its memory ends. */
enum { ENC, AUTH, ONE = AUTH };

/* What is asked of every candidate, and the oracle's answer. */
struct question {
    enum bulk_op op;
    size_t nblocks;
    const struct fc_gcmsiv_key *key;
    uint8_t nonce[2][FC_GCMSIV_NONCE];
    uint8_t src[CHECK_MAX_LEN], hsrc[CHECK_MAX_LEN];
    struct progress_state before[2], after[2];
    uint8_t dst[CHECK_MAX_LEN];
};

/* The buffers of one call; dst may be src. */
struct placement {
    uint8_t *dst, *src, *hsrc;
};

static struct guard guard_dst, guard_src, guard_hsrc, guard_mk;

static void make_guards(void)
{
    if (guard_dst.lo != NULL)
        return;
    guard_dst = guard_new(CHECK_MAX_LEN + 3 * 64);
    guard_src = guard_new(CHECK_MAX_LEN + 3 * 64);
    guard_hsrc = guard_new(CHECK_MAX_LEN + 3 * 64);
    guard_mk = guard_new(2 * sizeof(struct fc_gcmsiv_mk));
}

static size_t out_len(const struct question *q)
{
    return q->op == OP_POLYVAL ? 0 : 16 * q->nblocks;
}

static void prepare_call(struct checked_call *call, const struct fc_gcmsiv_kern *kern,
                         enum bulk_op op, struct fc_gcmsiv_mk mk[2], const struct placement *p,
                         size_t nblocks)
{
    const uint64_t enc = CALL_PTR(&mk[ENC]), auth = CALL_PTR(&mk[AUTH]), one = CALL_PTR(&mk[ONE]);
    const uint64_t dst = CALL_PTR(p->dst), src = CALL_PTR(p->src), hsrc = CALL_PTR(p->hsrc);

    switch (op) {
    case OP_POLYVAL:
        call_set(call, kern->polyval, one, src, nblocks);
        break;
    case OP_CTR:
        call_set(call, kern->ctr, one, dst, src, nblocks);
        break;
    case OP_OPEN:
        call_set(call, kern->open, one, dst, src, nblocks);
        break;
    default:
        call_set(call, kern->pair, enc, auth, dst, src, hsrc, nblocks);
        break;
    }
}

static void set_states(struct fc_gcmsiv_mk mk[2], const struct progress_state states[2])
{
    for (size_t i = 0; i < 2; i++) {
        memcpy(mk[i].acc, states[i].acc, 16);
        memcpy(mk[i].ctr, states[i].ctr, 16);
    }
}

/* Message keys as this candidate derives them, in the states before the call. */
static void derive_keys(struct fc_gcmsiv_mk mk[2], const struct fc_gcmsiv_kern *kern,
                        const struct question *q)
{
    memset(mk, 0, 2 * sizeof(*mk));
    for (size_t i = 0; i < 2; i++)
        kern->derive(&mk[i], q->key, q->nonce[i], q->nblocks);
    set_states(mk, q->before);
}

static void ask_oracle(struct question *q)
{
    const struct fc_gcmsiv_kern *k = gcmsiv_oracle();
    struct fc_gcmsiv_mk mk[2];

    derive_keys(mk, k, q);
    switch (q->op) {
    case OP_POLYVAL:
        k->polyval(&mk[ONE], q->src, q->nblocks);
        break;
    case OP_CTR:
        k->ctr(&mk[ONE], q->dst, q->src, q->nblocks);
        break;
    case OP_OPEN:
        k->ctr(&mk[ONE], q->dst, q->src, q->nblocks);
        k->polyval(&mk[ONE], q->dst, q->nblocks);
        break;
    default:
        k->ctr(&mk[ENC], q->dst, q->src, q->nblocks);
        k->polyval(&mk[AUTH], q->hsrc, q->nblocks);
        break;
    }
    for (size_t i = 0; i < 2; i++) {
        memcpy(q->after[i].acc, mk[i].acc, 16);
        memcpy(q->after[i].ctr, mk[i].ctr, 16);
    }
}

static void judge_states(struct check *c, const char *where, const struct question *q,
                         const struct fc_gcmsiv_mk got[2], const struct fc_gcmsiv_mk base[2])
{
    struct fc_gcmsiv_mk want[2];

    memcpy(want, base, sizeof(want));
    set_states(want, q->after);
    for (size_t i = 0; i < 2; i++) {
        if (memcmp(got[i].acc, want[i].acc, 16) != 0)
            check_fail(c, "%s: acc is wrong", where);
        if (memcmp(got[i].ctr, want[i].ctr, 16) != 0)
            check_fail(c, "%s: ctr is wrong", where);
        if (memcmp(&got[i], &want[i], sizeof(want[i])) != 0)
            check_fail(c, "%s: the message keys were changed", where);
    }
}

static void judge_buffers(struct check *c, const char *where, const struct question *q,
                          const struct placement *p)
{
    size_t src_len = 16 * q->nblocks;

    guard_judge(&guard_dst, c, where, p->dst, q->dst, out_len(q));
    if (p->src != p->dst && memcmp(p->src, q->src, src_len) != 0)
        check_fail(c, "%s: changes src", where);
    if (memcmp(p->hsrc, q->hsrc, src_len) != 0)
        check_fail(c, "%s: changes hsrc", where);
}

/* One call of one candidate with the buffers at one place. */
static void ask(struct gcmsiv_subject *s, const struct question *q,
                const struct fc_gcmsiv_mk base[2], const struct placement *p)
{
    static struct checked_call call;
    struct fc_gcmsiv_mk *mk = (struct fc_gcmsiv_mk *)(void *)guard_mk.hi - 2;
    char where[96];

    if (check_failed(&s->check))
        return;
    snprintf(where, sizeof(where), "%zu blocks, src %% 64 = %u, dst %% 64 = %u%s", q->nblocks,
             (unsigned)((uintptr_t)p->src % 64), (unsigned)((uintptr_t)p->dst % 64),
             p->src == p->dst ? ", in place" : "");

    guard_fill(&guard_dst);
    memcpy(p->src, q->src, 16 * q->nblocks);
    memcpy(p->hsrc, q->hsrc, 16 * q->nblocks);
    memcpy(mk, base, 2 * sizeof(*mk));

    prepare_call(&call, s->kern, q->op, mk, p, q->nblocks);
    if (!call_run(&call, &s->check, where))
        return;
    judge_buffers(&s->check, where, q, p);
    judge_states(&s->check, where, q, mk, base);
    if (s->check.strict)
        call_seek(&call, &s->check, where, base, 2 * sizeof(*base));
}

static void ask_at(struct gcmsiv_subject *s, const struct question *q,
                   const struct fc_gcmsiv_mk base[2], enum flush flush, const size_t offset[3])
{
    size_t len = 16 * q->nblocks;
    struct placement p = {
        .dst = guard_place(&guard_dst, flush, out_len(q), offset[0]),
        .src = guard_place(&guard_src, flush, len, offset[1]),
        .hsrc = guard_place(&guard_hsrc, flush, len, offset[2]),
    };

    ask(s, q, base, &p);
    if (q->op != OP_POLYVAL) {
        p.src = p.dst;
        ask(s, q, base, &p);
    }
}

/* Every place that one length is tried at: flush with either end, and at an offset that changes
 * with the length. */
static void ask_everyone(struct gcmsiv_subject *s, size_t n, struct question *q)
{
    const size_t offset[3] = {(q->nblocks * 7 + 3) % 64, (q->nblocks * 13 + 1) % 64,
                              (q->nblocks * 29 + 2) % 64};
    struct fc_gcmsiv_mk base[2];

    ask_oracle(q);
    for (size_t i = 0; i < n; i++) {
        derive_keys(base, s[i].kern, q);
        for (enum flush flush = 0; flush < NFLUSH; flush++)
            ask_at(&s[i], q, base, flush, offset);
    }
}

static void ask_all_offsets(struct gcmsiv_subject *s, size_t n, struct question *q)
{
    struct fc_gcmsiv_mk base[2];

    ask_oracle(q);
    for (size_t i = 0; i < n; i++) {
        derive_keys(base, s[i].kern, q);
        for (size_t at = 0; at < CHECK_OFFSETS; at++) {
            /* Odd factors: each of the three goes through all 64 offsets. */
            const size_t offset[3] = {at, (at * 37 + q->nblocks) % 64, (at * 11 + 5) % 64};

            ask_at(&s[i], q, base, FLUSH_NONE, offset);
        }
    }
}

/* The first 32 bits of ctr stand distance blocks before 2^32; the others are all ones, to show a
 * carry. */
static void ask_around_wrap(struct gcmsiv_subject *s, size_t n, struct question *q)
{
    uint8_t *ctr = q->before[q->op == OP_PAIR ? ENC : ONE].ctr;

    memset(ctr, 0xff, 16);
    for (uint32_t distance = 1; distance <= 64; distance++) {
        const size_t lengths[] = {distance - 1, distance, distance + 1, distance + 16, 130};

        fc_store_le32(ctr, 0 - distance);
        for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]);
             i += check_options.quick ? 2 : 1) {
            q->nblocks = lengths[i];
            ask_everyone(s, n, q);
        }
    }
}

static void make_question(struct question *q, enum bulk_op op, const struct fc_gcmsiv_key *key)
{
    memset(q, 0, sizeof(*q));
    q->op = op;
    q->key = key;
    fill_random(q->nonce, sizeof(q->nonce), 1);
    fill_random(q->src, sizeof(q->src), 2);
    fill_random(q->hsrc, sizeof(q->hsrc), 3);
    fill_random(q->before, sizeof(q->before), 4);
}

void gcmsiv_bulk(enum bulk_op op, struct gcmsiv_subject *s, size_t n)
{
    static struct question q;
    uint8_t secret[32];

    make_guards();
    fill_random(secret, sizeof(secret), 5);
    for (uint32_t key_len = 32; key_len >= 16; key_len -= 16) {
        struct fc_gcmsiv_key key = {.rounds = key_len == 32 ? 14 : 10, .key_len = key_len};

        gcmsiv_oracle()->expand(&key, secret);
        make_question(&q, op, &key);
        for (q.nblocks = 0; q.nblocks <= CHECK_MAX_LEN / 16; q.nblocks++)
            if (length_wanted(q.nblocks))
                ask_everyone(s, n, &q);
        for (size_t i = 0; i < CHECK_LENGTHS; i += check_options.quick ? 5 : 1) {
            q.nblocks = check_lengths[i];
            ask_all_offsets(s, n, &q);
        }
        if (op != OP_POLYVAL)
            ask_around_wrap(s, n, &q);
    }
}

void checkasm_gcmsiv_bulk(void)
{
    for (enum bulk_op op = 0; op < OP_NUMBER; op++) {
        struct gcmsiv_subject s[CHECK_MAX_CANDIDATES];
        size_t n = gcmsiv_subjects(s, op_names[op]);

        if (n > 0)
            gcmsiv_bulk(op, s, n);
        for (size_t i = 0; i < n; i++)
            check_end(&s[i].check);
    }
}
