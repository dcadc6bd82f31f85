/*
 * Offsets in struct checked_call, shared by call.c, which asserts them, and call_x86_64.S.
 */
#ifndef CHECKASM_CALL_LAYOUT_H
#define CHECKASM_CALL_LAYOUT_H

#define CALL_FN 0
#define CALL_ARG 8
#define CALL_GPR_IN 56   /* rbx rbp r12 r13 r14 r15 before */
#define CALL_GPR_OUT 104 /* and after the call */
#define CALL_RSP_IN 152
#define CALL_RSP_OUT 160
#define CALL_RFLAGS 168
#define CALL_MXCSR_IN 176
#define CALL_MXCSR_OUT 180
#define CALL_WIDTH 184
#define CALL_HAS_XINUSE 188
#define CALL_XINUSE_IN 192
#define CALL_XINUSE_OUT 196
#define CALL_STACK 256
#define CALL_VEC 1280

#define CALL_STACK_LEN 1024

#endif
