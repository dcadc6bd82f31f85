#include "blake2bp.h"

#include "bytes.h"
#include "secret.h"

void fc_blake2bp_init(struct fc_blake2bp *state, size_t out_len, const uint8_t *key, size_t key_len)
{
    struct fc_blake2b_node node = {
        .fanout = FC_BLAKE2BP_LEAVES,
        .depth = 2,
        .inner_len = FC_BLAKE2B_MAX_OUT,
        .tree_out_len = out_len,
    };
    struct fc_blake2b_params params = {
        .out_len = FC_BLAKE2B_MAX_OUT,
        .key = key,
        .key_len = key_len,
        .node = &node,
    };

    state->at = 0;
    for (unsigned i = 0; i < FC_BLAKE2BP_LEAVES; i++) {
        node.node_offset = i;
        node.last_node = i == FC_BLAKE2BP_LEAVES - 1;
        fc_blake2b_init(&state->leaf[i], &params);
    }
    node.node_offset = 0;
    node.node_depth = 1;
    node.last_node = true;
    params.out_len = out_len;
    params.key = NULL;
    fc_blake2b_init(&state->root, &params);
}

void fc_blake2bp_update(struct fc_blake2bp *state, const void *src, size_t len)
{
    const uint8_t *p = src;

    while (len > 0) {
        size_t take = fc_min_size(FC_BLAKE2B_BLOCK - state->at % FC_BLAKE2B_BLOCK, len);

        fc_blake2b_update(&state->leaf[state->at / FC_BLAKE2B_BLOCK], p, take);
        state->at = (state->at + take) % (FC_BLAKE2BP_LEAVES * FC_BLAKE2B_BLOCK);
        p += take;
        len -= take;
    }
}

void fc_blake2bp_final(struct fc_blake2bp *state, uint8_t *dst)
{
    uint8_t inner[FC_BLAKE2B_MAX_OUT];

    for (unsigned i = 0; i < FC_BLAKE2BP_LEAVES; i++) {
        fc_blake2b_final(&state->leaf[i], inner);
        fc_blake2b_update(&state->root, inner, sizeof(inner));
    }
    fc_blake2b_final(&state->root, dst);
    fc_wipe(inner, sizeof(inner));
}
