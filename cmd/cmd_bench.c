/* fcrypt bench: the kernels' own speed. */
#include <stdlib.h>
#include <string.h>

#include "fcrypt_bench.h"
#include "msg.h"
#include "opt.h"
#include "text.h"

enum { DEFAULT_ROUNDS = 301 };

struct bench_options {
    const char *filter;
    const char *tier;
    uint64_t rounds;
    bool all;
    bool list;
    int format;
};

#define FIELD(name) offsetof(struct bench_options, name)
static const struct opt opt_bench[] = {
    {0, "filter", "TEXT", "only what has TEXT in its operation and size", OPT_STRING, FIELD(filter),
     0, 0},
    {0, "tier", "TIER", "only kernels of this tier", OPT_STRING, FIELD(tier), 0, 0},
    {0, "rounds", "N", "measurements of each kernel (default 301)", OPT_NUMBER, FIELD(rounds), 1,
     FC_BENCH_MAX_ROUNDS},
    {0, "all", NULL, "more lengths and offsets, and parts of AES-GCM-SIV", OPT_FLAG, FIELD(all), 0,
     0},
    {0, "list", NULL, "measure nothing, list operations and sizes", OPT_FLAG, FIELD(list), 0, 0},
    {0},
};

static const struct opt opt_output[] = {
    {0, "csv", NULL, "comma-separated values", OPT_VALUE, FIELD(format), FC_BENCH_CSV, 0},
    {0, "json", NULL, "a JSON object", OPT_VALUE, FIELD(format), FC_BENCH_JSON, 0},
    {0},
};
#undef FIELD

/* What fc_bench_list tells of. */
struct listing {
    FILE *f; /* NULL: only counts */
    bool operations;
    char last[64];
    size_t n;
};

/* Each group on a line, or each operation once. */
static void list_one(void *user, const char *op, const char *size)
{
    struct listing *l = user;

    if (l->f != NULL && !l->operations)
        fprintf(l->f, "%s %s\n", op, size);
    else if (l->f != NULL && strcmp(l->last, op) != 0)
        fprintf(l->f, "%s%s", l->n > 0 ? ", " : "", op);
    snprintf(l->last, sizeof(l->last), "%s", op);
    l->n++;
}

static enum fc_status list(struct listing *l, const struct fc_bench_config *config)
{
    struct fc_err err;

    if (fc_bench_list(config, list_one, l, &err) != FC_OK)
        return msg_error(NULL, &err);
    return FC_OK;
}

static enum fc_status print_list(const struct fc_bench_config *config)
{
    struct listing listing = {0};
    enum fc_status status, printed;
    struct text text;

    if (!text_open(&text))
        return FC_ERR_LIMIT;
    listing.f = text.f;
    status = list(&listing, config);
    printed = text_print(&text);
    return status != FC_OK ? status : printed;
}

/* Nothing is left to measure: what there is without the filter. */
static enum fc_status refuse(const struct bench_options *o, struct fc_bench_config config)
{
    struct listing listing = {.operations = true};
    enum fc_status status;
    struct text text;

    if (!text_open(&text))
        return FC_ERR_LIMIT;
    listing.f = text.f;
    config.filter = NULL;
    status = list(&listing, &config);
    if (text_close(&text) != FC_OK)
        return FC_ERR_LIMIT;
    if (status == FC_OK && listing.n > 0) {
        status =
            msg_fail(FC_ERR_USAGE, NULL, "no operation and size%s%s has '%s' in it",
                     o->tier != NULL ? " of tier " : "", o->tier != NULL ? o->tier : "", o->filter);
        msg_hint("there are %s; --list shows their sizes%s", text.buf,
                 o->all ? "" : ", with --all there are more");
    } else if (status == FC_OK) {
        status = msg_fail(FC_ERR_USAGE, NULL, "no kernel of tier %s can be used here", o->tier);
        msg_hint("fcrypt --version -v shows the tiers of this machine");
    }
    free(text.buf);
    return status;
}

static enum fc_status measure(const struct fc_bench_config *config)
{
    enum fc_status status;
    struct fc_err err;

    status = fc_bench_run(config, &err);
    return status == FC_ERR_IO ? msg_fail_stdout(err.sys)
           : status != FC_OK   ? msg_error(NULL, &err)
                               : FC_OK;
}

enum fc_status cmd_bench(const struct command *self, int argc, char **argv)
{
    struct bench_options o = {.rounds = DEFAULT_ROUNDS, .format = FC_BENCH_TEXT};
    struct general_options general = {0};
    const struct opt_group groups[] = {
        {"Measurements", opt_bench, &o},
        {"Output", opt_output, &o},
        {"General", opt_general, &general},
        {0},
    };
    struct fc_bench_config config = {.out = stdout};
    struct listing wanted = {0};
    enum fc_status status;

    if (!opt_parse(self, groups, &argc, &argv, &status))
        return status;
    msg_init(general.quiet, general.verbose);
    if (argc > 0)
        return msg_usage(self, "takes no FILE");
    config.depth = o.all ? FC_BENCH_ALL : FC_BENCH_BRIEF;
    config.filter = o.filter;
    config.one_tier = o.tier != NULL;
    config.rounds = (size_t)o.rounds;
    config.format = (enum fc_bench_format)o.format;
    if (o.tier != NULL && !fc_tier_find(&config.tier, o.tier))
        return msg_usage(self, "--tier: '%s' is none of generic, sse41, aesni, bmi2, avx2, avx512",
                         o.tier);
    status = list(&wanted, &config);
    if (status != FC_OK)
        return status;
    if (wanted.n == 0)
        return refuse(&o, config);
    return o.list ? print_list(&config) : measure(&config);
}
