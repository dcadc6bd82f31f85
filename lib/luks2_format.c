#include <ctype.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "bytes.h"
#include "luks2_parts.h"
#include "secret.h"

enum {
    HEADER_LEN = FC_LUKS2_MIN_HEADER,
    JSON_LEN = HEADER_LEN - FC_LUKS2_BINARY_LEN,
    AREA_OFFSET = 2 * HEADER_LEN,
    AREA_KEY_LEN = 64,
    /* The volume key is random: nothing is gained by making its digest slow. */
    DIGEST_ITERATIONS = 10000,
    MIN_KIB = 32, /* the least that cryptsetup takes */
    UUID_LEN = 36,
    BINARY_SALT_LEN = 64,
};

static size_t area_len(size_t key_len)
{
    return fc_round_up(key_len * FC_LUKS2_STRIPES, FC_LUKS2_ALIGN);
}

static bool is_uuid(const char *text)
{
    if (strlen(text) != UUID_LEN)
        return false;
    for (size_t i = 0; i < UUID_LEN; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;

        if (dash ? text[i] != '-' : !isxdigit((unsigned char)text[i]))
            return false;
    }
    return true;
}

static bool is_sector_len(uint32_t len)
{
    return len >= FC_LUKS2_MIN_SECTOR && len <= FC_LUKS2_MAX_SECTOR && (len & (len - 1)) == 0;
}

static enum fc_status check_params(const struct fc_luks2_params *p, struct fc_err *err)
{
    if (p->key_len != 32 && p->key_len != 64)
        return fc_err_set(err, FC_ERR_USAGE, "a LUKS2 key is 256 or 512 bits");
    if (!is_sector_len(p->sector_len))
        return fc_err_set(err, FC_ERR_USAGE, "a sector has 512, 1024, 2048 or 4096 bytes");
    if (p->data_offset % FC_LUKS2_ALIGN != 0 || p->data_offset < AREA_OFFSET + area_len(p->key_len))
        return fc_err_set(err, FC_ERR_USAGE,
                          "the data's offset must be a multiple of %d, and at least %zu",
                          FC_LUKS2_ALIGN, AREA_OFFSET + area_len(p->key_len));
    if (p->passes == 0 || p->mem_kib < MIN_KIB)
        return fc_err_set(err, FC_ERR_USAGE, "Argon2id costs out of range");
    if (p->label != NULL && strlen(p->label) >= FC_LUKS2_LABEL_SIZE)
        return fc_err_set(err, FC_ERR_USAGE, "a LUKS2 label has at most %d bytes",
                          FC_LUKS2_LABEL_SIZE - 1);
    if (p->uuid != NULL && !is_uuid(p->uuid))
        return fc_err_set(err, FC_ERR_USAGE, "not a UUID: %.64s", p->uuid);
    return FC_OK;
}

/* A random UUID, version 4 (RFC 9562 section 5.4). */
static enum fc_status random_uuid(char dst[FC_LUKS2_UUID_SIZE], struct fc_err *err)
{
    uint8_t r[16];
    enum fc_status status = fc_random(r, sizeof(r), err);

    if (status != FC_OK)
        return status;
    r[6] = (uint8_t)((r[6] & 0x0f) | 0x40);
    r[8] = (uint8_t)((r[8] & 0x3f) | 0x80);
    for (size_t i = 0, at = 0; i < sizeof(r); i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            dst[at++] = '-';
        snprintf(dst + at, 3, "%02x", r[i]);
        at += 2;
    }
    return FC_OK;
}

/* Building JSON: a value that json-c has no memory for shows in failed, once for all. */
struct builder {
    bool failed;
};

static json_object *put(struct builder *b, json_object *to, const char *key, json_object *value)
{
    if (to == NULL || value == NULL || json_object_object_add(to, key, value) != 0) {
        json_object_put(value);
        b->failed = true;
        return NULL;
    }
    return value;
}

static json_object *put_object(struct builder *b, json_object *to, const char *key)
{
    return put(b, to, key, json_object_new_object());
}

static void put_text(struct builder *b, json_object *to, const char *key, const char *text)
{
    put(b, to, key, json_object_new_string(text));
}

static void put_int(struct builder *b, json_object *to, const char *key, uint32_t n)
{
    put(b, to, key, json_object_new_int64(n));
}

static void put_u64(struct builder *b, json_object *to, const char *key, uint64_t n)
{
    char text[24];

    snprintf(text, sizeof(text), "%" PRIu64, n);
    put_text(b, to, key, text);
}

static void put_base64(struct builder *b, json_object *to, const char *key, const uint8_t *src,
                       size_t len)
{
    char text[FC_BASE64_SIZE(FC_SHA2_MAX)];

    fc_base64_encode(text, src, len);
    put_text(b, to, key, text);
}

static void put_slot(struct builder *b, json_object *doc, const struct fc_luks2_slot *slot)
{
    json_object *keyslots = put_object(b, doc, "keyslots");
    json_object *to = put_object(b, keyslots, "0");
    json_object *area, *kdf, *af;

    put_text(b, to, "type", "luks2");
    put_int(b, to, "key_size", (uint32_t)slot->key_len);
    af = put_object(b, to, "af");
    put_text(b, af, "type", "luks1");
    put_int(b, af, "stripes", FC_LUKS2_STRIPES);
    put_text(b, af, "hash", fc_sha2_name(slot->af_hash));
    area = put_object(b, to, "area");
    put_text(b, area, "type", "raw");
    put_u64(b, area, "offset", slot->area_offset);
    put_u64(b, area, "size", slot->area_len);
    put_text(b, area, "encryption", FC_LUKS2_ENCRYPTION);
    put_int(b, area, "key_size", (uint32_t)slot->area_key_len);
    kdf = put_object(b, to, "kdf");
    put_text(b, kdf, "type", fc_luks2_kdf_name(slot->kdf.type));
    put_int(b, kdf, "time", slot->kdf.passes);
    put_int(b, kdf, "memory", slot->kdf.mem_kib);
    put_int(b, kdf, "cpus", slot->kdf.cpus);
    put_base64(b, kdf, "salt", slot->kdf.salt, sizeof(slot->kdf.salt));
}

static void put_segment(struct builder *b, json_object *doc, const struct fc_luks2_segment *segment)
{
    json_object *segments = put_object(b, doc, "segments");
    json_object *to = put_object(b, segments, "0");

    put_text(b, to, "type", "crypt");
    put_u64(b, to, "offset", segment->offset);
    put_text(b, to, "size", "dynamic");
    put_u64(b, to, "iv_tweak", segment->iv_tweak);
    put_text(b, to, "encryption", FC_LUKS2_ENCRYPTION);
    put_int(b, to, "sector_size", segment->sector_len);
}

static void put_only_object(struct builder *b, json_object *to, const char *key)
{
    json_object *array = put(b, to, key, json_object_new_array());

    if (array == NULL || json_object_array_add(array, json_object_new_string("0")) != 0)
        b->failed = true;
}

static void put_digest(struct builder *b, json_object *doc, const struct fc_luks2_digest *digest)
{
    json_object *digests = put_object(b, doc, "digests");
    json_object *to = put_object(b, digests, "0");

    put_text(b, to, "type", "pbkdf2");
    put_only_object(b, to, "keyslots");
    put_only_object(b, to, "segments");
    put_text(b, to, "hash", fc_sha2_name(digest->hash));
    put_int(b, to, "iterations", digest->iterations);
    put_base64(b, to, "salt", digest->salt, sizeof(digest->salt));
    put_base64(b, to, "digest", digest->value, digest->len);
}

/* The metadata of img, which has one slot, as JSON in dst[JSON_LEN], zeros behind it. */
static enum fc_status write_metadata(char *dst, const struct fc_luks2 *img, struct fc_err *err)
{
    json_object *doc = json_object_new_object(), *config;
    struct builder b = {.failed = false};
    const char *text = NULL;

    put_slot(&b, doc, &img->slots[0]);
    put_object(&b, doc, "tokens");
    put_segment(&b, doc, &img->segment);
    put_digest(&b, doc, &img->digest);
    config = put_object(&b, doc, "config");
    put_u64(&b, config, "json_size", JSON_LEN);
    put_u64(&b, config, "keyslots_size", img->keyslots_len);
    if (!b.failed)
        text = json_object_to_json_string_ext(doc, JSON_C_TO_STRING_PLAIN |
                                                       JSON_C_TO_STRING_NOSLASHESCAPE);
    if (text != NULL)
        snprintf(dst, JSON_LEN, "%s", text);
    json_object_put(doc);
    return text != NULL ? FC_OK : fc_err_set(err, FC_ERR_LIMIT, "not enough memory");
}

/* Both copies, with salts of their own. */
static enum fc_status write_headers(uint8_t *dst, const struct fc_luks2 *img, struct fc_err *err)
{
    struct fc_luks2_binary b = {.header_len = HEADER_LEN, .seqid = img->seqid};
    uint8_t salts[2][BINARY_SALT_LEN];
    enum fc_status status = fc_random(salts, sizeof(salts), err);

    if (status == FC_OK)
        status = write_metadata((char *)dst + FC_LUKS2_BINARY_LEN, img, err);
    if (status != FC_OK)
        return status;
    memcpy(b.label, img->label, sizeof(b.label));
    memcpy(b.uuid, img->uuid, sizeof(b.uuid));
    memcpy(dst + HEADER_LEN + FC_LUKS2_BINARY_LEN, dst + FC_LUKS2_BINARY_LEN, JSON_LEN);
    for (size_t i = 0; i < 2; i++) {
        b.offset = i * HEADER_LEN;
        fc_luks2_binary_write(dst + b.offset, &b, salts[i]);
    }
    return FC_OK;
}

/* What the image is to be, random parts included, but for the digest. */
static enum fc_status describe(struct fc_luks2 *img, const struct fc_luks2_params *p,
                               struct fc_err *err)
{
    struct fc_luks2_slot *slot = &img->slots[0];
    uint64_t keyslots_len = p->data_offset - AREA_OFFSET;
    enum fc_status status;

    *img = (struct fc_luks2){.header_len = HEADER_LEN, .seqid = 1, .nslots = 1};
    img->keyslots_len = keyslots_len < FC_LUKS2_MAX_KEYSLOTS ? keyslots_len : FC_LUKS2_MAX_KEYSLOTS;
    img->segment = (struct fc_luks2_segment){.offset = p->data_offset, .sector_len = p->sector_len};
    *slot = (struct fc_luks2_slot){
        .priority = FC_LUKS2_NORMAL,
        .area_offset = AREA_OFFSET,
        .area_len = area_len(p->key_len),
        .bound = true,
        .key_len = p->key_len,
        .area_key_len = AREA_KEY_LEN,
        .af_hash = FC_SHA256,
        .kdf = {.type = FC_LUKS2_ARGON2ID, .passes = p->passes, .mem_kib = p->mem_kib, .cpus = 1},
    };
    img->digest.hash = FC_SHA256;
    img->digest.iterations = DIGEST_ITERATIONS;
    img->digest.len = fc_sha2_len(FC_SHA256);
    if (p->label != NULL)
        snprintf(img->label, sizeof(img->label), "%s", p->label);
    if (p->uuid != NULL)
        snprintf(img->uuid, sizeof(img->uuid), "%s", p->uuid);
    status = p->uuid != NULL ? FC_OK : random_uuid(img->uuid, err);
    if (status == FC_OK)
        status = fc_random(slot->kdf.salt, sizeof(slot->kdf.salt), err);
    if (status == FC_OK)
        status = fc_random(img->digest.salt, sizeof(img->digest.salt), err);
    return status;
}

/* The volume key, split and encrypted: dst is the slot's area. */
static enum fc_status write_area(uint8_t *dst, const struct fc_luks2_slot *slot,
                                 const struct fc_luks2_volume *volume, struct fc_piece pass,
                                 struct fc_err *err)
{
    struct area_keys {
        struct fc_xts_key xts;
        uint8_t raw[AREA_KEY_LEN];
    } *keys = fc_secret_alloc(sizeof(*keys));
    const struct fc_xts_run run = fc_luks2_area_run(slot);
    enum fc_status status;

    if (keys == NULL)
        return fc_err_set(err, FC_ERR_LIMIT, "not enough memory");
    status = fc_luks2_slot_key(keys->raw, slot, pass, err);
    if (status == FC_OK)
        status = fc_luks2_af_split(slot->af_hash, dst, volume->key, volume->key_len, err);
    if (status == FC_OK) {
        fc_xts_key_init(&keys->xts, keys->raw, AREA_KEY_LEN);
        fc_xts_encrypt(&keys->xts, dst, dst, &run);
    }
    fc_secret_free(keys);
    return status;
}

static enum fc_status format(uint8_t *dst, struct fc_luks2 *img, struct fc_luks2_volume *volume,
                             const struct fc_luks2_params *params, struct fc_err *err)
{
    enum fc_status status = describe(img, params, err);

    volume->key_len = params->key_len;
    if (status == FC_OK)
        status = fc_random(volume->key, volume->key_len, err);
    if (status == FC_OK)
        status = write_area(dst + AREA_OFFSET, &img->slots[0], volume, params->pass, err);
    if (status != FC_OK)
        return status;
    fc_luks2_digest_of(&img->digest, img->digest.value, volume);
    return write_headers(dst, img, err);
}

enum fc_status fc_luks2_format(uint8_t *dst, size_t *len, struct fc_luks2_segment *segment,
                               struct fc_luks2_volume *volume, const struct fc_luks2_params *params,
                               struct fc_err *err)
{
    enum fc_status status = check_params(params, err);
    struct fc_luks2 img;

    memset(volume, 0, sizeof(*volume));
    if (status != FC_OK)
        return status;
    memset(dst, 0, FC_LUKS2_FORMAT_MAX);
    status = format(dst, &img, volume, params, err);
    *len = AREA_OFFSET + area_len(params->key_len);
    *segment = img.segment;
    if (status != FC_OK) {
        fc_wipe(volume, sizeof(*volume));
        fc_wipe(dst, FC_LUKS2_FORMAT_MAX);
    }
    return status;
}
