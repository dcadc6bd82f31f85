/*
 * The FILE operands of a command, and the outputs that belong to them.
 */
#ifndef FILES_H
#define FILES_H

#include <sys/stat.h>

#include "opt.h"
#include "out.h"

struct file_options {
    const char *output; /* -o */
    bool to_stdout;
    bool force;
    const char *suffix;       /* NULL: SUFFIX_CONTAINER or SUFFIX_LUKS */
    struct operands operands; /* by files_check */
};
extern const struct opt opt_files[];
#define SUFFIX_CONTAINER ".fcrypt"
#define SUFFIX_LUKS ".luks"

struct input {
    const char *name; /* for messages */
    const char *path; /* NULL: standard input */
    int fd;
    struct stat st;
    char *out_name; /* the name derived for its output, or NULL */
};

/* files_check(self, options, n, files): refuses operands and options that contradict each other,
 * and notes which files the operands are: no output may replace one of them. files_free(options)
 * ends that. */
enum fc_status files_check(const struct command *self, struct file_options *options, int n,
                           char **files);
void files_free(struct file_options *options);

/* files_have_stdin(n, files): whether one of the inputs is standard input (no operand, or "-"). */
bool files_have_stdin(int n, char **files);

/* files_each(n, files, fn, user): fn for every operand, for "-" without one. One failure does not
 * stop the others: the status is theirs if all failures agree, else FC_ERR_MIXED. */
enum fc_status files_each(int n, char **files, enum fc_status (*fn)(const char *file, void *user),
                          void *user);

/* input_open(in, file), input_close(in): prints its own errors. */
enum fc_status input_open(struct input *in, const char *file);
void input_close(struct input *in);

/* input_mode(in): the mode for a file that is made of it and no less secret. */
mode_t input_mode(const struct input *in);

/* input_refuse_terminal(in): FC_ERR_IO, with a message, where a person would have to type it. */
enum fc_status input_refuse_terminal(const struct input *in);

/* files_out_add(spec, options, suffix, in), files_out_strip(spec, options, suffix, in): fill in
 * path (with --suffix or else suffix added, or taken off; in keeps the name), force, modification
 * time, and the input as a file to avoid. files_out_named(spec, options, in) makes up no name.
 * Print their own errors. */
enum fc_status files_out_add(struct out_spec *spec, const struct file_options *options,
                             const char *suffix, struct input *in);
enum fc_status files_out_strip(struct out_spec *spec, const struct file_options *options,
                               const char *suffix, struct input *in);
enum fc_status files_out_named(struct out_spec *spec, const struct file_options *options,
                               const struct input *in);

/* files_error(in, out, err): prints err with the name of the side it happened on. */
enum fc_status files_error(const struct input *in, const struct out *out, const struct fc_err *err);

#endif
