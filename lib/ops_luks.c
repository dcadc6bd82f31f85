#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes.h"
#include "ops_image.h"

/* The keys of an open image, in secret memory. */
struct keys {
    struct fc_luks2_volume volume;
    struct fc_cipher cipher;
};

struct fc_luks {
    struct fc_ctx *ctx;
    int in_fd;
    bool seekable;
    off_t start; /* of the image in the file, if it is seekable */
    struct fc_luks2 header;
    uint8_t *raw; /* the image's first len bytes, all that was read so far */
    size_t len;
    struct keys *keys; /* NULL until unlocked */
};

static enum fc_status no_memory(struct fc_err *err)
{
    return fc_err_set(err, FC_ERR_LIMIT, "not enough memory");
}

/* Zeros from behind the header to the data; a hole in a file of our own. */
static enum fc_status put_gap(const struct fc_out *out, uint64_t len, struct fc_err *err)
{
    static const uint8_t zeros[65536];
    enum fc_status status = FC_OK;
    off_t at = out->positional ? lseek(out->fd, (off_t)len, SEEK_CUR) : -1;

    if (at >= 0 && ftruncate(out->fd, at) == 0)
        return FC_OK;
    if (at >= 0 && lseek(out->fd, -(off_t)len, SEEK_CUR) < 0)
        return fc_err_set(err, FC_ERR_IO, "cannot seek in the output");
    for (; len > 0 && status == FC_OK; len -= fc_min_size(len, sizeof(zeros)))
        status = fc_write_full(out->fd, zeros, fc_min_size(len, sizeof(zeros)), err);
    return status;
}

static enum fc_status put_header(const struct fc_luks_options *o, struct fc_piece pass,
                                 struct keys *keys, struct fc_luks2_segment *segment,
                                 const struct fc_out *out, struct fc_err *err)
{
    const struct fc_luks2_params params = {
        .pass = pass,
        .key_len = o->key_len,
        .sector_len = o->sector_len,
        .data_offset = o->data_offset,
        .passes = o->kdf_passes,
        .mem_kib = o->kdf_mem_kib,
        .label = o->label,
        .uuid = o->uuid,
    };
    uint8_t *raw = malloc(FC_LUKS2_FORMAT_MAX);
    enum fc_status status;
    size_t len;

    if (raw == NULL)
        return no_memory(err);
    status = fc_luks2_format(raw, &len, segment, &keys->volume, &params, err);
    if (status == FC_OK)
        status = fc_write_full(out->fd, raw, len, err);
    if (status == FC_OK)
        status = put_gap(out, segment->offset - len, err);
    free(raw);
    return status;
}

/* The data through the engine, from where in_fd is. */
static enum fc_status stream(struct fc_ctx *ctx, struct keys *keys,
                             const struct fc_luks2_segment *segment, bool encrypt, int in_fd,
                             const struct fc_out *out, struct fc_err *err)
{
    const struct fc_xts_run run = fc_luks2_run(segment, 0, 0);
    const struct fc_range part = {0, segment->len};

    fc_cipher_xts(&keys->cipher, keys->volume.key, keys->volume.key_len, &run, encrypt);
    return fc_cipher_stream(ctx, &keys->cipher, &part, in_fd, out, err);
}

enum fc_status fc_luks_encrypt(struct fc_ctx *ctx, const struct fc_luks_options *options,
                               struct fc_piece pass, int in_fd, const struct fc_out *out,
                               struct fc_err *err)
{
    struct fc_luks2_segment segment;
    struct keys *keys;
    enum fc_status status;
    uint64_t len;
    bool known;

    status = fc_ops_check_costs(options->kdf_passes, options->kdf_mem_kib, err);
    if (status == FC_OK)
        status = fc_ops_length(&len, &known, in_fd, err);
    if (status == FC_OK && known)
        status = fc_ops_whole_sectors(true, len, options->sector_len, err);
    if (status != FC_OK)
        return status;
    keys = fc_secret_alloc(sizeof(*keys));
    if (keys == NULL)
        return no_memory(err);
    status = put_header(options, pass, keys, &segment, out, err);
    if (status == FC_OK)
        status = stream(ctx, keys, &segment, true, in_fd, out, err);
    fc_secret_free(keys);
    return status;
}

/* Reads on until the image's first `want` bytes are there, or it ends. */
static enum fc_status read_up_to(struct fc_luks *luks, size_t want, struct fc_err *err)
{
    uint8_t *raw;
    size_t got;
    enum fc_status status;

    if (want <= luks->len)
        return FC_OK;
    raw = realloc(luks->raw, want);
    if (raw == NULL)
        return no_memory(err);
    luks->raw = raw;
    status = fc_read_full(luks->in_fd, raw + luks->len, want - luks->len, &got, err);
    luks->len += got;
    return status;
}

static enum fc_status read_header(struct fc_luks *luks, struct fc_err *err)
{
    size_t need = fc_luks2_need(luks->raw, luks->len), before;
    enum fc_status status = FC_OK;

    do {
        before = luks->len;
        status = read_up_to(luks, need, err);
        need = fc_luks2_need(luks->raw, luks->len);
    } while (status == FC_OK && need > luks->len && luks->len > before);
    return status == FC_OK ? fc_luks2_parse(&luks->header, luks->raw, luks->len, err) : status;
}

enum fc_status fc_luks_open(struct fc_ctx *ctx, struct fc_luks **out, const struct fc_head *head,
                            int in_fd, struct fc_err *err)
{
    struct fc_luks *luks = calloc(1, sizeof(*luks));
    enum fc_status status;
    uint64_t len;

    *out = NULL;
    if (luks == NULL)
        return no_memory(err);
    luks->ctx = ctx;
    luks->in_fd = in_fd;
    luks->len = head->len;
    luks->raw = malloc(sizeof(head->bytes));
    status = luks->raw == NULL ? no_memory(err) : fc_ops_length(&len, &luks->seekable, in_fd, err);
    if (status == FC_OK) {
        memcpy(luks->raw, head->bytes, head->len);
        luks->start = luks->seekable ? lseek(in_fd, 0, SEEK_CUR) - (off_t)head->len : 0;
        status = read_header(luks, err);
    }
    if (status != FC_OK) {
        fc_luks_close(luks);
        return status;
    }
    if (luks->header.note[0] != '\0')
        fc_ops_note(ctx, "%s", luks->header.note);
    *out = luks;
    return FC_OK;
}

void fc_luks_close(struct fc_luks *luks)
{
    if (luks == NULL)
        return;
    fc_secret_free(luks->keys);
    free(luks->raw);
    free(luks);
}

const struct fc_luks2 *fc_luks_header(const struct fc_luks *luks)
{
    return &luks->header;
}

enum fc_status fc_luks_unlock(struct fc_luks *luks, struct fc_piece pass, int slot,
                              struct fc_err *err)
{
    const struct fc_config *config = &luks->ctx->config;
    const struct fc_luks2_attempt attempt = {
        .pass = pass,
        .slot = slot,
        .max_mem_kib = config->max_mem_kib,
        .max_work_kib = config->max_work_kib,
        .note = config->note,
        .user = config->user,
    };
    struct keys *keys = fc_secret_alloc(sizeof(*keys));
    enum fc_status status;

    if (keys == NULL)
        return no_memory(err);
    status = read_up_to(luks, fc_luks2_unlock_need(&luks->header, slot), err);
    if (status == FC_OK)
        status = fc_luks2_unlock(&keys->volume, &luks->header, luks->raw, luks->len, &attempt, err);
    if (status != FC_OK) {
        fc_secret_free(keys);
        return status;
    }
    fc_secret_free(luks->keys);
    luks->keys = keys;
    return FC_OK;
}

/* Moves the input to the data. */
static enum fc_status seek_data(const struct fc_luks *luks, struct fc_err *err)
{
    uint64_t offset = luks->header.segment.offset;
    struct stat st;

    if (!luks->seekable) {
        /* A damaged length in the first copy of the header made us read too far. */
        if (luks->len > offset) {
            fc_err_set(err, FC_ERR_DATA, "the damaged header can be read from a file only");
            return fc_err_hint(err, "name the FILE instead of a pipe");
        }
        return fc_skip(luks->in_fd, offset - luks->len, err);
    }
    if (fstat(luks->in_fd, &st) != 0 || offset > (uint64_t)(st.st_size - luks->start))
        return fc_err_set(err, FC_ERR_DATA, "truncated: it ends before its data begin");
    if (lseek(luks->in_fd, luks->start + (off_t)offset, SEEK_SET) < 0)
        return fc_err_set(err, FC_ERR_IO, "cannot seek in the input");
    return FC_OK;
}

enum fc_status fc_luks_decrypt(struct fc_luks *luks, const struct fc_out *out, struct fc_err *err)
{
    const struct fc_luks2_segment *segment = &luks->header.segment;
    enum fc_status status = seek_data(luks, err);
    uint64_t len;
    bool known;

    if (status == FC_OK)
        status = fc_ops_length(&len, &known, luks->in_fd, err);
    if (status == FC_OK && known && segment->len == 0)
        status = fc_ops_whole_sectors(false, len, segment->sector_len, err);
    if (status == FC_OK)
        status = stream(luks->ctx, luks->keys, segment, false, luks->in_fd, out, err);
    return status;
}

bool fc_luks_recognise(const struct fc_head *head, int in_fd)
{
    uint8_t raw[8];
    off_t at;

    if (fc_luks2_has_magic(head->bytes, head->len, false))
        return true;
    at = lseek(in_fd, 0, SEEK_CUR);
    for (off_t offset = FC_LUKS2_MIN_HEADER; at >= 0 && offset <= FC_LUKS2_MAX_HEADER; offset *= 2)
        if (pread(in_fd, raw, sizeof(raw), at - (off_t)head->len + offset) == sizeof(raw) &&
            fc_luks2_has_magic(raw, sizeof(raw), true))
            return true;
    return false;
}
