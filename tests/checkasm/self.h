/*
 * What the files of the proof share; also with self_x86_64.S: the faults of the assembly shell.
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

/* self_report(what, fault, finds): notes whether the check found what it must: fault says finds, or
 * nothing where finds is NULL, for a kernel that is right. what continues "a kernel that ...". */
void self_report(const char *what, const char *fault, const char *finds);

/* The kernels of one primitive. */
void self_blake2b(void);
void self_ctr(void);
void self_xts(void);

#endif

#endif
