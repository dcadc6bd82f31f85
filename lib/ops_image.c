#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ops_image.h"

enum {
    UNIT = 64 * 1024, /* a multiple of every sector size, so that a run is one piece */
    RUN_UNITS = 4,
    RING_BYTES = 256 * 1024 * 1024,
};

enum fc_status fc_ops_whole_sectors(bool encrypt, uint64_t len, size_t sector_len,
                                    struct fc_err *err)
{
    enum fc_status status = encrypt ? FC_ERR_USAGE : FC_ERR_DATA;
    uint64_t fits = len & -len;

    if (len % sector_len == 0)
        return FC_OK;
    fc_err_set(err, status, "its length of %llu bytes is no multiple of the sector size of %zu",
               (unsigned long long)len, sector_len);
    if (encrypt && fits >= FC_LUKS2_MIN_SECTOR)
        fc_err_hint(err, "--sector-size %llu is the largest that fits", (unsigned long long)fits);
    else if (encrypt)
        fc_err_hint(err, "no sector size fits: it must be a multiple of %d bytes",
                    FC_LUKS2_MIN_SECTOR);
    return status;
}

enum fc_status fc_ops_length(uint64_t *len, bool *known, int fd, struct fc_err *err)
{
    struct stat st;
    off_t at;

    *known = false;
    *len = 0;
    if (fstat(fd, &st) != 0)
        return fc_err_sys(err, errno, "cannot read");
    at = S_ISREG(st.st_mode) ? lseek(fd, 0, SEEK_CUR) : -1;
    if (at < 0)
        return FC_OK;
    *known = true;
    *len = st.st_size > at ? (uint64_t)(st.st_size - at) : 0;
    return FC_OK;
}

static enum fc_status cut_short(struct fc_err *err)
{
    return fc_err_set(err, FC_ERR_DATA, "truncated: the data end too early");
}

/* A stream on its way. */
struct stream {
    const struct fc_cipher *cipher;
    struct fc_range part;
};

/* At the end of the input: whether it is what it was to be. run->n_out is then what may be
 * written. */
static enum fc_status check_end(const struct stream *s, struct fc_run *run, struct fc_err *err)
{
    uint64_t len = (run->first + run->n - 1) * UNIT + run->last_len;
    enum fc_status status = FC_OK;

    if (run->at_end && s->part.len != 0 && len != s->part.len)
        status = cut_short(err);
    if (status == FC_OK)
        status = fc_ops_whole_sectors(s->cipher->encrypt, len, s->cipher->grain, err);
    if (status != FC_OK)
        run->n_out = run->n - 1;
    return status;
}

static enum fc_status transform(void *ctx, struct fc_run *run, struct fc_err *err)
{
    const struct stream *s = ctx;
    enum fc_status status = FC_OK;

    run->n_out = run->n;
    run->out_last_len = run->last_len;
    if (run->at_end)
        status = check_end(s, run, err);
    fc_cipher_apply(s->cipher, run->buf, (run->n - 1) * UNIT + run->last_len,
                    s->part.offset + run->first * UNIT);
    return status;
}

enum fc_status fc_cipher_stream(struct fc_ctx *ctx, const struct fc_cipher *c,
                                const struct fc_range *part, int in_fd, const struct fc_out *out,
                                struct fc_err *err)
{
    struct stream stream = {.cipher = c, .part = *part};

    return fc_engine_run(
        &(struct fc_engine){
            .in_fd = in_fd,
            .in_limit = part->len,
            .out_fd = out->fd,
            .in_unit = UNIT,
            .out_unit = UNIT,
            .run_units = RUN_UNITS,
            .threads = ctx->config.threads,
            .max_memory = RING_BYTES,
            .positional_out = out->positional,
            .sparse_out = out->sparse,
            .transform = transform,
            .ctx = &stream,
            .progress = ctx->config.progress,
            .progress_user = ctx->config.user,
        },
        err);
}
