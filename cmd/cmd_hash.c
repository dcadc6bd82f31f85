/* fcrypt hash: BLAKE2b checksums, with the options, the output and the statuses of GNU b2sum. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hash.h"
#include "msg.h"
#include "out.h"
#include "quote.h"

#define FIELD(name) offsetof(struct hash_options, name)
static const struct opt opt_sum[] = {
    {'b', "binary", NULL, "write a star in front of names", OPT_VALUE, FIELD(mode), HASH_BINARY, 0},
    {'t', "text", NULL, "write no star (default)", OPT_VALUE, FIELD(mode), HASH_TEXT, 0},
    {'l', "length", "BITS", "length of the digest, 8..512, a multiple of 8", OPT_LAST_STRING,
     FIELD(length), 0, 0},
    {0, "tag", NULL, "lines that name the algorithm", OPT_FLAG, FIELD(tag), 0, 0},
    {'z', "zero", NULL, "end lines with NUL, and escape nothing", OPT_FLAG, FIELD(zero), 0, 0},
    {0},
};

static const struct opt opt_check[] = {
    {'c', "check", NULL, "the files are lists of checksums: check them", OPT_FLAG, FIELD(check), 0,
     0},
    {0, "ignore-missing", NULL, "pass over files that do not exist", OPT_FLAG,
     FIELD(ignore_missing), 0, 0},
    {0, "quiet", NULL, "no line for files that match", OPT_VALUE, FIELD(talk), HASH_QUIET, 0},
    {0, "status", NULL, "no lines at all; the status tells", OPT_VALUE, FIELD(talk), HASH_STATUS,
     0},
    {0, "strict", NULL, "malformed lines are a failure", OPT_FLAG, FIELD(strict), 0, 0},
    {'w', "warn", NULL, "tell of every malformed line", OPT_VALUE, FIELD(talk), HASH_WARN, 0},
    {0},
};

static const struct opt opt_beyond[] = {
    {'r', "recursive", NULL, "all regular files below folders, sorted by name", OPT_FLAG,
     FIELD(recursive), 0, 0},
    {0, "key-file", "FILE", "keyed checksums: keygen's key, or 1..64 bytes", OPT_STRING,
     FIELD(key_file), 0, 0},
    {0, "algorithm", "NAME", "blake2b (default) or blake2bp", OPT_LAST_STRING, FIELD(algorithm), 0,
     0},
    {'T', "threads", "N", "threads to use (default 0: all cores)", OPT_NUMBER, FIELD(threads), 0,
     4096},
    {0, "progress", NULL, "show progress on standard error", OPT_FLAG, FIELD(progress), 0, 0},
    {0},
};
#undef FIELD

static const struct opt opt_about[] = {
    {'h', "help", NULL, "print this help", OPT_HELP, 0, 0, 0},
    {0, "version", NULL, "print the version", OPT_VERSION, 0, 0, 0},
    {0},
};

void hash_complain(struct hash *h, const char *name, const char *fmt, ...)
{
    char text[256];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    line_flush(&h->out);
    msg_fail(FC_ERR_MIXED, name == NULL ? NULL : quote_shell(name), "%s", text);
    h->failed = true;
}

bool hash_go_on(struct hash *h, const struct fc_hash_result *result)
{
    h->nfiles++;
    if (result->more && h->out.sys == 0)
        return true;
    progress_end(&h->progress);
    return line_flush(&h->out);
}

static void on_progress(void *user, uint64_t bytes)
{
    struct hash *h = user;

    snprintf(h->progress.name, sizeof(h->progress.name), "%llu file%s",
             (unsigned long long)h->nfiles, h->nfiles == 1 ? "" : "s");
    progress_show(&h->progress, bytes);
}

void hash_run(struct hash *h, const struct hash_steps *steps, void *run)
{
    const struct fc_hash_config config = {
        .threads = (unsigned)h->o.threads,
        .next = steps->next,
        .ready = steps->ready,
        .done = steps->done,
        .progress = h->o.progress ? on_progress : NULL,
        .user = h,
    };
    struct fc_err err;

    h->run = run;
    progress_init(&h->progress, h->o.progress, !h->o.progress);
    progress_start(&h->progress, "hash", 0);
    if (fc_hash_files(&config, &err) != FC_OK)
        hash_complain(h, NULL, "%s", err.what);
    progress_end(&h->progress);
}

/* --length as it is given: like b2sum, with blanks and a plus sign allowed in front. */
static enum fc_status read_length(struct hash *h, const char *text)
{
    const char *p = text + strspn(text, " \t\n\v\f\r");
    unsigned long long bits;
    char *end;

    p += *p == '+';
    errno = 0;
    bits = strtoull(p, &end, 10);
    h->digest_len = bits / 8;
    if (*p < '0' || *p > '9' || *end != '\0')
        return msg_fail(FC_ERR_USAGE, NULL, "invalid length: %s", quote_word(text));
    if (errno != 0)
        return msg_fail(FC_ERR_USAGE, NULL, "invalid length: %s: %s", quote_word(text),
                        strerror(EOVERFLOW));
    if (bits % 8 == 0)
        return FC_OK;
    msg_fail(FC_ERR_USAGE, NULL, "invalid length: %s", quote_word(text));
    return msg_fail(FC_ERR_USAGE, NULL, "length is not a multiple of 8");
}

/* What depends on the order of options. */
static enum fc_status on_option(void *user, const struct opt *opt)
{
    struct hash *h = user;

    if (opt->letter == 'l')
        return read_length(h, h->o.length);
    if (opt->offset == offsetof(struct hash_options, tag))
        h->o.mode = HASH_BINARY;
    return FC_OK;
}

/* What b2sum refuses to combine, in its order. */
static enum fc_status refuse(const struct hash_options *o, const struct command *self)
{
    static const char meaningless[] = "meaningless when verifying checksums";
    static const char needs_check[] = "option is meaningful only when verifying checksums";
    static const char *const talk[] = {NULL, "status", "warn", "quiet"};

    if (o->tag && o->mode == HASH_TEXT)
        return msg_usage(self, "--tag does not support --text mode");
    if (o->check && o->zero)
        return msg_usage(self, "the --zero option is not supported when verifying checksums");
    if (o->check && o->tag)
        return msg_usage(self, "the --tag option is %s", meaningless);
    if (o->check && o->mode != HASH_UNSET)
        return msg_usage(self, "the --binary and --text options are %s", meaningless);
    if (o->check && o->recursive)
        return msg_usage(self, "the --recursive option is %s", meaningless);
    if (!o->check && o->ignore_missing)
        return msg_usage(self, "the --ignore-missing %s", needs_check);
    if (!o->check && o->talk != HASH_NORMAL)
        return msg_usage(self, "the --%s %s", talk[o->talk], needs_check);
    if (!o->check && o->strict)
        return msg_usage(self, "the --strict %s", needs_check);
    return FC_OK;
}

/* The digest from the options. */
static enum fc_status choose(struct hash *h, const struct command *self)
{
    static const char *const names[] = {"blake2b", "blake2bp"};

    if (h->digest_len > FC_SUM_DIGEST_MAX) {
        msg_fail(FC_ERR_USAGE, NULL, "invalid length: %s", quote_word(h->o.length));
        return msg_fail(FC_ERR_USAGE, NULL, "maximum digest length for 'BLAKE2b' is %d bits",
                        8 * FC_SUM_DIGEST_MAX);
    }
    if (h->digest_len == 0)
        h->digest_len = FC_SUM_DIGEST_MAX;
    while (h->o.algorithm != NULL && strcmp(h->o.algorithm, names[h->algorithm]) != 0)
        if (++h->algorithm > FC_HASH_BLAKE2BP)
            return msg_usage(self, "--algorithm: '%s' is not known", h->o.algorithm);
    return FC_OK;
}

static bool is_stdin(const char *file)
{
    return strcmp(file, "-") == 0 || out_named_fd(file) == STDIN_FILENO;
}

static bool names_stdin(int n, char **files)
{
    for (int i = 0; i < n; i++)
        if (is_stdin(files[i]))
            return true;
    return false;
}

static enum fc_status prepare(struct hash *h, const struct command *self, int n, char **files)
{
    enum fc_status status = choose(h, self);

    if (status == FC_OK)
        status = refuse(&h->o, self);
    if (status != FC_OK || h->o.key_file == NULL)
        return status;
    if (is_stdin(h->o.key_file) && names_stdin(n, files))
        return msg_usage(self, "standard input can be only one of data and key file");
    return hash_read_key(h, h->o.key_file) ? FC_OK : FC_ERR_USAGE;
}

static void finish(struct hash *h)
{
    if (!line_flush(&h->out)) {
        msg_fail_stdout(h->out.sys);
        h->failed = true;
    }
    line_writer_free(&h->out);
}

enum fc_status cmd_hash(const struct command *self, int argc, char **argv)
{
    char dash[] = "-";
    char *only_stdin[] = {dash, NULL};
    struct hash h = {0};
    const struct opt_group groups[] = {
        {"Checksums", opt_sum, &h.o},
        {"Checking (the others only with --check)", opt_check, &h.o},
        {"Beyond b2sum", opt_beyond, &h.o},
        {"General", opt_about, &h.o},
        {0},
    };
    const struct opt_watch watch = {on_option, &h};
    enum fc_status status;

    msg_imitate_gnu(strcmp(self->name, "hash") == 0 ? "fcrypt hash" : self->name);
    if (!opt_parse_watched(self, groups, &argc, &argv, &status, &watch))
        return status == FC_OK ? FC_OK : FC_ERR_MIXED;
    if (argc == 0) {
        argc = 1;
        argv = only_stdin;
    }
    if (prepare(&h, self, argc, argv) != FC_OK)
        h.failed = true;
    else if (h.o.check)
        hash_check(&h, argc, argv);
    else
        hash_sum(&h, argc, argv);
    finish(&h);
    fc_secret_free(h.key);
    return h.failed ? FC_ERR_MIXED : FC_OK;
}
