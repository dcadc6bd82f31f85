/*
 * A change in place, window by window, with a journal (journal.h) beside the image. Order, where
 * each step is on the disk before the next begins:
 *
 *   record 0, and the journal's name in its folder
 *   record 1, as empty as that: from now on both slots have one
 *   record n with the new contents of a window, that window       for n = 2, 3, ...
 *   the journal's name is gone
 *
 * A run that goes on first looks whether the image is what the journal was kept for: record n - 1
 * good means that its window stands in the image; that slot torn, by record n + 1, means that the
 * window of record n does, and that the next one is still untouched. An image put back from a
 * backup, a record that lost a bit after its window was written, or a slot that is gone, is found
 * so, and nothing is done twice.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes.h"
#include "journal.h"
#include "ops_image.h"
#include "ops_inplace.h"

static bool ends_with(const char *s, const char *end)
{
    size_t len = strlen(s), end_len = strlen(end);

    return len >= end_len && strcmp(s + len - end_len, end) == 0;
}

/* Whether the open image, of which st tells, is one that can be changed in place; locks it. */
static enum fc_status refuse_others(const struct fc_change *c, const struct stat *st,
                                    struct fc_err *err)
{
    if (!S_ISREG(st->st_mode))
        return fc_err_set(err, FC_ERR_IO,
                          "only a regular file can be changed in place: the "
                          "journal of anything else may not outlive a crash");
    if (st->st_nlink != 1)
        return fc_err_set(err, FC_ERR_IO, "has %ju names (hard links), and its journal only one",
                          (uintmax_t)st->st_nlink);
    if (fc_change_attached(st))
        return fc_err_set(err, FC_ERR_IO, "is attached to a loop device");
    if (flock(c->image, LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK ? fc_err_set(err, FC_ERR_IO, "is in use by another process")
                                    : fc_err_sys(err, errno, "cannot lock it");
    return FC_OK;
}

static enum fc_status change_open(struct fc_change *c, const char *path, struct fc_err *err)
{
    char *image = realpath(path, NULL);
    struct stat st;
    bool journal;
    int sys;

    if (image == NULL)
        return fc_err_sys(err, errno, "cannot be found");
    if (asprintf(&c->path, "%s" FC_JOURNAL_SUFFIX, image) < 0)
        c->path = NULL;
    c->image = open(image, O_RDWR | O_NOCTTY | O_CLOEXEC);
    sys = c->image < 0 || fstat(c->image, &st) != 0 ? errno : 0;
    journal = ends_with(image, FC_JOURNAL_SUFFIX);
    free(image);
    if (sys != 0)
        return fc_err_sys(err, sys, "cannot open it for writing");
    if (journal)
        return fc_err_set(err, FC_ERR_USAGE, "is the journal of another image");
    c->owner = st.st_uid;
    c->slot = malloc(FC_JOURNAL_SLOT);
    c->other = malloc(FC_JOURNAL_SLOT);
    c->cipher = fc_secret_alloc(sizeof(*c->cipher));
    if (c->path == NULL || c->slot == NULL || c->other == NULL || c->cipher == NULL)
        return fc_err_set(err, FC_ERR_LIMIT, "not enough memory");
    return refuse_others(c, &st, err);
}

static void change_close(struct fc_change *c)
{
    fc_secret_free(c->cipher);
    if (c->slot != NULL)
        fc_wipe(c->slot, FC_JOURNAL_SLOT);
    if (c->other != NULL)
        fc_wipe(c->other, FC_JOURNAL_SLOT);
    free(c->slot);
    free(c->other);
    free(c->path);
    if (c->journal >= 0)
        close(c->journal);
    if (c->image >= 0)
        close(c->image); /* and with it the lock */
}

static enum fc_status journal_failed(int sys, struct fc_err *err)
{
    return fc_err_sys(err, sys, "cannot write its journal");
}

/* Makes the journal's name, or its absence, last. */
static enum fc_status sync_folder(const struct fc_change *c, struct fc_err *err)
{
    char *end = strrchr(c->path, '/');
    enum fc_status status = FC_OK;
    int fd;

    *end = '\0';
    fd = open(end == c->path ? "/" : c->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *end = '/';
    if (fd < 0 || fsync(fd) != 0)
        status = journal_failed(errno, err);
    if (fd >= 0)
        close(fd);
    return status;
}

/* The record, with the window that stands in the slot, into the journal. */
static enum fc_status put_record(struct fc_change *c, struct fc_err *err)
{
    struct iovec iov = {.iov_base = c->slot, .iov_len = FC_JOURNAL_HEAD + c->record.size};
    off_t at = (off_t)(c->record.number % 2) * FC_JOURNAL_SLOT;
    struct fc_err why;

    fc_journal_build(c->slot, &c->record);
    if (fc_writev_full(c->journal, &iov, 1, at, &why) != FC_OK)
        return journal_failed(why.sys, err);
    return fdatasync(c->journal) == 0 ? FC_OK : journal_failed(errno, err);
}

/* The record's window into the image. */
static enum fc_status put_window(struct fc_change *c, struct fc_err *err)
{
    struct iovec iov = {.iov_base = c->slot + FC_JOURNAL_HEAD, .iov_len = c->record.size};
    enum fc_status status = fc_writev_full(c->image, &iov, 1, (off_t)c->record.at, err);

    if (status == FC_OK && fdatasync(c->image) != 0)
        status = fc_err_sys(err, errno, "cannot write");
    return status;
}

/* Space for both slots, so that a full disk is found before the image is touched. */
static enum fc_status reserve(const struct fc_change *c, struct fc_err *err)
{
    off_t len = fc_change_journal_len(&c->record.job);
    int sys = posix_fallocate(c->journal, 0, len);

    if (sys == EOPNOTSUPP || sys == EINVAL)
        sys = ftruncate(c->journal, len) == 0 ? 0 : errno;
    return sys == 0 ? FC_OK : journal_failed(sys, err);
}

/* From record 0 to the first window. */
static enum fc_status make_ready(struct fc_change *c, struct fc_err *err)
{
    enum fc_status status = reserve(c, err);

    if (status == FC_OK && fsync(c->journal) != 0)
        status = journal_failed(errno, err);
    if (status == FC_OK)
        status = sync_folder(c, err);
    c->record.number = 1;
    return status == FC_OK ? put_record(c, err) : status;
}

/* A new journal. */
static enum fc_status begin(struct fc_change *c, const struct fc_journal_job *job,
                            struct fc_err *err)
{
    enum fc_status status = fc_random(c->record.salt, FC_JOURNAL_SALT, err);

    if (status != FC_OK)
        return status;
    c->record.job = *job;
    c->record.number = 0;
    c->record.at = job->offset;
    c->record.size = 0;
    fc_journal_key_check(c->record.check, c->record.salt, c->params->key, c->params->key_len);
    status = put_record(c, err);
    if (status == FC_OK)
        status = make_ready(c, err);
    if (status != FC_OK)
        unlink(c->path);
    return status;
}

/* Goes on from the journal that is there, if it says the same as this run. */
static enum fc_status resume(struct fc_change *c, const struct fc_journal_job *job,
                             off_t journal_len, struct fc_err *err)
{
    enum fc_status status =
        fc_journal_agree(&c->record, job, c->params->key, c->params->key_len, err);

    if (status == FC_OK)
        status = fc_change_check(c, journal_len, err);
    if (status == FC_OK && c->record.number == 0)
        status = make_ready(c, err);
    else if (status == FC_OK && c->record.size > 0)
        status = put_window(c, err);
    if (status == FC_OK)
        fc_ops_note(c->ctx, "was interrupted: going on at byte %ju",
                    (uintmax_t)(c->record.at + c->record.size));
    return status;
}

static enum fc_status start(struct fc_change *c, const struct fc_journal_job *job,
                            struct fc_err *err)
{
    enum fc_status status;
    struct stat st;
    bool found;

    c->journal = open(c->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (c->journal < 0 || fstat(c->journal, &st) != 0)
        return fc_err_sys(err, errno, "cannot open its journal (%s)", FC_JOURNAL_SUFFIX);
    if (!S_ISREG(st.st_mode) || st.st_nlink != 1 || (st.st_mode & 077) != 0 ||
        (st.st_uid != geteuid() && st.st_uid != c->owner))
        return fc_err_set(err, FC_ERR_IO, "its journal (%s) is open to others", FC_JOURNAL_SUFFIX);
    status = fc_change_newest(c, &found, err);
    if (status != FC_OK)
        return status;
    if (found)
        return resume(c, job, st.st_size, err);
    /* Longer, or with something in it, it had a good record once, and the image may have been
     * touched. */
    if (st.st_size > FC_JOURNAL_HEAD || !fc_is_zero(c->slot, FC_JOURNAL_HEAD))
        return fc_change_damaged(err);
    return begin(c, job, err);
}

/* The window behind the last one. */
static enum fc_status next_window(struct fc_change *c, struct fc_err *err)
{
    const struct fc_journal_job *job = &c->record.job;
    struct fc_journal_record *r = &c->record;
    uint8_t *window = c->slot + FC_JOURNAL_HEAD;
    enum fc_status status;
    uint64_t left;
    size_t got;

    r->at += r->size;
    left = job->offset + job->len - r->at;
    r->size = left < FC_JOURNAL_WINDOW ? (uint32_t)left : (uint32_t)FC_JOURNAL_WINDOW;
    r->number++;
    status = fc_change_read(c->image, window, r->size, (off_t)r->at, &got, err);
    if (status != FC_OK)
        return status;
    if (got < r->size)
        return fc_err_set(err, FC_ERR_IO, "shrank while it was changed");
    fc_cipher_apply(c->cipher, window, r->size, r->at);
    status = put_record(c, err);
    return status == FC_OK ? put_window(c, err) : status;
}

/* Without its journal the change is over, and must not be begun again. So a signal that comes now
 * finds no ear any more, and what happens to the folder afterwards is no failure: should the
 * journal come back with a crash, its last record is done again, which changes nothing. */
static enum fc_status finish(struct fc_change *c, struct fc_err *err)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    if (unlink(c->path) != 0) {
        fc_err_sys(err, errno, "cannot remove its journal");
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        return FC_ERR_IO;
    }
    fc_ops_note(c->ctx, "%s in place", c->record.job.encrypt ? "encrypted" : "decrypted");
    (void)sync_folder(c, NULL);
    return FC_OK;
}

static enum fc_status change_all(struct fc_change *c, const struct fc_journal_job *job,
                                 struct fc_err *err)
{
    const struct fc_config *config = &c->ctx->config;
    enum fc_status status = start(c, job, err);

    fc_cipher_raw(c->cipher, c->params, job->encrypt);
    while (status == FC_OK && c->record.at + c->record.size < job->offset + job->len) {
        status = next_window(c, err);
        if (status == FC_OK && config->progress != NULL)
            config->progress(config->user, c->record.at + c->record.size - job->offset);
        if (status != FC_OK && err != NULL && err->hint[0] == '\0')
            fc_err_hint(err, "the same command goes on where this one stopped");
    }
    return status == FC_OK ? finish(c, err) : status;
}

enum fc_status fc_raw_in_place(struct fc_ctx *ctx, const struct fc_raw_params *params, bool encrypt,
                               const char *path, const struct fc_range *range, struct fc_err *err)
{
    struct fc_change c = {.ctx = ctx, .params = params, .image = -1, .journal = -1};
    struct fc_journal_job job = {
        .ctr = params->mode == FC_RAW_CTR,
        .encrypt = encrypt,
        .large_iv = params->large_iv,
        .sector_len = params->sector_len,
        .first_sector = params->first_sector,
    };
    enum fc_status status = fc_ops_raw_check(params, range, err);
    bool known;

    memcpy(job.iv, params->iv, sizeof(job.iv));
    if (status == FC_OK)
        status = change_open(&c, path, err);
    if (status == FC_OK)
        status = fc_ops_length(&job.image_len, &known, c.image, err);
    if (status == FC_OK)
        status = fc_ops_raw_fits(params, encrypt, job.image_len, range, err);
    job.offset = range == NULL ? 0 : range->offset;
    job.len = range == NULL ? job.image_len : range->len;
    if (status == FC_OK)
        status = change_all(&c, &job, err);
    change_close(&c);
    return status;
}
