/*
 * BLAKE2b's compression function (RFC 7693 section 3.2), for one stream and for several.
 *
 *   function   tier     needs     registers
 *   compress   bmi2     BMI2      general, a word each                 blake2b_word.inc
 *   compress   avx2     AVX2      xmm, two words of a row each         blake2b_rows.inc
 *   compress   avx512   AVX-512   the same, with VPRORQ
 *   lanes      avx2     AVX2      ymm, a word of four streams each     blake2b_lanes.inc
 *   lanes      avx512   AVX-512   zmm, a word of eight streams each
 *
 * The functions are fc_blake2b_compress_fn and fc_blake2b_lanes_fn in lib/kern.h. A state of sixteen
 * words goes through twelve rounds of eight G, first on the columns, then on the diagonals of
 *
 *	a0 a1 a2 a3        G(a, b, c, d; x, y):
 *	b0 b1 b2 b3            a += b + x;  d = (d ^ a) >>> 32;  c += d;  b = (b ^ c) >>> 24
 *	c0 c1 c2 c3            a += b + y;  d = (d ^ a) >>> 16;  c += d;  b = (b ^ c) >>> 63
 *	d0 d1 d2 d3
 *
 * One stream is a chain: 24 G wait for one another, each of 12 steps when the word of the message is
 * added before b is known. With a latency of one cycle that makes 288 cycles a block, 2.25 c/B, in
 * general registers and with VPRORQ; 312 cycles, 2.44 c/B, where rotating by 63 takes two vector
 * instructions; twice as much on CPUs whose vector instructions take two cycles (Zen 5). In general
 * registers a block is also 1344 instructions, 384 of them rotations: 2.63 c/B where four are issued
 * in a cycle.
 *
 * On a Zen 3 (EPYC 7003), c/B at 16 KiB: bmi2 3.16, avx2 2.67, compiled C 3.55; lanes avx2 .98.
 * avx2 takes 13.8 cycles for the 13 steps of half a round, and 10 more between two blocks: its 40
 * vector instructions, 12 of which only two of the four pipes execute, are about all that fits. A row
 * in one ymm takes 2.87 to 3.05, however its diagonals are made: what crosses from one half of a
 * register to the other takes five or six cycles and is issued once a cycle.
 *
 * Which of the tiers for one stream is best depends on the latency of vector instructions, told by
 * FC_CPU_QUICK_VECTORS (lib/cpu.h): where it is one cycle, vectors, as measured on Zen 3; on Intel
 * by llvm-mca's models, Skylake: bmi2 3.24, avx2 3.10; Ice Lake: bmi2 3.24, avx2 2.94, avx512 2.62.
 * Where it is two, general registers: no vector code can be faster than 4.5.
 *
 * Limits: whole blocks, any number of them, any alignment of src; inc of a lane is at most 128.
 */

#include "kern_layout.h"

#include "common.inc"
#include "vec.inc"
#include "blake2b.inc"
#include "blake2b_word.inc"
#include "blake2b_rows.inc"
#include "blake2b_lanes.inc"

	blake2b_word	bmi2
	blake2b_rows	avx2
	blake2b_rows	avx512
	blake2b_lanes	avx2, 32
	blake2b_lanes	avx512, 64
