/*
 * Constant time, seen by memcheck: secrets are marked as undefined memory, so a branch or an
 * address that depends on one is an error. To be run under valgrind --error-exitcode.
 */
#include <stdio.h>
#include <valgrind/memcheck.h>

#include "kern.h"

enum { NBLOCKS = 19 };

static void run_gcmsiv(size_t key_len)
{
    static uint8_t data[16 * NBLOCKS], hashed[16 * NBLOCKS];
    uint8_t secret[32] = {0}, nonce[FC_GCMSIV_NONCE] = {0};
    struct fc_gcmsiv_key key = {.key_len = (uint32_t)key_len, .rounds = (uint32_t)key_len / 4 + 6};
    uint8_t tag[FC_GCMSIV_TAG];
    struct fc_gcmsiv_mk mk;

    VALGRIND_MAKE_MEM_UNDEFINED(secret, sizeof(secret));
    VALGRIND_MAKE_MEM_UNDEFINED(data, sizeof(data));
    VALGRIND_MAKE_MEM_UNDEFINED(hashed, sizeof(hashed));
    fc_gcmsiv_expand_generic(&key, secret);
    fc_gcmsiv_derive_generic(&mk, &key, nonce, NBLOCKS);
    VALGRIND_MAKE_MEM_DEFINED(mk.ctr, sizeof(mk.ctr)); /* comes from the tag, which is public */
    fc_gcmsiv_pair_generic(&mk, &mk, data, data, hashed, NBLOCKS);
    fc_gcmsiv_open_generic(&mk, data, data, NBLOCKS);
    fc_gcmsiv_finish_generic(&mk, tag, data, NBLOCKS, nonce);
}

static void run_ctr(size_t key_len)
{
    static uint8_t data[16 * NBLOCKS];
    const uint8_t iv[FC_CTR_IV] = {0};
    uint8_t secret[32] = {0};
    struct fc_ctr_key key;

    VALGRIND_MAKE_MEM_UNDEFINED(secret, sizeof(secret));
    VALGRIND_MAKE_MEM_UNDEFINED(data, sizeof(data));
    fc_ctr_key_init(&key, secret, key_len);
    fc_ctr_xor_with(fc_ctr_xor_generic, &key, data, data, sizeof(data) - 3, iv, 5);
}

static void run_xts(size_t key_len)
{
    static const struct fc_xts_kern kern = {
        .tweaks = fc_xts_tweaks_generic,
        .encrypt = fc_xts_encrypt_generic,
        .decrypt = fc_xts_decrypt_generic,
    };
    static uint8_t data[16 * NBLOCKS];
    uint8_t secret[64] = {0};
    struct fc_xts_key key = {.rounds = (uint32_t)key_len / 8 + 6};
    const struct fc_xts_run whole = {.sector_len = 16 * NBLOCKS, .count = 1};
    const struct fc_xts_run odd = {.sector_len = 8 * NBLOCKS - 1, .count = 2};

    VALGRIND_MAKE_MEM_UNDEFINED(secret, sizeof(secret));
    VALGRIND_MAKE_MEM_UNDEFINED(data, sizeof(data));
    fc_xts_expand_generic(&key, secret);
    fc_xts_encrypt_with(&kern, &key, data, data, &whole);
    fc_xts_decrypt_with(&kern, &key, data, data, &whole);
    fc_xts_encrypt_with(&kern, &key, data, data, &odd);
    fc_xts_decrypt_with(&kern, &key, data, data, &odd);
}

static void run_blake2b(void)
{
    static uint8_t data[FC_BLAKE2B_BLOCK * 3];
    struct fc_blake2b state = {0};

    VALGRIND_MAKE_MEM_UNDEFINED(state.h, sizeof(state.h));
    VALGRIND_MAKE_MEM_UNDEFINED(data, sizeof(data));
    fc_blake2b_compress_generic(&state, data, 3, FC_BLAKE2B_BLOCK, 0);
}

int main(void)
{
    if (!RUNNING_ON_VALGRIND) {
        fputs("run me under valgrind\n", stderr);
        return 1;
    }
    run_gcmsiv(16);
    run_gcmsiv(32);
    for (size_t key_len = 16; key_len <= 32; key_len += 8)
        run_ctr(key_len);
    run_xts(32);
    run_xts(64);
    run_blake2b();
    return 0;
}
