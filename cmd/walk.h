/*
 * The files that operands stand for: themselves, or by -r all that lies below.
 */
#ifndef WALK_H
#define WALK_H

#include <fts.h>
#include <stdbool.h>

struct walk {
    char *const *files;
    int nfiles;
    bool recursive;
    FTS *tree; /* of the operand at hand */
};

enum walk_kind {
    WALK_FILE,    /* to be read */
    WALK_SKIPPED, /* found below a folder: a link, or no regular file */
    WALK_FAILED,  /* a folder that cannot be read: sys tells why */
};

struct walk_entry {
    enum walk_kind kind;
    int sys;
    char path[];
};

/* walk_next(w): the next one, for the caller to free; operands in their order, what lies below them
 * sorted by name. NULL at the end, or with errno where memory is short. */
struct walk_entry *walk_next(struct walk *w);

/* walk_end(w): also before the end. */
void walk_end(struct walk *w);

#endif
