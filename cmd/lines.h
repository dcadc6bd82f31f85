/*
 * Lines in and lines out, of any length and any bytes.
 */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stddef.h>

/* All zeros but fd to begin with. Grows to the longest line. */
struct line_reader {
    int fd;
    char *buf;
    size_t cap, at, end; /* buf[at..end) is read and not yet taken */
    size_t seen;         /* the first bytes of it that are known to be no newline */
    bool ended;
};

enum line_got {
    LINE_READ,
    LINE_END,
    LINE_FAILED, /* errno tells why */
};

/* line_next(r, &line, &len): the next line, with its newline if it has one, as soon as it is there.
 * line[len] may be written, and holds until the next call. */
enum line_got line_next(struct line_reader *r, char **line, size_t *len);

/* line_ready(r): whether line_next need not wait: a whole line is there, or the end. Reads what
 * there is to be read for that. */
bool line_ready(struct line_reader *r);
void line_reader_free(struct line_reader *r);

/* Standard output, in whole lines. All zeros to begin with. */
struct line_writer {
    char *buf;
    size_t cap, len;
    int sys; /* errno of the first failure; nothing is written after it */
};

/* line_room(w, len): where to put at most len bytes; NULL (and w->sys) when memory is short. */
char *line_room(struct line_writer *w, size_t len);

/* line_put(w, len): that many were put there. */
void line_put(struct line_writer *w, size_t len);

/* line_flush(w): writes what was put; false where writing failed, now or before. */
bool line_flush(struct line_writer *w);
void line_writer_free(struct line_writer *w);

#endif
