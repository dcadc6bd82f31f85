#include "ctr_support.h"

void test_ctr_xor(const struct fc_ctr_candidate *tier, const struct fc_ctr_key *key, uint8_t *dst,
                  const uint8_t *src, size_t len, const uint8_t iv[FC_CTR_IV], uint64_t offset)
{
    if (tier == NULL)
        fc_ctr_xor(key, dst, src, len, iv, offset);
    else
        fc_ctr_xor_with(tier->xor_blocks, key, dst, src, len, iv, offset);
}
