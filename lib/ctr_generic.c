/*
 * The generic tier of AES-CTR.
 */
#include <string.h>

#include "aes_generic.h"
#include "kern.h"

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

static void count(uint8_t (*block)[BLOCK], uint8_t *ctr, size_t nblocks)
{
    for (size_t i = 0; i < nblocks; i++) {
        memcpy(block[i], ctr, BLOCK);
        increment(ctr);
    }
}

void fc_ctr_xor_generic(const struct fc_ctr_key *key, uint8_t *dst, const uint8_t *src,
                        size_t nblocks, uint8_t counter[FC_CTR_IV])
{
    fc_aes_ctr_generic(key->rk[0], key->rounds, dst, src, nblocks, counter, count);
}
