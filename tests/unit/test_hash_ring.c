/* The ring alone: what it reads, what it leaves to the plain way, and where there is none to be
 * had. The oracle is what was written. */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "blake2b.h"
#include "hash_parts.h"

enum { MAX_FILES = 200 };

static uint8_t data[FC_HASH_READ];
static struct fc_hash_slot slots[MAX_FILES];
static char names[MAX_FILES][16];
static char folder[] = "/tmp/test_ring_XXXXXX";

static void write_file(const char *name, size_t len)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    assert_int_equal(write(fd, data, len), len);
    close(fd);
}

/* Slot i: a file of that name, said to have so many bytes. */
static struct fc_hash_slot *make_slot(size_t i, const char *name, uint64_t size)
{
    slots[i] = (struct fc_hash_slot){.dir = AT_FDCWD, .name = name, .size = size};
    slots[i].job = (struct fc_hash_job){.source = FC_HASH_FILE, .path = name, .out_len = 64};
    return &slots[i];
}

static void put(struct fc_hash_batch *batch, struct fc_hash_slot *slot)
{
    batch->slot[batch->n++] = slot;
}

/* Slots i..i+n with files of i, i + 1, ... bytes. */
static struct fc_hash_batch make_batch(size_t i, size_t n)
{
    struct fc_hash_batch batch = {.dir = -1};

    for (; n > 0; i++, n--) {
        snprintf(names[i], sizeof(names[i]), "f%zu", i);
        write_file(names[i], i);
        put(&batch, make_slot(i, names[i], i));
    }
    return batch;
}

static struct fc_hash_ring *open_ring(void)
{
    struct fc_hash_ring *ring = fc_ring_open();

    if (ring == NULL)
        skip();
    return ring;
}

/* Three turns, of which the first two give nothing. */
static void pass(struct fc_hash_ring *ring, struct fc_hash_batch *batch)
{
    fc_ring_turn(ring, batch);
    assert_int_equal(batch->n, 0);
    assert_false(fc_ring_empty(ring));
    fc_ring_turn(ring, batch);
    assert_int_equal(batch->n, 0);
    fc_ring_turn(ring, batch);
    assert_true(fc_ring_empty(ring));
}

static void assert_read(const struct fc_hash_batch *batch, size_t i)
{
    assert_non_null(batch->data[i]);
    assert_memory_equal(batch->data[i], data, batch->slot[i]->size);
}

/* In the order in which they went in, while others are under way, many times over. */
static void test_batches(void **state)
{
    struct fc_hash_ring *ring = open_ring();
    size_t in = 0, out = 0;

    (void)state;
    for (int turn = 0; turn < 100; turn++) {
        size_t n = turn % 7 == 0 ? 0 : 1 + (size_t)turn % FC_HASH_BATCH;
        struct fc_hash_batch batch = make_batch(in, n);

        in = (in + n) % 150;
        fc_ring_turn(ring, &batch);
        assert_int_equal(batch.at, 0);
        for (size_t i = 0; i < batch.n; i++) {
            assert_ptr_equal(batch.slot[i], &slots[out + i]);
            if (slots[out + i].size > 0)
                assert_read(&batch, i);
            else
                assert_null(batch.data[i]);
        }
        out = (out + batch.n) % 150;
    }
    assert_true(fc_ring_works(ring));
    for (struct fc_hash_batch batch = {.dir = -1}; !fc_ring_empty(ring); batch.n = 0)
        fc_ring_turn(ring, &batch);
    fc_ring_close(ring);
}

/* What all of a batch's room is taken by. */
static void test_room(void **state)
{
    struct fc_hash_ring *ring = open_ring();
    struct fc_hash_batch batch = {.dir = -1};
    enum fc_hash_kind kinds[FC_HASH_BATCH];

    (void)state;
    write_file("edge", FC_HASH_READ - 1);
    write_file("full", FC_HASH_READ);
    for (size_t i = 0; i < 4; i++)
        put(&batch, make_slot(i, i == 1 ? "full" : "edge", 0));
    for (size_t i = 4; i < FC_HASH_BATCH; i++)
        put(&batch, make_slot(i, "edge", 0));
    fc_batch_look(&batch, kinds);
    for (size_t i = 0; i < FC_HASH_BATCH; i++)
        assert_int_equal(kinds[i], i == 1 || i >= 4 ? FC_HASH_LONG : FC_HASH_PLAIN);
    batch.slot[1] = batch.slot[3];
    batch.n = 3;
    pass(ring, &batch);
    for (size_t i = 0; i < 3; i++)
        assert_read(&batch, i);
    fc_ring_close(ring);
}

/* A FIFO's writer that says nothing, for a while. */
static void *hold(void *arg)
{
    usleep(50000);
    close(*(const int *)arg);
    return NULL;
}

/* Whatever has changed since it was looked at is left alone, and does not hold up the others. */
static void test_changed(void **state)
{
    struct fc_hash_ring *ring = open_ring();
    struct fc_hash_batch batch = make_batch(1, 20);
    pthread_t writer;
    int fd;

    (void)state;
    assert_int_equal(mkfifo("fifo", 0600), 0);
    assert_int_equal(mkfifo("held", 0600), 0);
    fd = open("held", O_RDWR);
    assert_int_equal(symlink("loop", "loop"), 0);
    put(&batch, make_slot(100, "missing", 5));
    put(&batch, make_slot(101, ".", 4096));
    put(&batch, make_slot(102, "loop", 5));
    put(&batch, make_slot(103, "fifo", 5));
    put(&batch, make_slot(104, "held", 5));
    put(&batch, make_slot(105, "f20", 19)); /* has grown */
    put(&batch, make_slot(106, "f20", 21)); /* was cut */
    put(&batch, make_slot(107, "/proc/version", 0));
    put(&batch, make_slot(108, "f0/x", 5));
    assert_int_equal(pthread_create(&writer, NULL, hold, &fd), 0);
    pass(ring, &batch);
    pthread_join(writer, NULL);
    for (size_t i = 0; i < 20; i++)
        assert_read(&batch, i);
    for (size_t i = 20; i < batch.n; i++) {
        assert_null(batch.data[i]);
        assert_int_equal(batch.slot[i]->result.sys, 0);
    }
    assert_true(fc_ring_works(ring));
    fc_ring_close(ring);
    unlink("fifo");
    unlink("held");
    unlink("loop");
}

/* One that only fails is of no use, and gives back what it has. */
static void test_useless(void **state)
{
    struct fc_hash_ring *ring = open_ring();
    struct fc_hash_batch batch = {.dir = -1}, good = make_batch(1, 3);

    (void)state;
    put(&batch, make_slot(100, "missing", 5));
    fc_ring_turn(ring, &batch);
    fc_ring_turn(ring, &good);
    assert_true(fc_ring_works(ring));
    batch.n = 0;
    fc_ring_turn(ring, &batch);
    assert_int_equal(batch.n, 1);
    assert_false(fc_ring_works(ring));
    batch.n = 0;
    fc_ring_turn(ring, &batch);
    assert_int_equal(batch.n, 3);
    for (size_t i = 0; i < 3; i++)
        assert_null(batch.data[i]);
    assert_true(fc_ring_empty(ring));
    fc_ring_close(ring);
}

/* An empty ring keeps no file open: nobody could lease one for writing that is. */
static void test_closes(void **state)
{
    struct fc_hash_ring *ring = open_ring();
    struct fc_hash_batch batch = make_batch(1, 20);
    int fd;

    (void)state;
    pass(ring, &batch);
    assert_read(&batch, 19);
    fd = open("f20", O_RDWR);
    if (fcntl(fd, F_SETLEASE, F_WRLCK) != 0)
        assert_int_not_equal(errno, EAGAIN);
    close(fd);
    fc_ring_close(ring);
}

/* The folder that names have in common is opened once, and names of others stay as they are. */
static void test_folder(void **state)
{
    static const char *const paths[] = {"/dev/null", "d/x/a", "d/x/b", "d/a",   "d/x/no", "d/x/",
                                        "d/x//a",    "d/x/a", "a",     "d/x/d", "/"};
    static const int missing[] = {0, 0, 0, ENOENT, ENOENT, 0, 0, 0, ENOENT, 0, 0};
    struct fc_hash_batch batch = {.dir = -1};
    enum fc_hash_kind kinds[FC_HASH_BATCH];

    (void)state;
    assert_int_equal(mkdir("d", 0700) | mkdir("d/x", 0700) | mkfifo("d/x/d", 0600), 0);
    write_file("d/x/a", 1);
    write_file("d/x/b", 2);
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        put(&batch, make_slot(i, paths[i], 0));
    fc_batch_look(&batch, kinds);
    assert_true(batch.dir >= 0);
    for (size_t i = 0; i < batch.n; i++) {
        bool inside = i == 1 || i == 2 || i == 4 || i == 7;

        assert_int_equal(slots[i].result.sys, missing[i]);
        assert_string_equal(slots[i].name, inside ? paths[i] + 4 : paths[i]);
        assert_int_equal(slots[i].dir, inside ? batch.dir : AT_FDCWD);
        assert_int_equal(kinds[i], i == 0 || i == 9 ? FC_HASH_STREAM : FC_HASH_PLAIN);
    }
    assert_int_equal(slots[2].size, 2);
    fc_batch_close(&batch);
    assert_int_equal(unlink("d/x/a") | unlink("d/x/b") | unlink("d/x/d"), 0);
    assert_int_equal(rmdir("d/x") | rmdir("d"), 0);
}

/* fc_hash_files over files of 0, 1, ... bytes: whether all digests are right. */
static size_t next_job;
static bool all_right;

static bool next(void *user, struct fc_hash_job *job)
{
    (void)user;
    if (next_job == 150)
        return false;
    *job = slots[next_job++].job;
    job->tag = &slots[next_job - 1];
    return true;
}

static bool done(void *user, const struct fc_hash_job *job, const struct fc_hash_result *result)
{
    const struct fc_hash_slot *slot = job->tag;
    uint8_t want[64];

    (void)user;
    fc_blake2b(want, 64, NULL, 0, &(struct fc_piece){data, slot->size}, 1);
    all_right &= result->sys == 0 && memcmp(result->digest, want, 64) == 0;
    return true;
}

static bool hashes(void)
{
    const struct fc_hash_config config = {.threads = 2, .next = next, .done = done};
    struct fc_err err;

    next_job = 0;
    all_right = true;
    return fc_hash_files(&config, &err) == FC_OK && all_right && next_job == 150;
}

static bool refuse_ring(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), /* the number of the call */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog prog = {sizeof(filter) / sizeof(filter[0]), filter};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) == 0;
}

/* Too few descriptors for the ring's table. */
static bool limit_files(void)
{
    const struct rlimit few = {FC_HASH_BATCH, FC_HASH_BATCH};

    return setrlimit(RLIMIT_NOFILE, &few) == 0;
}

static int without_ring(bool (*refuse)(void))
{
    if (!refuse())
        return 77;
    return fc_ring_open() == NULL && hashes() ? 0 : 1;
}

/* Where the system refuses a ring everything goes the plain way. */
static void test_refused(void **state)
{
    bool (*const ways[])(void) = {refuse_ring, limit_files};

    (void)state;
    for (size_t i = 0; i < 150; i += 10)
        make_batch(i, 10);
    assert_true(hashes());
    for (size_t i = 0; i < 2; i++) {
        pid_t child = fork();
        int status;

        assert_true(child >= 0);
        if (child == 0)
            _exit(without_ring(ways[i]));
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        if (WEXITSTATUS(status) == 77)
            skip();
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}

static int enter(void **state)
{
    (void)state;
    alarm(120); /* what waits for ever is a failure */
    test_random(data, sizeof(data), 3);
    return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int leave(void **state)
{
    (void)state;
    for (size_t i = 0; i < MAX_FILES; i++) {
        snprintf(names[i], sizeof(names[i]), "f%zu", i);
        unlink(names[i]);
    }
    unlink("edge");
    unlink("full");
    return chdir("/") != 0 || rmdir(folder) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches), cmocka_unit_test(test_room),
        cmocka_unit_test(test_changed), cmocka_unit_test(test_useless),
        cmocka_unit_test(test_closes),  cmocka_unit_test(test_folder),
        cmocka_unit_test(test_refused),
    };

    return test_status(cmocka_run_group_tests_name("hash_ring", tests, enter, leave));
}
