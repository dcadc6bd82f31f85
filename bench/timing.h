/*
 * Timing of short pieces of code on a shared machine of changing clock.
 *
 * A lap runs a piece of work for some 100 us, with dependent chains of adds before and behind it.
 * An add takes one cycle, so the chains say how long a cycle was at that moment; no cycle counter
 * is needed. Pieces of work to be compared take their laps in turn (a race), so that whatever slows
 * the machine down slows all of them.
 */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One lap. A cycle is judged by the fastest chain; the lap is unsteady when the fastest before and
 * the fastest behind it differ by more than 3 %. */
struct bench_lap {
    double ns;       /* the work, all repetitions together */
    double cycle_ns; /* length of a cycle */
    bool steady;
};

/* Does a piece of work reps times. */
typedef void bench_run_fn(void *arg, size_t reps);

/* bench_lap(run, arg, reps, lap): takes one lap. */
void bench_lap(bench_run_fn *run, void *arg, size_t reps, struct bench_lap *lap);

struct bench_stats {
    double min, q1, median, q3, max;
};

/* bench_stats(v, n): of v[n], which it sorts; n > 0. */
struct bench_stats bench_stats(double *v, size_t n);

/* One that takes part in a race. */
struct bench_racer {
    bench_run_fn *run;
    void *arg;
    /* Where set, takes the laps in place of bench_lap(run, arg, ...): work in another process.
     * False when it cannot. */
    bool (*lap)(void *arg, size_t reps, struct bench_lap *lap);

    /* The outcome. laps is 0 when the racer failed. */
    size_t reps; /* repetitions in a lap */
    size_t laps;
    size_t unsteady;           /* laps, all counted nevertheless */
    struct bench_stats cycles; /* of one repetition */
    struct bench_stats ns;     /* of one repetition */
    struct bench_stats ghz;
};

struct bench_plan {
    size_t rounds;
    double lap_ns; /* the aim for one lap; a single repetition may take longer */
};

/* bench_race(racers, n, plan): one lap each, in turn, plan->rounds times. A racer whose single
 * repetition takes many times lap_ns, or longer than the fastest racer's lap, sits out most rounds,
 * but not below five laps where there are five rounds. False when memory is short. */
bool bench_race(struct bench_racer *racers, size_t n, const struct bench_plan *plan);

#endif
