/*
 * The rounds are fix-sliced (Adomnicai and Peyrin, "Fixslicing AES-like ciphers", 2020): ShiftRows
 * is never carried out. After k rounds, row r of column c of the state stands in row r of column
 * c + k r, so the row below it in the same column, r + 1, stands k columns to the right, for every
 * r alike as the rows number 4: -3k = k modulo 4. MixColumns looks there, round keys are laid out
 * so, and what is left of the turning is made good at the end.
 *
 * The constant 0x63 of the S-box is left out of it and put into the round keys: ShiftRows and
 * MixColumns keep a state of equal bytes as it is.
 */
#include "aes_generic.h"

#include <string.h>

#include "bytes.h"
#include "secret.h"

typedef fc_aes_plane plane;

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Column c of the result is column c + by of x. */
ALWAYS_INLINE plane turn_columns(plane x, unsigned by)
{
    switch (by % 4) {
    case 1:
        return __builtin_shufflevector(x, x, 1, 2, 3, 0);
    case 2:
        return __builtin_shufflevector(x, x, 2, 3, 0, 1);
    case 3:
        return __builtin_shufflevector(x, x, 3, 0, 1, 2);
    default:
        return x;
    }
}

/* Row r of the result is row r + by of x, by from 1 to 3. */
ALWAYS_INLINE plane turn_rows(plane x, unsigned by)
{
    return x >> 8 * by | x << (32 - 8 * by);
}

/* ShiftRows (FIPS 197 section 5.1.2), times over. */
static plane shift_rows(plane x, unsigned times)
{
    for (; times > 0; times--)
        x = (x & 0x000000ff) | (turn_columns(x, 1) & 0x0000ff00) |
            (turn_columns(x, 2) & 0x00ff0000) | (turn_columns(x, 3) & 0xff000000);
    return x;
}

/* SubBytes without its constant: the circuit of Boyar and Peralta ("A new combinational logic
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

/* MixColumns after k omitted ShiftRows: 2 a + 3 b + c + d = 2 (a + b) + b + (c + d), b, c and d
 * being the rows below a. */
ALWAYS_INLINE void mix_columns_turned(plane x[8], unsigned k)
{
    plane b[8], sum[8];

    for (int i = 0; i < 8; i++) {
        b[i] = turn_columns(turn_rows(x[i], 1), k);
        sum[i] = x[i] ^ b[i];
    }
    for (int i = 0; i < 8; i++)
        x[i] = sum[(i + 7) % 8] ^ b[i] ^ turn_columns(turn_rows(sum[i], 2), 2 * k);
    x[1] ^= sum[7]; /* x^8 = x^4 + x^3 + x + 1 */
    x[3] ^= sum[7];
    x[4] ^= sum[7];
}

ALWAYS_INLINE void mix_columns(plane x[8], unsigned k)
{
    switch (k % 4) {
    case 0:
        mix_columns_turned(x, 0);
        break;
    case 1:
        mix_columns_turned(x, 1);
        break;
    case 2:
        mix_columns_turned(x, 2);
        break;
    case 3:
        mix_columns_turned(x, 3);
        break;
    }
}

ALWAYS_INLINE void add_round_key(plane x[8], const plane rk[8])
{
    for (int i = 0; i < 8; i++)
        x[i] ^= rk[i];
}

ALWAYS_INLINE plane load_block(const uint8_t *src)
{
    return (plane){fc_load_le32(src), fc_load_le32(src + 4), fc_load_le32(src + 8),
                   fc_load_le32(src + 12)};
}

ALWAYS_INLINE void store_block(uint8_t *dst, plane x)
{
    for (int c = 0; c < 4; c++)
        fc_store_le32(dst + 4 * c, x[c]);
}

/* Swaps the bits of *hi under mask with those of *lo by shift further up. */
ALWAYS_INLINE void swap_bits(plane *lo, plane *hi, unsigned shift, uint32_t mask)
{
    plane t = (*lo >> shift ^ *hi) & mask;

    *hi ^= t;
    *lo ^= t << shift;
}

/* Blocks to planes or planes to blocks: in each byte, bit i of x[j] changes places with bit j of
 * x[i]. */
ALWAYS_INLINE void transpose(plane x[8])
{
    for (int i = 0; i < 8; i += 2)
        swap_bits(&x[i], &x[i + 1], 1, 0x55555555);
    for (int i = 0; i < 8; i += i & 1 ? 3 : 1)
        swap_bits(&x[i], &x[i + 2], 2, 0x33333333);
    for (int i = 0; i < 4; i++)
        swap_bits(&x[i], &x[i + 4], 4, 0x0f0f0f0f);
}

/* One block as all eight: every bit of it becomes a byte of ones or zeros. */
static void slice_alike(plane x[8], plane block)
{
    for (int i = 0; i < 8; i++) {
        plane bits = block >> i & 0x01010101;

        x[i] = (bits << 8) - bits;
    }
}

/* SubWord (FIPS 197 section 5.2). */
static uint32_t sub_word(uint32_t word)
{
    uint32_t result = 0x63636363;
    plane x[8];

    slice_alike(x, (plane){word});
    sub_bytes(x);
    for (int i = 0; i < 8; i++)
        result ^= (x[i][0] & 0x01010101) << i;
    fc_wipe(x, sizeof(x));
    return result;
}

/* Words are read little-endian, so RotWord turns to the right. */
void fc_aes_expand_generic(uint8_t *rk, const uint8_t *secret, size_t key_len)
{
    size_t nk = key_len / 4, nwords = 4 * (nk + 7);
    uint32_t word = fc_load_le32(secret + key_len - 4), rcon = 1;

    memcpy(rk, secret, key_len);
    for (size_t i = nk; i < nwords; i++) {
        if (i % nk == 0) {
            word = sub_word(word >> 8 | word << 24) ^ rcon;
            rcon = rcon << 1 ^ (rcon >> 7) * 0x11b;
        } else if (nk > 6 && i % nk == 4) {
            word = sub_word(word);
        }
        word ^= fc_load_le32(rk + 4 * (i - nk));
        fc_store_le32(rk + 4 * i, word);
    }
}

void fc_aes_slice_generic(struct fc_aes_sliced_key *key, const uint8_t *rk, uint32_t rounds)
{
    key->rounds = rounds;
    slice_alike(key->rk[0], load_block(rk));
    for (uint32_t r = 1; r <= rounds; r++)
        slice_alike(key->rk[r], shift_rows(load_block(rk + 16 * r) ^ 0x63636363, 3 * r % 4));
}

static void encrypt_planes(const struct fc_aes_sliced_key *key, plane x[8])
{
    add_round_key(x, key->rk[0]);
    for (uint32_t r = 1; r < key->rounds; r++) {
        sub_bytes(x);
        mix_columns(x, r);
        add_round_key(x, key->rk[r]);
    }
    sub_bytes(x);
    add_round_key(x, key->rk[key->rounds]);
    for (int i = 0; i < 8; i++)
        x[i] = shift_rows(x[i], key->rounds % 4);
}

void fc_aes_encrypt_generic(const struct fc_aes_sliced_key *key, uint8_t *dst, const uint8_t *src,
                            size_t nblocks)
{
    plane x[FC_AES_ABREAST] = {{0}};

    while (nblocks > 0) {
        size_t n = fc_min_size(nblocks, FC_AES_ABREAST);

        for (size_t b = 0; b < n; b++)
            x[b] = load_block(src + 16 * b);
        transpose(x);
        encrypt_planes(key, x);
        transpose(x);
        for (size_t b = 0; b < n; b++)
            store_block(dst + 16 * b, x[b]);
        src += 16 * n;
        dst += 16 * n;
        nblocks -= n;
    }
    fc_wipe(x, sizeof(x));
}
