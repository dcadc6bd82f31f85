/*
 * Between self.c and self_x86_64.S: the faults of the assembly shell.
 */
#ifndef CHECKASM_SELF_H
#define CHECKASM_SELF_H

#define SELF_NONE 0
#define SELF_RBX 1
#define SELF_R15 2
#define SELF_XMM7 3
#define SELF_STACK 4
#define SELF_DIRECTION 5
#define SELF_MXCSR 6
#define SELF_RSP 7
#define SELF_ILLEGAL 8
#define SELF_YMM3 9
#define SELF_ZMM20 10

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

struct fc_gcmsiv_mk;

/* self_kernel(mk, dst, src, nblocks): self_body's work, clean-up, then the fault self_fault. */
void self_kernel(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src, size_t nblocks);
extern void (*self_body)(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src, size_t nblocks);
extern uint32_t self_fault;

#endif

#endif
