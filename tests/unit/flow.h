/*
 * Input and output of every kind a program may be given, for tests of code that reads and writes:
 * files, pipes and sockets, fed and drained by threads that are fast, slow or fond of small pieces.
 */
#ifndef FC_TEST_FLOW_H
#define FC_TEST_FLOW_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum flow_in {
    IN_FILE,
    IN_FILE_OFFSET, /* the data begin in the middle of a file, where the offset stands */
    IN_PIPE,
    IN_PIPE_PIECES, /* written in random small pieces, with pauses */
    IN_PIPE_NONBLOCK,
    IN_SOCKET,
    FLOW_NIN,
};

enum flow_out {
    OUT_FILE,
    OUT_FILE_OFFSET, /* behind something that must stay */
    OUT_PIPE,
    OUT_PIPE_SLOW,
    OUT_PIPE_NONBLOCK,
    OUT_SOCKET,
    FLOW_NOUT,
};

struct flow_source {
    int fd; /* what the code under test reads */
    enum flow_in kind;
    const uint8_t *data;
    size_t len;
    int feed_fd;
    pthread_t feeder;
};

struct flow_sink {
    int fd; /* what the code under test writes */
    enum flow_out kind;
    uint8_t *data; /* after flow_sink_end: what arrived */
    size_t len;
    int drain_fd;
    pthread_t drainer;
};

/* flow_file(data, len): an unnamed file with data[len], its offset at 0. */
int flow_file(const void *data, size_t len);

/* flow_source_start(s, kind, data, len): s->fd gives data[len], which must stay where it is. */
void flow_source_start(struct flow_source *s, enum flow_in kind, const void *data, size_t len);

/* flow_source_end(s): closes it. */
void flow_source_end(struct flow_source *s);

void flow_sink_start(struct flow_sink *k, enum flow_out kind);

/* flow_sink_end(k): closes it and collects s->data[s->len], to be freed with flow_sink_free. */
void flow_sink_end(struct flow_sink *k);
void flow_sink_free(struct flow_sink *k);

/* flow_now(): seconds on the monotonic clock. */
double flow_now(void);

/* flow_storm(on): SIGALRM with a handler, every 200 microseconds, without SA_RESTART. */
void flow_storm(bool on);

#endif
