#include "raw.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "msg.h"

#define FIELD(name) offsetof(struct raw_options, name)
const struct opt opt_raw[] = {
    {0, "xts", NULL, "raw AES-XTS, as of plain dm-crypt with aes-xts-plain64", OPT_FLAG, FIELD(xts),
     0, 0},
    {0, "ctr", NULL, "raw AES-CTR, as of openssl enc -aes-256-ctr", OPT_FLAG, FIELD(ctr), 0, 0},
    {0, "iv", "HEX", "of --ctr: the first counter block, 32 digits", OPT_STRING, FIELD(iv), 0, 0},
    {0, "sector-size", "N", "512 (default with --xts), 1024, 2048 or 4096", OPT_NUMBER,
     FIELD(sector_size), FC_LUKS2_MIN_SECTOR, FC_LUKS2_MAX_SECTOR},
    {0, "first-sector", "N", "number of the image's first sector (default 0)", OPT_NUMBER,
     FIELD(first_sector), 0, INT64_MAX / FC_LUKS2_MIN_SECTOR},
    {0, "iv-large-sectors", NULL, "tweaks count sectors, not units of 512 bytes", OPT_FLAG,
     FIELD(large_iv), 0, 0},
    {0, "range", "OFF:LEN", "only LEN bytes of the image, from byte OFF on", OPT_STRING,
     FIELD(range), 0, 0},
    {0, "in-place", NULL, "change the image itself; can be interrupted", OPT_FLAG, FIELD(in_place),
     0, 0},
    {0},
};
#undef FIELD

struct raw {
    struct run run;
    struct pass pass;
    const struct raw_call *call;
    struct fc_raw_params params;
    struct fc_range range;
    const struct fc_range *part; /* &range, or NULL */
};

const char *raw_mode(const struct raw_options *o)
{
    if (o->xts)
        return "--xts";
    return o->ctr ? "--ctr" : NULL;
}

enum fc_status raw_check_sector(const struct command *self, uint64_t size)
{
    if ((size & (size - 1)) != 0)
        return msg_usage(self, "--sector-size: a sector has 512, 1024, 2048 or 4096 bytes");
    return FC_OK;
}

/* An option of sectors, or NULL. --luks, too, has a sector size. */
static const char *option_of_xts(const struct raw_options *o)
{
    if (o->first_sector != RAW_NOT_GIVEN)
        return "--first-sector";
    return o->large_iv ? "--iv-large-sectors" : NULL;
}

enum fc_status raw_unused(const struct command *self, const struct raw_options *o)
{
    const char *option = NULL;

    if (option_of_xts(o) != NULL)
        return msg_usage(self, "%s needs --xts", option_of_xts(o));
    if (o->iv != NULL)
        return msg_usage(self, "--iv needs --ctr");
    if (o->range != NULL)
        option = "--range";
    else if (o->in_place)
        option = "--in-place";
    return option == NULL ? FC_OK : msg_usage(self, "%s needs --xts or --ctr", option);
}

/* Options of the other raw mode. */
static enum fc_status check_mode(const struct command *self, const struct raw_call *call)
{
    const struct raw_options *o = call->raw;
    const char *option = o->sector_size != 0 ? "--sector-size" : option_of_xts(o);

    if (o->xts && o->ctr)
        return msg_usage(self, "--xts and --ctr exclude each other");
    if (o->ctr && option != NULL)
        return msg_usage(self, "%s does not go with --ctr", option);
    if (o->xts && o->iv != NULL)
        return msg_usage(self, "--iv does not go with --xts");
    if (o->xts || o->iv != NULL)
        return FC_OK;
    msg_fail(FC_ERR_USAGE, NULL, "--ctr needs --iv, which is 32 hexadecimal digits");
    if (call->encrypt)
        msg_hint("openssl rand -hex 16 makes one; no two files under one key may have the same");
    return FC_ERR_USAGE;
}

static enum fc_status check_key_given(const struct command *self, const struct raw_call *call)
{
    if (pass_options_have_pass(call->pass))
        return msg_usage(self, "%s takes a key file (-k), no passphrase", raw_mode(call->raw));
    if (call->pass->key_file != NULL)
        return FC_OK;
    msg_fail(FC_ERR_USAGE, NULL, "%s needs a key file", raw_mode(call->raw));
    if (call->raw->ctr)
        msg_hint("(umask 077; head -c 32 /dev/urandom >FILE) makes one, -k FILE uses it");
    else
        msg_hint("fcrypt keygen --xts 256 -o FILE makes one, -k FILE uses it");
    return FC_ERR_USAGE;
}

static enum fc_status check_files(const struct command *self, const struct raw_call *call, int n,
                                  char **files)
{
    const struct file_options *f = call->files;

    if (f->to_stdout && call->encrypt && n > 1)
        return msg_usage(self, "-c takes one input only: images cannot be joined");
    if (!call->raw->in_place)
        return FC_OK;
    if (f->output != NULL || f->to_stdout || call->sparse)
        return msg_usage(self, "--in-place excludes -o, -c and --sparse");
    if (files_have_stdin(n, files) || n > 1)
        return msg_usage(self, "--in-place takes one FILE");
    return FC_OK;
}

/* The library's parameters from the options; the key comes later. */
static enum fc_status choose(struct raw *r, const struct raw_options *o, const struct command *self)
{
    struct fc_raw_params *p = &r->params;

    p->mode = o->ctr ? FC_RAW_CTR : FC_RAW_XTS;
    if (o->range != NULL) {
        if (!opt_range(&r->range.offset, &r->range.len, o->range))
            return msg_usage(self, "--range: '%s' is no OFFSET:LENGTH", o->range);
        r->part = &r->range;
    }
    if (o->ctr)
        return opt_hex(p->iv, sizeof(p->iv), o->iv)
                   ? FC_OK
                   : msg_usage(self, "--iv: '%s' is not 32 hexadecimal digits", o->iv);
    p->sector_len = (uint32_t)(o->sector_size == 0 ? FC_LUKS2_MIN_SECTOR : o->sector_size);
    p->first_sector = o->first_sector == RAW_NOT_GIVEN ? 0 : o->first_sector;
    p->large_iv = o->large_iv;
    return raw_check_sector(self, p->sector_len);
}

static enum fc_status take_key(struct raw *r)
{
    const struct pass *pass = &r->pass;
    enum fc_status status;
    struct fc_err err;

    if (r->params.mode == FC_RAW_CTR)
        status = fc_ctr_key_check(pass->file, pass->file_len, &err);
    else
        status = fc_xts_key_check(pass->file, pass->file_len, r->call->encrypt, &err);
    if (status != FC_OK)
        return msg_error(r->call->pass->key_file, &err);
    r->params.key = pass->file;
    r->params.key_len = pass->file_len;
    return FC_OK;
}

static enum fc_status open_output(const struct raw *r, struct input *in, struct out *out)
{
    struct out_spec spec = {
        .binary = r->call->encrypt ? "ciphertext" : NULL,
        .mode = r->call->encrypt ? input_mode(in) : out_private_mode(),
        .avoid = {NULL, &r->pass.files[0], &r->pass.files[1]},
    };
    enum fc_status status = files_out_named(&spec, r->call->files, in);

    return status == FC_OK ? out_open(out, &spec) : status;
}

/* An image that is half changed is read as it stands; that is worth a word. */
static void note_journal(const struct input *in)
{
    char *journal;

    if (in->path == NULL || asprintf(&journal, "%s.fcrypt-journal", in->path) < 0)
        return;
    if (access(journal, F_OK) == 0)
        msg_note(in->name, "it has a journal: a change in place is going on or was interrupted");
    free(journal);
}

static enum fc_status to_output(struct raw *r, struct input *in)
{
    enum fc_status status;
    struct fc_err err;
    struct out out;

    status = open_output(r, in, &out);
    if (status != FC_OK)
        return status;
    note_journal(in);
    out.to.sparse = r->call->sparse && out.to.positional;
    run_begin(&r->run, in);
    status =
        fc_raw_stream(r->run.ctx, &r->params, r->call->encrypt, in->fd, &out.to, r->part, &err);
    run_end(&r->run);
    if (status == FC_OK) {
        status = out_commit(&out);
    } else {
        files_error(in, &out, &err);
        out_drop(&out);
    }
    if (status == FC_OK)
        msg_detail(in->name, "%s to %s", r->call->encrypt ? "encrypted" : "decrypted", out.name);
    return status;
}

/* The key would be gone with the first window. */
static bool is_key_file(const struct raw *r, const struct input *in)
{
    for (size_t i = 0; i < sizeof(r->pass.files) / sizeof(r->pass.files[0]); i++)
        if (in->st.st_dev == r->pass.files[i].st_dev && in->st.st_ino == r->pass.files[i].st_ino)
            return true;
    return false;
}

static enum fc_status in_place(struct raw *r, struct input *in)
{
    enum fc_status status;
    struct fc_err err;

    if (is_key_file(r, in))
        return msg_fail(FC_ERR_IO, in->name, "is the key file");
    run_begin(&r->run, in);
    status = fc_raw_in_place(r->run.ctx, &r->params, r->call->encrypt, in->path, r->part, &err);
    run_end(&r->run);
    return status == FC_OK ? FC_OK : msg_error(in->name, &err);
}

static enum fc_status raw_one(const char *file, void *user)
{
    struct raw *r = user;
    enum fc_status status;
    struct input in;
    struct stat st;

    /* Opening a FIFO would wait. */
    if (r->call->raw->in_place && stat(file, &st) == 0 && !S_ISREG(st.st_mode))
        return msg_fail(FC_ERR_IO, file, "only a regular file can be changed in place");
    status = input_open(&in, file);
    if (status != FC_OK)
        return status;
    if (r->call->raw->in_place)
        status = in_place(r, &in);
    else if (r->call->encrypt || (status = input_refuse_terminal(&in)) == FC_OK)
        status = to_output(r, &in);
    input_close(&in);
    return status;
}

enum fc_status raw_run(const struct command *self, const struct raw_call *call, int n, char **files)
{
    struct raw r = {.call = call};
    enum fc_status status;

    status = check_mode(self, call);
    if (status == FC_OK)
        status = check_key_given(self, call);
    if (status == FC_OK)
        status = check_files(self, call, n, files);
    if (status == FC_OK)
        status = choose(&r, call->raw, self);
    if (status == FC_OK)
        status = files_check(self, call->files, n, files);
    if (status == FC_OK)
        status = pass_load(&r.pass, call->pass, self, PASS_RAW, files_have_stdin(n, files));
    if (status == FC_OK)
        status = take_key(&r);
    if (status == FC_OK)
        status = run_open(&r.run, call->run, 0, 0);
    if (status == FC_OK)
        status = files_each(n, files, raw_one, &r);
    run_close(&r.run);
    pass_free(&r.pass);
    return status;
}
