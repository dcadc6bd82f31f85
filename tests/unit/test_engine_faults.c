/*
 * The engine when something goes wrong: the lowest fault is the one reported, what comes before it
 * is written and nothing else, and no thread stays behind in a wait.
 */
#include "engine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine_rig.h"
#include "flow.h"
#include "support.h"

enum { RUN_LEN = RIG_RUN * RIG_UNIT, UNITS = 90, LEN = UNITS * RIG_UNIT - 7 };

static const unsigned thread_counts[] = {1, 2, 5, 16};

#define FOR_THREADS(i) for (size_t i = 0; i < sizeof(thread_counts) / sizeof(*thread_counts); i++)

static uint8_t plain[LEN];

static void assert_fault(const struct fc_err *err, size_t unit)
{
    char text[32];

    snprintf(text, sizeof(text), "unit %zu is bad", unit);
    assert_string_equal(err->what, text);
    assert_int_equal(err->status, FC_ERR_DATA);
}

/* Unit `bad` and many behind it are damaged. */
static void open_damaged(size_t bad, enum flow_in in, enum flow_out out, bool positional,
                         unsigned threads, bool jitter)
{
    size_t sealed_len;
    uint8_t *sealed = rig_sealed(plain, LEN, &sealed_len);
    struct flow_source source;
    struct flow_sink sink;
    struct fc_err err;
    struct fc_engine e;
    struct rig rig;

    for (size_t u = bad; u < UNITS; u += 3)
        sealed[u * RIG_SEALED] ^= 1;
    rig_init(&rig);
    rig.jitter = jitter;
    flow_source_start(&source, in, sealed, sealed_len);
    flow_sink_start(&sink, out);
    e = rig_opener(&rig, source.fd, sink.fd, threads);
    e.positional_out = positional;
    assert_int_equal(fc_engine_run(&e, &err), FC_ERR_DATA);
    assert_fault(&err, bad);
    flow_source_end(&source);
    flow_sink_end(&sink);
    if (positional)
        assert_true(sink.len >= bad * RIG_UNIT);
    else
        assert_int_equal(sink.len, bad * RIG_UNIT);
    if (bad > 0)
        assert_memory_equal(sink.data, plain, bad * RIG_UNIT);
    flow_sink_free(&sink);
    free(sealed);
}

static void the_lowest_fault_wins(void **state)
{
    static const size_t bad[] = {0, 1, 3, 4, 5, 22, 23, 24, 47, 86, UNITS - 1};

    (void)state;
    for (size_t b = 0; b < sizeof(bad) / sizeof(*bad); b++) {
        FOR_THREADS(i)
        {
            open_damaged(bad[b], IN_FILE, OUT_FILE, false, thread_counts[i], true);
            open_damaged(bad[b], IN_FILE, OUT_FILE, true, thread_counts[i], true);
            open_damaged(bad[b], IN_FILE, OUT_PIPE_SLOW, false, thread_counts[i], true);
            open_damaged(bad[b], IN_PIPE, OUT_PIPE, false, thread_counts[i], true);
            open_damaged(bad[b], IN_PIPE_PIECES, OUT_SOCKET, false, thread_counts[i], true);
        }
    }
}

/* Without delays of its own, often: faults come up while lower runs are still being read. */
static void a_fault_spares_the_runs_below(void **state)
{
    (void)state;
    for (size_t i = 0; i < 300; i++) {
        open_damaged(20 + i % 60, IN_FILE, OUT_FILE, true, 5, false);
        open_damaged(20 + i % 60, IN_FILE, OUT_FILE, false, 5, false);
    }
}

/* Nothing is written, and no run waits for its turn. */
static void the_lowest_fault_wins_without_output(void **state)
{
    size_t sealed_len;
    uint8_t *sealed = rig_sealed(plain, LEN, &sealed_len);

    (void)state;
    for (size_t u = 41; u < UNITS; u++)
        sealed[u * RIG_SEALED] ^= 1;
    FOR_THREADS(i)
    {
        struct flow_source source;
        struct fc_err err;
        struct fc_engine e;
        struct rig rig;

        rig_init(&rig);
        rig.jitter = true;
        flow_source_start(&source, IN_FILE, sealed, sealed_len);
        e = rig_opener(&rig, source.fd, -1, thread_counts[i]);
        assert_int_equal(fc_engine_run(&e, &err), FC_ERR_DATA);
        assert_fault(&err, 41);
        flow_source_end(&source);
    }
    free(sealed);
}

/* A pipe that holds data[len] and then nothing more, though it stays open at fds[1]. */
static void silent_pipe(int fds[2], const uint8_t *data, size_t len)
{
    assert_int_equal(pipe(fds), 0);
    assert_true(fcntl(fds[1], F_SETPIPE_SZ, LEN * 2) > 0);
    assert_int_equal(write(fds[1], data, len), len);
}

/* Runs e, which must fail within a second although its input is silent. */
static void fail_soon(const struct fc_engine *e, enum fc_status status, int sys)
{
    struct fc_err err;
    double start = flow_now();

    alarm(10);
    assert_int_equal(fc_engine_run(e, &err), status);
    alarm(0);
    assert_true(flow_now() - start < 1);
    assert_int_equal(err.sys, sys);
}

static void a_failed_write_ends_the_wait_for_input(void **state)
{
    (void)state;
    FOR_THREADS(i)
    {
        int full = open("/dev/full", O_WRONLY), in[2], closed[2];
        struct rig rig;
        struct fc_engine e;

        rig_init(&rig);
        silent_pipe(in, plain, 2 * RUN_LEN + 1);
        e = rig_sealer(&rig, in[0], full, thread_counts[i]);
        fail_soon(&e, FC_ERR_IO, ENOSPC);
        assert_int_equal(write(in[1], plain, 2 * RUN_LEN + 1), 2 * RUN_LEN + 1);
        assert_int_equal(pipe(closed), 0);
        close(closed[0]);
        e.out_fd = closed[1];
        fail_soon(&e, FC_ERR_IO, EPIPE);
        close(closed[1]);
        close(in[0]);
        close(in[1]);
        close(full);
    }
}

static void a_fault_ends_the_wait_for_input(void **state)
{
    size_t sealed_len;
    uint8_t *sealed = rig_sealed(plain, LEN, &sealed_len);

    (void)state;
    sealed[5 * RIG_SEALED] ^= 1;
    FOR_THREADS(i)
    {
        struct rig rig;
        struct flow_sink sink;
        struct fc_engine e;
        int in[2];

        rig_init(&rig);
        rig.jitter = true;
        silent_pipe(in, sealed, 9 * RIG_SEALED);
        flow_sink_start(&sink, OUT_PIPE);
        e = rig_opener(&rig, in[0], sink.fd, thread_counts[i]);
        fail_soon(&e, FC_ERR_DATA, 0);
        flow_sink_end(&sink);
        assert_int_equal(sink.len, 5 * RIG_UNIT);
        assert_memory_equal(sink.data, plain, sink.len);
        flow_sink_free(&sink);
        close(in[0]);
        close(in[1]);
    }
    free(sealed);
}

static void shrink_once(struct rig *rig, const struct fc_run *run)
{
    if (run->first == 0)
        assert_int_equal(ftruncate(rig->aux_fd, 10 * RUN_LEN), 0);
}

/* At a run's edge too, where nothing but the size seen before tells that data are missing. */
static void a_file_that_shrinks(void **state)
{
    static const size_t lens[] = {20 * RUN_LEN, 10 * RUN_LEN + 1, 10 * RUN_LEN + RIG_UNIT};

    (void)state;
    for (size_t i = 0; i < sizeof(lens) / sizeof(*lens); i++) {
        struct flow_source source;
        struct flow_sink sink;
        struct rig rig;
        struct fc_err err;
        struct fc_engine e;

        rig_init(&rig);
        rig.on_run = shrink_once;
        flow_source_start(&source, IN_FILE, plain, lens[i]);
        rig.aux_fd = source.fd;
        flow_sink_start(&sink, OUT_FILE);
        e = rig_sealer(&rig, source.fd, sink.fd, 1);
        assert_int_equal(fc_engine_run(&e, &err), FC_ERR_IO);
        assert_string_equal(err.what, "the input shrank while it was read");
        flow_sink_end(&sink);
        assert_int_equal(sink.len, 10 * RIG_RUN * RIG_SEALED);
        flow_sink_free(&sink);
        flow_source_end(&source);
    }
}

static void descriptors_that_cannot_be_used(void **state)
{
    int dir = open("/", O_RDONLY), null = open("/dev/null", O_RDWR), full, fds[2];
    struct rig rig;
    struct fc_engine e;

    (void)state;
    rig_init(&rig);
    e = rig_sealer(&rig, dir, null, 2);
    fail_soon(&e, FC_ERR_IO, EISDIR);
    e.in_fd = -1;
    fail_soon(&e, FC_ERR_IO, EBADF);
    full = open("/dev/full", O_WRONLY);
    e.in_fd = full;
    fail_soon(&e, FC_ERR_IO, EBADF);
    e.in_fd = null;
    e.out_fd = full;
    fail_soon(&e, FC_ERR_IO, ENOSPC); /* an empty input still has a tag to write */
    assert_int_equal(pipe(fds), 0);
    e.out_fd = fds[1];
    e.positional_out = true;
    fail_soon(&e, FC_ERR_IO, ESPIPE);
    close(fds[0]);
    close(fds[1]);
    close(full);
    close(null);
    close(dir);
}

static void no_memory_for_one_buffer(void **state)
{
    int null = open("/dev/null", O_RDWR);
    struct rig rig;
    struct fc_err err;
    struct fc_engine e;

    (void)state;
    rig_init(&rig);
    e = rig_passer(&rig, null, null, 2);
    e.run_units = SIZE_MAX / 4096;
    assert_int_equal(fc_engine_run(&e, &err), FC_ERR_LIMIT);
    close(null);
}

static void no_thread_to_be_had(void **state)
{
    struct flow_source source;
    pthread_attr_t attr, before;
    struct rig rig;
    struct fc_engine e;

    (void)state;
    rig_init(&rig);
    flow_source_start(&source, IN_FILE, plain, LEN);
    e = rig_sealer(&rig, source.fd, -1, 5);
    pthread_getattr_default_np(&before);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, (size_t)1 << 47); /* more than there are addresses */
    assert_int_equal(pthread_setattr_default_np(&attr), 0);
    assert_int_equal(fc_engine_run(&e, NULL), FC_OK);
    pthread_setattr_default_np(&before);
    assert_int_equal(rig.elsewhere, 0);
    assert_int_equal(lseek(source.fd, 0, SEEK_CUR), LEN);
    pthread_attr_destroy(&attr);
    pthread_attr_destroy(&before);
    flow_source_end(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lowest_fault_wins),
        cmocka_unit_test(a_fault_spares_the_runs_below),
        cmocka_unit_test(the_lowest_fault_wins_without_output),
        cmocka_unit_test(a_failed_write_ends_the_wait_for_input),
        cmocka_unit_test(a_fault_ends_the_wait_for_input),
        cmocka_unit_test(a_file_that_shrinks),
        cmocka_unit_test(descriptors_that_cannot_be_used),
        cmocka_unit_test(no_memory_for_one_buffer),
        cmocka_unit_test(no_thread_to_be_had),
    };

    signal(SIGPIPE, SIG_IGN);
    test_random(plain, LEN, 3);
    return test_status(cmocka_run_group_tests(tests, NULL, NULL));
}
