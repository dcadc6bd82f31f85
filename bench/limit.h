/*
 * The machine's own limit for AES-GCM-SIV, AES-CTR and AES-XTS: how fast it can issue the AES
 * rounds and carry-less multiplications that a message needs, without loads, stores, or anything
 * that waits.
 *
 * A block of 16 bytes needs rounds x AESENC, and in AES-GCM-SIV 3.25 x PCLMULQDQ: three for a
 * Karatsuba product, and a reduction of two for every eight blocks.
 */
#ifndef BENCH_LIMIT_H
#define BENCH_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu.h"

enum limit_work {
    LIMIT_AES,  /* CTR, XTS */
    LIMIT_PCL,  /* POLYVAL */
    LIMIT_BOTH, /* CTR and POLYVAL side by side */
    LIMIT_TURN, /* one after the other */
};

/* LIMIT_ROUNDS(rounds): where loops for so many stand, rounds 10, 12 or 14. */
#define LIMIT_ROUNDS(rounds) (((rounds)-10) / 2)

/* Instructions of one vector width. */
struct limit_width {
    const char *name; /* of the registers */
    enum fc_tier tier;
    uint32_t needs;
    size_t unit; /* bytes of message that one repetition of each loop stands for */
    void (*aes[3])(size_t n);
    void (*both[3])(size_t n); /* AES-GCM-SIV has no 12 rounds: NULL */
    void (*pcl)(size_t n);
};

/* limit_widths(&n): those this machine can run, narrowest first. */
const struct limit_width *limit_widths(size_t *n);

struct limit_job {
    const struct limit_width *width;
    enum limit_work work;
    unsigned rounds;
    size_t len; /* bytes of one repetition */
};

/* limit_run(job, reps): a bench_run_fn. */
void limit_run(void *job, size_t reps);

#endif
