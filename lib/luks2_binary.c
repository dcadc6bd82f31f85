#include <stdio.h>
#include <string.h>

#include "bytes.h"
#include "luks2_parts.h"

/* Where the fields stand (specification, "Binary Header"); numbers are big-endian. */
enum {
    B_MAGIC = 0,
    B_VERSION = 6,
    B_HEADER_LEN = 8,
    B_SEQID = 16,
    B_LABEL = 24,
    B_CHECKSUM_ALG = 72,
    B_SALT = 104,
    B_UUID = 168,
    B_SUBSYSTEM = 208,
    B_OFFSET = 256,
    B_PADDING = 264,
    B_CHECKSUM = 448,
    B_END = 512,

    MAGIC_LEN = 6,
    VERSION = 2,
    ALG_SIZE = 32,
    SALT_LEN = 64,
    CHECKSUM_LEN = 64,
};

_Static_assert(B_CHECKSUM_ALG - B_LABEL == FC_LUKS2_LABEL_SIZE, "label");
_Static_assert(B_SUBSYSTEM - B_UUID == FC_LUKS2_UUID_SIZE, "UUID");

static const uint8_t magics[2][MAGIC_LEN] = {{'L', 'U', 'K', 'S', 0xba, 0xbe},
                                             {'S', 'K', 'U', 'L', 0xba, 0xbe}};

static const uint8_t *magic_at(uint64_t offset)
{
    return magics[offset == 0 ? 0 : 1];
}

static unsigned version_of(const uint8_t *raw)
{
    return (unsigned)raw[B_VERSION] << 8 | raw[B_VERSION + 1];
}

static bool is_header_len(uint64_t len)
{
    return len >= FC_LUKS2_MIN_HEADER && len <= FC_LUKS2_MAX_HEADER && (len & (len - 1)) == 0;
}

bool fc_luks2_starts(const uint8_t *raw, size_t len)
{
    return len > B_VERSION + 1 && memcmp(raw, magic_at(0), MAGIC_LEN) == 0 &&
           version_of(raw) >= VERSION;
}

bool fc_luks2_has_magic(const uint8_t *raw, size_t len, bool secondary)
{
    return len >= MAGIC_LEN && memcmp(raw, magics[secondary], MAGIC_LEN) == 0;
}

uint64_t fc_luks2_binary_len(const uint8_t *raw, size_t len, uint64_t offset)
{
    const uint8_t *at;
    uint64_t header_len;

    if (len < FC_LUKS2_BINARY_LEN || offset > len - FC_LUKS2_BINARY_LEN)
        return 0;
    at = raw + offset;
    header_len = fc_load_be64(at + B_HEADER_LEN);
    if (memcmp(at, magic_at(offset), MAGIC_LEN) != 0 || version_of(at) != VERSION ||
        fc_load_be64(at + B_OFFSET) != offset || !is_header_len(header_len) ||
        (offset != 0 && offset != header_len))
        return 0;
    return header_len;
}

/* The checksum covers the copy with zeros in the checksum's place. */
static void checksum(enum fc_sha2 hash, uint8_t dst[CHECKSUM_LEN], const uint8_t *at, uint64_t len)
{
    static const uint8_t zeros[CHECKSUM_LEN];
    const struct fc_piece pieces[] = {
        {at, B_CHECKSUM}, {zeros, CHECKSUM_LEN}, {at + B_END, len - B_END}};

    memset(dst, 0, CHECKSUM_LEN);
    fc_sha2(hash, dst, pieces, 3);
}

/* A text field, which need not be terminated. */
static void text_field(char *dst, const uint8_t *src, size_t size)
{
    snprintf(dst, size, "%.*s", (int)(size - 1), (const char *)src);
}

static bool known_hash(enum fc_sha2 *hash, const uint8_t *at)
{
    char name[ALG_SIZE];

    text_field(name, at + B_CHECKSUM_ALG, sizeof(name));
    *hash = strcmp(name, fc_sha2_name(FC_SHA512)) == 0 ? FC_SHA512 : FC_SHA256;
    return strcmp(name, fc_sha2_name(*hash)) == 0;
}

/* Why there is no copy at offset. */
static enum fc_status no_copy(const uint8_t *raw, size_t len, uint64_t offset, struct fc_err *err)
{
    const uint8_t *at = raw + offset;

    if (offset > len || len - offset < MAGIC_LEN || memcmp(at, magic_at(offset), MAGIC_LEN) != 0)
        return fc_err_set(err, FC_ERR_DATA, "not a LUKS2 image");
    if (len - offset < FC_LUKS2_BINARY_LEN)
        return fc_err_set(err, FC_ERR_DATA, "truncated: the LUKS2 header ends after %zu bytes",
                          len);
    if (version_of(at) == 1) {
        fc_err_set(err, FC_ERR_DATA, "a LUKS1 image: only LUKS2 is supported");
        return fc_err_hint(err, "cryptsetup convert --type luks2 makes a LUKS2 image of it");
    }
    if (version_of(at) != VERSION)
        return fc_err_set(err, FC_ERR_DATA, "unknown LUKS version %u", version_of(at));
    return fc_err_set(err, FC_ERR_DATA,
                      "the LUKS2 header is damaged: its length or place is wrong");
}

enum fc_status fc_luks2_binary_read(struct fc_luks2_binary *b, const uint8_t *raw, size_t len,
                                    uint64_t offset, struct fc_err *err)
{
    uint64_t header_len = fc_luks2_binary_len(raw, len, offset);
    uint8_t want[CHECKSUM_LEN];
    const uint8_t *at;
    enum fc_sha2 hash;

    memset(b, 0, sizeof(*b));
    if (header_len == 0)
        return no_copy(raw, len, offset, err);
    if (header_len > len - offset)
        return fc_err_set(err, FC_ERR_DATA, "truncated: the LUKS2 header ends after %zu bytes",
                          len);
    at = raw + offset;
    if (!known_hash(&hash, at))
        return fc_err_set(err, FC_ERR_DATA, "the LUKS2 header has a checksum of an unknown kind");
    checksum(hash, want, at, header_len);
    if (memcmp(want, at + B_CHECKSUM, fc_sha2_len(hash)) != 0)
        return fc_err_set(err, FC_ERR_DATA, "the LUKS2 header is damaged: its checksum is wrong");
    b->offset = offset;
    b->header_len = header_len;
    b->seqid = fc_load_be64(at + B_SEQID);
    text_field(b->label, at + B_LABEL, sizeof(b->label));
    text_field(b->uuid, at + B_UUID, sizeof(b->uuid));
    return FC_OK;
}

void fc_luks2_binary_write(uint8_t *raw, const struct fc_luks2_binary *b, const uint8_t salt[64])
{
    memset(raw, 0, FC_LUKS2_BINARY_LEN);
    memcpy(raw + B_MAGIC, magic_at(b->offset), MAGIC_LEN);
    raw[B_VERSION + 1] = VERSION;
    fc_store_be64(raw + B_HEADER_LEN, b->header_len);
    fc_store_be64(raw + B_SEQID, b->seqid);
    memcpy(raw + B_LABEL, b->label, sizeof(b->label));
    strcpy((char *)raw + B_CHECKSUM_ALG, fc_sha2_name(FC_SHA256));
    memcpy(raw + B_SALT, salt, SALT_LEN);
    memcpy(raw + B_UUID, b->uuid, sizeof(b->uuid));
    fc_store_be64(raw + B_OFFSET, b->offset);
    checksum(FC_SHA256, raw + B_CHECKSUM, raw, b->header_len);
}
