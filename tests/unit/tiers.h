/*
 * One set of tests for every tier of an operation.
 */
#ifndef FC_TEST_TIERS_H
#define FC_TEST_TIERS_H

#include "support.h"

#include "kern.h"

/* test_p_run(group, tests, n, public_too), for each primitive p: runs tests[n] for every one of
 * fc_p_candidates() that CPU and FCRYPT_TIER allow, each under its name and the tier's, with the
 * candidate as *state; with public_too also for NULL, which stands for the public functions.
 * Returns how many failed. */
typedef int test_run_fn(const char *group, const struct CMUnitTest *tests, size_t n,
                        bool public_too);

test_run_fn test_gcmsiv_run;
test_run_fn test_ctr_run;
test_run_fn test_xts_run;
test_run_fn test_blake2b_run;
test_run_fn test_blake2b_lanes_run;

#endif
