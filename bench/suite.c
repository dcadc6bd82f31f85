#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kern.h"
#include "machine.h"

enum { NCOLUMNS = 13 };

/* Text for a wide terminal, with rows for the limits. */
static const struct bench_column wide_columns[NCOLUMNS] = {
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
    {"limit", "limit_cycles_per_byte", 0, true},
};

/* The same for 100 columns. */
static const struct bench_column narrow_columns[NCOLUMNS] = {
    {"operation", "operation", 25, false},
    {"size", "size", 5, false},
    {"tier", "who", 7, false},
    {"c/B", "cycles_per_byte", 8, true},
    {"q1", "q1", 8, true},
    {"q3", "q3", 8, true},
    {"min", "min", 0, true},
    {"GB/s", "gb_per_s", 7, true},
    {"x peer", "of_best_peer", 0, true},
    {"% limit", "percent_of_limit", 7, true},
    {"laps", "laps", 0, true},
    {"unsteady", "unsteady", 0, true},
    {"limit", "limit_cycles_per_byte", 8, true},
};

/* 64, 1K, 8K, ... */
static void name_size(struct suite *suite)
{
    if (suite->len >= 1024 && suite->len % 1024 == 0)
        snprintf(suite->size, sizeof(suite->size), "%zuK", suite->len / 1024);
    else
        snprintf(suite->size, sizeof(suite->size), "%zu", suite->len);
}

bool suite_begin(struct suite *suite, enum fc_bench_depth depth, const char *op, size_t len,
                 size_t count)
{
    const char *filter = suite->config.filter;
    char title[128];

    if (depth > suite->config.depth || suite->err.status != FC_OK)
        return false;
    suite->op = op;
    suite->len = len;
    suite->bytes = len * count;
    suite->n = 0;
    name_size(suite);
    snprintf(title, sizeof(title), "%s %s", op, suite->size);
    return filter == NULL || strstr(title, filter) != NULL;
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
    if (!fc_kern_usable(tier, needs) || (suite->config.one_tier && tier != suite->config.tier))
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

/* Whether the row is one to be shown: what the limits are, narrow text says beside the tiers. */
static bool is_shown(const struct suite *suite, size_t i)
{
    return suite->wide || suite->config.format != FC_BENCH_TEXT ||
           suite->entries[i].kind != SUITE_LIMIT;
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
    double bytes = (double)suite->bytes, limit = limit_of(suite, entry);
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
        put_ratio(&row, limit, r->cycles.median, 100);
        bench_cell(&row, "%zu", r->laps);
        bench_cell(&row, "%zu", r->unsteady);
        if (limit > 0)
            bench_cell(&row, "%.4f", limit / bytes);
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

/* A limit alone is of no use. */
static bool is_contest(const struct suite *suite)
{
    for (size_t i = 0; i < suite->n; i++)
        if (suite->entries[i].kind != SUITE_LIMIT)
            return true;
    return false;
}

static void put_rows(struct suite *suite)
{
    bench_table_gap(&suite->table);
    for (size_t i = 0; i < suite->n; i++) {
        if (is_shown(suite, i))
            put_row(suite, i);
        count(suite, i);
    }
    if (suite->table.error != 0)
        fc_err_sys(&suite->err, suite->table.error, "cannot write");
}

void suite_race(struct suite *suite)
{
    const struct bench_plan plan = {.rounds = suite->config.rounds, .lap_ns = suite->lap_ns};

    if (suite->visit != NULL && is_contest(suite))
        suite->visit(suite->user, suite->op, suite->size);
    else if (is_contest(suite) && bench_race(suite->racers, suite->n, &plan))
        put_rows(suite);
    else if (is_contest(suite))
        suite_no_memory(suite);
    for (size_t i = 0; i < suite->n; i++)
        if (suite->entries[i].kind == SUITE_PEER)
            suite->entries[i].peer->finish(suite->entries[i].peer);
}

void suite_no_memory(struct suite *suite)
{
    fc_err_set(&suite->err, FC_ERR_LIMIT, "not enough memory");
}

static void begin(struct suite *suite)
{
    const struct fc_bench_config *config = &suite->config;
    struct bench_table *table = &suite->table;
    char tiers[64] = "";
    size_t at = 0;

    bench_table_open(table, config->out, config->format,
                     suite->wide ? wide_columns : narrow_columns, NCOLUMNS);
    machine_notes(table);
    for (unsigned t = 0; t < FC_NTIERS; t++)
        if (fc_tier_present(t))
            at += (size_t)snprintf(tiers + at, sizeof(tiers) - at, "%s%s", at > 0 ? " " : "",
                                   fc_tier_name(t));
    bench_table_note(table, "tiers", "%s", tiers);
    for (size_t i = 0; i < suite->npeers; i++)
        bench_table_note(table, suite->peers[i].name, "%s", suite->peers[i].version);
}

/* Steady: hardly a lap saw the clock change, nor did it change from group to group. */
static void end(struct suite *suite)
{
    bool steady = suite->unsteady * 20 <= suite->laps && suite->max_ghz < suite->min_ghz * 1.05;

    bench_table_end(&suite->table);
    bench_table_note(&suite->table, "summary",
                     "clock %s, %.2f to %.2f GHz by the group; %zu laps, %zu of them unsteady; "
                     "%zu failures",
                     steady ? "steady" : "unsteady", suite->min_ghz, suite->max_ghz, suite->laps,
                     suite->unsteady, suite->failures);
    machine_note_load(&suite->table, "load at the end");
    if (bench_table_close(&suite->table) != 0 && suite->err.status == FC_OK)
        fc_err_sys(&suite->err, suite->table.error, "cannot write");
}

static void all_rows(struct suite *suite)
{
    static void (*const rows[])(struct suite *) = {rows_gcmsiv, rows_ctr, rows_xts, rows_blake2b};

    if (suite->rows != NULL) {
        suite->rows(suite);
        return;
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && suite->err.status == FC_OK; i++)
        rows[i](suite);
}

enum fc_status suite_run(struct suite *suite)
{
    begin(suite);
    all_rows(suite);
    end(suite);
    return suite->err.status;
}

enum fc_status suite_list(struct suite *suite)
{
    all_rows(suite);
    return suite->err.status;
}
