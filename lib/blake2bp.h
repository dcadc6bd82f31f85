/*
 * BLAKE2bp: four BLAKE2b leaves side by side and a root above them, as the authors of BLAKE2 define
 * it (BLAKE2 paper, section 2.10 and the reference code): fanout 4, depth 2. Block i of the message
 * goes to leaf i mod 4. Its digests are not BLAKE2b's.
 */
#ifndef FC_BLAKE2BP_H
#define FC_BLAKE2BP_H

#include "blake2b.h"

enum { FC_BLAKE2BP_LEAVES = 4 };

struct fc_blake2bp {
    struct fc_blake2b leaf[FC_BLAKE2BP_LEAVES];
    struct fc_blake2b root;
    size_t at; /* where in a row of blocks, one for each leaf, the next byte goes */
};

/* fc_blake2bp_init(state, out_len, key[key_len]): out_len 1..64; key_len 0..64. */
void fc_blake2bp_init(struct fc_blake2bp *state, size_t out_len, const uint8_t *key,
                      size_t key_len);

/* fc_blake2bp_update(state, src, len): absorbs src[len]; any number of calls of any length. */
void fc_blake2bp_update(struct fc_blake2bp *state, const void *src, size_t len);

/* fc_blake2bp_final(state, dst): writes dst[out_len] and wipes state. */
void fc_blake2bp_final(struct fc_blake2bp *state, uint8_t *dst);

#endif
