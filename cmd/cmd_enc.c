/* fcrypt enc: files and pipes into containers or disk images. */
#include <string.h>

#include "luks.h"
#include "msg.h"
#include "pass.h"
#include "raw.h"
#include "run.h"

enum { WEAK_KDF_MIB = 64 }; /* below it Argon2id costs too little to be chosen without a word */

struct enc_options {
    const char *cipher;
    uint64_t chunk_size; /* 0: not given, like the next two */
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
    bool luks;
    struct fc_enc_options how;
    struct fc_luks_options how_luks;
};

/* The library's options from the command's. */
static enum fc_status choose(struct fc_enc_options *how, const struct enc_options *o,
                             const struct command *self)
{
    unsigned suite = FC_SUITE_AES256_GCM_SIV;

    while (o->cipher != NULL && strcmp(o->cipher, fc_suite_name(suite)) != 0)
        if (++suite > FC_SUITE_AES128_GCM_SIV)
            return msg_usage(self, "--cipher: '%s' is not known", o->cipher);
    if (o->chunk_size != 0 && (o->chunk_size & (o->chunk_size - 1)) != 0)
        return msg_usage(self, "--chunk-size must be a power of two");
    *how = (struct fc_enc_options){
        .suite = suite,
        .kdf_passes = (uint32_t)o->kdf_passes,
        .kdf_mem_kib = (uint32_t)o->kdf_mib * 1024,
        .fresh_salt = o->fresh_salt,
    };
    while ((uint64_t)1 << how->chunk_log2 < o->chunk_size)
        how->chunk_log2++;
    if (o->chunk_size == 0)
        how->chunk_log2 = FC_DEFAULT_CHUNK_LOG2;
    return FC_OK;
}

static enum fc_status open_output(struct enc *e, struct input *in, struct out *out)
{
    struct out_spec spec = {
        .binary = "ciphertext",
        .mode = input_mode(in),
        .avoid = {NULL, &e->pass.files[0], &e->pass.files[1]},
    };
    enum fc_status status =
        files_out_add(&spec, &e->files, e->luks ? SUFFIX_LUKS : SUFFIX_CONTAINER, in);

    return status == FC_OK ? out_open(out, &spec) : status;
}

static enum fc_status encrypt(struct enc *e, const struct input *in, struct out *out)
{
    struct fc_piece phrase = {NULL, 0};
    enum fc_status status = e->luks ? pass_luks(&e->pass, NULL, &phrase) : pass_ask(&e->pass, NULL);
    struct fc_err err;

    if (status != FC_OK)
        return status;
    run_begin(&e->run, in);
    if (e->luks)
        status = fc_luks_encrypt(e->run.ctx, &e->how_luks, phrase, in->fd, &out->to, &err);
    else
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

/* Everything the command line can say. */
struct args {
    struct general_options general;
    struct pass_options pass;
    struct enc_options enc;
    struct raw_options raw;
    struct luks_options luks;
    struct run_options run;
};

/* Options of containers that images do not have. */
static enum fc_status check_unused(const struct command *self, const struct args *a)
{
    const char *raw = raw_mode(&a->raw), *option = NULL;

    if (a->enc.cipher != NULL)
        option = "--cipher";
    else if (a->enc.chunk_size != 0)
        option = "--chunk-size";
    else if (a->enc.fresh_salt)
        option = "--fresh-salt";
    else if (raw != NULL && a->enc.kdf_mib != 0)
        option = "--kdf-memory";
    else if (raw != NULL && a->enc.kdf_passes != 0)
        option = "--kdf-passes";
    return option == NULL ? FC_OK
                          : msg_usage(self, "%s does not go with %s", option, raw ? raw : "--luks");
}

static enum fc_status check_modes(const struct command *self, const struct args *a)
{
    const char *raw = raw_mode(&a->raw);
    enum fc_status status = FC_OK;

    if (raw != NULL && a->luks.luks)
        return msg_usage(self, "%s and --luks exclude each other", raw);
    if (raw == NULL)
        status = raw_unused(self, &a->raw);
    if (status == FC_OK && !a->luks.luks)
        status = luks_unused(self, &a->luks);
    if (status == FC_OK && raw == NULL && !a->luks.luks && a->raw.sector_size != 0)
        status = msg_usage(self, "--sector-size needs --xts or --luks");
    if (status == FC_OK && (raw != NULL || a->luks.luks))
        status = check_unused(self, a);
    return status;
}

static enum fc_status run_raw(struct enc *e, const struct args *a, const struct command *self,
                              int argc, char **argv)
{
    const struct raw_call call = {
        .raw = &a->raw, .files = &e->files, .pass = &a->pass, .run = &a->run, .encrypt = true};

    return raw_run(self, &call, argc, argv);
}

/* Containers and LUKS2 images. */
static enum fc_status run_sealed(struct enc *e, struct args *a, const struct command *self,
                                 int argc, char **argv)
{
    enum pass_use use = e->luks ? PASS_WRITE_LUKS : PASS_WRITE;
    enum fc_status status;

    if (a->enc.kdf_mib == 0)
        a->enc.kdf_mib = FC_DEFAULT_KDF_MEM_KIB / 1024;
    if (a->enc.kdf_passes == 0)
        a->enc.kdf_passes = FC_DEFAULT_KDF_PASSES;
    status = choose(&e->how, &a->enc, self);
    if (status == FC_OK && e->luks)
        status = luks_choose(&e->how_luks, &a->luks, a->raw.sector_size, self);
    e->how_luks.kdf_passes = e->how.kdf_passes;
    e->how_luks.kdf_mem_kib = e->how.kdf_mem_kib;
    if (status == FC_OK)
        status = files_check(self, &e->files, argc, argv);
    if (status == FC_OK && e->files.to_stdout && argc > 1)
        status = msg_usage(self, "-c takes one input only: what enc writes cannot be joined");
    if (status == FC_OK && e->luks && a->pass.key_file != NULL && pass_options_have_pass(&a->pass))
        status = msg_usage(self, "--luks takes a key file (-k) or a passphrase, not both");
    if (status == FC_OK)
        status = pass_load(&e->pass, &a->pass, self, use, files_have_stdin(argc, argv));
    if (status == FC_OK)
        status =
            run_open(&e->run, &a->run, FC_DEFAULT_MAX_MEM_KIB, (uint64_t)FC_DEFAULT_MAX_WORK << 20);
    if (status == FC_OK && (e->luks || e->pass.ask || e->pass.cred.pass != NULL) &&
        a->enc.kdf_mib < WEAK_KDF_MIB)
        msg_note(NULL, "--kdf-memory %u: less than %d MiB makes guessing cheap",
                 (unsigned)a->enc.kdf_mib, WEAK_KDF_MIB);
    if (status == FC_OK)
        status = files_each(argc, argv, enc_one, e);
    run_close(&e->run);
    pass_free(&e->pass);
    return status;
}

enum fc_status cmd_enc(const struct command *self, int argc, char **argv)
{
    struct args a = {.raw.first_sector = RAW_NOT_GIVEN};
    struct enc e = {0};
    const struct opt_group groups[] = {
        {"Credentials (none: asks for a passphrase)", opt_pass, &a.pass},
        {"Files", opt_files, &e.files},
        {"Encryption", opt_enc, &a.enc},
        {"LUKS2 images (not authenticated)", opt_luks, &a.luks},
        {"Raw images (not authenticated)", opt_raw, &a.raw},
        {"Running", opt_run, &a.run},
        {"General", opt_general, &a.general},
        {0},
    };
    enum fc_status status;

    if (!opt_parse(self, groups, &argc, &argv, &status))
        return status;
    msg_init(a.general.quiet, a.general.verbose);
    status = check_modes(self, &a);
    e.luks = a.luks.luks;
    if (status == FC_OK && raw_mode(&a.raw) != NULL)
        status = run_raw(&e, &a, self, argc, argv);
    else if (status == FC_OK)
        status = run_sealed(&e, &a, self, argc, argv);
    files_free(&e.files);
    return status;
}
