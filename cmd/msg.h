/*
 * Messages: the only writer of stderr.
 *
 *     fcrypt: FILE: what happened
 *     hint: what to do
 *
 * Whatever stands in a message, control characters reach the terminal escaped (\x1b). A message is
 * one write, so that those of several processes do not mix. Failures to write are ignored: there
 * is no one left to tell.
 */
#ifndef MSG_H
#define MSG_H

#include "cmd.h"

/* msg_init(quiet, verbose): quiet silences notes and details, never errors; verbose shows details.
 */
void msg_init(bool quiet, bool verbose);
bool msg_is_quiet(void);

/* msg_imitate_gnu(name): messages begin with `NAME: ` from here on; what usage errors point to is
 * told in GNU's words, and their status, as that of any failure, is 1. */
void msg_imitate_gnu(const char *name);

/* msg_name(cmd): how the user calls it: "fcrypt", "fcrypt enc", or a link's name. Valid until the
 * next call. */
const char *msg_name(const struct command *cmd);

/* msg_error(file, err): prints err and its hint and returns its status. Says nothing about a closed
 * pipe (EPIPE): whoever closed it knows. file may be NULL. */
enum fc_status msg_error(const char *file, const struct fc_err *err);

/* msg_fail(status, file, fmt, ...): an error of the program's own; returns status. */
enum fc_status msg_fail(enum fc_status status, const char *file, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* msg_fail_sys(file, sys, what): a system call that failed: `FILE: what: strerror(sys)`, without
 * `what: ` for NULL. Returns FC_ERR_IO, or FC_ERR_LIMIT for ENOMEM. */
enum fc_status msg_fail_sys(const char *file, int sys, const char *what);

/* msg_fail_stdout(sys): standard output cannot be written; FC_ERR_IO, or 1 in GNU's way. */
enum fc_status msg_fail_stdout(int sys);

/* msg_no_memory(file): FC_ERR_LIMIT. */
enum fc_status msg_no_memory(const char *file);

/* msg_usage(cmd, fmt, ...): `fcrypt CMD: ...` and the hint `fcrypt CMD --help`; FC_ERR_USAGE, or 1
 * in GNU's way. */
enum fc_status msg_usage(const struct command *cmd, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* msg_hint(fmt, ...): the hint to the error just printed. */
void msg_hint(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* msg_note(file, fmt, ...): what is worth knowing and no error. */
void msg_note(const char *file, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* msg_detail(file, fmt, ...): shown with -v. */
void msg_detail(const char *file, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* msg_transient(text): a line without newline that the next one overwrites, and that disappears
 * before any message; NULL only erases it. */
void msg_transient(const char *text);

/* msg_escape(dst, cap, src): src with control characters (C0, DEL, and C1 in UTF-8) as \xHH, cut to
 * cap - 1 bytes; returns strlen(dst). */
size_t msg_escape(char *dst, size_t cap, const char *src);

#endif
