/*
 * The S-box of AES (FIPS 197 section 5.1.1) and its inverse as circuits, on eight planes of bits at
 * once; for aes_generic.c. Both leave out the constant 0x63: sub_bytes does not add it,
 * inv_sub_bytes expects that it was taken away.
 */
#ifndef FC_AES_SBOX_GENERIC_H
#define FC_AES_SBOX_GENERIC_H

#include "aes_generic.h"

typedef fc_aes_plane plane;

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* The circuit of Boyar and Peralta ("A new combinational logic
 * minimization technique with applications to cryptology", 2010), in its three parts and with its
 * names. First the linear one: the inputs of the inversion in the tower field. */
ALWAYS_INLINE void sbox_top(plane y[22], const plane x[8])
{
    plane t0 = x[6] ^ x[5], t1;

    y[0] = x[0];
    y[14] = x[4] ^ x[2];
    y[13] = x[7] ^ x[1];
    y[9] = x[7] ^ x[4];
    y[8] = x[7] ^ x[2];
    y[1] = t0 ^ x[0];
    y[4] = y[1] ^ x[4];
    y[12] = y[13] ^ y[14];
    y[2] = y[1] ^ x[7];
    y[5] = y[1] ^ x[1];
    y[3] = y[5] ^ y[8];
    t1 = x[3] ^ y[12];
    y[15] = t1 ^ x[2];
    y[20] = t1 ^ x[6];
    y[6] = y[15] ^ x[0];
    y[10] = y[15] ^ t0;
    y[11] = y[20] ^ y[9];
    y[7] = x[0] ^ y[11];
    y[17] = y[10] ^ y[11];
    y[19] = y[10] ^ y[8];
    y[16] = t0 ^ y[11];
    y[21] = y[13] ^ y[16];
    y[18] = x[7] ^ y[16];
}

/* The norm in GF(2^4) and its inverse: t[29], t[33], t[37], t[40] and sums of them. */
ALWAYS_INLINE void sbox_invert(plane t[46], const plane y[22])
{
    t[2] = y[12] & y[15];
    t[4] = (y[3] & y[6]) ^ t[2];
    t[6] = (y[4] & y[0]) ^ t[2];
    t[7] = y[13] & y[16];
    t[9] = (y[5] & y[1]) ^ t[7];
    t[11] = (y[2] & y[7]) ^ t[7];
    t[12] = y[9] & y[11];
    t[14] = (y[14] & y[17]) ^ t[12];
    t[16] = (y[8] & y[10]) ^ t[12];
    t[21] = t[4] ^ t[14] ^ y[20];
    t[22] = t[6] ^ t[16] ^ y[19];
    t[23] = t[9] ^ t[14] ^ y[21];
    t[24] = t[11] ^ t[16] ^ y[18];

    t[25] = t[21] ^ t[22];
    t[26] = t[21] & t[23];
    t[27] = t[24] ^ t[26];
    t[29] = (t[25] & t[27]) ^ t[22];
    t[30] = t[23] ^ t[24];
    t[31] = t[22] ^ t[26];
    t[33] = (t[31] & t[30]) ^ t[24];
    t[35] = t[27] ^ t[33];
    t[36] = t[24] & t[35];
    t[37] = t[36] ^ t[23] ^ t[33];
    t[38] = t[27] ^ t[36];
    t[40] = t[25] ^ (t[29] & t[38]);

    t[41] = t[40] ^ t[37];
    t[42] = t[29] ^ t[33];
    t[43] = t[29] ^ t[40];
    t[44] = t[33] ^ t[37];
    t[45] = t[42] ^ t[41];
}

/* The products of that inverse with the inputs. */
ALWAYS_INLINE void sbox_multiply(plane z[18], const plane t[46], const plane y[22])
{
    z[0] = t[44] & y[15];
    z[1] = t[37] & y[6];
    z[2] = t[33] & y[0];
    z[3] = t[43] & y[16];
    z[4] = t[40] & y[1];
    z[5] = t[29] & y[7];
    z[6] = t[42] & y[11];
    z[7] = t[45] & y[17];
    z[8] = t[41] & y[10];
    z[9] = t[44] & y[12];
    z[10] = t[37] & y[3];
    z[11] = t[33] & y[4];
    z[12] = t[43] & y[13];
    z[13] = t[40] & y[5];
    z[14] = t[29] & y[2];
    z[15] = t[42] & y[9];
    z[16] = t[45] & y[14];
    z[17] = t[41] & y[8];
}

/* Back out of the tower field, with the linear half of the affine map. */
ALWAYS_INLINE void sbox_bottom(plane s[8], const plane z[18])
{
    plane t46 = z[15] ^ z[16], t48 = z[5] ^ z[13], t54 = z[6] ^ z[7];
    plane t53 = z[0] ^ z[3], t57 = z[2] ^ z[12] ^ t53, t58 = z[4] ^ t46;
    plane t59 = z[3] ^ t54, t60 = t46 ^ t57, t61 = z[14] ^ t57;
    plane t62 = z[7] ^ z[8] ^ t58, t63 = z[9] ^ z[10] ^ t58, t64 = z[4] ^ t59;
    plane t65 = t61 ^ t62, t66 = z[1] ^ t63, t67 = t64 ^ t65;

    s[7] = t59 ^ t63;
    s[1] = z[12] ^ t48 ^ t62;
    s[0] = t48 ^ t60;
    s[4] = t53 ^ t66;
    s[3] = z[2] ^ z[5] ^ t66;
    s[2] = z[10] ^ z[11] ^ t65;
    s[6] = t64 ^ s[4];
    s[5] = z[16] ^ z[17] ^ t67;
}

ALWAYS_INLINE void sub_bytes(plane x[8])
{
    plane y[22], t[46], z[18];

    sbox_top(y, x);
    sbox_invert(t, y);
    sbox_multiply(z, t, y);
    sbox_bottom(x, z);
}

/* The inverse of the linear half of the affine map: bit i is the sum of the bits i + 2, i + 5 and
 * i + 7, modulo 8. */
ALWAYS_INLINE void affine_back(plane x[8])
{
    plane b[8];

    for (int i = 0; i < 8; i++)
        b[i] = x[i];
    for (int i = 0; i < 8; i++)
        x[i] = b[(i + 2) % 8] ^ b[(i + 5) % 8] ^ b[(i + 7) % 8];
}

/* sub_bytes is the inversion followed by that half; the inversion is its own inverse. */
ALWAYS_INLINE void inv_sub_bytes(plane x[8])
{
    affine_back(x);
    sub_bytes(x);
    affine_back(x);
}

#endif
