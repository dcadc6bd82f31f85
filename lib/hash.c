/*
 * How many files are hashed at once.
 *
 * N workers do all the same: take a batch of files from the queue and look what they are; bring
 * small ones into free lanes (hash_lanes.c), compressing a round whenever the lanes are full; give
 * back what is finished; and when there is nothing more to be had, compress what is left. The
 * calling thread is the first of them. A worker whose lanes are full, or that has met something
 * long, starts one more, until there are N: a few small files never cost a thread.
 *
 * What is no small file goes back to the queue. Long files are taken from there one at a time,
 * before any new batch, and a worker at one leaves others, and new batches, to workers that have
 * none: two long files are faster on two cores than in two lanes.
 *
 * What may have to be waited for (FIFOs, terminals, devices, standard input) is a stream. It is
 * opened when all files before it are read, and nothing behind it is looked at before it has ended:
 * whoever writes to it may write those files, too (`tee copy | b2sum - copy`). So a worker opens
 * none of its files before it is known of all jobs before them what they are; and what it has found
 * out of those behind a stream is forgotten, and asked anew.
 *
 * Batches of some size are read by a ring (hash_uring.c), if there is one: those that the worker
 * takes next while it hashes the one at hand. They are the worker's, as if in its lanes.
 *
 * Order. The queue is a window of FC_HASH_WINDOW jobs, numbered as next gave them. A worker that
 * marks a job finished also hands everything to done that is now finished up to the first that
 * is not. All of that, and next, is under the queue's lock, so that done sees the jobs in order and
 * one at a time. Jobs are handed to workers in their order, too, and become known in their order,
 * up to the first stream; then it goes on behind that.
 *
 * No deadlock. A worker waits for four things. (1) The lock: its holder waits for nothing but the
 * caller's functions, and next is called where it may wait itself (ready) only if all jobs fetched
 * have been given back. (2) A stream: without the lock, and with nothing else unfinished but what
 * waits for it. Stopping ends this wait. (3) The jobs before those it has looked at, to become
 * known: others are looking at them, and the one with the lowest of them waits for nobody. (4) The
 * queue, when a worker has nothing to do. The oldest job in the window is then another worker's,
 * which comes back to the queue after its batch or round; or is a stream or a long file: being
 * read, or taken by the next worker that can, which is woken for it. A worker leaves for good only
 * when next has ended, all jobs are known, and none is left to take.
 *
 * Stopping. When done returns false no job is fetched or begun, those in batches and lanes are
 * dropped when the worker comes back to the queue, and all come back with ECANCELED.
 */
#include "fcrypt_hash.h"

#include "hash_parts.h"
#include "secret.h"

/* So many small files at once are worth a ring. */
enum { WORTH_A_RING = FC_HASH_BATCH / 2 };

/* A worker's record lives in the frame of the one that started it and that will join it. */
struct worker {
    struct fc_hash_queue *queue;
    struct fc_hash_lanes *lanes;
    struct fc_hash_ring *ring; /* NULL: none yet, or there is none to be had */
    bool tried_ring;
    unsigned index;
    pthread_t thread;
    /* What it has to do next, besides what is in its lanes and in the ring. */
    struct fc_hash_batch batch;
    struct fc_hash_slot *stream;
    bool tried, started; /* to start the next worker */
};

static void *work(void *arg);

static bool worker_prepare(struct worker *w, struct fc_hash_queue *queue, unsigned index)
{
    *w = (struct worker){.queue = queue, .index = index, .batch = {.dir = -1}};
    w->lanes = fc_pages_alloc(sizeof(*w->lanes));
    if (w->lanes == NULL)
        return false;
    fc_lanes_init(w->lanes, queue);
    return true;
}

/* Counted as idle from now on, so that files are left to it. Without memory or thread for it the
 * others do the work. */
static void start_next(struct worker *w, struct worker *next)
{
    if (w->tried || w->index + 1 >= w->queue->threads)
        return;
    w->tried = true;
    if (!worker_prepare(next, w->queue, w->index + 1))
        return;
    w->started = pthread_create(&next->thread, NULL, work, next) == 0;
    if (w->started)
        w->queue->idle++;
    else
        fc_pages_free(next->lanes, sizeof(*next->lanes));
}

/* With the lock held: gives back what is finished. */
static void report(struct worker *w)
{
    struct fc_hash_lanes *lanes = w->lanes;
    struct fc_hash_batch *batch = &w->batch;

    if (w->queue->stopped) {
        fc_lanes_drop(lanes);
        fc_queue_finish(w->queue, batch->slot + batch->at, batch->n - batch->at);
        batch->at = batch->n;
    }
    fc_queue_finish(w->queue, lanes->finished, lanes->nfinished);
    lanes->nfinished = 0;
}

/* Whether others should help, if there is more to do than this. */
static bool is_much(const struct worker *w)
{
    const struct fc_hash_batch *batch = &w->batch;

    return fc_lanes_full(w->lanes) ||
           (batch->at < batch->n && batch->slot[batch->at]->job.algorithm == FC_HASH_BLAKE2BP);
}

/* Whether the batch goes through the ring. */
static bool wants_ring(struct worker *w)
{
    if (!fc_ring_empty(w->ring))
        return true;
    if (w->batch.n < WORTH_A_RING)
        return false;
    if (!w->tried_ring && !w->queue->config->plain)
        w->ring = fc_ring_open();
    w->tried_ring = true;
    return fc_ring_works(w->ring);
}

/* With the lock held, but for looking and reading: new files for the batch, which is empty. False:
 * neither the queue nor the ring had any. */
static bool take(struct worker *w)
{
    struct fc_hash_queue *q = w->queue;
    enum fc_hash_kind kinds[FC_HASH_BATCH];
    bool found;

    fc_batch_close(&w->batch);
    fc_queue_fetch(q, &w->batch, fc_lanes_long(w->lanes));
    found = w->batch.n > 0 || !fc_ring_empty(w->ring);
    if (w->batch.n > 0 && w->batch.slot[0]->kind != FC_HASH_UNKNOWN)
        return true;
    if (w->batch.n > 0) {
        pthread_mutex_unlock(&q->lock);
        fc_batch_look(&w->batch, kinds);
        pthread_mutex_lock(&q->lock);
        fc_queue_known(q, &w->batch, kinds);
    }
    if (w->batch.n == 0)
        fc_batch_close(&w->batch);
    if (wants_ring(w)) {
        pthread_mutex_unlock(&q->lock);
        fc_ring_turn(w->ring, &w->batch);
        pthread_mutex_lock(&q->lock);
    }
    return found;
}

/* With the lock held: finds something to do; false when nothing will ever come. */
static bool find_work(struct worker *w)
{
    struct fc_hash_lanes *lanes = w->lanes;

    w->stream = NULL;
    for (;;) {
        report(w);
        if (w->batch.at < w->batch.n || (fc_lanes_full(lanes) && fc_lanes_long(lanes)))
            return true;
        if ((w->stream = fc_queue_stream(w->queue)) != NULL)
            return true;
        if (take(w))
            continue;
        if (lanes->active > 0)
            return true;
        if (!fc_queue_wait(w->queue))
            return false;
    }
}

/* Without the lock: a round, or the whole batch, if there is one. */
static void do_work(struct worker *w)
{
    struct fc_hash_lanes *lanes = w->lanes;
    struct fc_hash_batch *batch = &w->batch;

    if (w->stream != NULL) {
        fc_hash_whole(w->queue, w->stream, lanes->lane[0].buf, FC_HASH_READ);
        return;
    }
    if (batch->at == batch->n || fc_lanes_full(lanes))
        fc_lanes_round(lanes);
    for (; batch->at < batch->n; batch->at++) {
        while (fc_lanes_full(lanes))
            fc_lanes_round(lanes);
        fc_lanes_load(lanes, batch->slot[batch->at], batch->data[batch->at]);
    }
}

static void *work(void *arg)
{
    struct worker *w = arg, next;
    struct fc_hash_queue *q = w->queue;

    pthread_mutex_lock(&q->lock);
    q->idle -= w->index > 0;
    while (find_work(w)) {
        if (is_much(w))
            start_next(w, &next);
        pthread_mutex_unlock(&q->lock);
        do_work(w);
        fc_queue_tell(q, w->lanes->bytes);
        w->lanes->bytes = 0;
        pthread_mutex_lock(&q->lock);
        if (w->stream != NULL)
            fc_queue_finish(q, &w->stream, 1);
        /* Before it looks for more: a second long file is for the other one. */
        if (fc_lanes_long(w->lanes))
            start_next(w, &next);
    }
    pthread_mutex_unlock(&q->lock);
    if (w->started)
        pthread_join(next.thread, NULL);
    fc_ring_close(w->ring);
    fc_pages_free(w->lanes, sizeof(*w->lanes));
    return NULL;
}

enum fc_status fc_hash_files(const struct fc_hash_config *config, struct fc_err *err)
{
    struct fc_hash_queue queue;
    struct worker first;

    if (!fc_queue_open(&queue, config))
        return fc_err_set(err, FC_ERR_LIMIT, "not enough memory");
    if (!worker_prepare(&first, &queue, 0)) {
        fc_queue_close(&queue);
        return fc_err_set(err, FC_ERR_LIMIT, "not enough memory");
    }
    work(&first);
    fc_queue_close(&queue);
    return FC_OK;
}
