/*
 * Memory between inaccessible pages, patterns, the choice of lengths.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bytes.h"
#include "checkasm.h"

enum { PATTERN = 0xa5 };

/* In units of a kernel: around every width that a kernel may be unrolled to. */
const uint16_t check_lengths[CHECK_LENGTHS] = {
    1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17,  18,  20,  23,
    24, 25, 28, 31, 32, 33, 36, 40, 47, 48, 49, 56, 63, 64, 65, 96, 127, 128, 129, 256,
};

bool length_wanted(size_t n)
{
    return !check_options.quick || n <= 70 || n % 61 == 0;
}

struct guard guard_new(size_t len)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t room = fc_round_up(len, page);
    struct guard g;
    uint8_t *p = mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED || mprotect(p + page, room, PROT_READ | PROT_WRITE) != 0) {
        perror("checkasm: no memory");
        exit(2);
    }
    g.lo = p + page;
    g.hi = g.lo + room;
    return g;
}

uint8_t *guard_place(const struct guard *g, enum flush flush, size_t len, size_t offset)
{
    switch (flush) {
    case FLUSH_END:
        return g->hi - len;
    case FLUSH_START:
        return g->lo;
    default:
        return g->lo + 64 + offset;
    }
}

void guard_fill(const struct guard *g)
{
    memset(g->lo, PATTERN, (size_t)(g->hi - g->lo));
}

static bool all_pattern(const uint8_t *from, const uint8_t *to)
{
    return from >= to || (*from == PATTERN && memcmp(from, from + 1, (size_t)(to - from) - 1) == 0);
}

bool guard_intact(const struct guard *g, const uint8_t *p, size_t len)
{
    return all_pattern(g->lo, p) && all_pattern(p + len, g->hi);
}

void *guard_copy(const struct guard *g, const void *src, size_t len)
{
    return memcpy(guard_place(g, FLUSH_END, len, 0), src, len);
}

void guard_judge(const struct guard *g, struct check *c, const char *where, const uint8_t *got,
                 const uint8_t *want, size_t len)
{
    size_t i = first_difference(got, want, len);

    if (i < len)
        check_fail(c, "%s: dst[%zu] is wrong", where, i);
    if (!guard_intact(g, got, len))
        check_fail(c, "%s: writes outside dst", where);
}

/* splitmix64: enough to make every byte matter. */
void fill_random(void *dst, size_t len, uint64_t seed)
{
    uint8_t *p = dst;

    for (size_t i = 0; i < len; i++) {
        uint64_t z = (seed += 0x9e3779b97f4a7c15);

        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        p[i] = (uint8_t)(z >> 32);
    }
}

size_t first_difference(const void *a, const void *b, size_t len)
{
    const uint8_t *x = a, *y = b;
    size_t i = 0;

    if (memcmp(a, b, len) == 0)
        return len;
    while (x[i] == y[i])
        i++;
    return i;
}
