/*
 * Small files by io_uring.
 *
 * Batches go through the ring one after the other, in three turns. In the first the files are
 * opened, in the second they are read, and in the third their data comes out and is hashed, while
 * the next batch is read and the one after it is opened. So a disk always has many requests at once
 * and does not wait for the hashing, nor is it waited for as long as there is something to hash.
 * With files that the system has in memory all is done when it is submitted; what is spared then
 * are system calls. Links between requests would make an opening and its reading one step, but they
 * are slower in either case: a linked request does not run where its head was submitted.
 *
 * Files are in a table of the ring's own, and in no way descriptors of the process. Opening puts a
 * file in the place of an earlier one and so closes that; an empty ring closes them all.
 *
 * The batch holds regular files, as their names said a moment ago. One of them that is said to have
 * n > 0 bytes, gives n bytes, and has none behind them, has been read to its end. These are two
 * requests: the system tries again when it is asked for more than there is, and on some file
 * systems (tmpfs) it does so by another thread, which takes far longer than all the rest. All
 * others, whatever was the matter, are as if the ring had never seen them: the plain way opens them
 * again, reads them, and finds out what error there is. Nothing that can be read only once is lost
 * by that: what is said to have 0 bytes (files in /proc, some of which are used up by reading) is
 * not read here. If a FIFO has taken the place of a file since, opening does not wait for its
 * writer.
 */
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <string.h>

#include "hash_parts.h"
#include "secret.h"

enum {
    SIDES = 3,
    FILES = SIDES * FC_HASH_BATCH,
    REQUESTS = 3 * FC_HASH_BATCH, /* at once: one for each file opened, two for each read */
};

/* The place of one batch. What of it is under way is its current result's. */
struct side {
    struct fc_hash_batch batch;
    int result[FC_HASH_BATCH]; /* of opening, then of reading: 0 or the length, or -errno */
    int behind[FC_HASH_BATCH]; /* of reading behind the end */
    uint8_t *buf;              /* buf[FC_HASH_BATCH_LEN] */
};

struct fc_hash_ring {
    struct io_uring io;
    struct side side[SIDES];
    size_t turns;
    size_t waiting; /* requests without an answer */
    bool broken;    /* nothing more is asked: what is in it comes out unread */
    _Alignas(64) uint8_t buf[SIDES][FC_HASH_BATCH_LEN];
};

/* Of the flags that make rings cheaper some are newer than all else that is needed. */
static bool set_up(struct io_uring *io)
{
    static const unsigned flags[] = {IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN, 0};

    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        struct io_uring_params params = {.flags = flags[i]};
        int sys = -io_uring_queue_init_params(REQUESTS, io, &params);

        if (sys != EINVAL)
            return sys == 0;
    }
    return false;
}

static bool can_do(struct io_uring *io)
{
    struct io_uring_probe *probe = io_uring_get_probe_ring(io);
    bool able = probe != NULL && io_uring_opcode_supported(probe, IORING_OP_OPENAT) &&
                io_uring_opcode_supported(probe, IORING_OP_READ);

    io_uring_free_probe(probe);
    return able && io_uring_register_files_sparse(io, FILES) == 0;
}

struct fc_hash_ring *fc_ring_open(void)
{
    struct fc_hash_ring *ring = fc_pages_alloc(sizeof(*ring));

    if (ring == NULL)
        return NULL;
    for (size_t i = 0; i < SIDES; i++)
        ring->side[i] = (struct side){.buf = ring->buf[i], .batch = {.dir = -1}};
    if (!set_up(&ring->io)) {
        fc_pages_free(ring, sizeof(*ring));
        return NULL;
    }
    if (!can_do(&ring->io)) {
        fc_ring_close(ring);
        return NULL;
    }
    return ring;
}

void fc_ring_close(struct fc_hash_ring *ring)
{
    if (ring == NULL)
        return;
    io_uring_queue_exit(&ring->io);
    fc_pages_free(ring, sizeof(*ring));
}

bool fc_ring_empty(const struct fc_hash_ring *ring)
{
    if (ring == NULL)
        return true;
    for (size_t i = 0; i < SIDES; i++)
        if (ring->side[i].batch.n > 0)
            return false;
    return true;
}

/* Where in the table of files, or of results, the batch's file i is. */
static unsigned place(const struct fc_hash_ring *ring, const struct side *side, size_t i)
{
    return (unsigned)((size_t)(side - ring->side) * FC_HASH_BATCH + i);
}

/* There is room for as many requests as two batches need. */
static struct io_uring_sqe *request(struct fc_hash_ring *ring)
{
    ring->waiting++;
    return io_uring_get_sqe(&ring->io);
}

/* Where the request's answer goes. */
static void expect(struct io_uring_sqe *sqe, int *result)
{
    *result = -EINPROGRESS;
    io_uring_sqe_set_data(sqe, result);
}

static void ask_to_open(struct fc_hash_ring *ring, struct side *side)
{
    for (size_t i = 0; i < side->batch.n; i++) {
        const struct fc_hash_slot *slot = side->batch.slot[i];
        struct io_uring_sqe *sqe;

        side->result[i] = -ENODATA;
        if (slot->size == 0)
            continue;
        sqe = request(ring);
        io_uring_prep_openat_direct(sqe, slot->dir, slot->name, O_RDONLY | O_NOCTTY | O_NONBLOCK, 0,
                                    place(ring, side, i));
        expect(sqe, &side->result[i]);
    }
}

static void ask_for(struct fc_hash_ring *ring, unsigned file, uint8_t *dst, size_t len, size_t at,
                    int *result)
{
    struct io_uring_sqe *sqe = request(ring);

    io_uring_prep_read(sqe, (int)file, dst, (unsigned)len, at);
    sqe->flags |= IOSQE_FIXED_FILE;
    expect(sqe, result);
}

static void ask_to_read(struct fc_hash_ring *ring, struct side *side)
{
    size_t at = 0;

    for (size_t i = 0; i < side->batch.n; i++) {
        const struct fc_hash_slot *slot = side->batch.slot[i];
        unsigned file = place(ring, side, i);
        size_t len = slot->size;

        if (side->result[i] < 0)
            continue;
        ask_for(ring, file, side->buf + at, len, 0, &side->result[i]);
        ask_for(ring, file, side->buf + at + len, 1, len, &side->behind[i]);
        side->batch.data[i] = side->buf + at;
        at += fc_hash_room(slot);
    }
}

/* Answers that are there; their number. */
static unsigned reap(struct fc_hash_ring *ring)
{
    struct io_uring_cqe *cqe;
    unsigned head, n = 0;

    io_uring_for_each_cqe(&ring->io, head, cqe)
    {
        *(int *)io_uring_cqe_get_data(cqe) = cqe->res;
        n++;
    }
    io_uring_cq_advance(&ring->io, n);
    ring->waiting -= n;
    return n;
}

/* Those that the system does not take are never answered. */
static void submit(struct fc_hash_ring *ring)
{
    while (io_uring_sq_ready(&ring->io) > 0) {
        int n = io_uring_submit(&ring->io);

        if (n > 0 || n == -EINTR)
            continue;
        ring->waiting -= io_uring_sq_ready(&ring->io);
        ring->broken = true;
        return;
    }
}

/* Until nothing is under way: the system writes into the buffers as long as something is. */
static void await(struct fc_hash_ring *ring)
{
    reap(ring);
    while (ring->waiting > 0) {
        struct io_uring_cqe *cqe;

        (void)io_uring_wait_cqe_nr(&ring->io, &cqe, (unsigned)ring->waiting);
        reap(ring);
    }
}

/* What the side's files have become. A ring that fails with most of them only costs time: there are
 * file systems that it cannot read without waiting. */
static struct fc_hash_batch give_out(struct fc_hash_ring *ring, struct side *side)
{
    struct fc_hash_batch batch = side->batch;
    size_t failed = 0;

    for (size_t i = 0; i < batch.n; i++) {
        if (side->result[i] > 0 && (uint64_t)side->result[i] == batch.slot[i]->size &&
            side->behind[i] == 0)
            continue;
        batch.data[i] = NULL;
        failed += batch.slot[i]->size > 0;
    }
    ring->broken |= failed > batch.n / 2;
    side->batch = (struct fc_hash_batch){.dir = -1};
    return batch;
}

static void close_all(struct fc_hash_ring *ring)
{
    int none[FILES];

    memset(none, -1, sizeof(none));
    (void)io_uring_register_files_update(&ring->io, 0, none, FILES);
}

void fc_ring_turn(struct fc_hash_ring *ring, struct fc_hash_batch *batch)
{
    struct side *in = &ring->side[ring->turns % SIDES];
    struct side *opened = &ring->side[(ring->turns + 2) % SIDES];
    struct side *read = &ring->side[(ring->turns + 1) % SIDES];

    ring->turns++;
    await(ring);
    in->batch = *batch;
    *batch = give_out(ring, read);
    if (!ring->broken) {
        ask_to_read(ring, opened);
        ask_to_open(ring, in);
        submit(ring);
    }
    if (fc_ring_empty(ring))
        close_all(ring);
}

bool fc_ring_works(const struct fc_hash_ring *ring)
{
    return ring != NULL && !ring->broken;
}
