/*
 * Full reads and writes: EINTR, short counts and non-blocking descriptors are handled here.
 */
#ifndef FC_IO_H
#define FC_IO_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "err.h"

/* fc_read_full(fd, dst, len, &got, err): reads until len bytes or the end of the input; *got is
 * the number read. Waits with poll where fd is non-blocking. Errors: FC_ERR_IO "cannot read". */
enum fc_status fc_read_full(int fd, void *dst, size_t len, size_t *got, struct fc_err *err);

/* fc_skip(fd, len, err): moves len bytes on in the input: seeks where that can be done, else reads
 * them. Errors: FC_ERR_IO; FC_ERR_DATA: a stream ended before. */
enum fc_status fc_skip(int fd, uint64_t len, struct fc_err *err);

/* fc_write_full(fd, src, len, err): writes all of src[len]. Errors: FC_ERR_IO "cannot write". */
enum fc_status fc_write_full(int fd, const void *src, size_t len, struct fc_err *err);

/* fc_writev_full(fd, iov, n, offset, err): writes all of iov[0..n), n <= IOV_MAX, at the file's
 * current offset, or at offset where that is not negative (the current one then stays as it is).
 * iov is used up. Errors: as fc_write_full. */
enum fc_status fc_writev_full(int fd, struct iovec *iov, size_t n, off_t offset,
                              struct fc_err *err);

/* fc_iov_units(iov, max, buf, stride, unit, from, to): describes the bytes from..to of a sequence
 * whose unit k, of `unit` bytes, stands at buf + k * stride, stride >= unit. Stops after max
 * entries; returns how many it filled. */
size_t fc_iov_units(struct iovec *iov, size_t max, uint8_t *buf, size_t stride, size_t unit,
                    size_t from, size_t to);

enum fc_wait {
    FC_WAIT_READY,   /* fd can be read or written, or will say what is wrong with it */
    FC_WAIT_TIMEOUT, /* nothing happened in time; a signal ends a wait with a timeout early */
    FC_WAIT_STOPPED, /* stop_fd became readable */
};

/* fc_wait(fd, events, stop_fd, timeout_ms): waits for fd (POLLIN, POLLOUT); stop_fd may be -1, a
 * negative timeout waits for ever. */
enum fc_wait fc_wait(int fd, short events, int stop_fd, int timeout_ms);

#endif
