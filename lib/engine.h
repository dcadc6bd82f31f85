/*
 * The engine: moves a stream through a transform, many threads at once, in order. It knows no
 * crypto.
 *
 * The input is cut into units of in_unit bytes (the last may be shorter), several units make a run.
 * Each worker owns one buffer, takes the next run in turn, fills its buffer, transforms it beside
 * the others, and writes it in turn. Where the input is a regular file, runs are read with pread
 * outside the turn; where the output may be written positionally, outside the turn too. A pipe that
 * pauses gives a shorter run: whole units leave as they come, once a byte behind them is there.
 *
 * Memory: one buffer for each worker, whatever the input's length. The error of the lowest run
 * wins; everything before it has been written, and of that run what the transform gave out (n_out);
 * nothing else (positional output: whatever stands behind is the caller's to drop).
 */
#ifndef FC_ENGINE_H
#define FC_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* What a transform sees: n units, unit k at buf + k * stride, all of in_unit bytes but the last,
 * which has last_len (0 only where the whole input is empty: then n is 1 and at_end is true). */
struct fc_run {
    uint64_t first; /* index of the first unit in the stream */
    size_t n;
    size_t last_len;
    bool at_end; /* the input ends with this run */
    uint8_t *buf;
    size_t stride;
    /* The transform works in place, within n * stride bytes, and sets: */
    size_t n_out;        /* units to write: n, or those before the fault on an error */
    size_t out_last_len; /* length of unit n - 1 when n_out is n; the others are out_unit long */
};

struct fc_engine {
    int in_fd;
    uint64_t in_limit; /* not 0: the input ends after so many bytes, whatever follows them */
    int out_fd;        /* -1: nothing is written */
    size_t in_unit;
    size_t out_unit;
    size_t run_units;    /* units per run, at most */
    unsigned threads;    /* workers, >= 1; fewer are used where max_memory asks for it */
    size_t max_memory;   /* bytes in all buffers together; one buffer is always allowed */
    bool positional_out; /* out_fd is a regular file of the caller's own, not O_APPEND: pwrite from
                            its current offset, in any order */
    bool sparse_out;     /* positional: blocks of zeros are left out and become holes; the file must
                            have nothing behind the offset */
    enum fc_status (*transform)(void *ctx, struct fc_run *run, struct fc_err *err);
    void *ctx; /* shared by the threads: read-only or locked by the transform */
    /* Called now and then, by one thread at a time, with the input bytes done; may be NULL. */
    void (*progress)(void *user, uint64_t done);
    void *progress_user;
};

/* fc_engine_run(e, err): reads from in_fd's current offset to the end of the input, or to in_limit
 * and no byte beyond. Both file
 * offsets stand behind what was read and written when it returns FC_OK.
 * Errors: the transform's own; FC_ERR_IO: reading or writing failed (err->sys says why; EPIPE
 * among them), a regular file shrank while it was read; FC_ERR_LIMIT: no memory. */
enum fc_status fc_engine_run(const struct fc_engine *e, struct fc_err *err);

#endif
