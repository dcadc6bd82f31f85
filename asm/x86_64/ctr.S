/*
 * AES-CTR (SP 800-38A section 6.5), AES-128, AES-192 and AES-256.
 *
 *   tier    needs                        vectors             group
 *   aesni   SSE4.1, AES-NI               16 bytes, SSE        8 blocks
 *   avx2    AVX2, VAES (*)               32 bytes, VEX       16 blocks
 *   avx512  AVX-512 F, BW, DQ, VL, BMI2, 64 bytes, EVEX      32 blocks
 *           VAES (*)
 *
 * (*) Chosen only where there is VPCLMULQDQ too, as on every CPU that has VAES; an emulator that has
 * one without the other is known to get 256-bit VAESENC wrong.
 *
 * The function is fc_ctr_fn of lib/kern.h. The counter is 128 bits, big-endian; vectors count in
 * little-endian form. Of a group one block alone is turned round, and the others come from it by
 * additions to its last byte, a shuffle less for each. Where a carry leaves that byte, one group in
 * 256/8 at the most, all are turned round. Where it leaves the low 64 bits, one in 2^64/8, the group
 * goes block by block. Fewer blocks than a group go as one, four or eight vectors.
 *
 *   8 KiB, cycles per byte, Zen 3      CTR-128   192    256    50 bytes, 256
 *   aesni   all turned round            .358     .419   .482       4.12
 *           one turned round            .330     .389   .464       2.18
 *           limit of AESENC             .313     .375   .438
 *   avx2    all turned round            .180     .213   .243       4.23
 *           one turned round            .167     .196   .227       2.28
 *           limit of AESENC             .156     .187   .219
 *
 * Limits: whole blocks, any number of them, any alignment. src may equal dst.
 */

#include "kern_layout.h"

#include "common.inc"
#include "vec.inc"
#include "aes.inc"

#define CTR_ROUNDS	FC_CTR_ROUNDS(KEYS)
#define CTR_ADD		vaddq
#define CTR_BIG		1
#include "ctr.inc"

/* Roles beside those of ctr.inc: COUNTER (where the counter block stands), LOW (its low 64 bits), LEFT
 * (blocks to do one by one). */
#define COUNTER	%r8
#define LOW	%rsi
#define LOW_BYTE	%sil
#define LEFT	%r11

.macro	ctr_registers	bytes:req
	set_vl	\bytes
	.irp	i, 0,1,2,3,4,5,6,7
	.set	BLK\i, V\i
	.endr
	.set	RKEY, V8
	.set	RKEY_X, X8
	.set	T0, V9
	.set	T0_X, X9
	.set	CTR, V10
	.set	CTR_X, X10
	.set	KEY_FIRST, V11
	.set	KEY_LAST, V12
	.set	STEP, V13
	.set	FIRST, V14
.endm

/* ctr_lanes: the counter of the first lane in every lane. */
.macro	ctr_lanes
	.if	VL > 16
	vlane0	CTR, CTR
	.endif
.endm

/* ctr_turn: FIRST = the counter in every lane of CTR as a block. */
.macro	ctr_turn
	op3	pshufb, ctr_reverse(%rip), CTR, FIRST
.endm

/* ctr_quick: ctr_first where no carry leaves the last byte of the counters: only FIRST was turned
 * round, and the others come from it by additions to that byte. */
.macro	ctr_quick
	.irp	i, 0,1,2,3,4,5,6,7
	vaddd	ctr_add_big+VL*\i(%rip), FIRST, BLK\i
	vxor	KEY_FIRST, BLK\i, BLK\i
	.endr
.endm

/* ctr_finish: the last round, and a group from SRC to DST; the pointers move on. To add data to the
 * last round key instead is slower here: .234 cycles per byte for .227 with avx2 and AES-256. */
.macro	ctr_finish
	.irp	i, 0,1,2,3,4,5,6,7
	vaesenclast_	KEY_LAST, BLK\i
	vxoru	VL*\i(SRC), BLK\i, T0
	vmovu	T0, VL*\i(DST)
	.endr
	add	$GROUP_BYTES, SRC
	add	$GROUP_BYTES, DST
.endm

/* ctr_groups: as many groups as N has; N keeps the rest. The counter of the next group is made beside
 * the rounds. */
.macro	ctr_groups
	sub	$GROUP_BLOCKS, N
	jb	8f
	vbcast	(KEYS), KEY_FIRST
	vbcast	160(KX), KEY_LAST
	vbcast	ctr_add+16*GROUP_BLOCKS(%rip), STEP
	ctr_turn
	.balign	32
4:	add	$GROUP_BLOCKS, LOW
	cmp	$GROUP_BLOCKS, LOW_BYTE
	jb	6f			/* that byte has just wrapped */
	ctr_quick
5:	ctr_front
	.irp	i, 1,2,3,4
	aes_round8	16*\i(KX)
	.endr
	CTR_ADD	STEP, CTR, CTR
	ctr_turn
	.irp	i, 5,6,7,8
	aes_round8	16*\i(KX)
	fetch_ahead	\i-5, SRC
	.endr
	aes_round8	144(KX)
	ctr_finish
	sub	$GROUP_BLOCKS, N
	jae	4b
	jmp	8f
6:	cmp	$GROUP_BLOCKS, LOW
	jb	7f			/* and all of LOW */
	ctr_first
	jmp	5b
7:	sub	$GROUP_BLOCKS, LOW
	mov	$GROUP_BLOCKS, LEFT
	ctr_singly
	ctr_lanes
	ctr_turn
	sub	$GROUP_BLOCKS, N
	jae	4b
8:	add	$GROUP_BLOCKS, N
.endm

/* ctr_singly: LEFT >= 1 blocks one by one, with carries. */
.macro	ctr_singly
	add	$160, KX		/* the last round key */
1:	op3	pshufb, ctr_reverse(%rip), CTR_X, X0
	vaddq	ctr_add+16(%rip), CTR_X, CTR_X
	inc	LOW
	jnz	2f
	vaddq	ctr_carry(%rip), CTR_X, CTR_X
2:	vxor	(KEYS), X0, X0
	lea	16(KEYS), %rax
3:	vaesenc_	(%rax), X0
	add	$16, %rax
	cmp	KX, %rax
	jne	3b
	vaesenclast_	(KX), X0
	vmovu	(SRC), T0_X
	vxor	T0_X, X0, X0
	vmovu	X0, (DST)
	add	$16, SRC
	add	$16, DST
	dec	LEFT
	jnz	1b
	sub	$160, KX
.endm

.macro	ctr_kernel	tier:req, bytes:req

	ctr_registers	\bytes

func	fc_ctr_xor_\tier		/* (key, dst, src, nblocks, counter) */
	mov	%rcx, N
	mov	%rdx, SRC
	mov	%rsi, DST
	mov	8(COUNTER), LOW
	bswap	LOW
	vmovu	(COUNTER), CTR_X
	op3	pshufb, ctr_reverse(%rip), CTR_X, CTR_X
	ctr_lanes
	aes_last_ten	KEYS, CTR_ROUNDS, KX
	ctr_groups
	mov	LOW, %rax
	add	N, %rax
	jc	9f
	ctr_tail
	jmp	10f
9:	mov	N, LEFT
	ctr_singly
10:	op3	pshufb, ctr_reverse(%rip), CTR_X, CTR_X
	vmovu	CTR_X, (COUNTER)
	leave_wiped
endfunc	fc_ctr_xor_\tier

.endm

	.section .rodata
	.balign	64
ctr_add_big:	/* 0, 1, 2 ... in the last byte of big-endian blocks */
	.set	i, 0
	.rept	32
	.byte	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, i
	.set	i, i + 1
	.endr
	.balign	16
ctr_carry:
	.quad	0, 1
	.text

	ctr_kernel	aesni, 16
	ctr_kernel	avx2, 32
	ctr_kernel	avx512, 64
