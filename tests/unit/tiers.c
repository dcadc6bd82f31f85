#include "tiers.h"

#include <stdio.h>
#include <stdlib.h>

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

int test_run_tiers(const char *group, const struct CMUnitTest *tests, size_t n,
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
