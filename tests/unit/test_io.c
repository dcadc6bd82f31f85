#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "bytes.h"
#include "flow.h"
#include "support.h"

enum { LEN = 300000 };

static uint8_t data[LEN], got_data[LEN + 1];

static void read_full_from_every_kind(void **state)
{
    (void)state;
    for (int kind = 0; kind < FLOW_NIN; kind++) {
        struct flow_source s;
        size_t got;

        flow_source_start(&s, (enum flow_in)kind, data, LEN);
        assert_int_equal(fc_read_full(s.fd, got_data, 1, &got, NULL), FC_OK);
        assert_int_equal(got, 1);
        assert_int_equal(fc_read_full(s.fd, got_data + 1, LEN, &got, NULL), FC_OK);
        assert_int_equal(got, LEN - 1);
        assert_memory_equal(got_data, data, LEN);
        assert_int_equal(fc_read_full(s.fd, got_data, 1, &got, NULL), FC_OK);
        assert_int_equal(got, 0);
        flow_source_end(&s);
    }
}

static void write_full_to_every_kind(void **state)
{
    (void)state;
    for (int kind = 0; kind < FLOW_NOUT; kind++) {
        struct flow_sink k;

        flow_sink_start(&k, (enum flow_out)kind);
        assert_int_equal(fc_write_full(k.fd, data, LEN, NULL), FC_OK);
        assert_int_equal(fc_write_full(k.fd, data, 0, NULL), FC_OK);
        flow_sink_end(&k);
        assert_int_equal(k.len, LEN);
        assert_memory_equal(k.data, data, LEN);
        flow_sink_free(&k);
    }
}

static void signals_do_no_harm(void **state)
{
    struct flow_source s;
    struct flow_sink k;
    size_t got;

    (void)state;
    flow_source_start(&s, IN_PIPE_PIECES, data, LEN);
    flow_sink_start(&k, OUT_PIPE_SLOW);
    flow_storm(true);
    assert_int_equal(fc_read_full(s.fd, got_data, LEN, &got, NULL), FC_OK);
    assert_int_equal(fc_write_full(k.fd, got_data, got, NULL), FC_OK);
    flow_storm(false);
    flow_source_end(&s);
    flow_sink_end(&k);
    assert_int_equal(k.len, LEN);
    assert_memory_equal(k.data, data, LEN);
    flow_sink_free(&k);
}

static void writev_at_an_offset(void **state)
{
    struct iovec iov[4] = {{data, 0}, {data, 100}, {data + 100, 0}, {data + 100, 900}};
    int fd = flow_file("abc", 3);

    (void)state;
    assert_int_equal(fc_writev_full(fd, iov, 4, (off_t)1 << 32, NULL), FC_OK);
    assert_int_equal(lseek(fd, 0, SEEK_CUR), 0);
    assert_int_equal(lseek(fd, 0, SEEK_END), ((off_t)1 << 32) + 1000);
    assert_int_equal(pread(fd, got_data, 1000, (off_t)1 << 32), 1000);
    assert_memory_equal(got_data, data, 1000);
    close(fd);
}

static void errors_say_why(void **state)
{
    struct fc_err err;
    size_t got;
    int dir = open("/", O_RDONLY), full = open("/dev/full", O_WRONLY), fds[2];

    (void)state;
    assert_int_equal(fc_read_full(dir, got_data, 1, &got, &err), FC_ERR_IO);
    assert_int_equal(err.sys, EISDIR);
    assert_string_equal(err.what, "cannot read: Is a directory");
    assert_int_equal(fc_write_full(full, data, LEN, &err), FC_ERR_IO);
    assert_int_equal(err.sys, ENOSPC);
    assert_string_equal(err.what, "cannot write: No space left on device");
    assert_int_equal(pipe(fds), 0);
    close(fds[0]);
    assert_int_equal(fc_write_full(fds[1], data, 1, &err), FC_ERR_IO);
    assert_int_equal(err.sys, EPIPE);
    assert_int_equal(fc_read_full(-1, got_data, 1, &got, &err), FC_ERR_IO);
    assert_int_equal(err.sys, EBADF);
    close(fds[1]);
    close(full);
    close(dir);
}

/* Every part of 5 units of 10 bytes, 16 apart, in pieces of at most 3 entries. */
static void units_as_iovecs(void **state)
{
    uint8_t spread[5 * 16], flat[50];
    struct iovec iov[3];

    (void)state;
    for (size_t i = 0; i < 50; i++)
        spread[i / 10 * 16 + i % 10] = flat[i] = (uint8_t)i;
    for (size_t from = 0; from <= 50; from++) {
        for (size_t to = from; to <= 50; to++) {
            size_t at = from, n;

            while ((n = fc_iov_units(iov, 3, spread, 16, 10, at, to)) > 0) {
                for (size_t i = 0; i < n; at += iov[i++].iov_len)
                    assert_memory_equal(iov[i].iov_base, flat + at, iov[i].iov_len);
            }
            assert_int_equal(at, to);
        }
    }
    assert_int_equal(fc_iov_units(iov, 3, flat, 10, 10, 5, 50), 1);
    assert_ptr_equal(iov[0].iov_base, flat + 5);
    assert_int_equal(iov[0].iov_len, 45);
}

static void waiting(void **state)
{
    int fds[2], stop = eventfd(0, 0);

    (void)state;
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(fc_wait(fds[0], POLLIN, stop, 0), FC_WAIT_TIMEOUT);
    assert_int_equal(fc_wait(fds[1], POLLOUT, -1, -1), FC_WAIT_READY);
    assert_int_equal(write(fds[1], "x", 1), 1);
    assert_int_equal(fc_wait(fds[0], POLLIN, stop, -1), FC_WAIT_READY);
    eventfd_write(stop, 1);
    assert_int_equal(fc_wait(fds[0], POLLIN, stop, -1), FC_WAIT_STOPPED);
    close(fds[1]);
    assert_int_equal(fc_wait(fds[0], POLLIN, -1, -1), FC_WAIT_READY);
    close(fds[0]);
    close(stop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_full_from_every_kind),
        cmocka_unit_test(write_full_to_every_kind),
        cmocka_unit_test(signals_do_no_harm),
        cmocka_unit_test(writev_at_an_offset),
        cmocka_unit_test(errors_say_why),
        cmocka_unit_test(units_as_iovecs),
        cmocka_unit_test(waiting),
    };

    signal(SIGPIPE, SIG_IGN);
    test_random(data, LEN, 1);
    return test_status(cmocka_run_group_tests(tests, NULL, NULL));
}
