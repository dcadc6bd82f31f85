/*
 * The directory that the command is measured in, and the files there.
 */
#ifndef BENCH_WORKDIR_H
#define BENCH_WORKDIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* workdir_create(under): a new directory with a key file "key", a passphrase file "pass" and an
 * empty directory "gnupg". Its path, to be given to workdir_remove; NULL, with errno set, when that
 * failed. */
char *workdir_create(const char *under);

/* workdir_remove(path): deletes it with all that is in it. */
void workdir_remove(char *path);

/* workdir_random_file(path, size): false, with errno set, when it cannot be written. */
bool workdir_random_file(const char *path, uint64_t size);

/* workdir_begins_with(path, begin): whether file path begins with all of file begin. */
bool workdir_begins_with(const char *path, const char *begin);

/* workdir_free(path): bytes that its file system has left. */
uint64_t workdir_free(const char *path);

#endif
