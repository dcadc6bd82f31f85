#include "engine_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bytes.h"
#include "io.h"

#define OFF_MAX ((off_t)INT64_MAX)

void fc_engine_widen(int fd)
{
    int now = fcntl(fd, F_GETPIPE_SZ);

    if (now > 0 && now < FC_ENGINE_PIPE)
        (void)fcntl(fd, F_SETPIPE_SZ, FC_ENGINE_PIPE);
}

enum fc_status fc_source_open(struct fc_source *s, const struct fc_engine *e, size_t stride,
                              struct fc_err *err)
{
    struct stat st;

    *s = (struct fc_source){.fd = e->in_fd,
                            .stop_fd = -1,
                            .unit = e->in_unit,
                            .stride = stride,
                            .run_units = e->run_units};
    if (fstat(s->fd, &st) != 0)
        return fc_err_sys(err, errno, "cannot read");
    if (S_ISREG(st.st_mode))
        s->pos = lseek(s->fd, 0, SEEK_CUR);
    s->seekable = S_ISREG(st.st_mode) && s->pos >= 0;
    if (s->pos < 0)
        s->pos = 0;
    s->limit = e->in_limit == 0 || e->in_limit > (uint64_t)(OFF_MAX - s->pos)
                   ? OFF_MAX
                   : s->pos + (off_t)e->in_limit;
    s->size = st.st_size < s->limit ? st.st_size : s->limit;
    if (!s->seekable) {
        fc_engine_widen(s->fd);
        s->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (s->stop_fd < 0)
            return fc_err_sys(err, errno, "cannot wait for the input");
    }
    pthread_mutex_init(&s->lock, NULL);
    return FC_OK;
}

void fc_source_close(struct fc_source *s)
{
    if (s->stop_fd >= 0)
        close(s->stop_fd);
    pthread_mutex_destroy(&s->lock);
}

size_t fc_source_buf_len(const struct fc_source *s)
{
    return s->run_units * s->stride + 1;
}

void fc_source_stop(struct fc_source *s)
{
    atomic_store(&s->stopped, true);
    if (s->stop_fd >= 0)
        (void)eventfd_write(s->stop_fd, 1);
}

enum fc_status fc_source_finish(struct fc_source *s, struct fc_err *err)
{
    if (s->seekable && lseek(s->fd, s->pos, SEEK_SET) < 0)
        return fc_err_sys(err, errno, "cannot seek in the input");
    return FC_OK;
}

/* Reads on behind the *have bytes in buf until there are `want`. Comes back early at the end of the
 * input (*end), when stopped, and, once a unit and the byte behind it are there, when a stream has
 * no more to give at the moment: then the run is a short one. *pos is moved along. */
static enum fc_status read_some(struct fc_source *s, uint8_t *buf, off_t *pos, size_t *have,
                                size_t want, bool *end, struct fc_err *err)
{
    struct iovec iov[FC_ENGINE_IOV];

    *end = false;
    while (*have < want) {
        int n = (int)fc_iov_units(iov, FC_ENGINE_IOV, buf, s->stride, s->unit, *have, want);
        ssize_t got;

        if (!s->seekable &&
            fc_wait(s->fd, POLLIN, s->stop_fd, *have > s->unit ? 0 : -1) != FC_WAIT_READY)
            return FC_OK;
        got = s->seekable ? preadv(s->fd, iov, n, *pos) : readv(s->fd, iov, n);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got < 0)
            return fc_err_sys(err, errno, "cannot read");
        if (got == 0) {
            *end = true;
            return FC_OK;
        }
        *have += (size_t)got;
        *pos += got;
    }
    return FC_OK;
}

static enum fc_status shrunk(struct fc_err *err)
{
    return fc_err_set(err, FC_ERR_IO, "the input shrank while it was read");
}

/* Numbers the units of the run: len bytes, from the next unit on. */
static void hand_out(struct fc_source *s, struct fc_job *job, size_t len)
{
    struct fc_run *run = &job->run;

    run->first = s->units;
    run->n = len == 0 ? 1 : (len - 1) / s->unit + 1;
    run->last_len = len - (run->n - 1) * s->unit;
    run->at_end = s->ended;
    job->in_len = len;
    s->units += run->n;
}

/* The next run of a stream, or one at what looked like the end of a regular file. It is the last
 * if and only if a read has said so, or the limit is reached; otherwise a byte or more behind it is
 * carried over. False, and no run, when the source was stopped: all runs that may have failed are
 * below this one. */
static bool read_next(struct fc_source *s, struct fc_job *job, struct fc_err *err)
{
    uint8_t *buf = job->run.buf;
    size_t have = s->carry_len, want = s->run_units * s->unit + 1, len;

    if (have > 0)
        memmove(buf, s->carry, have);
    if (s->limit - s->pos < (off_t)(want - have))
        want = have + (size_t)(s->limit - s->pos);
    job->status = read_some(s, buf, &s->pos, &have, want, &s->ended, err);
    if (s->pos == s->limit && have <= s->run_units * s->unit)
        s->ended = true;
    if (atomic_load(&s->stopped))
        return false;
    s->runs++;
    if (job->status == FC_OK && s->ended && have == 0 && s->units > 0)
        job->status = shrunk(err); /* by its size there was more; no run was called the last */
    if (job->status != FC_OK) {
        s->ended = true;
        return true;
    }
    len = s->ended ? have : (have - 1) / s->unit * s->unit;
    hand_out(s, job, len);
    s->carry = buf + len / s->unit * s->stride;
    s->carry_len = have - len;
    return true;
}

/* A run well inside a regular file, from pos on. */
static enum fc_status read_inner(struct fc_source *s, struct fc_job *job, off_t pos,
                                 struct fc_err *err)
{
    size_t have = 0;
    bool end;
    enum fc_status status = read_some(s, job->run.buf, &pos, &have, job->in_len, &end, err);

    return status == FC_OK && end ? shrunk(err) : status;
}

bool fc_source_take(struct fc_source *s, uint8_t *buf, struct fc_job *job, struct fc_err *err)
{
    size_t run_len = s->run_units * s->unit;
    off_t pos;
    bool taken;

    *job = (struct fc_job){.run.buf = buf, .run.stride = s->stride};
    pthread_mutex_lock(&s->lock);
    /* Also keeps off a carry whose buffer is gone: no worker leaves before ended or stopped. */
    taken = !s->ended && !atomic_load(&s->stopped);
    job->number = s->runs;
    pos = s->pos;
    if (taken && s->seekable && s->size - pos > (off_t)run_len) {
        s->runs++;
        s->pos += (off_t)run_len;
        hand_out(s, job, run_len);
        pthread_mutex_unlock(&s->lock);
        job->status = read_inner(s, job, pos, err);
        return true; /* also when stopped by now: what failed may lie behind this run */
    }
    taken = taken && read_next(s, job, err);
    pthread_mutex_unlock(&s->lock);
    return taken;
}
