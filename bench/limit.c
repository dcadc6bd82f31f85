#include "limit.h"

#ifdef __x86_64__

/*
 * A unit is 20 vectors of blocks: 20 x rounds AESENC and 65 PCLMULQDQ. Ten registers take the AES
 * rounds in turn and five the multiplications, so that none waits for the one before; what stands
 * in them does not matter.
 */
#define AES10(A) A(0) A(1) A(2) A(3) A(4) A(5) A(6) A(7) A(8) A(9)
#define PCL5(P) P(10) P(11) P(12) P(13) P(14)
#define PCL15(P) P(0) P(1) P(2) P(3) P(4) P(5) P(6) P(7) P(8) P(9) PCL5(P)
#define MIX(A, P) A(0) A(1) P(10) A(2) A(3) P(11) A(4) A(5) P(12) A(6) A(7) P(13) A(8) A(9) P(14)

#define REPEAT(n, body) ".rept " #n "\n" body ".endr\n"

#define AES_10_ROUNDS(A, P) REPEAT(20, AES10(A))
#define AES_12_ROUNDS(A, P) REPEAT(24, AES10(A))
#define AES_14_ROUNDS(A, P) REPEAT(28, AES10(A))
#define PCL_ALONE(A, P) REPEAT(4, PCL15(P)) PCL5(P)
#define BOTH_10_ROUNDS(A, P) REPEAT(6, MIX(A, P) MIX(A, P) AES10(A)) MIX(A, P) AES10(A)
#define BOTH_14_ROUNDS(A, P) REPEAT(13, MIX(A, P) AES10(A)) AES10(A) AES10(A)

#define LOOP(name, body, end)                                                                      \
    static void name(size_t n)                                                                     \
    {                                                                                              \
        __asm__ volatile("1:\n" body "dec %0\n"                                                    \
                         "jnz 1b\n" end                                                            \
                         : "+r"(n)                                                                 \
                         :                                                                         \
                         : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",   \
                           "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");  \
    }

#define WIDTH(w, A, P, end)                                                                        \
    LOOP(w##_aes10, AES_10_ROUNDS(A, P), end)                                                      \
    LOOP(w##_aes12, AES_12_ROUNDS(A, P), end)                                                      \
    LOOP(w##_aes14, AES_14_ROUNDS(A, P), end)                                                      \
    LOOP(w##_both10, BOTH_10_ROUNDS(A, P), end)                                                    \
    LOOP(w##_both14, BOTH_14_ROUNDS(A, P), end)                                                    \
    LOOP(w##_pcl, PCL_ALONE(A, P), end)

#define XMM_AES(r) "aesenc %%xmm15, %%xmm" #r "\n"
#define XMM_PCL(r) "pclmulqdq $0, %%xmm15, %%xmm" #r "\n"
WIDTH(xmm, XMM_AES, XMM_PCL, "")

#define YMM_AES(r) "vaesenc %%ymm15, %%ymm" #r ", %%ymm" #r "\n"
#define YMM_PCL(r) "vpclmulqdq $0, %%ymm15, %%ymm" #r ", %%ymm" #r "\n"
WIDTH(ymm, YMM_AES, YMM_PCL, "vzeroupper\n")

#define ZMM_AES(r) "vaesenc %%zmm15, %%zmm" #r ", %%zmm" #r "\n"
#define ZMM_PCL(r) "vpclmulqdq $0, %%zmm15, %%zmm" #r ", %%zmm" #r "\n"
WIDTH(zmm, ZMM_AES, ZMM_PCL, "vzeroupper\n")

#define LIMIT_WIDTH(w, tier_id, features, bytes)                                                   \
    {                                                                                              \
        .name = #w, .tier = (tier_id), .needs = (features), .unit = 20 * (bytes),                  \
        .aes = {w##_aes10, w##_aes12, w##_aes14}, .both = {w##_both10, NULL, w##_both14},          \
        .pcl = w##_pcl,                                                                            \
    }

static const struct limit_width widths[] = {
    LIMIT_WIDTH(xmm, FC_TIER_AESNI, FC_CPU_AES | FC_CPU_PCLMUL, 16),
    LIMIT_WIDTH(ymm, FC_TIER_AVX2, FC_CPU_AVX2 | FC_CPU_VAES | FC_CPU_VPCLMUL, 32),
    LIMIT_WIDTH(zmm, FC_TIER_AVX512, FC_CPU_AVX512 | FC_CPU_VAES | FC_CPU_VPCLMUL, 64),
};

const struct limit_width *limit_widths(size_t *n)
{
    *n = 0;
    while (*n < sizeof(widths) / sizeof(widths[0]) &&
           (fc_cpu_features() & widths[*n].needs) == widths[*n].needs)
        (*n)++;
    return widths;
}

#else

const struct limit_width *limit_widths(size_t *n)
{
    *n = 0;
    return NULL;
}

#endif

void limit_run(void *arg, size_t reps)
{
    const struct limit_job *job = arg;
    const struct limit_width *w = job->width;
    size_t n = (reps * job->len + w->unit / 2) / w->unit, aes = LIMIT_ROUNDS(job->rounds);

    if (n == 0)
        n = 1;
    if (job->work == LIMIT_AES || job->work == LIMIT_TURN)
        w->aes[aes](n);
    if (job->work == LIMIT_PCL || job->work == LIMIT_TURN)
        w->pcl(n);
    if (job->work == LIMIT_BOTH)
        w->both[aes](n);
}
