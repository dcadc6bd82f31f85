#include <string.h>

#include "ops_image.h"

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

enum fc_status fc_ctr_key_check(const uint8_t *key, size_t len, struct fc_err *err)
{
    static const size_t lens[] = {16, 24, 32};
    enum fc_status status = fc_raw_key_check(key, len, lens, "AES-CTR", err);

    if (status != FC_OK && err != NULL && err->hint[0] == '\0')
        fc_err_hint(err, "(umask 077; head -c 32 /dev/urandom >FILE) makes one");
    return status;
}

static uint64_t tweak_stride(const struct fc_raw_params *p)
{
    return p->large_iv ? 1 : p->sector_len / FC_LUKS2_MIN_SECTOR;
}

void fc_cipher_xts(struct fc_cipher *c, const uint8_t *key, size_t key_len,
                   const struct fc_xts_run *run, bool encrypt)
{
    c->mode = FC_RAW_XTS;
    c->encrypt = encrypt;
    c->grain = (uint32_t)run->sector_len;
    c->run = *run;
    fc_xts_key_init(&c->key.xts, key, key_len);
}

void fc_cipher_raw(struct fc_cipher *c, const struct fc_raw_params *p, bool encrypt)
{
    if (p->mode == FC_RAW_XTS) {
        const struct fc_xts_run run = {
            .first = p->first_sector * tweak_stride(p),
            .stride = tweak_stride(p),
            .sector_len = p->sector_len,
        };

        fc_cipher_xts(c, p->key, p->key_len, &run, encrypt);
        return;
    }
    c->mode = FC_RAW_CTR;
    c->encrypt = encrypt;
    c->grain = 1;
    memcpy(c->iv, p->iv, FC_CTR_IV);
    fc_ctr_key_init(&c->key.ctr, p->key, p->key_len);
}

void fc_cipher_apply(const struct fc_cipher *c, uint8_t *buf, size_t len, uint64_t offset)
{
    struct fc_xts_run run = c->run;

    if (c->mode == FC_RAW_CTR) {
        fc_ctr_xor(&c->key.ctr, buf, buf, len, c->iv, offset);
        return;
    }
    run.first += offset / run.sector_len * run.stride;
    run.count = len / run.sector_len;
    if (c->encrypt)
        fc_xts_encrypt(&c->key.xts, buf, buf, &run);
    else
        fc_xts_decrypt(&c->key.xts, buf, buf, &run);
}

static enum fc_status check_sectors(const struct fc_raw_params *p, const struct fc_range *range,
                                    struct fc_err *err)
{
    uint32_t len = p->sector_len;

    if (len < FC_LUKS2_MIN_SECTOR || len > FC_LUKS2_MAX_SECTOR || (len & (len - 1)) != 0)
        return fc_err_set(err, FC_ERR_USAGE, "a sector has 512, 1024, 2048 or 4096 bytes");
    if (p->first_sector > INT64_MAX / len)
        return fc_err_set(err, FC_ERR_USAGE, "the first sector is beyond the end of any disk");
    if (range != NULL && (range->offset % len != 0 || range->len % len != 0))
        return fc_err_set(err, FC_ERR_USAGE,
                          "the range is not on the bounds of sectors of %u bytes", (unsigned)len);
    return FC_OK;
}

enum fc_status fc_ops_raw_check(const struct fc_raw_params *p, const struct fc_range *range,
                                struct fc_err *err)
{
    enum fc_status status = p->mode == FC_RAW_XTS ? check_sectors(p, range, err) : FC_OK;

    if (status == FC_OK && range != NULL &&
        (range->len > INT64_MAX || range->offset > INT64_MAX - range->len))
        status = fc_err_set(err, FC_ERR_USAGE, "the range is beyond the end of any disk");
    return status;
}

enum fc_status fc_ops_raw_fits(const struct fc_raw_params *p, bool encrypt, uint64_t len,
                               const struct fc_range *range, struct fc_err *err)
{
    if (range == NULL && p->mode == FC_RAW_XTS)
        return fc_ops_whole_sectors(encrypt, len, p->sector_len, err);
    if (range == NULL || (range->offset <= len && range->len <= len - range->offset))
        return FC_OK;
    return fc_err_set(err, FC_ERR_USAGE,
                      "the range ends behind the end of the input, at %llu bytes",
                      (unsigned long long)len);
}

/* Refuses what can be refused beforehand; moves in_fd to the part that is wanted. */
static enum fc_status seek_part(const struct fc_raw_params *p, bool encrypt, int in_fd,
                                const struct fc_range *range, struct fc_err *err)
{
    enum fc_status status = fc_ops_raw_check(p, range, err);
    uint64_t len;
    bool known;

    if (status == FC_OK)
        status = fc_ops_length(&len, &known, in_fd, err);
    if (status == FC_OK && known)
        status = fc_ops_raw_fits(p, encrypt, len, range, err);
    if (status == FC_OK && range != NULL)
        status = fc_skip(in_fd, range->offset, err);
    return status;
}

enum fc_status fc_raw_stream(struct fc_ctx *ctx, const struct fc_raw_params *params, bool encrypt,
                             int in_fd, const struct fc_out *out, const struct fc_range *range,
                             struct fc_err *err)
{
    static const struct fc_range whole = {0, 0};
    enum fc_status status = seek_part(params, encrypt, in_fd, range, err);
    struct fc_cipher *cipher;

    if (status != FC_OK || (range != NULL && range->len == 0))
        return status;
    cipher = fc_secret_alloc(sizeof(*cipher));
    if (cipher == NULL)
        return fc_err_set(err, FC_ERR_LIMIT, "not enough memory");
    fc_cipher_raw(cipher, params, encrypt);
    status = fc_cipher_stream(ctx, cipher, range == NULL ? &whole : range, in_fd, out, err);
    fc_secret_free(cipher);
    return status;
}
