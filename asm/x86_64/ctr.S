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
 * The function is fc_ctr_fn of lib/kern.h. The counter is 128 bits, big-endian. A group whose counters
 * carry into the upper 64 bits, one in 2^64 / 8 at the most, goes block by block; one branch per
 * group finds it.
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
	.set	CTR_Y, Y10
.endm

/* ctr_lanes: the counter of the first lane in every lane. */
.macro	ctr_lanes
	.if	VL >= 32
	vinserti128	$1, CTR_X, CTR_Y, CTR_Y
	.endif
	.if	VL == 64
	vinserti64x4	$1, CTR_Y, CTR, CTR
	.endif
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
	sub	$GROUP_BLOCKS, N
	jb	5f
	.balign	32
4:	add	$GROUP_BLOCKS, LOW
	jc	6f
	ctr_begin
	.irp	i, 1,2,3,4,5,6,7,8,9
	aes_round8	16*\i(KX)
	.endr
	ctr_advance
	ctr_store
	sub	$GROUP_BLOCKS, N
	jae	4b
	jmp	5f
6:	sub	$GROUP_BLOCKS, LOW
	mov	$GROUP_BLOCKS, LEFT
	ctr_singly
	ctr_lanes
	sub	$GROUP_BLOCKS, N
	jae	4b
5:	add	$GROUP_BLOCKS, N
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
	.balign	16
ctr_carry:
	.quad	0, 1
	.text

	ctr_kernel	aesni, 16
	ctr_kernel	avx2, 32
	ctr_kernel	avx512, 64
