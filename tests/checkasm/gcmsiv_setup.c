/*
 * The AES-GCM-SIV operations that begin and end a message: expand, derive, finish.
 */
#include <stdio.h>
#include <string.h>

#include "checkasm.h"

enum { NKEYS = 50, MAX_BLOCKS = 40 };

/* One key length of one candidate. */
struct setup {
    struct gcmsiv_subject *s;
    uint32_t key_len;
    uint64_t seed;
    struct fc_gcmsiv_key want; /* as the oracle expands it */
    char where[64];
};

static struct guard guard_in, guard_out, guard_state;

static void empty_key(struct fc_gcmsiv_key *key, uint32_t key_len)
{
    memset(key, 0, sizeof(*key));
    key->rounds = key_len == 32 ? 14 : 10;
    key->key_len = key_len;
}

static bool same_round_keys(const uint8_t a[15][16], const uint8_t b[15][16], uint32_t rounds)
{
    return memcmp(a, b, 16 * (rounds + 1)) == 0;
}

static void try_expand(struct setup *t)
{
    static struct checked_call call;
    struct check *c = &t->s->check;
    uint8_t secret[32], *flush;
    struct fc_gcmsiv_key *key;

    fill_random(secret, sizeof(secret), t->seed);
    flush = guard_copy(&guard_in, secret, t->key_len);
    key = (struct fc_gcmsiv_key *)(void *)guard_place(&guard_state, FLUSH_END, sizeof(*key), 0);
    empty_key(key, t->key_len);

    call_set(&call, t->s->kern->expand, CALL_PTR(key), CALL_PTR(flush));
    if (!call_run(&call, c, t->where))
        return;
    if (!same_round_keys(key->rk, t->want.rk, t->want.rounds))
        check_fail(c, "%s: rk is wrong", t->where);
    if (key->rounds != t->want.rounds || key->key_len != t->key_len)
        check_fail(c, "%s: rounds or key_len were changed", t->where);
    if (c->strict)
        call_seek(&call, c, t->where, key, sizeof(*key));
}

/* Whether powers of H are right shows in polyval: gcmsiv_bulk.c. Here: round keys, and acc. */
static void try_derive(struct setup *t)
{
    static struct checked_call call;
    struct check *c = &t->s->check;
    struct fc_gcmsiv_mk want, *mk;
    uint8_t nonce[FC_GCMSIV_NONCE], *flush;

    fill_random(nonce, sizeof(nonce), t->seed + 1);
    memset(&want, 0, sizeof(want));
    gcmsiv_oracle()->derive(&want, &t->want, nonce, t->seed);

    flush = guard_copy(&guard_in, nonce, sizeof(nonce));
    mk = (struct fc_gcmsiv_mk *)(void *)guard_place(&guard_state, FLUSH_END, sizeof(*mk), 0);
    memset(mk, 0x5a, sizeof(*mk));

    call_set(&call, t->s->kern->derive, CALL_PTR(mk), CALL_PTR(&t->want), CALL_PTR(flush), t->seed);
    if (!call_run(&call, c, t->where))
        return;
    if (mk->rounds != want.rounds || !same_round_keys(mk->rk, want.rk, want.rounds))
        check_fail(c, "%s: rk or rounds are wrong", t->where);
    if (memcmp(mk->acc, want.acc, sizeof(mk->acc)) != 0)
        check_fail(c, "%s: acc is not zero", t->where);
    if (c->strict) {
        call_seek(&call, c, t->where, mk->rk, 16 * (mk->rounds + 1));
        call_seek(&call, c, t->where, &t->want, sizeof(t->want));
    }
}

/* The counter comes from the tag; acc may be anything. */
static void judge_finished(struct check *c, const char *where, const struct fc_gcmsiv_mk *got,
                           const struct fc_gcmsiv_mk *before, const uint8_t tag[16])
{
    struct fc_gcmsiv_mk want = *before;

    memcpy(want.ctr, tag, 16);
    want.ctr[15] |= 0x80;
    memcpy(want.acc, got->acc, 16);
    if (memcmp(got->ctr, want.ctr, 16) != 0)
        check_fail(c, "%s: ctr is wrong", where);
    if (memcmp(got, &want, sizeof(want)) != 0)
        check_fail(c, "%s: the message keys were changed", where);
}

/* Blocks to finish over: an empty message's, and as many as a kernel may be given with few powers
 * or with all. Those with an even seed know beforehand how many they will be. */
static void try_finish(struct setup *t)
{
    static struct checked_call call;
    struct check *c = &t->s->check;
    size_t nblocks = 1 + t->seed * 7 % MAX_BLOCKS, most = t->seed % 2 ? 1 : nblocks;
    uint8_t blocks[16 * MAX_BLOCKS], nonce[FC_GCMSIV_NONCE], want[16], *src, *dst;
    struct fc_gcmsiv_mk mk, before;

    fill_random(blocks, sizeof(blocks), t->seed + 2);
    fill_random(nonce, sizeof(nonce), t->seed + 3);
    gcmsiv_oracle()->derive(&mk, &t->want, nonce, most);
    fill_random(mk.acc, sizeof(mk.acc), t->seed + 4);
    gcmsiv_oracle()->finish(&mk, want, blocks, nblocks, nonce);

    memset(&before, 0, sizeof(before));
    t->s->kern->derive(&before, &t->want, nonce, most);
    fill_random(before.acc, sizeof(before.acc), t->seed + 4);
    for (enum flush flush = 0; flush < NFLUSH; flush++) {
        guard_fill(&guard_out);
        src = guard_place(&guard_in, flush, 16 * nblocks, t->seed % 64);
        dst = guard_place(&guard_out, flush, 16, t->seed * 5 % 64);
        memcpy(src, blocks, 16 * nblocks);
        memcpy(&mk, &before, sizeof(mk));

        call_set(&call, t->s->kern->finish, CALL_PTR(&mk), CALL_PTR(dst), CALL_PTR(src), nblocks,
                 CALL_PTR(nonce));
        if (!call_run(&call, c, t->where))
            return;
        guard_judge(&guard_out, c, t->where, dst, want, 16);
        if (memcmp(src, blocks, 16 * nblocks) != 0)
            check_fail(c, "%s: changes src", t->where);
        judge_finished(c, t->where, &mk, &before, want);
        if (c->strict)
            call_seek(&call, c, t->where, &before, sizeof(before));
    }
}

static void try_keys(struct gcmsiv_subject *s, void (*try)(struct setup *t))
{
    for (uint32_t key_len = 16; key_len <= 32; key_len += 16) {
        for (uint64_t seed = 0; seed < NKEYS && !check_failed(&s->check); seed++) {
            struct setup t = {.s = s, .key_len = key_len, .seed = seed};
            uint8_t secret[32];

            fill_random(secret, sizeof(secret), seed);
            empty_key(&t.want, key_len);
            gcmsiv_oracle()->expand(&t.want, secret);
            snprintf(t.where, sizeof(t.where), "%u-bit key %u", 8 * key_len, (unsigned)seed);
            try(&t);
        }
    }
    check_end(&s->check);
}

void checkasm_gcmsiv_setup(void)
{
    static const struct {
        const char *op;
        void (*try)(struct setup *t);
    } ops[] = {
        {"gcmsiv expand", try_expand},
        {"gcmsiv derive", try_derive},
        {"gcmsiv finish", try_finish},
    };
    struct gcmsiv_subject s[CHECK_MAX_CANDIDATES];

    guard_in = guard_new(16 * MAX_BLOCKS + 2 * 64);
    guard_out = guard_new(1);
    guard_state = guard_new(sizeof(struct fc_gcmsiv_mk));
    for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
        size_t n = gcmsiv_subjects(s, ops[i].op);

        for (size_t k = 0; k < n; k++)
            try_keys(&s[k], ops[i].try);
    }
}
