#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "hash_parts.h"

static struct fc_hash_slot *slot_of(const struct fc_hash_queue *q, uint64_t number)
{
    return &q->slots[number % FC_HASH_WINDOW];
}

/* Threads that surely find a descriptor each, were all the others of it to fill their lanes. */
static unsigned affordable_threads(unsigned wanted)
{
    enum { OTHERS = 16, EACH = FC_BLAKE2B_MAX_LANES + 2 };
    struct rlimit limit;
    rlim_t most;

    if (wanted == 0)
        wanted = fc_cpu_count();
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return wanted;
    most = limit.rlim_cur < OTHERS + EACH ? 1 : (limit.rlim_cur - OTHERS) / EACH;
    return most < wanted ? (unsigned)most : wanted;
}

bool fc_queue_open(struct fc_hash_queue *q, const struct fc_hash_config *config)
{
    *q = (struct fc_hash_queue){
        .config = config,
        .threads = affordable_threads(config->threads),
        .stream = FC_HASH_NO_STREAM,
    };
    q->slots = calloc(FC_HASH_WINDOW, sizeof(*q->slots));
    if (q->slots == NULL)
        return false;
    q->stop_fd = fc_hash_spare(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->moved, NULL);
    pthread_cond_init(&q->turn, NULL);
    return true;
}

void fc_queue_close(struct fc_hash_queue *q)
{
    pthread_cond_destroy(&q->turn);
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

/* What nobody reads or looks at is finished, and nothing is begun any more. */
static void stop(struct fc_hash_queue *q)
{
    atomic_store(&q->stopped, true);
    if (q->stop_fd >= 0)
        (void)eventfd_write(q->stop_fd, 1);
    if (q->stream != FC_HASH_NO_STREAM && !q->streaming)
        slot_of(q, q->stream)->finished = true;
    for (uint64_t n = q->known; n < q->fetched; n++)
        slot_of(q, n)->finished |= !slot_of(q, n)->looked_at;
    for (; q->long_first != NULL; q->long_first = q->long_first->next)
        q->long_first->finished = true;
    pthread_cond_broadcast(&q->turn);
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

static bool stream_waits(const struct fc_hash_queue *q)
{
    return q->given == q->stream && !q->streaming && !q->stopped;
}

/* Where next would wait, it is called only when there is no result that could not come out for it.
 */
static bool may_fetch(const struct fc_hash_queue *q)
{
    if (q->ended || q->stopped || q->fetched - q->given == FC_HASH_WINDOW)
        return false;
    return q->config->ready == NULL || q->fetched == q->given || q->config->ready(q->config->user);
}

/* Whether a worker that waits should have it instead. */
static bool should_leave(struct fc_hash_queue *q, bool busy)
{
    if (q->idle == 0 || !busy)
        return false;
    pthread_cond_signal(&q->moved);
    return true;
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

/* One more job from next, if there is any. */
static void fetch_one(struct fc_hash_queue *q)
{
    struct fc_hash_slot *slot = slot_of(q, q->fetched);

    *slot = (struct fc_hash_slot){.number = q->fetched};
    if (!q->config->next(q->config->user, &slot->job)) {
        q->ended = true;
        wake(q);
        return;
    }
    q->fetched++;
    if (slot->job.source == FC_HASH_NOTHING)
        fc_queue_finish(q, &slot, 1);
}

/* All behind job n wait for it; what they are is asked anew when it is over, for whoever writes to
 * it may change them until then. */
static void meet_stream(struct fc_hash_queue *q, uint64_t n)
{
    q->stream = n;
    q->streams++;
    q->known = q->handed = n + 1;
}

static bool may_hand(const struct fc_hash_queue *q)
{
    return q->stream == FC_HASH_NO_STREAM && q->handed < q->fetched && !q->stopped &&
           !slot_of(q, q->handed)->looked_at;
}

static bool is_over(const struct fc_hash_queue *q)
{
    return q->stopped || (q->ended && q->known == q->fetched && q->stream == FC_HASH_NO_STREAM);
}

/* Of these nothing has to be found out. */
static void pass_nothing(struct fc_hash_queue *q)
{
    while (q->known < q->handed && slot_of(q, q->known)->job.source == FC_HASH_NOTHING)
        q->known++;
}

/* Goes on over jobs that are no files, and wakes those who can go on then. */
static void pass_known(struct fc_hash_queue *q)
{
    pass_nothing(q);
    if (q->known < q->handed && slot_of(q, q->known)->job.source == FC_HASH_STDIN)
        meet_stream(q, q->known);
    pthread_cond_broadcast(&q->turn);
    if (is_over(q))
        wake(q);
    else if (q->idle > 0 && (q->long_first != NULL || stream_waits(q) || may_hand(q)))
        pthread_cond_signal(&q->moved);
}

/* Hands out the next job; NULL: it is no file, or there is none (*more is false where the batch
 * ends with that). */
static struct fc_hash_slot *hand_one(struct fc_hash_queue *q, bool *more)
{
    struct fc_hash_slot *slot;

    if (q->handed == q->fetched && may_fetch(q))
        fetch_one(q);
    *more = may_hand(q);
    if (!*more)
        return NULL;
    slot = slot_of(q, q->handed++);
    if (slot->job.source != FC_HASH_FILE) {
        pass_nothing(q); /* at once: known must not fall behind given, or its slot is reused */
        *more = slot->job.source != FC_HASH_STDIN;
        return NULL;
    }
    slot->looked_at = true;
    slot->dir = AT_FDCWD;
    slot->name = slot->job.path;
    slot->result = (struct fc_hash_result){0};
    slot->kind = FC_HASH_UNKNOWN;
    return slot;
}

void fc_queue_fetch(struct fc_hash_queue *q, struct fc_hash_batch *batch, bool busy)
{
    struct fc_hash_slot *slot;
    bool more = q->stream == FC_HASH_NO_STREAM;

    *batch = (struct fc_hash_batch){.dir = -1, .streams = q->streams};
    if (q->long_first != NULL) {
        if (!should_leave(q, busy))
            batch->slot[batch->n++] = take_long(q);
        return;
    }
    while (more && batch->n < FC_HASH_BATCH && !should_leave(q, busy))
        if ((slot = hand_one(q, &more)) != NULL)
            batch->slot[batch->n++] = slot;
    pass_known(q);
}

/* What becomes of a job that turned out to be of this kind. */
static void make_known(struct fc_hash_queue *q, struct fc_hash_batch *batch,
                       struct fc_hash_slot *slot, enum fc_hash_kind kind)
{
    slot->kind = kind;
    q->known = slot->number + 1;
    if (slot->result.sys != 0 || q->stopped)
        fc_queue_finish(q, &slot, 1);
    else if (kind == FC_HASH_STREAM)
        meet_stream(q, slot->number);
    else if (kind == FC_HASH_LONG)
        put_long(q, slot);
    else
        batch->slot[batch->n++] = slot;
}

void fc_queue_known(struct fc_hash_queue *q, struct fc_hash_batch *batch,
                    const enum fc_hash_kind *kinds)
{
    const uint64_t first = batch->slot[0]->number;
    size_t n = batch->n;

    while (q->known < first && q->streams == batch->streams && !q->stopped)
        pthread_cond_wait(&q->turn, &q->lock);
    for (size_t i = 0; i < n; i++)
        batch->slot[i]->looked_at = false;
    batch->n = 0;
    for (size_t i = 0; i < n && (q->stopped || q->streams == batch->streams); i++)
        make_known(q, batch, batch->slot[i], kinds[i]);
    pass_known(q);
}

struct fc_hash_slot *fc_queue_stream(struct fc_hash_queue *q)
{
    if (!stream_waits(q))
        return NULL;
    q->streaming = true;
    return slot_of(q, q->stream);
}

void fc_queue_finish(struct fc_hash_queue *q, struct fc_hash_slot *const *slots, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        slots[i]->finished = true;
        if (slots[i]->number == q->stream)
            q->stream = FC_HASH_NO_STREAM;
    }
    q->streaming &= q->stream != FC_HASH_NO_STREAM;
    if (n > 0)
        deliver(q);
}

bool fc_queue_wait(struct fc_hash_queue *q)
{
    if (stream_waits(q) || q->long_first != NULL || may_hand(q))
        return true;
    if (is_over(q))
        return false;
    q->idle++;
    pthread_cond_wait(&q->moved, &q->lock);
    q->idle--;
    return true;
}
