/*
 * Polynomials over GF(2), bit i of an integer being the coefficient of x^i, are multiplied by
 * integer multiplication with holes: an operand is split into four with every fourth bit each, so
 * that a column of a product adds up at most eight ones, whose carries end in the three zero
 * columns above it. This is constant-time where the multiplication instruction is.
 */
#include "polyval_generic.h"

#include "bytes.h"
#include "secret.h"

/* Two words of a product, or of an operand with the sum of its words beside it. */
struct words64 {
    uint64_t lo, hi;
};

struct operand {
    uint64_t lo, hi, sum;
};

static inline struct operand load_operand(const uint8_t *p)
{
    uint64_t lo = fc_load_le64(p), hi = fc_load_le64(p + 8);

    return (struct operand){lo, hi, lo ^ hi};
}

static inline uint64_t clmul32(uint32_t a, uint32_t b)
{
    const uint32_t m = 0x11111111;
    const uint64_t mm = 0x1111111111111111;
    uint64_t a0 = a & m, a1 = a & m << 1, a2 = a & m << 2, a3 = a & m << 3;
    uint64_t b0 = b & m, b1 = b & m << 1, b2 = b & m << 2, b3 = b & m << 3;
    uint64_t c0 = a0 * b0 ^ a1 * b3 ^ a2 * b2 ^ a3 * b1;
    uint64_t c1 = a0 * b1 ^ a1 * b0 ^ a2 * b3 ^ a3 * b2;
    uint64_t c2 = a0 * b2 ^ a1 * b1 ^ a2 * b0 ^ a3 * b3;
    uint64_t c3 = a0 * b3 ^ a1 * b2 ^ a2 * b1 ^ a3 * b0;

    return (c0 & mm) | (c1 & mm << 1) | (c2 & mm << 2) | (c3 & mm << 3);
}

/* Karatsuba: three products of halves. */
static inline struct words64 clmul64(uint64_t a, uint64_t b)
{
    uint32_t a0 = (uint32_t)a, a1 = (uint32_t)(a >> 32);
    uint32_t b0 = (uint32_t)b, b1 = (uint32_t)(b >> 32);
    uint64_t lo = clmul32(a0, b0), hi = clmul32(a1, b1);
    uint64_t mid = clmul32(a0 ^ a1, b0 ^ b1) ^ lo ^ hi;

    return (struct words64){lo ^ mid << 32, hi ^ mid >> 32};
}

/* w x^-64, w being the lowest word of a product, as what it adds to the two words above: w times
 * the modulus x^128 + x^127 + x^126 + x^121 + 1 added makes the lowest word zero. */
static inline struct words64 fold(uint64_t w)
{
    return (struct words64){w << 63 ^ w << 62 ^ w << 57, w ^ w >> 1 ^ w >> 2 ^ w >> 7};
}

/* dot(a, b) = a b x^-128 (RFC 8452 section 3). */
static inline struct words64 dot(struct operand a, struct operand b)
{
    struct words64 lo = clmul64(a.lo, b.lo), hi = clmul64(a.hi, b.hi);
    struct words64 mid = clmul64(a.sum, b.sum), f;

    mid.lo ^= lo.lo ^ hi.lo;
    mid.hi ^= lo.hi ^ hi.hi;
    f = fold(lo.lo);
    lo.hi ^= mid.lo ^ f.lo;
    hi.lo ^= mid.hi ^ f.hi;
    f = fold(lo.hi);
    return (struct words64){hi.lo ^ f.lo, hi.hi ^ f.hi};
}

void fc_polyval_generic(uint8_t *acc, const uint8_t *h, const uint8_t *src, size_t nblocks)
{
    struct operand key = load_operand(h), x = load_operand(acc);

    for (; nblocks > 0; nblocks--, src += 16) {
        struct operand block = load_operand(src);
        struct words64 y =
            dot((struct operand){x.lo ^ block.lo, x.hi ^ block.hi, x.sum ^ block.sum}, key);

        x = (struct operand){y.lo, y.hi, y.lo ^ y.hi};
    }
    fc_store_le64(acc, x.lo);
    fc_store_le64(acc + 8, x.hi);
    fc_wipe(&key, sizeof(key));
    fc_wipe(&x, sizeof(x));
}
