#include "gcmsiv_support.h"

#include "aes_generic.h"
#include "bytes.h"

void test_gcmsiv_key(const struct fc_gcmsiv_candidate *tier, struct fc_gcmsiv_key *key,
                     const uint8_t *secret, size_t key_len)
{
    if (tier == NULL) {
        fc_gcmsiv_key_init(key, secret, key_len);
        return;
    }
    key->key_len = (uint32_t)key_len;
    key->rounds = (uint32_t)key_len / 4 + 6;
    tier->kern.expand(key, secret);
}

void test_gcmsiv_seal(const struct fc_gcmsiv_candidate *tier, const struct fc_gcmsiv_key *key,
                      const struct fc_gcmsiv_msg *msgs, size_t n)
{
    if (tier == NULL)
        fc_gcmsiv_seal(key, msgs, n);
    else
        fc_gcmsiv_seal_with(&tier->kern, key, msgs, n);
}

size_t test_gcmsiv_open(const struct fc_gcmsiv_candidate *tier, const struct fc_gcmsiv_key *key,
                        const struct fc_gcmsiv_msg *msgs, size_t n)
{
    if (tier == NULL)
        return fc_gcmsiv_open(key, msgs, n);
    return fc_gcmsiv_open_with(&tier->kern, key, msgs, n);
}

void test_gcmsiv_slow_ctr(const struct fc_gcmsiv_mk *mk, uint8_t ctr[16], uint8_t *dst,
                          const uint8_t *src, size_t nblocks)
{
    struct fc_aes_sliced_key sliced;
    uint8_t stream[16];

    fc_aes_slice_generic(&sliced, mk->rk[0], mk->rounds);
    for (size_t b = 0; b < nblocks; b++) {
        fc_aes_encrypt_generic(&sliced, stream, ctr, 1);
        for (size_t i = 0; i < 16; i++)
            dst[16 * b + i] = src[16 * b + i] ^ stream[i];
        fc_store_le32(ctr, fc_load_le32(ctr) + 1);
    }
}
