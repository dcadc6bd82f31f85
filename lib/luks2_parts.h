/*
 * What the files behind luks2.h share.
 */
#ifndef FC_LUKS2_PARTS_H
#define FC_LUKS2_PARTS_H

#include "luks2.h"

enum {
    FC_LUKS2_BINARY_LEN = 4096,
    FC_LUKS2_MAX_KEYSLOTS = 128 << 20,
    FC_LUKS2_ALIGN = 4096,
    FC_LUKS2_STRIPES = 4000,
    FC_LUKS2_AREA_SECTOR = 512,
};

#define FC_LUKS2_ENCRYPTION "aes-xts-plain64"

/* The binary part of one copy. */
struct fc_luks2_binary {
    uint64_t offset;     /* in the image; the primary's is 0 */
    uint64_t header_len; /* binary part and JSON */
    uint64_t seqid;
    char label[FC_LUKS2_LABEL_SIZE];
    char uuid[FC_LUKS2_UUID_SIZE];
};

/* fc_luks2_binary_len(raw[len], len, offset): the header length that the copy at offset claims, if
 * magic, place and length make sense, or 0. */
uint64_t fc_luks2_binary_len(const uint8_t *raw, size_t len, uint64_t offset);

/* fc_luks2_binary_read(b, raw[len], len, offset, err): the copy at offset, all of it, with its
 * checksum. Errors: FC_ERR_DATA. */
enum fc_status fc_luks2_binary_read(struct fc_luks2_binary *b, const uint8_t *raw, size_t len,
                                    uint64_t offset, struct fc_err *err);

/* fc_luks2_binary_write(raw, b, salt[64]): the binary part of the copy at b->offset, in front of
 * its JSON area, which must stand already: raw[b->header_len]. */
void fc_luks2_binary_write(uint8_t *raw, const struct fc_luks2_binary *b, const uint8_t salt[64]);

/* fc_luks2_metadata_read(img, area[len], len, err): the JSON area of the copy whose binary part is
 * in img already. Errors: FC_ERR_DATA, FC_ERR_LIMIT. */
enum fc_status fc_luks2_metadata_read(struct fc_luks2 *img, const char *area, size_t len,
                                      struct fc_err *err);

/* fc_luks2_unsupported(why, fmt, ...): notes the first reason in why[FC_LUKS2_WHY_SIZE]. */
void fc_luks2_unsupported(char *why, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

struct fc_json;

/* The objects inside the metadata, luks2_json.h's way: false, and err set, if one is malformed.
 * What is sound but not supported goes into the unsupported of the slot or the image. */
bool fc_luks2_slot_read(struct fc_luks2_slot *slot, const struct fc_json *in, struct fc_err *err);
bool fc_luks2_segment_read(struct fc_luks2 *img, const struct fc_json *in, struct fc_err *err);
bool fc_luks2_digest_read(struct fc_luks2_digest *digest, char *unsupported,
                          const struct fc_json *in, struct fc_err *err);

/* fc_luks2_af_split(hash, dst, key, key_len, err): key[key_len] spread over FC_LUKS2_STRIPES
 * stripes, dst[FC_LUKS2_STRIPES * key_len], all of which are needed to get it back (specification,
 * "Anti-forensic splitter"). Errors: FC_ERR_IO (no random bytes). */
enum fc_status fc_luks2_af_split(enum fc_sha2 hash, uint8_t *dst, const uint8_t *key,
                                 size_t key_len, struct fc_err *err);

/* fc_luks2_af_merge(hash, key, src, key_len): the inverse. */
void fc_luks2_af_merge(enum fc_sha2 hash, uint8_t *key, const uint8_t *src, size_t key_len);

/* fc_luks2_slot_key(key, slot, pass, err): the area's key, key[slot->area_key_len], from a
 * passphrase. Errors: FC_ERR_LIMIT; key is then zeros. */
enum fc_status fc_luks2_slot_key(uint8_t *key, const struct fc_luks2_slot *slot,
                                 struct fc_piece pass, struct fc_err *err);

/* fc_luks2_digest_of(digest, dst, volume): PBKDF2 of the volume key, dst[digest->len]. */
void fc_luks2_digest_of(const struct fc_luks2_digest *digest, uint8_t *dst,
                        const struct fc_luks2_volume *volume);

/* fc_luks2_area_run(slot): the slot's split key as sectors. */
struct fc_xts_run fc_luks2_area_run(const struct fc_luks2_slot *slot);

#endif
