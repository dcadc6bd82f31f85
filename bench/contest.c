#include "contest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine.h"
#include "process.h"
#include "timing.h"
#include "workdir.h"

static const struct bench_column columns[] = {
    {"scenario", "scenario", 17, false},
    {"tool", "tool", 12, false},
    {"ms", "ms", 9, true},
    {"q1", "q1_ms", 9, true},
    {"q3", "q3_ms", 9, true},
    {"min", "min_ms", 9, true},
    {"GB/s", "gb_per_s", 7, true},
    {"x cat", "of_cat", 7, true},
    {"cpu ms", "cpu_ms", 9, true},
    {"peak MiB", "peak_mib", 8, true},
    {"runs", "runs", 5, true},
};

enum shape { TO_NULL, TO_FILE, PIPE, ONE_BYTE };

static const struct scenario {
    const char *name;
    bool dec;
    enum shape shape;
} scenarios[] = {
    {"enc to /dev/null", false, TO_NULL}, {"enc to file", false, TO_FILE},
    {"enc cat | X | cat", false, PIPE},   {"dec to /dev/null", true, TO_NULL},
    {"dec to file", true, TO_FILE},       {"dec cat | X | cat", true, PIPE},
    {"enc 1 byte", false, ONE_BYTE},
};

/* A tool whose run takes longer than this takes part in every tenth round of many only. */
static const double SLOW_S = 0.05;

volatile sig_atomic_t contest_interrupted;

/* Runs a command with its files where it wants them. */
static bool run_alone(const struct command *command, const char *in, const char *out, bool quiet,
                      struct process_usage *usage)
{
    char *const *argvs[] = {command->argv};
    struct process_pipeline p = {
        .argvs = argvs,
        .n = 1,
        .in = command->names_in ? "/dev/null" : in,
        .out = command->names_out ? "/dev/null" : out,
        .quiet = quiet,
    };

    return process_run(&p, usage);
}

static bool run_template(const struct contest *c, const char *template, const char *in,
                         const char *out, bool quiet)
{
    struct paths paths = {c->fcrypt, c->dir, in, out};
    struct command command;
    struct process_usage usage;

    return command_expand(&command, template, &paths) &&
           run_alone(&command, in, out, quiet, &usage);
}

/* cat in | command | cat > out: what the command itself took, but the time of all three. */
static bool run_piped(const struct command *command, char *in, const char *out,
                      struct process_usage *usage)
{
    char cat[] = "cat";
    char *const first[] = {cat, in, NULL}, *const last[] = {cat, NULL};
    char *const *argvs[] = {first, command->argv, last};
    struct process_pipeline p = {.argvs = argvs, .n = 3, .which = 1, .in = "/dev/null", .out = out};

    return process_run(&p, usage);
}

static void fail(struct contest *c, struct contestant *k, const char *what)
{
    if (!contest_interrupted)
        fprintf(stderr, "command: %s: %s failed, left out\n", k->tool->name, what);
    k->failed = true;
    c->failures++;
}

/* Its ciphertext, which must give the plaintext back. */
static void seal(struct contest *c, struct contestant *k)
{
    const struct tool *tool = k->tool;

    if (tool->set_up != NULL && !run_template(c, tool->set_up, "/dev/null", "/dev/null", true)) {
        fail(c, k, tool->set_up);
        return;
    }
    if (tool->dec == NULL) {
        snprintf(k->sealed, sizeof(k->sealed), "%s", c->plain);
        return;
    }
    if (snprintf(k->sealed, sizeof(k->sealed), "%s/%s.sealed", c->dir, tool->name) >=
            CONTEST_PATH ||
        !run_template(c, tool->enc, c->plain, k->sealed, false))
        fail(c, k, tool->enc);
    else if (!run_template(c, tool->dec, k->sealed, c->out, false))
        fail(c, k, tool->dec);
    else if (!workdir_begins_with(c->out, c->plain))
        fail(c, k, "getting the plaintext back");
    unlink(c->out);
}

static bool wanted(const struct contest *c, const char *name)
{
    size_t len = strlen(name);

    if (c->only == NULL)
        return true;
    for (const char *s = c->only; *s != '\0'; s += strcspn(s, ","), s += *s == ',')
        if (strncmp(s, name, len) == 0 && (s[len] == ',' || s[len] == '\0'))
            return true;
    return false;
}

/* Those of the tools that are wanted and installed. */
static bool choose_tools(struct contest *c)
{
    struct paths paths = {c->fcrypt, "", "", ""};
    size_t n;
    const struct tool *all = tools(&n);

    for (size_t i = 0; i < n && c->n < CONTEST_TOOLS; i++) {
        struct contestant *k = &c->contestants[c->n];

        if (!wanted(c, all[i].name))
            continue;
        if (!tool_present(&all[i], &paths)) {
            bench_table_note(&c->table, all[i].name, "not found, left out");
            continue;
        }
        k->tool = &all[i];
        k->wall_s = calloc(CONTEST_MAX_RUNS, sizeof(*k->wall_s));
        k->cpu_s = calloc(CONTEST_MAX_RUNS, sizeof(*k->cpu_s));
        if (k->wall_s == NULL || k->cpu_s == NULL)
            return false;
        c->n++;
    }
    return true;
}

static bool enough_space(const struct contest *c)
{
    uint64_t need = c->size * 2;

    for (size_t i = 0; i < c->n; i++)
        need += c->contestants[i].tool->dec != NULL ? c->size : 0;
    need += need / 50;
    if (workdir_free(c->dir) >= need)
        return true;
    fprintf(stderr, "command: %s: %llu MiB are needed; try --dir, --size or --only\n", c->under,
            (unsigned long long)(need >> 20));
    return false;
}

static bool make_files(struct contest *c)
{
    c->dir = workdir_create(c->under);
    if (c->dir != NULL) {
        snprintf(c->plain, CONTEST_PATH, "%s/plain", c->dir);
        snprintf(c->one_byte, CONTEST_PATH, "%s/one-byte", c->dir);
        snprintf(c->out, CONTEST_PATH, "%s/out", c->dir);
        if (!enough_space(c))
            return false;
        if (workdir_random_file(c->plain, c->size) && workdir_random_file(c->one_byte, 1))
            return true;
    }
    fprintf(stderr, "command: %s: %s\n", c->under, strerror(errno));
    return false;
}

bool contest_open(struct contest *c)
{
    bench_table_open(&c->table, stdout, c->format, columns, sizeof(columns) / sizeof(columns[0]));
    machine_notes(&c->table);
    bench_table_note(&c->table, "file", "%llu bytes in %s", (unsigned long long)c->size, c->under);
    if (!choose_tools(c) || !make_files(c))
        return false;
    for (size_t i = 0; i < c->n && !contest_interrupted; i++)
        seal(c, &c->contestants[i]);
    return true;
}

static bool expand(struct contest *c, struct contestant *k, const struct scenario *s)
{
    const struct tool *tool = k->tool;
    bool dec = s->dec && tool->dec != NULL;
    const char *template =
        s->shape == PIPE ? (dec ? tool->dec_pipe : tool->enc_pipe) : (dec ? tool->dec : tool->enc);
    struct paths paths = {c->fcrypt, c->dir, s->dec ? k->sealed : c->plain, "/dev/null"};

    if (s->shape == ONE_BYTE)
        paths.in = c->one_byte;
    if (s->shape == TO_FILE)
        paths.out = c->out;
    return template != NULL && command_expand(&k->command, template, &paths);
}

/* Removing the last output and the like stay outside the time. */
static bool run_once(struct contest *c, struct contestant *k, const struct scenario *s,
                     struct process_usage *usage)
{
    char *in = s->shape == ONE_BYTE ? c->one_byte : s->dec ? k->sealed : c->plain;

    if (s->shape == PIPE)
        return run_piped(&k->command, in, "/dev/null", usage);
    if (s->shape == TO_FILE)
        unlink(c->out);
    return run_alone(&k->command, in, s->shape == TO_FILE ? c->out : "/dev/null", false, usage);
}

/* The run that does not count, which says whether the tool is fit for many. */
static void warm_up(struct contest *c, struct contestant *k, const struct scenario *s, size_t runs)
{
    struct process_usage usage;

    k->rss_kib = 0;
    k->taking_part = !k->failed && expand(c, k, s);
    if (!k->taking_part)
        return;
    if (!run_once(c, k, s, &usage)) {
        k->taking_part = false;
        fail(c, k, k->command.argv[0]);
        return;
    }
    k->stride = usage.wall_s > SLOW_S && runs >= 50 ? 10 : 1;
}

static void run_round(struct contest *c, struct contestant *k, const struct scenario *s,
                      size_t round)
{
    struct process_usage usage = {0};

    k->wall_s[round] = -1;
    if (!k->taking_part || round % k->stride != 0 || contest_interrupted)
        return;
    if (!run_once(c, k, s, &usage)) {
        k->taking_part = false;
        fail(c, k, k->command.argv[0]);
        return;
    }
    k->wall_s[round] = usage.wall_s;
    k->cpu_s[round] = usage.cpu_s;
    if (usage.rss_kib > k->rss_kib)
        k->rss_kib = usage.rss_kib;
}

/* The median of the ratios to cat's run in the same round; 0: cat did not take part. */
static double ratio_to_cat(const struct contest *c, const struct contestant *k, size_t runs,
                           double *scratch)
{
    const struct contestant *cat = &c->contestants[0];
    size_t n = 0;

    if (!cat->taking_part || strcmp(cat->tool->name, "cat") != 0)
        return 0;
    for (size_t i = 0; i < runs; i++)
        if (k->wall_s[i] > 0 && cat->wall_s[i] > 0)
            scratch[n++] = k->wall_s[i] / cat->wall_s[i];
    return n > 0 ? bench_stats(scratch, n).median : 0;
}

/* Moves the values of the rounds that it ran in to scratch; returns their number. */
static size_t gather(const struct contestant *k, const double *values, size_t runs, double *scratch)
{
    size_t n = 0;

    for (size_t i = 0; i < runs; i++)
        if (k->wall_s[i] > 0)
            scratch[n++] = values[i];
    return n;
}

static void put_row(struct contest *c, const struct contestant *k, const struct scenario *s,
                    size_t runs, double *scratch)
{
    double ratio = ratio_to_cat(c, k, runs, scratch);
    size_t n = gather(k, k->wall_s, runs, scratch);
    struct bench_row row = {0};
    struct bench_stats wall;

    if (n == 0)
        return;
    wall = bench_stats(scratch, n);
    gather(k, k->cpu_s, runs, scratch);
    bench_cell(&row, "%s", s->name);
    bench_cell(&row, "%s", k->tool->name);
    bench_cell(&row, "%.2f", wall.median * 1e3);
    bench_cell(&row, "%.2f", wall.q1 * 1e3);
    bench_cell(&row, "%.2f", wall.q3 * 1e3);
    bench_cell(&row, "%.2f", wall.min * 1e3);
    if (s->shape == ONE_BYTE)
        bench_cell(&row, "%s", "");
    else
        bench_cell(&row, "%.3f", (double)c->size / wall.median * 1e-9);
    if (ratio > 0)
        bench_cell(&row, "%.2f", ratio);
    else
        bench_cell(&row, "%s", "");
    bench_cell(&row, "%.2f", bench_stats(scratch, n).median * 1e3);
    bench_cell(&row, "%.1f", (double)k->rss_kib / 1024);
    bench_cell(&row, "%zu", n);
    bench_table_row(&c->table, &row);
}

static void run_scenario(struct contest *c, const struct scenario *s, double *scratch)
{
    size_t runs = s->shape == ONE_BYTE ? c->startup_runs : c->runs;

    for (size_t i = 0; i < c->n && !contest_interrupted; i++)
        warm_up(c, &c->contestants[i], s, runs);
    for (size_t round = 0; round < runs; round++)
        for (size_t i = 0; i < c->n; i++)
            run_round(c, &c->contestants[i], s, round);
    bench_table_gap(&c->table);
    for (size_t i = 0; i < c->n; i++)
        if (c->contestants[i].taking_part)
            put_row(c, &c->contestants[i], s, runs, scratch);
    unlink(c->out);
}

void contest_run(struct contest *c)
{
    double *scratch = calloc(CONTEST_MAX_RUNS, sizeof(*scratch));

    for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]) && scratch != NULL; i++)
        if (!contest_interrupted &&
            (c->filter == NULL || strstr(scenarios[i].name, c->filter) != NULL))
            run_scenario(c, &scenarios[i], scratch);
    if (scratch == NULL)
        c->failures++;
    free(scratch);
}

void contest_close(struct contest *c)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct tool *tool = c->contestants[i].tool;

        if (tool->tear_down != NULL && c->dir != NULL)
            run_template(c, tool->tear_down, "/dev/null", "/dev/null", true);
        free(c->contestants[i].wall_s);
        free(c->contestants[i].cpu_s);
    }
    if (c->dir != NULL)
        workdir_remove(c->dir);
    bench_table_end(&c->table);
    machine_note_load(&c->table, "load at the end");
    if (bench_table_close(&c->table) != 0)
        c->failures++;
}
