/*
 * The engine on good input: every kind of input and output, every length around the edges.
 */
#include "engine.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine_rig.h"
#include "flow.h"
#include "io.h"
#include "support.h"

enum { RUN_LEN = RIG_RUN * RIG_UNIT, MAX_LEN = 23 * RUN_LEN + 1234 };

static const unsigned thread_counts[] = {1, 2, 5, 16};

static uint8_t plain[MAX_LEN];

#define FOR_THREADS(i) for (size_t i = 0; i < sizeof(thread_counts) / sizeof(*thread_counts); i++)

/* Puts data[len] through an engine made by `make` and compares what comes out with want[want_len]
 * and the offsets of files with the ends. */
static void check(struct fc_engine (*make)(struct rig *, int, int, unsigned), enum flow_in in,
                  enum flow_out out, bool positional, unsigned threads, const uint8_t *data,
                  size_t len, const uint8_t *want, size_t want_len)
{
    struct flow_source source;
    struct flow_sink sink;
    struct rig rig;
    struct fc_engine e;
    struct fc_err err = {.what = "none"};

    rig_init(&rig);
    rig.jitter = threads > 1;
    flow_source_start(&source, in, data, len);
    flow_sink_start(&sink, out);
    e = make(&rig, source.fd, sink.fd, threads);
    e.positional_out = positional;
    if (fc_engine_run(&e, &err) != FC_OK)
        fail_msg("in %d out %d threads %u len %zu: %s", in, out, threads, len, err.what);
    if (in <= IN_FILE_OFFSET)
        assert_int_equal(lseek(source.fd, 0, SEEK_CUR), lseek(source.fd, 0, SEEK_END));
    if (out <= OUT_FILE_OFFSET)
        assert_int_equal(lseek(sink.fd, 0, SEEK_CUR), lseek(sink.fd, 0, SEEK_END));
    if (len <= e.in_unit * RIG_RUN)
        assert_int_equal(rig.elsewhere, 0); /* a single run costs no thread */
    flow_source_end(&source);
    flow_sink_end(&sink);
    if (sink.len != want_len || memcmp(sink.data, want, want_len) != 0)
        fail_msg("in %d out %d threads %u len %zu: wrong output", in, out, threads, len);
    flow_sink_free(&sink);
}

static void there_and_back(enum flow_in in, enum flow_out out, bool positional, unsigned threads,
                           size_t len)
{
    size_t sealed_len;
    uint8_t *sealed = rig_sealed(plain, len, &sealed_len);

    check(rig_sealer, in, out, positional, threads, plain, len, sealed, sealed_len);
    check(rig_opener, in, out, positional, threads, sealed, sealed_len, plain, len);
    check(rig_passer, in, out, positional, threads, plain, len, plain, len);
    free(sealed);
}

static void every_kind(void **state)
{
    (void)state;
    for (int in = 0; in < FLOW_NIN; in++) {
        for (int out = 0; out < FLOW_NOUT; out++) {
            FOR_THREADS(i)
            {
                there_and_back((enum flow_in)in, (enum flow_out)out, false, thread_counts[i],
                               MAX_LEN);
                if (out <= OUT_FILE_OFFSET)
                    there_and_back((enum flow_in)in, (enum flow_out)out, true, thread_counts[i],
                                   MAX_LEN);
            }
        }
    }
}

static void every_edge(void **state)
{
    static const size_t lens[] = {0,
                                  1,
                                  RIG_UNIT - 1,
                                  RIG_UNIT,
                                  RIG_UNIT + 1,
                                  RUN_LEN - RIG_UNIT,
                                  RUN_LEN - 1,
                                  RUN_LEN,
                                  RUN_LEN + 1,
                                  RUN_LEN + RIG_UNIT,
                                  2 * RUN_LEN,
                                  2 * RUN_LEN + 1,
                                  8 * RUN_LEN - 1,
                                  8 * RUN_LEN};

    (void)state;
    for (size_t l = 0; l < sizeof(lens) / sizeof(*lens); l++) {
        FOR_THREADS(i)
        {
            there_and_back(IN_FILE, OUT_FILE, true, thread_counts[i], lens[l]);
            there_and_back(IN_FILE_OFFSET, OUT_PIPE, false, thread_counts[i], lens[l]);
            there_and_back(IN_PIPE, OUT_FILE, false, thread_counts[i], lens[l]);
            there_and_back(IN_PIPE_PIECES, OUT_FILE_OFFSET, true, thread_counts[i], lens[l]);
        }
    }
}

/* One byte at a time: each unit leaves while the input stands still behind it. */
static void units_leave_as_they_come(void **state)
{
    (void)state;
    FOR_THREADS(i)
    {
        struct rig rig;
        struct fc_engine e;
        uint8_t *sealed, got[RIG_UNIT];
        size_t sealed_len, n;
        int in[2], out[2];
        pid_t pid;

        sealed = rig_sealed(plain, 7 * RIG_UNIT, &sealed_len);
        assert_int_equal(pipe(in), 0);
        assert_int_equal(pipe(out), 0);
        pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
            close(in[1]);
            close(out[0]);
            rig_init(&rig);
            e = rig_opener(&rig, in[0], out[1], thread_counts[i]);
            _exit(fc_engine_run(&e, NULL));
        }
        close(in[0]);
        close(out[1]);
        for (size_t u = 0; u < 7; u++) {
            /* The unit, without the byte behind it first: nobody can know yet if it is the last. */
            for (size_t b = u > 0; b < RIG_SEALED + (u < 6); b++)
                assert_int_equal(write(in[1], sealed + u * RIG_SEALED + b, 1), 1);
            if (u == 6)
                close(in[1]);
            alarm(10);
            assert_int_equal(fc_read_full(out[0], got, RIG_UNIT, &n, NULL), FC_OK);
            alarm(0);
            assert_int_equal(n, RIG_UNIT);
            assert_memory_equal(got, plain + u * RIG_UNIT, RIG_UNIT);
        }
        close(out[0]);
        free(sealed);
    }
}

static void signals_do_no_harm(void **state)
{
    size_t sealed_len;
    uint8_t *sealed = rig_sealed(plain, MAX_LEN, &sealed_len);

    (void)state;
    flow_storm(true);
    check(rig_sealer, IN_PIPE_PIECES, OUT_PIPE_SLOW, false, 1, plain, MAX_LEN, sealed, sealed_len);
    check(rig_sealer, IN_PIPE_PIECES, OUT_PIPE_SLOW, false, 5, plain, MAX_LEN, sealed, sealed_len);
    check(rig_sealer, IN_FILE, OUT_PIPE_NONBLOCK, false, 5, plain, MAX_LEN, sealed, sealed_len);
    flow_storm(false);
    free(sealed);
}

/* Files of the kernel say 0 bytes, or a page, whatever they have. */
static void sizes_are_only_hints(void **state)
{
    static const char *const names[] = {"/proc/filesystems", "/proc/kallsyms",
                                        "/sys/kernel/mm/transparent_hugepage/enabled"};
    static uint8_t want[1 << 20];

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        int fd = open(names[i], O_RDONLY);
        struct flow_sink sink;
        struct rig rig;
        struct fc_engine e;
        size_t len;

        if (fd < 0)
            continue;
        assert_int_equal(fc_read_full(fd, want, sizeof(want), &len, NULL), FC_OK);
        assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
        rig_init(&rig);
        flow_sink_start(&sink, OUT_FILE);
        e = rig_passer(&rig, fd, sink.fd, 2);
        assert_int_equal(fc_engine_run(&e, NULL), FC_OK);
        flow_sink_end(&sink);
        assert_true(sink.len == len || len == sizeof(want));
        assert_memory_equal(sink.data, want, len);
        flow_sink_free(&sink);
        close(fd);
    }
}

static void append_once(struct rig *rig, const struct fc_run *run)
{
    if (run->first == 0)
        assert_int_equal(pwrite(rig->aux_fd, plain + 3 * RUN_LEN, 20 * RUN_LEN, 3 * RUN_LEN),
                         20 * RUN_LEN);
}

static void a_file_that_grows(void **state)
{
    size_t want_len;
    uint8_t *want = rig_sealed(plain, 23 * RUN_LEN, &want_len);
    int fd = flow_file(plain, 3 * RUN_LEN);
    struct rig rig;
    struct fc_engine e;
    struct flow_sink sink;

    (void)state;
    rig_init(&rig);
    rig.on_run = append_once;
    rig.aux_fd = fd;
    flow_sink_start(&sink, OUT_FILE);
    e = rig_sealer(&rig, fd, sink.fd, 1); /* alone: another might see the end before it moves */
    assert_int_equal(fc_engine_run(&e, NULL), FC_OK);
    flow_sink_end(&sink);
    assert_int_equal(sink.len, want_len);
    assert_memory_equal(sink.data, want, want_len);
    flow_sink_free(&sink);
    close(fd);
    free(want);
}

/* Sparse files that end behind 5 GiB: offsets have 64 bits at both ends. */
static void offsets_beyond_4_gib(void **state)
{
    off_t base = (off_t)5 << 30;
    int in = flow_file("", 0), out = flow_file("", 0);
    struct rig rig;
    struct fc_engine e;
    uint8_t *got = malloc(MAX_LEN);

    (void)state;
    rig_init(&rig);
    assert_int_equal(pwrite(in, plain, MAX_LEN, base), MAX_LEN);
    lseek(in, base, SEEK_SET);
    lseek(out, base + 5, SEEK_SET);
    e = rig_passer(&rig, in, out, 2);
    e.positional_out = true;
    assert_int_equal(fc_engine_run(&e, NULL), FC_OK);
    assert_int_equal(lseek(in, 0, SEEK_CUR), base + MAX_LEN);
    assert_int_equal(lseek(out, 0, SEEK_CUR), base + 5 + MAX_LEN);
    assert_int_equal(pread(out, got, MAX_LEN, base + 5), MAX_LEN);
    assert_memory_equal(got, plain, MAX_LEN);
    free(got);
    close(in);
    close(out);
}

static void memory_bounds_the_workers(void **state)
{
    (void)state;
    for (size_t bufs = 0; bufs <= 3; bufs++) {
        struct flow_source source;
        struct rig rig;
        struct fc_engine e;

        rig_init(&rig);
        rig.jitter = true;
        flow_source_start(&source, IN_FILE, plain, MAX_LEN);
        e = rig_sealer(&rig, source.fd, -1, 16);
        e.max_memory = bufs * 8192; /* 4 units of 1024 and the byte looked ahead, in pages */
        assert_int_equal(fc_engine_run(&e, NULL), FC_OK);
        assert_in_range(rig.nbufs, 1, bufs > 1 ? bufs : 1);
        flow_source_end(&source);
    }
}

struct told {
    atomic_int inside;
    unsigned calls;
    uint64_t done;
};

static void on_progress(void *user, uint64_t done)
{
    struct told *told = user;

    assert_int_equal(atomic_fetch_add(&told->inside, 1), 0);
    assert_true(done > told->done);
    told->done = done;
    told->calls++;
    atomic_fetch_sub(&told->inside, 1);
}

static void progress_is_told(void **state)
{
    int fd = flow_file("", 0);
    struct told told = {0};
    struct rig rig;
    struct fc_engine e;

    (void)state;
    rig_init(&rig);
    assert_int_equal(ftruncate(fd, 40 << 20), 0);
    e = rig_passer(&rig, fd, -1, 5);
    e.in_unit = e.out_unit = 65536;
    e.max_memory = 8 << 20;
    e.progress = on_progress;
    e.progress_user = &told;
    assert_int_equal(fc_engine_run(&e, NULL), FC_OK);
    assert_in_range(told.calls, 5, 10);
    assert_in_range(told.done, 30 << 20, 40 << 20);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),
        cmocka_unit_test(every_edge),
        cmocka_unit_test(units_leave_as_they_come),
        cmocka_unit_test(signals_do_no_harm),
        cmocka_unit_test(sizes_are_only_hints),
        cmocka_unit_test(a_file_that_grows),
        cmocka_unit_test(offsets_beyond_4_gib),
        cmocka_unit_test(memory_bounds_the_workers),
        cmocka_unit_test(progress_is_told),
    };

    signal(SIGPIPE, SIG_IGN);
    test_random(plain, MAX_LEN, 2);
    return test_status(cmocka_run_group_tests(tests, NULL, NULL));
}
