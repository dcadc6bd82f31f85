#include "ctr.h"

#include <string.h>

#include "aes_generic.h"
#include "bytes.h"
#include "kern.h"
#include "secret.h"

enum { BLOCK = 16 };

/* counter = iv + n, big-endian, modulo 2^128. */
static void counter_at(uint8_t counter[FC_CTR_IV], const uint8_t iv[FC_CTR_IV], uint64_t n)
{
    unsigned carry = 0;

    for (int i = FC_CTR_IV - 1; i >= 0; i--) {
        carry += iv[i] + (unsigned)(n & 0xff);
        counter[i] = (uint8_t)carry;
        carry >>= 8;
        n >>= 8;
    }
}

/* len <= 16 bytes that stand `skip` bytes into the block at counter, which moves on by one. */
static void xor_part(fc_ctr_fn *xor_blocks, const struct fc_ctr_key *key, uint8_t *dst,
                     const uint8_t *src, size_t len, size_t skip, uint8_t counter[FC_CTR_IV])
{
    uint8_t block[BLOCK] = {0};

    memcpy(block + skip, src, len);
    xor_blocks(key, block, block, 1, counter);
    memcpy(dst, block + skip, len);
    fc_wipe(block, sizeof(block));
}

void fc_ctr_xor_with(fc_ctr_fn *xor_blocks, const struct fc_ctr_key *key, uint8_t *dst,
                     const uint8_t *src, size_t len, const uint8_t iv[FC_CTR_IV], uint64_t offset)
{
    size_t skip = offset % BLOCK, head = skip == 0 ? 0 : fc_min_size(len, BLOCK - skip);
    size_t nblocks = (len - head) / BLOCK, tail = (len - head) % BLOCK;
    uint8_t counter[FC_CTR_IV];

    counter_at(counter, iv, offset / BLOCK);
    if (head > 0)
        xor_part(xor_blocks, key, dst, src, head, skip, counter);
    xor_blocks(key, dst + head, src + head, nblocks, counter);
    if (tail > 0)
        xor_part(xor_blocks, key, dst + len - tail, src + len - tail, tail, 0, counter);
}

void fc_ctr_key_init(struct fc_ctr_key *key, const uint8_t *secret, size_t key_len)
{
    key->rounds = (uint32_t)key_len / 4 + 6;
    fc_aes_expand_generic(key->rk[0], secret, key_len);
}

void fc_ctr_key_wipe(struct fc_ctr_key *key)
{
    fc_wipe(key, sizeof(*key));
}

void fc_ctr_xor(const struct fc_ctr_key *key, uint8_t *dst, const uint8_t *src, size_t len,
                const uint8_t iv[FC_CTR_IV], uint64_t offset)
{
    fc_ctr_xor_with(fc_ctr_chosen()->xor_blocks, key, dst, src, len, iv, offset);
}
