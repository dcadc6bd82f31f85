/*
 * What the CPU and the operating system offer, read once, and the tier that FCRYPT_TIER allows.
 */
#ifndef FC_CPU_H
#define FC_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "err.h"

/* Tiers in ascending order; an operation has candidates for those it needs. */
enum fc_tier {
    FC_TIER_GENERIC,
    FC_TIER_SSE41,
    FC_TIER_AESNI,
    FC_TIER_BMI2,
    FC_TIER_AVX2,
    FC_TIER_AVX512,
    FC_NTIERS,
};

/* Feature bits. AVX and AVX-512 ones are set only where the operating system saves the registers
 * (OSXSAVE, XGETBV: XCR0 & 0x6, & 0xe6). */
enum {
    FC_CPU_SSE41 = 1u << 0, /* SSSE3 and SSE4.1 */
    FC_CPU_AES = 1u << 1,
    FC_CPU_PCLMUL = 1u << 2,
    FC_CPU_BMI2 = 1u << 3,
    FC_CPU_AVX2 = 1u << 4, /* AVX and AVX2 */
    FC_CPU_VAES = 1u << 5,
    FC_CPU_VPCLMUL = 1u << 6,
    FC_CPU_AVX512 = 1u << 7, /* F, BW, VL and DQ */
    /* No instructions, but a trait: vector integer instructions have a latency of one cycle, as
     * scalar ones have, so that a chain of them is no slower. Intel's cores and AMD's family 19h
     * (Zen 3, Zen 4); in family 1Ah (Zen 5) it is two cycles. Not set for any other. */
    FC_CPU_QUICK_VECTORS = 1u << 8,
};

/* fc_cpu_features(): the FC_CPU_* bits of this machine; 0 off x86-64. */
uint32_t fc_cpu_features(void);

/* fc_tier_name(tier): "generic", "sse41", ... */
const char *fc_tier_name(enum fc_tier tier);

/* fc_tier_find(tier, name): the tier called so; false where there is none. */
bool fc_tier_find(enum fc_tier *tier, const char *name);

/* fc_tier_present(tier): whether this build has the tier, this machine the instructions that it is
 * named for, and FCRYPT_TIER allows it. A candidate may need more. */
bool fc_tier_present(enum fc_tier tier);

/* fc_tier_cap(): the highest tier that may be chosen: FCRYPT_TIER's where it is set to a known
 * name, else FC_TIER_AVX512. */
enum fc_tier fc_tier_cap(void);

/* fc_tier_check(err): FC_ERR_USAGE where FCRYPT_TIER is set to an unknown name. */
enum fc_status fc_tier_check(struct fc_err *err);

/* fc_cpu_count(): processors that this process may run on, at least 1. */
unsigned fc_cpu_count(void);

#endif
