#include "tiers.h"

#include <stdio.h>
#include <stdlib.h>

struct test_tier {
    enum fc_tier tier;
    uint32_t needs;
    const void *candidate;
};

/* Adds tests[n] for one tier, or for the public functions where there is none, to list, which has
 * used so many; returns how many it has then. */
static size_t add_tests(struct CMUnitTest *list, size_t used, const struct CMUnitTest *tests,
                        size_t n, const struct test_tier *tier)
{
    for (size_t i = 0; i < n; i++) {
        char *name = NULL;

        if (asprintf(&name, "%s (%s)", tests[i].name,
                     tier == NULL ? "public" : fc_tier_name(tier->tier)) < 0)
            abort();
        list[used] = tests[i];
        list[used].name = name;
        list[used].initial_state = tier == NULL ? NULL : (void *)(uintptr_t)tier->candidate;
        used++;
    }
    return used;
}

static int run_tiers(const char *group, const struct CMUnitTest *tests, size_t n,
                     const struct test_tier *tiers, size_t ntiers, bool public_too)
{
    struct CMUnitTest *list = calloc((ntiers + 1) * n, sizeof(*list));
    size_t used = 0;
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

#define TEST_RUN(p)                                                                                \
    int test_##p##_run(const char *group, const struct CMUnitTest *tests, size_t n,                \
                       bool public_too)                                                            \
    {                                                                                              \
        size_t ntiers;                                                                             \
        const struct fc_##p##_candidate *c = fc_##p##_candidates(&ntiers);                         \
        struct test_tier tiers[FC_NTIERS];                                                         \
                                                                                                   \
        for (size_t i = 0; i < ntiers; i++)                                                        \
            tiers[i] = (struct test_tier){c[i].tier, c[i].needs, &c[i]};                           \
        return run_tiers(group, tests, n, tiers, ntiers, public_too);                              \
    }

TEST_RUN(gcmsiv)
TEST_RUN(ctr)
TEST_RUN(xts)
TEST_RUN(blake2b)
TEST_RUN(blake2b_lanes)
