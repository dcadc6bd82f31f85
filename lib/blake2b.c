#include "blake2b.h"

#include <string.h>

#include "bytes.h"
#include "kern.h"
#include "secret.h"

const uint64_t fc_blake2b_iv[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

static void store_node(uint8_t block[64], const struct fc_blake2b_node *node)
{
    block[0] = (uint8_t)node->tree_out_len;
    block[2] = node->fanout;
    block[3] = node->depth;
    fc_store_le64(block + 8, node->node_offset);
    block[16] = node->node_depth;
    block[17] = node->inner_len;
}

void fc_blake2b_init(struct fc_blake2b *state, const struct fc_blake2b_params *params)
{
    uint8_t block[64] = {
        (uint8_t)params->out_len, (uint8_t)params->key_len, 1 /* fanout */, 1 /* depth */
    };

    if (params->node != NULL)
        store_node(block, params->node);
    if (params->salt != NULL)
        memcpy(block + 32, params->salt, FC_BLAKE2B_SALT);
    if (params->personal != NULL)
        memcpy(block + 48, params->personal, FC_BLAKE2B_PERSONAL);
    memset(state, 0, sizeof(*state));
    for (int i = 0; i < 8; i++)
        state->h[i] = fc_blake2b_iv[i] ^ fc_load_le64(block + 8 * i);
    state->out_len = params->out_len;
    state->last_node = params->node != NULL && params->node->last_node;
    if (params->key_len > 0 && params->key != NULL) {
        memcpy(state->buf, params->key, params->key_len);
        state->buf_len = FC_BLAKE2B_BLOCK;
    }
}

/* The last block of a message is compressed in another way, so a full block is kept back until
 * more is known to follow. */
void fc_blake2b_update(struct fc_blake2b *state, const void *src, size_t len)
{
    fc_blake2b_compress_fn *compress = fc_blake2b_chosen()->compress;
    const uint8_t *p = src;
    size_t take, nblocks;

    if (len == 0)
        return;
    if (state->buf_len > 0) {
        take = fc_min_size(FC_BLAKE2B_BLOCK - state->buf_len, len);
        memcpy(state->buf + state->buf_len, p, take);
        state->buf_len += take;
        p += take;
        len -= take;
        if (len == 0)
            return;
        compress(state, state->buf, 1, FC_BLAKE2B_BLOCK, 0);
    }
    nblocks = (len - 1) / FC_BLAKE2B_BLOCK;
    compress(state, p, nblocks, FC_BLAKE2B_BLOCK, 0);
    state->buf_len = len - nblocks * FC_BLAKE2B_BLOCK;
    memcpy(state->buf, p + nblocks * FC_BLAKE2B_BLOCK, state->buf_len);
}

void fc_blake2b_final(struct fc_blake2b *state, uint8_t *dst)
{
    uint8_t digest[FC_BLAKE2B_MAX_OUT];

    memset(state->buf + state->buf_len, 0, FC_BLAKE2B_BLOCK - state->buf_len);
    if (state->last_node)
        fc_blake2b_compress_last_node(state, state->buf, state->buf_len);
    else
        fc_blake2b_chosen()->compress(state, state->buf, 1, state->buf_len, ~(uint64_t)0);
    for (int i = 0; i < 8; i++)
        fc_store_le64(digest + 8 * i, state->h[i]);
    memcpy(dst, digest, state->out_len);
    fc_wipe(digest, sizeof(digest));
    fc_wipe(state, sizeof(*state));
}

void fc_blake2b(uint8_t *dst, size_t out_len, const uint8_t *key, size_t key_len,
                const struct fc_piece *pieces, size_t npieces)
{
    struct fc_blake2b_params params = {.out_len = out_len, .key = key, .key_len = key_len};
    struct fc_blake2b state;

    fc_blake2b_init(&state, &params);
    for (size_t i = 0; i < npieces; i++)
        fc_blake2b_update(&state, pieces[i].p, pieces[i].len);
    fc_blake2b_final(&state, dst);
}
