/*
 * Running commands, alone or as a pipeline, and what they took.
 */
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

struct process_usage {
    double wall_s; /* from before the first start to the end of the last */
    double cpu_s;  /* user and system, of the one asked for */
    long rss_kib;  /* its peak memory */
};

enum { PROCESS_MAX = 3 };

/* argvs[0] | argvs[1] | ..., n <= PROCESS_MAX of them. */
struct process_pipeline {
    char *const *const *argvs;
    size_t n;
    size_t which;    /* whose usage is asked for */
    const char *in;  /* a file for the first one's stdin */
    const char *out; /* a file for the last one's stdout: created, or emptied */
    bool quiet;      /* stderr goes to /dev/null */
};

/* process_run(p, usage): runs it. False when one of them could not be started or ended with another
 * status than 0. */
bool process_run(const struct process_pipeline *p, struct process_usage *usage);

#endif
