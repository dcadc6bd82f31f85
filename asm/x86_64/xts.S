/*
 * AES-XTS (IEEE 1619-2018), AES-128 and AES-256, many sectors per call.
 *
 *   tier    needs                        vectors             group
 *   aesni   SSE4.1, AES-NI, PCLMULQDQ    16 bytes, SSE        8 blocks
 *   avx2    AVX2, VAES, VPCLMULQDQ       32 bytes, VEX       16 blocks
 *   avx512  AVX-512 F, BW, DQ, VL, BMI2, 64 bytes, EVEX      32 blocks
 *           VAES, VPCLMULQDQ
 *
 * The functions are those of struct fc_xts_kern in lib/kern.h. A group is eight vectors: the AES
 * states that hide AESENC's latency. Block j of a sector has the tweak T x^j, T being the sector's
 * own, encrypted for all sectors of the call together (fc_xts_tweaks). The tweaks of the group under
 * work stand in work->next; those of the next group come from them by a shift of whole bytes and one
 * carry-less multiplication per vector, which go beside the AES rounds of the group before. The
 * tweaks are added in the end together with the last round key, off the critical path.
 *
 * Limits: whole blocks; ciphertext stealing is done in C. src may equal dst.
 */

#include "kern_layout.h"

#include "common.inc"
#include "vec.inc"
#include "aes.inc"
#include "xts.inc"

	xts_kernels	aesni, 16
	xts_kernels	avx2, 32
	xts_kernels	avx512, 64
