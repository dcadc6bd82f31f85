#include "kern_answers.h"

#include <string.h>

/* RFC 8452 appendix C.2: the fourth record of AEAD_AES_256_GCM_SIV without additional data. */
bool fc_gcmsiv_answers(const struct fc_gcmsiv_candidate *c)
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

    c->kern.expand(&key, secret);
    fc_gcmsiv_seal_with(&c->kern, &key, &msg, 1);
    if (memcmp(out, sealed, sizeof(sealed)) != 0)
        return false;
    msg.src = out;
    return fc_gcmsiv_open_with(&c->kern, &key, &msg, 1) == 1 && memcmp(out, plain, 32) == 0;
}

/* SP 800-38A appendix F.5.1, its first two blocks. */
bool fc_ctr_answers(const struct fc_ctr_candidate *c)
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
    c->xor_blocks(&key, out, plain, 2, counter);
    return memcmp(out, cipher, sizeof(cipher)) == 0;
}

/* IEEE 1619 annex B, vector 2. */
bool fc_xts_answers(const struct fc_xts_candidate *c)
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
    c->kern.expand(&key, secret);
    fc_xts_encrypt_with(&c->kern, &key, out, plain, &run);
    if (memcmp(out, cipher, 32) != 0)
        return false;
    fc_xts_decrypt_with(&c->kern, &key, out, cipher, &run);
    return memcmp(out, plain, 32) == 0;
}

/* RFC 7693 appendix A: BLAKE2b-512("abc"), its first eight bytes. */
static const uint8_t abc[FC_BLAKE2B_BLOCK] = {'a', 'b', 'c'};
static const uint64_t abc_answer = 0x0d4d1c983fa580ba;

bool fc_blake2b_answers(const struct fc_blake2b_candidate *c)
{
    struct fc_blake2b state;

    fc_blake2b_init(&state, &(struct fc_blake2b_params){.out_len = 64});
    c->compress(&state, abc, 1, 3, ~(uint64_t)0);
    return state.h[0] == abc_answer;
}

bool fc_blake2b_lanes_answers(const struct fc_blake2b_lanes_candidate *c)
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
