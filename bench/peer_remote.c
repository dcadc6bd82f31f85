/*
 * A peer in a child process, for libraries that must be initialised in a way of their own.
 *
 * The child takes its laps itself, with its own chain of adds, when told to: only the order goes
 * through the pipe, nothing of it into the time.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "peers.h"

enum order { ORDER_PREPARE, ORDER_LAP, ORDER_FINISH };

struct request {
    enum order order;
    struct peer_job job;
    size_t reps;
};

struct reply {
    bool ok;
    struct bench_lap lap;
};

/* The first thing that the child says. */
struct greeting {
    char name[48];
    char version[48];
};

struct remote {
    pid_t pid;
    int fd;
    struct greeting greeting;
};

/* Packets arrive whole or not at all. */
static bool send_packet(int fd, const void *p, size_t len)
{
    return send(fd, p, len, MSG_NOSIGNAL) == (ssize_t)len;
}

static bool receive_packet(int fd, void *p, size_t len)
{
    ssize_t n;

    do
        n = recv(fd, p, len, 0);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)len;
}

static struct reply obey(struct peer *peer, const struct request *request)
{
    struct reply reply = {.ok = true};

    switch (request->order) {
    case ORDER_PREPARE:
        reply.ok = peer->prepare(peer, &request->job);
        break;
    case ORDER_LAP:
        bench_lap(peer->run, peer, request->reps, &reply.lap);
        reply.ok = !peer->failed;
        break;
    case ORDER_FINISH:
        peer->finish(peer);
        break;
    }
    return reply;
}

static void serve(int fd, bool (*open)(struct peer *))
{
    struct peer peer = {0};
    struct greeting greeting = {0};
    struct request request;

    if (!open(&peer))
        return;
    snprintf(greeting.name, sizeof(greeting.name), "%s", peer.name);
    memcpy(greeting.version, peer.version, sizeof(greeting.version));
    if (!send_packet(fd, &greeting, sizeof(greeting)))
        return;
    while (receive_packet(fd, &request, sizeof(request))) {
        struct reply reply = obey(&peer, &request);

        if (!send_packet(fd, &reply, sizeof(reply)))
            return;
    }
}

static bool ask(struct remote *r, const struct request *request, struct reply *reply)
{
    return send_packet(r->fd, request, sizeof(*request)) &&
           receive_packet(r->fd, reply, sizeof(*reply)) && reply->ok;
}

static bool prepare(struct peer *peer, const struct peer_job *job)
{
    struct request request = {.order = ORDER_PREPARE, .job = *job};
    struct reply reply;

    return ask(peer->state, &request, &reply);
}

static bool lap(void *arg, size_t reps, struct bench_lap *lap)
{
    struct peer *peer = arg;
    struct request request = {.order = ORDER_LAP, .reps = reps};
    struct reply reply;

    if (!ask(peer->state, &request, &reply)) {
        peer->failed = true;
        return false;
    }
    *lap = reply.lap;
    return true;
}

static void finish(struct peer *peer)
{
    struct request request = {.order = ORDER_FINISH};
    struct reply reply;

    ask(peer->state, &request, &reply);
}

/* The child ends when its socket is closed. */
static void close_remote(struct peer *peer)
{
    struct remote *r = peer->state;

    close(r->fd);
    while (waitpid(r->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    free(r);
}

/* Forks the child; false when there is none. */
static bool start(struct remote *r, bool (*open)(struct peer *))
{
    int fds[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0)
        return false;
    fflush(NULL);
    r->pid = fork();
    if (r->pid == 0) {
        close(fds[0]);
        serve(fds[1], open);
        _exit(0);
    }
    close(fds[1]);
    r->fd = fds[0];
    if (r->pid > 0)
        return true;
    close(r->fd);
    return false;
}

bool peer_remote_open(struct peer *peer, bool (*open)(struct peer *))
{
    struct remote *r = calloc(1, sizeof(*r));

    if (r == NULL || !start(r, open)) {
        free(r);
        return false;
    }
    peer->state = r;
    peer->name = r->greeting.name;
    peer->prepare = prepare;
    peer->lap = lap;
    peer->finish = finish;
    peer->close = close_remote;
    if (!receive_packet(r->fd, &r->greeting, sizeof(r->greeting))) {
        close_remote(peer);
        return false;
    }
    memcpy(peer->version, r->greeting.version, sizeof(peer->version));
    return true;
}
