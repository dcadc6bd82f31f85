/*
 * The parts of hash.c, private to hash*.c: the queue between the caller and the workers, a worker's
 * lanes, and reading: one file at a time, or many by a ring. hash.c tells how they work together.
 */
#ifndef FC_HASH_PARTS_H
#define FC_HASH_PARTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"
#include "fcrypt_hash.h"
#include "kern.h"

enum {
    FC_HASH_WINDOW = 4096,    /* jobs between next and done */
    FC_HASH_READ = 64 * 1024, /* bytes that a lane reads at once */
    FC_HASH_BATCH = 32,       /* jobs that a worker takes at once */
    /* Room for what a worker reads before it hashes: two of these fit L2. */
    FC_HASH_BATCH_LEN = 192 * 1024,
};

/* What a job turns out to be. */
enum fc_hash_kind {
    FC_HASH_UNKNOWN, /* not yet looked at */
    FC_HASH_PLAIN,   /* a file whose bytes are there, or nothing to be read */
    FC_HASH_LONG,    /* the same, for whoever has a lane free: no part of a batch */
    FC_HASH_STREAM,  /* may have to be waited for: read alone, when all before it are finished */
};

struct fc_hash_slot {
    struct fc_hash_job job;
    uint64_t number;
    int dir; /* where name, the path or its end, is to be found */
    const char *name;
    struct fc_hash_result result;
    enum fc_hash_kind kind;
    uint64_t size;  /* what the system says, a hint */
    bool looked_at; /* at the moment, by a worker */
    bool finished;
    struct fc_hash_slot *next; /* in the list of long ones */
};

/* What a worker has taken and not yet begun: [at..n). */
struct fc_hash_batch {
    struct fc_hash_slot *slot[FC_HASH_BATCH];
    const uint8_t *data[FC_HASH_BATCH]; /* data[slot->size], all of the file; NULL: to be read */
    size_t at, n;
    int dir;          /* a folder of some of them, or -1 */
    uint64_t streams; /* the queue's when the batch was taken */
};

#define FC_HASH_NO_STREAM UINT64_MAX

/* The jobs between next and done, in a ring: job n in slot n % FC_HASH_WINDOW. What changes is
 * under the lock, but for what a worker is looking at or has in hand: job, result, name of a slot.
 */
struct fc_hash_queue {
    const struct fc_hash_config *config;
    unsigned threads;
    int stop_fd;          /* becomes readable when stopped; -1 where there is none to be had */
    atomic_bool stopped;  /* done wants nothing more */
    pthread_mutex_t lock; /* also held around the caller's functions */
    pthread_cond_t moved; /* there may be something for workers that wait */
    pthread_cond_t turn;  /* known or stream has changed: for fc_queue_known */
    unsigned idle;        /* workers that wait, or are about to start */
    struct fc_hash_slot *slots;
    /* Numbers of jobs, in this order: behind those given to done; behind those of which it is known
     * what they are; behind those handed to a worker to be looked at; behind those from next. */
    uint64_t given, known, handed, fetched;
    uint64_t stream;  /* the one that all behind it wait for, or FC_HASH_NO_STREAM */
    uint64_t streams; /* so many were met so far */
    bool streaming;   /* it is being read */
    bool ended;       /* next has no more */
    struct fc_hash_slot *long_first, *long_last;
    uint64_t bytes;
};

/* fc_queue_open(q, config): false when memory is short. */
bool fc_queue_open(struct fc_hash_queue *q, const struct fc_hash_config *config);
void fc_queue_close(struct fc_hash_queue *q);

/* fc_queue_tell(q, len): len more bytes were read. Takes the lock; all others want it held. */
void fc_queue_tell(struct fc_hash_queue *q, size_t len);

/* fc_queue_fetch(q, batch, busy): files to be looked at; or a long one, whose kind is known; or
 * none: a worker that is busy with a long file leaves new ones to those that wait. batch is empty
 * before. */
void fc_queue_fetch(struct fc_hash_queue *q, struct fc_hash_batch *batch, bool busy);

/* fc_queue_known(q, batch, kinds[batch->n]): what the files fetched are, once that is known of all
 * before them. Streams, all behind one, and long ones go back to the queue, those with an error
 * come to their end, and others stay in the batch. */
void fc_queue_known(struct fc_hash_queue *q, struct fc_hash_batch *batch,
                    const enum fc_hash_kind *kinds);

/* fc_queue_stream(q): the stream whose turn has come, or NULL; its turn ends with
 * fc_queue_finish. */
struct fc_hash_slot *fc_queue_stream(struct fc_hash_queue *q);

/* fc_queue_finish(q, slots[n], n): these have their results. */
void fc_queue_finish(struct fc_hash_queue *q, struct fc_hash_slot *const *slots, size_t n);

/* fc_queue_wait(q): until there may be something to do; false where there will be nothing. */
bool fc_queue_wait(struct fc_hash_queue *q);

/* A message on its way through a lane: buf[at..end) is read and not yet compressed. Before the end
 * of the message is known, at least one byte stays: the last block is compressed in another way. */
struct fc_hash_lane {
    struct fc_hash_slot *slot; /* NULL: the lane is free */
    int fd;                    /* -1: the message ends at buf[end) */
    size_t at, end;
    /* What stays, then what is read, aligned; then room to pad the last block. */
    _Alignas(64) uint8_t buf[FC_BLAKE2B_BLOCK + FC_HASH_READ + FC_BLAKE2B_BLOCK];
};

/* Lives in fc_pages_alloc's memory: full of data, and of keys. */
struct fc_hash_lanes {
    struct fc_blake2b_lanes state;
    struct fc_blake2b one; /* the only message, or a new one */
    struct fc_hash_queue *queue;
    fc_blake2b_lanes_fn *compress;
    size_t n;      /* lanes in use by the kernel */
    size_t active; /* with a message */
    size_t bytes;  /* read, but not told */
    /* Not given back yet: no more than a batch and what was in the lanes before it. */
    struct fc_hash_slot *finished[FC_BLAKE2B_MAX_LANES + FC_HASH_BATCH];
    size_t nfinished;
    struct fc_hash_lane lane[FC_BLAKE2B_MAX_LANES];
};

/* fc_lanes_init(lanes, queue): lanes is zeroed memory. */
void fc_lanes_init(struct fc_hash_lanes *lanes, struct fc_hash_queue *queue);

/* fc_lanes_full(lanes), fc_lanes_long(lanes): whether every lane has a message; whether one of them
 * is not read to its end. */
bool fc_lanes_full(const struct fc_hash_lanes *lanes);
bool fc_lanes_long(const struct fc_hash_lanes *lanes);

/* fc_lanes_load(lanes, slot, data): takes slot's file into a free lane: from data[slot->size], or
 * opens it where that is NULL. Finishes it where that fails. */
void fc_lanes_load(struct fc_hash_lanes *lanes, struct fc_hash_slot *slot, const uint8_t *data);

/* fc_lanes_round(lanes): reads where a lane has run dry, and compresses as much as all have. */
void fc_lanes_round(struct fc_hash_lanes *lanes);

/* fc_lanes_drop(lanes): finishes all as they are. */
void fc_lanes_drop(struct fc_hash_lanes *lanes);

/* fc_hash_look(slot): what is to be read for slot, PLAIN or STREAM; result tells where nothing can
 * be. Sets size. */
enum fc_hash_kind fc_hash_look(struct fc_hash_slot *slot);

/* fc_hash_whole(queue, slot, buf[len], len): hashes the file or stdin from beginning to end. */
void fc_hash_whole(struct fc_hash_queue *queue, struct fc_hash_slot *slot, uint8_t *buf,
                   size_t len);

/* fc_lane_open(lane), fc_lane_read(lane): fills buf as far as the file goes, and closes it at its
 * end. The number of bytes read; on an error slot's result tells, and fd is -1. */
size_t fc_lane_open(struct fc_hash_lane *lane);
size_t fc_lane_read(struct fc_hash_lane *lane);

/* fc_lane_close(lane): if it is open. */
void fc_lane_close(struct fc_hash_lane *lane);

/* fc_hash_spare(fd): fd, which only makes things better; or -1, and it is closed, where there would
 * be no descriptor left to read a file with. */
int fc_hash_spare(int fd);

/* fc_batch_look(batch, kinds[batch->n]): what they are. PLAIN are small ones only, as many as are
 * read at once. */
void fc_batch_look(struct fc_hash_batch *batch, enum fc_hash_kind *kinds);

/* fc_batch_close(batch): once all have been begun. */
void fc_batch_close(struct fc_hash_batch *batch);

/* fc_hash_room(slot): what a small file takes of FC_HASH_BATCH_LEN. At least a byte more than its
 * size, to see that there is none. */
static inline size_t fc_hash_room(const struct fc_hash_slot *slot)
{
    return fc_round_up(slot->size + 1, 64);
}

/* Reads batches of files by io_uring while the worker hashes others. Belongs to the thread that
 * opened it. */
struct fc_hash_ring;

/* fc_ring_open(): NULL where the system or this build has none, or memory is short. */
struct fc_hash_ring *fc_ring_open(void);

/* fc_ring_close(ring): it must be empty. ring may be NULL. */
void fc_ring_close(struct fc_hash_ring *ring);

/* fc_ring_turn(ring, batch): takes batch in, which may be empty, and lets it be the one of two
 * turns before, with data of those files that have surely been read to their end. Data stays until
 * the next turn. */
void fc_ring_turn(struct fc_hash_ring *ring, struct fc_hash_batch *batch);

/* fc_ring_empty(ring): whether all batches have come out; ring may be NULL. */
bool fc_ring_empty(const struct fc_hash_ring *ring);

/* fc_ring_works(ring): false where putting batches in has no use; ring may be NULL. */
bool fc_ring_works(const struct fc_hash_ring *ring);

#endif
