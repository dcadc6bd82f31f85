/*
 * kernels: cycles per byte of every kernel, beside other libraries and the machine's limit.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "peers.h"
#include "suite.h"

static const char usage[] =
    "Usage: kernels [--filter TEXT] [--tier TIER] [--rounds N] [--all | --cold] [--quick]\n"
    "               [--csv | --json]\n"
    "Times fcrypt's kernels in turn with other libraries and with the machine's limit.\n"
    "\n"
    "  --filter TEXT  only groups whose \"operation size\" contains TEXT\n"
    "  --tier TIER    of fcrypt's kernels, only those of this tier\n"
    "  --rounds N     laps of each contestant (101)\n"
    "  --all          short and odd lengths, AES-CTR at other offsets, too\n"
    "  --cold         data from memory instead, more of it than any cache holds; no peers\n"
    "  --quick        a few short laps: shows that everything works\n"
    "  --csv, --json  other forms of the table\n";

enum {
    OPT_FILTER = 256,
    OPT_TIER,
    OPT_ROUNDS,
    OPT_ALL,
    OPT_COLD,
    OPT_QUICK,
    OPT_CSV,
    OPT_JSON,
    OPT_HELP
};

static const struct option options[] = {
    {"filter", required_argument, NULL, OPT_FILTER},
    {"tier", required_argument, NULL, OPT_TIER},
    {"rounds", required_argument, NULL, OPT_ROUNDS},
    {"all", no_argument, NULL, OPT_ALL},
    {"cold", no_argument, NULL, OPT_COLD},
    {"quick", no_argument, NULL, OPT_QUICK},
    {"csv", no_argument, NULL, OPT_CSV},
    {"json", no_argument, NULL, OPT_JSON},
    {"help", no_argument, NULL, OPT_HELP},
    {NULL, 0, NULL, 0},
};

static bool parse_tier(struct fc_bench_config *config, const char *name)
{
    config->one_tier = true;
    if (fc_tier_find(&config->tier, name))
        return true;
    fprintf(stderr, "kernels: unknown tier '%s'\n", name);
    return false;
}

static bool parse_rounds(struct fc_bench_config *config, const char *text)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);

    config->rounds = n;
    if (*end == '\0' && n >= 1 && n <= FC_BENCH_MAX_ROUNDS)
        return true;
    fprintf(stderr, "kernels: --rounds takes a number from 1 to %d\n", FC_BENCH_MAX_ROUNDS);
    return false;
}

static void be_quick(struct suite *suite)
{
    suite->config.rounds = 3;
    suite->lap_ns = 10e3;
}

/* False: a usage error. */
static bool parse(struct suite *suite, int argc, char **argv)
{
    struct fc_bench_config *config = &suite->config;
    int c;

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (c == OPT_FILTER)
            config->filter = optarg;
        else if (c == OPT_TIER && !parse_tier(config, optarg))
            return false;
        else if (c == OPT_ROUNDS && !parse_rounds(config, optarg))
            return false;
        else if (c == OPT_ALL)
            config->depth = FC_BENCH_ALL;
        else if (c == OPT_COLD)
            suite->rows = rows_cold;
        else if (c == OPT_QUICK)
            be_quick(suite);
        else if (c == OPT_CSV)
            config->format = FC_BENCH_CSV;
        else if (c == OPT_JSON)
            config->format = FC_BENCH_JSON;
        else if (c == OPT_HELP) {
            fputs(usage, stdout);
            exit(0);
        } else if (c == '?')
            return false;
    }
    return optind == argc;
}

int main(int argc, char **argv)
{
    static struct suite suite = {.lap_ns = SUITE_LAP_NS, .wide = true};
    static struct peer peers[PEER_MAX];

    suite.config = (struct fc_bench_config){.depth = FC_BENCH_USUAL, .rounds = 101, .out = stdout};
    if (!parse(&suite, argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    suite.peers = peers;
    suite.npeers = peers_open(peers);
    if (suite_run(&suite) != FC_OK)
        fprintf(stderr, "kernels: %s\n", suite.err.what);
    peers_close(peers, suite.npeers);
    return suite.err.status != FC_OK || suite.failures > 0 ? 1 : 0;
}
