/* fcrypt dec: containers and disk images back into what they were made from. */
#include "msg.h"
#include "pass.h"
#include "raw.h"
#include "run.h"
#include "slots.h"

struct dec_options {
    bool test;
    bool sparse;
    uint64_t key_slot; /* RAW_NOT_GIVEN */
    uint64_t max_mib;  /* 0: not given, like the next one */
    uint64_t max_work;
};

#define FIELD(name) offsetof(struct dec_options, name)
static const struct opt opt_dec[] = {
    {'t', "test", NULL, "verify everything, write nothing", OPT_FLAG, FIELD(test), 0, 0},
    {0, "sparse", NULL, "make holes of zeros in new files", OPT_FLAG, FIELD(sparse), 0, 0},
    {0, "key-slot", "N", "of a LUKS2 image, try slot N alone", OPT_NUMBER, FIELD(key_slot), 0,
     FC_LUKS2_SLOTS - 1},
    {0, "max-memory", "MIB", "memory Argon2id may take, in MiB (default 1024)", OPT_NUMBER,
     FIELD(max_mib), 1, UINT32_MAX / 1024 + 1},
    {0, "max-kdf-work", "N", "GiB-passes Argon2id may take in all (default 16)", OPT_NUMBER,
     FIELD(max_work), 1, (UINT64_C(1) << 44) - 1},
    {0},
};
#undef FIELD

struct dec {
    struct run run;
    struct pass pass;
    struct file_options files;
    bool test;
    bool sparse;
    int key_slot; /* FC_LUKS2_ANY_SLOT, or of LUKS2 images */
};

/* No slot is of a kind that the credential could open. */
static enum fc_status no_such_slot(const struct input *in, unsigned kinds)
{
    msg_fail(FC_ERR_KEY, in->name, "opens with %s only", slots_describe(kinds));
    if (kinds & SLOTS_PASSPHRASE)
        msg_hint("-p asks for the passphrase");
    else if (kinds & SLOTS_KEY_FILE)
        msg_hint("-k FILE names the key file");
    else
        msg_hint("-k FILE -p");
    return FC_ERR_KEY;
}

static enum fc_status unlock_container(struct dec *d, const struct input *in,
                                       struct fc_container *c)
{
    unsigned kinds = slots_kinds(c);
    bool has_pass = d->pass.ask || d->pass.cred.pass != NULL;
    unsigned fit = slots_fit(has_pass, d->pass.cred.key != NULL);
    enum fc_status status = FC_OK;
    struct fc_err err;

    if (kinds != 0 && (kinds & fit) == 0 && slots_unusable(c) == 0)
        return no_such_slot(in, kinds);
    if (kinds & fit & (SLOTS_PASSPHRASE | SLOTS_BOTH))
        status = pass_ask(&d->pass, in->name);
    if (status == FC_OK && fc_container_unlock(c, &d->pass.cred, &err) != FC_OK)
        status = msg_error(in->name, &err);
    return status;
}

static enum fc_status unlock_luks(struct dec *d, const struct input *in, struct fc_luks *luks)
{
    struct fc_piece phrase;
    enum fc_status status = pass_luks(&d->pass, in->name, &phrase);
    struct fc_err err;

    if (status == FC_OK && fc_luks_unlock(luks, phrase, d->key_slot, &err) != FC_OK)
        status = msg_error(in->name, &err);
    return status;
}

/* An input whose header was read: one of the two. */
struct sealed {
    struct fc_container *container;
    struct fc_luks *luks;
};

static enum fc_status decrypt(struct dec *d, const struct input *in, const struct sealed *s,
                              struct out *out)
{
    enum fc_status status;
    struct fc_err err;

    run_begin(&d->run, in);
    if (s->luks != NULL)
        status = fc_luks_decrypt(s->luks, &out->to, &err);
    else
        status = fc_container_decrypt(s->container, &out->to, &err);
    run_end(&d->run);
    if (status != FC_OK)
        return files_error(in, out, &err);
    if (s->luks == NULL && d->test && slots_damaged(s->container) > 0)
        return msg_fail(
            FC_ERR_DATA, in->name, "the data are whole, but %zu of the slots %s damaged",
            slots_damaged(s->container), slots_damaged(s->container) == 1 ? "is" : "are");
    return FC_OK;
}

/* The header is read; the output is looked at before anybody is asked for anything. */
static enum fc_status dec_sealed(struct dec *d, const struct input *in, const struct sealed *s,
                                 const struct out_spec *spec)
{
    struct out out = {.to = {.fd = -1}, .dir_fd = -1};
    enum fc_status status = FC_OK;

    if (!d->test)
        status = out_open(&out, spec);
    out.to.sparse = d->sparse && out.to.positional;
    if (status == FC_OK)
        status =
            s->luks != NULL ? unlock_luks(d, in, s->luks) : unlock_container(d, in, s->container);
    if (status == FC_OK)
        status = decrypt(d, in, s, &out);
    if (status != FC_OK || d->test)
        out_drop(&out);
    else
        status = out_commit(&out);
    if (status == FC_OK && d->test && s->luks != NULL)
        msg_note(in->name,
                 "LUKS2 does not authenticate: only its key and its length were verified");
    else if (status == FC_OK && d->test)
        msg_detail(in->name, "is whole");
    else if (status == FC_OK)
        msg_detail(in->name, "decrypted to %s", out.name);
    return status;
}

static enum fc_status open_sealed(struct dec *d, const struct input *in, const struct fc_head *head,
                                  bool luks, struct sealed *s)
{
    enum fc_status status;
    struct fc_err err;

    if (luks)
        status = fc_luks_open(d->run.ctx, &s->luks, head, in->fd, &err);
    else
        status = fc_container_open(d->run.ctx, &s->container, head, in->fd, &err);
    if (status != FC_OK)
        return msg_error(in->name, &err);
    if (!luks && d->key_slot != FC_LUKS2_ANY_SLOT)
        return msg_fail(FC_ERR_USAGE, in->name, "--key-slot is for LUKS2 images");
    return luks ? FC_OK : pass_want_key(&d->pass);
}

static enum fc_status dec_input(struct dec *d, struct input *in)
{
    struct out_spec spec = {
        .mode = out_private_mode(),
        .avoid = {NULL, &d->pass.files[0], &d->pass.files[1]},
    };
    struct sealed sealed = {NULL, NULL};
    struct fc_head head;
    enum fc_status status;
    struct fc_err err;
    bool luks;

    status = input_refuse_terminal(in);
    if (status != FC_OK)
        return status;
    if (fc_head_read(&head, in->fd, &err) != FC_OK)
        return msg_error(in->name, &err);
    luks = fc_luks_recognise(&head, in->fd);
    if (!d->test)
        status = files_out_strip(&spec, &d->files, luks ? SUFFIX_LUKS : SUFFIX_CONTAINER, in);
    if (status != FC_OK)
        return status;
    d->run.file = in->name;
    status = open_sealed(d, in, &head, luks, &sealed);
    if (status == FC_OK)
        status = dec_sealed(d, in, &sealed, &spec);
    fc_container_close(sealed.container);
    fc_luks_close(sealed.luks);
    return status;
}

static enum fc_status dec_one(const char *file, void *user)
{
    enum fc_status status;
    struct input in;

    status = input_open(&in, file);
    if (status == FC_OK) {
        status = dec_input(user, &in);
        input_close(&in);
    }
    return status;
}

/* Everything the command line can say. */
struct args {
    struct general_options general;
    struct pass_options pass;
    struct dec_options dec;
    struct raw_options raw;
    struct run_options run;
};

static enum fc_status run_raw(struct dec *d, const struct args *a, const struct command *self,
                              int argc, char **argv)
{
    const struct raw_call call = {
        .raw = &a->raw,
        .files = &d->files,
        .pass = &a->pass,
        .run = &a->run,
        .sparse = a->dec.sparse,
    };

    const char *option = NULL;

    if (d->test)
        return msg_usage(self, "-t does not go with %s: there is nothing to verify",
                         raw_mode(&a->raw));
    if (a->dec.key_slot != RAW_NOT_GIVEN)
        option = "--key-slot";
    else if (a->dec.max_mib != 0)
        option = "--max-memory";
    else if (a->dec.max_work != 0)
        option = "--max-kdf-work";
    if (option != NULL)
        return msg_usage(self, "%s does not go with %s", option, raw_mode(&a->raw));
    return raw_run(self, &call, argc, argv);
}

/* Containers and LUKS2 images. */
static enum fc_status run_sealed(struct dec *d, const struct args *a, const struct command *self,
                                 int argc, char **argv)
{
    uint64_t max_mib = a->dec.max_mib == 0 ? FC_DEFAULT_MAX_MEM_KIB / 1024 : a->dec.max_mib;
    uint64_t max_work = a->dec.max_work == 0 ? FC_DEFAULT_MAX_WORK : a->dec.max_work;
    enum fc_status status = raw_unused(self, &a->raw);

    if (status == FC_OK && a->raw.sector_size != 0)
        status = msg_usage(self, "--sector-size needs --xts");
    if (status == FC_OK)
        status = files_check(self, &d->files, argc, argv);
    if (status == FC_OK && d->test && (d->files.output != NULL || d->files.to_stdout))
        status = msg_usage(self, "-t writes nothing: it excludes -o and -c");
    if (status == FC_OK)
        status = pass_load(&d->pass, &a->pass, self, PASS_READ, files_have_stdin(argc, argv));
    if (status == FC_OK)
        status = run_open(&d->run, &a->run, max_mib * 1024, max_work << 20);
    if (status == FC_OK)
        status = files_each(argc, argv, dec_one, d);
    run_close(&d->run);
    pass_free(&d->pass);
    return status;
}

enum fc_status cmd_dec(const struct command *self, int argc, char **argv)
{
    struct args a = {
        .dec.key_slot = RAW_NOT_GIVEN,
        .raw.first_sector = RAW_NOT_GIVEN,
    };
    struct dec d = {0};
    const struct opt_group groups[] = {
        {"Credentials (none: asks for the passphrase)", opt_pass, &a.pass},
        {"Files", opt_files, &d.files},
        {"Decryption", opt_dec, &a.dec},
        {"Raw images (not authenticated)", opt_raw, &a.raw},
        {"Running", opt_run, &a.run},
        {"General", opt_general, &a.general},
        {0},
    };
    enum fc_status status;

    if (!opt_parse(self, groups, &argc, &argv, &status))
        return status;
    msg_init(a.general.quiet, a.general.verbose);
    d.test = a.dec.test;
    d.sparse = a.dec.sparse;
    d.key_slot = a.dec.key_slot == RAW_NOT_GIVEN ? FC_LUKS2_ANY_SLOT : (int)a.dec.key_slot;
    status =
        raw_mode(&a.raw) ? run_raw(&d, &a, self, argc, argv) : run_sealed(&d, &a, self, argc, argv);
    files_free(&d.files);
    return status;
}
