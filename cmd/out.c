#include "out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "msg.h"
#include "opt.h"

enum { MAX_LINKS = 40 };

/* The temporary file, for the signal handler. Its name is set before it exists: nobody else's file
 * has these 64 random bits. It does not depend on the target's name, which may be as long as names
 * can be. */
static struct {
    char name[32];
    int dir_fd;
    volatile sig_atomic_t exists;
} temp;

void out_drop_temp(void)
{
    if (temp.exists)
        unlinkat(temp.dir_fd, temp.name, 0);
}

mode_t out_private_mode(void)
{
    mode_t mask = umask(077);

    umask(mask);
    return 0600 & ~mask;
}

bool operands_have(const struct operands *operands, const struct stat *st)
{
    for (size_t i = 0; S_ISREG(st->st_mode) && i < operands->n; i++)
        if (operands->ids[i].dev == st->st_dev && operands->ids[i].ino == st->st_ino)
            return true;
    return false;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    if (S_ISBLK(a->st_mode) && S_ISBLK(b->st_mode))
        return a->st_rdev == b->st_rdev;
    return S_ISREG(a->st_mode) && S_ISREG(b->st_mode) && a->st_dev == b->st_dev &&
           a->st_ino == b->st_ino;
}

/* Whether the output may be what st is, forced or not. */
static enum fc_status check_avoid(const struct out *out, const struct out_spec *spec,
                                  const struct stat *st)
{
    for (size_t i = 0; i < sizeof(spec->avoid) / sizeof(spec->avoid[0]); i++)
        if (spec->avoid[i] != NULL && same_file(st, spec->avoid[i]))
            return msg_fail(FC_ERR_IO, out->name,
                            i == 0 ? "is the input file" : "is the key or passphrase file");
    if (spec->operands != NULL && operands_have(spec->operands, st))
        return msg_fail(FC_ERR_IO, out->name, "is another input of this call");
    return FC_OK;
}

/* fd is written directly. */
static enum fc_status open_direct(struct out *out, const struct out_spec *spec, int fd)
{
    enum fc_status status;
    struct stat st;

    out->to.fd = fd;
    if (fstat(fd, &st) != 0)
        return msg_fail_sys(out->name, errno, NULL);
    status = check_avoid(out, spec, &st);
    if (status == FC_OK && spec->binary != NULL && !spec->force && isatty(fd)) {
        msg_fail(FC_ERR_IO, out->name, "%s is not written to a terminal", spec->binary);
        msg_hint("-o FILE names an output%s", spec->fresh ? "" : ", -f writes it all the same");
        status = FC_ERR_IO;
    }
    return status;
}

/* Opening such a path instead would write over a regular file from its beginning. */
int out_named_fd(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    uint64_t n;

    if (strcmp(path, "/dev/stdin") == 0)
        return STDIN_FILENO;
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < 2; i++)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0 &&
            opt_number(&n, path + strlen(folders[i]), 0, INT_MAX))
            return (int)n;
    return -1;
}

/* path with symbolic links in its last component followed, also to a file that does not exist yet.
 * NULL with errno on an error. */
static char *resolve(const char *path)
{
    char *at = strdup(path);

    for (int i = 0; at != NULL && i < MAX_LINKS; i++) {
        char link[PATH_MAX], *next;
        const char *slash = strrchr(at, '/');
        ssize_t n = readlink(at, link, sizeof(link) - 1);
        int dir_len;

        if (n < 0)
            return at;
        link[n] = '\0';
        dir_len = link[0] == '/' || slash == NULL ? 0 : (int)(slash - at) + 1;
        if (asprintf(&next, "%.*s%s", dir_len, at, link) < 0)
            next = NULL;
        free(at);
        at = next;
    }
    if (at != NULL)
        errno = ELOOP;
    free(at);
    return NULL;
}

/* The folder of out->path, open; -1 with errno on an error. O_PATH: it need not be readable. */
static int open_folder(struct out *out)
{
    char *slash = strrchr(out->path, '/');
    int fd;

    out->base = slash == NULL ? out->path : slash + 1;
    if (slash == NULL)
        return open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (slash == out->path)
        return open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    *slash = '\0';
    fd = open(out->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    *slash = '/';
    return fd;
}

static enum fc_status open_temp(struct out *out)
{
    uint64_t random;
    struct fc_err err;

    if (fc_random(&random, sizeof(random), &err) != FC_OK)
        return msg_error(out->name, &err);
    snprintf(temp.name, sizeof(temp.name), ".fcrypt-%016llx.tmp", (unsigned long long)random);
    temp.dir_fd = out->dir_fd;
    temp.exists = 1;
    out->to.fd =
        openat(out->dir_fd, temp.name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (out->to.fd >= 0) {
        out->to.positional = true;
        return FC_OK;
    }
    temp.exists = 0;
    return msg_fail_sys(out->name, errno, "cannot create a temporary file in its folder");
}

/* A name that is free, or a regular file. */
static enum fc_status open_target(struct out *out, const struct out_spec *spec)
{
    out->path = resolve(spec->path);
    if (out->path == NULL || (out->dir_fd = open_folder(out)) < 0)
        return msg_fail_sys(out->name, errno, NULL);
    if (*out->base == '\0')
        return msg_fail_sys(out->name, EISDIR, NULL);
    if (strlen(out->base) > NAME_MAX)
        return msg_fail_sys(out->name, ENAMETOOLONG, NULL);
    return open_temp(out);
}

static enum fc_status already_exists(const struct out *out)
{
    msg_fail(FC_ERR_IO, out->name, "already exists");
    if (!out->fresh)
        msg_hint("-f replaces it");
    return FC_ERR_IO;
}

/* A name that nothing stands under, not even a link to nowhere. */
static enum fc_status open_fresh(struct out *out, const struct out_spec *spec)
{
    struct stat st;

    if (lstat(spec->path, &st) == 0)
        return already_exists(out);
    return errno == ENOENT ? open_target(out, spec) : msg_fail_sys(out->name, errno, NULL);
}

static enum fc_status open_path(struct out *out, const struct out_spec *spec)
{
    enum fc_status status;
    int fd;

    fd = out_named_fd(spec->path);
    if (fd >= 0) {
        fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
        return fd < 0 ? msg_fail_sys(out->name, errno, NULL) : open_direct(out, spec, fd);
    }
    if (spec->fresh)
        return open_fresh(out, spec);
    out->replaces = stat(spec->path, &out->old) == 0;
    if (!out->replaces && errno != ENOENT)
        return msg_fail_sys(out->name, errno, NULL);
    if (!out->replaces)
        return open_target(out, spec);
    if (S_ISDIR(out->old.st_mode))
        return msg_fail(FC_ERR_IO, out->name, "is a directory");
    status = check_avoid(out, spec, &out->old);
    if (status != FC_OK)
        return status;
    if (S_ISREG(out->old.st_mode))
        return spec->force ? open_target(out, spec) : already_exists(out);
    if (S_ISBLK(out->old.st_mode) && !spec->force) {
        msg_fail(FC_ERR_IO, out->name, "is a block device");
        msg_hint("-f writes to it");
        return FC_ERR_IO;
    }
    fd = open(spec->path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    return fd < 0 ? msg_fail_sys(out->name, errno, NULL) : open_direct(out, spec, fd);
}

/* Closes whatever is open; returns what close said of the data, 0 or an errno. */
static int close_all(struct out *out)
{
    int error = 0;

    if (out->to.fd > STDERR_FILENO && close(out->to.fd) != 0)
        error = errno;
    if (out->dir_fd >= 0)
        close(out->dir_fd);
    free(out->path);
    out->path = NULL;
    out->dir_fd = out->to.fd = -1;
    return error;
}

enum fc_status out_open(struct out *out, const struct out_spec *spec)
{
    enum fc_status status;

    *out = (struct out){
        .to = {.fd = -1}, .dir_fd = -1, .mode = spec->mode, .uid = (uid_t)-1, .gid = (gid_t)-1};
    out->force = spec->force && !spec->fresh;
    out->fresh = spec->fresh;
    out->name = spec->path == NULL ? "standard output" : spec->path;
    if (spec->from != NULL) {
        out->keep_mtime = true;
        out->mtime = spec->from->st_mtim;
        out->uid = spec->from->st_uid;
        out->gid = spec->from->st_gid;
    }
    status = spec->path == NULL ? open_direct(out, spec, STDOUT_FILENO) : open_path(out, spec);
    if (status != FC_OK)
        close_all(out);
    return status;
}

/* Gives the temporary file its owner: a replaced file keeps its own, and what root makes of a file
 * belongs to whom that belongs, as far as the system lets us. Returns the rights that must go:
 * where the group cannot be had, those of the group. */
static mode_t set_owner(const struct out *out)
{
    uid_t uid = out->replaces ? out->old.st_uid : out->uid;
    gid_t gid = out->replaces ? out->old.st_gid : out->gid;

    if (!out->replaces && geteuid() != 0)
        return 0;
    if (fchown(out->to.fd, uid, gid) == 0 || fchown(out->to.fd, (uid_t)-1, gid) == 0)
        return 0;
    return 070;
}

/* Owner, mode and time. Some file systems have none of them: the data are worth more, and stay as
 * private as the temporary file was. */
static void set_metadata(const struct out *out)
{
    const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, out->mtime};
    mode_t mode = out->replaces ? out->old.st_mode & 0777 : out->mode;

    mode &= ~set_owner(out);
    if (fchmod(out->to.fd, mode) != 0)
        msg_note(out->name, "cannot set its mode: %s", strerror(errno));
    if (out->keep_mtime && futimens(out->to.fd, times) != 0)
        msg_note(out->name, "cannot set its time: %s", strerror(errno));
}

static int sync_fd(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS ? 0 : errno;
}

/* Gives the temporary file its name, which must be free: 0 or an errno. A file system that has
 * neither way of asking for that is asked beforehand. */
static int rename_new(const struct out *out)
{
    int dir = out->dir_fd;

    if (renameat2(dir, temp.name, dir, out->base, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return errno;
    if (linkat(dir, temp.name, dir, out->base, 0) == 0) {
        if (unlinkat(dir, temp.name, 0) != 0)
            msg_note(out->name, "cannot remove %s: %s", temp.name, strerror(errno));
        return 0;
    }
    if (errno == EEXIST || faccessat(dir, out->base, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        return EEXIST;
    return renameat(dir, temp.name, dir, out->base) == 0 ? 0 : errno;
}

static void sync_folder(const struct out *out)
{
    int fd = openat(out->dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0)
        return; /* not readable: nothing more can be done */
    fsync(fd);
    close(fd);
}

static enum fc_status put_in_place(struct out *out)
{
    int error;

    set_metadata(out);
    error = sync_fd(out->to.fd);
    if (error != 0)
        return msg_fail_sys(out->name, error, "cannot write");
    error = close(out->to.fd) == 0 ? 0 : errno;
    out->to.fd = -1;
    if (error != 0)
        return msg_fail_sys(out->name, error, "cannot write");
    if (!out->force)
        error = rename_new(out);
    else if (renameat(out->dir_fd, temp.name, out->dir_fd, out->base) != 0)
        error = errno;
    if (error == EEXIST)
        return already_exists(out);
    if (error != 0)
        return msg_fail_sys(out->name, error, "cannot rename the temporary file");
    temp.exists = 0;
    sync_folder(out);
    return FC_OK;
}

/* A device does not end where the output does. */
static void note_length(const struct out *out)
{
    long long len = lseek(out->to.fd, 0, SEEK_CUR);
    struct stat st;

    if (fstat(out->to.fd, &st) == 0 && S_ISBLK(st.st_mode) && len >= 0)
        msg_note(out->name, "%lld bytes were written; head -c %lld reads them back", len, len);
}

enum fc_status out_commit(struct out *out)
{
    enum fc_status status = FC_OK;
    int error;

    if (out->path != NULL) {
        status = put_in_place(out);
        out_drop(out);
        return status;
    }
    error = out->to.fd > STDERR_FILENO ? sync_fd(out->to.fd) : 0;
    if (error != 0)
        status = msg_fail_sys(out->name, error, "cannot write");
    else
        note_length(out);
    error = close_all(out);
    if (status == FC_OK && error != 0)
        status = msg_fail_sys(out->name, error, "cannot write");
    return status;
}

void out_drop(struct out *out)
{
    out_drop_temp();
    temp.exists = 0;
    close_all(out);
}
