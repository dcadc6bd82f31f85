/* Many files through fc_hash_files: order, results, what cannot be read. */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "blake2b.h"
#include "fcrypt_hash.h"

enum { MAX_JOBS = 64 };

/* What is asked for, and what came back. */
struct script {
    struct fc_hash_job jobs[MAX_JOBS];
    struct fc_hash_result results[MAX_JOBS];
    size_t njobs, fetched, given, stop_after;
    uint64_t bytes;
};

static bool next(void *user, struct fc_hash_job *job)
{
    struct script *s = user;

    if (s->fetched == s->njobs)
        return false;
    *job = s->jobs[s->fetched];
    job->tag = &s->jobs[s->fetched++];
    return true;
}

static bool done(void *user, const struct fc_hash_job *job, const struct fc_hash_result *result)
{
    struct script *s = user;

    assert_ptr_equal(job->tag, &s->jobs[s->given]);
    assert_true(s->given < s->fetched);
    s->results[s->given++] = *result;
    return s->given != s->stop_after;
}

static void progress(void *user, uint64_t bytes)
{
    struct script *s = user;

    assert_true(bytes >= s->bytes);
    s->bytes = bytes;
}

static void run(struct script *s)
{
    const struct fc_hash_config config = {
        .next = next,
        .done = done,
        .progress = progress,
        .user = s,
    };
    struct fc_err err;

    assert_int_equal(fc_hash_files(&config, &err), FC_OK);
    assert_int_equal(s->given, s->fetched);
}

static struct fc_hash_job *add(struct script *s, enum fc_hash_source source, const char *path)
{
    struct fc_hash_job *job = &s->jobs[s->njobs++];

    *job = (struct fc_hash_job){.source = source, .path = path, .out_len = 64};
    return job;
}

static uint8_t data[700000];

static void write_file(const char *path, size_t len)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

static void assert_digest(const struct script *s, size_t i, size_t len)
{
    const struct fc_hash_job *job = &s->jobs[i];
    uint8_t want[64];

    assert_int_equal(s->results[i].sys, 0);
    fc_blake2b(want, job->out_len, job->key, job->key_len, &(struct fc_piece){data, len}, 1);
    assert_memory_equal(s->results[i].digest, want, job->out_len);
}

static char folder[] = "/tmp/test_hash_XXXXXX";

static int enter(void **state)
{
    (void)state;
    test_random(data, sizeof(data), 1);
    return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int leave(void **state)
{
    (void)state;
    return chdir("/") != 0 || rmdir(folder) != 0;
}

/* Every size round the edge of a buffer, with digests of every kind in between. */
static void test_order(void **state)
{
    static const size_t sizes[] = {0, 1, 128, 262143, 262144, 262145, 524288, 700000};
    enum { N = sizeof(sizes) / sizeof(sizes[0]) };
    static struct script s;
    char names[N][16];
    size_t total = 0;

    (void)state;
    for (size_t i = 0; i < N; i++) {
        struct fc_hash_job *job;

        snprintf(names[i], sizeof(names[i]), "f%zu", i);
        write_file(names[i], sizes[i]);
        total += 2 * sizes[i];
        job = add(&s, FC_HASH_FILE, names[i]);
        job->out_len = 1 + 9 * i;
        job->key = data;
        job->key_len = 9 * i;
        add(&s, FC_HASH_NOTHING, NULL);
        add(&s, FC_HASH_FILE, names[i]);
    }
    run(&s);
    assert_int_equal(s.given, 3 * N);
    assert_int_equal(s.bytes, total);
    for (size_t i = 0; i < N; i++) {
        assert_digest(&s, 3 * i, sizes[i]);
        assert_int_equal(s.results[3 * i + 1].sys, 0);
        assert_digest(&s, 3 * i + 2, sizes[i]);
        unlink(names[i]);
    }
}

static void *feed(void *arg)
{
    int fd = open("fifo", O_WRONLY);

    (void)arg;
    for (size_t i = 0; i < 100; i++) {
        assert_int_equal(write(fd, data + i * 1000, 1000), 1000);
        usleep(100);
    }
    close(fd);
    return NULL;
}

/* Sizes are not trusted: a FIFO that dribbles, a file of /proc; standard input is read once. */
static void test_streams(void **state)
{
    static struct script s;
    int stdin_copy = dup(STDIN_FILENO), fd;
    pthread_t writer;

    (void)state;
    write_file("f", 300000);
    assert_int_equal(mkfifo("fifo", 0600), 0);
    fd = open("f", O_RDONLY);
    assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
    add(&s, FC_HASH_STDIN, NULL);
    add(&s, FC_HASH_FILE, "fifo");
    add(&s, FC_HASH_STDIN, NULL);
    add(&s, FC_HASH_FILE, "/proc/version");
    add(&s, FC_HASH_FILE, "/dev/null");
    assert_int_equal(pthread_create(&writer, NULL, feed, NULL), 0);
    run(&s);
    pthread_join(writer, NULL);
    dup2(stdin_copy, STDIN_FILENO);
    assert_digest(&s, 0, 300000);
    assert_digest(&s, 1, 100000);
    assert_digest(&s, 2, 0);
    assert_int_equal(s.results[3].sys, 0);
    assert_true(memcmp(s.results[3].digest, s.results[4].digest, 64) != 0);
    assert_digest(&s, 4, 0);
    close(fd);
    close(stdin_copy);
    unlink("f");
    unlink("fifo");
}

static void test_failures(void **state)
{
    static struct script s;

    (void)state;
    write_file("f", 10);
    add(&s, FC_HASH_FILE, "missing");
    add(&s, FC_HASH_FILE, "f");
    add(&s, FC_HASH_FILE, ".");
    add(&s, FC_HASH_FILE, "f/x");
    add(&s, FC_HASH_FILE, "");
    add(&s, FC_HASH_FILE, "f");
    run(&s);
    assert_true(s.results[0].sys == ENOENT && !s.results[0].read);
    assert_digest(&s, 1, 10);
    assert_true(s.results[2].sys == EISDIR && s.results[2].read);
    assert_int_equal(s.results[3].sys, ENOTDIR);
    assert_int_equal(s.results[4].sys, ENOENT);
    assert_digest(&s, 5, 10);
    unlink("f");
}

/* Once done says so, nothing more is fetched; what was fetched comes back. */
static void test_stop(void **state)
{
    static struct script s = {.stop_after = 3};

    (void)state;
    for (int i = 0; i < MAX_JOBS; i++)
        add(&s, FC_HASH_FILE, "/dev/null");
    run(&s);
    assert_true(s.given >= 3);
    for (size_t i = 3; i < s.given; i++)
        assert_int_equal(s.results[i].sys, ECANCELED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_stop),
    };

    return test_status(cmocka_run_group_tests_name("hash", tests, enter, leave));
}
