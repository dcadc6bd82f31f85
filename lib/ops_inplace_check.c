#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bytes.h"
#include "ops_inplace.h"

enum {
    PIECE = 512,   /* what is compared at a time: divides every sector */
    PIECE_MIN = 8, /* shorter ends may be alike by chance */
};

enum fc_status fc_change_read(int fd, uint8_t *dst, size_t len, off_t at, size_t *got,
                              struct fc_err *err)
{
    if (lseek(fd, at, SEEK_SET) < 0)
        return fc_err_sys(err, errno, "cannot seek");
    return fc_read_full(fd, dst, len, got, err);
}

enum fc_status fc_change_newest(struct fc_change *c, bool *found, struct fc_err *err)
{
    struct fc_journal_record one[2];
    uint8_t *slots[2] = {c->slot, c->other};
    bool good[2];
    int best;

    for (int k = 0; k < 2; k++) {
        size_t got;
        enum fc_status status = fc_change_read(c->journal, slots[k], FC_JOURNAL_SLOT,
                                               (off_t)k * FC_JOURNAL_SLOT, &got, err);

        if (status != FC_OK)
            return status;
        memset(slots[k] + got, 0, FC_JOURNAL_SLOT - got);
        good[k] = fc_journal_parse(&one[k], slots[k], got);
    }
    best = good[1] && (!good[0] || one[1].number > one[0].number);
    *found = good[best];
    c->slot = slots[best];
    c->other = slots[!best];
    c->other_good = good[!best];
    if (good[best])
        c->record = one[best];
    if (good[!best])
        c->other_record = one[!best];
    return FC_OK;
}

/* Compares window[size] with the image at `at`, piece by piece: *differ counts the pieces that
 * are not alike, *alike those that are, but for zeros and what may be alike by chance. */
static enum fc_status compare(const struct fc_change *c, const uint8_t *window, size_t size,
                              uint64_t at, size_t *differ, size_t *alike, struct fc_err *err)
{
    enum fc_status status = FC_OK;
    uint8_t there[PIECE];

    *differ = *alike = 0;
    for (size_t i = 0; status == FC_OK && i < size; i += PIECE) {
        size_t len = fc_min_size(size - i, PIECE), got;

        status = fc_change_read(c->image, there, len, (off_t)(at + i), &got, err);
        if (status == FC_OK && (got != len || memcmp(there, window + i, len) != 0))
            ++*differ;
        else if (status == FC_OK && len >= PIECE_MIN)
            *alike += !fc_is_zero(there, len);
    }
    fc_wipe(there, sizeof(there));
    return status;
}

enum fc_status fc_change_damaged(struct fc_err *err)
{
    fc_err_set(err, FC_ERR_DATA, "its journal (%s) is damaged", FC_JOURNAL_SUFFIX);
    return fc_err_hint(err, "put the image back from a backup and remove the journal");
}

off_t fc_change_journal_len(const struct fc_journal_job *job)
{
    return FC_JOURNAL_SLOT + FC_JOURNAL_HEAD +
           (off_t)(job->len < FC_JOURNAL_WINDOW ? job->len : (uint64_t)FC_JOURNAL_WINDOW);
}

/* Whether a slot is not only torn, but gone. */
static bool lacks_slot(const struct fc_change *c, off_t journal_len)
{
    return c->record.number > 0 && (journal_len < fc_change_journal_len(&c->record.job) ||
                                    (!c->other_good && fc_is_zero(c->other, FC_JOURNAL_HEAD)));
}

enum fc_status fc_change_check(const struct fc_change *c, off_t journal_len, struct fc_err *err)
{
    const struct fc_journal_record *r = &c->record, *o = &c->other_record;
    const struct fc_journal_job *job = &r->job;
    uint64_t next = r->at + r->size, left = job->offset + job->len - next;
    const uint8_t *stands = (c->other_good ? c->other : c->slot) + FC_JOURNAL_HEAD;
    uint32_t size = c->other_good ? o->size : r->size;
    size_t differ, torn = 0, unused;
    enum fc_status status;

    if (lacks_slot(c, journal_len))
        return fc_change_damaged(err);
    status = compare(c, stands, size, c->other_good ? o->at : r->at, &differ, &unused, err);
    if (status == FC_OK && !c->other_good)
        status = compare(c, c->other + FC_JOURNAL_HEAD,
                         left < FC_JOURNAL_WINDOW ? (size_t)left : (size_t)FC_JOURNAL_WINDOW, next,
                         &unused, &torn, err);
    if (status != FC_OK || (differ == 0 && torn == 0))
        return status;
    fc_err_set(err, FC_ERR_DATA,
               "is not as the interrupted change left it, or its journal (%s) is damaged",
               FC_JOURNAL_SUFFIX);
    return fc_err_hint(err, "put the image back from a backup and remove the journal");
}

/* Whether the file named in the first line of sys is st. */
static bool backed_by(const char *sys, const struct stat *st)
{
    char path[PATH_MAX + 1] = "";
    int fd = open(sys, O_RDONLY | O_CLOEXEC);
    struct stat backing;
    ssize_t n;

    if (fd < 0)
        return false;
    n = read(fd, path, sizeof(path) - 1);
    close(fd);
    path[n > 0 ? (size_t)n : 0] = '\0';
    path[strcspn(path, "\n")] = '\0';
    return stat(path, &backing) == 0 && backing.st_dev == st->st_dev &&
           backing.st_ino == st->st_ino;
}

bool fc_change_attached(const struct stat *st)
{
    bool attached = false;
    glob_t names;

    if (glob("/sys/block/loop*/loop/backing_file", GLOB_NOSORT, NULL, &names) == 0)
        for (size_t i = 0; i < names.gl_pathc; i++)
            attached = attached || backed_by(names.gl_pathv[i], st);
    globfree(&names);
    return attached;
}
