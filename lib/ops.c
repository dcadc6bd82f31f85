#include "ops.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "cpu.h"

enum {
    RUN_BYTES = 256 * 1024, /* plaintext in one run: bench/ shows that more falls out of L2 */
    RING_BYTES = 256 * 1024 * 1024,
};

enum fc_status fc_ctx_new(struct fc_ctx **ctx, const struct fc_config *config, struct fc_err *err)
{
    struct fc_ctx *c = calloc(1, sizeof(*c));

    *ctx = c;
    if (c == NULL)
        return fc_err_set(err, FC_ERR_LIMIT, "not enough memory");
    c->config = *config;
    if (c->config.threads == 0)
        c->config.threads = fc_cpu_count();
    return FC_OK;
}

void fc_ctx_free(struct fc_ctx *ctx)
{
    if (ctx == NULL)
        return;
    while (ctx->kdf_cache != NULL) {
        struct fc_kdf_entry *next = ctx->kdf_cache->next;

        fc_secret_free(ctx->kdf_cache);
        ctx->kdf_cache = next;
    }
    free(ctx);
}

void fc_ops_note(struct fc_ctx *ctx, const char *fmt, ...)
{
    char text[256];
    va_list ap;

    if (ctx->config.note == NULL)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    ctx->config.note(ctx->config.user, text);
}

static bool entry_is(const struct fc_kdf_entry *e, const struct fc_slot *slot,
                     const struct fc_cred *cred)
{
    return e->pass == cred->pass && e->pass_len == cred->pass_len && e->passes == slot->passes &&
           e->mem_kib == slot->mem_kib && memcmp(e->salt, slot->salt, sizeof(e->salt)) == 0;
}

/* Argon2id's answer for slot and cred, from the list or put into it. */
static enum fc_status stretch(struct fc_ctx *ctx, const struct fc_kdf_entry **found,
                              const struct fc_slot *slot, const struct fc_cred *cred,
                              struct fc_err *err)
{
    struct fc_kdf_entry *e = ctx->kdf_cache;

    while (e != NULL && !entry_is(e, slot, cred))
        e = e->next;
    if (e == NULL) {
        enum fc_status status;

        e = fc_secret_alloc(sizeof(*e));
        if (e == NULL)
            return fc_err_set(err, FC_ERR_LIMIT, "not enough memory");
        status = fc_argon2id(e->a, cred->pass, cred->pass_len, slot->salt, slot->passes,
                             slot->mem_kib, err);
        if (status != FC_OK) {
            fc_secret_free(e);
            return status;
        }
        e->pass = cred->pass;
        e->pass_len = cred->pass_len;
        e->passes = slot->passes;
        e->mem_kib = slot->mem_kib;
        memcpy(e->salt, slot->salt, sizeof(e->salt));
        e->next = ctx->kdf_cache;
        ctx->kdf_cache = e;
    }
    *found = e;
    return FC_OK;
}

enum fc_status fc_ops_kek(struct fc_ctx *ctx, uint8_t kek[FC_KEK_LEN], const struct fc_slot *slot,
                          const struct fc_cred *cred, struct fc_err *err)
{
    const struct fc_kdf_entry *stretched = NULL;
    uint8_t f[FC_KEK_LEN];
    enum fc_status status = FC_OK;

    if (slot->kind != FC_SLOT_KEY_FILE)
        status = stretch(ctx, &stretched, slot, cred, err);
    if (status != FC_OK)
        return status;
    if (slot->kind != FC_SLOT_PASSPHRASE)
        fc_key_factor(f, cred->key);
    fc_kek(kek, slot->kind, stretched == NULL ? NULL : stretched->a, f);
    fc_wipe(f, sizeof(f));
    return FC_OK;
}

enum fc_status fc_ops_check_costs(uint32_t passes, uint32_t mem_kib, struct fc_err *err)
{
    const uint64_t max_work = (uint64_t)FC_DEFAULT_MAX_WORK << 20;

    if (passes == 0 || mem_kib < 8)
        return fc_err_set(err, FC_ERR_USAGE, "Argon2id costs out of range");
    if (mem_kib > FC_DEFAULT_MAX_MEM_KIB || (uint64_t)passes * mem_kib > max_work)
        return fc_err_set(err, FC_ERR_LIMIT,
                          "Argon2id costs of %u MiB x %u passes are more than decryption allows "
                          "by default (%d MiB, %d GiB-passes)",
                          (unsigned)(mem_kib >> 10), (unsigned)passes, FC_DEFAULT_MAX_MEM_KIB >> 10,
                          FC_DEFAULT_MAX_WORK);
    return FC_OK;
}

static struct fc_chunk_run chunks_of(const struct fc_run *run)
{
    return (struct fc_chunk_run){
        .first = run->first,
        .n = run->n,
        .last_len = run->last_len,
        .at_end = run->at_end,
        .buf = run->buf,
        .stride = run->stride,
    };
}

static enum fc_status seal_run(void *ctx, struct fc_run *run, struct fc_err *err)
{
    struct fc_chunk_run chunks = chunks_of(run);

    (void)err;
    fc_chunk_seal(ctx, &chunks);
    run->n_out = run->n;
    run->out_last_len = run->last_len + FC_CHUNK_TAG;
    return FC_OK;
}

static enum fc_status open_run(void *ctx, struct fc_run *run, struct fc_err *err)
{
    struct fc_chunk_run chunks = chunks_of(run);
    enum fc_status status = fc_chunk_open(ctx, &chunks, &run->n_out, err);

    if (status == FC_OK)
        run->out_last_len = run->last_len - FC_CHUNK_TAG;
    return status;
}

enum fc_status fc_ops_run(struct fc_ctx *ctx, const struct fc_payload *payload, int in_fd,
                          const struct fc_out *out, bool seal, struct fc_err *err)
{
    size_t sealed_len = payload->chunk_len + FC_CHUNK_TAG;
    size_t units = RUN_BYTES / payload->chunk_len;

    return fc_engine_run(
        &(struct fc_engine){
            .in_fd = in_fd,
            .out_fd = out->fd,
            .in_unit = seal ? payload->chunk_len : sealed_len,
            .out_unit = seal ? sealed_len : payload->chunk_len,
            .run_units = units == 0 ? 1 : units,
            .threads = ctx->config.threads,
            .max_memory = RING_BYTES,
            .positional_out = out->positional,
            .sparse_out = out->sparse,
            .transform = seal ? seal_run : open_run,
            .ctx = (void *)(uintptr_t)payload,
            .progress = ctx->config.progress,
            .progress_user = ctx->config.user,
        },
        err);
}
