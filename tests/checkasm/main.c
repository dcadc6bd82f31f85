/*
 * checkasm [--quick] [--list] [--only=TIER]... [--require=TIER]...
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "checkasm.h"

static void usage(void)
{
    fputs("usage: checkasm [--quick] [--list] [--only=TIER]... [--require=TIER]...\n"
          "  --quick         fewer lengths and offsets\n"
          "  --list          name the checks, and which this machine lacks; run none\n"
          "  --only=TIER     leave out the other tiers\n"
          "  --require=TIER  fail where this machine lacks the tier, instead of skipping it\n",
          stderr);
}

static bool add_tier(bool set[FC_NTIERS], const char *name)
{
    enum fc_tier tier;

    if (!fc_tier_find(&tier, name)) {
        fprintf(stderr, "checkasm: unknown tier '%s'\n", name);
        return false;
    }
    set[tier] = true;
    return true;
}

static bool parse_options(int argc, char **argv)
{
    static const struct option options[] = {
        {"quick", no_argument, NULL, 'q'},
        {"list", no_argument, NULL, 'l'},
        {"only", required_argument, NULL, 'o'},
        {"require", required_argument, NULL, 'r'},
        {NULL, 0, NULL, 0},
    };
    bool only[FC_NTIERS] = {false}, some = false;
    int c;

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (c == 'q')
            check_options.quick = true;
        else if (c == 'l')
            check_options.list = true;
        else if (c == 'o' && add_tier(only, optarg))
            some = true;
        else if (c != 'r' || !add_tier(check_options.required, optarg))
            return false;
    }
    for (enum fc_tier t = 0; t < FC_NTIERS; t++)
        check_options.left_out[t] = some && !only[t];
    return optind == argc;
}

int main(int argc, char **argv)
{
    if (!parse_options(argc, argv)) {
        usage();
        return 2;
    }
    if (!check_options.list)
        checkasm_self();
    checkasm_gcmsiv_setup();
    checkasm_gcmsiv_bulk();
    checkasm_gcmsiv_api();
    checkasm_ctr_blocks();
    checkasm_ctr_api();
    checkasm_xts_setup();
    checkasm_xts_sectors();
    checkasm_xts_api();
    checkasm_blake2b();
    checkasm_blake2b_lanes();
    if (check_options.list)
        return 0;
    check_required();
    return check_summary() ? 0 : 1;
}
