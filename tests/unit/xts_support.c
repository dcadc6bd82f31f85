#include "xts_support.h"

#include <string.h>

void test_xts_key(const struct fc_xts_candidate *tier, struct fc_xts_key *key,
                  const uint8_t *secret, size_t key_len)
{
    if (tier == NULL) {
        fc_xts_key_init(key, secret, key_len);
        return;
    }
    key->rounds = (uint32_t)key_len / 8 + 6;
    tier->kern.expand(key, secret);
}

void test_xts_encrypt(const struct fc_xts_candidate *tier, const struct fc_xts_key *key,
                      uint8_t *dst, const uint8_t *src, const struct fc_xts_run *run)
{
    if (tier == NULL)
        fc_xts_encrypt(key, dst, src, run);
    else
        fc_xts_encrypt_with(&tier->kern, key, dst, src, run);
}

void test_xts_decrypt(const struct fc_xts_candidate *tier, const struct fc_xts_key *key,
                      uint8_t *dst, const uint8_t *src, const struct fc_xts_run *run)
{
    if (tier == NULL)
        fc_xts_decrypt(key, dst, src, run);
    else
        fc_xts_decrypt_with(&tier->kern, key, dst, src, run);
}

static const struct fc_xts_candidate *tweaked_tier;
static const uint8_t *given_tweak;

static void tweaks_given(const struct fc_xts_key *key, struct fc_xts_work *work, size_t n)
{
    memcpy(work->tweak[0], given_tweak, 16);
    tweaked_tier->kern.tweaks(key, work, n);
}

void test_xts_tweaked(struct fc_xts_kern *kern, const struct fc_xts_candidate *tier,
                      const uint8_t *tweak)
{
    tweaked_tier = tier;
    given_tweak = tweak;
    *kern = tier->kern;
    kern->tweaks = tweaks_given;
}
