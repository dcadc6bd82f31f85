#include "engine_parts.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bytes.h"
#include "io.h"

enum { SPARSE_BLOCK = 4096 };

static enum fc_status output_failed(const char *what, struct fc_err *err)
{
    fc_err_sys(err, errno, "cannot %s the output", what);
    if (err != NULL)
        err->output = true;
    return FC_ERR_IO;
}

enum fc_status fc_sink_open(struct fc_sink *k, const struct fc_engine *e, struct fc_err *err)
{
    *k = (struct fc_sink){
        .fd = e->out_fd, .unit = e->out_unit, .sparse = e->sparse_out, .failed = FC_SINK_NONE};
    if (k->fd >= 0 && e->positional_out) {
        k->base = k->end = lseek(k->fd, 0, SEEK_CUR);
        if (k->base < 0)
            return output_failed("seek in", err);
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

/* How many of the first bytes of p[len], which stand at offset, go the same way: whole blocks of
 * zeros, or everything up to the next of those. */
static size_t same_way(const uint8_t *p, size_t len, off_t offset, bool *hole)
{
    size_t at = 0;

    while (at < len) {
        size_t to_edge = SPARSE_BLOCK - (size_t)(offset + (off_t)at) % SPARSE_BLOCK;
        size_t n = fc_min_size(to_edge, len - at);
        bool zeros = n == SPARSE_BLOCK && fc_is_zero(p + at, n);

        if (at == 0)
            *hole = zeros;
        else if (zeros != *hole)
            break;
        at += n;
    }
    return at;
}

/* Writes the pieces at offset but for their blocks of zeros. */
static enum fc_status write_sparse(const struct fc_sink *k, const struct iovec *iov, size_t n,
                                   off_t offset, struct fc_err *err)
{
    enum fc_status status = FC_OK;

    for (size_t i = 0; i < n; i++) {
        uint8_t *p = iov[i].iov_base;

        for (size_t at = 0, len; at < iov[i].iov_len && status == FC_OK; at += len) {
            struct iovec part = {.iov_base = p + at};
            bool hole;

            len = same_way(p + at, iov[i].iov_len - at, offset, &hole);
            part.iov_len = len;
            if (!hole)
                status = fc_writev_full(k->fd, &part, 1, offset, err);
            offset += (off_t)len;
        }
    }
    return status;
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
        if (k->sparse && offset >= 0)
            status = write_sparse(k, iov, n, offset + (off_t)done, err);
        else
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
        return output_failed("seek in", err);
    if (k->sparse && !k->ordered && k->fd >= 0 && ftruncate(k->fd, k->end) != 0)
        return output_failed("set the length of", err);
    return FC_OK;
}
