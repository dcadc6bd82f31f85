#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "blake2bp.h"
#include "fcrypt_hash.h"
#include "io.h"
#include "secret.h"

enum { BUFFER_LEN = 256 * 1024 };

struct run {
    const struct fc_hash_config *config;
    uint8_t *buf;   /* buf[BUFFER_LEN] */
    uint64_t bytes; /* read so far */
};

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

/* Only a buffer that could not be filled is the last one: sizes are not asked for, as those of
 * pipes, devices and files in /proc are none. */
static void digest_fd(struct run *run, const struct fc_hash_job *job, struct fc_hash_result *result,
                      int fd)
{
    struct digest d;
    struct fc_err err;
    size_t got;

    digest_init(&d, job);
    do {
        if (fc_read_full(fd, run->buf, BUFFER_LEN, &got, &err) != FC_OK) {
            result->sys = err.sys;
            result->read = true;
            fc_wipe(&d, sizeof(d));
            return;
        }
        digest_update(&d, run->buf, got);
        run->bytes += got;
        if (run->config->progress != NULL)
            run->config->progress(run->config->user, run->bytes);
    } while (got == BUFFER_LEN);
    digest_final(&d, result->digest);
}

static void digest_path(struct run *run, const struct fc_hash_job *job,
                        struct fc_hash_result *result)
{
    int fd = open(job->path, O_RDONLY | O_NOCTTY | O_CLOEXEC);

    if (fd < 0) {
        result->sys = errno;
        return;
    }
    posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    digest_fd(run, job, result, fd);
    close(fd);
}

enum fc_status fc_hash_files(const struct fc_hash_config *config, struct fc_err *err)
{
    struct run run = {.config = config, .buf = malloc(BUFFER_LEN)};
    struct fc_hash_job job = {0};
    bool wanted = true;

    if (run.buf == NULL)
        return fc_err_set(err, FC_ERR_LIMIT, "not enough memory");
    while (wanted && config->next(config->user, &job)) {
        struct fc_hash_result result = {0};

        if (job.source == FC_HASH_FILE)
            digest_path(&run, &job, &result);
        else if (job.source == FC_HASH_STDIN)
            digest_fd(&run, &job, &result, STDIN_FILENO);
        wanted = config->done(config->user, &job, &result);
        job = (struct fc_hash_job){0};
    }
    free(run.buf);
    return FC_OK;
}
