/*
 * Functions that objects.sh must refuse, wrong in one way each, and some that are right.
 */
#include "common.inc"

.macro	right	name:req, what:vararg
func	fc_right_\name
	\what
	ret
endfunc	fc_right_\name
.endm

.macro	wrong	name:req, what:vararg
func	fc_wrong_\name
	\what
	ret
endfunc	fc_wrong_\name
.endm

	right	avx512, vpternlogq $0x96, %zmm17, %zmm1, %zmm2{%k1}
	right	avx2, vpaddd %ymm15, %ymm1, %ymm2
	right	bmi2, rorx $24, %rax, %rcx
	right	aesni, aesenc %xmm15, %xmm2
	right	sse41, pinsrd $1, %fs:(%rax), %xmm2

	wrong	sse_avx512, pxor %xmm1, %xmm2
	wrong	sse_avx2, aesenc (%rdi), %xmm2
	wrong	evex_avx2, vpxorq %xmm1, %xmm1, %xmm2
	wrong	above_15_avx2, vpaddd %ymm16, %ymm1, %ymm2
	wrong	zmm_avx2, vpaddd %zmm1, %zmm1, %zmm2
	wrong	prefix_avx2, vpaddd %fs:(%eax), %zmm1, %zmm2
	wrong	mask_avx2, kmovq %rax, %k1
	wrong	vex_bmi2, vpaddd %xmm1, %xmm1, %xmm2
	wrong	vex_aesni, vaesenc %xmm1, %xmm1, %xmm2
	wrong	prefix_aesni, vpaddd %fs:(%eax), %xmm1, %xmm2
	wrong	scalar_aesni, rorx $24, %rax, %rcx
	wrong	wide_aesni, vzeroupper
	wrong	evex_aesni, vpaddd %xmm16, %xmm1, %xmm2
	wrong	vex_sse41, vpaddd %xmm1, %xmm1, %xmm2
	wrong	vex_generic, vpaddd %xmm1, %xmm1, %xmm2
	wrong	vex, vpaddd %xmm1, %xmm1, %xmm2

	.globl	fc_wrong_begin_avx2
fc_wrong_begin_avx2:
	vzeroupper
	ret
