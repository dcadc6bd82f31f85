#include "kern.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "secret.h"

#define CHECK_OFFSET(type, field, value)                                                           \
    _Static_assert(offsetof(struct type, field) == (value), #type "." #field)

CHECK_OFFSET(fc_gcmsiv_key, rk, FC_KEY_RK);
CHECK_OFFSET(fc_gcmsiv_key, rounds, FC_KEY_ROUNDS);
CHECK_OFFSET(fc_gcmsiv_key, key_len, FC_KEY_KEY_LEN);
CHECK_OFFSET(fc_ctr_key, rk, FC_CTR_RK);
CHECK_OFFSET(fc_ctr_key, rounds, FC_CTR_ROUNDS);
CHECK_OFFSET(fc_gcmsiv_mk, rk, FC_MK_RK);
CHECK_OFFSET(fc_gcmsiv_mk, rounds, FC_MK_ROUNDS);
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
            .encrypt_block = fc_gcmsiv_encrypt_block_##t,                                          \
        }                                                                                          \
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
    {FC_TIER_AVX512, FC_CPU_AVX512 | FC_CPU_BMI2 | FC_CPU_VAES, fc_ctr_xor_avx512},
    {FC_TIER_AVX2, FC_CPU_AVX2 | FC_CPU_VAES, fc_ctr_xor_avx2},
    {FC_TIER_AESNI, FC_CPU_SSE41 | FC_CPU_AES, fc_ctr_xor_aesni},
#endif
    {FC_TIER_GENERIC, 0, fc_ctr_xor_generic},
};

#define BLAKE2B_CANDIDATE(t, tier_id, features, traits)                                            \
    {                                                                                              \
        .tier = (tier_id), .needs = (features), .suits = (traits),                                 \
        .compress = fc_blake2b_compress_##t,                                                       \
    }
static const struct fc_xts_candidate xts_candidates[] = {
#ifdef FC_X86_64_ASM
    XTS_CANDIDATE(avx512, FC_TIER_AVX512, AES_512),
    XTS_CANDIDATE(avx2, FC_TIER_AVX2, AES_256),
    XTS_CANDIDATE(aesni, FC_TIER_AESNI, AES_NI),
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

#define BLAKE2B_LANES_CANDIDATE(t, tier_id, features, n)                                           \
    {                                                                                              \
        .tier = (tier_id), .needs = (features), .lanes = (n), .compress = fc_blake2b_lanes_##t,    \
    }

static const struct fc_blake2b_lanes_candidate blake2b_lanes_candidates[] = {
#ifdef FC_X86_64_ASM
    BLAKE2B_LANES_CANDIDATE(avx512, FC_TIER_AVX512, FC_CPU_AVX512, 8),
    BLAKE2B_LANES_CANDIDATE(avx2, FC_TIER_AVX2, FC_CPU_AVX2, 4),
#endif
    BLAKE2B_LANES_CANDIDATE(generic, FC_TIER_GENERIC, 0, FC_BLAKE2B_MAX_LANES),
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

const struct fc_gcmsiv_candidate *fc_gcmsiv_candidates(size_t *n)
{
    *n = COUNT(gcmsiv_candidates);
    return gcmsiv_candidates;
}

const struct fc_ctr_candidate *fc_ctr_candidates(size_t *n)
{
    *n = COUNT(ctr_candidates);
    return ctr_candidates;
}

const struct fc_xts_candidate *fc_xts_candidates(size_t *n)
{
    *n = COUNT(xts_candidates);
    return xts_candidates;
}

const struct fc_blake2b_candidate *fc_blake2b_candidates(size_t *n)
{
    *n = COUNT(blake2b_candidates);
    return blake2b_candidates;
}

const struct fc_blake2b_lanes_candidate *fc_blake2b_lanes_candidates(size_t *n)
{
    *n = COUNT(blake2b_lanes_candidates);
    return blake2b_lanes_candidates;
}

bool fc_kern_usable(enum fc_tier tier, uint32_t needs)
{
    return tier <= fc_tier_cap() && (fc_cpu_features() & needs) == needs;
}

/* RFC 8452 appendix C.2: the fourth record of AEAD_AES_256_GCM_SIV without additional data. */
static bool gcmsiv_answers(const struct fc_gcmsiv_kern *kern)
{
    static const uint8_t secret[32] = {1};
    static const uint8_t plain[32] = {[0] = 1, [16] = 2};
    static const uint8_t sealed[48] = {
        0x4a, 0x6a, 0x9d, 0xb4, 0xc8, 0xc6, 0x54, 0x92, 0x01, 0xb9, 0xed, 0xb5,
        0x30, 0x06, 0xcb, 0xa8, 0x21, 0xec, 0x9c, 0xf8, 0x50, 0x94, 0x8a, 0x7c,
        0x86, 0xc6, 0x8a, 0xc7, 0x53, 0x9d, 0x02, 0x7f, 0xe8, 0x19, 0xe6, 0x3a,
        0xbc, 0xd0, 0x20, 0xb0, 0x06, 0xa9, 0x76, 0x39, 0x76, 0x32, 0xeb, 0x5d,
    };
    uint8_t out[48];
    struct fc_gcmsiv_key key = {.rounds = 14, .key_len = 32};
    struct fc_gcmsiv_msg msg = {.nonce = {3}, .src = plain, .dst = out, .len = 32};

    kern->expand(&key, secret);
    fc_gcmsiv_seal_with(kern, &key, &msg, 1);
    if (memcmp(out, sealed, sizeof(sealed)) != 0)
        return false;
    msg.src = out;
    return fc_gcmsiv_open_with(kern, &key, &msg, 1) == 1 && memcmp(out, plain, 32) == 0;
}

/* SP 800-38A appendix F.5.1, its first two blocks. */
static bool ctr_answers(fc_ctr_fn *xor_blocks)
{
    static const uint8_t secret[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                       0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
    static const uint8_t plain[32] = {
        0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96, 0xe9, 0x3d, 0x7e,
        0x11, 0x73, 0x93, 0x17, 0x2a, 0xae, 0x2d, 0x8a, 0x57, 0x1e, 0x03,
        0xac, 0x9c, 0x9e, 0xb7, 0x6f, 0xac, 0x45, 0xaf, 0x8e, 0x51,
    };
    static const uint8_t cipher[32] = {
        0x87, 0x4d, 0x61, 0x91, 0xb6, 0x20, 0xe3, 0x26, 0x1b, 0xef, 0x68,
        0x64, 0x99, 0x0d, 0xb6, 0xce, 0x98, 0x06, 0xf6, 0x6b, 0x79, 0x70,
        0xfd, 0xff, 0x86, 0x17, 0x18, 0x7b, 0xb9, 0xff, 0xfd, 0xff,
    };
    uint8_t counter[FC_CTR_IV], out[32];
    struct fc_ctr_key key;

    for (int i = 0; i < FC_CTR_IV; i++)
        counter[i] = (uint8_t)(0xf0 + i);
    fc_ctr_key_init(&key, secret, sizeof(secret));
    xor_blocks(&key, out, plain, 2, counter);
    return memcmp(out, cipher, sizeof(cipher)) == 0;
}

/* IEEE 1619 annex B, vector 2. */
static bool xts_answers(const struct fc_xts_kern *kern)
{
    static const uint8_t cipher[32] = {
        0xc4, 0x54, 0x18, 0x5e, 0x6a, 0x16, 0x93, 0x6e, 0x39, 0x33, 0x40,
        0x38, 0xac, 0xef, 0x83, 0x8b, 0xfb, 0x18, 0x6f, 0xff, 0x74, 0x80,
        0xad, 0xc4, 0x28, 0x93, 0x82, 0xec, 0xd6, 0xd3, 0x94, 0xf0,
    };
    uint8_t secret[32], plain[32], out[32];
    struct fc_xts_key key = {.rounds = 10};
    struct fc_xts_run run = {.first = 0x3333333333, .sector_len = 32, .count = 1};

    memset(secret, 0x11, 16);
    memset(secret + 16, 0x22, 16);
    memset(plain, 0x44, 32);
    kern->expand(&key, secret);
    fc_xts_encrypt_with(kern, &key, out, plain, &run);
    if (memcmp(out, cipher, 32) != 0)
        return false;
    fc_xts_decrypt_with(kern, &key, out, cipher, &run);
    return memcmp(out, plain, 32) == 0;
}

/* RFC 7693 appendix A: BLAKE2b-512("abc"), its first eight bytes. */
static const uint8_t abc[FC_BLAKE2B_BLOCK] = {'a', 'b', 'c'};
static const uint64_t abc_answer = 0x0d4d1c983fa580ba;

static bool blake2b_answers(fc_blake2b_compress_fn *compress)
{
    struct fc_blake2b state;

    fc_blake2b_init(&state, &(struct fc_blake2b_params){.out_len = 64});
    compress(&state, abc, 1, 3, ~(uint64_t)0);
    return state.h[0] == abc_answer;
}

static bool blake2b_lanes_answer(const struct fc_blake2b_lanes_candidate *c)
{
    struct fc_blake2b_lanes lanes = {0};
    struct fc_blake2b state;
    bool right = true;

    fc_blake2b_init(&state, &(struct fc_blake2b_params){.out_len = 64});
    for (size_t i = 0; i < FC_BLAKE2B_MAX_LANES; i++) {
        for (size_t k = 0; k < 8; k++)
            lanes.h[k][i] = state.h[k];
        lanes.inc[i] = 3;
        lanes.last[i] = ~(uint64_t)0;
        lanes.src[i] = abc;
    }
    c->compress(&lanes, 1);
    for (size_t i = 0; i < c->lanes; i++)
        right &= lanes.h[0][i] == abc_answer;
    return right;
}

static pthread_once_t choose_once = PTHREAD_ONCE_INIT;
static const struct fc_gcmsiv_candidate *gcmsiv_choice;
static const struct fc_ctr_candidate *ctr_choice;
static const struct fc_xts_candidate *xts_choice;
static const struct fc_blake2b_candidate *blake2b_choice;
static const struct fc_blake2b_lanes_candidate *blake2b_lanes_choice;

static void choose(void)
{
    gcmsiv_choice = gcmsiv_candidates;
    while (gcmsiv_choice->tier != FC_TIER_GENERIC &&
           !(fc_kern_usable(gcmsiv_choice->tier, gcmsiv_choice->needs) &&
             gcmsiv_answers(&gcmsiv_choice->kern)))
        gcmsiv_choice++;

    ctr_choice = ctr_candidates;
    while (ctr_choice->tier != FC_TIER_GENERIC &&
           !(fc_kern_usable(ctr_choice->tier, ctr_choice->needs) &&
             ctr_answers(ctr_choice->xor_blocks)))
        ctr_choice++;

    xts_choice = xts_candidates;
    while (xts_choice->tier != FC_TIER_GENERIC &&
           !(fc_kern_usable(xts_choice->tier, xts_choice->needs) && xts_answers(&xts_choice->kern)))
        xts_choice++;

    blake2b_choice = blake2b_candidates;
    while (blake2b_choice->tier != FC_TIER_GENERIC &&
           !(fc_kern_usable(blake2b_choice->tier, blake2b_choice->needs | blake2b_choice->suits) &&
             blake2b_answers(blake2b_choice->compress)))
        blake2b_choice++;

    blake2b_lanes_choice = blake2b_lanes_candidates;
    while (blake2b_lanes_choice->tier != FC_TIER_GENERIC &&
           !(fc_kern_usable(blake2b_lanes_choice->tier, blake2b_lanes_choice->needs) &&
             blake2b_lanes_answer(blake2b_lanes_choice)))
        blake2b_lanes_choice++;
}

const struct fc_gcmsiv_candidate *fc_gcmsiv_chosen(void)
{
    pthread_once(&choose_once, choose);
    return gcmsiv_choice;
}

const struct fc_ctr_candidate *fc_ctr_chosen(void)
{
    pthread_once(&choose_once, choose);
    return ctr_choice;
}

const struct fc_xts_candidate *fc_xts_chosen(void)
{
    pthread_once(&choose_once, choose);
    return xts_choice;
}

const struct fc_blake2b_candidate *fc_blake2b_chosen(void)
{
    pthread_once(&choose_once, choose);
    return blake2b_choice;
}

const struct fc_blake2b_lanes_candidate *fc_blake2b_lanes_chosen(void)
{
    pthread_once(&choose_once, choose);
    return blake2b_lanes_choice;
}
