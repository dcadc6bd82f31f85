/*
 * Full reads and writes: EINTR, short counts and non-blocking descriptors are handled here.
 */
#ifndef FC_IO_H
#define FC_IO_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "err.h"

/* fc_read_full(fd, dst, len, &got, err): reads until len bytes or the end of the input; *got is
 * the number read. Waits with poll where fd is non-blocking. Errors: FC_ERR_IO "cannot read". */
enum fc_status fc_read_full(int fd, void *dst, size_t len, size_t *got, struct fc_err *err);

/* fc_write_full(fd, src, len, err): writes all of src[len]. Errors: FC_ERR_IO "cannot write". */
enum fc_status fc_write_full(int fd, const void *src, size_t len, struct fc_err *err);

#endif
