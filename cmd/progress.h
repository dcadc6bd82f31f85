/*
 * The progress line on stderr: name, amount, per cent where the size is known, rate.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <time.h>

#include "cmd.h"

struct progress {
    bool on;
    double delay;   /* seconds before the line first appears */
    char name[48];  /* of the input, cut and escaped */
    uint64_t total; /* 0: not known */
    struct timespec start, shown;
};

/* progress_init(p, always, never): always and never are --progress and --no-progress; by default
 * the line appears on a terminal, after a second, unless -q. */
void progress_init(struct progress *p, bool always, bool never);

/* progress_start(p, name, total), progress_show(p, done), progress_end(p): one input. */
void progress_start(struct progress *p, const char *name, uint64_t total);
void progress_show(struct progress *p, uint64_t done);
void progress_end(const struct progress *p);

#endif
