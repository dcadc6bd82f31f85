/*
 * A change in place, private to ops_inplace*.c; ops_inplace.c tells how it works.
 */
#ifndef FC_OPS_INPLACE_H
#define FC_OPS_INPLACE_H

#include <sys/stat.h>

#include "journal.h"
#include "ops_image.h"

#define FC_JOURNAL_SUFFIX ".fcrypt-journal"

struct fc_change {
    struct fc_ctx *ctx;
    const struct fc_raw_params *params;
    struct fc_cipher *cipher;
    int image;
    char *path; /* of the journal: beside the image itself, not beside a link to it */
    int journal;
    struct fc_journal_record record; /* the newest */
    uint8_t *slot;                   /* FC_JOURNAL_SLOT bytes: its head and window */
    /* When going on, the slot that is not the newest. */
    struct fc_journal_record other_record;
    uint8_t *other;
    bool other_good;
    uid_t owner; /* of the image */
};

/* fc_change_read(fd, dst, len, at, &got, err): dst[len] from offset at; fewer at the end. */
enum fc_status fc_change_read(int fd, uint8_t *dst, size_t len, off_t at, size_t *got,
                              struct fc_err *err);

/* fc_change_newest(c, found, err): reads both slots: the newest good record to c->slot, what stands
 * in the other one to c->other. *found tells whether there is a good one. */
enum fc_status fc_change_newest(struct fc_change *c, bool *found, struct fc_err *err);

/* fc_change_damaged(err): FC_ERR_DATA: of the journal. */
enum fc_status fc_change_damaged(struct fc_err *err);

/* fc_change_journal_len(job): the journal's length from record 1 on. */
off_t fc_change_journal_len(const struct fc_journal_job *job);

/* fc_change_check(c, journal_len, err): whether the image is as the run that kept this journal left
 * it, and nothing is missing of the journal. Errors: FC_ERR_DATA if it is not. */
enum fc_status fc_change_check(const struct fc_change *c, off_t journal_len, struct fc_err *err);

/* fc_change_attached(st): whether the regular file st is a loop device's, as far as /sys tells. */
bool fc_change_attached(const struct stat *st);

#endif
