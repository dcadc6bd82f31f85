/*
 * The generic tier of AES-GCM-SIV. hpow holds H itself in its last entry and nothing else.
 */
#include <string.h>

#include "aes_generic.h"
#include "bytes.h"
#include "kern.h"
#include "polyval_generic.h"
#include "secret.h"

enum { BLOCK = FC_AES_BLOCK, H = FC_MK_MAX_POWERS - 1 };

void fc_gcmsiv_expand_generic(struct fc_gcmsiv_key *key, const uint8_t *secret)
{
    fc_aes_expand_generic(key->rk[0], secret, key->key_len);
}

void fc_gcmsiv_derive_generic(struct fc_gcmsiv_mk *mk, const struct fc_gcmsiv_key *key,
                              const uint8_t *nonce, size_t nblocks)
{
    struct fc_aes_sliced_key sliced;
    uint8_t block[6][BLOCK], keys[6 * 8]; /* 16 bytes for POLYVAL, key_len for AES */
    size_t n = 2 + key->key_len / 8;

    (void)nblocks; /* one power serves any number */
    for (uint32_t i = 0; i < n; i++) {
        fc_store_le32(block[i], i);
        memcpy(block[i] + 4, nonce, FC_GCMSIV_NONCE);
    }
    fc_aes_slice_generic(&sliced, key->rk[0], key->rounds);
    fc_aes_encrypt_generic(&sliced, block[0], block[0], n);
    for (size_t i = 0; i < n; i++)
        memcpy(keys + 8 * i, block[i], 8);

    memcpy(mk->hpow[H], keys, BLOCK);
    fc_aes_expand_generic(mk->rk[0], keys + BLOCK, key->key_len);
    mk->rounds = key->rounds;
    mk->powers = 1;
    memset(mk->acc, 0, BLOCK);
    fc_wipe(&sliced, sizeof(sliced));
    fc_wipe(block, sizeof(block));
    fc_wipe(keys, sizeof(keys));
}

void fc_gcmsiv_polyval_generic(struct fc_gcmsiv_mk *mk, const uint8_t *src, size_t nblocks)
{
    fc_polyval_generic(mk->acc, mk->hpow[H], src, nblocks);
}

static void count(uint8_t (*block)[BLOCK], uint8_t *ctr, size_t nblocks)
{
    uint32_t counter = fc_load_le32(ctr);

    for (size_t i = 0; i < nblocks; i++) {
        fc_store_le32(block[i], counter++);
        memcpy(block[i] + 4, ctr + 4, BLOCK - 4);
    }
    fc_store_le32(ctr, counter);
}

void fc_gcmsiv_ctr_generic(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src,
                           size_t nblocks)
{
    fc_aes_ctr_generic(mk->rk[0], mk->rounds, dst, src, nblocks, mk->ctr, count);
}

void fc_gcmsiv_open_generic(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src,
                            size_t nblocks)
{
    fc_gcmsiv_ctr_generic(mk, dst, src, nblocks);
    fc_gcmsiv_polyval_generic(mk, dst, nblocks);
}

void fc_gcmsiv_pair_generic(struct fc_gcmsiv_mk *enc, struct fc_gcmsiv_mk *auth, uint8_t *dst,
                            const uint8_t *src, const uint8_t *hsrc, size_t nblocks)
{
    fc_gcmsiv_ctr_generic(enc, dst, src, nblocks);
    fc_gcmsiv_polyval_generic(auth, hsrc, nblocks);
}

void fc_gcmsiv_finish_generic(struct fc_gcmsiv_mk *mk, uint8_t *tag, const uint8_t *src,
                              size_t nblocks, const uint8_t *nonce)
{
    struct fc_aes_sliced_key sliced;

    fc_polyval_generic(mk->acc, mk->hpow[H], src, nblocks);
    for (size_t i = 0; i < FC_GCMSIV_NONCE; i++)
        mk->acc[i] ^= nonce[i];
    mk->acc[BLOCK - 1] &= 0x7f;
    fc_aes_slice_generic(&sliced, mk->rk[0], mk->rounds);
    fc_aes_encrypt_generic(&sliced, tag, mk->acc, 1);
    memcpy(mk->ctr, tag, BLOCK);
    mk->ctr[BLOCK - 1] |= 0x80;
    fc_wipe(&sliced, sizeof(sliced));
}
