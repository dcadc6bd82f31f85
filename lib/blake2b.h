/*
 * BLAKE2b (RFC 7693): keyed, any digest length, salt and personalisation, nodes of trees,
 * incremental.
 */
#ifndef FC_BLAKE2B_H
#define FC_BLAKE2B_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FC_BLAKE2B_BLOCK = 128,
    FC_BLAKE2B_MAX_OUT = 64,
    FC_BLAKE2B_MAX_KEY = 64,
    FC_BLAKE2B_SALT = 16,
    FC_BLAKE2B_PERSONAL = 16,
};

struct fc_blake2b {
    uint64_t h[8];
    uint64_t t[2]; /* bytes compressed so far, 128 bits */
    uint8_t buf[FC_BLAKE2B_BLOCK];
    size_t buf_len;
    size_t out_len;
    bool last_node;
};

/* A node of a tree (BLAKE2 paper section 2.10). */
struct fc_blake2b_node {
    uint8_t fanout, depth; /* of the tree */
    uint8_t node_depth;    /* 0: a leaf */
    uint8_t inner_len;     /* bytes that a node gives to the one above */
    uint64_t node_offset;  /* its place among the nodes of its depth */
    bool last_node;        /* the last one of its depth */
    size_t tree_out_len;   /* what the root gives */
};

/* The parameters of RFC 7693 section 2.5 and the BLAKE2 paper section 2.8.
 * out_len 1..64; key[key_len], key_len 0..64; salt[16] and personal[16], or NULL for zeros; node:
 * NULL for the sequential mode. The key of a node above the leaves is NULL: its length is a
 * parameter, but no block of the message. */
struct fc_blake2b_params {
    size_t out_len;
    const uint8_t *key;
    size_t key_len;
    const uint8_t *salt;
    const uint8_t *personal;
    const struct fc_blake2b_node *node;
};

/* fc_blake2b_init(state, params): params must be within the bounds above. */
void fc_blake2b_init(struct fc_blake2b *state, const struct fc_blake2b_params *params);

/* fc_blake2b_update(state, src, len): absorbs src[len]; any number of calls of any length. */
void fc_blake2b_update(struct fc_blake2b *state, const void *src, size_t len);

/* fc_blake2b_final(state, dst): writes dst[out_len] and wipes state. */
void fc_blake2b_final(struct fc_blake2b *state, uint8_t *dst);

/* One piece of a message. */
struct fc_piece {
    const void *p;
    size_t len;
};

/* fc_blake2b(dst, out_len, key, key_len, pieces, npieces): the digest of the pieces in a row. */
void fc_blake2b(uint8_t *dst, size_t out_len, const uint8_t *key, size_t key_len,
                const struct fc_piece *pieces, size_t npieces);

#endif
