/*
 * AES-GCM-SIV (RFC 8452), AES-128 and AES-256.
 *
 *   tier    needs                        vectors             group
 *   aesni   SSE4.1, AES-NI, PCLMULQDQ    16 bytes, SSE        8 blocks
 *   avx2    AVX2, VAES, VPCLMULQDQ       32 bytes, VEX       16 blocks
 *   avx512  AVX-512 F, BW, DQ, VL, BMI2, 64 bytes, EVEX      32 blocks
 *           VAES, VPCLMULQDQ
 *
 * The functions are those of struct fc_gcmsiv_kern in lib/kern.h. Data goes by in groups of eight
 * vectors: eight independent AES states hide the latency of AESENC. One POLYVAL reduction serves
 * 16 vectors of a long message with SSE and VEX, else eight; more in an unrolled loop no longer
 * fit the op cache of a core that runs two threads. With EVEX, whose group has the blocks of two,
 * the vector that waits for the reduction comes last instead. Where AES and POLYVAL meet (open,
 * pair) the multiplications stand inside the last ten rounds, so that all execution units are busy
 * all along: opening hashes the group decrypted before, sealing hashes another message.
 *
 * On Zen 3 a PCLMULQDQ is four micro-operations, which are issued apart from other instructions
 * and share the vector pipes with AESENC; each other vector operation adds a quarter to a third of
 * a cycle. Hence: data xored into the last round key, sums of halves by a second load, few
 * reductions. AES-256, 64 KiB, cycles per byte, beside what the rounds and multiplications take
 * alone:
 *
 *            aesni             avx2
 *   CTR      .453 of .437      .230 of .218
 *   POLYVAL  .391 of .406      .196 of .203
 *   both     .702 of .573      .351 of .287
 *
 * EVEX code has 32 registers: it holds the round keys and adds three products at once.
 *
 * A short message, and what is left of a long one, is a matter of latency: derive makes four powers
 * of H, which are waited for, in front of the key schedule, which has time until POLYVAL is done;
 * finish goes over the last blocks four at a time, then makes the tag and the first counter block.
 *
 * Limits: whole blocks, any number of them, any alignment. The counter is 32 bits, little-endian,
 * and wraps without carry. src may equal dst; hsrc must not overlap dst.
 */

#include "kern_layout.h"

#include "common.inc"
#include "vec.inc"
#include "aes.inc"
#include "polyval.inc"

#define CTR_ROUNDS	FC_MK_ROUNDS(KEYS)
#define CTR_ADD		vaddd
#define CTR_BIG		0
#include "ctr.inc"
#include "gcmsiv_groups.inc"
#include "gcmsiv.inc"

	gcmsiv_kernels	aesni, 16
	gcmsiv_kernels	avx2, 32
	gcmsiv_kernels	avx512, 64
