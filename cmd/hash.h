/*
 * What the files of `fcrypt hash` share: its options, and a run over many files.
 */
#ifndef HASH_H
#define HASH_H

#include "fcrypt_hash.h"
#include "lines.h"
#include "opt.h"
#include "progress.h"

enum hash_mode {
    HASH_UNSET,
    HASH_TEXT,
    HASH_BINARY,
};

/* How much of a check is told; the last option of the three counts. */
enum hash_talk {
    HASH_NORMAL,
    HASH_STATUS,
    HASH_WARN,
    HASH_QUIET,
};

struct hash_options {
    int mode; /* enum hash_mode; of --tag, which implies binary, and what follows it, too */
    bool tag, zero;
    const char *length;
    bool check, ignore_missing, strict;
    int talk; /* enum hash_talk */
    bool recursive;
    const char *key_file, *algorithm;
    uint64_t threads;
    bool progress;
};

struct hash {
    struct hash_options o;
    size_t digest_len;
    enum fc_hash_algorithm algorithm;
    uint8_t *key; /* key[key_len], or NULL */
    size_t key_len;
    struct line_writer out;
    struct progress progress;
    uint64_t nfiles; /* done */
    void *run;       /* what next and done of the run at hand work on */
    bool failed;     /* the status will be 1 */
};

/* What a run consists of; fc_hash_config tells of these functions, ready may be NULL. */
struct hash_steps {
    bool (*next)(void *user, struct fc_hash_job *job);
    bool (*ready)(void *user);
    bool (*done)(void *user, const struct fc_hash_job *job, const struct fc_hash_result *result);
};

/* hash_run(h, steps, run): fc_hash_files with h as the functions' user, and progress. */
void hash_run(struct hash *h, const struct hash_steps *steps, void *run);

/* hash_go_on(h, result): what done returns. Writes the lines so far, unless more follow at once. */
bool hash_go_on(struct hash *h, const struct fc_hash_result *result);

/* hash_complain(h, name, fmt, ...): `b2sum: NAME: ...`, after the lines so far. name may be NULL.
 */
void hash_complain(struct hash *h, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* hash_read_key(h, file): fills key and key_len from --key-file. False with a message. */
bool hash_read_key(struct hash *h, const char *file);

/* hash_sum(h, n, files): a line for every file. hash_check(h, n, files): every line of every list.
 * At least one file. */
void hash_sum(struct hash *h, int n, char **files);
void hash_check(struct hash *h, int n, char **files);

#endif
