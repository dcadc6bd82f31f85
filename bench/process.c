#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* One end of a process: a descriptor, or a file where that is below 0. */
struct end {
    int fd;
    const char *path;
};

static int set_end(posix_spawn_file_actions_t *actions, int target, const struct end *end,
                   int flags)
{
    if (end->fd >= 0)
        return posix_spawn_file_actions_adddup2(actions, end->fd, target);
    return posix_spawn_file_actions_addopen(actions, target, end->path, flags, 0600);
}

/* The child's pid, or -1. Only stdin, stdout and stderr reach it: all else is close-on-exec. */
static pid_t start(char *const *argv, const struct end *in, const struct end *out, bool quiet)
{
    posix_spawn_file_actions_t actions;
    struct end nowhere = {-1, "/dev/null"};
    pid_t pid;

    if (posix_spawn_file_actions_init(&actions) != 0)
        return -1;
    if (set_end(&actions, STDIN_FILENO, in, O_RDONLY) != 0 ||
        set_end(&actions, STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_TRUNC) != 0 ||
        (quiet && set_end(&actions, STDERR_FILENO, &nowhere, O_WRONLY) != 0) ||
        posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ) != 0)
        pid = -1;
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

static void close_end(struct end *end)
{
    if (end->fd >= 0)
        close(end->fd);
    end->fd = -1;
}

/* Starts all of them; returns how many were started. */
static size_t start_all(pid_t *pids, const struct process_pipeline *p)
{
    struct end from = {-1, p->in}, to = {-1, p->out};
    size_t i;

    for (i = 0; i < p->n; i++) {
        int fds[2] = {-1, -1};

        if (i + 1 < p->n) {
            if (pipe2(fds, O_CLOEXEC) != 0)
                break;
            to.fd = fds[1];
        }
        pids[i] = start(p->argvs[i], &from, &to, p->quiet);
        close_end(&from);
        close_end(&to);
        from.fd = fds[0];
        if (pids[i] < 0)
            break;
    }
    close_end(&from);
    return i;
}

static bool await(pid_t pid, struct rusage *usage)
{
    int status;

    while (wait4(pid, &status, 0, usage) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool process_run(const struct process_pipeline *p, struct process_usage *usage)
{
    pid_t pids[PROCESS_MAX];
    double begin = now_s();
    size_t started = start_all(pids, p);
    bool ok = started == p->n;

    for (size_t i = 0; i < started; i++) {
        struct rusage ru = {0};

        if (!await(pids[i], &ru))
            ok = false;
        if (i == p->which) {
            usage->cpu_s = seconds(ru.ru_utime) + seconds(ru.ru_stime);
            usage->rss_kib = ru.ru_maxrss;
        }
    }
    usage->wall_s = now_s() - begin;
    return ok;
}
