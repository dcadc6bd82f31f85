#include "gcmsiv.h"

#include <string.h>

#include "bytes.h"
#include "kern.h"
#include "secret.h"

enum { BLOCK = 16, REST_BLOCKS = 16, REST = REST_BLOCKS * BLOCK };

/*
 * A message on its way. Its head, a multiple of REST bytes, is worked on where it stands. The rest,
 * REST bytes at most, is worked on here, padded with zeros: a short message is one call of each
 * kernel.
 */
struct job {
    struct fc_gcmsiv_mk mk;
    uint8_t tag[FC_GCMSIV_TAG];
    size_t head, rest; /* bytes */
    size_t head_blocks, rest_blocks;
    uint8_t block[REST_BLOCKS + 1][BLOCK]; /* the rest, and behind it the lengths block */
};

static void load_rest(struct job *job, const struct fc_gcmsiv_msg *msg)
{
    job->rest = msg->len <= REST ? msg->len : msg->len % REST;
    job->head = msg->len - job->rest;
    job->head_blocks = job->head / BLOCK;
    job->rest_blocks = (job->rest + BLOCK - 1) / BLOCK;
    if (job->rest > 0) {
        memset(job->block[job->rest_blocks - 1], 0, BLOCK);
        memcpy(job->block, msg->src + job->head, job->rest);
    }
    fc_store_le64(job->block[job->rest_blocks], (uint64_t)msg->ad_len * 8);
    fc_store_le64(job->block[job->rest_blocks] + 8, (uint64_t)msg->len * 8);
}

static void unload_rest(const struct job *job, const struct fc_gcmsiv_msg *msg)
{
    if (job->rest > 0)
        memcpy(msg->dst + job->head, job->block, job->rest);
}

static void hash_ad(const struct fc_gcmsiv_kern *kern, struct fc_gcmsiv_mk *mk,
                    const struct fc_gcmsiv_msg *msg)
{
    size_t tail = msg->ad_len % BLOCK, whole = msg->ad_len - tail;
    uint8_t block[BLOCK] = {0};

    kern->polyval(mk, msg->ad, whole / BLOCK);
    memcpy(block, msg->ad + whole, tail);
    kern->polyval(mk, block, tail > 0);
}

/* The rest, the message keys, and POLYVAL as far as the additional data goes. What is stored in
 * small pieces (here, or a counter before this) is stored before derive: a kernel that loads a
 * vector of it soon afterwards would wait. */
static void begin(const struct fc_gcmsiv_kern *kern, struct job *job,
                  const struct fc_gcmsiv_key *key, const struct fc_gcmsiv_msg *msg)
{
    size_t ad_blocks = msg->ad_len / BLOCK;

    load_rest(job, msg);
    kern->derive(&job->mk, key, msg->nonce,
                 job->head_blocks > ad_blocks ? job->head_blocks : ad_blocks);
    if (msg->ad_len > 0)
        hash_ad(kern, &job->mk, msg);
}

/* Hashes a message to seal from byte done of its head on, and finishes: the tag, the counter. */
static void hash_behind(const struct fc_gcmsiv_kern *kern, struct job *job,
                        const struct fc_gcmsiv_msg *msg, size_t done)
{
    if (done < job->head)
        kern->polyval(&job->mk, msg->src + done, (job->head - done) / BLOCK);
    kern->finish(&job->mk, job->tag, job->block[0], job->rest_blocks + 1, msg->nonce);
}

/* Encrypts a message from byte done of its head on, and puts the tag behind it. */
static void encrypt_behind(const struct fc_gcmsiv_kern *kern, struct job *job,
                           const struct fc_gcmsiv_msg *msg, size_t done)
{
    if (done < job->head)
        kern->ctr(&job->mk, msg->dst + done, msg->src + done, (job->head - done) / BLOCK);
    if (job->rest > 0)
        kern->ctr(&job->mk, job->block[0], job->block[0], job->rest_blocks);
    unload_rest(job, msg);
    memcpy(msg->dst + msg->len, job->tag, FC_GCMSIV_TAG);
}

/* Wipes a job that had one message: what that used of the tables, and all that stands in front of
 * and behind them but the blocks it had not. */
static void forget(struct job *job)
{
    struct fc_gcmsiv_mk *mk = &job->mk;
    size_t unused = FC_MK_MAX_POWERS - mk->powers;
    uint8_t *last = mk->hkar[unused], *end = job->block[job->rest_blocks];

    fc_wipe(mk->hpow[unused], BLOCK * mk->powers);
    fc_wipe(last, (size_t)(end - last));
    fc_wipe(mk, offsetof(struct fc_gcmsiv_mk, hpow));
}

static void seal_one(const struct fc_gcmsiv_kern *kern, const struct fc_gcmsiv_key *key,
                     const struct fc_gcmsiv_msg *msg)
{
    struct job job;

    begin(kern, &job, key, msg);
    hash_behind(kern, &job, msg, 0);
    encrypt_behind(kern, &job, msg, 0);
    forget(&job);
}

/* Message i is encrypted while message i + 1 is hashed: two jobs take turns. */
static void seal_run(const struct fc_gcmsiv_kern *kern, const struct fc_gcmsiv_key *key,
                     const struct fc_gcmsiv_msg *msgs, size_t n)
{
    struct job job[2];

    begin(kern, &job[0], key, &msgs[0]);
    hash_behind(kern, &job[0], &msgs[0], 0);
    for (size_t i = 0; i + 1 < n; i++) {
        const struct fc_gcmsiv_msg *msg = &msgs[i], *next = &msgs[i + 1];
        struct job *enc = &job[i % 2], *auth = &job[(i + 1) % 2];
        size_t both;

        begin(kern, auth, key, next);
        both = fc_min_size(enc->head, auth->head);
        if (both > 0)
            kern->pair(&enc->mk, &auth->mk, msg->dst, msg->src, next->src, both / BLOCK);
        encrypt_behind(kern, enc, msg, both);
        hash_behind(kern, auth, next, both);
    }
    encrypt_behind(kern, &job[(n - 1) % 2], &msgs[n - 1], 0);
    fc_wipe(job, sizeof(job));
}

void fc_gcmsiv_seal_with(const struct fc_gcmsiv_kern *kern, const struct fc_gcmsiv_key *key,
                         const struct fc_gcmsiv_msg *msgs, size_t n)
{
    if (n == 1)
        seal_one(kern, key, msgs);
    else if (n > 1)
        seal_run(kern, key, msgs, n);
}

/* The first counter block from the tag. */
static void set_counter(struct fc_gcmsiv_mk *mk, const uint8_t tag[FC_GCMSIV_TAG])
{
    memcpy(mk->ctr, tag, BLOCK);
    mk->ctr[BLOCK - 1] |= 0x80;
}

/* Decrypts and hashes; the rest stays in the job. Whether the tag is right. */
static bool decrypt(const struct fc_gcmsiv_kern *kern, struct job *job,
                    const struct fc_gcmsiv_key *key, const struct fc_gcmsiv_msg *msg,
                    const uint8_t given[FC_GCMSIV_TAG])
{
    set_counter(&job->mk, given);
    begin(kern, job, key, msg);
    if (job->head > 0)
        kern->open(&job->mk, msg->dst, msg->src, job->head_blocks);
    if (job->rest > 0)
        kern->ctr(&job->mk, job->block[0], job->block[0], job->rest_blocks);
    memset((uint8_t *)job->block + job->rest, 0, BLOCK * job->rest_blocks - job->rest);
    kern->finish(&job->mk, job->tag, job->block[0], job->rest_blocks + 1, msg->nonce);
    return fc_ct_equal(given, job->tag, FC_GCMSIV_TAG);
}

/* After a wrong tag no plaintext may stay: dst becomes zeros. To keep a message that was opened in
 * place, the same key stream once more gives back its head; its rest was not touched. */
static void take_back(const struct fc_gcmsiv_kern *kern, struct job *job,
                      const struct fc_gcmsiv_msg *msg, const uint8_t given[FC_GCMSIV_TAG],
                      bool keep)
{
    if (!keep || msg->dst != msg->src) {
        fc_wipe(msg->dst, msg->len);
        return;
    }
    set_counter(&job->mk, given);
    kern->ctr(&job->mk, msg->dst, msg->dst, job->head_blocks);
}

static bool open_one(const struct fc_gcmsiv_kern *kern, const struct fc_gcmsiv_key *key,
                     const struct fc_gcmsiv_msg *msg, bool keep)
{
    uint8_t given[FC_GCMSIV_TAG];
    struct job job;
    bool ok;

    memcpy(given, msg->src + msg->len, FC_GCMSIV_TAG);
    ok = decrypt(kern, &job, key, msg, given);
    if (ok)
        unload_rest(&job, msg);
    else
        take_back(kern, &job, msg, given, keep);
    forget(&job);
    return ok;
}

static size_t open_run(const struct fc_gcmsiv_kern *kern, const struct fc_gcmsiv_key *key,
                       const struct fc_gcmsiv_msg *msgs, size_t n, bool keep)
{
    size_t opened = 0;

    while (opened < n && open_one(kern, key, &msgs[opened], keep))
        opened++;
    return opened;
}

size_t fc_gcmsiv_open_with(const struct fc_gcmsiv_kern *kern, const struct fc_gcmsiv_key *key,
                           const struct fc_gcmsiv_msg *msgs, size_t n)
{
    return open_run(kern, key, msgs, n, false);
}

void fc_gcmsiv_key_init(struct fc_gcmsiv_key *key, const uint8_t *secret, size_t key_len)
{
    key->key_len = (uint32_t)key_len;
    key->rounds = (uint32_t)key_len / 4 + 6;
    fc_gcmsiv_chosen()->kern.expand(key, secret);
}

void fc_gcmsiv_key_wipe(struct fc_gcmsiv_key *key)
{
    fc_wipe(key, sizeof(*key));
}

void fc_gcmsiv_seal(const struct fc_gcmsiv_key *key, const struct fc_gcmsiv_msg *msgs, size_t n)
{
    fc_gcmsiv_seal_with(&fc_gcmsiv_chosen()->kern, key, msgs, n);
}

size_t fc_gcmsiv_open(const struct fc_gcmsiv_key *key, const struct fc_gcmsiv_msg *msgs, size_t n)
{
    return fc_gcmsiv_open_with(&fc_gcmsiv_chosen()->kern, key, msgs, n);
}

size_t fc_gcmsiv_open_or_keep(const struct fc_gcmsiv_key *key, const struct fc_gcmsiv_msg *msgs,
                              size_t n)
{
    return open_run(&fc_gcmsiv_chosen()->kern, key, msgs, n, true);
}

const char *fc_gcmsiv_tier_name(void)
{
    return fc_tier_name(fc_gcmsiv_chosen()->tier);
}
