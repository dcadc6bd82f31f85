/*
 * How the engine works.
 *
 * N workers do all the same: take the next run from the source into the buffer they own, transform
 * it there, put it into the sink. The calling thread is the first of them. A worker that took a
 * full run which is not the last starts one more worker, until there are N: a small input never
 * costs a thread, and a large one has them all within the first N runs.
 *
 * Order. The source numbers the runs under its lock: 0, 1, 2, ... An ordered sink writes run k when
 * its turn has come to k, and only then moves it to k + 1.
 *
 * No deadlock. A worker waits for three things. (1) The source's lock: its holder holds no other
 * run and waits for nothing but input. (2) Input; stopping ends this wait, too. (3) The turn of its
 * run k: the runs below k were all taken before, by workers that hold nothing the others need, so
 * the lowest run not yet written is always on its way through a transform or being written. The
 * sink's lock is never held over a system call and no other lock is taken inside it.
 *
 * Errors. A failure of run k (reading, transform or writing) first goes to the sink, which keeps
 * the lowest, and then stops the source. Runs taken by then are below k, and are finished as if
 * nothing had happened (one of them may still fail and replace the error), or above k, and are
 * dropped when they come to be written. No run not yet taken can be below k. So the output ends
 * behind the last good unit before the lowest fault. A write that waits for a slow reader is not
 * broken off, since all that is being written lies before the fault; a read always is.
 *
 * The end of the input is known only by a read of 0 bytes, and the transform must know whether its
 * run is the last. So a stream is read one byte beyond the run; the next run begins with what was
 * read ahead, copied from the buffer where it stands: its worker cannot touch that before it gets
 * the source's lock again, and by then the copy is made or no run follows. Inside a regular file,
 * up to the size it had at the start, runs are read by position without the lock; the rest of it is
 * read like a stream, because the size may be wrong.
 */
#include "engine.h"

#include <unistd.h>

#include "bytes.h"
#include "engine_parts.h"
#include "secret.h"

struct engine {
    const struct fc_engine *e;
    struct fc_source source;
    struct fc_sink sink;
    size_t buf_len;
    unsigned nworkers;         /* at most */
    atomic_uint_fast64_t done; /* input bytes through */
    pthread_mutex_t telling;   /* held around progress */
    uint64_t told;
};

static void fail(struct engine *g, uint64_t number, const struct fc_err *err)
{
    fc_sink_fail(&g->sink, number, err);
    fc_source_stop(&g->source);
}

static void tell(struct engine *g, size_t len)
{
    uint64_t done = atomic_fetch_add(&g->done, len) + len;

    if (g->e->progress == NULL || pthread_mutex_trylock(&g->telling) != 0)
        return;
    if (done >= g->told + FC_ENGINE_PROGRESS) {
        g->told = done;
        g->e->progress(g->e->progress_user, done);
    }
    pthread_mutex_unlock(&g->telling);
}

/* Transforms and writes one run; of one that failed, the units before the fault. */
static void process(struct engine *g, struct fc_job *job, struct fc_err *err)
{
    if (job->status == FC_OK)
        job->status = g->e->transform(g->e->ctx, &job->run, err);
    if (job->status != FC_OK)
        fail(g, job->number, err);
    if (fc_sink_put(&g->sink, job, err) != FC_OK)
        fail(g, job->number, err);
    else if (job->status == FC_OK)
        tell(g, job->in_len);
}

/* A worker's record lives in the frame of the one that started it and that will join it. */
struct worker {
    struct engine *g;
    unsigned index;
    uint8_t *buf;
    pthread_t thread;
};

static void *work(void *arg);

/* Whether the helper runs; without memory or thread for it the others do the work. */
static bool worker_start(struct worker *w)
{
    w->buf = fc_pages_alloc(w->g->buf_len);
    if (w->buf == NULL)
        return false;
    if (pthread_create(&w->thread, NULL, work, w) != 0) {
        fc_pages_free(w->buf, w->g->buf_len);
        return false;
    }
    return true;
}

static void *work(void *arg)
{
    const struct worker *w = arg;
    struct engine *g = w->g;
    struct worker next = {.g = g, .index = w->index + 1};
    bool tried = next.index >= g->nworkers, started = false;
    struct fc_job job;
    struct fc_err err;

    while (fc_source_take(&g->source, w->buf, &job, &err)) {
        if (!tried && job.run.n == g->e->run_units && !job.run.at_end) {
            tried = true;
            started = worker_start(&next);
        }
        process(g, &job, &err);
    }
    if (started)
        pthread_join(next.thread, NULL);
    fc_pages_free(w->buf, g->buf_len);
    return NULL;
}

static enum fc_status run_open(struct engine *g, struct fc_err *err)
{
    const struct fc_engine *e = g->e;
    size_t unit = e->in_unit > e->out_unit ? e->in_unit : e->out_unit;
    enum fc_status status = fc_source_open(&g->source, e, fc_round_up(unit, 64), err);

    if (status != FC_OK)
        return status;
    status = fc_sink_open(&g->sink, e, err);
    if (status != FC_OK) {
        fc_source_close(&g->source);
        return status;
    }
    g->buf_len = fc_round_up(fc_source_buf_len(&g->source), (size_t)sysconf(_SC_PAGESIZE));
    g->nworkers = (unsigned)fc_min_size(e->threads, e->max_memory / g->buf_len);
    pthread_mutex_init(&g->telling, NULL);
    return FC_OK;
}

static enum fc_status run_close(struct engine *g, enum fc_status status)
{
    pthread_mutex_destroy(&g->telling);
    fc_sink_close(&g->sink);
    fc_source_close(&g->source);
    return status;
}

enum fc_status fc_engine_run(const struct fc_engine *e, struct fc_err *err)
{
    struct engine g = {.e = e};
    struct worker first = {.g = &g};
    enum fc_status status = run_open(&g, err);

    if (status != FC_OK)
        return status;
    first.buf = fc_pages_alloc(g.buf_len);
    if (first.buf == NULL)
        return run_close(&g, fc_err_set(err, FC_ERR_LIMIT, "no memory for a buffer of %zu KiB",
                                        g.buf_len / 1024));
    work(&first);
    status = fc_sink_finish(&g.sink, err);
    if (status == FC_OK)
        status = fc_source_finish(&g.source, err);
    return run_close(&g, status);
}
