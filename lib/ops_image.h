/*
 * What the files behind fcrypt_image.h share.
 */
#ifndef FC_OPS_IMAGE_H
#define FC_OPS_IMAGE_H

#include "fcrypt_image.h"
#include "ops.h"

/* A stream of sectors. */
struct fc_sectors {
    const struct fc_xts_key *key;
    struct fc_xts_run run; /* first is the tweak of the stream's first sector; count is unused */
    bool encrypt;
    uint64_t len; /* of the stream, in bytes; 0: to the end of the input */
};

/* fc_ops_sectors(ctx, s, in_fd, out, err): the stream through the engine. Errors: the engine's;
 * FC_ERR_DATA (the input ends before s->len); as fc_ops_whole_sectors. */
enum fc_status fc_ops_sectors(struct fc_ctx *ctx, const struct fc_sectors *s, int in_fd,
                              const struct fc_out *out, struct fc_err *err);

/* fc_ops_whole_sectors(encrypt, len, sector_len, err): a len that is no multiple of sector_len is
 * FC_ERR_USAGE when encrypting, with a hint, else FC_ERR_DATA. */
enum fc_status fc_ops_whole_sectors(bool encrypt, uint64_t len, size_t sector_len,
                                    struct fc_err *err);

/* fc_ops_length(len, known, fd, err): how many bytes a regular file has from its offset on; of
 * anything else that is not known. Errors: FC_ERR_IO. */
enum fc_status fc_ops_length(uint64_t *len, bool *known, int fd, struct fc_err *err);

/* fc_ops_xts_check(params, range, err): whether they make sense together. range may be NULL.
 * fc_ops_xts_range(len, range, err): whether range lies in an image of len bytes.
 * Errors: FC_ERR_USAGE. */
enum fc_status fc_ops_xts_check(const struct fc_xts_params *params, const struct fc_range *range,
                                struct fc_err *err);
enum fc_status fc_ops_xts_range(uint64_t len, const struct fc_range *range, struct fc_err *err);

/* fc_ops_xts_run(params, offset): the sectors from byte offset of the image on; count is 0. */
struct fc_xts_run fc_ops_xts_run(const struct fc_xts_params *params, uint64_t offset);

#endif
