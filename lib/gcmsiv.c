#include "gcmsiv.h"

#include <string.h>

#include "bytes.h"
#include "kern.h"
#include "secret.h"

enum { BLOCK = 16 };

static size_t whole_blocks(size_t len)
{
    return len / BLOCK;
}

/* The largest number of blocks that POLYVAL of this message is given in one call. */
static size_t most_blocks(const struct fc_gcmsiv_msg *msg)
{
    size_t data = whole_blocks(msg->len), ad = whole_blocks(msg->ad_len);

    return data > ad ? data : ad;
}

/* The lengths block (RFC 8452 section 4), all that is left when the data went by. */
static void polyval_lengths(const struct fc_gcmsiv_kern *kern, struct fc_gcmsiv_mk *mk,
                            const struct fc_gcmsiv_msg *msg)
{
    uint8_t block[BLOCK];

    fc_store_le64(block, (uint64_t)msg->ad_len * 8);
    fc_store_le64(block + 8, (uint64_t)msg->len * 8);
    kern->polyval(mk, block, 1);
}

/* The last len < 16 bytes of src, padded with zeros. */
static void polyval_tail(const struct fc_gcmsiv_kern *kern, struct fc_gcmsiv_mk *mk,
                         const uint8_t *src, size_t len)
{
    uint8_t block[BLOCK] = {0};

    if (len == 0)
        return;
    memcpy(block, src, len);
    kern->polyval(mk, block, 1);
    fc_wipe(block, sizeof(block));
}

static void begin(const struct fc_gcmsiv_kern *kern, struct fc_gcmsiv_mk *mk,
                  const struct fc_gcmsiv_key *key, const struct fc_gcmsiv_msg *msg)
{
    size_t ad_blocks = whole_blocks(msg->ad_len);

    kern->derive(mk, key, msg->nonce, most_blocks(msg));
    if (msg->ad_len == 0)
        return;
    kern->polyval(mk, msg->ad, ad_blocks);
    polyval_tail(kern, mk, msg->ad + ad_blocks * BLOCK, msg->ad_len % BLOCK);
}

/* The tag from POLYVAL's result, and the first counter block from the tag. */
static void make_tag(const struct fc_gcmsiv_kern *kern, struct fc_gcmsiv_mk *mk,
                     const uint8_t *nonce, uint8_t tag[FC_GCMSIV_TAG])
{
    uint8_t block[BLOCK];

    memcpy(block, mk->acc, BLOCK);
    for (size_t i = 0; i < FC_GCMSIV_NONCE; i++)
        block[i] ^= nonce[i];
    block[15] &= 0x7f;
    kern->encrypt_block(mk, tag, block);
    fc_wipe(block, sizeof(block));
}

static void set_counter(struct fc_gcmsiv_mk *mk, const uint8_t tag[FC_GCMSIV_TAG])
{
    memcpy(mk->ctr, tag, BLOCK);
    mk->ctr[15] |= 0x80;
}

/* Encrypts or decrypts the last len < 16 bytes. */
static void ctr_tail(const struct fc_gcmsiv_kern *kern, struct fc_gcmsiv_mk *mk, uint8_t *dst,
                     const uint8_t *src, size_t len)
{
    uint8_t block[BLOCK] = {0};

    if (len == 0)
        return;
    memcpy(block, src, len);
    kern->ctr(mk, block, block, 1);
    memcpy(dst, block, len);
    fc_wipe(block, sizeof(block));
}

/* Hashes msg's plaintext from block done on and finishes: the tag, the counter. */
static void finish_hash(const struct fc_gcmsiv_kern *kern, struct fc_gcmsiv_mk *mk,
                        const struct fc_gcmsiv_msg *msg, size_t done, uint8_t tag[FC_GCMSIV_TAG])
{
    size_t blocks = whole_blocks(msg->len);

    kern->polyval(mk, msg->src + done * BLOCK, blocks - done);
    polyval_tail(kern, mk, msg->src + blocks * BLOCK, msg->len % BLOCK);
    polyval_lengths(kern, mk, msg);
    make_tag(kern, mk, msg->nonce, tag);
    set_counter(mk, tag);
}

/* Encrypts msg from block done on and puts the tag behind it. */
static void finish_encryption(const struct fc_gcmsiv_kern *kern, struct fc_gcmsiv_mk *mk,
                              const struct fc_gcmsiv_msg *msg, size_t done,
                              const uint8_t tag[FC_GCMSIV_TAG])
{
    size_t blocks = whole_blocks(msg->len);

    kern->ctr(mk, msg->dst + done * BLOCK, msg->src + done * BLOCK, blocks - done);
    ctr_tail(kern, mk, msg->dst + blocks * BLOCK, msg->src + blocks * BLOCK, msg->len % BLOCK);
    memcpy(msg->dst + msg->len, tag, FC_GCMSIV_TAG);
}

/* Message i is encrypted while message i + 1 is hashed: two sets of message keys take turns. */
void fc_gcmsiv_seal_with(const struct fc_gcmsiv_kern *kern, const struct fc_gcmsiv_key *key,
                         const struct fc_gcmsiv_msg *msgs, size_t n)
{
    struct fc_gcmsiv_mk mk[2];
    uint8_t tag[2][FC_GCMSIV_TAG];

    if (n == 0)
        return;
    begin(kern, &mk[0], key, &msgs[0]);
    finish_hash(kern, &mk[0], &msgs[0], 0, tag[0]);
    for (size_t i = 0; i + 1 < n; i++) {
        const struct fc_gcmsiv_msg *msg = &msgs[i], *next = &msgs[i + 1];
        struct fc_gcmsiv_mk *enc = &mk[i % 2], *auth = &mk[(i + 1) % 2];
        size_t both = fc_min_size(whole_blocks(msg->len), whole_blocks(next->len));

        begin(kern, auth, key, next);
        kern->pair(enc, auth, msg->dst, msg->src, next->src, both);
        finish_encryption(kern, enc, msg, both, tag[i % 2]);
        finish_hash(kern, auth, next, both, tag[(i + 1) % 2]);
    }
    finish_encryption(kern, &mk[(n - 1) % 2], &msgs[n - 1], 0, tag[(n - 1) % 2]);
    fc_wipe(mk, sizeof(mk));
}

/* After a wrong tag no plaintext may stay: dst becomes zeros. To keep a message that was opened in
 * place, the same key stream once more gives back what was there. */
static void take_back(const struct fc_gcmsiv_kern *kern, struct fc_gcmsiv_mk *mk,
                      const struct fc_gcmsiv_msg *msg, const uint8_t given[FC_GCMSIV_TAG],
                      bool keep)
{
    size_t blocks = whole_blocks(msg->len);
    uint8_t *tail = msg->dst + blocks * BLOCK;

    if (!keep || msg->dst != msg->src) {
        fc_wipe(msg->dst, msg->len);
        return;
    }
    set_counter(mk, given);
    kern->ctr(mk, msg->dst, msg->dst, blocks);
    ctr_tail(kern, mk, tail, tail, msg->len % BLOCK);
}

static bool open_one(const struct fc_gcmsiv_kern *kern, struct fc_gcmsiv_mk *mk,
                     const struct fc_gcmsiv_key *key, const struct fc_gcmsiv_msg *msg, bool keep)
{
    size_t blocks = whole_blocks(msg->len), tail = msg->len % BLOCK;
    uint8_t given[FC_GCMSIV_TAG], expected[FC_GCMSIV_TAG];
    bool ok;

    memcpy(given, msg->src + msg->len, FC_GCMSIV_TAG);
    begin(kern, mk, key, msg);
    set_counter(mk, given);
    kern->open(mk, msg->dst, msg->src, blocks);
    ctr_tail(kern, mk, msg->dst + blocks * BLOCK, msg->src + blocks * BLOCK, tail);
    polyval_tail(kern, mk, msg->dst + blocks * BLOCK, tail);
    polyval_lengths(kern, mk, msg);
    make_tag(kern, mk, msg->nonce, expected);
    ok = fc_ct_equal(given, expected, FC_GCMSIV_TAG);
    if (!ok)
        take_back(kern, mk, msg, given, keep);
    fc_wipe(expected, sizeof(expected));
    return ok;
}

static size_t open_run(const struct fc_gcmsiv_kern *kern, const struct fc_gcmsiv_key *key,
                       const struct fc_gcmsiv_msg *msgs, size_t n, bool keep)
{
    struct fc_gcmsiv_mk mk;
    size_t opened = 0;

    while (opened < n && open_one(kern, &mk, key, &msgs[opened], keep))
        opened++;
    fc_wipe(&mk, sizeof(mk));
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
