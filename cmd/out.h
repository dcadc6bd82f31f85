/*
 * Output that appears whole or not at all: a temporary file in the target's folder, synced, then
 * renamed. What is no regular file (standard output, a device, a FIFO) is written directly.
 */
#ifndef OUT_H
#define OUT_H

#include <sys/stat.h>
#include <sys/types.h>

#include "cmd.h"

/* Which files the operands of a command are: regular ones by device and inode. */
struct operands {
    size_t n;
    struct {
        dev_t dev;
        ino_t ino;
    } * ids;
};

/* operands_have(operands, st): whether st is one of them. */
bool operands_have(const struct operands *operands, const struct stat *st);

struct out_spec {
    const char *path;        /* NULL: standard output */
    bool force;              /* replace a regular file; write to a block device, to a terminal */
    bool fresh;              /* the name must be free, whatever stands there, forced or not, but for
                                names of open descriptors (/dev/stdout) */
    const char *binary;      /* what it is, if not for a terminal unless forced; or NULL */
    mode_t mode;             /* of a new file */
    const struct stat *from; /* take its modification time and, as root, its owner; or NULL */
    const struct stat *avoid[3]; /* files that the output must not be; NULL entries are skipped */
    const struct operands *operands; /* nor one of these; may be NULL */
};

struct out {
    struct fc_out to;
    const char *name; /* for messages */
    /* A target that is renamed into place; path is NULL for what is written directly. */
    char *path;       /* links resolved */
    const char *base; /* its last component */
    int dir_fd;
    bool force, fresh; /* the spec's */
    bool replaces;     /* old is the file that is to be replaced */
    struct stat old;
    mode_t mode;
    uid_t uid; /* the owner of a new file, where root makes it */
    gid_t gid;
    bool keep_mtime;
    struct timespec mtime;
};

/* out_open(out, spec): checks everything that can be checked and opens. Prints its own errors; the
 * target is untouched then. Errors: FC_ERR_IO. One output is open at a time. */
enum fc_status out_open(struct out *out, const struct out_spec *spec);

/* out_commit(out): the target is complete: metadata, sync, rename. Prints its own errors, after
 * which the target is as it was. Closes out. */
enum fc_status out_commit(struct out *out);

/* out_drop(out): the target stays as it was. Closes out. */
void out_drop(struct out *out);

/* out_drop_temp(): removes the temporary file, if there is one; async-signal-safe. */
void out_drop_temp(void);

/* out_named_fd(path): the descriptor that path stands for (/dev/stdout, /dev/fd/N), or -1. */
int out_named_fd(const char *path);

/* out_private_mode(): 0600 & ~umask. */
mode_t out_private_mode(void);

#endif
