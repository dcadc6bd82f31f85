/* fcrypt dec: containers back into what they were made from. */
#include "msg.h"
#include "pass.h"
#include "run.h"
#include "slots.h"

struct dec_options {
    bool test;
    uint64_t max_mib;
    uint64_t max_work;
};

#define FIELD(name) offsetof(struct dec_options, name)
static const struct opt opt_dec[] = {
    {'t', "test", NULL, "verify everything, write nothing", OPT_FLAG, FIELD(test), 0, 0},
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

static enum fc_status unlock(struct dec *d, const struct input *in, struct fc_container *c)
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

static enum fc_status decrypt(struct dec *d, const struct input *in, struct fc_container *c,
                              struct out *out)
{
    enum fc_status status;
    struct fc_err err;

    run_begin(&d->run, in);
    status = fc_container_decrypt(c, &out->to, &err);
    run_end(&d->run);
    if (status != FC_OK)
        return files_error(in, out, &err);
    if (d->test && slots_damaged(c) > 0)
        return msg_fail(FC_ERR_DATA, in->name,
                        "the data are whole, but %zu of the slots %s damaged", slots_damaged(c),
                        slots_damaged(c) == 1 ? "is" : "are");
    return FC_OK;
}

/* The container is open; the output is looked at before anybody is asked for anything. */
static enum fc_status dec_container(struct dec *d, const struct input *in, struct fc_container *c,
                                    const struct out_spec *spec)
{
    struct out out = {.to = {.fd = -1}, .dir_fd = -1};
    enum fc_status status = FC_OK;

    if (!d->test)
        status = out_open(&out, spec);
    if (status == FC_OK)
        status = unlock(d, in, c);
    if (status == FC_OK)
        status = decrypt(d, in, c, &out);
    if (status != FC_OK || d->test)
        out_drop(&out);
    else
        status = out_commit(&out);
    if (status == FC_OK && d->test)
        msg_detail(in->name, "is whole");
    else if (status == FC_OK)
        msg_detail(in->name, "decrypted to %s", out.name);
    return status;
}

static enum fc_status dec_input(struct dec *d, struct input *in)
{
    struct out_spec spec = {
        .mode = out_private_mode(),
        .avoid = {NULL, &d->pass.files[0], &d->pass.files[1]},
    };
    struct fc_container *c;
    struct fc_head head;
    enum fc_status status;
    struct fc_err err;

    status = input_refuse_terminal(in);
    if (status == FC_OK && !d->test)
        status = files_out_strip(&spec, &d->files, in);
    if (status != FC_OK)
        return status;
    d->run.file = in->name;
    if (fc_head_read(&head, in->fd, &err) != FC_OK ||
        fc_container_open(d->run.ctx, &c, &head, in->fd, &err) != FC_OK)
        return msg_error(in->name, &err);
    status = dec_container(d, in, c, &spec);
    fc_container_close(c);
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

enum fc_status cmd_dec(const struct command *self, int argc, char **argv)
{
    struct dec_options o = {
        .max_mib = FC_DEFAULT_MAX_MEM_KIB / 1024,
        .max_work = FC_DEFAULT_MAX_WORK,
    };
    struct general_options general = {0};
    struct run_options run = {0};
    struct pass_options pass = {0};
    struct dec d = {0};
    const struct opt_group groups[] = {
        {"Credentials (none: asks for the passphrase)", opt_pass, &pass},
        {"Files", opt_files, &d.files},
        {"Decryption", opt_dec, &o},
        {"Running", opt_run, &run},
        {"General", opt_general, &general},
        {0},
    };
    enum fc_status status;

    if (!opt_parse(self, groups, &argc, &argv, &status))
        return status;
    msg_init(general.quiet, general.verbose);
    d.test = o.test;
    status = files_check(self, &d.files, argc, argv);
    if (status == FC_OK && d.test && (d.files.output != NULL || d.files.to_stdout))
        status = msg_usage(self, "-t writes nothing: it excludes -o and -c");
    if (status == FC_OK)
        status = pass_load(&d.pass, &pass, self, false, files_have_stdin(argc, argv));
    if (status == FC_OK)
        status = run_open(&d.run, &run, o.max_mib * 1024, o.max_work << 20);
    if (status == FC_OK)
        status = files_each(argc, argv, dec_one, &d);
    run_close(&d.run);
    pass_free(&d.pass);
    files_free(&d.files);
    return status;
}
