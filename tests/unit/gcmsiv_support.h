/*
 * What the tests of AES-GCM-SIV share. "tier" is an entry of fc_gcmsiv_candidates(), or NULL for
 * the public functions.
 */
#ifndef FC_TEST_GCMSIV_SUPPORT_H
#define FC_TEST_GCMSIV_SUPPORT_H

#include "tiers.h"

/* fc_gcmsiv_key_init, fc_gcmsiv_seal and fc_gcmsiv_open by one tier. */
void test_gcmsiv_key(const struct fc_gcmsiv_candidate *tier, struct fc_gcmsiv_key *key,
                     const uint8_t *secret, size_t key_len);
void test_gcmsiv_seal(const struct fc_gcmsiv_candidate *tier, const struct fc_gcmsiv_key *key,
                      const struct fc_gcmsiv_msg *msgs, size_t n);
size_t test_gcmsiv_open(const struct fc_gcmsiv_candidate *tier, const struct fc_gcmsiv_key *key,
                        const struct fc_gcmsiv_msg *msgs, size_t n);

/* test_gcmsiv_slow_ctr(mk, ctr, dst, src, nblocks): what a tier's ctr is to do, block by block
 * under mk's round keys; ctr[16] moves on, mk does not change. */
void test_gcmsiv_slow_ctr(const struct fc_gcmsiv_mk *mk, uint8_t ctr[16], uint8_t *dst,
                          const uint8_t *src, size_t nblocks);

#endif
