/*
 * fcrypt's own kernels, timed by tier and size beside the machine's limit for the same mix of
 * instructions: every candidate of every operation that this machine can run.
 *
 * This header is to cmd/ what lib's public headers are.
 */
#ifndef FCRYPT_BENCH_H
#define FCRYPT_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cpu.h"
#include "err.h"

/* How many groups are timed; a group is an operation on one size. Each includes those above. */
enum fc_bench_depth {
    FC_BENCH_BRIEF, /* what files, images and checksums are made of, at a few sizes */
    FC_BENCH_USUAL, /* the parts of AES-GCM-SIV and other runs of sectors */
    FC_BENCH_ALL,   /* short and odd lengths, other offsets */
};

enum fc_bench_format { FC_BENCH_TEXT, FC_BENCH_CSV, FC_BENCH_JSON };

enum { FC_BENCH_MAX_ROUNDS = 1000000 };

struct fc_bench_config {
    enum fc_bench_depth depth;
    const char *filter; /* only groups whose "operation size" contains it; NULL: all */
    bool one_tier;      /* only candidates of tier */
    enum fc_tier tier;
    size_t rounds; /* laps of each contestant, 1..FC_BENCH_MAX_ROUNDS */
    enum fc_bench_format format;
    FILE *out;
};

/* fc_bench_run(config, err): times the groups and writes their rows to out, each group as soon as
 * it is done; text is 100 columns wide. FC_ERR_IO, with err->sys, when out cannot be written;
 * FC_ERR_LIMIT when memory is short. */
enum fc_status fc_bench_run(const struct fc_bench_config *config, struct fc_err *err);

/* fc_bench_list(config, visit, user, err): tells of the groups that fc_bench_run would time, in
 * its order, and runs none. op and size are valid during the call only. */
typedef void fc_bench_visit_fn(void *user, const char *op, const char *size);
enum fc_status fc_bench_list(const struct fc_bench_config *config, fc_bench_visit_fn *visit,
                             void *user, struct fc_err *err);

#endif
