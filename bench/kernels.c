/*
 * kernels: cycles per byte of every kernel, beside other libraries and the machine's limit.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "suite.h"

static const char usage[] =
    "Usage: kernels [--filter TEXT] [--tier TIER] [--rounds N] [--all] [--quick] [--csv | --json]\n"
    "Times fcrypt's kernels in turn with other libraries and with the machine's limit.\n"
    "\n"
    "  --filter TEXT  only groups whose \"operation size\" contains TEXT\n"
    "  --tier TIER    of fcrypt's kernels, only those of this tier\n"
    "  --rounds N     laps of each contestant (101)\n"
    "  --all          AES-CTR at all offsets, too\n"
    "  --quick        a few short laps: shows that everything works\n"
    "  --csv, --json  other forms of the table\n";

enum { OPT_FILTER = 256, OPT_TIER, OPT_ROUNDS, OPT_ALL, OPT_QUICK, OPT_CSV, OPT_JSON, OPT_HELP };

static const struct option options[] = {
    {"filter", required_argument, NULL, OPT_FILTER},
    {"tier", required_argument, NULL, OPT_TIER},
    {"rounds", required_argument, NULL, OPT_ROUNDS},
    {"all", no_argument, NULL, OPT_ALL},
    {"quick", no_argument, NULL, OPT_QUICK},
    {"csv", no_argument, NULL, OPT_CSV},
    {"json", no_argument, NULL, OPT_JSON},
    {"help", no_argument, NULL, OPT_HELP},
    {NULL, 0, NULL, 0},
};

static bool parse_tier(struct suite *suite, const char *name)
{
    suite->any_tier = false;
    for (int tier = 0; tier < FC_NTIERS; tier++) {
        suite->tier = (enum fc_tier)tier;
        if (strcmp(name, fc_tier_name(suite->tier)) == 0)
            return true;
    }
    fprintf(stderr, "kernels: unknown tier '%s'\n", name);
    return false;
}

static bool parse_rounds(struct bench_plan *plan, const char *text)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);

    plan->rounds = n;
    if (*end == '\0' && n >= 1 && n <= 1000000)
        return true;
    fprintf(stderr, "kernels: --rounds takes a number from 1 to 1000000\n");
    return false;
}

/* False: a usage error. */
static bool parse(struct suite *suite, enum bench_format *format, int argc, char **argv)
{
    int c;

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (c == OPT_FILTER)
            suite->filter = optarg;
        else if (c == OPT_TIER && !parse_tier(suite, optarg))
            return false;
        else if (c == OPT_ROUNDS && !parse_rounds(&suite->plan, optarg))
            return false;
        else if (c == OPT_ALL)
            suite->all = true;
        else if (c == OPT_QUICK)
            suite->plan = (struct bench_plan){.rounds = 3, .lap_ns = 10e3};
        else if (c == OPT_CSV)
            *format = BENCH_CSV;
        else if (c == OPT_JSON)
            *format = BENCH_JSON;
        else if (c == OPT_HELP) {
            fputs(usage, stdout);
            exit(0);
        } else if (c == '?')
            return false;
    }
    return optind == argc;
}

static void put_peers(struct bench_table *table, const struct peer *peers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bench_table_note(table, peers[i].name, "%s", peers[i].version);
}

int main(int argc, char **argv)
{
    static struct suite suite = {.plan = {.rounds = 101, .lap_ns = 100e3}, .any_tier = true};
    static struct peer peers[PEER_MAX];
    enum bench_format format = BENCH_TEXT;

    if (!parse(&suite, &format, argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    suite.peers = peers;
    suite.npeers = peers_open(peers);
    suite_open(&suite, stdout, format);
    machine_notes(&suite.table);
    put_peers(&suite.table, peers, suite.npeers);
    rows_gcmsiv(&suite);
    rows_ctr(&suite);
    rows_xts(&suite);
    rows_blake2b(&suite);
    suite_close(&suite);
    peers_close(peers, suite.npeers);
    return suite.failures > 0 ? 1 : 0;
}
