/* The measurements without a clock: tables, statistics, who takes how many laps, and which groups
 * there are. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fcrypt_bench.h"
#include "support.h"
#include "table.h"
#include "timing.h"

static const struct bench_column columns[] = {
    {"name", "name", 5, false},
    {"c/B", "cycles", 6, true},
    {"hidden", "extra", 0, true},
    {"last", "last", 4, true},
};

static void put_row(struct bench_table *t, const char *name, const char *value, const char *last)
{
    struct bench_row row = {0};

    bench_cell(&row, "%s", name);
    bench_cell(&row, "%s", value);
    bench_cell(&row, "%d", 7);
    if (last != NULL)
        bench_cell(&row, "%s", last);
    bench_table_row(t, &row);
}

/* A table of two rows in that form is exactly want. */
static void assert_table(enum fc_bench_format format, const char *want)
{
    struct bench_table t;
    size_t len;
    char *got;
    FILE *f = open_memstream(&got, &len);

    assert_non_null(f);
    bench_table_open(&t, f, format, columns, 4);
    bench_table_note(&t, "cpu", "a \"%s\"", "b\\c");
    put_row(&t, "x,y", "1.50", "2");
    bench_table_gap(&t);
    put_row(&t, "q\"", "", NULL);
    bench_table_end(&t);
    bench_table_note(&t, "end", "%d", 1);
    assert_int_equal(bench_table_close(&t), 0);
    fclose(f);
    assert_string_equal(got, want);
    free(got);
}

static void test_text(void **state)
{
    (void)state;
    assert_table(FC_BENCH_TEXT, "cpu: a \"b\\c\"\n"
                                "\n"
                                "name      c/B  last\n"
                                "x,y      1.50     2\n"
                                "\n"
                                "q\"   \n"
                                "\n"
                                "end: 1\n");
}

static void test_csv(void **state)
{
    (void)state;
    assert_table(FC_BENCH_CSV, "# cpu: a \"b\\c\"\n"
                               "name,cycles,extra,last\n"
                               "\"x,y\",1.50,7,2\n"
                               "\"q\"\"\",,7,\n"
                               "# end: 1\n");
}

static void test_json(void **state)
{
    (void)state;
    assert_table(FC_BENCH_JSON,
                 "{\n"
                 "  \"cpu\": \"a \\\"b\\\\c\\\"\",\n"
                 "  \"rows\": [\n"
                 "    {\"name\": \"x,y\", \"cycles\": 1.50, \"extra\": 7, \"last\": 2},\n"
                 "    {\"name\": \"q\\\"\", \"cycles\": null, \"extra\": 7, \"last\": null}\n"
                 "  ],\n"
                 "  \"end\": \"1\"\n"
                 "}\n");
}

static void test_full(void **state)
{
    FILE *f = fopen("/dev/full", "w");
    struct bench_table t;

    (void)state;
    if (f == NULL)
        skip();
    bench_table_open(&t, f, FC_BENCH_CSV, columns, 4);
    put_row(&t, "a", "1", "2");
    assert_int_equal(t.error, ENOSPC);
    bench_table_end(&t);
    assert_int_equal(bench_table_close(&t), ENOSPC);
    fclose(f);
}

static void test_stats(void **state)
{
    double one[] = {3}, even[] = {4, 1, 3, 2}, odd[] = {50, 10, 30, 20, 40};
    struct bench_stats s = bench_stats(one, 1);

    (void)state;
    assert_true(s.min == 3 && s.q1 == 3 && s.median == 3 && s.q3 == 3 && s.max == 3);
    s = bench_stats(even, 4);
    assert_true(s.min == 1 && s.q1 == 1.75 && s.median == 2.5 && s.q3 == 3.25 && s.max == 4);
    s = bench_stats(odd, 5);
    assert_true(s.min == 10 && s.q1 == 20 && s.median == 30 && s.q3 == 40 && s.max == 50);
}

/* One whose repetition takes so long, by a clock of 2 GHz. */
struct runner {
    double ns;
    size_t fail_at; /* lap */
    size_t laps;
};

static bool runner_lap(void *arg, size_t reps, struct bench_lap *lap)
{
    struct runner *r = arg;

    *lap = (struct bench_lap){.ns = r->ns * (double)reps, .cycle_ns = 0.5, .steady = r->laps % 2};
    return ++r->laps != r->fail_at;
}

static void test_race(void **state)
{
    struct runner fast = {.ns = 100}, slow = {.ns = 3e5}, slowest = {.ns = 1e9};
    struct runner failing = {.ns = 100, .fail_at = 20};
    struct bench_racer racers[] = {
        {.lap = runner_lap, .arg = &fast},
        {.lap = runner_lap, .arg = &slow},
        {.lap = runner_lap, .arg = &slowest},
        {.lap = runner_lap, .arg = &failing},
    };
    const struct bench_plan plan = {.rounds = 100, .lap_ns = 1e5};

    (void)state;
    assert_true(bench_race(racers, 4, &plan));
    assert_int_equal(racers[0].laps, 100);
    assert_int_equal(racers[0].reps, 1000);
    assert_true(racers[0].cycles.median == 200 && racers[0].ns.q3 == 100);
    assert_true(racers[0].ghz.min == 2);
    assert_int_equal(racers[0].unsteady, 50);
    assert_int_equal(racers[1].laps, 34); /* every third round */
    assert_int_equal(racers[1].reps, 1);
    assert_int_equal(racers[2].laps, 5);
    assert_int_equal(racers[3].laps, 0);
}

/* Where all are slow, none is slower than the fastest. */
static void test_race_of_slow(void **state)
{
    struct runner a = {.ns = 4e5}, b = {.ns = 7e5};
    struct bench_racer racers[] = {{.lap = runner_lap, .arg = &a}, {.lap = runner_lap, .arg = &b}};
    const struct bench_plan plan = {.rounds = 10, .lap_ns = 1e5};

    (void)state;
    assert_true(bench_race(racers, 2, &plan));
    assert_int_equal(racers[0].laps, 10);
    assert_int_equal(racers[1].laps, 10);
}

struct groups {
    size_t n;
    bool kernels, offset, call;
};

static void visit(void *user, const char *op, const char *size)
{
    struct groups *g = user;

    g->n++;
    g->kernels |= strstr(op, " kernel ") != NULL;
    g->offset |= strcmp(op, "ctr-128 src+97") == 0;
    g->call |= strcmp(op, "ctr-256") == 0 && strcmp(size, "8K") == 0;
}

static struct groups groups(const struct fc_bench_config *config)
{
    struct groups g = {0};
    struct fc_err err;

    assert_int_equal(fc_bench_list(config, visit, &g, &err), FC_OK);
    return g;
}

static void test_depths(void **state)
{
    const struct groups brief = groups(&(struct fc_bench_config){.depth = FC_BENCH_BRIEF});
    const struct groups usual = groups(&(struct fc_bench_config){.depth = FC_BENCH_USUAL});
    const struct groups all = groups(&(struct fc_bench_config){.depth = FC_BENCH_ALL});

    (void)state;
    assert_true(brief.call && !brief.kernels && !brief.offset);
    assert_true(usual.call && usual.kernels && !usual.offset);
    assert_true(all.call && all.kernels && all.offset);
    assert_true(0 < brief.n && brief.n < usual.n && usual.n < all.n);
}

static void test_filter_and_tier(void **state)
{
    struct fc_bench_config config = {.filter = "ctr-256 8K"};

    (void)state;
    assert_int_equal(groups(&config).n, 1);
    config.filter = "nothing has this";
    assert_int_equal(groups(&config).n, 0);
    config.filter = NULL;
    config.one_tier = true;
    assert_true(fc_tier_find(&config.tier, "generic"));
    assert_int_equal(groups(&config).n, groups(&(struct fc_bench_config){0}).n);
    assert_true(fc_tier_find(&config.tier, "sse41")); /* which no operation has */
    assert_int_equal(groups(&config).n, 0);
    assert_false(fc_tier_find(&config.tier, "SSE41"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_stats),
        cmocka_unit_test(test_race),
        cmocka_unit_test(test_race_of_slow),
        cmocka_unit_test(test_depths),
        cmocka_unit_test(test_filter_and_tier),
    };

    return test_status(cmocka_run_group_tests_name("bench", tests, NULL, NULL));
}
