/*
 * The generic tier of AES-XTS. work->next holds the tweaks of the blocks under work. Decryption
 * takes enc_rk: see aes_generic.c.
 */
#include <string.h>

#include "aes_generic.h"
#include "bytes.h"
#include "kern.h"
#include "secret.h"

enum { BLOCK = FC_AES_BLOCK };

void fc_xts_expand_generic(struct fc_xts_key *key, const uint8_t *secret)
{
    size_t half = 4 * (key->rounds - 6);

    fc_aes_expand_generic(key->enc_rk[0], secret, half);
    fc_aes_invert_generic(key->dec_rk[0], key->enc_rk[0], key->rounds);
    fc_aes_expand_generic(key->tweak_rk[0], secret + half, half);
}

void fc_xts_tweaks_generic(const struct fc_xts_key *key, struct fc_xts_work *work, size_t n)
{
    struct fc_aes_sliced_key sliced;

    fc_aes_slice_generic(&sliced, key->tweak_rk[0], key->rounds);
    fc_aes_encrypt_generic(&sliced, work->tweak[0], work->tweak[0], n);
    fc_wipe(&sliced, sizeof(sliced));
}

/* The tweaks of the next n blocks into work->next; tweak moves on by them. */
static void next_tweaks(struct fc_xts_work *work, uint8_t tweak[BLOCK], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        memcpy(work->next[i], tweak, BLOCK);
        fc_xts_move_tweak(tweak, 1);
    }
}

static void add_tweaks(uint8_t *dst, const uint8_t *src, const struct fc_xts_work *work, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fc_xor_block(dst + BLOCK * i, src + BLOCK * i, work->next[i]);
}

/* fc_aes_encrypt_generic or fc_aes_decrypt_generic. */
typedef void cipher_fn(const struct fc_aes_sliced_key *key, uint8_t *dst, const uint8_t *src,
                       size_t nblocks);

static void do_sectors(cipher_fn *cipher, const struct fc_xts_key *key, uint8_t *dst,
                       const uint8_t *src, struct fc_xts_work *work, size_t nsectors,
                       size_t nblocks)
{
    struct fc_aes_sliced_key sliced;
    uint8_t tweak[BLOCK];

    fc_aes_slice_generic(&sliced, key->enc_rk[0], key->rounds);
    for (size_t s = 0; s < nsectors; s++) {
        memcpy(tweak, work->tweak[s], BLOCK);
        for (size_t done = 0, n; done < nblocks; done += n) {
            n = fc_min_size(nblocks - done, FC_AES_ABREAST);
            next_tweaks(work, tweak, n);
            add_tweaks(dst, src, work, n);
            cipher(&sliced, dst, dst, n);
            add_tweaks(dst, dst, work, n);
            dst += BLOCK * n;
            src += BLOCK * n;
        }
    }
    fc_wipe(&sliced, sizeof(sliced));
    fc_wipe(tweak, sizeof(tweak));
}

void fc_xts_encrypt_generic(const struct fc_xts_key *key, uint8_t *dst, const uint8_t *src,
                            struct fc_xts_work *work, size_t nsectors, size_t nblocks)
{
    do_sectors(fc_aes_encrypt_generic, key, dst, src, work, nsectors, nblocks);
}

void fc_xts_decrypt_generic(const struct fc_xts_key *key, uint8_t *dst, const uint8_t *src,
                            struct fc_xts_work *work, size_t nsectors, size_t nblocks)
{
    do_sectors(fc_aes_decrypt_generic, key, dst, src, work, nsectors, nblocks);
}
