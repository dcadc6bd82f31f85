/*
 * The container's header (fcrypt.5, "HEADER"): preamble and slots as pure functions on bytes.
 */
#ifndef FC_HEADER_H
#define FC_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

enum {
    FC_PREAMBLE_LEN = 128,
    FC_PREAMBLE_BOUND = 80, /* preamble[0:80] is bound into every derived key */
    FC_SLOT_LEN = 128,
    FC_HEADER_UNIT = 1024,
    FC_HEADER_MAX_UNITS = 64,
    FC_FILE_KEY_LEN = 32,
    FC_FILE_SALT_LEN = 32,
    FC_SLOT_SALT_LEN = 16,
    FC_KEK_LEN = 32,
    FC_CHUNK_LOG2_MIN = 13,
    FC_CHUNK_LOG2_MAX = 24,
};

enum fc_suite {
    FC_SUITE_AES256_GCM_SIV = 1,
    FC_SUITE_AES128_GCM_SIV = 2,
};

enum fc_slot_kind {
    FC_SLOT_EMPTY = 0,
    FC_SLOT_PASSPHRASE = 1,
    FC_SLOT_KEY_FILE = 2,
    FC_SLOT_BOTH = 3,
};

struct fc_preamble {
    enum fc_suite suite;
    uint8_t chunk_log2;   /* 13..24 */
    uint8_t header_units; /* KiB, 1..64 */
    uint8_t file_salt[FC_FILE_SALT_LEN];
};

/* fc_suite_name(suite): "aes-256-gcm-siv" or "aes-128-gcm-siv". */
const char *fc_suite_name(enum fc_suite suite);

/* fc_suite_key_len(suite): 32 or 16. */
size_t fc_suite_key_len(enum fc_suite suite);

/* fc_header_nslots(units): slots in a header of that many KiB: 8 * units - 1. */
static inline size_t fc_header_nslots(unsigned units)
{
    return (size_t)units * 8 - 1;
}

/* fc_preamble_parse(p, raw[128], err): checks everything that can be checked without a key: magic,
 * version, checksum, ranges, zeros. Errors: FC_ERR_DATA with a text that names the fault (no
 * container at all; a newer version; damaged). */
enum fc_status fc_preamble_parse(struct fc_preamble *p, const uint8_t raw[FC_PREAMBLE_LEN],
                                 struct fc_err *err);

/* fc_preamble_short(raw[len], len, err): FC_ERR_DATA, with a text that says what an input is that
 * ends inside its preamble: empty, no container, a container cut short. */
enum fc_status fc_preamble_short(const uint8_t *raw, size_t len, struct fc_err *err);

/* fc_preamble_build(raw[128], p, file_key[32]): the whole preamble with tag and checksum. */
void fc_preamble_build(uint8_t raw[FC_PREAMBLE_LEN], const struct fc_preamble *p,
                       const uint8_t file_key[FC_FILE_KEY_LEN]);

/* fc_preamble_tag_ok(raw[128], file_key[32]): whether the header tag is this file key's. */
bool fc_preamble_tag_ok(const uint8_t raw[FC_PREAMBLE_LEN],
                        const uint8_t file_key[FC_FILE_KEY_LEN]);

enum fc_slot_state {
    FC_SLOT_STATE_EMPTY,
    FC_SLOT_STATE_GOOD,
    FC_SLOT_STATE_DAMAGED, /* checksum fails, or begins with 0 and is not all zero */
    FC_SLOT_STATE_UNKNOWN, /* checksum right, but a kind, reserved byte or cost not known here */
};

struct fc_slot {
    enum fc_slot_state state;
    enum fc_slot_kind kind; /* meaningful where state is GOOD */
    uint8_t raw_kind;       /* byte 0 as it stands */
    uint32_t passes;        /* kinds 1 and 3, else 0 */
    uint32_t mem_kib;       /* kinds 1 and 3, else 0 */
    uint8_t salt[FC_SLOT_SALT_LEN];
};

/* fc_slot_judge(slot, raw[128]): reads one slot; never fails: the verdict is slot->state. */
void fc_slot_judge(struct fc_slot *slot, const uint8_t raw[FC_SLOT_LEN]);

/* fc_key_factor(f[32], secret[32]): F of fcrypt.5 "KEYS". */
void fc_key_factor(uint8_t f[32], const uint8_t secret[32]);

/* fc_kek(kek[32], kind, a[32], f[32]): the KEK of a slot of that kind; a is Argon2id's output,
 * f the key factor; the one not needed may be NULL. */
void fc_kek(uint8_t kek[FC_KEK_LEN], enum fc_slot_kind kind, const uint8_t *a, const uint8_t *f);

/* fc_slot_seal(raw[128], preamble[128], slot, kek[32], file_key[32]): writes a whole slot of
 * slot->kind with slot's costs and salt. */
void fc_slot_seal(uint8_t raw[FC_SLOT_LEN], const uint8_t preamble[FC_PREAMBLE_LEN],
                  const struct fc_slot *slot, const uint8_t kek[FC_KEK_LEN],
                  const uint8_t file_key[FC_FILE_KEY_LEN]);

enum fc_slot_verdict {
    FC_SLOT_OTHER_KEY, /* the commitment is another KEK's */
    FC_SLOT_OPENED,
    FC_SLOT_BROKEN, /* the commitment matches, the wrap or the header tag does not */
};

/* fc_slot_open(file_key[32], raw[128], preamble[128], kek[32]): tries one GOOD slot. file_key is
 * written when OPENED, zeros otherwise. Constant-time comparisons. */
enum fc_slot_verdict fc_slot_open(uint8_t file_key[FC_FILE_KEY_LEN], const uint8_t raw[FC_SLOT_LEN],
                                  const uint8_t preamble[FC_PREAMBLE_LEN],
                                  const uint8_t kek[FC_KEK_LEN]);

#endif
