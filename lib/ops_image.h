/*
 * What the files behind fcrypt_image.h share: a cipher over the bytes of an image, by position, and
 * the stream and the change in place that use it.
 */
#ifndef FC_OPS_IMAGE_H
#define FC_OPS_IMAGE_H

#include "fcrypt_image.h"
#include "ops.h"

/* A secret; read-only once made, shared by threads. */
struct fc_cipher {
    enum fc_raw_mode mode;
    bool encrypt;
    uint32_t grain; /* positions and lengths are multiples of it: XTS: the sector; CTR: 1 */
    union {
        struct fc_xts_key xts;
        struct fc_ctr_key ctr;
    } key;
    struct fc_xts_run run; /* XTS: first is the tweak of the sector at 0; count is unused */
    uint8_t iv[FC_CTR_IV]; /* CTR: the counter block at 0 */
};

/* fc_cipher_xts(c, key[key_len], key_len, run, encrypt), fc_cipher_raw(c, params, encrypt): makes
 * one. */
void fc_cipher_xts(struct fc_cipher *c, const uint8_t *key, size_t key_len,
                   const struct fc_xts_run *run, bool encrypt);
void fc_cipher_raw(struct fc_cipher *c, const struct fc_raw_params *params, bool encrypt);

/* fc_cipher_apply(c, buf, len, offset): encrypts or decrypts buf[len], which stands at offset. What
 * is behind the last whole grain stays as it is. */
void fc_cipher_apply(const struct fc_cipher *c, uint8_t *buf, size_t len, uint64_t offset);

/* fc_cipher_stream(ctx, c, part, in_fd, out, err): through the engine what stands at part->offset,
 * from where in_fd is. part->len 0: to the end of the input. Errors: the engine's; FC_ERR_DATA (the
 * input ends before part does); as fc_ops_whole_sectors. */
enum fc_status fc_cipher_stream(struct fc_ctx *ctx, const struct fc_cipher *c,
                                const struct fc_range *part, int in_fd, const struct fc_out *out,
                                struct fc_err *err);

/* fc_ops_whole_sectors(encrypt, len, sector_len, err): a len that is no multiple of sector_len is
 * FC_ERR_USAGE when encrypting, with a hint, else FC_ERR_DATA. */
enum fc_status fc_ops_whole_sectors(bool encrypt, uint64_t len, size_t sector_len,
                                    struct fc_err *err);

/* fc_ops_length(len, known, fd, err): how many bytes a regular file has from its offset on; of
 * anything else that is not known. Errors: FC_ERR_IO. */
enum fc_status fc_ops_length(uint64_t *len, bool *known, int fd, struct fc_err *err);

/* fc_ops_raw_check(params, range, err): whether they make sense together. range may be NULL.
 * fc_ops_raw_fits(params, encrypt, len, range, err): whether an image of len bytes, or range of it,
 * can be worked on. Errors: FC_ERR_USAGE; FC_ERR_DATA (as fc_ops_whole_sectors). */
enum fc_status fc_ops_raw_check(const struct fc_raw_params *params, const struct fc_range *range,
                                struct fc_err *err);
enum fc_status fc_ops_raw_fits(const struct fc_raw_params *params, bool encrypt, uint64_t len,
                               const struct fc_range *range, struct fc_err *err);

#endif
