#include "kern.h"

#include <pthread.h>
#include <stddef.h>

#include "kern_answers.h"

#define CHECK_OFFSET(type, field, value)                                                           \
    _Static_assert(offsetof(struct type, field) == (value), #type "." #field)

CHECK_OFFSET(fc_gcmsiv_key, rk, FC_KEY_RK);
CHECK_OFFSET(fc_gcmsiv_key, rounds, FC_KEY_ROUNDS);
CHECK_OFFSET(fc_gcmsiv_key, key_len, FC_KEY_KEY_LEN);
CHECK_OFFSET(fc_ctr_key, rk, FC_CTR_RK);
CHECK_OFFSET(fc_ctr_key, rounds, FC_CTR_ROUNDS);
CHECK_OFFSET(fc_gcmsiv_mk, rk, FC_MK_RK);
CHECK_OFFSET(fc_gcmsiv_mk, rounds, FC_MK_ROUNDS);
CHECK_OFFSET(fc_gcmsiv_mk, powers, FC_MK_POWERS);
CHECK_OFFSET(fc_gcmsiv_mk, acc, FC_MK_ACC);
CHECK_OFFSET(fc_gcmsiv_mk, ctr, FC_MK_CTR);
CHECK_OFFSET(fc_gcmsiv_mk, hpow, FC_MK_HPOW);
CHECK_OFFSET(fc_gcmsiv_mk, hkar, FC_MK_HKAR);
_Static_assert(sizeof(struct fc_gcmsiv_mk) == FC_MK_SIZE, "fc_gcmsiv_mk");
CHECK_OFFSET(fc_blake2b, h, FC_B2_H);
CHECK_OFFSET(fc_blake2b, t, FC_B2_T);
CHECK_OFFSET(fc_blake2b_lanes, h, FC_B2L_H);
CHECK_OFFSET(fc_blake2b_lanes, t, FC_B2L_T);
CHECK_OFFSET(fc_blake2b_lanes, inc, FC_B2L_INC);
CHECK_OFFSET(fc_blake2b_lanes, last, FC_B2L_LAST);
CHECK_OFFSET(fc_blake2b_lanes, work, FC_B2L_WORK);
CHECK_OFFSET(fc_blake2b_lanes, src, FC_B2L_SRC);
CHECK_OFFSET(fc_xts_key, enc_rk, FC_XTS_ENC);
CHECK_OFFSET(fc_xts_key, dec_rk, FC_XTS_DEC);
CHECK_OFFSET(fc_xts_key, tweak_rk, FC_XTS_TWEAK);
CHECK_OFFSET(fc_xts_key, rounds, FC_XTS_ROUNDS);
_Static_assert(FC_XTS_ROUNDS - FC_XTS_DEC == FC_XTS_ROUNDS_FROM_DEC, "fc_xts_key");
_Static_assert(FC_XTS_ROUNDS - FC_XTS_TWEAK == FC_XTS_ROUNDS_FROM_TWEAK, "fc_xts_key");
CHECK_OFFSET(fc_xts_work, next, FC_XTS_NEXT);
CHECK_OFFSET(fc_xts_work, kept, FC_XTS_KEPT);
CHECK_OFFSET(fc_xts_work, tweak, FC_XTS_TWEAKS);

#define GCMSIV_CANDIDATE(t, tier_id, features)                                                     \
    {                                                                                              \
        .tier = (tier_id), .needs = (features), .kern = {                                          \
            .expand = fc_gcmsiv_expand_##t,                                                        \
            .derive = fc_gcmsiv_derive_##t,                                                        \
            .polyval = fc_gcmsiv_polyval_##t,                                                      \
            .ctr = fc_gcmsiv_ctr_##t,                                                              \
            .open = fc_gcmsiv_open_##t,                                                            \
            .pair = fc_gcmsiv_pair_##t,                                                            \
            .finish = fc_gcmsiv_finish_##t,                                                        \
        }                                                                                          \
    }

#define CTR_CANDIDATE(t, tier_id, features)                                                        \
    {                                                                                              \
        .tier = (tier_id), .needs = (features), .xor_blocks = fc_ctr_xor_##t,                      \
    }

#define XTS_CANDIDATE(t, tier_id, features)                                                        \
    {                                                                                              \
        .tier = (tier_id), .needs = (features), .kern = {                                          \
            .expand = fc_xts_expand_##t,                                                           \
            .tweaks = fc_xts_tweaks_##t,                                                           \
            .encrypt = fc_xts_encrypt_##t,                                                         \
            .decrypt = fc_xts_decrypt_##t,                                                         \
        }                                                                                          \
    }

#define BLAKE2B_CANDIDATE(t, tier_id, features, traits)                                            \
    {                                                                                              \
        .tier = (tier_id), .needs = (features), .suits = (traits),                                 \
        .compress = fc_blake2b_compress_##t,                                                       \
    }

#define BLAKE2B_LANES_CANDIDATE(t, tier_id, features, n)                                           \
    {                                                                                              \
        .tier = (tier_id), .needs = (features), .lanes = (n), .compress = fc_blake2b_lanes_##t,    \
    }

/* AES and carry-less multiplication at each width. */
enum {
    AES_NI = FC_CPU_SSE41 | FC_CPU_AES | FC_CPU_PCLMUL,
    AES_256 = FC_CPU_AVX2 | FC_CPU_VAES | FC_CPU_VPCLMUL,
    AES_512 = FC_CPU_AVX512 | FC_CPU_BMI2 | FC_CPU_VAES | FC_CPU_VPCLMUL,
};

static const struct fc_gcmsiv_candidate gcmsiv_candidates[] = {
#ifdef FC_X86_64_ASM
    GCMSIV_CANDIDATE(avx512, FC_TIER_AVX512, AES_512),
    GCMSIV_CANDIDATE(avx2, FC_TIER_AVX2, AES_256),
    GCMSIV_CANDIDATE(aesni, FC_TIER_AESNI, AES_NI),
#endif
    GCMSIV_CANDIDATE(generic, FC_TIER_GENERIC, 0),
};

static const struct fc_ctr_candidate ctr_candidates[] = {
#ifdef FC_X86_64_ASM
    CTR_CANDIDATE(avx512, FC_TIER_AVX512, AES_512),
    CTR_CANDIDATE(avx2, FC_TIER_AVX2, AES_256),
    CTR_CANDIDATE(aesni, FC_TIER_AESNI, FC_CPU_SSE41 | FC_CPU_AES),
#endif
    CTR_CANDIDATE(generic, FC_TIER_GENERIC, 0),
};

static const struct fc_xts_candidate xts_candidates[] = {
#ifdef FC_X86_64_ASM
    XTS_CANDIDATE(avx512, FC_TIER_AVX512, AES_512),
    XTS_CANDIDATE(avx2, FC_TIER_AVX2, AES_256),
    XTS_CANDIDATE(aesni, FC_TIER_AESNI, FC_CPU_SSE41 | FC_CPU_AES),
#endif
    XTS_CANDIDATE(generic, FC_TIER_GENERIC, 0),
};

static const struct fc_blake2b_candidate blake2b_candidates[] = {
#ifdef FC_X86_64_ASM
    BLAKE2B_CANDIDATE(avx512, FC_TIER_AVX512, FC_CPU_AVX512, FC_CPU_QUICK_VECTORS),
    BLAKE2B_CANDIDATE(avx2, FC_TIER_AVX2, FC_CPU_AVX2, FC_CPU_QUICK_VECTORS),
    BLAKE2B_CANDIDATE(bmi2, FC_TIER_BMI2, FC_CPU_BMI2, 0),
#endif
    BLAKE2B_CANDIDATE(generic, FC_TIER_GENERIC, 0, 0),
};

static const struct fc_blake2b_lanes_candidate blake2b_lanes_candidates[] = {
#ifdef FC_X86_64_ASM
    BLAKE2B_LANES_CANDIDATE(avx512, FC_TIER_AVX512, FC_CPU_AVX512, 8),
    BLAKE2B_LANES_CANDIDATE(avx2, FC_TIER_AVX2, FC_CPU_AVX2, 4),
#endif
    BLAKE2B_LANES_CANDIDATE(generic, FC_TIER_GENERIC, 0, FC_BLAKE2B_MAX_LANES),
};

bool fc_kern_usable(enum fc_tier tier, uint32_t needs)
{
    return tier <= fc_tier_cap() && (fc_cpu_features() & needs) == needs;
}

/*
 * The functions of kern.h for a primitive p with the table p_candidates. A candidate that this CPU
 * has but that answers wrongly is passed over; generic, the last, is taken as it is.
 */
#define CHOICE(p)                                                                                  \
    static const struct fc_##p##_candidate *p##_choice;                                            \
                                                                                                   \
    static void choose_##p(void)                                                                   \
    {                                                                                              \
        p##_choice = p##_candidates;                                                               \
        while (p##_choice->tier != FC_TIER_GENERIC &&                                              \
               !(fc_kern_usable(p##_choice->tier, p##_choice->needs | p##_choice->suits) &&        \
                 fc_##p##_answers(p##_choice)))                                                    \
            p##_choice++;                                                                          \
    }                                                                                              \
                                                                                                   \
    const struct fc_##p##_candidate *fc_##p##_candidates(size_t *n)                                \
    {                                                                                              \
        *n = sizeof(p##_candidates) / sizeof(p##_candidates[0]);                                   \
        return p##_candidates;                                                                     \
    }                                                                                              \
                                                                                                   \
    const struct fc_##p##_candidate *fc_##p##_chosen(void)                                         \
    {                                                                                              \
        static pthread_once_t once = PTHREAD_ONCE_INIT;                                            \
                                                                                                   \
        pthread_once(&once, choose_##p);                                                           \
        return p##_choice;                                                                         \
    }

CHOICE(gcmsiv)
CHOICE(ctr)
CHOICE(xts)
CHOICE(blake2b)
CHOICE(blake2b_lanes)
