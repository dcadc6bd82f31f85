#include "peer.h"

#include <stdlib.h>

#include "bytes.h"

enum { TAG = 16, LINE = 64, PAGE = 4096 };

size_t peer_stride(size_t len)
{
    return fc_round_up(len + TAG, LINE);
}

uint8_t *peer_buffer(size_t len, size_t nmsgs)
{
    size_t size = fc_round_up(peer_stride(len) * nmsgs, PAGE);
    uint8_t *p = aligned_alloc(PAGE, size);

    for (size_t i = 0; p != NULL && i < size; i++)
        p[i] = (uint8_t)(i * 167 + i / 251);
    return p;
}
