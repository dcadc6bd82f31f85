/*
 * The two ends of the engine, private to engine*.c: the source cuts the input into numbered runs,
 * the sink writes them and keeps their order. engine.c tells how they work together.
 */
#ifndef FC_ENGINE_PARTS_H
#define FC_ENGINE_PARTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "engine.h"

enum {
    FC_ENGINE_IOV = 64,           /* entries per readv or writev, well under IOV_MAX */
    FC_ENGINE_PIPE = 1024 * 1024, /* pipes at either end are widened to this, in bytes */
    FC_ENGINE_PROGRESS = 4 << 20, /* input bytes between two calls of progress */
};

struct fc_source {
    int fd;
    int stop_fd; /* an eventfd that ends every wait for the input; -1 where nothing waits */
    size_t unit, stride, run_units;
    bool seekable;        /* a regular file: read by position, never waited for */
    off_t size;           /* of a regular file when it was opened: only a hint; not beyond limit */
    off_t limit;          /* where the input is made to end, counted as pos is */
    atomic_bool stopped;  /* no further run may be taken */
    pthread_mutex_t lock; /* what follows */
    bool ended;           /* the end of the input was seen, or reading failed */
    uint64_t runs, units; /* handed out */
    off_t pos;            /* where the next read begins: a stream begins at 0 */
    /* Bytes read with the last run but belonging to the next: the one looked ahead, at most a unit.
     * They stay where they were read, in the buffer of that run behind its units. */
    const uint8_t *carry;
    size_t carry_len;
};

/* A run on its way, in the buffer of the worker that took it. */
struct fc_job {
    uint64_t number;
    struct fc_run run;
    size_t in_len;         /* input bytes in it */
    enum fc_status status; /* whether reading worked */
};

/* fc_source_open(s, e, stride, err): Errors: FC_ERR_IO. */
enum fc_status fc_source_open(struct fc_source *s, const struct fc_engine *e, size_t stride,
                              struct fc_err *err);
void fc_source_close(struct fc_source *s);

/* fc_source_buf_len(s): bytes a run's buffer has: the units and the byte looked ahead. */
size_t fc_source_buf_len(const struct fc_source *s);

/* fc_source_take(s, buf, job, err): reads the next run into buf. False when there is none, the
 * source having ended or been stopped; else job->status says whether reading worked. */
bool fc_source_take(struct fc_source *s, uint8_t *buf, struct fc_job *job, struct fc_err *err);

/* fc_source_stop(s): makes every fc_source_take, also one that waits for input, come back soon. */
void fc_source_stop(struct fc_source *s);

/* fc_source_finish(s, err): after the end: puts a regular file's offset behind what was read. */
enum fc_status fc_source_finish(struct fc_source *s, struct fc_err *err);

struct fc_sink {
    int fd;
    size_t unit;
    bool sparse;          /* blocks of zeros are skipped */
    bool ordered;         /* runs are written in turn, else by position or not at all */
    off_t base;           /* positional: where unit 0 goes */
    pthread_mutex_t lock; /* what follows */
    pthread_cond_t moved; /* turn or failed changed */
    uint64_t turn;        /* the run to be written next */
    uint64_t failed;      /* the lowest run that failed so far, or FC_SINK_NONE */
    struct fc_err err;    /* its error */
    off_t end;            /* positional: behind the last byte written */
};

#define FC_SINK_NONE UINT64_MAX

/* fc_sink_open(k, e, err): Errors: FC_ERR_IO (positional output that cannot seek). */
enum fc_status fc_sink_open(struct fc_sink *k, const struct fc_engine *e, struct fc_err *err);
void fc_sink_close(struct fc_sink *k);

/* fc_sink_put(k, job, err): writes what the transform left of the job, in turn where the output is
 * ordered. Nothing is written where a lower run has failed. Errors: FC_ERR_IO. */
enum fc_status fc_sink_put(struct fc_sink *k, const struct fc_job *job, struct fc_err *err);

/* fc_sink_fail(k, number, err): run `number` failed with *err; lower runs are still written, higher
 * ones are not. The lowest failure is kept, of one run's the first. */
void fc_sink_fail(struct fc_sink *k, uint64_t number, const struct fc_err *err);

/* fc_sink_finish(k, err): after the last run: the lowest failure, or FC_OK with the offset of
 * positional output behind the last byte. */
enum fc_status fc_sink_finish(struct fc_sink *k, struct fc_err *err);

/* fc_engine_widen(fd): gives a pipe room for FC_ENGINE_PIPE bytes, where the system allows it. */
void fc_engine_widen(int fd);

#endif
