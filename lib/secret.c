#include "secret.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "bytes.h"

enum { HEAD = 64 }; /* in front of the caller's bytes: the mapping's length */

void fc_wipe(void *p, size_t len)
{
    memset(p, 0, len);
    __asm__ volatile("" : : "r"(p) : "memory");
}

void *fc_secret_alloc(size_t len)
{
    size_t total = fc_round_up(len + HEAD, (size_t)sysconf(_SC_PAGESIZE));
    uint8_t *p;

    if (total < len)
        return NULL;
    p = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    (void)mlock(p, total); /* best effort: RLIMIT_MEMLOCK may be small */
    (void)madvise(p, total, MADV_DONTDUMP);
    memcpy(p, &total, sizeof(total));
    return p + HEAD;
}

void fc_secret_free(void *p)
{
    uint8_t *base;
    size_t total;

    if (p == NULL)
        return;
    base = (uint8_t *)p - HEAD;
    memcpy(&total, base, sizeof(total));
    fc_wipe(base, total);
    munmap(base, total);
}

void *fc_pages_alloc(size_t len)
{
    void *p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED)
        return NULL;
    (void)madvise(p, len, MADV_DONTDUMP);
    return p;
}

void fc_pages_free(void *p, size_t len)
{
    munmap(p, len);
}

bool fc_ct_equal(const void *a, const void *b, size_t len)
{
    const uint8_t *x = a, *y = b;
    unsigned diff = 0;

    for (size_t i = 0; i < len; i++)
        diff |= x[i] ^ y[i];
    __asm__ volatile("" : "+r"(diff));
    return diff == 0;
}

enum fc_status fc_random(void *dst, size_t len, struct fc_err *err)
{
    uint8_t *p = dst;

    while (len > 0) {
        ssize_t n = getrandom(p, len, 0);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return fc_err_sys(err, n < 0 ? errno : EIO, "cannot get random bytes");
        p += n;
        len -= (size_t)n;
    }
    return FC_OK;
}
