#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "hash_parts.h"

static struct fc_hash_slot *slot_of(const struct fc_hash_queue *q, uint64_t number)
{
    return &q->slots[number % FC_HASH_WINDOW];
}

bool fc_queue_open(struct fc_hash_queue *q, const struct fc_hash_config *config)
{
    *q = (struct fc_hash_queue){.config = config, .threads = config->threads};
    q->slots = calloc(FC_HASH_WINDOW, sizeof(*q->slots));
    if (q->slots == NULL)
        return false;
    if (q->threads == 0)
        q->threads = fc_cpu_count();
    q->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->moved, NULL);
    return true;
}

void fc_queue_close(struct fc_hash_queue *q)
{
    pthread_cond_destroy(&q->moved);
    pthread_mutex_destroy(&q->lock);
    if (q->stop_fd >= 0)
        close(q->stop_fd);
    free(q->slots);
}

void fc_queue_tell(struct fc_hash_queue *q, size_t len)
{
    if (q->config->progress == NULL || len == 0)
        return;
    pthread_mutex_lock(&q->lock);
    q->bytes += len;
    q->config->progress(q->config->user, q->bytes);
    pthread_mutex_unlock(&q->lock);
}

static void wake(struct fc_hash_queue *q)
{
    if (q->idle > 0)
        pthread_cond_broadcast(&q->moved);
}

/* Streams and long files that nobody reads are finished, and no others are begun. */
static void stop(struct fc_hash_queue *q)
{
    atomic_store(&q->stopped, true);
    if (q->stop_fd >= 0)
        (void)eventfd_write(q->stop_fd, 1);
    for (uint64_t n = q->streams; n < q->fetched; n++)
        if (slot_of(q, n)->kind == FC_HASH_STREAM)
            slot_of(q, n)->finished = true;
    for (; q->long_first != NULL; q->long_first = q->long_first->next)
        q->long_first->finished = true;
}

/* Gives back all that is finished and has nothing unfinished before it. */
static void deliver(struct fc_hash_queue *q)
{
    uint64_t before = q->given;

    while (q->given < q->fetched && slot_of(q, q->given)->finished) {
        struct fc_hash_slot *slot = slot_of(q, q->given++);

        if (q->stopped)
            slot->result = (struct fc_hash_result){.sys = ECANCELED};
        slot->result.more = q->given < q->fetched && slot_of(q, q->given)->finished;
        if (!q->config->done(q->config->user, &slot->job, &slot->result) && !q->stopped)
            stop(q);
    }
    if (q->given != before)
        wake(q);
}

/* Those before it come first, or reading it might hold them up. */
static bool stream_waits(struct fc_hash_queue *q)
{
    for (; q->streams < q->fetched; q->streams++) {
        enum fc_hash_kind kind = slot_of(q, q->streams)->kind;

        if (kind == FC_HASH_STREAM)
            return !q->streaming && !q->stopped;
        if (kind == FC_HASH_UNKNOWN || kind == FC_HASH_LONG)
            return false;
    }
    return false;
}

/* Where next would wait, it is called only when there is no result that could not come out for it.
 */
static bool may_fetch(const struct fc_hash_queue *q)
{
    if (q->ended || q->stopped || q->fetched - q->given == FC_HASH_WINDOW)
        return false;
    return q->config->ready == NULL || q->fetched == q->given || q->config->ready(q->config->user);
}

/* Whether there is something for those that wait, or for the caller once its lanes are empty. */
static bool should_leave(struct fc_hash_queue *q, bool busy)
{
    bool waits = stream_waits(q);

    if (q->idle > 0 && (busy || waits)) {
        pthread_cond_signal(&q->moved);
        return true;
    }
    return waits;
}

static struct fc_hash_slot *take_long(struct fc_hash_queue *q)
{
    struct fc_hash_slot *slot = q->long_first;

    q->long_first = slot->next;
    slot->kind = FC_HASH_PLAIN;
    return slot;
}

static void put_long(struct fc_hash_queue *q, struct fc_hash_slot *slot)
{
    if (q->long_first == NULL)
        q->long_first = slot;
    else
        q->long_last->next = slot;
    q->long_last = slot;
    slot->next = NULL;
}

/* The next job, unless it is no file. NULL and ended: there is none. */
static struct fc_hash_slot *fetch_one(struct fc_hash_queue *q)
{
    struct fc_hash_slot *slot = slot_of(q, q->fetched);

    *slot = (struct fc_hash_slot){.dir = AT_FDCWD};
    if (!q->config->next(q->config->user, &slot->job)) {
        q->ended = true;
        wake(q);
        return NULL;
    }
    q->fetched++;
    slot->name = slot->job.path;
    if (slot->job.source == FC_HASH_FILE) {
        q->unknown++;
        return slot;
    }
    if (slot->job.source == FC_HASH_STDIN)
        slot->kind = FC_HASH_STREAM;
    else
        fc_queue_finish(q, &slot, 1);
    return NULL;
}

void fc_queue_fetch(struct fc_hash_queue *q, struct fc_hash_batch *batch, bool busy)
{
    struct fc_hash_slot *slot;

    *batch = (struct fc_hash_batch){.dir = -1};
    if (q->long_first != NULL) {
        if (!should_leave(q, busy))
            batch->slot[batch->n++] = take_long(q);
        return;
    }
    while (batch->n < FC_HASH_BATCH && may_fetch(q) && !should_leave(q, busy))
        if ((slot = fetch_one(q)) != NULL)
            batch->slot[batch->n++] = slot;
}

/* For those that wait, once there is nothing left to wait for, or something that another worker
 * should not keep for itself. */
static void wake_for_known(struct fc_hash_queue *q)
{
    if ((q->ended || q->stopped) && q->unknown == 0)
        wake(q);
    else if (q->idle > 0 && (q->long_first != NULL || stream_waits(q)))
        pthread_cond_signal(&q->moved);
}

void fc_queue_known(struct fc_hash_queue *q, struct fc_hash_batch *batch,
                    const enum fc_hash_kind *kinds)
{
    size_t n = batch->n;

    batch->n = 0;
    q->unknown -= n;
    for (size_t i = 0; i < n; i++) {
        struct fc_hash_slot *slot = batch->slot[i];

        slot->kind = kinds[i];
        if (slot->result.sys != 0 || (kinds[i] != FC_HASH_PLAIN && q->stopped))
            fc_queue_finish(q, &slot, 1);
        else if (kinds[i] == FC_HASH_LONG)
            put_long(q, slot);
        else if (kinds[i] == FC_HASH_PLAIN)
            batch->slot[batch->n++] = slot;
    }
    wake_for_known(q);
}

struct fc_hash_slot *fc_queue_stream(struct fc_hash_queue *q)
{
    if (!stream_waits(q))
        return NULL;
    q->streaming = true;
    return slot_of(q, q->streams++);
}

void fc_queue_finish(struct fc_hash_queue *q, struct fc_hash_slot *const *slots, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        slots[i]->finished = true;
        if (slots[i]->kind == FC_HASH_STREAM)
            q->streaming = false;
        slots[i]->kind = FC_HASH_PLAIN;
    }
    if (n > 0)
        deliver(q);
}

bool fc_queue_wait(struct fc_hash_queue *q)
{
    if (stream_waits(q) || q->long_first != NULL)
        return true;
    if ((q->ended || q->stopped) && q->unknown == 0)
        return false;
    q->idle++;
    pthread_cond_wait(&q->moved, &q->lock);
    q->idle--;
    return true;
}
