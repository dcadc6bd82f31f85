/* fcrypt enc: files and pipes into containers. */
#include <string.h>

#include "msg.h"
#include "pass.h"
#include "run.h"

enum { WEAK_KDF_MIB = 64 }; /* below it Argon2id costs too little to be chosen without a word */

struct enc_options {
    const char *cipher;
    uint64_t chunk_size;
    uint64_t kdf_mib;
    uint64_t kdf_passes;
    bool fresh_salt;
};

#define FIELD(name) offsetof(struct enc_options, name)
static const struct opt opt_enc[] = {
    {0, "cipher", "NAME", "aes-256-gcm-siv (default) or aes-128-gcm-siv", OPT_STRING, FIELD(cipher),
     0, 0},
    {0, "chunk-size", "SIZE", "8K..16M, a power of two (default 64K)", OPT_SIZE, FIELD(chunk_size),
     1u << FC_CHUNK_LOG2_MIN, 1u << FC_CHUNK_LOG2_MAX},
    {0, "kdf-memory", "MIB", "memory of Argon2id in MiB (default 256)", OPT_NUMBER, FIELD(kdf_mib),
     1, FC_DEFAULT_MAX_MEM_KIB / 1024},
    {0, "kdf-passes", "N", "passes of Argon2id (default 3)", OPT_NUMBER, FIELD(kdf_passes), 1,
     UINT32_MAX},
    {0, "fresh-salt", NULL, "a salt, and an Argon2id run, for each file", OPT_FLAG,
     FIELD(fresh_salt), 0, 0},
    {0},
};
#undef FIELD

struct enc {
    struct run run;
    struct pass pass;
    struct file_options files;
    struct fc_enc_options how;
};

/* The library's options from the command's. */
static enum fc_status choose(struct fc_enc_options *how, const struct enc_options *o,
                             const struct command *self)
{
    unsigned suite = FC_SUITE_AES256_GCM_SIV;

    while (o->cipher != NULL && strcmp(o->cipher, fc_suite_name(suite)) != 0)
        if (++suite > FC_SUITE_AES128_GCM_SIV)
            return msg_usage(self, "--cipher: '%s' is not known", o->cipher);
    if ((o->chunk_size & (o->chunk_size - 1)) != 0)
        return msg_usage(self, "--chunk-size must be a power of two");
    *how = (struct fc_enc_options){
        .suite = suite,
        .kdf_passes = (uint32_t)o->kdf_passes,
        .kdf_mem_kib = (uint32_t)o->kdf_mib * 1024,
        .fresh_salt = o->fresh_salt,
    };
    while ((uint64_t)1 << how->chunk_log2 < o->chunk_size)
        how->chunk_log2++;
    return FC_OK;
}

static enum fc_status open_output(struct enc *e, struct input *in, struct out *out)
{
    bool from_file = in->path != NULL && S_ISREG(in->st.st_mode);
    struct out_spec spec = {
        .no_terminal = true,
        .mode = from_file ? in->st.st_mode & 0777 : out_private_mode(),
        .avoid = {NULL, &e->pass.files[0], &e->pass.files[1]},
    };
    enum fc_status status = files_out_add(&spec, &e->files, in);

    return status == FC_OK ? out_open(out, &spec) : status;
}

static enum fc_status encrypt(struct enc *e, const struct input *in, struct out *out)
{
    enum fc_status status = pass_ask(&e->pass, NULL);
    struct fc_err err;

    if (status != FC_OK)
        return status;
    run_begin(&e->run, in);
    status = fc_encrypt(e->run.ctx, &e->how, &e->pass.cred, in->fd, &out->to, &err);
    run_end(&e->run);
    return status == FC_OK ? FC_OK : files_error(in, out, &err);
}

static enum fc_status enc_one(const char *file, void *user)
{
    struct enc *e = user;
    enum fc_status status;
    struct input in;
    struct out out;

    status = input_open(&in, file);
    if (status != FC_OK)
        return status;
    status = open_output(e, &in, &out);
    if (status == FC_OK) {
        status = encrypt(e, &in, &out);
        if (status == FC_OK)
            status = out_commit(&out);
        else
            out_drop(&out);
        if (status == FC_OK)
            msg_detail(in.name, "encrypted to %s", out.name);
    }
    input_close(&in);
    return status;
}

enum fc_status cmd_enc(const struct command *self, int argc, char **argv)
{
    struct enc_options o = {
        .chunk_size = 1u << FC_DEFAULT_CHUNK_LOG2,
        .kdf_mib = FC_DEFAULT_KDF_MEM_KIB / 1024,
        .kdf_passes = FC_DEFAULT_KDF_PASSES,
    };
    struct general_options general = {0};
    struct run_options run = {0};
    struct pass_options pass = {0};
    struct enc e = {0};
    const struct opt_group groups[] = {
        {"Credentials (none: asks for a passphrase)", opt_pass, &pass},
        {"Files", opt_files, &e.files},
        {"Encryption", opt_enc, &o},
        {"Running", opt_run, &run},
        {"General", opt_general, &general},
        {0},
    };
    enum fc_status status;

    if (!opt_parse(self, groups, &argc, &argv, &status))
        return status;
    msg_init(general.quiet, general.verbose);
    status = choose(&e.how, &o, self);
    if (status == FC_OK)
        status = files_check(self, &e.files, argc, argv);
    if (status == FC_OK && e.files.to_stdout && argc > 1)
        status = msg_usage(self, "-c takes one input only: containers cannot be joined");
    if (status == FC_OK)
        status = pass_load(&e.pass, &pass, self, true, files_have_stdin(argc, argv));
    if (status == FC_OK)
        status =
            run_open(&e.run, &run, FC_DEFAULT_MAX_MEM_KIB, (uint64_t)FC_DEFAULT_MAX_WORK << 20);
    if (status == FC_OK && (e.pass.ask || e.pass.cred.pass != NULL) && o.kdf_mib < WEAK_KDF_MIB)
        msg_note(NULL, "--kdf-memory %u: less than %d MiB makes guessing cheap",
                 (unsigned)o.kdf_mib, WEAK_KDF_MIB);
    if (status == FC_OK)
        status = files_each(argc, argv, enc_one, &e);
    run_close(&e.run);
    pass_free(&e.pass);
    return status;
}
