#include "luks2.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "luks2_parts.h"

void fc_luks2_unsupported(char *why, const char *fmt, ...)
{
    va_list ap;

    if (why[0] != '\0')
        return;
    va_start(ap, fmt);
    vsnprintf(why, FC_LUKS2_WHY_SIZE, fmt, ap);
    va_end(ap);
}

/* What a search for a secondary copy, wherever it may stand, came to. */
struct search {
    uint64_t offset; /* of the copy, or 0 */
    size_t need;     /* bytes to have before the search can go on; 0: it is over */
};

static struct search find_secondary(const uint8_t *raw, size_t len)
{
    struct search s = {0};

    for (uint64_t at = FC_LUKS2_MIN_HEADER; at <= FC_LUKS2_MAX_HEADER; at *= 2) {
        struct fc_luks2_binary b;

        s.need = (size_t)at + FC_LUKS2_BINARY_LEN;
        if (s.need > len)
            return s;
        if (fc_luks2_binary_len(raw, len, at) == 0)
            continue;
        s.need = 2 * (size_t)at;
        if (s.need > len)
            return s;
        if (fc_luks2_binary_read(&b, raw, len, at, NULL) == FC_OK) {
            s.offset = at;
            break;
        }
    }
    s.need = 0;
    return s;
}

size_t fc_luks2_need(const uint8_t *raw, size_t len)
{
    struct fc_luks2_binary primary;
    uint64_t header_len;

    if (len < FC_LUKS2_BINARY_LEN)
        return FC_LUKS2_BINARY_LEN;
    header_len = fc_luks2_binary_len(raw, len, 0);
    if (header_len > len)
        return (size_t)header_len;
    if (fc_luks2_binary_read(&primary, raw, len, 0, NULL) == FC_OK)
        return 2 * (size_t)header_len;
    return find_secondary(raw, len).need;
}

static enum fc_status read_copy(struct fc_luks2 *img, const uint8_t *raw, size_t len,
                                uint64_t offset, struct fc_err *err)
{
    struct fc_luks2_binary b;
    enum fc_status status = fc_luks2_binary_read(&b, raw, len, offset, err);

    memset(img, 0, sizeof(*img));
    if (status != FC_OK)
        return status;
    img->header_len = b.header_len;
    img->seqid = b.seqid;
    memcpy(img->label, b.label, sizeof(img->label));
    memcpy(img->uuid, b.uuid, sizeof(img->uuid));
    return fc_luks2_metadata_read(img, (const char *)raw + offset + FC_LUKS2_BINARY_LEN,
                                  b.header_len - FC_LUKS2_BINARY_LEN, err);
}

/* Where the secondary copy is: the primary says it, or it is found by its magic; 0: nowhere. */
static uint64_t secondary_offset(const uint8_t *raw, size_t len)
{
    struct fc_luks2_binary primary;

    if (fc_luks2_binary_read(&primary, raw, len, 0, NULL) == FC_OK)
        return primary.header_len;
    return find_secondary(raw, len).offset;
}

/* Takes the secondary copy for img if it is newer, and notes that they differ. */
static void take_newer(struct fc_luks2 *img, const struct fc_luks2 *secondary)
{
    bool older = secondary->seqid < img->seqid;

    if (secondary->seqid == img->seqid)
        return;
    if (!older)
        *img = *secondary;
    snprintf(img->note, sizeof(img->note),
             "the %s LUKS2 header is older than the %s one, which is used",
             older ? "secondary" : "primary", older ? "primary" : "secondary");
}

enum fc_status fc_luks2_parse(struct fc_luks2 *img, const uint8_t *raw, size_t len,
                              struct fc_err *err)
{
    uint64_t offset = secondary_offset(raw, len);
    struct fc_err err1 = {0}, err2 = {0};
    struct fc_luks2 secondary;
    bool good1 = read_copy(img, raw, len, 0, &err1) == FC_OK;
    bool good2 = offset != 0 && read_copy(&secondary, raw, len, offset, &err2) == FC_OK;

    if (good1 && good2) {
        take_newer(img, &secondary);
    } else if (good1) {
        snprintf(img->note, sizeof(img->note), "the secondary LUKS2 header is damaged");
    } else if (good2) {
        *img = secondary;
        snprintf(img->note, sizeof(img->note),
                 "the primary LUKS2 header is damaged: the secondary one is used");
    } else {
        /* Where the secondary alone was found, its error says more. */
        const struct fc_err *why = offset == 0 || fc_luks2_starts(raw, len) ? &err1 : &err2;

        memset(img, 0, sizeof(*img));
        if (err != NULL)
            *err = *why;
        return why->status;
    }
    return FC_OK;
}

enum fc_status fc_luks2_check(const struct fc_luks2 *img, struct fc_err *err)
{
    if (img->unsupported[0] != '\0')
        return fc_err_set(err, FC_ERR_DATA, "%s", img->unsupported);
    return FC_OK;
}
