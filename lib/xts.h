/*
 * AES-XTS (IEEE 1619-2018, SP 800-38E), AES-128 and AES-256, over many data units per call.
 *
 * A data unit is what a disk calls a sector. The tweak of sector s of a run is the 128-bit
 * little-endian number first + s * stride, which never reaches 2^64 here, encrypted under the
 * second half of the key. XTS hides contents; it does not authenticate.
 */
#ifndef FC_XTS_H
#define FC_XTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

enum { FC_XTS_MIN_SECTOR = 16 };

/* Expanded: a secret, read-only once made, shared by threads. */
struct fc_xts_key {
    _Alignas(64) uint8_t enc_rk[15][16]; /* AES round keys of the data key, FIPS 197 section 5.2 */
    uint8_t dec_rk[15][16];   /* those of the equivalent inverse cipher, section 5.3.5, in the
                                 order in which decryption uses them */
    uint8_t tweak_rk[15][16]; /* of the tweak key */
    uint32_t rounds;          /* 10 or 14 */
};

/* A run of count sectors of sector_len bytes each, standing one behind the other. sector_len is 16
 * or more; where it is no multiple of 16 the last two blocks of each sector steal ciphertext. */
struct fc_xts_run {
    uint64_t first;  /* the tweak of the first sector */
    uint64_t stride; /* from one sector's tweak to the next one's, modulo 2^64 */
    size_t sector_len;
    size_t count;
};

/* fc_xts_key_init(key, secret, key_len): secret[key_len], key_len 32 (XTS-AES-128) or 64
 * (XTS-AES-256): data key, then tweak key. */
void fc_xts_key_init(struct fc_xts_key *key, const uint8_t *secret, size_t key_len);

/* fc_xts_key_wipe(key): forgets it. */
void fc_xts_key_wipe(struct fc_xts_key *key);

/* fc_xts_halves_equal(secret, key_len): whether data key and tweak key are the same, in constant
 * time. Such a key must not be used to encrypt (SP 800-38E via FIPS 140-3 IG C.I). */
bool fc_xts_halves_equal(const uint8_t *secret, size_t key_len);

/* fc_xts_encrypt, fc_xts_decrypt(key, dst, src, run): dst and src are sector_len * count bytes, of
 * any alignment; dst may equal src, otherwise they must not overlap. */
void fc_xts_encrypt(const struct fc_xts_key *key, uint8_t *dst, const uint8_t *src,
                    const struct fc_xts_run *run);
void fc_xts_decrypt(const struct fc_xts_key *key, uint8_t *dst, const uint8_t *src,
                    const struct fc_xts_run *run);

#endif
