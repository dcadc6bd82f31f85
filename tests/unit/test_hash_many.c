/* The scheduler of fc_hash_files: thousands of files of all sizes, streams and failures between
 * them, stopping, for several numbers of threads. Callbacks run on any thread, so they count faults
 * and the tests look at the count. */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "blake2b.h"
#include "fcrypt_hash.h"

enum {
    MAX_JOBS = 12000,
    MAX_DATA = 24 << 20,
    WINDOW = 5000, /* more than may ever be on their way */
};

/* All files are beginnings of this. */
static uint8_t *data;

struct item {
    struct fc_hash_job job;
    struct fc_hash_result result;
    size_t len;   /* of the file */
    int expected; /* errno */
};

static struct script {
    struct item items[MAX_JOBS];
    size_t njobs, stop_after;
    atomic_size_t fetched, given, faults;
    bool coy; /* ready says no now and then */
    bool said_ready;
    uint64_t bytes;
    pthread_t teller; /* of the first bytes */
    bool told_by_others;
} s;

/* By a ring, where the system has that, and without. */
static const struct way {
    unsigned threads;
    bool plain;
} ways[] = {{1, false}, {1, true}, {2, false}, {2, true}, {8, false}, {8, true}};
enum { NWAYS = sizeof(ways) / sizeof(ways[0]) };

static void expect(bool right)
{
    s.faults += !right;
}

static bool next(void *user, struct fc_hash_job *job)
{
    (void)user;
    expect(!s.coy || s.said_ready || s.fetched == s.given);
    expect(s.fetched - s.given < WINDOW);
    s.said_ready = false;
    if (s.fetched == s.njobs)
        return false;
    *job = s.items[s.fetched].job;
    job->tag = &s.items[s.fetched++];
    return true;
}

static bool ready(void *user)
{
    (void)user;
    s.said_ready = s.fetched % 3 != 0;
    return s.said_ready;
}

static bool done(void *user, const struct fc_hash_job *job, const struct fc_hash_result *result)
{
    (void)user;
    expect(job->tag == &s.items[s.given]);
    expect(s.given < s.fetched);
    s.items[s.given++].result = *result;
    return s.given < s.stop_after;
}

static void progress(void *user, uint64_t bytes)
{
    (void)user;
    expect(bytes > s.bytes);
    if (s.bytes == 0)
        s.teller = pthread_self();
    s.told_by_others |= !pthread_equal(s.teller, pthread_self());
    s.bytes = bytes;
}

static void begin(void)
{
    memset(&s, 0, sizeof(s));
    s.stop_after = SIZE_MAX;
}

static void run(const struct way *way)
{
    const struct fc_hash_config config = {
        .threads = way->threads,
        .plain = way->plain,
        .next = next,
        .ready = s.coy ? ready : NULL,
        .done = done,
        .progress = progress,
    };
    struct fc_err err;

    s.fetched = s.given = 0;
    s.bytes = 0;
    s.told_by_others = false;
    assert_int_equal(fc_hash_files(&config, &err), FC_OK);
    assert_int_equal(s.given, s.fetched);
    assert_int_equal(s.faults, 0);
}

static struct item *add(const char *path, size_t len)
{
    struct item *item = &s.items[s.njobs++];

    item->len = len;
    item->job = (struct fc_hash_job){.source = FC_HASH_FILE, .path = path, .out_len = 64};
    return item;
}

static void assert_results(void)
{
    assert_int_equal(s.given, s.njobs);
    for (size_t i = 0; i < s.njobs; i++) {
        const struct item *item = &s.items[i];
        const struct fc_hash_job *job = &item->job;
        uint8_t want[64];

        assert_int_equal(item->result.sys, item->expected);
        if (job->source == FC_HASH_NOTHING || item->expected != 0)
            continue;
        fc_blake2b(want, job->out_len, job->key, job->key_len, &(struct fc_piece){data, item->len},
                   1);
        assert_memory_equal(item->result.digest, want, job->out_len);
    }
}

/* Small files of every length, and those round the edges of a lane's buffer and far above, in an
 * order of their own. */
enum { SMALL = 400, EDGES = 2 * 130 + 1, NFILES = SMALL + EDGES + 3 };

static struct file {
    char name[16];
    size_t len;
} files[NFILES];

static size_t file_len(size_t i)
{
    static const size_t large[] = {1000000, 3 << 20, (1 << 20) + 1};

    if (i < SMALL)
        return i;
    if (i < SMALL + EDGES)
        return 65536 - 130 + i - SMALL;
    return large[i - SMALL - EDGES];
}

static bool write_file(const char *name, size_t len)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    bool ok = fd >= 0 && write(fd, data, len) == (ssize_t)len;

    return close(fd) == 0 && ok;
}

static char folder[] = "/tmp/test_hash_XXXXXX";

/* The least descriptor that is free: the same at the end, as none is left open. */
static int first_free;

static int free_descriptor(void)
{
    int fd = dup(STDERR_FILENO);

    close(fd);
    return fd;
}

static int enter(void **state)
{
    (void)state;
    alarm(300); /* what waits for ever is a failure */
    first_free = free_descriptor();
    data = malloc(MAX_DATA);
    if (data == NULL || mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 1;
    test_random(data, MAX_DATA, 7);
    for (size_t i = 0; i < NFILES; i++) {
        struct file *f = &files[i * 271 % NFILES];

        snprintf(f->name, sizeof(f->name), i % 3 == 0 ? "f%zu" : "./f%zu", i);
        f->len = file_len(i);
        if (!write_file(f->name, f->len))
            return 1;
    }
    return write_file("huge", MAX_DATA) && mkfifo("fifo0", 0600) == 0 && mkfifo("fifo1", 0600) == 0
               ? 0
               : 1;
}

static int leave(void **state)
{
    (void)state;
    for (size_t i = 0; i < NFILES; i++)
        unlink(files[i].name);
    unlink("huge");
    unlink("fifo0");
    unlink("fifo1");
    free(data);
    return chdir("/") != 0 || rmdir(folder) != 0 || free_descriptor() != first_free;
}

static void add_files(size_t n)
{
    for (size_t i = 0; i < n; i++)
        add(files[i % NFILES].name, files[i % NFILES].len);
}

/* Keys and lengths of digests mixed, with failures and jobs of nothing in between. */
static void test_sizes(void **state)
{
    uint64_t total = 0;

    (void)state;
    begin();
    for (size_t i = 0; i < 2 * NFILES; i++) {
        struct item *item = add(files[i % NFILES].name, files[i % NFILES].len);

        item->job.out_len = 1 + i % 64;
        item->job.key = data + i;
        item->job.key_len = i % 5 == 0 ? i % 65 : 0;
        total += item->len;
        if (i % 7 == 0)
            add("missing", 0)->expected = ENOENT;
        if (i % 11 == 0)
            add(".", 0)->expected = EISDIR;
        if (i % 13 == 0)
            add(NULL, 0)->job.source = FC_HASH_NOTHING;
    }
    for (size_t i = 0; i < NWAYS; i++) {
        run(&ways[i]);
        assert_results();
        assert_int_equal(s.bytes, total);
        s.coy = true;
    }
}

/* A huge file in front of more than the window holds. */
static void test_window(void **state)
{
    (void)state;
    begin();
    add("huge", MAX_DATA);
    for (size_t i = 0; s.njobs < MAX_JOBS; i++)
        if (files[i % NFILES].len < 300)
            add(files[i % NFILES].name, files[i % NFILES].len);
    for (size_t i = 0; i < NWAYS; i++) {
        run(&ways[i]);
        assert_results();
    }
}

/* Two long files go to two threads, not to two lanes of one. */
static void test_two_long(void **state)
{
    (void)state;
    begin();
    add("huge", MAX_DATA);
    add("huge", MAX_DATA);
    for (size_t i = 0; i < NWAYS; i++) {
        run(&ways[i]);
        assert_results();
        assert_int_equal(s.told_by_others, ways[i].threads > 1);
    }
}

static const char *const fifos[] = {"fifo0", "fifo1"}, *const late[] = {"late0", "late1"};

static void put_file(const char *path, size_t len)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    expect(write(fd, data, len) == (ssize_t)len);
    close(fd);
}

/* Writes into each FIFO once all jobs before it have come out, into the second one after the first:
 * read in another order they would wait for each other. Makes the file behind it last of all. */
static void *feed(void *arg)
{
    const size_t *before = arg;

    for (int i = 0; i < 2; i++) {
        int fd = open(fifos[i], O_WRONLY);

        expect(s.given >= before[i]);
        for (size_t at = 0; at < 50000; at += 1000) {
            expect(write(fd, data + at, 1000) == 1000);
            if (at % 10000 == 0)
                usleep(1000);
        }
        put_file(late[i], 3000);
        close(fd);
    }
    return NULL;
}

/* A stream is opened after what stands before it, and what stands behind it after its end. */
static void test_fifos(void **state)
{
    size_t before[2];
    pthread_t writer;

    (void)state;
    begin();
    add_files(500);
    before[0] = s.njobs;
    add(fifos[0], 50000);
    add(late[0], 3000);
    add_files(300);
    add("/dev/null", 0);
    add("missing", 0)->expected = ENOENT;
    add_files(3);
    before[1] = s.njobs;
    add(fifos[1], 50000);
    add(late[1], 3000);
    add_files(500);
    for (size_t i = 0; i < NWAYS; i++) {
        unlink(late[0]);
        put_file(late[1], 7);
        assert_int_equal(pthread_create(&writer, NULL, feed, before), 0);
        run(&ways[i]);
        pthread_join(writer, NULL);
        assert_int_equal(s.faults, 0);
        assert_results();
    }
    unlink(late[0]);
    unlink(late[1]);
}

/* One FIFO is waited for, another one waits for its turn, and nobody will ever write. */
static void test_stop(void **state)
{
    (void)state;
    begin();
    add_files(20);
    add("huge", MAX_DATA);
    add("fifo0", 0);
    add_files(400);
    add("fifo1", 0);
    add_files(2000);
    for (s.stop_after = 1; s.stop_after <= 21; s.stop_after += 10) {
        for (size_t i = 0; i < NWAYS; i++) {
            run(&ways[i]);
            assert_true(s.given >= s.stop_after);
            for (size_t k = s.stop_after; k < s.given; k++)
                assert_int_equal(s.items[k].result.sys, ECANCELED);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),    cmocka_unit_test(test_window),
        cmocka_unit_test(test_two_long), cmocka_unit_test(test_fifos),
        cmocka_unit_test(test_stop),
    };

    return test_status(cmocka_run_group_tests_name("hash_many", tests, enter, leave));
}
