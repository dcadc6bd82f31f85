#include "ctr.h"

#include <string.h>

#include "aes_generic.h"
#include "bytes.h"
#include "kern.h"
#include "secret.h"

enum {
    BLOCK = 16,
    PADDED = 512, /* the widest tier's group: copying so much costs less than a second call */
};

/* counter = iv + n, big-endian, modulo 2^128. */
static void counter_at(uint8_t counter[FC_CTR_IV], const uint8_t iv[FC_CTR_IV], uint64_t n)
{
    uint64_t low = fc_load_be64(iv + 8) + n;

    fc_store_be64(counter, fc_load_be64(iv) + (low < n));
    fc_store_be64(counter + 8, low);
}

/* len <= PADDED - skip bytes that stand `skip` bytes into the block at counter, which moves on by
 * all blocks that they touch. The key stream is made first: data copied to whole blocks and back
 * would be waited for on its way from one width of move to another. */
static void xor_padded(fc_ctr_fn *xor_blocks, const struct fc_ctr_key *key, uint8_t *dst,
                       const uint8_t *src, size_t len, size_t skip, uint8_t counter[FC_CTR_IV])
{
    _Alignas(64) uint8_t stream[PADDED];
    size_t whole = fc_round_up(skip + len, BLOCK), i = 0;

    memset(stream, 0, whole);
    xor_blocks(key, stream, stream, whole / BLOCK, counter);
    for (; i + BLOCK <= len; i += BLOCK)
        fc_xor_block(dst + i, src + i, stream + skip + i);
    for (; i < len; i++)
        dst[i] = src[i] ^ stream[skip + i];
    fc_wipe(stream, whole);
}

void fc_ctr_xor_with(fc_ctr_fn *xor_blocks, const struct fc_ctr_key *key, uint8_t *dst,
                     const uint8_t *src, size_t len, const uint8_t iv[FC_CTR_IV], uint64_t offset)
{
    size_t skip = offset % BLOCK, head = skip == 0 ? 0 : fc_min_size(len, PADDED - skip);
    size_t tail = (len - head) % BLOCK == 0 ? 0 : (len - head) % PADDED;
    size_t whole = len - head - tail;
    uint8_t counter[FC_CTR_IV];

    counter_at(counter, iv, offset / BLOCK);
    if (head > 0)
        xor_padded(xor_blocks, key, dst, src, head, skip, counter);
    if (whole > 0)
        xor_blocks(key, dst + head, src + head, whole / BLOCK, counter);
    if (tail > 0)
        xor_padded(xor_blocks, key, dst + len - tail, src + len - tail, tail, 0, counter);
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
