/*
 * BLAKE2bp: four BLAKE2b leaves side by side and a root above them, as the authors of BLAKE2 define
 * it (BLAKE2 paper, section 2.10 and the reference code): fanout 4, depth 2. Block i of the message
 * goes to leaf i mod 4. Its digests are not BLAKE2b's.
 */
#ifndef FC_BLAKE2BP_H
#define FC_BLAKE2BP_H

#include "kern.h"

enum {
    FC_BLAKE2BP_LEAVES = 4,
    FC_BLAKE2BP_ROW = FC_BLAKE2BP_LEAVES * FC_BLAKE2B_BLOCK, /* a block for each leaf */
};

struct fc_blake2bp {
    struct fc_blake2b_lanes leaves;
    uint8_t buf[2 * FC_BLAKE2BP_ROW]; /* rows not compressed: a leaf's last block may be in them */
    size_t buf_len;
    size_t out_len, key_len;
};

/* fc_blake2bp_init(state, out_len, key[key_len]): out_len 1..64; key_len 0..64. */
void fc_blake2bp_init(struct fc_blake2bp *state, size_t out_len, const uint8_t *key,
                      size_t key_len);

/* fc_blake2bp_update(state, src, len): absorbs src[len]; any number of calls of any length. */
void fc_blake2bp_update(struct fc_blake2bp *state, const void *src, size_t len);

/* fc_blake2bp_final(state, dst): writes dst[out_len] and wipes state. */
void fc_blake2bp_final(struct fc_blake2bp *state, uint8_t *dst);

#endif
