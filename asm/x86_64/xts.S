/*
 * AES-XTS (IEEE 1619-2018), AES-128 and AES-256, many sectors per call.
 *
 *   tier    needs                        vectors             group
 *   aesni   SSE4.1, AES-NI               16 bytes, SSE        8 blocks
 *   avx2    AVX2, VAES, VPCLMULQDQ       32 bytes, VEX       16 blocks
 *   avx512  AVX-512 F, BW, DQ, VL, BMI2, 64 bytes, EVEX      32 blocks
 *           VAES, VPCLMULQDQ
 *
 * The functions are those of struct fc_xts_kern in lib/kern.h. A group is eight vectors: the AES
 * states that hide AESENC's latency. Block j of a sector has the tweak T x^j, T being the sector's
 * own, encrypted for all sectors of the call together (fc_xts_tweaks). While a group goes through its
 * rounds, the tweaks of the next one, of this sector or the next, are made and put into work->next.
 * What stood there went into the blocks in the beginning, and to work->kept for the end. It is added
 * behind the last round: in the last round's key it cost 5 % with aesni, and gained nothing with avx2.
 *
 * Where tweaks come from is the one thing that tiers differ in, for vectors are multiplied by x^8 with
 * two shifts and a PCLMULQDQ, but the latter takes four slots on a Zen 3, two of them from AES. There
 * shifts and shuffles compete with AES, too; additions, comparisons and logic do not. So aesni and
 * avx2 double tweaks by these alone, with avx2 in two lanes of eight blocks that change places in the
 * end. avx512 has PCLMULQDQ at one slot, and would have four lanes to sort.
 *
 *   cycles per byte, Zen 3      XTS-256, 4K   512    XTS-128, 4K
 *   aesni   PCLMULQDQ               .640      .688      .529
 *           doubling                .462      .473      .366
 *           limit of AESENC         .438      .438      .313
 *   avx2    PCLMULQDQ               .325      .352      .264
 *           x^2 by PSHUFB tables    .297      .306      .258
 *           doubling                .257      .263      .202
 *           limit of AESENC         .219      .219      .156
 *
 * Doubling in general registers and the stores that this takes: .279 with avx2, .537 with aesni. By
 * llvm-mca an Ice Lake runs a group of avx512 in 116 cycles, 112 of which are AESENC's.
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
