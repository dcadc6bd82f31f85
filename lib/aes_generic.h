/*
 * AES (FIPS 197) in portable constant-time C: no tables, no branches on secrets.
 *
 * Eight blocks are worked on abreast, bit-sliced: plane i holds bit i of every byte of the eight
 * states. Round keys stand in memory in the byte order of FIPS 197 and are brought into planes once
 * per run of blocks.
 */
#ifndef FC_AES_GENERIC_H
#define FC_AES_GENERIC_H

#include <stddef.h>
#include <stdint.h>

enum { FC_AES_BLOCK = 16, FC_AES_MAX_ROUNDS = 14, FC_AES_ABREAST = 8 };

/* Lane c is column c of the state, its byte r (counted from the low end) is row r, and bit b of
 * that byte belongs to block b. */
typedef uint32_t fc_aes_plane __attribute__((vector_size(16)));

/* Round keys in planes: a secret, to be wiped by whoever made it. */
struct fc_aes_sliced_key {
    fc_aes_plane rk[FC_AES_MAX_ROUNDS + 1][8];
    uint32_t rounds;
};

/* fc_aes_expand_generic(rk, secret, key_len): expands secret[key_len], key_len 16, 24 or 32, into
 * rk[16 * (rounds + 1)], rounds = key_len / 4 + 6 (FIPS 197 section 5.2). */
void fc_aes_expand_generic(uint8_t *rk, const uint8_t *secret, size_t key_len);

/* fc_aes_invert_generic(dec_rk, rk, rounds): the key schedule of the equivalent inverse cipher
 * (FIPS 197 section 5.3.5) in the order in which decryption uses it; dec_rk and rk are
 * 16 * (rounds + 1) bytes and do not overlap. Not needed for decryption here. */
void fc_aes_invert_generic(uint8_t *dec_rk, const uint8_t *rk, uint32_t rounds);

/* fc_aes_slice_generic(key, rk, rounds): brings rk[16 * (rounds + 1)], of fc_aes_expand_generic,
 * into planes, for encryption and decryption alike. */
void fc_aes_slice_generic(struct fc_aes_sliced_key *key, const uint8_t *rk, uint32_t rounds);

/* fc_aes_encrypt_generic, fc_aes_decrypt_generic(key, dst, src, nblocks): each block by itself. dst
 * may equal src. */
void fc_aes_encrypt_generic(const struct fc_aes_sliced_key *key, uint8_t *dst, const uint8_t *src,
                            size_t nblocks);
void fc_aes_decrypt_generic(const struct fc_aes_sliced_key *key, uint8_t *dst, const uint8_t *src,
                            size_t nblocks);

/* The next nblocks counter blocks; ctr[16] moves on behind them. */
typedef void fc_aes_count_fn(uint8_t (*block)[FC_AES_BLOCK], uint8_t *ctr, size_t nblocks);

/* fc_aes_ctr_generic(rk, rounds, dst, src, nblocks, ctr, count): counter mode (SP 800-38A section
 * 6.5): dst = src xor the encrypted counter blocks that count makes of ctr[16]. rk is of
 * fc_aes_expand_generic; dst may equal src. */
void fc_aes_ctr_generic(const uint8_t *rk, uint32_t rounds, uint8_t *dst, const uint8_t *src,
                        size_t nblocks, uint8_t *ctr, fc_aes_count_fn *count);

#endif
