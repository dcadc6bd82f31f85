/*
 * The contract between C and the kernels, and the choice among them.
 *
 * Every operation has a table of candidates, best first; the choice, the tests and the bench walk
 * the same table. A candidate is chosen when the CPU has its features, its tier is not above
 * FCRYPT_TIER, and it passes a known-answer test; the choice is made once and then immutable.
 */
#ifndef FC_KERN_H
#define FC_KERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blake2b.h"
#include "cpu.h"
#include "ctr.h"
#include "gcmsiv.h"
#include "kern_layout.h"
#include "xts.h"

/*
 * AES-GCM-SIV: the keys and running state of one message.
 *
 * hpow holds the powers of the POLYVAL key H that a tier aggregates over, highest first, ending
 * with H itself in hpow[FC_MK_MAX_POWERS - 1]; a tier that aggregates over n blocks fills the last
 * n entries. hkar[i] is the xor of the two halves of hpow[i], in both halves. Powers are in
 * POLYVAL's own product, dot(a, b) = a * b * x^-128 (RFC 8452 section 3). What stands in hpow and
 * hkar is a tier's own business: a message is handled by the functions of one tier throughout.
 */
struct fc_gcmsiv_mk {
    _Alignas(64) uint8_t rk[15][16]; /* of the message-encryption key */
    uint32_t rounds;                 /* 10 or 14 */
    uint32_t powers;                 /* of H, in the last entries of hpow and hkar */
    uint8_t pad0[8];
    uint8_t acc[16]; /* POLYVAL accumulator */
    uint8_t ctr[16]; /* next counter block; its first 32 bits count, little-endian, modulo 2^32 */
    uint8_t pad1[32];
    uint8_t hpow[FC_MK_MAX_POWERS][16];
    uint8_t hkar[FC_MK_MAX_POWERS][16];
};

/* The functions of one tier. src and dst have any alignment; dst may equal src; nblocks counts
 * 16-byte blocks and may be 0. */
struct fc_gcmsiv_kern {
    /* Expands secret[key_len], key_len 16 or 32 (FIPS 197 section 5.2): key->rk; rounds and
     * key_len are set by the caller. */
    void (*expand)(struct fc_gcmsiv_key *key, const uint8_t *secret);
    /* RFC 8452 section 4: message keys for nonce[12]; fills rk, rounds, powers, hpow, hkar, zeroes
     * acc. nblocks: how many blocks polyval, open or pair will be given in one call at most; a tier
     * leaves out powers that they then do not need. */
    void (*derive)(struct fc_gcmsiv_mk *mk, const struct fc_gcmsiv_key *key, const uint8_t *nonce,
                   size_t nblocks);
    /* acc = POLYVAL continued over src[16 * nblocks]. */
    void (*polyval)(struct fc_gcmsiv_mk *mk, const uint8_t *src, size_t nblocks);
    /* dst = src xor key stream from ctr on; ctr moves on by nblocks. */
    void (*ctr)(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src, size_t nblocks);
    /* Both in one pass: dst = src xor key stream, acc over dst. */
    void (*open)(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src, size_t nblocks);
    /* ctr of one message beside polyval of another: enc: dst = src xor key stream; auth: acc over
     * hsrc. All three are 16 * nblocks long; hsrc does not overlap dst. */
    void (*pair)(struct fc_gcmsiv_mk *enc, struct fc_gcmsiv_mk *auth, uint8_t *dst,
                 const uint8_t *src, const uint8_t *hsrc, size_t nblocks);
    /* POLYVAL continued over src[16 * nblocks], whose last block is the lengths block; then tag[16]
     * from its result and nonce[12], and ctr, the first counter block, from the tag. acc is lost.
     */
    void (*finish)(struct fc_gcmsiv_mk *mk, uint8_t *tag, const uint8_t *src, size_t nblocks,
                   const uint8_t *nonce);
};

/* AES-CTR: dst = src xor key stream over nblocks blocks from counter[16] on, big-endian; counter
 * moves on by nblocks modulo 2^128. src and dst have any alignment; dst may equal src; nblocks may
 * be 0. */
typedef void fc_ctr_fn(const struct fc_ctr_key *key, uint8_t *dst, const uint8_t *src,
                       size_t nblocks, uint8_t counter[FC_CTR_IV]);

/* AES-XTS: tweaks of the sectors of one call, and room for those of the blocks under work. */
enum { FC_XTS_CALL_SECTORS = 64, FC_XTS_WITH_TWEAK = 32 };

struct fc_xts_work {
    _Alignas(64) uint8_t next[32][16], kept[32][16]; /* a tier's own business */
    uint8_t tweak[FC_XTS_CALL_SECTORS][16];
};

/* The functions of one tier. src and dst have any alignment; dst may equal src. */
struct fc_xts_kern {
    /* Expands secret, key_len 32 or 64; rounds is set by the caller. */
    void (*expand)(struct fc_xts_key *key, const uint8_t *secret);
    /* work->tweak[0..n) encrypted in place under the tweak key, 1 <= n <= FC_XTS_CALL_SECTORS; up
     * to the next multiple of FC_XTS_WITH_TWEAK what stands behind them is lost. */
    void (*tweaks)(const struct fc_xts_key *key, struct fc_xts_work *work, size_t n);
    /* nsectors sectors of nblocks blocks each, one behind the other, sector s with the encrypted
     * tweak work->tweak[s] at its first block; those stay as they are. nsectors and nblocks >= 1.
     */
    void (*encrypt)(const struct fc_xts_key *key, uint8_t *dst, const uint8_t *src,
                    struct fc_xts_work *work, size_t nsectors, size_t nblocks);
    void (*decrypt)(const struct fc_xts_key *key, uint8_t *dst, const uint8_t *src,
                    struct fc_xts_work *work, size_t nsectors, size_t nblocks);
};

/* BLAKE2b: compresses nblocks blocks of 128 bytes; before each, state->t grows by inc; last is all
 * ones for the final block of a message (RFC 7693 section 3.2, f), else 0. Uses h and t only. */
typedef void fc_blake2b_compress_fn(struct fc_blake2b *state, const uint8_t *src, size_t nblocks,
                                    uint64_t inc, uint64_t last);

/*
 * BLAKE2b of several messages at once: each has a lane, and the same word of all lanes stands in a
 * row. What the single stream's arguments are, every lane has for itself: inc[i] and last[i], and
 * src[i], which moves on. So a caller gives the kernel runs of whole blocks, as many as the lane
 * with the fewest has before its last one, and that one in a run of 1; then it loads the lane with
 * its next message. A lane without a message has inc and last 0: it needs a readable src all the
 * same, and what its h becomes is not defined.
 *
 * step is how far a lane's next block lies behind the one before: 128 where messages are each in
 * one piece, more where their blocks take turns (BLAKE2bp).
 *
 * Only the first so many lanes as the candidate has are used; the rest of the rows is left alone. h
 * and work are secret where the messages or a key are: to be wiped at the end.
 */
enum { FC_BLAKE2B_MAX_LANES = 8 };

struct fc_blake2b_lanes {
    _Alignas(64) uint64_t h[8][FC_BLAKE2B_MAX_LANES];
    uint64_t t[2][FC_BLAKE2B_MAX_LANES];    /* bytes compressed so far, 128 bits */
    uint64_t inc[FC_BLAKE2B_MAX_LANES];     /* t grows by it before each block; 0..128 */
    uint64_t last[FC_BLAKE2B_MAX_LANES];    /* all ones for the final block of a message, else 0 */
    uint64_t work[9][FC_BLAKE2B_MAX_LANES]; /* a tier's own business */
    const uint8_t *src[FC_BLAKE2B_MAX_LANES];
};

/* Compresses nblocks blocks of 128 bytes of each lane, step bytes from one to the next. */
typedef void fc_blake2b_lanes_fn(struct fc_blake2b_lanes *lanes, size_t nblocks, size_t step);

/* RFC 7693 section 2.6. */
extern const uint64_t fc_blake2b_iv[8];

/* Where the CPU lacks some of suits a candidate works as well, but one below it is faster: it is
 * not chosen. */
#define FC_KERN_HEAD                                                                               \
    enum fc_tier tier;                                                                             \
    uint32_t needs; /* FC_CPU_* */                                                                 \
    uint32_t suits  /* FC_CPU_* */

struct fc_gcmsiv_candidate {
    FC_KERN_HEAD;
    struct fc_gcmsiv_kern kern;
};

struct fc_ctr_candidate {
    FC_KERN_HEAD;
    fc_ctr_fn *xor_blocks;
};

struct fc_xts_candidate {
    FC_KERN_HEAD;
    struct fc_xts_kern kern;
};

struct fc_blake2b_candidate {
    FC_KERN_HEAD;
    fc_blake2b_compress_fn *compress;
};

/* generic does one lane after the other and skips those without a message. */
struct fc_blake2b_lanes_candidate {
    FC_KERN_HEAD;
    size_t lanes; /* 4 or 8 */
    fc_blake2b_lanes_fn *compress;
};

/* The candidates of this build, best first; the last is generic. *n is their number. */
const struct fc_gcmsiv_candidate *fc_gcmsiv_candidates(size_t *n);
const struct fc_ctr_candidate *fc_ctr_candidates(size_t *n);
const struct fc_xts_candidate *fc_xts_candidates(size_t *n);
const struct fc_blake2b_candidate *fc_blake2b_candidates(size_t *n);
const struct fc_blake2b_lanes_candidate *fc_blake2b_lanes_candidates(size_t *n);

/* The chosen ones. Thread-safe. */
const struct fc_gcmsiv_candidate *fc_gcmsiv_chosen(void);
const struct fc_ctr_candidate *fc_ctr_chosen(void);
const struct fc_xts_candidate *fc_xts_chosen(void);
const struct fc_blake2b_candidate *fc_blake2b_chosen(void);
const struct fc_blake2b_lanes_candidate *fc_blake2b_lanes_chosen(void);

/* fc_gcmsiv_seal and fc_gcmsiv_open (gcmsiv.h) by the kernels given; key was expanded by them. */
void fc_gcmsiv_seal_with(const struct fc_gcmsiv_kern *kern, const struct fc_gcmsiv_key *key,
                         const struct fc_gcmsiv_msg *msgs, size_t n);
size_t fc_gcmsiv_open_with(const struct fc_gcmsiv_kern *kern, const struct fc_gcmsiv_key *key,
                           const struct fc_gcmsiv_msg *msgs, size_t n);

/* fc_ctr_xor (ctr.h) by the kernel given. */
void fc_ctr_xor_with(fc_ctr_fn *xor_blocks, const struct fc_ctr_key *key, uint8_t *dst,
                     const uint8_t *src, size_t len, const uint8_t iv[FC_CTR_IV], uint64_t offset);

/* fc_xts_encrypt and fc_xts_decrypt (xts.h) by the kernels given; key was expanded by them. */
void fc_xts_encrypt_with(const struct fc_xts_kern *kern, const struct fc_xts_key *key, uint8_t *dst,
                         const uint8_t *src, const struct fc_xts_run *run);
void fc_xts_decrypt_with(const struct fc_xts_kern *kern, const struct fc_xts_key *key, uint8_t *dst,
                         const uint8_t *src, const struct fc_xts_run *run);

/* fc_xts_move_tweak(tweak, n): an encrypted tweak[16] goes n blocks on: times x^n (IEEE 1619
 * section 5.2). Time depends on n only. */
void fc_xts_move_tweak(uint8_t *tweak, size_t n);

/* fc_kern_usable(tier, needs): whether CPU and FCRYPT_TIER allow it. */
bool fc_kern_usable(enum fc_tier tier, uint32_t needs);

#define FC_GCMSIV_KERN_DECLARE(tier)                                                               \
    void fc_gcmsiv_expand_##tier(struct fc_gcmsiv_key *key, const uint8_t *secret);                \
    void fc_gcmsiv_derive_##tier(struct fc_gcmsiv_mk *mk, const struct fc_gcmsiv_key *key,         \
                                 const uint8_t *nonce, size_t nblocks);                            \
    void fc_gcmsiv_polyval_##tier(struct fc_gcmsiv_mk *mk, const uint8_t *src, size_t nblocks);    \
    void fc_gcmsiv_ctr_##tier(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src,           \
                              size_t nblocks);                                                     \
    void fc_gcmsiv_open_##tier(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src,          \
                               size_t nblocks);                                                    \
    void fc_gcmsiv_pair_##tier(struct fc_gcmsiv_mk *enc, struct fc_gcmsiv_mk *auth, uint8_t *dst,  \
                               const uint8_t *src, const uint8_t *hsrc, size_t nblocks);           \
    void fc_gcmsiv_finish_##tier(struct fc_gcmsiv_mk *mk, uint8_t *tag, const uint8_t *src,        \
                                 size_t nblocks, const uint8_t *nonce)

FC_GCMSIV_KERN_DECLARE(generic);
FC_GCMSIV_KERN_DECLARE(aesni);
FC_GCMSIV_KERN_DECLARE(avx2);
FC_GCMSIV_KERN_DECLARE(avx512);

fc_ctr_fn fc_ctr_xor_generic;
fc_ctr_fn fc_ctr_xor_aesni;
fc_ctr_fn fc_ctr_xor_avx2;
fc_ctr_fn fc_ctr_xor_avx512;

#define FC_XTS_KERN_DECLARE(tier)                                                                  \
    void fc_xts_expand_##tier(struct fc_xts_key *key, const uint8_t *secret);                      \
    void fc_xts_tweaks_##tier(const struct fc_xts_key *key, struct fc_xts_work *work, size_t n);   \
    void fc_xts_encrypt_##tier(const struct fc_xts_key *key, uint8_t *dst, const uint8_t *src,     \
                               struct fc_xts_work *work, size_t nsectors, size_t nblocks);         \
    void fc_xts_decrypt_##tier(const struct fc_xts_key *key, uint8_t *dst, const uint8_t *src,     \
                               struct fc_xts_work *work, size_t nsectors, size_t nblocks)

FC_XTS_KERN_DECLARE(generic);
FC_XTS_KERN_DECLARE(aesni);
FC_XTS_KERN_DECLARE(avx2);
FC_XTS_KERN_DECLARE(avx512);

fc_blake2b_compress_fn fc_blake2b_compress_generic;
fc_blake2b_compress_fn fc_blake2b_compress_bmi2;
fc_blake2b_compress_fn fc_blake2b_compress_avx2;
fc_blake2b_compress_fn fc_blake2b_compress_avx512;

fc_blake2b_lanes_fn fc_blake2b_lanes_generic;
fc_blake2b_lanes_fn fc_blake2b_lanes_avx2;
fc_blake2b_lanes_fn fc_blake2b_lanes_avx512;

/* The final block of the last node of a tree's depth (BLAKE2 paper section 2.10, f1 besides f0), in
 * portable C: there are two of them in a message of any length. */
void fc_blake2b_compress_last_node(struct fc_blake2b *state, const uint8_t *src, uint64_t inc);

#endif
