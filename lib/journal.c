#include "journal.h"

#include <string.h>

#include "blake2b.h"
#include "bytes.h"
#include "secret.h"

/* Where the fields of a head stand; numbers are little-endian. */
enum {
    J_MAGIC = 0,
    J_VERSION = 8,
    J_FLAGS = 12,
    J_SECTOR = 16,
    J_SIZE = 20,
    J_FIRST = 24,
    J_IMAGE = 32,
    J_OFFSET = 40,
    J_LEN = 48,
    J_NUMBER = 56,
    J_AT = 64,
    J_IV = 72,
    J_SALT = 88,
    J_CHECK = 104,
    J_SUM = 136, /* of the head in front of it, and the window */

    MAGIC_LEN = 8,
    SUM_LEN = 32,
    VERSION = 1,
    FLAG_ENCRYPT = 1,
    FLAG_LARGE_IV = 2,
    FLAG_CTR = 4,
};

static const uint8_t magic[MAGIC_LEN] = {'f', 'c', 'r', 'y', 'p', 't', '-', 'j'};

void fc_journal_key_check(uint8_t check[FC_JOURNAL_CHECK], const uint8_t salt[FC_JOURNAL_SALT],
                          const uint8_t *key, size_t key_len)
{
    static const char label[] = "fcrypt journal";
    const struct fc_piece pieces[] = {{label, sizeof(label) - 1}, {salt, FC_JOURNAL_SALT}};

    fc_blake2b(check, FC_JOURNAL_CHECK, key, key_len, pieces, 2);
}

static void sum(uint8_t dst[SUM_LEN], const uint8_t *slot, size_t size)
{
    const struct fc_piece pieces[] = {{slot, J_SUM}, {slot + FC_JOURNAL_HEAD, size}};

    fc_blake2b(dst, SUM_LEN, NULL, 0, pieces, 2);
}

void fc_journal_build(uint8_t *slot, const struct fc_journal_record *r)
{
    const struct fc_journal_job *job = &r->job;
    uint32_t flags = (job->encrypt ? FLAG_ENCRYPT : 0) | (job->large_iv ? FLAG_LARGE_IV : 0) |
                     (job->ctr ? FLAG_CTR : 0);

    memset(slot, 0, FC_JOURNAL_HEAD);
    memcpy(slot + J_MAGIC, magic, MAGIC_LEN);
    fc_store_le32(slot + J_VERSION, VERSION);
    fc_store_le32(slot + J_FLAGS, flags);
    fc_store_le32(slot + J_SECTOR, job->sector_len);
    fc_store_le32(slot + J_SIZE, r->size);
    fc_store_le64(slot + J_FIRST, job->first_sector);
    fc_store_le64(slot + J_IMAGE, job->image_len);
    fc_store_le64(slot + J_OFFSET, job->offset);
    fc_store_le64(slot + J_LEN, job->len);
    fc_store_le64(slot + J_NUMBER, r->number);
    fc_store_le64(slot + J_AT, r->at);
    memcpy(slot + J_IV, job->iv, FC_CTR_IV);
    memcpy(slot + J_SALT, r->salt, FC_JOURNAL_SALT);
    memcpy(slot + J_CHECK, r->check, FC_JOURNAL_CHECK);
    sum(slot + J_SUM, slot, r->size);
}

/* Whether the window lies in the part that is changed. */
static bool window_fits(const struct fc_journal_record *r)
{
    const struct fc_journal_job *job = &r->job;

    return r->at >= job->offset && r->at - job->offset <= job->len &&
           r->size <= job->len - (r->at - job->offset);
}

bool fc_journal_parse(struct fc_journal_record *r, const uint8_t *slot, size_t len)
{
    uint8_t want[SUM_LEN];
    uint32_t flags;

    if (len < FC_JOURNAL_HEAD || memcmp(slot, magic, MAGIC_LEN) != 0 ||
        fc_load_le32(slot + J_VERSION) != VERSION)
        return false;
    flags = fc_load_le32(slot + J_FLAGS);
    r->job = (struct fc_journal_job){
        .ctr = (flags & FLAG_CTR) != 0,
        .encrypt = (flags & FLAG_ENCRYPT) != 0,
        .large_iv = (flags & FLAG_LARGE_IV) != 0,
        .sector_len = fc_load_le32(slot + J_SECTOR),
        .first_sector = fc_load_le64(slot + J_FIRST),
        .image_len = fc_load_le64(slot + J_IMAGE),
        .offset = fc_load_le64(slot + J_OFFSET),
        .len = fc_load_le64(slot + J_LEN),
    };
    r->size = fc_load_le32(slot + J_SIZE);
    r->number = fc_load_le64(slot + J_NUMBER);
    r->at = fc_load_le64(slot + J_AT);
    memcpy(r->job.iv, slot + J_IV, FC_CTR_IV);
    memcpy(r->salt, slot + J_SALT, FC_JOURNAL_SALT);
    memcpy(r->check, slot + J_CHECK, FC_JOURNAL_CHECK);
    if (r->size > len - FC_JOURNAL_HEAD || !window_fits(r))
        return false;
    sum(want, slot, r->size);
    return memcmp(want, slot + J_SUM, SUM_LEN) == 0;
}

static bool same_job(const struct fc_journal_job *a, const struct fc_journal_job *b)
{
    return a->ctr == b->ctr && a->encrypt == b->encrypt && a->large_iv == b->large_iv &&
           a->sector_len == b->sector_len && a->first_sector == b->first_sector &&
           a->image_len == b->image_len && a->offset == b->offset && a->len == b->len &&
           memcmp(a->iv, b->iv, FC_CTR_IV) == 0;
}

enum fc_status fc_journal_agree(const struct fc_journal_record *record,
                                const struct fc_journal_job *job, const uint8_t *key,
                                size_t key_len, struct fc_err *err)
{
    const char *what = record->job.encrypt ? "encryption" : "decryption";
    uint8_t check[FC_JOURNAL_CHECK];

    if (!same_job(&record->job, job)) {
        fc_err_set(err, FC_ERR_USAGE, "its %s in place with other options was interrupted", what);
        fc_err_hint(err, "finish that %s first, with the command that began it", what);
        return FC_ERR_USAGE;
    }
    fc_journal_key_check(check, record->salt, key, key_len);
    if (!fc_ct_equal(check, record->check, sizeof(check))) {
        fc_err_set(err, FC_ERR_KEY, "its interrupted %s in place was begun with another key", what);
        fc_err_hint(err, "finish that %s first, with the key that began it", what);
        return FC_ERR_KEY;
    }
    return FC_OK;
}
