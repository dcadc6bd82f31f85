/*
 * libfcrypt: digests of many files, and lists of them (sumfile.h).
 */
#ifndef FCRYPT_HASH_H
#define FCRYPT_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "sumfile.h"

enum { FC_HASH_KEY_MAX = 64 };

enum fc_hash_source {
    FC_HASH_FILE,    /* what path names, of whatever kind: it is read to its end */
    FC_HASH_STDIN,   /* descriptor 0, from where it stands to its end */
    FC_HASH_NOTHING, /* no digest: comes back in its turn, for what there is to say between files */
};

struct fc_hash_job {
    enum fc_hash_source source;
    const char *path;
    enum fc_hash_algorithm algorithm;
    size_t out_len;     /* 1..64 */
    const uint8_t *key; /* key[key_len], key_len 0..64 */
    size_t key_len;
    void *tag; /* the caller's own */
};

struct fc_hash_result {
    int sys;   /* 0, or the errno of what failed */
    bool read; /* reading failed, not opening */
    bool more; /* the next result follows at once, so that output can wait for it */
    uint8_t digest[FC_SUM_DIGEST_MAX]; /* digest[out_len] if sys is 0 */
};

/*
 * Jobs are fetched by next as there is room, and given back through done in the same order, each
 * once it and all before it are finished, which small files that next gave at once are together.
 * Between the two lie a bounded number of jobs, for which path, key and tag must stay as they are.
 * The functions are called one at a time, from whatever thread.
 */
struct fc_hash_config {
    unsigned threads; /* 0: all cores this process may use */
    /* The next job; false when there is none. */
    bool (*next)(void *user, struct fc_hash_job *job);
    /* Whether next can tell without waiting for somebody; NULL: always. Until it can, next is
     * called only when all results are out. */
    bool (*ready)(void *user);
    /* False: nothing more is wanted; jobs already fetched still come back, with ECANCELED. */
    bool (*done)(void *user, const struct fc_hash_job *job, const struct fc_hash_result *result);
    /* Bytes read so far, of all jobs together, now and then; may be NULL. */
    void (*progress)(void *user, uint64_t bytes);
    void *user;
    bool plain; /* small files by plain system calls, also where the system has io_uring */
};

/* fc_hash_files(config, err): all jobs. A file that cannot be read is no error here but a result.
 * Errors: FC_ERR_LIMIT (memory): nothing was fetched then. */
enum fc_status fc_hash_files(const struct fc_hash_config *config, struct fc_err *err);

#endif
