#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "blake2bp.h"
#include "hash_parts.h"
#include "io.h"
#include "secret.h"

/* Asked by name: opening a FIFO to look at it would wake who writes there. Folders cannot be read,
 * as reading them will tell. */
enum fc_hash_kind fc_hash_look(struct fc_hash_slot *slot)
{
    struct stat st;

    if (fstatat(slot->dir, slot->name, &st, 0) != 0) {
        slot->result.sys = errno;
        return FC_HASH_PLAIN;
    }
    if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return FC_HASH_STREAM;
    slot->size = (uint64_t)st.st_size;
    return FC_HASH_PLAIN;
}

int fc_hash_spare(int fd)
{
    int other = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);

    if (other >= 0)
        close(other);
    else if (fd >= 0)
        close(fd);
    return other >= 0 ? fd : -1;
}

static int open_job(struct fc_hash_slot *slot, int flags)
{
    int fd = openat(slot->dir, slot->name, O_RDONLY | O_NOCTTY | O_CLOEXEC | flags);

    if (fd < 0)
        slot->result.sys = errno;
    return fd;
}

static void reading_failed(struct fc_hash_slot *slot, int sys)
{
    slot->result.sys = sys;
    slot->result.read = true;
}

void fc_lane_close(struct fc_hash_lane *lane)
{
    if (lane->fd >= 0)
        close(lane->fd);
    lane->fd = -1;
}

/* Reads behind the `had` bytes that are in the buffer already. Only one that could not be filled is
 * the last. */
static size_t lane_fill(struct fc_hash_lane *lane, size_t had)
{
    uint8_t *dst = lane->buf + FC_BLAKE2B_BLOCK + had;
    struct fc_err err;
    size_t got;

    if (fc_read_full(lane->fd, dst, FC_HASH_READ - had, &got, &err) != FC_OK) {
        reading_failed(lane->slot, err.sys);
        fc_lane_close(lane);
        return 0;
    }
    lane->end = FC_BLAKE2B_BLOCK + had + got;
    if (had + got < FC_HASH_READ)
        fc_lane_close(lane);
    return had + got;
}

size_t fc_lane_read(struct fc_hash_lane *lane)
{
    size_t kept = lane->end - lane->at;

    memmove(lane->buf + FC_BLAKE2B_BLOCK - kept, lane->buf + lane->at, kept);
    lane->at = FC_BLAKE2B_BLOCK - kept;
    return lane_fill(lane, 0);
}

/* A file that gave just as many bytes as it is said to have has ended: that spares small ones the
 * read that would tell. Nothing else is concluded from the size, which in /proc is 0. */
size_t fc_lane_open(struct fc_hash_lane *lane)
{
    uint64_t size = lane->slot->size;
    ssize_t n = 0;

    lane->fd = open_job(lane->slot, 0);
    if (lane->fd < 0)
        return 0;
    if (size >= FC_HASH_READ)
        posix_fadvise(lane->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    else if (size > 0)
        n = read(lane->fd, lane->buf + FC_BLAKE2B_BLOCK, FC_HASH_READ);
    if (n <= 0 || (uint64_t)n != size)
        return lane_fill(lane, n < 0 ? 0 : (size_t)n);
    lane->end += (size_t)n;
    fc_lane_close(lane);
    return (size_t)n;
}

/* One of the algorithms at work. */
struct digest {
    enum fc_hash_algorithm algorithm;
    union {
        struct fc_blake2b b;
        struct fc_blake2bp bp;
    };
};

static void digest_init(struct digest *d, const struct fc_hash_job *job)
{
    const struct fc_blake2b_params params = {
        .out_len = job->out_len,
        .key = job->key,
        .key_len = job->key_len,
    };

    d->algorithm = job->algorithm;
    if (d->algorithm == FC_HASH_BLAKE2BP)
        fc_blake2bp_init(&d->bp, job->out_len, job->key, job->key_len);
    else
        fc_blake2b_init(&d->b, &params);
}

static void digest_update(struct digest *d, const uint8_t *src, size_t len)
{
    if (d->algorithm == FC_HASH_BLAKE2BP)
        fc_blake2bp_update(&d->bp, src, len);
    else
        fc_blake2b_update(&d->b, src, len);
}

static void digest_final(struct digest *d, uint8_t *dst)
{
    if (d->algorithm == FC_HASH_BLAKE2BP)
        fc_blake2bp_final(&d->bp, dst);
    else
        fc_blake2b_final(&d->b, dst);
}

/* What there is to read, once there is something. 0: the end; -1: errno tells. */
static ssize_t read_some(int fd, int stop_fd, uint8_t *dst, size_t len)
{
    ssize_t n;

    do {
        if (fc_wait(fd, POLLIN, stop_fd, -1) == FC_WAIT_STOPPED) {
            errno = ECANCELED;
            return -1;
        }
        n = read(fd, dst, len);
    } while (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
    return n;
}

static void digest_fd(struct fc_hash_queue *queue, struct fc_hash_slot *slot, int fd, uint8_t *buf,
                      size_t len)
{
    struct digest d;
    ssize_t n;

    digest_init(&d, &slot->job);
    while ((n = read_some(fd, queue->stop_fd, buf, len)) > 0) {
        digest_update(&d, buf, (size_t)n);
        fc_queue_tell(queue, (size_t)n);
    }
    if (n < 0) {
        reading_failed(slot, errno);
        fc_wipe(&d, sizeof(d));
    } else {
        digest_final(&d, slot->result.digest);
    }
}

/* A FIFO without a writer is opened at once, and is waited for where the wait can be ended. */
void fc_hash_whole(struct fc_hash_queue *queue, struct fc_hash_slot *slot, uint8_t *buf, size_t len)
{
    int fd;

    if (slot->job.source == FC_HASH_STDIN) {
        digest_fd(queue, slot, STDIN_FILENO, buf, len);
        return;
    }
    fd = open_job(slot, slot->kind == FC_HASH_STREAM ? O_NONBLOCK : 0);
    if (fd < 0)
        return;
    digest_fd(queue, slot, fd, buf, len);
    close(fd);
}
