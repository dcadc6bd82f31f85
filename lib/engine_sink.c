#include "engine_parts.h"

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bytes.h"
#include "io.h"

enum fc_status fc_sink_open(struct fc_sink *k, const struct fc_engine *e, struct fc_err *err)
{
    *k = (struct fc_sink){.fd = e->out_fd, .unit = e->out_unit, .failed = FC_SINK_NONE};
    if (k->fd >= 0 && e->positional_out) {
        k->base = k->end = lseek(k->fd, 0, SEEK_CUR);
        if (k->base < 0)
            return fc_err_sys(err, errno, "cannot seek in the output");
    } else if (k->fd >= 0) {
        k->ordered = true;
        fc_engine_widen(k->fd);
    }
    pthread_mutex_init(&k->lock, NULL);
    pthread_cond_init(&k->moved, NULL);
    return FC_OK;
}

void fc_sink_close(struct fc_sink *k)
{
    pthread_cond_destroy(&k->moved);
    pthread_mutex_destroy(&k->lock);
}

/* Writes the first len bytes of the run's output, at offset where that is not negative. */
static enum fc_status write_run(const struct fc_sink *k, const struct fc_run *run, size_t len,
                                off_t offset, struct fc_err *err)
{
    struct iovec iov[FC_ENGINE_IOV];
    enum fc_status status = FC_OK;

    for (size_t done = 0, batch; done < len && status == FC_OK; done += batch) {
        size_t n = fc_iov_units(iov, FC_ENGINE_IOV, run->buf, run->stride, k->unit, done, len);

        batch = 0;
        for (size_t i = 0; i < n; i++)
            batch += iov[i].iov_len;
        status = fc_writev_full(k->fd, iov, n, offset < 0 ? -1 : offset + (off_t)done, err);
    }
    return status;
}

/* Waits until run `number` may be written: false when it never will, a lower one having failed. */
static bool await_turn(struct fc_sink *k, uint64_t number)
{
    bool mine;

    pthread_mutex_lock(&k->lock);
    while (k->ordered && k->turn != number && k->failed >= number)
        pthread_cond_wait(&k->moved, &k->lock);
    mine = k->failed >= number;
    pthread_mutex_unlock(&k->lock);
    return mine;
}

static void pass_turn(struct fc_sink *k)
{
    pthread_mutex_lock(&k->lock);
    k->turn++;
    pthread_cond_broadcast(&k->moved);
    pthread_mutex_unlock(&k->lock);
}

static void note_end(struct fc_sink *k, off_t end)
{
    pthread_mutex_lock(&k->lock);
    if (end > k->end)
        k->end = end;
    pthread_mutex_unlock(&k->lock);
}

static size_t output_len(const struct fc_sink *k, const struct fc_run *run)
{
    if (run->n_out < run->n || run->n_out == 0)
        return run->n_out * k->unit;
    return (run->n - 1) * k->unit + run->out_last_len;
}

enum fc_status fc_sink_put(struct fc_sink *k, const struct fc_job *job, struct fc_err *err)
{
    const struct fc_run *run = &job->run;
    size_t len = output_len(k, run);
    off_t offset = k->base + (off_t)(run->first * k->unit);
    enum fc_status status;

    if (k->fd < 0 || !await_turn(k, job->number))
        return FC_OK;
    status = write_run(k, run, len, k->ordered ? -1 : offset, err);
    if (status == FC_OK && k->ordered)
        pass_turn(k);
    else if (status == FC_OK)
        note_end(k, offset + (off_t)len);
    return status;
}

void fc_sink_fail(struct fc_sink *k, uint64_t number, const struct fc_err *err)
{
    pthread_mutex_lock(&k->lock);
    if (number < k->failed) {
        k->failed = number;
        k->err = *err;
    }
    pthread_cond_broadcast(&k->moved);
    pthread_mutex_unlock(&k->lock);
}

enum fc_status fc_sink_finish(struct fc_sink *k, struct fc_err *err)
{
    if (k->failed != FC_SINK_NONE) {
        if (err != NULL)
            *err = k->err;
        return k->err.status;
    }
    if (k->fd >= 0 && !k->ordered && lseek(k->fd, k->end, SEEK_SET) < 0)
        return fc_err_sys(err, errno, "cannot seek in the output");
    return FC_OK;
}
