/*
 * One set of tests for every tier of an operation.
 */
#ifndef FC_TEST_TIERS_H
#define FC_TEST_TIERS_H

#include "support.h"

#include "kern.h"

/* What test_run_tiers has to know of a candidate. */
struct test_tier {
    enum fc_tier tier;
    uint32_t needs;
    const void *candidate;
};

/* test_run_tiers(group, tests, n, tiers, ntiers, public_too): runs tests[n] for every one of
 * tiers[ntiers] that CPU and FCRYPT_TIER allow, each under its name and the tier's, with the
 * candidate as *state; with public_too also for NULL, which stands for the public functions.
 * Returns how many failed. */
int test_run_tiers(const char *group, const struct CMUnitTest *tests, size_t n,
                   const struct test_tier *tiers, size_t ntiers, bool public_too);

#endif
