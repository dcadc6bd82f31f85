/*
 * Tools that do the same with the same file, in turn.
 */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "table.h"
#include "tools.h"

enum { CONTEST_TOOLS = 16, CONTEST_MAX_RUNS = 100000, CONTEST_PATH = 4096 };

/* One tool that takes part, and the outcome of the scenario at hand. */
struct contestant {
    const struct tool *tool;
    char sealed[CONTEST_PATH]; /* what it decrypts */
    bool failed;               /* takes no further part */
    bool taking_part;          /* in this scenario */
    size_t stride;             /* every how many rounds */
    struct command command;
    double *wall_s, *cpu_s; /* by round; wall_s below 0: sat it out */
    long rss_kib;
};

struct contest {
    /* Set by the caller. */
    uint64_t size; /* of the file */
    size_t runs, startup_runs;
    const char *fcrypt;
    const char *only;   /* names of tools, divided by commas; NULL: all */
    const char *filter; /* a scenario's name must contain it; NULL: all */
    const char *under;  /* where the working directory is made */
    enum fc_bench_format format;

    char *dir;
    char plain[CONTEST_PATH], one_byte[CONTEST_PATH], out[CONTEST_PATH];
    struct contestant contestants[CONTEST_TOOLS];
    size_t n;
    size_t failures;
    struct bench_table table;
};

/* contest_open(c): files, keys, ciphertexts, each of them decrypted once and compared; begins the
 * table. False, after a message to stderr, when that cannot be; contest_close follows either way.
 */
bool contest_open(struct contest *c);

/* contest_run(c): every scenario, a row of the table for each tool. */
void contest_run(struct contest *c);

/* contest_close(c): ends the table, removes the files. */
void contest_close(struct contest *c);

/* To be set by a signal handler: ends the contest after the command that is running. */
extern volatile sig_atomic_t contest_interrupted;

#endif
