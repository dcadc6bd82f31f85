#include "cpu.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifdef __x86_64__
#include <cpuid.h>
#endif

static const char *const tier_names[FC_NTIERS] = {
    [FC_TIER_GENERIC] = "generic", [FC_TIER_SSE41] = "sse41", [FC_TIER_AESNI] = "aesni",
    [FC_TIER_BMI2] = "bmi2",       [FC_TIER_AVX2] = "avx2",   [FC_TIER_AVX512] = "avx512",
};

#ifdef __x86_64__
static uint32_t xcr0(void)
{
    uint32_t lo, hi;

    __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    return lo;
}

static bool has_all(uint32_t reg, uint32_t mask)
{
    return (reg & mask) == mask;
}

/* The wide features of CPUID leaf 7, as far as the operating system saves their registers. */
static uint32_t wide_features(uint32_t xsave, uint32_t b, uint32_t c)
{
    const uint32_t avx512_bits = bit_AVX512F | bit_AVX512DQ | bit_AVX512BW | bit_AVX512VL;
    uint32_t f = 0;

    if (!has_all(xsave, 0x6))
        return 0;
    if (b & bit_AVX2)
        f |= FC_CPU_AVX2;
    if (c & bit_VAES)
        f |= FC_CPU_VAES;
    if (c & bit_VPCLMULQDQ)
        f |= FC_CPU_VPCLMUL;
    if (has_all(xsave, 0xe6) && has_all(b, avx512_bits))
        f |= FC_CPU_AVX512;
    return f;
}

/* FC_CPU_QUICK_VECTORS by maker and family; eax of CPUID leaf 1. */
static uint32_t traits(uint32_t version)
{
    uint32_t a, b, c, d, family = version >> 8 & 0xf;
    bool quick = false;

    if (family == 0xf)
        family += version >> 20 & 0xff;
    if (!__get_cpuid(0, &a, &b, &c, &d))
        return 0;
    if (b == signature_INTEL_ebx)
        quick = family == 6;
    else if (b == signature_AMD_ebx)
        quick = family == 0x19;
    return quick ? FC_CPU_QUICK_VECTORS : 0;
}

static uint32_t read_features(void)
{
    uint32_t a, b, c, d, b7 = 0, c7 = 0, f;

    if (!__get_cpuid(1, &a, &b, &c, &d))
        return 0;
    f = traits(a);
    if (has_all(c, bit_SSSE3 | bit_SSE4_1))
        f |= FC_CPU_SSE41;
    if (c & bit_AES)
        f |= FC_CPU_AES;
    if (c & bit_PCLMUL)
        f |= FC_CPU_PCLMUL;
    if (!__get_cpuid_count(7, 0, &a, &b7, &c7, &d))
        return f;
    if (b7 & bit_BMI2)
        f |= FC_CPU_BMI2;
    if (has_all(c, bit_OSXSAVE | bit_AVX))
        f |= wide_features(xcr0(), b7, c7);
    return f;
}
#else
static uint32_t read_features(void)
{
    return 0;
}
#endif

static pthread_once_t features_once = PTHREAD_ONCE_INIT;
static uint32_t features;

static void keep_features(void)
{
    features = read_features();
}

/* CPUID is slow where a hypervisor answers it. */
uint32_t fc_cpu_features(void)
{
    pthread_once(&features_once, keep_features);
    return features;
}

const char *fc_tier_name(enum fc_tier tier)
{
    return tier_names[tier];
}

bool fc_tier_find(enum fc_tier *tier, const char *name)
{
    for (unsigned t = 0; t < FC_NTIERS; t++) {
        if (strcmp(name, tier_names[t]) != 0)
            continue;
        *tier = (enum fc_tier)t;
        return true;
    }
    return false;
}

/* Without assembly there is but one tier, whatever the machine has. */
#ifdef FC_X86_64_ASM
static const enum fc_tier highest = FC_TIER_AVX512;
#else
static const enum fc_tier highest = FC_TIER_GENERIC;
#endif

bool fc_tier_present(enum fc_tier tier)
{
    static const uint32_t needs[FC_NTIERS] = {
        [FC_TIER_SSE41] = FC_CPU_SSE41,   [FC_TIER_AESNI] = FC_CPU_AES | FC_CPU_PCLMUL,
        [FC_TIER_BMI2] = FC_CPU_BMI2,     [FC_TIER_AVX2] = FC_CPU_AVX2,
        [FC_TIER_AVX512] = FC_CPU_AVX512,
    };

    return tier <= highest && tier <= fc_tier_cap() && (needs[tier] & ~fc_cpu_features()) == 0;
}

enum fc_tier fc_tier_cap(void)
{
    const char *name = getenv("FCRYPT_TIER");
    enum fc_tier t;

    return name != NULL && fc_tier_find(&t, name) ? t : FC_TIER_AVX512;
}

enum fc_status fc_tier_check(struct fc_err *err)
{
    const char *name = getenv("FCRYPT_TIER");
    enum fc_tier t;

    if (name == NULL || fc_tier_find(&t, name))
        return FC_OK;
    fc_err_set(err, FC_ERR_USAGE, "FCRYPT_TIER: unknown tier '%s'", name);
    return fc_err_hint(err, "generic, sse41, aesni, bmi2, avx2 or avx512");
}

unsigned fc_cpu_count(void)
{
    cpu_set_t set;
    int n;

    if (sched_getaffinity(0, sizeof(set), &set) != 0)
        return 1;
    n = CPU_COUNT(&set);
    return n < 1 ? 1 : (unsigned)n;
}
