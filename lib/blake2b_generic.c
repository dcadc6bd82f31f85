/*
 * BLAKE2b's compression function (RFC 7693 section 3.2) in portable C.
 */
#include "bytes.h"
#include "kern.h"
#include "secret.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE uint64_t rotr(uint64_t x, unsigned n)
{
    return x >> n | x << (64 - n);
}

ALWAYS_INLINE void mix(uint64_t v[16], int a, int b, int c, int d, uint64_t x, uint64_t y)
{
    v[a] += v[b] + x;
    v[d] = rotr(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = rotr(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[d] = rotr(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = rotr(v[b] ^ v[c], 63);
}

/* RFC 7693 section 2.7. */
static const uint8_t sigma[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

ALWAYS_INLINE void mix_round(uint64_t v[16], const uint64_t m[16], const uint8_t s[16])
{
    mix(v, 0, 4, 8, 12, m[s[0]], m[s[1]]);
    mix(v, 1, 5, 9, 13, m[s[2]], m[s[3]]);
    mix(v, 2, 6, 10, 14, m[s[4]], m[s[5]]);
    mix(v, 3, 7, 11, 15, m[s[6]], m[s[7]]);
    mix(v, 0, 5, 10, 15, m[s[8]], m[s[9]]);
    mix(v, 1, 6, 11, 12, m[s[10]], m[s[11]]);
    mix(v, 2, 7, 8, 13, m[s[12]], m[s[13]]);
    mix(v, 3, 4, 9, 14, m[s[14]], m[s[15]]);
}

/* Written out, so that the compiler knows the line of sigma in every round. */
ALWAYS_INLINE void mix_rounds(uint64_t v[16], const uint64_t m[16])
{
    mix_round(v, m, sigma[0]);
    mix_round(v, m, sigma[1]);
    mix_round(v, m, sigma[2]);
    mix_round(v, m, sigma[3]);
    mix_round(v, m, sigma[4]);
    mix_round(v, m, sigma[5]);
    mix_round(v, m, sigma[6]);
    mix_round(v, m, sigma[7]);
    mix_round(v, m, sigma[8]);
    mix_round(v, m, sigma[9]);
    mix_round(v, m, sigma[0]);
    mix_round(v, m, sigma[1]);
}

ALWAYS_INLINE void compress(struct fc_blake2b *state, const uint8_t *src, size_t nblocks,
                            uint64_t inc, uint64_t last, uint64_t last_node)
{
    uint64_t v[16], m[16];

    for (; nblocks > 0; nblocks--, src += FC_BLAKE2B_BLOCK) {
        state->t[0] += inc;
        state->t[1] += state->t[0] < inc;
        for (int i = 0; i < 16; i++)
            m[i] = fc_load_le64(src + 8 * i);
        for (int i = 0; i < 8; i++) {
            v[i] = state->h[i];
            v[i + 8] = fc_blake2b_iv[i];
        }
        v[12] ^= state->t[0];
        v[13] ^= state->t[1];
        v[14] ^= last;
        v[15] ^= last_node;
        mix_rounds(v, m);
        for (int i = 0; i < 8; i++)
            state->h[i] ^= v[i] ^ v[i + 8];
    }
    fc_wipe(v, sizeof(v));
    fc_wipe(m, sizeof(m));
}

void fc_blake2b_compress_generic(struct fc_blake2b *state, const uint8_t *src, size_t nblocks,
                                 uint64_t inc, uint64_t last)
{
    compress(state, src, nblocks, inc, last, 0);
}

void fc_blake2b_compress_last_node(struct fc_blake2b *state, const uint8_t *src, uint64_t inc)
{
    compress(state, src, 1, inc, ~(uint64_t)0, ~(uint64_t)0);
}

/* Lane i of lanes as a state of its own, and back. */
static void take_lane(struct fc_blake2b *state, const struct fc_blake2b_lanes *lanes, size_t i)
{
    for (size_t k = 0; k < 8; k++)
        state->h[k] = lanes->h[k][i];
    for (size_t k = 0; k < 2; k++)
        state->t[k] = lanes->t[k][i];
}

static void put_lane(struct fc_blake2b_lanes *lanes, size_t i, const struct fc_blake2b *state)
{
    for (size_t k = 0; k < 8; k++)
        lanes->h[k][i] = state->h[k];
    for (size_t k = 0; k < 2; k++)
        lanes->t[k][i] = state->t[k];
}

void fc_blake2b_lanes_generic(struct fc_blake2b_lanes *lanes, size_t nblocks, size_t step)
{
    struct fc_blake2b state;

    for (size_t i = 0; i < FC_BLAKE2B_MAX_LANES; i++) {
        if ((lanes->inc[i] | lanes->last[i]) != 0) {
            take_lane(&state, lanes, i);
            for (size_t b = 0; b < nblocks; b++)
                fc_blake2b_compress_generic(&state, lanes->src[i] + b * step, 1, lanes->inc[i],
                                            lanes->last[i]);
            put_lane(lanes, i, &state);
        }
        lanes->src[i] += nblocks * step;
    }
    fc_wipe(&state, sizeof(state));
}
