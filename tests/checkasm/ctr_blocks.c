/*
 * The AES-CTR operation, over whole blocks.
 */
#include <stdio.h>
#include <string.h>

#include "checkasm.h"

enum {
    MOST_BLOCKS = CHECK_MAX_LEN / 16,
    FARTHEST = 64,     /* from a carry: two of the widest groups, of 32 blocks */
    CARRY_BLOCKS = 100 /* three of them and a tail */
};

/* What is asked of every candidate, and the oracle's answer. */
struct question {
    size_t nblocks;
    struct fc_ctr_key key;
    uint8_t before[FC_CTR_IV], after[FC_CTR_IV];
    uint8_t src[CHECK_MAX_LEN], dst[CHECK_MAX_LEN];
};

static struct guard guard_key, guard_counter;

void ctr_random_key(struct fc_ctr_key *key, size_t key_len, uint64_t seed)
{
    uint8_t secret[32];

    memset(key, 0, sizeof(*key));
    fill_random(secret, sizeof(secret), seed);
    fc_ctr_key_init(key, secret, key_len);
}

void ctr_before_carry(uint8_t counter[FC_CTR_IV], unsigned bits, unsigned distance)
{
    memset(counter + FC_CTR_IV - bits / 8, 0xff, bits / 8);
    counter[FC_CTR_IV - 1] = (uint8_t)(0 - distance);
}

static void ask_oracle(struct question *q)
{
    memcpy(q->after, q->before, FC_CTR_IV);
    ctr_oracle()(&q->key, q->dst, q->src, q->nblocks, q->after);
}

/* One call of one candidate. The counter stands flush with the end of its page, or anywhere. */
static bool call_kernel(const struct transform *t, uint8_t *dst, uint8_t *src, const char *where)
{
    static struct checked_call call;
    const struct ctr_subject *s = t->subject;
    const struct question *q = t->question;
    struct check *c = t->check;
    struct fc_ctr_key *key = guard_copy(&guard_key, &q->key, sizeof(*key));
    uint8_t *counter = guard_place(&guard_counter, q->nblocks % 3 ? FLUSH_END : FLUSH_NONE,
                                   FC_CTR_IV, q->nblocks % 64);

    guard_fill(&guard_counter);
    memcpy(counter, q->before, FC_CTR_IV);
    call_set(&call, s->kern, CALL_PTR(key), CALL_PTR(dst), CALL_PTR(src), q->nblocks,
             CALL_PTR(counter));
    if (!call_run(&call, c, where))
        return false;
    if (memcmp(counter, q->after, FC_CTR_IV) != 0)
        check_fail(c, "%s: the counter behind is wrong", where);
    if (!guard_intact(&guard_counter, counter, FC_CTR_IV))
        check_fail(c, "%s: writes outside the counter", where);
    if (memcmp(key, &q->key, sizeof(*key)) != 0)
        check_fail(c, "%s: changes the key", where);
    if (c->strict)
        call_seek(&call, c, where, &q->key, sizeof(q->key));
    return true;
}

/* At all the places that try goes through. */
static void ask(struct ctr_subject *s, size_t n, struct question *q,
                void (*try)(const struct transform *t))
{
    struct transform t = {
        .src = q->src,
        .want = q->dst,
        .len = 16 * q->nblocks,
        .turn = q->nblocks,
        .call = call_kernel,
        .question = q,
    };

    ask_oracle(q);
    snprintf(t.what, sizeof(t.what), "AES-%u, %zu blocks from counter ...%02x%02x",
             32 * q->key.rounds - 192, q->nblocks, q->before[14], q->before[15]);
    for (size_t i = 0; i < n; i++) {
        t.subject = &s[i];
        t.check = &s[i].check;
        try(&t);
    }
}

static void at_end(const struct transform *t)
{
    transform_at(t, FLUSH_END);
}

/* Every distance from where the counter carries out of its low bits, and every number of blocks up
 * to there and behind. */
static void ask_around_carry(struct ctr_subject *s, size_t n, struct question *q, unsigned bits)
{
    size_t step = check_options.quick ? 11 : 1;

    fill_random(q->before, FC_CTR_IV, bits);
    for (unsigned distance = 1; distance <= FARTHEST; distance++) {
        ctr_before_carry(q->before, bits, distance);
        for (q->nblocks = 3 * distance % step; q->nblocks <= CARRY_BLOCKS; q->nblocks += step)
            ask(s, n, q, at_end);
    }
}

static void make_question(struct question *q, size_t key_len)
{
    memset(q, 0, sizeof(*q));
    ctr_random_key(&q->key, key_len, 50);
    fill_random(q->before, sizeof(q->before), 51);
    fill_random(q->src, sizeof(q->src), 52);
}

void ctr_blocks(struct ctr_subject *s, size_t n)
{
    static struct question q;

    if (guard_key.lo == NULL) {
        guard_key = guard_new(sizeof(struct fc_ctr_key));
        guard_counter = guard_new(3 * 64);
    }
    for (size_t key_len = 32; key_len >= 16; key_len -= 8) {
        make_question(&q, key_len);
        for (q.nblocks = 0; q.nblocks <= MOST_BLOCKS; q.nblocks++)
            if (length_wanted(q.nblocks))
                ask(s, n, &q, transform_places);
        for (size_t i = 0; i < CHECK_LENGTHS; i += check_options.quick ? 5 : 1) {
            q.nblocks = check_lengths[i];
            ask(s, n, &q, transform_offsets);
        }
        for (unsigned bits = 32; bits <= 128; bits *= 2)
            ask_around_carry(s, n, &q, bits);
    }
}

void checkasm_ctr_blocks(void)
{
    struct ctr_subject s[CHECK_MAX_CANDIDATES];
    size_t n = ctr_subjects(s, "ctr xor");

    if (n > 0)
        ctr_blocks(s, n);
    for (size_t i = 0; i < n; i++)
        check_end(&s[i].check);
}
