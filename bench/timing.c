#include "timing.h"

#include <stdlib.h>
#include <time.h>

enum { CHAIN = 1 << 13, CHAINS = 4 };

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* What reading the clock adds to every interval. */
static double clock_cost(void)
{
    static double least = -1;

    if (least >= 0)
        return least;
    least = 1e9;
    for (int i = 0; i < 1000; i++) {
        double start = now_ns(), took = now_ns() - start;

        if (took < least)
            least = took;
    }
    return least;
}

/* The empty asm keeps each add where it is. Both operands are registers: some CPUs fold a row of
 * adds of constants into one. */
#define ADD                                                                                        \
    x += y;                                                                                        \
    __asm__ volatile("" : "+r"(x))
#define ADD8                                                                                       \
    ADD;                                                                                           \
    ADD;                                                                                           \
    ADD;                                                                                           \
    ADD;                                                                                           \
    ADD;                                                                                           \
    ADD;                                                                                           \
    ADD;                                                                                           \
    ADD

static double chain_ns(void)
{
    size_t x = 0, y = 1;
    double start;

    __asm__ volatile("" : "+r"(y));
    start = now_ns();
    for (size_t i = 0; i < CHAIN / 32; i++) {
        ADD8;
        ADD8;
        ADD8;
        ADD8;
    }
    return now_ns() - start - clock_cost();
}

/* The fastest of several chains: an interruption can only make one longer. */
static double cycle_ns(void)
{
    double least = chain_ns();

    for (int i = 1; i < CHAINS; i++) {
        double ns = chain_ns();

        if (ns < least)
            least = ns;
    }
    return least / CHAIN;
}

void bench_lap(bench_run_fn *run, void *arg, size_t reps, struct bench_lap *lap)
{
    double before, after, start;

    before = cycle_ns();
    start = now_ns();
    run(arg, reps);
    lap->ns = now_ns() - start - clock_cost();
    after = cycle_ns();
    lap->cycle_ns = before < after ? before : after;
    lap->steady = before < after * 1.03 && after < before * 1.03;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Between neighbours, in proportion. */
static double quantile(const double *v, size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t i = (size_t)at;

    return i + 1 < n ? v[i] + (v[i + 1] - v[i]) * (at - (double)i) : v[i];
}

struct bench_stats bench_stats(double *v, size_t n)
{
    qsort(v, n, sizeof(*v), ascending);
    return (struct bench_stats){
        .min = v[0],
        .q1 = quantile(v, n, 0.25),
        .median = quantile(v, n, 0.5),
        .q3 = quantile(v, n, 0.75),
        .max = v[n - 1],
    };
}

static bool take_lap(struct bench_racer *r, struct bench_lap *lap)
{
    if (r->lap != NULL)
        return r->lap(r->arg, r->reps, lap);
    bench_lap(r->run, r->arg, r->reps, lap);
    return true;
}

/* The shorter of two laps: one may have been interrupted. Below 0: the racer failed. */
static double try_lap(struct bench_racer *r)
{
    struct bench_lap a, b;

    if (!take_lap(r, &a) || !take_lap(r, &b))
        return -1;
    return a.ns < b.ns ? a.ns : b.ns;
}

/* Finds how many repetitions make a lap, which warms up code and data too. Returns the length of
 * such a lap; below 0: the racer failed. */
static double size_lap(struct bench_racer *r, double lap_ns)
{
    double ns;

    r->reps = 1;
    while ((ns = try_lap(r)) >= 0 && ns < lap_ns / 2)
        r->reps *= 2;
    if (ns < 0)
        return ns;
    ns /= (double)r->reps;
    r->reps = (size_t)(lap_ns / ns + 0.5);
    if (r->reps == 0)
        r->reps = 1;
    return ns * (double)r->reps;
}

/* Every how many rounds the racer takes a lap, which takes it so long: it gets as much time as the
 * fastest one. */
static size_t choose_stride(double took, double fastest, const struct bench_plan *plan)
{
    double stride = took / (plan->lap_ns * 8);
    size_t most = plan->rounds / 5;

    if (fastest < plan->lap_ns)
        fastest = plan->lap_ns;
    if (stride < took / fastest)
        stride = took / fastest;
    if (most < 1 || stride < 1)
        return 1;
    return stride > (double)most ? most : (size_t)stride;
}

/* What the laps of one racer gave, up to rounds values each. */
struct tally {
    double took;   /* a lap, as a first one was; below 0: failed */
    size_t stride; /* 0: failed */
    double *cycles, *ns, *ghz;
};

static void run_lap(struct bench_racer *r, struct tally *t)
{
    struct bench_lap lap;
    size_t i = r->laps;

    if (!take_lap(r, &lap)) {
        t->stride = 0;
        return;
    }
    t->ns[i] = lap.ns / (double)r->reps;
    t->cycles[i] = t->ns[i] / lap.cycle_ns;
    t->ghz[i] = 1 / lap.cycle_ns;
    r->unsteady += !lap.steady;
    r->laps++;
}

static void settle(struct bench_racer *r, const struct tally *t)
{
    if (t->stride == 0)
        r->laps = 0;
    if (r->laps == 0)
        return;
    r->cycles = bench_stats(t->cycles, r->laps);
    r->ns = bench_stats(t->ns, r->laps);
    r->ghz = bench_stats(t->ghz, r->laps);
}

/* Sizes the laps and decides how often each racer takes one. */
static void line_up(struct bench_racer *racers, struct tally *tallies, size_t n,
                    const struct bench_plan *plan)
{
    double fastest = -1;

    for (size_t i = 0; i < n; i++) {
        double took = tallies[i].took = size_lap(&racers[i], plan->lap_ns);

        racers[i].laps = racers[i].unsteady = 0;
        if (took >= 0 && (fastest < 0 || took < fastest))
            fastest = took;
    }
    for (size_t i = 0; i < n; i++) {
        struct tally *t = &tallies[i];

        t->stride = t->took < 0 ? 0 : choose_stride(t->took, fastest, plan);
    }
}

bool bench_race(struct bench_racer *racers, size_t n, const struct bench_plan *plan)
{
    struct tally *tallies = calloc(n, sizeof(*tallies));
    double *values = calloc(n * plan->rounds * 3, sizeof(*values));

    if (tallies == NULL || values == NULL) {
        free(tallies);
        free(values);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        struct tally *t = &tallies[i];

        t->cycles = values + 3 * i * plan->rounds;
        t->ns = t->cycles + plan->rounds;
        t->ghz = t->ns + plan->rounds;
    }
    line_up(racers, tallies, n, plan);
    for (size_t round = 0; round < plan->rounds; round++)
        for (size_t i = 0; i < n; i++)
            if (tallies[i].stride != 0 && round % tallies[i].stride == 0)
                run_lap(&racers[i], &tallies[i]);
    for (size_t i = 0; i < n; i++)
        settle(&racers[i], &tallies[i]);
    free(tallies);
    free(values);
    return true;
}
