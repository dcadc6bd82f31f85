#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "msg.h"

#define INTERVAL 0.1 /* seconds between two looks of the line */

static double seconds(const struct timespec *from, const struct timespec *to)
{
    return (double)(to->tv_sec - from->tv_sec) + (double)(to->tv_nsec - from->tv_nsec) / 1e9;
}

void progress_init(struct progress *p, bool always, bool never)
{
    *p = (struct progress){.delay = always ? 0 : 1};
    p->on = !never && (always || (!msg_is_quiet() && isatty(STDERR_FILENO)));
}

void progress_start(struct progress *p, const char *name, uint64_t total)
{
    const char *slash = strrchr(name, '/');

    p->total = total;
    if (!p->on)
        return;
    msg_escape(p->name, sizeof(p->name), slash == NULL ? name : slash + 1);
    clock_gettime(CLOCK_MONOTONIC, &p->start);
    p->shown = (struct timespec){0};
    progress_show(p, 0);
}

/* "512 B", "1.5 GiB". */
static void format_amount(char *dst, size_t cap, double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t i = 0;

    for (; bytes >= 1024 && i + 1 < sizeof(units) / sizeof(units[0]); i++)
        bytes /= 1024;
    snprintf(dst, cap, "%.*f %s", i == 0 ? 0 : 1, bytes, units[i]);
}

void progress_show(struct progress *p, uint64_t done)
{
    char line[160], amount[24], rate[24], part[24] = "";
    struct timespec now;
    double elapsed;

    if (!p->on)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    elapsed = seconds(&p->start, &now);
    if (elapsed < p->delay || seconds(&p->shown, &now) < INTERVAL)
        return;
    p->shown = now;
    format_amount(amount, sizeof(amount), (double)done);
    format_amount(rate, sizeof(rate), elapsed > 0 ? (double)done / elapsed : 0);
    if (p->total >= done && p->total > 0)
        snprintf(part, sizeof(part), ", %.0f %%", 100.0 * (double)done / (double)p->total);
    snprintf(line, sizeof(line), "%s: %s%s, %s/s", p->name, amount, part, rate);
    msg_transient(line);
}

void progress_end(const struct progress *p)
{
    if (p->on)
        msg_transient(NULL);
}
