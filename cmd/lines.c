#include "lines.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io.h"

enum { BUFFER_LEN = 64 * 1024 };

/* One byte more than cap, for the NUL behind a last line without newline. */
static bool grow(char **buf, size_t *cap, size_t need)
{
    size_t larger = *cap == 0 ? BUFFER_LEN : *cap;
    char *grown;

    while (larger < need)
        larger *= 2;
    if (larger == *cap)
        return true;
    grown = realloc(*buf, larger + 1);
    if (grown == NULL)
        return false;
    *buf = grown;
    *cap = larger;
    return true;
}

/* More bytes behind buf[end); false on an error. */
static bool fill(struct line_reader *r)
{
    ssize_t n;

    if (r->at > 0)
        memmove(r->buf, r->buf + r->at, r->end - r->at);
    r->end -= r->at;
    r->at = 0;
    if (!grow(&r->buf, &r->cap, r->end + 1)) {
        errno = ENOMEM;
        return false;
    }
    while ((n = read(r->fd, r->buf + r->end, r->cap - r->end)) < 0) {
        if (errno == EAGAIN)
            fc_wait(r->fd, POLLIN, -1, -1);
        else if (errno != EINTR)
            return false;
    }
    r->ended = n == 0;
    r->end += (size_t)n;
    return true;
}

/* The end of the first line in the buffer, or NULL. */
static char *find_newline(struct line_reader *r)
{
    size_t from = r->at + r->seen;
    char *newline = r->buf == NULL ? NULL : memchr(r->buf + from, '\n', r->end - from);

    if (newline == NULL)
        r->seen = r->end - r->at;
    return newline;
}

enum line_got line_next(struct line_reader *r, char **line, size_t *len)
{
    char *newline;

    while ((newline = find_newline(r)) == NULL && !r->ended)
        if (!fill(r))
            return LINE_FAILED;
    *line = r->buf + r->at;
    *len = newline != NULL ? (size_t)(newline + 1 - *line) : r->end - r->at;
    r->at += *len;
    r->seen = 0;
    return *len > 0 ? LINE_READ : LINE_END;
}

/* What fails here will fail again in line_next. */
bool line_ready(struct line_reader *r)
{
    while (find_newline(r) == NULL && !r->ended) {
        if (fc_wait(r->fd, POLLIN, -1, 0) != FC_WAIT_READY)
            return false;
        if (!fill(r))
            return true;
    }
    return true;
}

void line_reader_free(struct line_reader *r)
{
    free(r->buf);
    r->buf = NULL;
}

char *line_room(struct line_writer *w, size_t len)
{
    if (w->len >= BUFFER_LEN)
        line_flush(w);
    if (grow(&w->buf, &w->cap, w->len + len))
        return w->buf + w->len;
    w->sys = ENOMEM;
    return NULL;
}

void line_put(struct line_writer *w, size_t len)
{
    w->len += len;
}

bool line_flush(struct line_writer *w)
{
    struct fc_err err;

    if (w->sys == 0 && w->len > 0 && fc_write_full(STDOUT_FILENO, w->buf, w->len, &err) != FC_OK)
        w->sys = err.sys;
    w->len = 0;
    return w->sys == 0;
}

void line_writer_free(struct line_writer *w)
{
    free(w->buf);
    w->buf = NULL;
}
