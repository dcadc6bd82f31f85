#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "msg.h"

#define FIELD(name) offsetof(struct file_options, name)
const struct opt opt_files[] = {
    {'o', "output", "FILE", "write to FILE (one input only; - is standard output)", OPT_STRING,
     FIELD(output), 0, 0},
    {'c', "stdout", NULL, "write to standard output", OPT_FLAG, FIELD(to_stdout), 0, 0},
    {'f', "force", NULL, "replace outputs, write to block devices and terminals", OPT_FLAG,
     FIELD(force), 0, 0},
    {0, "suffix", "SUF", "what outputs of enc end with, instead of " SUFFIX_CONTAINER, OPT_STRING,
     FIELD(suffix), 0, 0},
    {0},
};
#undef FIELD

static bool is_stdin(const char *file)
{
    return strcmp(file, "-") == 0;
}

static int count_stdin(int n, char **files)
{
    int count = n == 0;

    for (int i = 0; i < n; i++)
        count += is_stdin(files[i]);
    return count;
}

bool files_have_stdin(int n, char **files)
{
    return count_stdin(n, files) > 0;
}

static enum fc_status note_operands(struct operands *operands, int n, char **files)
{
    *operands = (struct operands){.ids = calloc((size_t)n + 1, sizeof(*operands->ids))};
    if (operands->ids == NULL)
        return msg_no_memory(NULL);
    for (int i = 0; i < n; i++) {
        struct stat st;

        if (stat(files[i], &st) != 0 || !S_ISREG(st.st_mode))
            continue;
        operands->ids[operands->n].dev = st.st_dev;
        operands->ids[operands->n++].ino = st.st_ino;
    }
    return FC_OK;
}

void files_free(struct file_options *o)
{
    free(o->operands.ids);
    o->operands = (struct operands){0};
}

enum fc_status files_check(const struct command *self, struct file_options *o, int n, char **files)
{
    if (count_stdin(n, files) > 1)
        return msg_usage(self, "'-' can be given once only");
    if (o->output != NULL && o->to_stdout)
        return msg_usage(self, "-o and -c exclude each other");
    if (o->output != NULL && n > 1)
        return msg_usage(self, "-o takes one input only");
    if (o->output != NULL && *o->output == '\0')
        return msg_usage(self, "-o: the name is empty");
    if (o->suffix != NULL && (*o->suffix == '\0' || strchr(o->suffix, '/') != NULL))
        return msg_usage(self, "--suffix: '%s' is no suffix", o->suffix);
    return note_operands(&o->operands, n, files);
}

enum fc_status files_each(int n, char **files, enum fc_status (*fn)(const char *file, void *user),
                          void *user)
{
    enum fc_status all = FC_OK;

    if (n == 0)
        return fn("-", user);
    for (int i = 0; i < n; i++) {
        enum fc_status one = fn(files[i], user);

        if (all == FC_OK)
            all = one;
        else if (one != FC_OK && one != all)
            all = FC_ERR_MIXED;
    }
    return all;
}

enum fc_status input_open(struct input *in, const char *file)
{
    enum fc_status status = FC_OK;

    *in = (struct input){.name = "standard input", .fd = STDIN_FILENO};
    if (!is_stdin(file)) {
        in->name = in->path = file;
        in->fd = open(file, O_RDONLY | O_NOCTTY | O_CLOEXEC);
    }
    if (in->fd < 0 || fstat(in->fd, &in->st) != 0)
        status = msg_fail_sys(in->name, errno, NULL);
    else if (S_ISDIR(in->st.st_mode))
        status = msg_fail(FC_ERR_IO, in->name, "is a directory");
    if (status != FC_OK)
        input_close(in);
    return status;
}

void input_close(struct input *in)
{
    if (in->fd > STDERR_FILENO)
        close(in->fd);
    free(in->out_name);
    in->out_name = NULL;
    in->fd = -1;
}

mode_t input_mode(const struct input *in)
{
    return in->path != NULL && S_ISREG(in->st.st_mode) ? in->st.st_mode & 0777 : out_private_mode();
}

enum fc_status input_refuse_terminal(const struct input *in)
{
    if (!isatty(in->fd))
        return FC_OK;
    msg_fail(FC_ERR_IO, in->name, "is a terminal, which cannot give encrypted data");
    msg_hint("name a FILE");
    return FC_ERR_IO;
}

/* What does not depend on the name. */
static void fill(struct out_spec *spec, const struct file_options *o, const struct input *in)
{
    spec->force = o->force;
    spec->avoid[0] = &in->st;
    spec->operands = &o->operands;
    if (in->path != NULL && S_ISREG(in->st.st_mode))
        spec->from = &in->st;
    if (o->output != NULL && !is_stdin(o->output))
        spec->path = o->output;
}

/* Whether the name of the output follows from the input's. */
static bool is_derived(const struct file_options *o, const struct input *in)
{
    return o->output == NULL && !o->to_stdout && in->path != NULL;
}

/* A descriptor or a device has a name that leads to no folder for outputs. */
static enum fc_status check_derivable(const struct input *in)
{
    if (out_named_fd(in->path) < 0 &&
        (S_ISREG(in->st.st_mode) || strncmp(in->path, "/dev/", 5) != 0))
        return FC_OK;
    msg_fail(FC_ERR_USAGE, in->name, "an output cannot be named after it");
    msg_hint("-o FILE names the output, -c writes to standard output");
    return FC_ERR_USAGE;
}

/* The output's name: len bytes of the input's, and suffix. */
static enum fc_status derive(struct out_spec *spec, struct input *in, size_t len,
                             const char *suffix)
{
    if (check_derivable(in) != FC_OK)
        return FC_ERR_USAGE;
    if (asprintf(&in->out_name, "%.*s%s", (int)len, in->path, suffix) < 0) {
        in->out_name = NULL;
        return msg_no_memory(in->name);
    }
    spec->path = in->out_name;
    return FC_OK;
}

enum fc_status files_out_add(struct out_spec *spec, const struct file_options *o,
                             const char *suffix, struct input *in)
{
    fill(spec, o, in);
    if (!is_derived(o, in))
        return FC_OK;
    return derive(spec, in, strlen(in->path), o->suffix ? o->suffix : suffix);
}

enum fc_status files_out_named(struct out_spec *spec, const struct file_options *o,
                               const struct input *in)
{
    fill(spec, o, in);
    if (!is_derived(o, in))
        return FC_OK;
    msg_fail(FC_ERR_USAGE, in->name, "a raw image has no default output");
    msg_hint(
        "-o FILE names the output, -c writes to standard output, --in-place changes the input");
    return FC_ERR_USAGE;
}

enum fc_status files_out_strip(struct out_spec *spec, const struct file_options *o,
                               const char *suffix, struct input *in)
{
    size_t suffix_len, len;

    suffix = o->suffix ? o->suffix : suffix;
    suffix_len = strlen(suffix);
    fill(spec, o, in);
    if (!is_derived(o, in))
        return FC_OK;
    len = strlen(in->path);
    if (len > suffix_len && strcmp(in->path + len - suffix_len, suffix) == 0 &&
        in->path[len - suffix_len - 1] != '/')
        return derive(spec, in, len - suffix_len, "");
    msg_fail(FC_ERR_USAGE, in->name, "the name does not end with %s", suffix);
    msg_hint("-o FILE names the output, -c writes to standard output");
    return FC_ERR_USAGE;
}

enum fc_status files_error(const struct input *in, const struct out *out, const struct fc_err *err)
{
    return msg_error(err->output ? out->name : in->name, err);
}
