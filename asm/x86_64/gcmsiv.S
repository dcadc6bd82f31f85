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
 * vectors: eight independent AES states hide the latency of AESENC, and one POLYVAL reduction
 * serves the group. Where AES and POLYVAL meet (open, pair) one vector's multiplications stand
 * behind each of the rounds 1 to 8, so that both execution units are busy all along: opening hashes
 * the group decrypted before, sealing hashes another message.
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
#include "gcmsiv.inc"

	gcmsiv_kernels	aesni, 16
	gcmsiv_kernels	avx2, 32
	gcmsiv_kernels	avx512, 64
