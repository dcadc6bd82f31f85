/*
 * BLAKE2b-512 of libb2.
 */
#include <blake2.h>
#include <stdio.h>
#include <stdlib.h>

#include "peers.h"

struct b2_state {
    struct peer_job job;
    uint8_t *src;
};

static void run(void *arg, size_t reps)
{
    struct peer *peer = arg;
    struct b2_state *s = peer->state;
    uint8_t digest[BLAKE2B_OUTBYTES];
    blake2b_state hash;

    for (size_t i = 0; i < reps * s->job.count; i++) {
        const uint8_t *src = s->src + i % s->job.count * peer_stride(s->job.len);

        if (blake2b_init(&hash, BLAKE2B_OUTBYTES) != 0 ||
            blake2b_update(&hash, src, s->job.len) != 0 ||
            blake2b_final(&hash, digest, BLAKE2B_OUTBYTES) != 0)
            peer->failed = true;
    }
}

static void finish(struct peer *peer)
{
    struct b2_state *s = peer->state;

    free(s->src);
    free(s);
    peer->state = NULL;
}

static bool prepare(struct peer *peer, const struct peer_job *job)
{
    struct b2_state *s;

    if (job->op != PEER_BLAKE2B)
        return false;
    s = calloc(1, sizeof(*s));
    if (s == NULL)
        return false;
    peer->state = s;
    peer->failed = false;
    s->job = *job;
    s->src = peer_buffer(job->len, job->count);
    if (s->src == NULL) {
        finish(peer);
        return false;
    }
    return true;
}

bool peer_b2_open(struct peer *peer)
{
    peer->name = "libb2";
    peer->prepare = prepare;
    peer->run = run;
    peer->finish = finish;
    snprintf(peer->version, sizeof(peer->version), "%s", FC_LIBB2_VERSION);
    return true;
}
