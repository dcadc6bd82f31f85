/*
 * The report: one line per check.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "checkasm.h"

struct check_options check_options;

static unsigned nchecks, nskipped, nfailed;
static bool seen[FC_NTIERS]; /* by check_start */

static void print_line(const char *verdict, const struct check *c)
{
    printf("%-4s  %s %s", verdict, c->op, fc_tier_name(c->tier));
    if (check_failed(c))
        printf(": %s", c->fault);
    putchar('\n');
    fflush(stdout);
}

bool check_start(struct check *c, const char *op, enum fc_tier tier, uint32_t needs)
{
    bool usable = fc_kern_usable(tier, needs);

    memset(c, 0, sizeof(*c));
    c->op = op;
    c->tier = tier;
    c->strict = tier != FC_TIER_GENERIC;
    seen[tier] = true;

    if (check_options.left_out[tier])
        return false;
    if (check_options.list) {
        printf("%s %s%s\n", op, fc_tier_name(tier), usable ? "" : " (absent)");
        return false;
    }
    if (usable)
        return true;

    if (check_options.required[tier]) {
        check_fail(c, "required, but this machine lacks it");
        check_end(c);
    } else {
        nskipped++;
        print_line("SKIP", c);
    }
    return false;
}

void check_fail(struct check *c, const char *fmt, ...)
{
    va_list ap;

    if (check_failed(c))
        return;
    va_start(ap, fmt);
    vsnprintf(c->fault, sizeof(c->fault), fmt, ap);
    va_end(ap);
}

void check_end(const struct check *c)
{
    nchecks++;
    nfailed += check_failed(c);
    print_line(check_failed(c) ? "FAIL" : "OK", c);
}

void check_note(bool ok, const char *name, const char *fault)
{
    nchecks++;
    nfailed += !ok;
    if (ok)
        printf("OK    %s\n", name);
    else
        printf("FAIL  %s: %s\n", name, fault);
    fflush(stdout);
}

void check_required(void)
{
    for (enum fc_tier t = 0; t < FC_NTIERS; t++)
        if (check_options.required[t] && !seen[t])
            check_note(false, fc_tier_name(t), "required, but no operation has it in this build");
}

bool check_summary(void)
{
    printf("%u checks, %u failed, %u skipped\n", nchecks, nfailed, nskipped);
    return nfailed == 0;
}
