/*
 * Integers and blocks in byte strings, and sizes.
 */
#ifndef FC_BYTES_H
#define FC_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t fc_load_le32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t fc_load_le64(const uint8_t *p)
{
    return (uint64_t)fc_load_le32(p) | (uint64_t)fc_load_le32(p + 4) << 32;
}

static inline void fc_store_le32(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
    p[2] = (uint8_t)(v >> 16);
    p[3] = (uint8_t)(v >> 24);
}

static inline void fc_store_le64(uint8_t *p, uint64_t v)
{
    fc_store_le32(p, (uint32_t)v);
    fc_store_le32(p + 4, (uint32_t)(v >> 32));
}

static inline uint64_t fc_load_be64(const uint8_t *p)
{
    return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 |
           (uint64_t)p[3] << 32 | (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 |
           (uint64_t)p[6] << 8 | p[7];
}

/* By way of a load: stores of single bytes make compilers gather them in vectors. */
static inline void fc_store_be64(uint8_t *p, uint64_t v)
{
    uint64_t turned = fc_load_be64((const uint8_t *)&v);

    memcpy(p, &turned, 8);
}

static inline void fc_store_be32(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
}

/* fc_xor_block(dst, a, b): dst[16] = a[16] xor b[16]; each may equal another. */
static inline void fc_xor_block(uint8_t *dst, const uint8_t *a, const uint8_t *b)
{
    uint64_t x[2], y[2];

    memcpy(x, a, 16);
    memcpy(y, b, 16);
    x[0] ^= y[0];
    x[1] ^= y[1];
    memcpy(dst, x, 16);
}

/* fc_round_up(n, to): the least multiple of to (a power of two) that is >= n. */
static inline size_t fc_round_up(size_t n, size_t to)
{
    return (n + to - 1) & ~(to - 1);
}

/* fc_is_zero(p, len): whether p[len] is all zeros. Not for secrets: it stops at the first that is
 * not. */
static inline bool fc_is_zero(const uint8_t *p, size_t len)
{
    return len == 0 || (p[0] == 0 && memcmp(p, p + 1, len - 1) == 0);
}

static inline size_t fc_min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

#endif
