/*
 * fc_ctr_xor over the function of one tier: every length in bytes, from anywhere in the stream.
 */
#include <stdio.h>
#include <string.h>

#include "checkasm.h"

enum { FARTHEST = 300 }; /* from the beginning of the stream */

struct question {
    size_t len, offset;
    uint8_t iv[FC_CTR_IV];
    uint8_t want[FARTHEST + CHECK_MAX_LEN + 16]; /* the whole stream, its beginning too */
};

static struct fc_ctr_key keys[3];
static uint8_t plain[CHECK_MAX_LEN];

static void prepare(void)
{
    fill_random(plain, sizeof(plain), 60);
    for (size_t i = 0; i < 3; i++)
        ctr_random_key(&keys[i], 16 + 8 * i, 61 + i);
}

static const struct fc_ctr_key *key_for(const struct question *q)
{
    return &keys[q->len / 16 % 3];
}

/* Whole blocks from the beginning on: nothing of fc_ctr_xor_with. */
static void ask_oracle(struct question *q)
{
    size_t nblocks = (q->offset + q->len + 15) / 16;
    uint8_t counter[FC_CTR_IV];

    memcpy(counter, q->iv, FC_CTR_IV);
    memset(q->want, 0, 16 * nblocks);
    memcpy(q->want + q->offset, plain, q->len);
    ctr_oracle()(key_for(q), q->want, q->want, nblocks, counter);
}

static bool call_xor(const struct transform *t, uint8_t *dst, uint8_t *src, const char *where)
{
    const struct ctr_subject *s = t->subject;
    const struct question *q = t->question;

    (void)where;
    fc_ctr_xor_with(s->kern, key_for(q), dst, src, q->len, q->iv, q->offset);
    return true;
}

/* A length at an offset, from a first counter that changes with them and may carry on the way. */
static void try_stream(struct ctr_subject *s, size_t n, size_t len, size_t offset)
{
    static struct question q;
    struct transform t = {
        .src = plain,
        .want = q.want + offset,
        .len = len,
        .turn = len + offset,
        .call = call_xor,
        .question = &q,
    };

    q.len = len;
    q.offset = offset;
    fill_random(q.iv, FC_CTR_IV, t.turn);
    ctr_before_carry(q.iv, t.turn % 2 ? 64 : 128, 1 + t.turn / 2 % 64);
    ask_oracle(&q);
    snprintf(t.what, sizeof(t.what), "%zu bytes, %zu into the stream", len, offset);
    for (size_t i = 0; i < n; i++) {
        t.subject = &s[i];
        t.check = &s[i].check;
        transform_at(&t, (enum flush)(len % NFLUSH));
    }
}

/* Every length somewhere in the stream; short ones in every place of their first block. */
void checkasm_ctr_api(void)
{
    struct ctr_subject s[CHECK_MAX_CANDIDATES];
    size_t n = ctr_subjects(s, "ctr streams");

    if (n == 0)
        return;
    prepare();
    for (size_t len = 0; len <= CHECK_MAX_LEN; len++)
        if (length_wanted(len))
            try_stream(s, n, len, len * 37 % FARTHEST);
    for (size_t len = 0; len <= 70; len++)
        for (size_t offset = 0; offset <= 16; offset++)
            try_stream(s, n, len, offset);
    for (size_t i = 0; i < n; i++)
        check_end(&s[i].check);
}
