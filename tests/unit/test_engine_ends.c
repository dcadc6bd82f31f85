/*
 * The engine where the input is made to end, and where the output has holes.
 */
#include "engine.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine_rig.h"
#include "flow.h"
#include "support.h"

enum { RUN_LEN = RIG_RUN * RIG_UNIT, MAX_LEN = 13 * RUN_LEN + 1234 };

static const unsigned thread_counts[] = {1, 2, 5};

static uint8_t plain[MAX_LEN];

#define FOR_THREADS(i) for (size_t i = 0; i < sizeof(thread_counts) / sizeof(*thread_counts); i++)

static void limited(enum flow_in in, unsigned threads, size_t limit)
{
    size_t want = limit < MAX_LEN ? limit : MAX_LEN;
    struct flow_source source;
    struct flow_sink sink;
    uint8_t *sealed;
    size_t len;
    struct rig rig;
    struct fc_engine e;
    uint8_t next;
    off_t start;

    rig_init(&rig);
    flow_source_start(&source, in, plain, MAX_LEN);
    start = lseek(source.fd, 0, SEEK_CUR);
    flow_sink_start(&sink, OUT_PIPE);
    e = rig_sealer(&rig, source.fd, sink.fd, threads);
    e.in_limit = limit;
    assert_int_equal(fc_engine_run(&e, NULL), FC_OK);
    if (in <= IN_FILE_OFFSET)
        assert_int_equal(lseek(source.fd, 0, SEEK_CUR), start + (off_t)want);
    else
        assert_int_equal(read(source.fd, &next, 1), want < MAX_LEN);
    if (want < MAX_LEN && in == IN_PIPE)
        assert_int_equal(next, plain[want]);
    flow_source_end(&source);
    flow_sink_end(&sink);
    sealed = rig_sealed(plain, want, &len);
    assert_int_equal(sink.len, len);
    assert_memory_equal(sink.data, sealed, len);
    free(sealed);
    flow_sink_free(&sink);
}

/* Limits at every edge: the input ends there, and what stands behind is not read. */
static void a_limit_ends_the_input(void **state)
{
    static const size_t limits[] = {1,           RIG_UNIT - 1, RIG_UNIT,    RUN_LEN - 1,
                                    RUN_LEN,     RUN_LEN + 1,  3 * RUN_LEN, 3 * RUN_LEN + 77,
                                    5 * RUN_LEN, MAX_LEN - 1,  MAX_LEN,     MAX_LEN + 1};

    (void)state;
    for (size_t l = 0; l < sizeof(limits) / sizeof(*limits); l++) {
        FOR_THREADS(i)
        {
            limited(IN_FILE, thread_counts[i], limits[l]);
            limited(IN_FILE_OFFSET, thread_counts[i], limits[l]);
            limited(IN_PIPE, thread_counts[i], limits[l]);
        }
    }
}

static void zeros_become_holes(void **state)
{
    enum { LEN = 40 * 4096 + 100 };
    static const size_t starts[] = {0, 5000, 65536};
    uint8_t *data = calloc(1, LEN), *back = malloc(LEN);

    (void)state;
    memset(data + 3 * 4096, 1, 4096);
    data[9 * 4096 + 17] = 1;
    memset(data + 20 * 4096 + 100, 2, 4096 + 5);
    for (size_t s = 0; s < 3; s++) {
        int in = flow_file(data, LEN), out = flow_file("", 0);
        off_t start = (off_t)starts[s];
        struct rig rig;
        struct fc_engine e;
        struct stat st;

        rig_init(&rig);
        e = rig_passer(&rig, in, out, 3);
        e.run_units = 32;
        e.positional_out = e.sparse_out = true;
        lseek(out, start, SEEK_SET);
        assert_int_equal(fc_engine_run(&e, NULL), FC_OK);
        assert_int_equal(fstat(out, &st), 0);
        assert_int_equal(st.st_size, start + LEN);
        assert_in_range(st.st_blocks * 512, 4096, 12 * 4096);
        assert_int_equal(pread(out, back, LEN, start), LEN);
        assert_memory_equal(back, data, LEN);
        close(in);
        close(out);
    }
    free(data);
    free(back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_ends_the_input),
        cmocka_unit_test(zeros_become_holes),
    };

    signal(SIGPIPE, SIG_IGN);
    test_random(plain, MAX_LEN, 2);
    return test_status(cmocka_run_group_tests(tests, NULL, NULL));
}
