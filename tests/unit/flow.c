#include "flow.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "support.h"

enum { PROLOGUE = 777 }; /* bytes in front of the data in the *_OFFSET kinds */

double flow_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void on_alarm(int sig)
{
    (void)sig;
}

void flow_storm(bool on)
{
    struct sigaction action = {.sa_handler = on ? on_alarm : SIG_IGN};
    struct itimerval every = {{0, on ? 200 : 0}, {0, on ? 200 : 0}};

    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
}

/* Writes until the other side is gone; patient with every kind of descriptor. */
static bool put(int fd, const uint8_t *p, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, p, len);

        if (n > 0) {
            p += n;
            len -= (size_t)n;
        } else if (n < 0 && errno == EAGAIN) {
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        } else if (n < 0 && errno != EINTR) {
            return false;
        }
    }
    return true;
}

int flow_file(const void *data, size_t len)
{
    char name[] = "/tmp/fc-test-XXXXXX";
    int fd = mkstemp(name);

    assert_true(fd >= 0);
    unlink(name);
    assert_true(put(fd, data, len));
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

static void *feed(void *arg)
{
    struct flow_source *s = arg;
    unsigned seed = (unsigned)s->len;
    size_t at = 0, piece;

    for (; at < s->len; at += piece) {
        piece = s->len - at;
        if (s->kind == IN_PIPE_PIECES) {
            size_t most = at % 3 == 0 ? 1 : (size_t)rand_r(&seed) % 1500 + 1;

            piece = piece < most ? piece : most;
            if (rand_r(&seed) % 4 == 0)
                usleep(50);
        }
        if (!put(s->feed_fd, s->data + at, piece))
            break;
    }
    close(s->feed_fd);
    return NULL;
}

static void *drain(void *arg)
{
    struct flow_sink *k = arg;
    size_t size = 0;

    for (;;) {
        size_t most = k->kind == OUT_PIPE_SLOW ? 3000 : 65536;
        ssize_t n;

        if (size < k->len + most)
            k->data = realloc(k->data, size = 2 * size + most);
        if (k->kind == OUT_PIPE_SLOW)
            usleep(100);
        n = read(k->drain_fd, k->data + k->len, most);
        if (n == 0 || (n < 0 && errno != EINTR))
            return NULL;
        if (n > 0)
            k->len += (size_t)n;
    }
}

/* fds[0] is the end to be read, fds[1] the end to be written. */
static void channel(int fds[2], bool sock)
{
    if (sock)
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    else
        assert_int_equal(pipe(fds), 0);
}

static int start_thread(pthread_t *thread, void *(*f)(void *), void *arg)
{
    sigset_t all, before;
    int result;

    /* The code under test is to get the signals. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    result = pthread_create(thread, NULL, f, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}

void flow_source_start(struct flow_source *s, enum flow_in kind, const void *data, size_t len)
{
    uint8_t prologue[PROLOGUE] = {0};
    int fds[2];

    *s = (struct flow_source){.kind = kind, .data = data, .len = len, .feed_fd = -1};
    if (kind == IN_FILE) {
        s->fd = flow_file(data, len);
        return;
    }
    if (kind == IN_FILE_OFFSET) {
        s->fd = flow_file(prologue, PROLOGUE);
        lseek(s->fd, PROLOGUE, SEEK_SET);
        assert_true(put(s->fd, data, len));
        lseek(s->fd, PROLOGUE, SEEK_SET);
        return;
    }
    channel(fds, kind == IN_SOCKET);
    s->fd = fds[0];
    s->feed_fd = fds[1];
    if (kind == IN_PIPE_NONBLOCK)
        fcntl(s->fd, F_SETFL, O_NONBLOCK);
    assert_int_equal(start_thread(&s->feeder, feed, s), 0);
}

void flow_source_end(struct flow_source *s)
{
    close(s->fd);
    if (s->feed_fd >= 0)
        pthread_join(s->feeder, NULL);
}

void flow_sink_start(struct flow_sink *k, enum flow_out kind)
{
    uint8_t prologue[PROLOGUE] = {0};
    int fds[2];

    *k = (struct flow_sink){.kind = kind, .drain_fd = -1};
    if (kind == OUT_FILE || kind == OUT_FILE_OFFSET) {
        k->fd = flow_file(prologue, kind == OUT_FILE ? 0 : PROLOGUE);
        lseek(k->fd, 0, SEEK_END);
        return;
    }
    channel(fds, kind == OUT_SOCKET);
    k->drain_fd = fds[0];
    k->fd = fds[1];
    if (kind == OUT_PIPE_NONBLOCK)
        fcntl(k->fd, F_SETFL, O_NONBLOCK);
    assert_int_equal(start_thread(&k->drainer, drain, k), 0);
}

static void collect_file(struct flow_sink *k)
{
    off_t start = k->kind == OUT_FILE ? 0 : PROLOGUE;
    struct stat st;

    assert_int_equal(fstat(k->fd, &st), 0);
    assert_true(st.st_size >= start);
    k->len = (size_t)(st.st_size - start);
    k->data = malloc(k->len + 1);
    assert_int_equal(pread(k->fd, k->data, k->len, start), k->len);
}

void flow_sink_end(struct flow_sink *k)
{
    if (k->drain_fd < 0)
        collect_file(k);
    close(k->fd);
    if (k->drain_fd >= 0) {
        pthread_join(k->drainer, NULL);
        close(k->drain_fd);
    }
}

void flow_sink_free(struct flow_sink *k)
{
    free(k->data);
    k->data = NULL;
}
