#include "header.h"

#include <string.h>

#include "blake2b.h"
#include "bytes.h"
#include "gcmsiv.h"
#include "secret.h"

/* Where the fields stand; fcrypt.5 has the tables. */
enum {
    MAGIC_LEN = 7,
    CHECKSUM_LEN = 16,

    P_VERSION = 7,
    P_SUITE = 8,
    P_CHUNK_LOG2 = 9,
    P_UNITS = 10,
    P_FLAGS = 11,
    P_ZERO = 12,
    P_FILE_SALT = 16,
    P_RESERVED = 48,
    P_TAG = FC_PREAMBLE_BOUND,
    P_CHECKSUM = FC_PREAMBLE_LEN - CHECKSUM_LEN,
    TAG_LEN = P_CHECKSUM - P_TAG,

    S_KIND = 0,
    S_ZERO1 = 1,
    S_PASSES = 4,
    S_MEM_KIB = 8,
    S_ZERO2 = 12,
    S_SALT = 16,
    S_COMMITMENT = 32, /* what stands before it is bound, like the preamble */
    S_WRAPPED = 64,
    S_CHECKSUM = FC_SLOT_LEN - CHECKSUM_LEN,
    COMMITMENT_LEN = S_WRAPPED - S_COMMITMENT,

    VERSION = 1,
    WRAP_KEY_LEN = 32,
    ARGON2_MIN_KIB = 8,
};

_Static_assert(S_CHECKSUM - S_WRAPPED == FC_FILE_KEY_LEN + FC_GCMSIV_TAG, "wrapped file key");

static const uint8_t magic[MAGIC_LEN] = {'f', 'c', 'r', 'y', 'p', 't', '\n'};

/* A label as a piece of a message: ASCII without its terminator. */
#define LABEL(text)                                                                                \
    {                                                                                              \
        (text), sizeof(text) - 1                                                                   \
    }

const char *fc_suite_name(enum fc_suite suite)
{
    return suite == FC_SUITE_AES128_GCM_SIV ? "aes-128-gcm-siv" : "aes-256-gcm-siv";
}

size_t fc_suite_key_len(enum fc_suite suite)
{
    return suite == FC_SUITE_AES128_GCM_SIV ? 16 : 32;
}

static bool all_zero(const uint8_t *p, size_t len)
{
    uint8_t any = 0;

    for (size_t i = 0; i < len; i++)
        any |= p[i];
    return any == 0;
}

/* Preamble and slots end alike: 112 bytes and the checksum of those. */
static void checksum(uint8_t dst[CHECKSUM_LEN], const uint8_t raw[P_CHECKSUM])
{
    const struct fc_piece piece = {raw, P_CHECKSUM};

    fc_blake2b(dst, CHECKSUM_LEN, NULL, 0, &piece, 1);
}

static bool checksum_ok(const uint8_t raw[FC_PREAMBLE_LEN])
{
    uint8_t want[CHECKSUM_LEN];

    checksum(want, raw);
    return memcmp(want, raw + P_CHECKSUM, CHECKSUM_LEN) == 0;
}

static enum fc_status check_version(const uint8_t raw[FC_PREAMBLE_LEN], struct fc_err *err)
{
    uint8_t as_ours[FC_PREAMBLE_LEN];

    if (raw[P_VERSION] == VERSION)
        return FC_OK;
    /* One flipped byte must not send the user looking for a newer release. */
    memcpy(as_ours, raw, FC_PREAMBLE_LEN);
    as_ours[P_VERSION] = VERSION;
    if (raw[P_VERSION] < VERSION || checksum_ok(as_ours))
        return fc_err_set(err, FC_ERR_DATA, "the header is damaged: wrong version number %u",
                          raw[P_VERSION]);
    return fc_err_set(err, FC_ERR_DATA, "made by a newer fcrypt: container version %u",
                      raw[P_VERSION]);
}

static enum fc_status check_fields(const uint8_t raw[FC_PREAMBLE_LEN], struct fc_err *err)
{
    if (raw[P_SUITE] != FC_SUITE_AES256_GCM_SIV && raw[P_SUITE] != FC_SUITE_AES128_GCM_SIV)
        return fc_err_set(err, FC_ERR_DATA, "the header names an unknown cipher suite: %u",
                          raw[P_SUITE]);
    if (raw[P_CHUNK_LOG2] < FC_CHUNK_LOG2_MIN || raw[P_CHUNK_LOG2] > FC_CHUNK_LOG2_MAX)
        return fc_err_set(err, FC_ERR_DATA, "the header's chunk size is out of range: 2^%u bytes",
                          raw[P_CHUNK_LOG2]);
    if (raw[P_UNITS] < 1 || raw[P_UNITS] > FC_HEADER_MAX_UNITS)
        return fc_err_set(err, FC_ERR_DATA, "the header's length is out of range: %u KiB",
                          raw[P_UNITS]);
    if (raw[P_FLAGS] != 0)
        return fc_err_set(err, FC_ERR_DATA, "the header has unknown flags: 0x%02x", raw[P_FLAGS]);
    if (!all_zero(raw + P_ZERO, P_FILE_SALT - P_ZERO) ||
        !all_zero(raw + P_RESERVED, P_TAG - P_RESERVED))
        return fc_err_set(err, FC_ERR_DATA, "the header's reserved bytes are not zero");
    return FC_OK;
}

/* A raw image looks like anything, and is never guessed. */
static enum fc_status unknown(struct fc_err *err)
{
    fc_err_set(err, FC_ERR_DATA, "not an fcrypt container");
    fc_err_hint(err, "a raw image tells nothing of itself: dec --xts or dec --ctr decrypts it");
    return FC_ERR_DATA;
}

enum fc_status fc_preamble_short(const uint8_t *raw, size_t len, struct fc_err *err)
{
    if (len == 0)
        return fc_err_set(err, FC_ERR_DATA, "not an fcrypt container: it is empty");
    if (memcmp(raw, magic, fc_min_size(len, MAGIC_LEN)) != 0)
        return unknown(err);
    return fc_err_set(err, FC_ERR_DATA, "truncated: the header ends after %zu bytes", len);
}

enum fc_status fc_preamble_parse(struct fc_preamble *p, const uint8_t raw[FC_PREAMBLE_LEN],
                                 struct fc_err *err)
{
    enum fc_status status;

    memset(p, 0, sizeof(*p));
    if (memcmp(raw, magic, MAGIC_LEN) != 0)
        return unknown(err);
    status = check_version(raw, err);
    if (status != FC_OK)
        return status;
    if (!checksum_ok(raw))
        return fc_err_set(err, FC_ERR_DATA, "the header is damaged: its checksum is wrong");
    status = check_fields(raw, err);
    if (status != FC_OK)
        return status;
    p->suite = (enum fc_suite)raw[P_SUITE];
    p->chunk_log2 = raw[P_CHUNK_LOG2];
    p->header_units = raw[P_UNITS];
    memcpy(p->file_salt, raw + P_FILE_SALT, FC_FILE_SALT_LEN);
    return FC_OK;
}

static void header_tag(uint8_t dst[TAG_LEN], const uint8_t raw[FC_PREAMBLE_BOUND],
                       const uint8_t file_key[FC_FILE_KEY_LEN])
{
    const struct fc_piece pieces[] = {LABEL("fcrypt-v1 header"), {raw, FC_PREAMBLE_BOUND}};

    fc_blake2b(dst, TAG_LEN, file_key, FC_FILE_KEY_LEN, pieces, 2);
}

void fc_preamble_build(uint8_t raw[FC_PREAMBLE_LEN], const struct fc_preamble *p,
                       const uint8_t file_key[FC_FILE_KEY_LEN])
{
    memset(raw, 0, FC_PREAMBLE_LEN);
    memcpy(raw, magic, MAGIC_LEN);
    raw[P_VERSION] = VERSION;
    raw[P_SUITE] = (uint8_t)p->suite;
    raw[P_CHUNK_LOG2] = p->chunk_log2;
    raw[P_UNITS] = p->header_units;
    memcpy(raw + P_FILE_SALT, p->file_salt, FC_FILE_SALT_LEN);
    header_tag(raw + P_TAG, raw, file_key);
    checksum(raw + P_CHECKSUM, raw);
}

bool fc_preamble_tag_ok(const uint8_t raw[FC_PREAMBLE_LEN], const uint8_t file_key[FC_FILE_KEY_LEN])
{
    uint8_t want[TAG_LEN];
    bool ok;

    header_tag(want, raw, file_key);
    ok = fc_ct_equal(want, raw + P_TAG, TAG_LEN);
    fc_wipe(want, sizeof(want));
    return ok;
}

static bool has_passphrase(unsigned kind)
{
    return kind == FC_SLOT_PASSPHRASE || kind == FC_SLOT_BOTH;
}

/* Whether a reader of version 1 knows what to do with a slot whose checksum is right. */
static bool slot_is_known(const uint8_t raw[FC_SLOT_LEN])
{
    uint32_t passes = fc_load_le32(raw + S_PASSES);
    uint32_t mem_kib = fc_load_le32(raw + S_MEM_KIB);

    if (raw[S_KIND] > FC_SLOT_BOTH || !all_zero(raw + S_ZERO1, S_PASSES - S_ZERO1) ||
        !all_zero(raw + S_ZERO2, S_SALT - S_ZERO2))
        return false;
    if (has_passphrase(raw[S_KIND]))
        return passes >= 1 && mem_kib >= ARGON2_MIN_KIB;
    return passes == 0 && mem_kib == 0;
}

void fc_slot_judge(struct fc_slot *slot, const uint8_t raw[FC_SLOT_LEN])
{
    memset(slot, 0, sizeof(*slot));
    slot->raw_kind = raw[S_KIND];
    if (all_zero(raw, FC_SLOT_LEN)) {
        slot->state = FC_SLOT_STATE_EMPTY;
    } else if (raw[S_KIND] == FC_SLOT_EMPTY || !checksum_ok(raw)) {
        slot->state = FC_SLOT_STATE_DAMAGED;
    } else if (!slot_is_known(raw)) {
        slot->state = FC_SLOT_STATE_UNKNOWN;
    } else {
        slot->state = FC_SLOT_STATE_GOOD;
        slot->kind = (enum fc_slot_kind)raw[S_KIND];
        slot->passes = fc_load_le32(raw + S_PASSES);
        slot->mem_kib = fc_load_le32(raw + S_MEM_KIB);
        memcpy(slot->salt, raw + S_SALT, FC_SLOT_SALT_LEN);
    }
}

void fc_key_factor(uint8_t f[32], const uint8_t secret[32])
{
    const struct fc_piece pieces[] = {LABEL("fcrypt-v1 key file"), {secret, 32}};

    fc_blake2b(f, 32, NULL, 0, pieces, 2);
}

void fc_kek(uint8_t kek[FC_KEK_LEN], enum fc_slot_kind kind, const uint8_t *a, const uint8_t *f)
{
    if (kind == FC_SLOT_BOTH) {
        const struct fc_piece pieces[] = {LABEL("fcrypt-v1 two factors"), {f, 32}};

        fc_blake2b(kek, FC_KEK_LEN, a, 32, pieces, 2);
    } else {
        memcpy(kek, kind == FC_SLOT_PASSPHRASE ? a : f, FC_KEK_LEN);
    }
}

/* S of fcrypt.5: what a KEK gives for one slot of one file. */
struct slot_keys {
    uint8_t wrap_key[WRAP_KEY_LEN];
    uint8_t commitment[COMMITMENT_LEN];
};

_Static_assert(sizeof(struct slot_keys) == FC_BLAKE2B_MAX_OUT, "one BLAKE2b output");

static void derive_slot_keys(struct slot_keys *keys, const uint8_t raw[S_COMMITMENT],
                             const uint8_t preamble[FC_PREAMBLE_BOUND],
                             const uint8_t kek[FC_KEK_LEN])
{
    const struct fc_piece pieces[] = {
        LABEL("fcrypt-v1 slot"), {preamble, FC_PREAMBLE_BOUND}, {raw, S_COMMITMENT}};

    fc_blake2b((uint8_t *)keys, sizeof(*keys), kek, FC_KEK_LEN, pieces, 3);
}

enum { WRAP_AD_LEN = FC_PREAMBLE_BOUND + S_COMMITMENT };

/* The one message a wrap key ever seals: zero nonce, preamble and slot head as ad[WRAP_AD_LEN],
 * the file key. */
static struct fc_gcmsiv_msg wrap_message(uint8_t *ad, uint8_t *dst, const uint8_t *src,
                                         const uint8_t preamble[FC_PREAMBLE_BOUND],
                                         const uint8_t raw[S_COMMITMENT])
{
    memcpy(ad, preamble, FC_PREAMBLE_BOUND);
    memcpy(ad + FC_PREAMBLE_BOUND, raw, S_COMMITMENT);
    return (struct fc_gcmsiv_msg){
        .ad = ad, .ad_len = WRAP_AD_LEN, .src = src, .dst = dst, .len = FC_FILE_KEY_LEN};
}

void fc_slot_seal(uint8_t raw[FC_SLOT_LEN], const uint8_t preamble[FC_PREAMBLE_LEN],
                  const struct fc_slot *slot, const uint8_t kek[FC_KEK_LEN],
                  const uint8_t file_key[FC_FILE_KEY_LEN])
{
    struct slot_keys keys;
    struct fc_gcmsiv_key wrap;
    struct fc_gcmsiv_msg msg;
    uint8_t ad[WRAP_AD_LEN];

    memset(raw, 0, FC_SLOT_LEN);
    raw[S_KIND] = (uint8_t)slot->kind;
    if (has_passphrase(slot->kind)) {
        fc_store_le32(raw + S_PASSES, slot->passes);
        fc_store_le32(raw + S_MEM_KIB, slot->mem_kib);
    }
    memcpy(raw + S_SALT, slot->salt, FC_SLOT_SALT_LEN);

    derive_slot_keys(&keys, raw, preamble, kek);
    memcpy(raw + S_COMMITMENT, keys.commitment, COMMITMENT_LEN);
    fc_gcmsiv_key_init(&wrap, keys.wrap_key, WRAP_KEY_LEN);
    msg = wrap_message(ad, raw + S_WRAPPED, file_key, preamble, raw);
    fc_gcmsiv_seal(&wrap, &msg, 1);
    checksum(raw + S_CHECKSUM, raw);

    fc_gcmsiv_key_wipe(&wrap);
    fc_wipe(&keys, sizeof(keys));
}

/* Unwraps the file key and checks it against the header tag; zeros where either fails. */
static bool unwrap(uint8_t file_key[FC_FILE_KEY_LEN], const uint8_t raw[FC_SLOT_LEN],
                   const uint8_t preamble[FC_PREAMBLE_LEN], const uint8_t wrap_key[WRAP_KEY_LEN])
{
    struct fc_gcmsiv_key wrap;
    struct fc_gcmsiv_msg msg;
    uint8_t ad[WRAP_AD_LEN];
    bool ok;

    fc_gcmsiv_key_init(&wrap, wrap_key, WRAP_KEY_LEN);
    msg = wrap_message(ad, file_key, raw + S_WRAPPED, preamble, raw);
    ok = fc_gcmsiv_open(&wrap, &msg, 1) == 1 && fc_preamble_tag_ok(preamble, file_key);
    if (!ok)
        fc_wipe(file_key, FC_FILE_KEY_LEN);
    fc_gcmsiv_key_wipe(&wrap);
    return ok;
}

enum fc_slot_verdict fc_slot_open(uint8_t file_key[FC_FILE_KEY_LEN], const uint8_t raw[FC_SLOT_LEN],
                                  const uint8_t preamble[FC_PREAMBLE_LEN],
                                  const uint8_t kek[FC_KEK_LEN])
{
    enum fc_slot_verdict verdict = FC_SLOT_OTHER_KEY;
    struct slot_keys keys;

    memset(file_key, 0, FC_FILE_KEY_LEN);
    derive_slot_keys(&keys, raw, preamble, kek);
    if (fc_ct_equal(keys.commitment, raw + S_COMMITMENT, COMMITMENT_LEN))
        verdict = unwrap(file_key, raw, preamble, keys.wrap_key) ? FC_SLOT_OPENED : FC_SLOT_BROKEN;
    fc_wipe(&keys, sizeof(keys));
    return verdict;
}
