/*
 * What the engine's tests put through it: two transforms that notice every unit lost, repeated,
 * moved or wrongly called the last, and the bytes they must give.
 */
#ifndef FC_TEST_ENGINE_RIG_H
#define FC_TEST_ENGINE_RIG_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine.h"

enum {
    RIG_UNIT = 1000, /* plain bytes; no multiple of the stride's 64 */
    RIG_TAG = 16,
    RIG_SEALED = RIG_UNIT + RIG_TAG,
    RIG_RUN = 4, /* units per run */
};

/* What the transforms share, to be set by the test, and what they saw. */
struct rig {
    bool jitter; /* runs take random time, the lower ones of a group longer */
    void (*on_run)(struct rig *rig, const struct fc_run *run); /* before every run; may be NULL */
    int aux_fd;                                                /* for on_run */
    pthread_t caller;
    atomic_uint elsewhere; /* runs in another thread than the caller's */
    pthread_mutex_t lock;
    const uint8_t *bufs[64]; /* the buffers seen */
    size_t nbufs;
};

void rig_init(struct rig *rig);

/* Unit -> unit xor its index, and a tag over index, end and bytes. */
enum fc_status rig_seal(void *ctx, struct fc_run *run, struct fc_err *err);

/* The way back: FC_ERR_DATA "unit N is bad" for the first whose tag does not hold. */
enum fc_status rig_open(void *ctx, struct fc_run *run, struct fc_err *err);

/* In and out alike. */
enum fc_status rig_pass(void *ctx, struct fc_run *run, struct fc_err *err);

/* rig_sealed(plain, len, &n): what sealing plain[len] gives, to be freed. */
uint8_t *rig_sealed(const uint8_t *plain, size_t len, size_t *n);

/* Engines from in_fd to out_fd with RIG_RUN units a run. */
struct fc_engine rig_sealer(struct rig *rig, int in_fd, int out_fd, unsigned threads);
struct fc_engine rig_opener(struct rig *rig, int in_fd, int out_fd, unsigned threads);
struct fc_engine rig_passer(struct rig *rig, int in_fd, int out_fd, unsigned threads);

#endif
