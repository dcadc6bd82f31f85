/*
 * Credentials: a key file, a passphrase from one of its sources, or both.
 */
#ifndef PASS_H
#define PASS_H

#include <sys/stat.h>

#include "fcrypt_image.h"
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

/* What the credential is for: what -k means follows from it. */
enum pass_use {
    PASS_WRITE, /* a new container: -k is a key file; the passphrase is asked for twice and never
                   empty */
    PASS_WRITE_LUKS, /* a new LUKS image: all bytes of -k are the passphrase */
    PASS_RAW,        /* -k is a raw key; no passphrase */
    PASS_READ,       /* what is found; pass_want_key or pass_luks tell then */
};

struct pass {
    struct fc_cred cred;
    bool ask;             /* the passphrase is still to be asked for */
    enum fc_status asked; /* what came of it */
    enum pass_use use;
    uint8_t *pass, *key; /* what cred points to */
    const char *key_name;
    uint8_t *file; /* the bytes of -k as they stand, or NULL */
    size_t file_len;
    struct fc_err key_err; /* why file is no key file, if it is none */
    struct stat files[2];  /* key and passphrase file, which no output may overwrite */
    size_t nfiles;
};

/* pass_options_have_pass(options): whether they name a source of a passphrase. */
bool pass_options_have_pass(const struct pass_options *options);

/* pass_load(pass, options, self, use, stdin_taken): reads every source but the terminal.
 * stdin_taken: the data come from standard input, so that no credential can. Prints its own errors.
 * pass_free is due in any case. */
enum fc_status pass_load(struct pass *pass, const struct pass_options *options,
                         const struct command *self, enum pass_use use, bool stdin_taken);

/* pass_want_key(pass): after PASS_READ, when -k must be a key file: whether it is one, if there is
 * one. Prints its own errors. */
enum fc_status pass_want_key(const struct pass *pass);

/* pass_luks(pass, phrase): the passphrase of a LUKS image, asked for if it must be: -k or a
 * passphrase, not both. Prints its own errors; FC_ERR_USAGE. */
enum fc_status pass_luks(struct pass *pass, const char *file, struct fc_piece *phrase);

/* pass_ask(pass, file): asks on the terminal for the passphrase of file (NULL: of no certain one),
 * where that is due, and once only: later calls return the first one's status. Prints its own
 * errors. */
enum fc_status pass_ask(struct pass *pass, const char *file);

/* key_file_read(&key, &len, fd, max, name): all of a key file, at most max bytes (FC_KEYFILE_MAX or
 * more; a short file does not cost the memory of a long one), in secret memory that the caller
 * frees in any case. Prints its own errors. */
enum fc_status key_file_read(uint8_t **key, size_t *len, int fd, size_t max, const char *name);

/* pass_free(pass): wipes everything. */
void pass_free(struct pass *pass);

#endif
