/*
 * void self_kernel(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src, size_t nblocks)
 *
 * Calls self_body, wipes what C left in vector registers and on the stack, and then commits the
 * fault that self_fault asks for.
 */
#include "call_layout.h"
#include "self.h"

	.text

	.macro	if_fault number, label
	cmpl	$\number, %eax
	je	\label
	.endm

	.globl	self_kernel
	.hidden	self_kernel
	.type	self_kernel, @function
	.balign	64
self_kernel:
	.cfi_startproc
	endbr64
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	call	*self_body(%rip)
	.irp	i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	pxor	%xmm\i, %xmm\i
	.endr
	leaq	-CALL_STACK_LEN(%rsp), %rdi
	movl	$CALL_STACK_LEN/8, %ecx
	xorl	%eax, %eax
	rep stosq
	popq	%rdi
	.cfi_adjust_cfa_offset -8

	movl	self_fault(%rip), %eax
	if_fault SELF_RBX, .Lrbx
	if_fault SELF_R15, .Lr15
	if_fault SELF_XMM7, .Lxmm7
	if_fault SELF_STACK, .Lstack
	if_fault SELF_DIRECTION, .Ldirection
	if_fault SELF_MXCSR, .Lmxcsr
	if_fault SELF_RSP, .Lrsp
	if_fault SELF_ILLEGAL, .Lillegal
	if_fault SELF_YMM3, .Lymm3
	if_fault SELF_ZMM20, .Lzmm20
	ret

.Lrbx:
	xorl	%ebx, %ebx
	ret
.Lr15:
	incq	%r15
	ret
.Lxmm7:
	movdqu	(%rdi), %xmm7
	ret
.Lstack:
	movq	8(%rdi), %rax
	movq	%rax, -64(%rsp)
	ret
.Ldirection:
	std
	ret
.Lmxcsr:
	stmxcsr	-8(%rsp)
	xorl	$0x6000, -8(%rsp)
	ldmxcsr	-8(%rsp)
	ret
.Lrsp:
	popq	%rax
	subq	$64, %rsp
	jmp	*%rax
.Lillegal:
	ud2
.Lymm3:
	vpcmpeqb %ymm3, %ymm3, %ymm3
	pxor	%xmm3, %xmm3
	ret
.Lzmm20:
	vpternlogd $0xff, %zmm20, %zmm20, %zmm20
	vzeroupper
	ret
	.cfi_endproc
	.size	self_kernel, .-self_kernel

	.section .note.GNU-stack, "", @progbits
