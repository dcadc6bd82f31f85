#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kern.h"
#include "machine.h"

static const struct bench_column columns[] = {
    {"operation", "operation", 25, false},
    {"size", "size", 6, false},
    {"who", "who", 16, false},
    {"c/B", "cycles_per_byte", 8, true},
    {"q1", "q1", 8, true},
    {"q3", "q3", 8, true},
    {"min", "min", 8, true},
    {"GB/s", "gb_per_s", 7, true},
    {"x peer", "of_best_peer", 7, true},
    {"% limit", "percent_of_limit", 7, true},
    {"laps", "laps", 5, true},
    {"unsteady", "unsteady", 8, true},
};

void suite_open(struct suite *suite, FILE *out, enum bench_format format)
{
    bench_table_open(&suite->table, out, format, columns, sizeof(columns) / sizeof(columns[0]));
}

/* 64, 1K, 8K, ... */
static void name_size(struct suite *suite)
{
    if (suite->len >= 1024 && suite->len % 1024 == 0)
        snprintf(suite->size, sizeof(suite->size), "%zuK", suite->len / 1024);
    else
        snprintf(suite->size, sizeof(suite->size), "%zu", suite->len);
}

bool suite_begin(struct suite *suite, const char *op, size_t len, size_t count)
{
    char title[128];

    suite->op = op;
    suite->len = len;
    suite->bytes = len * count;
    suite->n = 0;
    name_size(suite);
    snprintf(title, sizeof(title), "%s %s", op, suite->size);
    return suite->filter == NULL || strstr(title, suite->filter) != NULL;
}

static struct suite_entry *add(struct suite *suite, enum suite_kind kind, const char *name,
                               bench_run_fn *run, void *arg)
{
    struct suite_entry *entry = &suite->entries[suite->n];

    if (suite->n == SUITE_MAX_GROUP)
        abort();
    *entry = (struct suite_entry){.kind = kind};
    snprintf(entry->name, sizeof(entry->name), "%s", name);
    suite->racers[suite->n] = (struct bench_racer){.run = run, .arg = arg};
    suite->n++;
    return entry;
}

bool suite_candidate(struct suite *suite, enum fc_tier tier, uint32_t needs, bench_run_fn *run,
                     void *arg)
{
    if (!fc_kern_usable(tier, needs) || (!suite->any_tier && tier != suite->tier))
        return false;
    add(suite, SUITE_CANDIDATE, fc_tier_name(tier), run, arg)->tier = tier;
    return true;
}

void suite_peers(struct suite *suite, const struct peer_job *job)
{
    for (size_t i = 0; i < suite->npeers; i++) {
        struct peer *peer = &suite->peers[i];

        if (!peer->prepare(peer, job))
            continue;
        add(suite, SUITE_PEER, peer->name, peer->run, peer)->peer = peer;
        suite->racers[suite->n - 1].lap = peer->lap;
    }
}

void suite_limits(struct suite *suite, enum limit_work work, unsigned rounds)
{
    size_t n;
    const struct limit_width *widths = limit_widths(&n);

    for (size_t i = 0; i < n; i++) {
        struct suite_entry *entry;
        char name[32];

        snprintf(name, sizeof(name), "limit %s", widths[i].name);
        entry = add(suite, SUITE_LIMIT, name, limit_run, NULL);
        entry->tier = widths[i].tier;
        entry->limit = (struct limit_job){&widths[i], work, rounds, suite->bytes};
        suite->racers[suite->n - 1].arg = &entry->limit;
    }
}

static bool failed(const struct suite *suite, size_t i)
{
    return suite->racers[i].laps == 0 ||
           (suite->entries[i].kind == SUITE_PEER && suite->entries[i].peer->failed);
}

/* Median cycles of the fastest peer, 0 where there is none. */
static double best_peer(const struct suite *suite)
{
    double best = 0;

    for (size_t i = 0; i < suite->n; i++) {
        double cycles = suite->racers[i].cycles.median;

        if (suite->entries[i].kind == SUITE_PEER && !failed(suite, i) &&
            (best == 0 || cycles < best))
            best = cycles;
    }
    return best;
}

/* Median cycles of the limit for a candidate: that of the widest vectors its tier has. 0: none. */
static double limit_of(const struct suite *suite, const struct suite_entry *entry)
{
    double limit = 0;

    for (size_t i = 0; i < suite->n; i++)
        if (suite->entries[i].kind == SUITE_LIMIT && suite->entries[i].tier <= entry->tier)
            limit = suite->racers[i].cycles.median;
    return entry->kind == SUITE_CANDIDATE ? limit : 0;
}

static void put_ratio(struct bench_row *row, double of, double to, double scale)
{
    if (of > 0 && to > 0)
        bench_cell(row, "%.*f", scale == 1 ? 2 : 0, scale * of / to);
    else
        bench_cell(row, "%s", "");
}

static void put_row(struct suite *suite, size_t i)
{
    const struct suite_entry *entry = &suite->entries[i];
    const struct bench_racer *r = &suite->racers[i];
    double bytes = (double)suite->bytes;
    struct bench_row row = {0};

    bench_cell(&row, "%s", suite->op);
    bench_cell(&row, "%s", suite->size);
    bench_cell(&row, "%s%s", entry->name, failed(suite, i) ? " FAILED" : "");
    if (!failed(suite, i)) {
        bench_cell(&row, "%.4f", r->cycles.median / bytes);
        bench_cell(&row, "%.4f", r->cycles.q1 / bytes);
        bench_cell(&row, "%.4f", r->cycles.q3 / bytes);
        bench_cell(&row, "%.4f", r->cycles.min / bytes);
        bench_cell(&row, "%.3f", bytes / r->ns.median);
        put_ratio(&row, entry->kind == SUITE_LIMIT ? 0 : best_peer(suite), r->cycles.median, 1);
        put_ratio(&row, limit_of(suite, entry), r->cycles.median, 100);
        bench_cell(&row, "%zu", r->laps);
        bench_cell(&row, "%zu", r->unsteady);
    }
    bench_table_row(&suite->table, &row);
}

static void count(struct suite *suite, size_t i)
{
    const struct bench_racer *r = &suite->racers[i];

    if (failed(suite, i)) {
        suite->failures++;
        return;
    }
    suite->laps += r->laps;
    suite->unsteady += r->unsteady;
    if (suite->min_ghz == 0 || r->ghz.median < suite->min_ghz)
        suite->min_ghz = r->ghz.median;
    if (r->ghz.median > suite->max_ghz)
        suite->max_ghz = r->ghz.median;
}

void suite_race(struct suite *suite)
{
    if (suite->n > 0 && !bench_race(suite->racers, suite->n, &suite->plan))
        suite->failures++;
    bench_table_gap(&suite->table);
    for (size_t i = 0; i < suite->n; i++) {
        put_row(suite, i);
        count(suite, i);
    }
    for (size_t i = 0; i < suite->n; i++)
        if (suite->entries[i].kind == SUITE_PEER)
            suite->entries[i].peer->finish(suite->entries[i].peer);
}

void suite_close(struct suite *suite)
{
    char load[128];

    machine_load(load, sizeof(load));
    if (!bench_table_close(&suite->table, "summary",
                           "clock %.2f to %.2f GHz by the group; %zu laps, %zu of them unsteady; "
                           "%zu failures; load at the end %s",
                           suite->min_ghz, suite->max_ghz, suite->laps, suite->unsteady,
                           suite->failures, load))
        suite->failures++;
}
