#include "workdir.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { BUFFER = 1 << 16 };

/* Fast and not compressible; nothing depends on its being secret. xorshift64* (Vigna 2016). */
static uint64_t next_random(uint64_t *x)
{
    *x ^= *x >> 12;
    *x ^= *x << 25;
    *x ^= *x >> 27;
    return *x * 0x2545f4914f6cdd1d;
}

bool workdir_random_file(const char *path, uint64_t size)
{
    static uint64_t buffer[BUFFER / 8];
    uint64_t x = 88172645463325252;
    FILE *f = fopen(path, "we");
    bool ok = f != NULL;

    for (uint64_t done = 0, n; ok && done < size; done += n) {
        n = size - done < BUFFER ? size - done : BUFFER;
        for (size_t i = 0; i < BUFFER / 8; i++)
            buffer[i] = next_random(&x);
        ok = fwrite(buffer, 1, n, f) == n;
    }
    return f != NULL && fclose(f) == 0 && ok;
}

bool workdir_begins_with(const char *path, const char *begin)
{
    static char a[BUFFER], b[BUFFER];
    FILE *f = fopen(path, "re"), *g = fopen(begin, "re");
    bool ok = f != NULL && g != NULL;
    size_t n;

    while (ok && (n = fread(b, 1, BUFFER, g)) > 0)
        ok = fread(a, 1, n, f) == n && memcmp(a, b, n) == 0;
    if (g != NULL && ferror(g))
        ok = false;
    if (f != NULL)
        fclose(f);
    if (g != NULL)
        fclose(g);
    return ok;
}

static bool write_file(const char *dir, const char *name, const void *p, size_t len)
{
    char path[4096];
    FILE *f;
    bool ok;

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    f = fopen(path, "we");
    ok = f != NULL && fwrite(p, 1, len, f) == len;
    return f != NULL && fclose(f) == 0 && ok;
}

static bool fill(const char *dir)
{
    static const char pass[] = "twenty letters are the least\n";
    unsigned char key[32];
    char path[4096];

    snprintf(path, sizeof(path), "%s/gnupg", dir);
    return getrandom(key, sizeof(key), 0) == sizeof(key) &&
           write_file(dir, "key", key, sizeof(key)) &&
           write_file(dir, "pass", pass, sizeof(pass) - 1) && mkdir(path, 0700) == 0;
}

char *workdir_create(const char *under)
{
    char *path;
    int saved;

    if (asprintf(&path, "%s/fcrypt-bench-XXXXXX", under) < 0)
        return NULL;
    if (mkdtemp(path) != NULL) {
        if (fill(path))
            return path;
        saved = errno;
        workdir_remove(path);
        errno = saved;
        return NULL;
    }
    saved = errno;
    free(path);
    errno = saved;
    return NULL;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    remove(path);
    return 0;
}

void workdir_remove(char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(path);
}

uint64_t workdir_free(const char *path)
{
    struct statvfs fs;

    return statvfs(path, &fs) == 0 ? (uint64_t)fs.f_bavail * fs.f_frsize : UINT64_MAX;
}
