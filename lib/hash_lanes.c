/*
 * A worker's lanes: messages of different lengths side by side through one kernel.
 *
 * A round reads where a lane has run dry, then compresses as many blocks as every lane has before
 * its last one. Where a lane has only its last block left, all do one block, that lane with its
 * own counter and flag: nobody waits for it, and it is free for the next message. A key is the
 * first block of its message. A message that is alone goes through the kernel for one stream, which
 * is faster for it; from two on lanes are.
 */
#include <errno.h>
#include <string.h>

#include "bytes.h"
#include "hash_parts.h"
#include "secret.h"

/* The generic tier has lanes for the sake of the interface only: one stream at a time is faster. */
void fc_lanes_init(struct fc_hash_lanes *lanes, struct fc_hash_queue *queue)
{
    const struct fc_blake2b_lanes_candidate *chosen = fc_blake2b_lanes_chosen();

    lanes->queue = queue;
    lanes->compress = chosen->compress;
    lanes->n = chosen->tier == FC_TIER_GENERIC ? 1 : chosen->lanes;
}

bool fc_lanes_full(const struct fc_hash_lanes *lanes)
{
    return lanes->active == lanes->n;
}

bool fc_lanes_long(const struct fc_hash_lanes *lanes)
{
    for (size_t i = 0; i < lanes->n; i++)
        if (lanes->lane[i].slot != NULL && lanes->lane[i].fd >= 0)
            return true;
    return false;
}

static void finish(struct fc_hash_lanes *lanes, struct fc_hash_lane *lane)
{
    lanes->finished[lanes->nfinished++] = lane->slot;
    lane->slot = NULL;
    lanes->active--;
}

/* The state at the message's beginning; its key, if it has one, in front of what will be read. */
static void begin(struct fc_hash_lanes *lanes, size_t i)
{
    struct fc_hash_lane *lane = &lanes->lane[i];
    const struct fc_hash_job *job = &lane->slot->job;
    const struct fc_blake2b_params params = {
        .out_len = job->out_len,
        .key = job->key,
        .key_len = job->key_len,
    };

    fc_blake2b_init(&lanes->one, &params);
    for (size_t k = 0; k < 8; k++)
        lanes->state.h[k][i] = lanes->one.h[k];
    lanes->state.t[0][i] = lanes->state.t[1][i] = 0;
    lane->end = FC_BLAKE2B_BLOCK;
    lane->at = lane->end - lanes->one.buf_len;
    memcpy(lane->buf + lane->at, lanes->one.buf, lanes->one.buf_len);
}

static size_t free_lane(const struct fc_hash_lanes *lanes)
{
    size_t i = 0;

    while (lanes->lane[i].slot != NULL)
        i++;
    return i;
}

/* The lane's whole message, behind its key. */
static size_t copy(struct fc_hash_lane *lane, const uint8_t *data)
{
    size_t len = lane->slot->size;

    memcpy(lane->buf + lane->end, data, len);
    lane->end += len;
    lane->fd = -1;
    return len;
}

static bool lacks_descriptor(const struct fc_hash_slot *slot)
{
    return (slot->result.sys == EMFILE || slot->result.sys == ENFILE) && !slot->result.read;
}

/* False: there was no descriptor for it, but will be once one of the other lanes is done. */
static bool load(struct fc_hash_lanes *lanes, struct fc_hash_slot *slot, const uint8_t *data)
{
    size_t i = free_lane(lanes);
    struct fc_hash_lane *lane = &lanes->lane[i];
    bool whole = slot->job.algorithm != FC_HASH_BLAKE2B;

    lane->slot = slot;
    lane->fd = -1;
    lanes->active++;
    if (whole) {
        fc_hash_whole(lanes->queue, slot, lane->buf, FC_HASH_READ);
    } else {
        begin(lanes, i);
        lanes->bytes += data != NULL ? copy(lane, data) : fc_lane_open(lane);
    }
    if (lacks_descriptor(slot) && fc_lanes_long(lanes)) {
        slot->result = (struct fc_hash_result){0};
        lane->slot = NULL;
        lanes->active--;
        return false;
    }
    if (slot->result.sys != 0 || whole)
        finish(lanes, lane);
    return true;
}

void fc_lanes_load(struct fc_hash_lanes *lanes, struct fc_hash_slot *slot, const uint8_t *data)
{
    while (!load(lanes, slot, data))
        fc_lanes_round(lanes);
}

/* Blocks of a lane that are surely not its message's last. */
static size_t blocks_before_last(const struct fc_hash_lane *lane)
{
    size_t len = lane->end - lane->at;

    return len == 0 ? 0 : (len - 1) / FC_BLAKE2B_BLOCK;
}

static void read_dry_ones(struct fc_hash_lanes *lanes)
{
    for (size_t i = 0; i < lanes->n; i++) {
        struct fc_hash_lane *lane = &lanes->lane[i];

        if (lane->slot == NULL || lane->fd < 0 || blocks_before_last(lane) > 0)
            continue;
        lanes->bytes += fc_lane_read(lane);
        if (lane->slot->result.sys != 0)
            finish(lanes, lane);
    }
}

/* What the next run does in lane i. */
static void aim(struct fc_hash_lanes *lanes, size_t i, size_t *nblocks)
{
    struct fc_hash_lane *lane = &lanes->lane[i];
    size_t n = blocks_before_last(lane), len = lane->end - lane->at;

    lanes->state.src[i] = lane->buf;
    lanes->state.inc[i] = lanes->state.last[i] = 0;
    if (lane->slot == NULL)
        return;
    lanes->state.src[i] += lane->at;
    lanes->state.inc[i] = FC_BLAKE2B_BLOCK;
    if (n == 0) {
        memset(lane->buf + lane->end, 0, FC_BLAKE2B_BLOCK - len);
        lanes->state.inc[i] = len;
        lanes->state.last[i] = ~(uint64_t)0;
        n = 1;
    }
    *nblocks = fc_min_size(*nblocks, n);
}

/* The only message, in lane i, by the kernel for one. */
static void compress_one(struct fc_hash_lanes *lanes, size_t i, size_t nblocks)
{
    struct fc_blake2b_lanes *state = &lanes->state;
    struct fc_blake2b *one = &lanes->one;

    for (size_t k = 0; k < 8; k++)
        one->h[k] = state->h[k][i];
    for (size_t k = 0; k < 2; k++)
        one->t[k] = state->t[k][i];
    fc_blake2b_chosen()->compress(one, state->src[i], nblocks, state->inc[i], state->last[i]);
    for (size_t k = 0; k < 8; k++)
        state->h[k][i] = one->h[k];
    for (size_t k = 0; k < 2; k++)
        state->t[k][i] = one->t[k];
}

static void take_digest(struct fc_hash_lanes *lanes, size_t i)
{
    struct fc_hash_slot *slot = lanes->lane[i].slot;

    for (size_t k = 0; k < 8; k++)
        fc_store_le64(lanes->one.buf + 8 * k, lanes->state.h[k][i]);
    memcpy(slot->result.digest, lanes->one.buf, slot->job.out_len);
}

/* After a run: where its lane is now. */
static void move_on(struct fc_hash_lanes *lanes, size_t i, size_t nblocks)
{
    struct fc_hash_lane *lane = &lanes->lane[i];

    lane->at += nblocks * FC_BLAKE2B_BLOCK;
    if (lanes->state.last[i] != 0) {
        take_digest(lanes, i);
        finish(lanes, lane);
    }
}

void fc_lanes_round(struct fc_hash_lanes *lanes)
{
    size_t nblocks = SIZE_MAX, only = 0;

    read_dry_ones(lanes);
    if (lanes->active == 0)
        return;
    for (size_t i = 0; i < lanes->n; i++) {
        aim(lanes, i, &nblocks);
        if (lanes->lane[i].slot != NULL)
            only = i;
    }
    if (lanes->active == 1)
        compress_one(lanes, only, nblocks);
    else
        lanes->compress(&lanes->state, nblocks, FC_BLAKE2B_BLOCK);
    for (size_t i = 0; i < lanes->n; i++)
        if (lanes->lane[i].slot != NULL)
            move_on(lanes, i, nblocks);
}

void fc_lanes_drop(struct fc_hash_lanes *lanes)
{
    for (size_t i = 0; i < lanes->n; i++) {
        struct fc_hash_lane *lane = &lanes->lane[i];

        if (lane->slot == NULL)
            continue;
        fc_lane_close(lane);
        finish(lanes, lane);
    }
}
