/* hash_uring.c in a build without liburing: no ring is ever to be had. */
#include "hash_parts.h"

struct fc_hash_ring *fc_ring_open(void)
{
    return NULL;
}

void fc_ring_close(struct fc_hash_ring *ring)
{
    (void)ring;
}

void fc_ring_turn(struct fc_hash_ring *ring, struct fc_hash_batch *batch)
{
    (void)ring;
    (void)batch;
}

bool fc_ring_empty(const struct fc_hash_ring *ring)
{
    (void)ring;
    return true;
}

bool fc_ring_works(const struct fc_hash_ring *ring)
{
    (void)ring;
    return false;
}
