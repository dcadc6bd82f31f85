/*
 * A call that makes dst[len] of src[len], with its buffers at many places.
 */
#include <stdio.h>
#include <string.h>

#include "checkasm.h"

static struct guard guard_dst, guard_src;

static void make_guards(void)
{
    if (guard_dst.lo != NULL)
        return;
    guard_dst = guard_new(CHECK_MAX_LEN + 3 * 64);
    guard_src = guard_new(CHECK_MAX_LEN + 3 * 64);
}

/* dst may be src. */
static void try(const struct transform *t, uint8_t *dst, uint8_t *src)
{
    char where[128];

    if (check_failed(t->check))
        return;
    snprintf(where, sizeof(where), "%s, src %% 64 = %u, dst %% 64 = %u%s", t->what,
             (unsigned)((uintptr_t)src % 64), (unsigned)((uintptr_t)dst % 64),
             src == dst ? ", in place" : "");
    guard_fill(&guard_dst);
    memcpy(src, t->src, t->len);
    if (!t->call(t, dst, src, where))
        return;
    guard_judge(&guard_dst, t->check, where, dst, t->want, t->len);
    if (src != dst && memcmp(src, t->src, t->len) != 0)
        check_fail(t->check, "%s: changes src", where);
}

static void try_both(const struct transform *t, enum flush flush, size_t dst_offset,
                     size_t src_offset)
{
    uint8_t *dst, *src;

    make_guards();
    dst = guard_place(&guard_dst, flush, t->len, dst_offset);
    src = guard_place(&guard_src, flush, t->len, src_offset);
    try(t, dst, src);
    try(t, dst, dst);
}

void transform_at(const struct transform *t, enum flush flush)
{
    try_both(t, flush, (t->turn * 7 + 3) % 64, (t->turn * 13 + 1) % 64);
}

void transform_places(const struct transform *t)
{
    for (enum flush flush = 0; flush < NFLUSH; flush++)
        transform_at(t, flush);
}

/* An odd factor: either goes through all of them. */
void transform_offsets(const struct transform *t)
{
    for (size_t at = 0; at < CHECK_OFFSETS; at++)
        try_both(t, FLUSH_NONE, at, (at * 37 + t->turn) % 64);
}
