/*
 * The leaves go side by side through the kernel for several messages, a row of four blocks at a
 * time. A row is compressed once every leaf is known to have more behind it. What is left at the
 * end is less than two rows, and the leaves, which end there one by one, do it one by one.
 *
 * A kernel of eight lanes works with half of them: as fast as four lanes of its own would be, where
 * its vectors are no slower for being wide, and in any case faster than one leaf after the other.
 */
#include "blake2bp.h"

#include <string.h>

#include "bytes.h"
#include "secret.h"

/* The node at this depth and place: leaves are at depth 0. */
static void init_node(struct fc_blake2b *b, const struct fc_blake2bp *state, uint8_t depth,
                      size_t place, const uint8_t *key)
{
    const struct fc_blake2b_node node = {
        .fanout = FC_BLAKE2BP_LEAVES,
        .depth = 2,
        .node_depth = depth,
        .inner_len = FC_BLAKE2B_MAX_OUT,
        .node_offset = place,
        .last_node = depth > 0 || place == FC_BLAKE2BP_LEAVES - 1,
        .tree_out_len = state->out_len,
    };
    const struct fc_blake2b_params params = {
        .out_len = depth > 0 ? state->out_len : FC_BLAKE2B_MAX_OUT,
        .key = key,
        .key_len = state->key_len,
        .node = &node,
    };

    fc_blake2b_init(b, &params);
}

/* With a key the first row is the leaves' key blocks. */
void fc_blake2bp_init(struct fc_blake2bp *state, size_t out_len, const uint8_t *key, size_t key_len)
{
    struct fc_blake2b leaf;

    memset(state, 0, sizeof(*state));
    state->out_len = out_len;
    state->key_len = key_len;
    for (size_t i = 0; i < FC_BLAKE2BP_LEAVES; i++) {
        init_node(&leaf, state, 0, i, key);
        for (size_t k = 0; k < 8; k++)
            state->leaves.h[k][i] = leaf.h[k];
        state->leaves.inc[i] = FC_BLAKE2B_BLOCK;
        memcpy(state->buf + state->buf_len, leaf.buf, leaf.buf_len);
        state->buf_len += leaf.buf_len;
    }
    fc_wipe(&leaf, sizeof(leaf));
}

/* Rows at the beginning of len bytes behind which every leaf has something. */
static size_t rows_before_last(size_t len)
{
    const size_t least = FC_BLAKE2BP_ROW - FC_BLAKE2B_BLOCK + 1;

    return len < least ? 0 : (len - least) / FC_BLAKE2BP_ROW;
}

static void compress_rows(struct fc_blake2bp *state, const uint8_t *src, size_t nrows)
{
    if (nrows == 0)
        return;
    /* Lanes without a leaf read where others do. */
    for (size_t i = 0; i < FC_BLAKE2B_MAX_LANES; i++)
        state->leaves.src[i] = src + i % FC_BLAKE2BP_LEAVES * FC_BLAKE2B_BLOCK;
    fc_blake2b_lanes_chosen()->compress(&state->leaves, nrows, FC_BLAKE2BP_ROW);
}

void fc_blake2bp_update(struct fc_blake2bp *state, const void *src, size_t len)
{
    const uint8_t *p = src;
    size_t take, nrows;

    if (len == 0)
        return;
    if (state->buf_len > 0) {
        take = fc_min_size(sizeof(state->buf) - state->buf_len, len);
        memcpy(state->buf + state->buf_len, p, take);
        state->buf_len += take;
        p += take;
        len -= take;
        nrows = fc_min_size(rows_before_last(state->buf_len + len), 2);
        compress_rows(state, state->buf, nrows);
        state->buf_len -= nrows * FC_BLAKE2BP_ROW;
        memmove(state->buf, state->buf + nrows * FC_BLAKE2BP_ROW, state->buf_len);
    }
    if (state->buf_len == 0) {
        nrows = rows_before_last(len);
        compress_rows(state, p, nrows);
        p += nrows * FC_BLAKE2BP_ROW;
        len -= nrows * FC_BLAKE2BP_ROW;
    }
    memcpy(state->buf + state->buf_len, p, len);
    state->buf_len += len;
}

/* The end of the leaf with this number: its block in every row that is left. */
static void finish_leaf(const struct fc_blake2bp *state, size_t i, uint8_t *dst)
{
    struct fc_blake2b leaf;

    init_node(&leaf, state, 0, i, NULL);
    for (size_t k = 0; k < 8; k++)
        leaf.h[k] = state->leaves.h[k][i];
    for (size_t k = 0; k < 2; k++)
        leaf.t[k] = state->leaves.t[k][i];
    for (size_t at = i * FC_BLAKE2B_BLOCK; at < state->buf_len; at += FC_BLAKE2BP_ROW)
        fc_blake2b_update(&leaf, state->buf + at,
                          fc_min_size(FC_BLAKE2B_BLOCK, state->buf_len - at));
    fc_blake2b_final(&leaf, dst);
}

void fc_blake2bp_final(struct fc_blake2bp *state, uint8_t *dst)
{
    uint8_t inner[FC_BLAKE2B_MAX_OUT];
    struct fc_blake2b root;

    init_node(&root, state, 1, 0, NULL);
    for (size_t i = 0; i < FC_BLAKE2BP_LEAVES; i++) {
        finish_leaf(state, i, inner);
        fc_blake2b_update(&root, inner, sizeof(inner));
    }
    fc_blake2b_final(&root, dst);
    fc_wipe(inner, sizeof(inner));
    fc_wipe(state, sizeof(*state));
}
