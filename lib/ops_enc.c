#include <string.h>

#include "bytes.h"
#include "ops.h"

/* Everything secret about one file being written, in secret memory. */
struct writer {
    uint8_t file_key[FC_FILE_KEY_LEN];
    uint8_t kek[FC_KEK_LEN];
    struct fc_payload payload;
};

static enum fc_status check_options(const struct fc_enc_options *o, const struct fc_cred *cred,
                                    struct fc_err *err)
{
    if (o->chunk_log2 < FC_CHUNK_LOG2_MIN || o->chunk_log2 > FC_CHUNK_LOG2_MAX)
        return fc_err_set(err, FC_ERR_USAGE, "chunk size out of range");
    if (cred->pass == NULL)
        return FC_OK;
    if (cred->pass_len == 0 || cred->pass_len > FC_PASSPHRASE_MAX)
        return fc_err_set(err, FC_ERR_USAGE, "passphrase empty or too long");
    return fc_ops_check_costs(o->kdf_passes, o->kdf_mem_kib, err);
}

static enum fc_slot_kind kind_for(const struct fc_cred *cred)
{
    if (cred->pass == NULL)
        return FC_SLOT_KEY_FILE;
    return cred->key == NULL ? FC_SLOT_PASSPHRASE : FC_SLOT_BOTH;
}

/* The salt of a new slot: a passphrase slot's is shared by the files of a run, so that Argon2id
 * runs once, unless each is to have its own. */
static enum fc_status slot_salt(struct fc_ctx *ctx, struct fc_slot *slot, bool fresh,
                                struct fc_err *err)
{
    enum fc_status status = FC_OK;

    if (fresh || slot->kind == FC_SLOT_KEY_FILE)
        return fc_random(slot->salt, sizeof(slot->salt), err);
    if (!ctx->have_salt) {
        status = fc_random(ctx->slot_salt, sizeof(ctx->slot_salt), err);
        ctx->have_salt = status == FC_OK;
    }
    memcpy(slot->salt, ctx->slot_salt, sizeof(slot->salt));
    return status;
}

/* The header of a new file with one slot; w gets the file key. */
static enum fc_status make_header(struct fc_ctx *ctx, uint8_t header[FC_HEADER_UNIT],
                                  struct writer *w, const struct fc_enc_options *o,
                                  const struct fc_cred *cred, struct fc_err *err)
{
    struct fc_preamble preamble = {
        .suite = o->suite, .chunk_log2 = (uint8_t)o->chunk_log2, .header_units = 1};
    struct fc_slot slot = {.kind = kind_for(cred)};
    enum fc_status status;

    if (slot.kind != FC_SLOT_KEY_FILE) {
        slot.passes = o->kdf_passes;
        slot.mem_kib = o->kdf_mem_kib;
    }
    if ((status = fc_random(w->file_key, sizeof(w->file_key), err)) != FC_OK ||
        (status = fc_random(preamble.file_salt, sizeof(preamble.file_salt), err)) != FC_OK ||
        (status = slot_salt(ctx, &slot, o->fresh_salt, err)) != FC_OK ||
        (status = fc_ops_kek(ctx, w->kek, &slot, cred, err)) != FC_OK)
        return status;
    memset(header, 0, FC_HEADER_UNIT);
    fc_preamble_build(header, &preamble, w->file_key);
    fc_slot_seal(header + FC_PREAMBLE_LEN, header, &slot, w->kek, w->file_key);
    return FC_OK;
}

enum fc_status fc_encrypt(struct fc_ctx *ctx, const struct fc_enc_options *options,
                          const struct fc_cred *cred, int in_fd, const struct fc_out *out,
                          struct fc_err *err)
{
    uint8_t header[FC_HEADER_UNIT];
    struct writer *w;
    enum fc_status status = check_options(options, cred, err);

    if (status != FC_OK)
        return status;
    w = fc_secret_alloc(sizeof(*w));
    if (w == NULL)
        return fc_err_set(err, FC_ERR_LIMIT, "not enough memory");
    status = make_header(ctx, header, w, options, cred, err);
    if (status == FC_OK && out->fd >= 0)
        status = fc_write_full(out->fd, header, sizeof(header), err);
    if (status == FC_OK) {
        fc_payload_init(&w->payload, header, w->file_key);
        status = fc_ops_run(ctx, &w->payload, in_fd, out, true, err);
    }
    fc_secret_free(w);
    return status;
}
