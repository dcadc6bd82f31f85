#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes.h"
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

/* At the end of the input: whether it is what it was to be. run->n_out is then what may be
 * written. */
static enum fc_status check_end(const struct fc_sectors *s, struct fc_run *run, struct fc_err *err)
{
    uint64_t len = (run->first + run->n - 1) * UNIT + run->last_len;
    enum fc_status status = FC_OK;

    if (run->at_end && s->len != 0 && len != s->len)
        status = cut_short(err);
    if (status == FC_OK)
        status = fc_ops_whole_sectors(s->encrypt, len, s->run.sector_len, err);
    if (status != FC_OK)
        run->n_out = run->n - 1;
    return status;
}

static enum fc_status transform(void *ctx, struct fc_run *run, struct fc_err *err)
{
    const struct fc_sectors *s = ctx;
    struct fc_xts_run sectors = s->run;
    enum fc_status status = FC_OK;

    run->n_out = run->n;
    run->out_last_len = run->last_len;
    if (run->at_end)
        status = check_end(s, run, err);
    sectors.first += run->first * (UNIT / sectors.sector_len) * sectors.stride;
    sectors.count = ((run->n - 1) * UNIT + run->last_len) / sectors.sector_len;
    if (s->encrypt)
        fc_xts_encrypt(s->key, run->buf, run->buf, &sectors);
    else
        fc_xts_decrypt(s->key, run->buf, run->buf, &sectors);
    return status;
}

enum fc_status fc_ops_sectors(struct fc_ctx *ctx, const struct fc_sectors *s, int in_fd,
                              const struct fc_out *out, struct fc_err *err)
{
    return fc_engine_run(
        &(struct fc_engine){
            .in_fd = in_fd,
            .in_limit = s->len,
            .out_fd = out->fd,
            .in_unit = UNIT,
            .out_unit = UNIT,
            .run_units = RUN_UNITS,
            .threads = ctx->config.threads,
            .max_memory = RING_BYTES,
            .positional_out = out->positional,
            .sparse_out = out->sparse,
            .transform = transform,
            .ctx = (void *)(uintptr_t)s,
            .progress = ctx->config.progress,
            .progress_user = ctx->config.user,
        },
        err);
}

enum fc_status fc_xts_key_check(const uint8_t *key, size_t len, bool encrypt, struct fc_err *err)
{
    static const size_t lens[] = {32, 64, 0};
    enum fc_status status = fc_raw_key_check(key, len, lens, "AES-XTS", err);

    if (status != FC_OK) {
        if (err != NULL && err->hint[0] == '\0')
            fc_err_hint(err, "fcrypt keygen --xts 256 makes one");
        return status;
    }
    if (encrypt && fc_xts_halves_equal(key, len)) {
        fc_err_set(err, FC_ERR_USAGE,
                   "the two halves of the key are the same: XTS is weak with it");
        return fc_err_hint(err, "fcrypt keygen --xts 256 makes a good one");
    }
    return FC_OK;
}

enum fc_status fc_ops_xts_check(const struct fc_xts_params *p, const struct fc_range *range,
                                struct fc_err *err)
{
    uint32_t len = p->sector_len;

    if (len < FC_LUKS2_MIN_SECTOR || len > FC_LUKS2_MAX_SECTOR || (len & (len - 1)) != 0)
        return fc_err_set(err, FC_ERR_USAGE, "a sector has 512, 1024, 2048 or 4096 bytes");
    if (p->first_sector > INT64_MAX / len)
        return fc_err_set(err, FC_ERR_USAGE, "the first sector is beyond the end of any disk");
    if (range == NULL)
        return FC_OK;
    if (range->offset % len != 0 || range->len % len != 0)
        return fc_err_set(err, FC_ERR_USAGE,
                          "the range is not on the bounds of sectors of %u bytes", (unsigned)len);
    if (range->offset > INT64_MAX - range->len)
        return fc_err_set(err, FC_ERR_USAGE, "the range is beyond the end of any disk");
    return FC_OK;
}

enum fc_status fc_ops_xts_range(uint64_t len, const struct fc_range *range, struct fc_err *err)
{
    if (range->offset <= len && range->len <= len - range->offset)
        return FC_OK;
    return fc_err_set(err, FC_ERR_USAGE,
                      "the range ends behind the end of the input, at %llu bytes",
                      (unsigned long long)len);
}

struct fc_xts_run fc_ops_xts_run(const struct fc_xts_params *p, uint64_t offset)
{
    uint64_t stride = p->large_iv ? 1 : p->sector_len / FC_LUKS2_MIN_SECTOR;

    return (struct fc_xts_run){
        .first = (p->first_sector + offset / p->sector_len) * stride,
        .stride = stride,
        .sector_len = p->sector_len,
    };
}

/* Refuses what can be refused beforehand; moves in_fd to the part that is wanted. */
static enum fc_status seek_part(const struct fc_xts_params *p, bool encrypt, int in_fd,
                                const struct fc_range *range, struct fc_err *err)
{
    enum fc_status status = fc_ops_xts_check(p, range, err);
    uint64_t len;
    bool known;

    if (status == FC_OK)
        status = fc_ops_length(&len, &known, in_fd, err);
    if (status != FC_OK)
        return status;
    if (known && range != NULL)
        status = fc_ops_xts_range(len, range, err);
    else if (known)
        status = fc_ops_whole_sectors(encrypt, len, p->sector_len, err);
    if (status == FC_OK && range != NULL)
        status = fc_skip(in_fd, range->offset, err);
    return status;
}

enum fc_status fc_xts_stream(struct fc_ctx *ctx, const struct fc_xts_params *params, bool encrypt,
                             int in_fd, const struct fc_out *out, const struct fc_range *range,
                             struct fc_err *err)
{
    struct fc_sectors s = {
        .encrypt = encrypt,
        .len = range == NULL ? 0 : range->len,
    };
    struct fc_xts_key *key;
    enum fc_status status = seek_part(params, encrypt, in_fd, range, err);

    if (status != FC_OK || (range != NULL && range->len == 0))
        return status;
    key = fc_secret_alloc(sizeof(*key));
    if (key == NULL)
        return fc_err_set(err, FC_ERR_LIMIT, "not enough memory");
    fc_xts_key_init(key, params->key, params->key_len);
    s.key = key;
    s.run = fc_ops_xts_run(params, range == NULL ? 0 : range->offset);
    status = fc_ops_sectors(ctx, &s, in_fd, out, err);
    fc_secret_free(key);
    return status;
}
