/*
 * AES-GCM-SIV (RFC 8452), AES-128 and AES-256.
 *
 * A key is expanded once and then read-only: threads share it. Messages are sealed and opened in
 * runs: sealing hashes a message before it encrypts it, so a run lets the hash of message i + 1 go
 * beside the encryption of message i.
 */
#ifndef FC_GCMSIV_H
#define FC_GCMSIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FC_GCMSIV_NONCE = 12, FC_GCMSIV_TAG = 16 };

/* At most this many bytes in one message (RFC 8452 section 6: 2^36). The same holds for ad. */
#define FC_GCMSIV_MAX_LEN ((uint64_t)1 << 36)

/* The key-generating key, expanded. */
struct fc_gcmsiv_key {
    _Alignas(64) uint8_t rk[15][16]; /* AES round keys, FIPS 197 section 5.2 */
    uint32_t rounds;                 /* 10 or 14 */
    uint32_t key_len;                /* 16 or 32 */
};

/* One message of a run. seal: src[len] -> dst[len + 16]; open: src[len + 16] -> dst[len].
 * dst may equal src; otherwise they must not overlap, nor may a dst overlap any other
 * message's src or dst. ad may be NULL when ad_len is 0. */
struct fc_gcmsiv_msg {
    uint8_t nonce[FC_GCMSIV_NONCE];
    const uint8_t *ad;
    size_t ad_len;
    const uint8_t *src;
    uint8_t *dst;
    size_t len; /* of the plaintext */
};

/* fc_gcmsiv_key_init(key, secret, key_len): expands secret[key_len], key_len 16 or 32. */
void fc_gcmsiv_key_init(struct fc_gcmsiv_key *key, const uint8_t *secret, size_t key_len);

/* fc_gcmsiv_key_wipe(key): forgets it. */
void fc_gcmsiv_key_wipe(struct fc_gcmsiv_key *key);

/* fc_gcmsiv_seal(key, msgs, n): seals n messages (RFC 8452 section 4). */
void fc_gcmsiv_seal(const struct fc_gcmsiv_key *key, const struct fc_gcmsiv_msg *msgs, size_t n);

/* fc_gcmsiv_open(key, msgs, n): opens messages in order (RFC 8452 section 5) until a tag is wrong.
 * Returns how many were opened: n when all were. dst[len] of the first one that was not is zeros;
 * those behind it are untouched. */
size_t fc_gcmsiv_open(const struct fc_gcmsiv_key *key, const struct fc_gcmsiv_msg *msgs, size_t n);

/* fc_gcmsiv_open_or_keep(key, msgs, n): the same, but a message refused in place (dst equals src)
 * is left as it was, for a caller that looks at it again. */
size_t fc_gcmsiv_open_or_keep(const struct fc_gcmsiv_key *key, const struct fc_gcmsiv_msg *msgs,
                              size_t n);

/* fc_gcmsiv_tier_name(): the name of the tier in use. */
const char *fc_gcmsiv_tier_name(void);

#endif
