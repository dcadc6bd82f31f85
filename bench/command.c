/*
 * command: what the whole fcrypt command takes, in turn with other tools.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contest.h"

#ifndef FC_BENCH_FCRYPT
#define FC_BENCH_FCRYPT "fcrypt"
#endif

static const char usage[] =
    "Usage: command [--size SIZE] [--runs N] [--startup-runs N] [--fcrypt PATH] [--only NAMES]\n"
    "               [--filter TEXT] [--dir DIR] [--csv | --json]\n"
    "Measures the fcrypt command in turn with other tools, on a file in memory.\n"
    "\n"
    "  --size SIZE       of the file, with K, M or G (1G)\n"
    "  --runs N          of each tool, after one that does not count (7)\n"
    "  --startup-runs N  the same for an input of one byte (200)\n"
    "  --fcrypt PATH     the program (" FC_BENCH_FCRYPT ")\n"
    "  --only NAMES      only these tools, divided by commas\n"
    "  --filter TEXT     only scenarios whose name contains TEXT\n"
    "  --dir DIR         where the files are put ($TMPDIR, else /dev/shm)\n"
    "  --csv, --json     other forms of the table\n";

enum {
    OPT_SIZE = 256,
    OPT_RUNS,
    OPT_STARTUP_RUNS,
    OPT_FCRYPT,
    OPT_ONLY,
    OPT_FILTER,
    OPT_DIR,
    OPT_CSV,
    OPT_JSON,
    OPT_HELP,
};

static const struct option options[] = {
    {"size", required_argument, NULL, OPT_SIZE},
    {"runs", required_argument, NULL, OPT_RUNS},
    {"startup-runs", required_argument, NULL, OPT_STARTUP_RUNS},
    {"fcrypt", required_argument, NULL, OPT_FCRYPT},
    {"only", required_argument, NULL, OPT_ONLY},
    {"filter", required_argument, NULL, OPT_FILTER},
    {"dir", required_argument, NULL, OPT_DIR},
    {"csv", no_argument, NULL, OPT_CSV},
    {"json", no_argument, NULL, OPT_JSON},
    {"help", no_argument, NULL, OPT_HELP},
    {NULL, 0, NULL, 0},
};

static void on_signal(int sig)
{
    contest_interrupted = sig;
}

/* A number from 1 to most, with K, M or G where units are allowed. */
static bool parse_number(uint64_t *n, const char *text, uint64_t most, bool units)
{
    static const char names[] = "KMG";
    char *end;
    const char *unit;

    errno = 0;
    *n = strtoull(text, &end, 10);
    unit = units && *end != '\0' ? strchr(names, *end) : NULL;
    if (unit != NULL) {
        unsigned shift = 10 * (unsigned)(unit - names + 1);

        most >>= shift;
        if (*n <= most)
            *n <<= shift;
        most <<= shift;
        end++;
    }
    if (errno == 0 && *end == '\0' && *text != '-' && *n >= 1 && *n <= most)
        return true;
    fprintf(stderr, "command: '%s' is no number from 1 to %llu\n", text, (unsigned long long)most);
    return false;
}

static bool parse_count(size_t *runs, const char *text)
{
    uint64_t n;

    if (!parse_number(&n, text, CONTEST_MAX_RUNS, false))
        return false;
    *runs = (size_t)n;
    return true;
}

static bool parse_option(struct contest *c, int option)
{
    switch (option) {
    case OPT_SIZE:
        return parse_number(&c->size, optarg, (uint64_t)1 << 40, true);
    case OPT_RUNS:
        return parse_count(&c->runs, optarg);
    case OPT_STARTUP_RUNS:
        return parse_count(&c->startup_runs, optarg);
    case OPT_FCRYPT:
        c->fcrypt = optarg;
        return true;
    case OPT_ONLY:
        c->only = optarg;
        return true;
    case OPT_FILTER:
        c->filter = optarg;
        return true;
    case OPT_DIR:
        c->under = optarg;
        return true;
    case OPT_CSV:
        c->format = FC_BENCH_CSV;
        return true;
    case OPT_JSON:
        c->format = FC_BENCH_JSON;
        return true;
    case OPT_HELP:
        fputs(usage, stdout);
        exit(0);
    default:
        return false;
    }
}

/* False: a usage error. */
static bool parse(struct contest *c, int argc, char **argv)
{
    int option;

    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
        if (!parse_option(c, option))
            return false;
    return optind == argc;
}

/* The files are large and in memory: they must not stay behind. */
static void catch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal};

    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        sigaction(signals[i], &action, NULL);
}

int main(int argc, char **argv)
{
    static struct contest contest = {
        .size = (uint64_t)1 << 30, .runs = 7, .startup_runs = 200, .fcrypt = FC_BENCH_FCRYPT};
    bool ok;

    contest.under = getenv("TMPDIR");
    if (contest.under == NULL)
        contest.under = "/dev/shm";
    if (!parse(&contest, argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    catch_signals();
    ok = contest_open(&contest);
    if (ok)
        contest_run(&contest);
    contest_close(&contest);
    if (contest_interrupted) {
        signal(contest_interrupted, SIG_DFL);
        raise(contest_interrupted);
    }
    return ok && contest.failures == 0 ? 0 : 1;
}
