/* What fcrypt_image.h says of LUKS where FC_LUKS2 is undefined. */
#include "fcrypt_image.h"

enum fc_status fc_luks_encrypt(struct fc_ctx *ctx, const struct fc_luks_options *options,
                               struct fc_piece pass, int in_fd, const struct fc_out *out,
                               struct fc_err *err)
{
    (void)ctx;
    (void)options;
    (void)pass;
    (void)in_fd;
    (void)out;
    return fc_luks2_absent(err);
}

bool fc_luks_recognise(const struct fc_head *head, int in_fd)
{
    (void)in_fd;
    return fc_luks2_has_magic(head->bytes, head->len, false);
}

enum fc_status fc_luks_open(struct fc_ctx *ctx, struct fc_luks **luks, const struct fc_head *head,
                            int in_fd, struct fc_err *err)
{
    (void)ctx;
    (void)head;
    (void)in_fd;
    *luks = NULL;
    return fc_luks2_absent(err);
}

void fc_luks_close(struct fc_luks *luks)
{
    (void)luks;
}

const struct fc_luks2 *fc_luks_header(const struct fc_luks *luks)
{
    (void)luks;
    return NULL;
}

enum fc_status fc_luks_unlock(struct fc_luks *luks, struct fc_piece pass, int slot,
                              struct fc_err *err)
{
    (void)luks;
    (void)pass;
    (void)slot;
    return fc_luks2_absent(err);
}

enum fc_status fc_luks_decrypt(struct fc_luks *luks, const struct fc_out *out, struct fc_err *err)
{
    (void)luks;
    (void)out;
    return fc_luks2_absent(err);
}
