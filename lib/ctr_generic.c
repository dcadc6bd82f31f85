/*
 * The generic tier of AES-CTR.
 */
#include <string.h>

#include "aes_generic.h"
#include "bytes.h"
#include "kern.h"
#include "secret.h"

enum { BLOCK = FC_AES_BLOCK };

/* counter = counter + 1, big-endian. */
static void increment(uint8_t counter[FC_CTR_IV])
{
    unsigned carry = 1;

    for (int i = FC_CTR_IV - 1; i >= 0; i--) {
        carry += counter[i];
        counter[i] = (uint8_t)carry;
        carry >>= 8;
    }
}

void fc_ctr_xor_generic(const struct fc_ctr_key *key, uint8_t *dst, const uint8_t *src,
                        size_t nblocks, uint8_t counter[FC_CTR_IV])
{
    struct fc_aes_sliced_key sliced;
    uint8_t stream[FC_AES_ABREAST][BLOCK];

    if (nblocks == 0)
        return;
    fc_aes_slice_generic(&sliced, key->rk[0], key->rounds);
    while (nblocks > 0) {
        size_t n = fc_min_size(nblocks, FC_AES_ABREAST);

        for (size_t i = 0; i < n; i++) {
            memcpy(stream[i], counter, BLOCK);
            increment(counter);
        }
        fc_aes_encrypt_generic(&sliced, stream[0], stream[0], n);
        for (size_t i = 0; i < n; i++)
            fc_xor_block(dst + BLOCK * i, src + BLOCK * i, stream[i]);
        dst += n * BLOCK;
        src += n * BLOCK;
        nblocks -= n;
    }
    fc_wipe(&sliced, sizeof(sliced));
    fc_wipe(stream, sizeof(stream));
}
