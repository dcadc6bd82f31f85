/*
 * The objects of the metadata one by one: key slot, segment, digest (specification, "JSON Area").
 */
#include <string.h>

#include "luks2_json.h"
#include "luks2_parts.h"

enum {
    ARGON2_KIB_PER_LANE = 8,
    MAX_LANES = 256,
    MAX_KEY_SIZE = 4096,   /* what an integer that says a key size may be */
    LUKS1_DIGEST_LEN = 20, /* of images that were converted */
};

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* A hash by its name; one that is not known goes into unsupported, for what. */
static bool read_hash(enum fc_sha2 *hash, char *unsupported, const char *what,
                      const struct fc_json *in, struct fc_err *err)
{
    const char *name;

    if (!fc_json_text(in, "hash", &name, err))
        return false;
    *hash = is(name, fc_sha2_name(FC_SHA512)) ? FC_SHA512 : FC_SHA256;
    if (!is(name, fc_sha2_name(*hash)))
        fc_luks2_unsupported(unsupported, "%s with the hash %.64s is not supported", what, name);
    return true;
}

static bool read_salt(uint8_t salt[FC_LUKS2_SALT_LEN], const struct fc_json *in, struct fc_err *err)
{
    size_t len;

    if (!fc_json_base64(in, "salt", salt, FC_LUKS2_SALT_LEN, &len, err))
        return false;
    return len == FC_LUKS2_SALT_LEN || fc_json_fault(in, "salt", "not of 32 bytes", err);
}

static bool read_argon2(struct fc_luks2_kdf *kdf, const struct fc_json *in, struct fc_err *err)
{
    if (!fc_json_u32(in, "time", 1, UINT32_MAX, &kdf->passes, err) ||
        !fc_json_u32(in, "memory", ARGON2_KIB_PER_LANE, UINT32_MAX, &kdf->mem_kib, err) ||
        !fc_json_u32(in, "cpus", 1, MAX_LANES, &kdf->cpus, err))
        return false;
    return kdf->mem_kib >= ARGON2_KIB_PER_LANE * kdf->cpus ||
           fc_json_fault(in, "memory", "too little for so many cpus", err);
}

static bool read_kdf(struct fc_luks2_slot *slot, const struct fc_json *in, struct fc_err *err)
{
    struct fc_luks2_kdf *kdf = &slot->kdf;
    const char *type;

    if (!fc_json_text(in, "type", &type, err))
        return false;
    if (is(type, "pbkdf2")) {
        kdf->type = FC_LUKS2_PBKDF2;
        return read_hash(&kdf->hash, slot->unsupported, "PBKDF2", in, err) &&
               fc_json_u32(in, "iterations", 1, UINT32_MAX, &kdf->iterations, err) &&
               read_salt(kdf->salt, in, err);
    }
    if (is(type, "argon2i") || is(type, "argon2id")) {
        kdf->type = is(type, "argon2i") ? FC_LUKS2_ARGON2I : FC_LUKS2_ARGON2ID;
        return read_argon2(kdf, in, err) && read_salt(kdf->salt, in, err);
    }
    fc_luks2_unsupported(slot->unsupported, "the key derivation %.64s is not supported", type);
    return true;
}

static bool read_af(struct fc_luks2_slot *slot, const struct fc_json *in, struct fc_err *err)
{
    uint32_t stripes;
    const char *type;

    if (!fc_json_text(in, "type", &type, err))
        return false;
    if (!is(type, "luks1")) {
        fc_luks2_unsupported(slot->unsupported, "the anti-forensic splitter %.64s is not supported",
                             type);
        return true;
    }
    if (!fc_json_u32(in, "stripes", 1, UINT32_MAX, &stripes, err))
        return false;
    if (stripes != FC_LUKS2_STRIPES)
        return fc_json_fault(in, "stripes", "not 4000", err);
    return read_hash(&slot->af_hash, slot->unsupported, "the anti-forensic splitter", in, err);
}

static bool is_xts_key(uint32_t len)
{
    return len == 32 || len == 64;
}

/* How the area is encrypted, and whether the split key has a place in it. */
static bool read_area(struct fc_luks2_slot *slot, uint32_t key_len, const struct fc_json *in,
                      struct fc_err *err)
{
    const char *type, *encryption;
    uint32_t area_key_len;

    if (!fc_json_text(in, "type", &type, err) ||
        !fc_json_text(in, "encryption", &encryption, err) ||
        !fc_json_u32(in, "key_size", 1, MAX_KEY_SIZE, &area_key_len, err))
        return false;
    if (!is(type, "raw"))
        return fc_json_fault(in, "type", "not \"raw\"", err);
    if (slot->area_len < (uint64_t)key_len * FC_LUKS2_STRIPES)
        return fc_json_fault(in, "size", "too small for the key", err);
    slot->key_len = key_len;
    slot->area_key_len = area_key_len;
    if (!is(encryption, FC_LUKS2_ENCRYPTION))
        fc_luks2_unsupported(slot->unsupported, "the slot's encryption %.64s is not supported",
                             encryption);
    else if (!is_xts_key(area_key_len) || !is_xts_key(key_len))
        fc_luks2_unsupported(slot->unsupported, "keys of %u bytes are not supported",
                             (unsigned)(is_xts_key(key_len) ? area_key_len : key_len));
    return true;
}

bool fc_luks2_slot_read(struct fc_luks2_slot *slot, const struct fc_json *in, struct fc_err *err)
{
    uint32_t key_len, priority = FC_LUKS2_NORMAL;
    struct fc_json area, af, kdf;
    const char *type;

    if (!fc_json_text(in, "type", &type, err) || !fc_json_object(in, "area", &area, err) ||
        !fc_json_u64(&area, "offset", &slot->area_offset, err) ||
        !fc_json_u64(&area, "size", &slot->area_len, err))
        return false;
    if (fc_json_has(in, "priority") &&
        !fc_json_u32(in, "priority", FC_LUKS2_IGNORED, FC_LUKS2_PREFERRED, &priority, err))
        return false;
    slot->priority = (enum fc_luks2_priority)priority;
    if (!is(type, "luks2")) {
        fc_luks2_unsupported(slot->unsupported, "its type %.64s is not supported", type);
        return true;
    }
    return fc_json_u32(in, "key_size", 1, MAX_KEY_SIZE, &key_len, err) &&
           read_area(slot, key_len, &area, err) && fc_json_object(in, "af", &af, err) &&
           read_af(slot, &af, err) && fc_json_object(in, "kdf", &kdf, err) &&
           read_kdf(slot, &kdf, err);
}

static bool read_segment_len(struct fc_luks2_segment *segment, const struct fc_json *in,
                             struct fc_err *err)
{
    const char *size;

    if (!fc_json_text(in, "size", &size, err))
        return false;
    if (is(size, "dynamic"))
        return true;
    if (!fc_json_u64(in, "size", &segment->len, err))
        return false;
    if (segment->len == 0 || segment->len > UINT64_MAX - segment->offset)
        return fc_json_fault(in, "size", "out of range", err);
    return true;
}

static bool read_crypt(struct fc_luks2 *img, const struct fc_json *in, struct fc_err *err)
{
    struct fc_luks2_segment *segment = &img->segment;
    const char *encryption;
    uint32_t sector_len;

    if (!fc_json_u64(in, "iv_tweak", &segment->iv_tweak, err) ||
        !fc_json_text(in, "encryption", &encryption, err) ||
        !fc_json_u32(in, "sector_size", FC_LUKS2_MIN_SECTOR, FC_LUKS2_MAX_SECTOR, &sector_len, err))
        return false;
    if ((sector_len & (sector_len - 1)) != 0)
        return fc_json_fault(in, "sector_size", "not a power of two", err);
    if (segment->len % sector_len != 0)
        return fc_json_fault(in, "size", "not whole sectors", err);
    segment->sector_len = sector_len;
    if (fc_json_has(in, "integrity"))
        fc_luks2_unsupported(img->unsupported, "authenticated LUKS2 encryption is not supported");
    if (!is(encryption, FC_LUKS2_ENCRYPTION))
        fc_luks2_unsupported(img->unsupported, "the encryption %.64s is not supported", encryption);
    return true;
}

bool fc_luks2_segment_read(struct fc_luks2 *img, const struct fc_json *in, struct fc_err *err)
{
    struct fc_luks2_segment *segment = &img->segment;
    const char *type, *flag;
    size_t nflags;

    if (!fc_json_text(in, "type", &type, err) ||
        !fc_json_u64(in, "offset", &segment->offset, err) || !read_segment_len(segment, in, err) ||
        !fc_json_texts(in, "flags", &flag, &nflags, err))
        return false;
    if (segment->offset % FC_LUKS2_MIN_SECTOR != 0)
        return fc_json_fault(in, "offset", "not a multiple of 512", err);
    if (segment->offset < 2 * img->header_len + img->keyslots_len)
        fc_luks2_unsupported(
            img->unsupported,
            "its data begins inside its header: detached headers are not supported");
    if (nflags > 0)
        fc_luks2_unsupported(img->unsupported, "segments with the flag %.64s are not supported",
                             flag);
    if (!is(type, "crypt")) {
        fc_luks2_unsupported(img->unsupported, "segments of the type %.64s are not supported",
                             type);
        return true;
    }
    return read_crypt(img, in, err);
}

bool fc_luks2_digest_read(struct fc_luks2_digest *digest, char *unsupported,
                          const struct fc_json *in, struct fc_err *err)
{
    const char *type;

    if (!fc_json_text(in, "type", &type, err))
        return false;
    if (!is(type, "pbkdf2")) {
        fc_luks2_unsupported(unsupported, "digests of the type %.64s are not supported", type);
        return true;
    }
    if (!read_hash(&digest->hash, unsupported, "PBKDF2", in, err) ||
        !fc_json_u32(in, "iterations", 1, UINT32_MAX, &digest->iterations, err) ||
        !read_salt(digest->salt, in, err) ||
        !fc_json_base64(in, "digest", digest->value, sizeof(digest->value), &digest->len, err))
        return false;
    if (unsupported[0] == '\0' && digest->len != fc_sha2_len(digest->hash) &&
        digest->len != LUKS1_DIGEST_LEN)
        return fc_json_fault(in, "digest", "not of the hash's length", err);
    return true;
}
