/*
 * LUKS2 disk images ("LUKS2 On-Disk Format Specification", version 1.1) as pure functions on bytes:
 * two copies of a header, each a binary part and JSON metadata, then the key slots' areas, then the
 * data, encrypted by AES-XTS, which hides it and does not authenticate it.
 *
 * Reading: bytes from the image's start, as many as fc_luks2_need asks for, to fc_luks2_parse; then
 * as many as fc_luks2_unlock_need says to fc_luks2_unlock; then the data, from segment.offset on,
 * with fc_luks2_run to fc_xts_decrypt. Writing: fc_luks2_format, zeros up to segment.offset, the
 * data with the same run to fc_xts_encrypt.
 *
 * A build without json-c or libargon2 has FC_LUKS2 undefined and no function of these but
 * fc_luks2_starts, fc_luks2_has_magic and fc_luks2_absent.
 */
#ifndef FC_LUKS2_H
#define FC_LUKS2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "kdf.h"
#include "xts.h"

enum {
    FC_LUKS2_SLOTS = 32,
    FC_LUKS2_MIN_HEADER = 0x4000, /* one copy; sizes are powers of two */
    FC_LUKS2_MAX_HEADER = 0x400000,
    FC_LUKS2_SALT_LEN = 32,
    FC_LUKS2_MAX_KEY = 64,
    FC_LUKS2_LABEL_SIZE = 48, /* with terminator, like the next */
    FC_LUKS2_UUID_SIZE = 40,
    FC_LUKS2_WHY_SIZE = 160,
    FC_LUKS2_MIN_SECTOR = 512,
    FC_LUKS2_MAX_SECTOR = 4096,
    FC_LUKS2_MAX_ITERATIONS = 1 << 27, /* of PBKDF2, over all slots that are tried */
};

enum fc_luks2_kdf_type {
    FC_LUKS2_PBKDF2,
    FC_LUKS2_ARGON2I,
    FC_LUKS2_ARGON2ID,
};

struct fc_luks2_kdf {
    enum fc_luks2_kdf_type type;
    enum fc_sha2 hash;   /* PBKDF2 */
    uint32_t iterations; /* PBKDF2 */
    uint32_t passes;     /* Argon2, like the next two */
    uint32_t mem_kib;
    uint32_t cpus;
    uint8_t salt[FC_LUKS2_SALT_LEN];
};

enum fc_luks2_priority {
    FC_LUKS2_IGNORED, /* tried only when it is asked for by its number */
    FC_LUKS2_NORMAL,
    FC_LUKS2_PREFERRED,
};

struct fc_luks2_slot {
    unsigned number;
    enum fc_luks2_priority priority;
    uint64_t area_offset; /* bytes from the image's start */
    uint64_t area_len;
    /* Why it cannot be used here; if not empty, nothing below need be set. */
    char unsupported[FC_LUKS2_WHY_SIZE];
    bool bound;          /* it holds the key of the data, and not another one */
    size_t key_len;      /* of the volume key: 32 or 64 */
    size_t area_key_len; /* of the key that encrypts the area: 32 or 64 */
    enum fc_sha2 af_hash;
    struct fc_luks2_kdf kdf;
};

/* What tells the right volume key: PBKDF2 of it. */
struct fc_luks2_digest {
    enum fc_sha2 hash;
    uint32_t iterations;
    uint8_t salt[FC_LUKS2_SALT_LEN];
    uint8_t value[FC_SHA2_MAX];
    size_t len;
};

struct fc_luks2_segment {
    uint64_t offset;   /* of the data, bytes from the image's start */
    uint64_t len;      /* bytes, a multiple of sector_len; 0: to the image's end */
    uint64_t iv_tweak; /* in units of 512 bytes, whatever sector_len */
    uint32_t sector_len;
};

struct fc_luks2 {
    uint64_t header_len; /* of one copy, JSON included */
    uint64_t seqid;
    char label[FC_LUKS2_LABEL_SIZE]; /* as they stand: any bytes but 0 */
    char uuid[FC_LUKS2_UUID_SIZE];
    uint64_t keyslots_len; /* of the part for key slots' areas, behind the two copies */
    struct fc_luks2_segment segment;
    struct fc_luks2_digest digest;
    struct fc_luks2_slot slots[FC_LUKS2_SLOTS]; /* by number */
    size_t nslots;
    size_t ntokens;
    /* A line for the user about a copy of the header that was damaged or old, or empty. */
    char note[FC_LUKS2_WHY_SIZE];
    /* Why the data cannot be decrypted here, or empty: segment and digest may then be unset. */
    char unsupported[FC_LUKS2_WHY_SIZE];
};

/* fc_luks2_kdf_name(type): "pbkdf2", "argon2i" or "argon2id". */
static inline const char *fc_luks2_kdf_name(enum fc_luks2_kdf_type type)
{
    static const char *const names[] = {"pbkdf2", "argon2i", "argon2id"};

    return names[type];
}

/* fc_luks2_starts(raw[len], len): whether an image starts with a LUKS2 header, damaged or not. */
bool fc_luks2_starts(const uint8_t *raw, size_t len);

/* fc_luks2_has_magic(raw[len], len, secondary): whether a copy of a LUKS header, of any version,
 * may start here: the first one of an image, or the second. */
bool fc_luks2_has_magic(const uint8_t *raw, size_t len, bool secondary);

/* fc_luks2_absent(err): FC_ERR_USAGE, and what to do: for whoever asks for LUKS2 where FC_LUKS2 is
 * undefined. */
enum fc_status fc_luks2_absent(struct fc_err *err);

/* fc_luks2_need(raw[len], len): how many bytes from the image's start are needed to go on: more
 * than len, at most 8 MiB, or no more than len when fc_luks2_parse can say all. To be asked again
 * with more bytes, until there are no more. */
size_t fc_luks2_need(const uint8_t *raw, size_t len);

/* fc_luks2_parse(img, raw[len], len, err): checks both copies of the header and takes the newer
 * good one. An image that is sound but uses what this library lacks is described, in
 * img->unsupported and slots[].unsupported. Errors: FC_ERR_DATA (no LUKS2; another version; both
 * copies damaged; metadata malformed). */
enum fc_status fc_luks2_parse(struct fc_luks2 *img, const uint8_t *raw, size_t len,
                              struct fc_err *err);

/* fc_luks2_check(img, err): FC_ERR_DATA if the data cannot be decrypted here whatever the
 * passphrase. */
enum fc_status fc_luks2_check(const struct fc_luks2 *img, struct fc_err *err);

enum { FC_LUKS2_ANY_SLOT = -1 };

struct fc_luks2_attempt {
    struct fc_piece pass;
    int slot;              /* its number, or FC_LUKS2_ANY_SLOT */
    uint64_t max_mem_kib;  /* Argon2 memory allowed per slot */
    uint64_t max_work_kib; /* sum of passes x KiB allowed over the slots tried */
    /* A line about a slot that is passed over, of which the error does not tell; may be NULL. */
    void (*note)(void *user, const char *text);
    void *user;
};

/* The key of the data: a secret. */
struct fc_luks2_volume {
    uint8_t key[FC_LUKS2_MAX_KEY];
    size_t key_len;
    unsigned slot; /* that opened */
};

/* fc_luks2_unlock_need(img, slot): how many bytes from the image's start fc_luks2_unlock reads: at
 * most 136 MiB. */
size_t fc_luks2_unlock_need(const struct fc_luks2 *img, int slot);

/* fc_luks2_unlock(volume, img, raw[len], len, attempt, err): tries the slots, the preferred ones
 * first, then by number; costs are checked before they are spent. volume should be in secret
 * memory; it is zeros after an error. Errors: FC_ERR_KEY (no slot opens, no such slot), FC_ERR_DATA
 * (not supported; no slot left; its area beyond raw[len]), FC_ERR_LIMIT (costs over the limits,
 * memory). */
enum fc_status fc_luks2_unlock(struct fc_luks2_volume *volume, const struct fc_luks2 *img,
                               const uint8_t *raw, size_t len,
                               const struct fc_luks2_attempt *attempt, struct fc_err *err);

/* fc_luks2_run(segment, first, count): count sectors from number first on, for fc_xts_encrypt and
 * fc_xts_decrypt. */
static inline struct fc_xts_run fc_luks2_run(const struct fc_luks2_segment *segment, uint64_t first,
                                             size_t count)
{
    uint64_t stride = segment->sector_len / 512;

    return (struct fc_xts_run){
        .first = segment->iv_tweak + first * stride,
        .stride = stride,
        .sector_len = segment->sector_len,
        .count = count,
    };
}

enum { FC_LUKS2_DATA_OFFSET = 16 << 20 };

struct fc_luks2_params {
    struct fc_piece pass;
    size_t key_len;      /* 32 or 64 */
    uint32_t sector_len; /* 512, 1024, 2048 or 4096 */
    uint64_t
        data_offset;   /* a multiple of 4096, with place for header and key slot in front of it */
    uint32_t passes;   /* of Argon2id, >= 1 */
    uint32_t mem_kib;  /* >= 32 */
    const char *label; /* less than FC_LUKS2_LABEL_SIZE bytes, or NULL */
    const char *uuid;  /* or NULL: a random one */
};

/* The most that fc_luks2_format writes: both copies of the header and one key slot. */
enum { FC_LUKS2_FORMAT_MAX = 2 * 16384 + 258048 };

/* fc_luks2_format(dst[FC_LUKS2_FORMAT_MAX], len, segment, volume, params, err): a new image's first
 * *len bytes, behind which zeros go up to segment->offset. One slot, Argon2id in one lane, opens
 * it. volume, which should be in secret memory, gets the new key. Errors: FC_ERR_USAGE (params out
 * of range), FC_ERR_LIMIT (memory), FC_ERR_IO (no random bytes); volume is then zeros. */
enum fc_status fc_luks2_format(uint8_t *dst, size_t *len, struct fc_luks2_segment *segment,
                               struct fc_luks2_volume *volume, const struct fc_luks2_params *params,
                               struct fc_err *err);

#endif
