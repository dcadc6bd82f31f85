/*
 * Other libraries, timed beside fcrypt's kernels: what one has to be to take part.
 *
 * A peer is prepared for one job, runs it any number of times, and is finished. A peer that cannot
 * do a job says so and takes no part.
 */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "timing.h"

enum peer_op {
    PEER_GCMSIV_SEAL, /* AES-GCM-SIV, in place, as fc_gcmsiv_seal */
    PEER_GCMSIV_OPEN, /* not in place */
    PEER_CTR,         /* AES-CTR, not in place, the key expanded before */
    PEER_XTS_ENCRYPT, /* AES-XTS, in place, the key expanded before; a message is a sector */
    PEER_XTS_DECRYPT,
    PEER_BLAKE2B, /* BLAKE2b-512 */
};

/* count messages of len bytes each. Plain data: it is sent to another process. */
struct peer_job {
    enum peer_op op;
    size_t key_len; /* 16 or 32; CTR: 24 too; XTS: 32 or 64 */
    size_t len;
    size_t count;
    size_t src_offset; /* of a message that does not begin where its memory does; CTR */
};

struct peer {
    const char *name;
    char version[48];
    bool (*prepare)(struct peer *peer, const struct peer_job *job);
    /* The job, reps times; sets failed when the library reports an error. Set by prepare at the
     * latest. */
    bench_run_fn *run; /* arg: the peer */
    /* For a peer in another process, else NULL. */
    bool (*lap)(void *peer, size_t reps, struct bench_lap *lap);
    void (*finish)(struct peer *peer);
    void (*close)(struct peer *peer); /* or NULL */
    void *state;
    bool failed;
};

/* Memory for nmsgs messages of len bytes and their tags, page-aligned, filled with some pattern.
 * Message i starts at i * peer_stride(len). NULL when memory is short; free() frees it. */
size_t peer_stride(size_t len);
uint8_t *peer_buffer(size_t len, size_t nmsgs);

#endif
