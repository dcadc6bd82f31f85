/*
 * The journal of a change in place, as bytes: what a run that was interrupted needs so that the
 * next one goes on where it stopped.
 *
 * A file of two slots. Record n stands in slot n modulo 2: a head and, behind it, the new contents
 * of one window of the image. A record is on the disk before its window is touched, and the window
 * is on the disk before the next record is written. So the newest good record is the one to be
 * done again; if the newest one is torn, its window is as it was, and the one before it is done
 * again, which changes nothing. Records 0 and 1 have no window: they say what is about to be done,
 * and once the second of them stands no slot is ever empty.
 */
#ifndef FC_JOURNAL_H
#define FC_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ctr.h"
#include "err.h"

enum {
    FC_JOURNAL_HEAD = 4096,
    FC_JOURNAL_WINDOW = 4 << 20,
    FC_JOURNAL_SLOT = FC_JOURNAL_HEAD + FC_JOURNAL_WINDOW,
    FC_JOURNAL_SALT = 16,
    FC_JOURNAL_CHECK = 32,
};

/* What is being done; all of it must be the same in the run that goes on. */
struct fc_journal_job {
    bool ctr; /* else XTS */
    bool encrypt;
    bool large_iv; /* XTS, and the next two */
    uint32_t sector_len;
    uint64_t first_sector;
    uint8_t iv[FC_CTR_IV]; /* CTR */
    uint64_t image_len;
    uint64_t offset, len; /* of the part that is changed */
};

struct fc_journal_record {
    struct fc_journal_job job;
    uint8_t salt[FC_JOURNAL_SALT];
    uint8_t check[FC_JOURNAL_CHECK]; /* by fc_journal_key_check: tells the key */
    uint64_t number;
    uint64_t at;   /* of the window in the image */
    uint32_t size; /* of the window, 0..FC_JOURNAL_WINDOW */
};

/* fc_journal_key_check(check, salt, key[key_len], key_len): BLAKE2b under the key, key_len <= 64.
 */
void fc_journal_key_check(uint8_t check[FC_JOURNAL_CHECK], const uint8_t salt[FC_JOURNAL_SALT],
                          const uint8_t *key, size_t key_len);

/* fc_journal_build(slot, record): the head of slot[FC_JOURNAL_HEAD + record->size], whose window
 * must stand already. */
void fc_journal_build(uint8_t *slot, const struct fc_journal_record *record);

/* fc_journal_parse(record, slot[len], len): false where it is no good record. */
bool fc_journal_parse(struct fc_journal_record *record, const uint8_t *slot, size_t len);

/* fc_journal_agree(record, job, key[key_len], key_len, err): whether a run of job under this key
 * may go on from record. Errors: FC_ERR_USAGE (another job), FC_ERR_KEY. */
enum fc_status fc_journal_agree(const struct fc_journal_record *record,
                                const struct fc_journal_job *job, const uint8_t *key,
                                size_t key_len, struct fc_err *err);

#endif
