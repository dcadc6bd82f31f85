/*
 * Errors. Every libfcrypt function that can fail returns an enum fc_status and, where it takes a
 * struct fc_err, fills it with one line for the user and, where there is one, a hint.
 * The values of fc_status are the exit statuses of the command.
 */
#ifndef FC_ERR_H
#define FC_ERR_H

#include <stdbool.h>

enum fc_status {
    FC_OK = 0,
    FC_ERR_MIXED = 1, /* hash mismatch, or several inputs failed in different ways */
    FC_ERR_USAGE = 2, /* usage, refused combination, malformed key file */
    FC_ERR_KEY = 3,   /* wrong passphrase or key */
    FC_ERR_DATA = 4,  /* damaged, truncated, tampered, unknown or newer input */
    FC_ERR_IO = 5,    /* reading or writing failed */
    FC_ERR_LIMIT = 6, /* not enough memory, or a limit refused */
};

struct fc_err {
    enum fc_status status;
    int sys;        /* errno behind it, or 0 */
    bool output;    /* it happened to the output, not to the input */
    char what[384]; /* what happened: no file name, no final newline */
    char hint[256]; /* what to do about it, or empty */
};

/* fc_err_set(err, status, fmt, ...): fills err (which may be NULL), clears the rest,
 * returns status. */
enum fc_status fc_err_set(struct fc_err *err, enum fc_status status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* fc_err_sys(err, sys, fmt, ...): a failed system call: status FC_ERR_IO (FC_ERR_LIMIT for
 * ENOMEM), the text followed by ": " and strerror(sys). Returns the status. */
enum fc_status fc_err_sys(struct fc_err *err, int sys, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* fc_err_hint(err, fmt, ...): adds the hint to an error already set; returns err's status
 * (FC_OK for NULL). */
enum fc_status fc_err_hint(struct fc_err *err, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
