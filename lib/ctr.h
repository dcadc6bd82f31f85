/*
 * AES-CTR (SP 800-38A section 6.5), AES-128, AES-192 and AES-256, with the standard incrementing
 * function over all 128 bits of the counter block (appendix B.1). CTR hides contents; it does not
 * authenticate, and a key stream must not be used twice.
 */
#ifndef FC_CTR_H
#define FC_CTR_H

#include <stddef.h>
#include <stdint.h>

enum { FC_CTR_IV = 16 };

/* Expanded: a secret, read-only once made, shared by threads. */
struct fc_ctr_key {
    _Alignas(64) uint8_t rk[15][16]; /* AES round keys, FIPS 197 section 5.2 */
    uint32_t rounds;                 /* 10, 12 or 14 */
};

/* fc_ctr_key_init(key, secret, key_len): expands secret[key_len], key_len 16, 24 or 32. */
void fc_ctr_key_init(struct fc_ctr_key *key, const uint8_t *secret, size_t key_len);

/* fc_ctr_key_wipe(key): forgets it. */
void fc_ctr_key_wipe(struct fc_ctr_key *key);

/* fc_ctr_xor(key, dst, src, len, iv, offset): encrypts or decrypts src[len] -> dst[len], which
 * stand `offset` bytes behind the beginning of the stream whose first counter block is iv[16]. dst
 * may equal src; otherwise they must not overlap. */
void fc_ctr_xor(const struct fc_ctr_key *key, uint8_t *dst, const uint8_t *src, size_t len,
                const uint8_t iv[FC_CTR_IV], uint64_t offset);

#endif
