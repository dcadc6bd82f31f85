/*
 * What the tests of AES-CTR share. "tier" is an entry of fc_ctr_candidates(), or NULL for the
 * public function.
 */
#ifndef FC_TEST_CTR_SUPPORT_H
#define FC_TEST_CTR_SUPPORT_H

#include "tiers.h"

/* fc_ctr_xor by one tier. */
void test_ctr_xor(const struct fc_ctr_candidate *tier, const struct fc_ctr_key *key, uint8_t *dst,
                  const uint8_t *src, size_t len, const uint8_t iv[FC_CTR_IV], uint64_t offset);

#endif
