/*
 * A run of enc or dec over its inputs: the library's context, notes and progress.
 */
#ifndef RUN_H
#define RUN_H

#include "files.h"
#include "progress.h"

struct run_options {
    uint64_t threads;
    bool progress;
    bool no_progress;
};
extern const struct opt opt_run[];

struct run {
    struct fc_ctx *ctx;
    struct progress progress;
    const char *file; /* the input at hand, for notes */
};

/* run_open(run, options, max_mem_kib, max_work_kib), run_close(run): prints its own errors. run
 * must stay where it is between the two. */
enum fc_status run_open(struct run *run, const struct run_options *options, uint64_t max_mem_kib,
                        uint64_t max_work_kib);
void run_close(struct run *run);

/* run_begin(run, in), run_end(run): around the work on one input. */
void run_begin(struct run *run, const struct input *in);
void run_end(struct run *run);

#endif
