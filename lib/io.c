#include "io.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <unistd.h>

#include "bytes.h"

enum fc_wait fc_wait(int fd, short events, int stop_fd, int timeout_ms)
{
    struct pollfd p[2] = {{.fd = fd, .events = events}, {.fd = stop_fd, .events = POLLIN}};
    int n;

    do
        n = poll(p, 2, timeout_ms);
    while (n < 0 && errno == EINTR && timeout_ms < 0);
    if (n > 0 && p[1].revents != 0)
        return FC_WAIT_STOPPED;
    if (n > 0 || timeout_ms < 0)
        return FC_WAIT_READY;
    return FC_WAIT_TIMEOUT;
}

/* Whether the call that failed is worth repeating; waits until it is. */
static bool retry(int fd, short events)
{
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
        fc_wait(fd, events, -1, -1);
        return true;
    }
    return errno == EINTR;
}

enum fc_status fc_read_full(int fd, void *dst, size_t len, size_t *got, struct fc_err *err)
{
    *got = 0;
    while (*got < len) {
        ssize_t n = read(fd, (uint8_t *)dst + *got, len - *got);

        if (n == 0)
            break;
        if (n > 0)
            *got += (size_t)n;
        else if (!retry(fd, POLLIN))
            return fc_err_sys(err, errno, "cannot read");
    }
    return FC_OK;
}

enum fc_status fc_skip(int fd, uint64_t len, struct fc_err *err)
{
    uint8_t waste[16384];

    if (len <= INT64_MAX && lseek(fd, (off_t)len, SEEK_CUR) >= 0)
        return FC_OK;
    while (len > 0) {
        size_t part = len < sizeof(waste) ? (size_t)len : sizeof(waste), got;
        enum fc_status status = fc_read_full(fd, waste, part, &got, err);

        if (status != FC_OK)
            return status;
        if (got < part)
            return fc_err_set(err, FC_ERR_DATA, "truncated: the input ends too early");
        len -= part;
    }
    return FC_OK;
}

static enum fc_status write_failed(int sys, struct fc_err *err)
{
    enum fc_status status = fc_err_sys(err, sys, "cannot write");

    if (err != NULL)
        err->output = true;
    return status;
}

/* Takes the first `done` bytes off iov[0..*n); returns where it begins now. */
static struct iovec *iov_advance(struct iovec *iov, size_t *n, size_t done)
{
    while (*n > 0 && done >= iov->iov_len) {
        done -= iov->iov_len;
        iov++;
        --*n;
    }
    if (*n > 0) {
        iov->iov_base = (uint8_t *)iov->iov_base + done;
        iov->iov_len -= done;
    }
    return iov;
}

enum fc_status fc_writev_full(int fd, struct iovec *iov, size_t n, off_t offset, struct fc_err *err)
{
    iov = iov_advance(iov, &n, 0);
    while (n > 0) {
        ssize_t done = offset < 0 ? writev(fd, iov, (int)n) : pwritev(fd, iov, (int)n, offset);

        if (done > 0) {
            if (offset >= 0)
                offset += done;
            iov = iov_advance(iov, &n, (size_t)done);
        } else if (done == 0 || !retry(fd, POLLOUT)) {
            return write_failed(done == 0 ? EIO : errno, err);
        }
    }
    return FC_OK;
}

enum fc_status fc_write_full(int fd, const void *src, size_t len, struct fc_err *err)
{
    /* An iovec knows no const; writev only reads. */
    struct iovec iov = {.iov_base = (void *)(uintptr_t)src, .iov_len = len};

    return fc_writev_full(fd, &iov, 1, -1, err);
}

size_t fc_iov_units(struct iovec *iov, size_t max, uint8_t *buf, size_t stride, size_t unit,
                    size_t from, size_t to)
{
    size_t n = 0;

    for (; from < to && n < max; n++) {
        size_t in = from % unit;
        size_t len = unit == stride ? to - from : fc_min_size(unit - in, to - from);

        iov[n] = (struct iovec){buf + from / unit * stride + in, len};
        from += len;
    }
    return n;
}
