/*
 * The AES-XTS operations that run over sectors of whole blocks: encrypt, decrypt.
 */
#include <stdio.h>
#include <string.h>

#include "bytes.h"
#include "checkasm.h"

enum {
    MOST_BLOCKS = CHECK_MAX_LEN / 16,
    SHARED_BLOCKS =
        144, /* in sectors side by side: twice more than the widest group and its tail */
};

/* What is asked of every candidate, and the oracle's answer. */
struct question {
    bool decrypting;
    size_t nsectors, nblocks;
    struct fc_xts_key key;
    struct fc_xts_work work;
    uint8_t src[CHECK_MAX_LEN], dst[CHECK_MAX_LEN];
};

static struct guard guard_key, guard_work;

static void make_guards(void)
{
    if (guard_key.lo != NULL)
        return;
    guard_key = guard_new(sizeof(struct fc_xts_key));
    guard_work = guard_new(sizeof(struct fc_xts_work));
}

static size_t data_len(const struct question *q)
{
    return 16 * q->nblocks * q->nsectors;
}

static void ask_oracle(struct question *q)
{
    const struct fc_xts_kern *k = xts_oracle();

    (q->decrypting ? k->decrypt : k->encrypt)(&q->key, q->dst, q->src, &q->work, q->nsectors,
                                              q->nblocks);
}

/* One call of one candidate. */
static bool call_kernel(const struct transform *t, uint8_t *dst, uint8_t *src, const char *where)
{
    static struct checked_call call;
    const struct xts_subject *s = t->subject;
    const struct question *q = t->question;
    struct check *c = t->check;
    struct fc_xts_key *key = guard_copy(&guard_key, &q->key, sizeof(*key));
    struct fc_xts_work *work = guard_copy(&guard_work, &q->work, sizeof(*work));

    call_set(&call, q->decrypting ? s->kern->decrypt : s->kern->encrypt, CALL_PTR(key),
             CALL_PTR(dst), CALL_PTR(src), CALL_PTR(work), q->nsectors, q->nblocks);
    if (!call_run(&call, c, where))
        return false;
    if (memcmp(work->tweak, q->work.tweak, sizeof(work->tweak)) != 0)
        check_fail(c, "%s: changes the tweaks", where);
    if (memcmp(key, &q->key, sizeof(*key)) != 0)
        check_fail(c, "%s: changes the key", where);
    if (c->strict) {
        call_seek(&call, c, where, &q->key, sizeof(q->key));
        call_seek(&call, c, where, q->work.tweak, 16 * q->nsectors);
    }
    return true;
}

/* At all the places that try goes through. */
static void ask(struct xts_subject *s, size_t n, struct question *q,
                void (*try)(const struct transform *t))
{
    struct transform t = {
        .src = q->src,
        .want = q->dst,
        .len = data_len(q),
        .turn = q->nblocks,
        .call = call_kernel,
        .question = q,
    };

    ask_oracle(q);
    snprintf(t.what, sizeof(t.what), "%zu sectors of %zu blocks", q->nsectors, q->nblocks);
    for (size_t i = 0; i < n; i++) {
        t.subject = &s[i];
        t.check = &s[i].check;
        try(&t);
    }
}

/* One sector of every length; several of the lengths that tails and groups are made of; every
 * number of short ones. */
static void ask_lengths(struct xts_subject *s, size_t n, struct question *q)
{
    q->nsectors = 1;
    for (q->nblocks = 1; q->nblocks <= MOST_BLOCKS; q->nblocks++)
        if (length_wanted(q->nblocks))
            ask(s, n, q, transform_places);
    for (q->nblocks = 1; q->nblocks <= SHARED_BLOCKS / 2; q->nblocks++) {
        q->nsectors = fc_min_size(SHARED_BLOCKS / q->nblocks, FC_XTS_CALL_SECTORS);
        ask(s, n, q, transform_places);
    }
    q->nblocks = 3;
    for (q->nsectors = 1; q->nsectors <= FC_XTS_CALL_SECTORS; q->nsectors++)
        ask(s, n, q, transform_places);
}

void xts_sectors(bool decrypting, struct xts_subject *s, size_t n)
{
    static struct question q;

    make_guards();
    for (size_t key_len = 64; key_len >= 32; key_len -= 32) {
        memset(&q, 0, sizeof(q));
        q.decrypting = decrypting;
        xts_oracle_key(&q.key, key_len, 30);
        fill_random(&q.work, sizeof(q.work), 31);
        fill_random(q.src, sizeof(q.src), 32);
        ask_lengths(s, n, &q);
        q.nsectors = 1;
        for (size_t i = 0; i < CHECK_LENGTHS; i += check_options.quick ? 5 : 1) {
            q.nblocks = check_lengths[i];
            ask(s, n, &q, transform_offsets);
        }
    }
}

void checkasm_xts_sectors(void)
{
    for (int decrypting = 0; decrypting < 2; decrypting++) {
        struct xts_subject s[CHECK_MAX_CANDIDATES];
        size_t n = xts_subjects(s, decrypting ? "xts decrypt" : "xts encrypt");

        if (n > 0)
            xts_sectors(decrypting, s, n);
        for (size_t i = 0; i < n; i++)
            check_end(&s[i].check);
    }
}
