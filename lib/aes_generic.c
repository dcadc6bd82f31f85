/*
 * The rounds are fix-sliced (Adomnicai and Peyrin, "Fixslicing AES-like ciphers", 2020): ShiftRows
 * is never carried out. After k rounds, row r of column c of the state stands in row r of column
 * c + k r, so the row below it in the same column, r + 1, stands k columns to the right, for every
 * r alike as the rows number 4: -3k = k modulo 4. MixColumns looks there, round keys are laid out
 * so, and what is left of the turning is made good at the end.
 *
 * The constant 0x63 of the S-box is left out of it and put into the round keys: ShiftRows and
 * MixColumns keep a state of equal bytes as it is.
 *
 * Decryption takes the same steps back (FIPS 197 section 5.3), so the same round keys serve.
 */
#include "aes_generic.h"

#include <string.h>

#include "aes_sbox_generic.h"
#include "bytes.h"
#include "secret.h"

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

/* InvMixColumns is MixColumns after a + 4 (a + c), likewise for b, c and d. */
ALWAYS_INLINE void inv_mix_columns_turned(plane x[8], unsigned k)
{
    plane sum[8];

    for (int i = 0; i < 8; i++)
        sum[i] = x[i] ^ turn_columns(turn_rows(x[i], 2), 2 * k);
    for (int i = 0; i < 8; i++)
        x[i] ^= sum[(i + 6) % 8];
    x[1] ^= sum[6]; /* x^8 as above, and x^9 = x^5 + x^4 + x^2 + x */
    x[3] ^= sum[6];
    x[4] ^= sum[6] ^ sum[7];
    x[2] ^= sum[7];
    x[5] ^= sum[7];
    mix_columns_turned(x, k);
}

typedef void mix_fn(plane x[8], unsigned k);

/* mix(x, k) with a constant in the place of k, so that turning columns costs one instruction. */
ALWAYS_INLINE void mix_after(mix_fn *mix, plane x[8], unsigned k)
{
    switch (k % 4) {
    case 0:
        mix(x, 0);
        break;
    case 1:
        mix(x, 1);
        break;
    case 2:
        mix(x, 2);
        break;
    case 3:
        mix(x, 3);
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

typedef void planes_fn(const struct fc_aes_sliced_key *key, plane x[8]);

static void encrypt_planes(const struct fc_aes_sliced_key *key, plane x[8])
{
    add_round_key(x, key->rk[0]);
    for (uint32_t r = 1; r < key->rounds; r++) {
        sub_bytes(x);
        mix_after(mix_columns_turned, x, r);
        add_round_key(x, key->rk[r]);
    }
    sub_bytes(x);
    add_round_key(x, key->rk[key->rounds]);
    for (int i = 0; i < 8; i++)
        x[i] = shift_rows(x[i], key->rounds % 4);
}

static void decrypt_planes(const struct fc_aes_sliced_key *key, plane x[8])
{
    for (int i = 0; i < 8; i++)
        x[i] = shift_rows(x[i], 3 * key->rounds % 4);
    add_round_key(x, key->rk[key->rounds]);
    inv_sub_bytes(x);
    for (uint32_t r = key->rounds - 1; r > 0; r--) {
        add_round_key(x, key->rk[r]);
        mix_after(inv_mix_columns_turned, x, r);
        inv_sub_bytes(x);
    }
    add_round_key(x, key->rk[0]);
}

static void inv_mix_planes(const struct fc_aes_sliced_key *key, plane x[8])
{
    (void)key;
    inv_mix_columns_turned(x, 0);
}

/* Brings blocks into planes and back, eight at a time. */
ALWAYS_INLINE void in_planes(planes_fn *fn, const struct fc_aes_sliced_key *key, uint8_t *dst,
                             const uint8_t *src, size_t nblocks)
{
    plane x[FC_AES_ABREAST] = {{0}};

    while (nblocks > 0) {
        size_t n = fc_min_size(nblocks, FC_AES_ABREAST);

        for (size_t b = 0; b < n; b++)
            x[b] = load_block(src + 16 * b);
        transpose(x);
        fn(key, x);
        transpose(x);
        for (size_t b = 0; b < n; b++)
            store_block(dst + 16 * b, x[b]);
        src += 16 * n;
        dst += 16 * n;
        nblocks -= n;
    }
    fc_wipe(x, sizeof(x));
}

void fc_aes_encrypt_generic(const struct fc_aes_sliced_key *key, uint8_t *dst, const uint8_t *src,
                            size_t nblocks)
{
    in_planes(encrypt_planes, key, dst, src, nblocks);
}

void fc_aes_decrypt_generic(const struct fc_aes_sliced_key *key, uint8_t *dst, const uint8_t *src,
                            size_t nblocks)
{
    in_planes(decrypt_planes, key, dst, src, nblocks);
}

void fc_aes_invert_generic(uint8_t *dec_rk, const uint8_t *rk, uint32_t rounds)
{
    for (uint32_t r = 0; r <= rounds; r++)
        memcpy(dec_rk + 16 * r, rk + 16 * (rounds - r), 16);
    in_planes(inv_mix_planes, NULL, dec_rk + 16, dec_rk + 16, rounds - 1);
}

void fc_aes_ctr_generic(const uint8_t *rk, uint32_t rounds, uint8_t *dst, const uint8_t *src,
                        size_t nblocks, uint8_t *ctr, fc_aes_count_fn *count)
{
    struct fc_aes_sliced_key sliced;
    uint8_t stream[FC_AES_ABREAST][FC_AES_BLOCK];

    if (nblocks == 0)
        return;
    fc_aes_slice_generic(&sliced, rk, rounds);
    while (nblocks > 0) {
        size_t n = fc_min_size(nblocks, FC_AES_ABREAST);

        count(stream, ctr, n);
        fc_aes_encrypt_generic(&sliced, stream[0], stream[0], n);
        for (size_t i = 0; i < n; i++)
            fc_xor_block(dst + FC_AES_BLOCK * i, src + FC_AES_BLOCK * i, stream[i]);
        dst += FC_AES_BLOCK * n;
        src += FC_AES_BLOCK * n;
        nblocks -= n;
    }
    fc_wipe(&sliced, sizeof(sliced));
    fc_wipe(stream, sizeof(stream));
}
