#include "kern_answers.h"

#include <string.h>

/* RFC 8452 appendix C.2: the sixth record of AEAD_AES_256_GCM_SIV without additional data. */
static bool gcmsiv_answers_short(const struct fc_gcmsiv_kern *kern, const struct fc_gcmsiv_key *key)
{
    static const uint8_t plain[64] = {[0] = 1, [16] = 2, [32] = 3, [48] = 4};
    static const uint8_t sealed[80] = {
        0xc2, 0xd5, 0x16, 0x0a, 0x1f, 0x86, 0x83, 0x83, 0x49, 0x10, 0xac, 0xda, 0xfc, 0x41,
        0xfb, 0xb1, 0x63, 0x2d, 0x4a, 0x35, 0x3e, 0x8b, 0x90, 0x5e, 0xc9, 0xa5, 0x49, 0x9a,
        0xc3, 0x4f, 0x96, 0xc7, 0xe1, 0x04, 0x9e, 0xb0, 0x80, 0x88, 0x38, 0x91, 0xa4, 0xdb,
        0x8c, 0xaa, 0xa1, 0xf9, 0x9d, 0xd0, 0x04, 0xd8, 0x04, 0x87, 0x54, 0x07, 0x35, 0x23,
        0x4e, 0x37, 0x44, 0x51, 0x2c, 0x6f, 0x90, 0xce, 0x11, 0x28, 0x64, 0xc2, 0x69, 0xfc,
        0x0d, 0x9d, 0x88, 0xc6, 0x1f, 0xa4, 0x7e, 0x39, 0xaa, 0x08,
    };
    uint8_t out[80];
    struct fc_gcmsiv_msg msg = {.nonce = {3}, .src = plain, .dst = out, .len = 64};

    fc_gcmsiv_seal_with(kern, key, &msg, 1);
    if (memcmp(out, sealed, sizeof(sealed)) != 0)
        return false;
    msg.src = out;
    return fc_gcmsiv_open_with(kern, key, &msg, 1) == 1 && memcmp(out, plain, 64) == 0;
}

/* Two messages of zeros in a run: long enough for groups of blocks. */
static bool gcmsiv_answers_run(const struct fc_gcmsiv_kern *kern, const struct fc_gcmsiv_key *key)
{
    enum { LEN = 1264, TAG = FC_GCMSIV_TAG };
    static const uint8_t tag[TAG] = {0x85, 0x77, 0x01, 0x88, 0x59, 0x84, 0xfc, 0x28,
                                     0x08, 0x7d, 0xc9, 0x65, 0xf7, 0x87, 0x5c, 0x2d};
    uint8_t data[2][LEN + TAG] = {{0}};
    struct fc_gcmsiv_msg run[2];
    uint8_t all = 0;

    for (size_t i = 0; i < 2; i++)
        run[i] = (struct fc_gcmsiv_msg){.nonce = {3}, .src = data[i], .dst = data[i], .len = LEN};
    fc_gcmsiv_seal_with(kern, key, run, 2);
    if (memcmp(data[0] + LEN, tag, TAG) != 0 || memcmp(data[1] + LEN, tag, TAG) != 0)
        return false;
    if (fc_gcmsiv_open_with(kern, key, run, 2) != 2)
        return false;
    for (size_t i = 0; i < LEN; i++)
        all |= data[0][i] | data[1][i];
    return all == 0;
}

bool fc_gcmsiv_answers(const struct fc_gcmsiv_candidate *c)
{
    static const uint8_t secret[32] = {1};
    struct fc_gcmsiv_key key = {.rounds = 14, .key_len = 32};

    c->kern.expand(&key, secret);
    return gcmsiv_answers_short(&c->kern, &key) && gcmsiv_answers_run(&c->kern, &key);
}

/* SP 800-38A appendix F.5.1. */
bool fc_ctr_answers(const struct fc_ctr_candidate *c)
{
    static const uint8_t secret[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                       0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
    static const uint8_t plain[64] = {
        0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96, 0xe9, 0x3d, 0x7e, 0x11, 0x73,
        0x93, 0x17, 0x2a, 0xae, 0x2d, 0x8a, 0x57, 0x1e, 0x03, 0xac, 0x9c, 0x9e, 0xb7,
        0x6f, 0xac, 0x45, 0xaf, 0x8e, 0x51, 0x30, 0xc8, 0x1c, 0x46, 0xa3, 0x5c, 0xe4,
        0x11, 0xe5, 0xfb, 0xc1, 0x19, 0x1a, 0x0a, 0x52, 0xef, 0xf6, 0x9f, 0x24, 0x45,
        0xdf, 0x4f, 0x9b, 0x17, 0xad, 0x2b, 0x41, 0x7b, 0xe6, 0x6c, 0x37, 0x10,
    };
    static const uint8_t cipher[64] = {
        0x87, 0x4d, 0x61, 0x91, 0xb6, 0x20, 0xe3, 0x26, 0x1b, 0xef, 0x68, 0x64, 0x99,
        0x0d, 0xb6, 0xce, 0x98, 0x06, 0xf6, 0x6b, 0x79, 0x70, 0xfd, 0xff, 0x86, 0x17,
        0x18, 0x7b, 0xb9, 0xff, 0xfd, 0xff, 0x5a, 0xe4, 0xdf, 0x3e, 0xdb, 0xd5, 0xd3,
        0x5e, 0x5b, 0x4f, 0x09, 0x02, 0x0d, 0xb0, 0x3e, 0xab, 0x1e, 0x03, 0x1d, 0xda,
        0x2f, 0xbe, 0x03, 0xd1, 0x79, 0x21, 0x70, 0xa0, 0xf3, 0x00, 0x9c, 0xee,
    };
    uint8_t counter[FC_CTR_IV], out[64];
    struct fc_ctr_key key;

    for (int i = 0; i < FC_CTR_IV; i++)
        counter[i] = (uint8_t)(0xf0 + i);
    fc_ctr_key_init(&key, secret, sizeof(secret));
    c->xor_blocks(&key, out, plain, 4, counter);
    return memcmp(out, cipher, sizeof(cipher)) == 0;
}

/* IEEE 1619 annex B, vector 2: four times, for a run whose sectors all have the same tweak. */
bool fc_xts_answers(const struct fc_xts_candidate *c)
{
    static const uint8_t cipher[32] = {
        0xc4, 0x54, 0x18, 0x5e, 0x6a, 0x16, 0x93, 0x6e, 0x39, 0x33, 0x40,
        0x38, 0xac, 0xef, 0x83, 0x8b, 0xfb, 0x18, 0x6f, 0xff, 0x74, 0x80,
        0xad, 0xc4, 0x28, 0x93, 0x82, 0xec, 0xd6, 0xd3, 0x94, 0xf0,
    };
    uint8_t secret[32], plain[4 * 32], out[4 * 32];
    struct fc_xts_key key = {.rounds = 10};
    struct fc_xts_run run = {.first = 0x3333333333, .sector_len = 32, .count = 4};
    bool right = true;

    memset(secret, 0x11, 16);
    memset(secret + 16, 0x22, 16);
    memset(plain, 0x44, sizeof(plain));
    c->kern.expand(&key, secret);
    fc_xts_encrypt_with(&c->kern, &key, out, plain, &run);
    for (size_t i = 0; i < run.count; i++)
        right &= memcmp(out + 32 * i, cipher, 32) == 0;
    fc_xts_decrypt_with(&c->kern, &key, out, out, &run);
    return right && memcmp(out, plain, sizeof(plain)) == 0;
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
    c->compress(&lanes, 1, FC_BLAKE2B_BLOCK);
    for (size_t i = 0; i < c->lanes; i++)
        right &= lanes.h[0][i] == abc_answer;
    return right;
}
