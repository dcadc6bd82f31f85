#include "gcmsiv_support.h"

#include <stdio.h>
#include <stdlib.h>

#include "bytes.h"

/* Adds tests[n] for one tier to list, which has used so many; returns how many it has then. */
static size_t add_tests(struct CMUnitTest *list, size_t used, const struct CMUnitTest *tests,
                        size_t n, const struct fc_gcmsiv_candidate *tier)
{
    for (size_t i = 0; i < n; i++) {
        char *name = NULL;

        if (asprintf(&name, "%s (%s)", tests[i].name,
                     tier == NULL ? "public" : fc_tier_name(tier->tier)) < 0)
            abort();
        list[used] = tests[i];
        list[used].name = name;
        list[used].initial_state = (void *)(uintptr_t)tier;
        used++;
    }
    return used;
}

int test_gcmsiv_run(const char *group, const struct CMUnitTest *tests, size_t n, bool public_too)
{
    size_t ntiers, used = 0;
    const struct fc_gcmsiv_candidate *tiers = fc_gcmsiv_candidates(&ntiers);
    struct CMUnitTest *list = calloc((ntiers + 1) * n, sizeof(*list));
    int failed;

    if (list == NULL)
        abort();
    for (size_t i = 0; i < ntiers; i++) {
        if (fc_kern_usable(tiers[i].tier, tiers[i].needs))
            used = add_tests(list, used, tests, n, &tiers[i]);
        else
            print_message("no tier %s here\n", fc_tier_name(tiers[i].tier));
    }
    if (public_too)
        used = add_tests(list, used, tests, n, NULL);
    failed = _cmocka_run_group_tests(group, list, used, NULL, NULL);
    for (size_t i = 0; i < used; i++)
        free((void *)(uintptr_t)list[i].name);
    free(list);
    return failed;
}

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

void test_gcmsiv_slow_ctr(const struct fc_gcmsiv_kern *kern, const struct fc_gcmsiv_mk *mk,
                          uint8_t ctr[16], uint8_t *dst, const uint8_t *src, size_t nblocks)
{
    uint8_t stream[16];

    for (size_t b = 0; b < nblocks; b++) {
        kern->encrypt_block(mk, stream, ctr);
        for (size_t i = 0; i < 16; i++)
            dst[16 * b + i] = src[16 * b + i] ^ stream[i];
        fc_store_le32(ctr, fc_load_le32(ctr) + 1);
    }
}
