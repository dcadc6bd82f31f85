/*
 * Credentials: a key file, a passphrase from one of its sources, or both.
 */
#ifndef PASS_H
#define PASS_H

#include <sys/stat.h>

#include "opt.h"

struct pass_options {
    const char *key_file;
    bool prompt;
    const char *file;
    const char *fd;
    const char *env;
    const char *command;
};
extern const struct opt opt_pass[];

struct pass {
    struct fc_cred cred;
    bool ask;             /* the passphrase is still to be asked for */
    enum fc_status asked; /* what came of it */
    bool writing;         /* for new files: asked for twice, never empty */
    uint8_t *pass, *key;  /* what cred points to */
    struct stat files[2]; /* key and passphrase file, which no output may overwrite */
    size_t nfiles;
};

/* pass_load(pass, options, self, writing, stdin_taken): reads every source but the terminal.
 * stdin_taken: the data come from standard input, so that no credential can. Prints its own errors.
 * pass_free is due in any case. */
enum fc_status pass_load(struct pass *pass, const struct pass_options *options,
                         const struct command *self, bool writing, bool stdin_taken);

/* pass_ask(pass, file): asks on the terminal for the passphrase of file (NULL: of no certain one),
 * where that is due, and once only: later calls return the first one's status. Prints its own
 * errors. */
enum fc_status pass_ask(struct pass *pass, const char *file);

/* key_file_read(&text, &len, fd, name): all of a key file, at most 64 KiB, in secret memory that
 * the caller frees in any case. Prints its own errors. */
enum fc_status key_file_read(uint8_t **text, size_t *len, int fd, const char *name);

/* pass_free(pass): wipes everything. */
void pass_free(struct pass *pass);

#endif
