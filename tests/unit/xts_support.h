/*
 * What the tests of AES-XTS share. "tier" is an entry of fc_xts_candidates(), or NULL for the
 * public functions.
 */
#ifndef FC_TEST_XTS_SUPPORT_H
#define FC_TEST_XTS_SUPPORT_H

#include "tiers.h"

/* fc_xts_key_init, fc_xts_encrypt and fc_xts_decrypt by one tier. */
void test_xts_key(const struct fc_xts_candidate *tier, struct fc_xts_key *key,
                  const uint8_t *secret, size_t key_len);
void test_xts_encrypt(const struct fc_xts_candidate *tier, const struct fc_xts_key *key,
                      uint8_t *dst, const uint8_t *src, const struct fc_xts_run *run);
void test_xts_decrypt(const struct fc_xts_candidate *tier, const struct fc_xts_key *key,
                      uint8_t *dst, const uint8_t *src, const struct fc_xts_run *run);

/* test_xts_tweaked(kern, tier, tweak): kern becomes tier's kernels, which take tweak[16] for the
 * first sector of a call, whatever run says: a tweak that no 64-bit number gives. Valid until the
 * next call; tweak must live as long. */
void test_xts_tweaked(struct fc_xts_kern *kern, const struct fc_xts_candidate *tier,
                      const uint8_t *tweak);

#endif
