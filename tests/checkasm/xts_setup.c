/*
 * The AES-XTS operations on keys and tweaks: expand, tweaks.
 */
#include <stdio.h>
#include <string.h>

#include "checkasm.h"

enum { NKEYS = 50 };

/* One key of one candidate. */
struct setup {
    struct xts_subject *s;
    size_t key_len;
    uint64_t seed;
    struct fc_xts_key want; /* as the oracle expands it */
    char where[64];
};

static struct guard guard_secret, guard_key, guard_work;

static void empty_key(struct fc_xts_key *key, size_t key_len)
{
    memset(key, 0, sizeof(*key));
    key->rounds = key_len == 64 ? 14 : 10;
}

void xts_oracle_key(struct fc_xts_key *key, size_t key_len, uint64_t seed)
{
    uint8_t secret[64];

    fill_random(secret, sizeof(secret), seed);
    empty_key(key, key_len);
    xts_oracle()->expand(key, secret);
}

static void judge_schedule(struct setup *t, const char *name, const uint8_t got[15][16],
                           const uint8_t want[15][16])
{
    size_t len = 16 * (t->want.rounds + 1), i = first_difference(got, want, len);

    if (i < len)
        check_fail(&t->s->check, "%s: %s[%zu] is wrong", t->where, name, i / 16);
}

/* The schedules of AES-128 end before those of AES-256 do: what stands there must stay, too. */
static void try_expand(struct setup *t)
{
    static struct checked_call call;
    struct check *c = &t->s->check;
    struct fc_xts_key *key =
        (struct fc_xts_key *)(void *)guard_place(&guard_key, FLUSH_END, sizeof(*key), 0);
    uint8_t secret[64];

    fill_random(secret, sizeof(secret), t->seed);
    empty_key(key, t->key_len);

    call_set(&call, t->s->kern->expand, CALL_PTR(key),
             CALL_PTR(guard_copy(&guard_secret, secret, t->key_len)));
    if (!call_run(&call, c, t->where))
        return;
    judge_schedule(t, "enc_rk", key->enc_rk, t->want.enc_rk);
    judge_schedule(t, "dec_rk", key->dec_rk, t->want.dec_rk);
    judge_schedule(t, "tweak_rk", key->tweak_rk, t->want.tweak_rk);
    if (memcmp(key, &t->want, sizeof(*key)) != 0)
        check_fail(c, "%s: changes more than the round keys", t->where);
    if (c->strict)
        call_seek(&call, c, t->where, key, sizeof(*key));
}

static void try_tweaks_of(struct setup *t, size_t n)
{
    static struct checked_call call;
    struct check *c = &t->s->check;
    struct fc_xts_work want, *work;

    memset(&want, 0x5a, sizeof(want));
    fill_random(want.tweak, sizeof(want.tweak), t->seed + 1);
    work = guard_copy(&guard_work, &want, sizeof(want));
    xts_oracle()->tweaks(&t->want, &want, n);

    call_set(&call, t->s->kern->tweaks, CALL_PTR(&t->want), CALL_PTR(work), n);
    if (!call_run(&call, c, t->where))
        return;
    for (size_t i = 0; i < n; i++)
        if (memcmp(work->tweak[i], want.tweak[i], 16) != 0)
            check_fail(c, "%s: tweak %zu of %zu is wrong", t->where, i, n);
    if (c->strict)
        call_seek(&call, c, t->where, &t->want, sizeof(t->want));
}

static void try_tweaks(struct setup *t)
{
    struct fc_xts_key before = t->want;

    for (size_t n = 1; n <= FC_XTS_CALL_SECTORS; n++)
        try_tweaks_of(t, n);
    if (memcmp(&before, &t->want, sizeof(before)) != 0)
        check_fail(&t->s->check, "%s: the key was changed", t->where);
}

static void try_keys(struct xts_subject *s, void (*try)(struct setup *t))
{
    for (size_t key_len = 32; key_len <= 64; key_len += 32) {
        for (uint64_t seed = 0; seed < NKEYS && !check_failed(&s->check); seed++) {
            struct setup t = {.s = s, .key_len = key_len, .seed = seed};

            xts_oracle_key(&t.want, key_len, seed);
            snprintf(t.where, sizeof(t.where), "XTS-AES-%zu, key %u", 4 * key_len, (unsigned)seed);
            try(&t);
        }
    }
    check_end(&s->check);
}

void checkasm_xts_setup(void)
{
    static const struct {
        const char *op;
        void (*try)(struct setup *t);
    } ops[] = {
        {"xts expand", try_expand},
        {"xts tweaks", try_tweaks},
    };
    struct xts_subject s[CHECK_MAX_CANDIDATES];

    guard_secret = guard_new(64);
    guard_key = guard_new(sizeof(struct fc_xts_key));
    guard_work = guard_new(sizeof(struct fc_xts_work));
    for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
        size_t n = xts_subjects(s, ops[i].op);

        for (size_t k = 0; k < n; k++)
            try_keys(&s[k], ops[i].try);
    }
}
