/*
 * void checkasm_trampoline(struct checked_call *call)
 *
 * Calls call->fn with its six arguments in a known state: callee-saved registers hold gpr_in,
 * xmm0..15 hold the low 16 bytes of vec, everything above them is zero and (where AVX is there)
 * counts as unused, and CALL_STACK_LEN bytes below the stack pointer are zero. Then stores the same
 * things as the callee left them. The stack pointer is kept in memory: the callee is not trusted
 * with it.
 */
#include "call_layout.h"

	.text

	.macro	each_gpr insn, base
	\insn	0+\base, %rbx
	\insn	8+\base, %rbp
	\insn	16+\base, %r12
	\insn	24+\base, %r13
	\insn	32+\base, %r14
	\insn	40+\base, %r15
	.endm

	.macro	load_gpr offset, reg
	movq	\offset(%rdi), \reg
	.endm

	.macro	store_gpr offset, reg
	movq	\reg, \offset(%rdi)
	.endm

	/* dst = XCR0 & XINUSE where the CPU tells. Clobbers rax, rcx, rdx. */
	.macro	get_xinuse dst
	cmpl	$0, CALL_HAS_XINUSE(%rdi)
	je	.Lno_xinuse\@
	movl	$1, %ecx
	xgetbv
	movl	%eax, \dst(%rdi)
.Lno_xinuse\@:
	.endm

	.globl	checkasm_trampoline
	.hidden	checkasm_trampoline
	.type	checkasm_trampoline, @function
	.balign	64
checkasm_trampoline:
	.cfi_startproc
	endbr64
	.irp	reg, rbx, rbp, r12, r13, r14, r15, rdi
	pushq	%\reg
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %\reg, 0
	.endr
	movq	%rdi, current_call(%rip)
	movq	%rsp, stack_pointer(%rip)
	movq	%rsp, CALL_RSP_IN(%rdi)
	stmxcsr	CALL_MXCSR_IN(%rdi)

	/* Vector registers. */
	.irp	i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movdqu	CALL_VEC+64*\i(%rdi), %xmm\i
	.endr
	cmpl	$32, CALL_WIDTH(%rdi)
	jb	.Lfilled
	vzeroupper
	je	.Lfilled
	.irp	i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	vpxord	%zmm\i, %zmm\i, %zmm\i
	.endr
	vzeroupper
.Lfilled:
	get_xinuse CALL_XINUSE_IN

	/* The stack below. */
	movq	%rdi, %r11
	leaq	-CALL_STACK_LEN(%rsp), %rdi
	movl	$CALL_STACK_LEN/8, %ecx
	xorl	%eax, %eax
	rep stosq
	movq	%r11, %rdi

	each_gpr load_gpr, CALL_GPR_IN
	movq	CALL_ARG+8(%rdi), %rsi
	movq	CALL_ARG+16(%rdi), %rdx
	movq	CALL_ARG+24(%rdi), %rcx
	movq	CALL_ARG+32(%rdi), %r8
	movq	CALL_ARG+40(%rdi), %r9
	movq	CALL_FN(%rdi), %rax
	movq	CALL_ARG(%rdi), %rdi
	call	*%rax

	movq	current_call(%rip), %rdi
	movq	%rsp, CALL_RSP_OUT(%rdi)
	movq	stack_pointer(%rip), %rsp
	each_gpr store_gpr, CALL_GPR_OUT
	pushfq
	.cfi_adjust_cfa_offset 8
	popq	CALL_RFLAGS(%rdi)
	.cfi_adjust_cfa_offset -8
	cld
	stmxcsr	CALL_MXCSR_OUT(%rdi)
	ldmxcsr	CALL_MXCSR_IN(%rdi)
	get_xinuse CALL_XINUSE_OUT

	cmpl	$32, CALL_WIDTH(%rdi)
	je	.Ldump_ymm
	ja	.Ldump_zmm
	.irp	i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movdqa	%xmm\i, CALL_VEC+64*\i(%rdi)
	.endr
	jmp	.Ldumped
.Ldump_ymm:
	.irp	i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vmovdqa	%ymm\i, CALL_VEC+64*\i(%rdi)
	.endr
	vzeroupper
	jmp	.Ldumped
.Ldump_zmm:
	.irp	i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vmovdqa64 %zmm\i, CALL_VEC+64*\i(%rdi)
	.endr
	.irp	i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	vmovdqa64 %zmm\i, CALL_VEC+64*\i(%rdi)
	.endr
	vzeroupper
.Ldumped:
	/* What the callee left below the stack pointer. */
	movq	%rdi, %r11
	leaq	-CALL_STACK_LEN(%rsp), %rsi
	leaq	CALL_STACK(%rdi), %rdi
	movl	$CALL_STACK_LEN/8, %ecx
	rep movsq

	.irp	reg, rdi, r15, r14, r13, r12, rbp, rbx
	popq	%\reg
	.cfi_adjust_cfa_offset -8
	.cfi_restore %\reg
	.endr
	ret
	.cfi_endproc
	.size	checkasm_trampoline, .-checkasm_trampoline

	.local	current_call
	.comm	current_call, 8, 8
	.local	stack_pointer
	.comm	stack_pointer, 8, 8

	.section .note.GNU-stack, "", @progbits
