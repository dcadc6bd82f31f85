/*
 * POLYVAL (RFC 8452 section 3) in portable constant-time C: no tables, no branches on secrets.
 */
#ifndef FC_POLYVAL_GENERIC_H
#define FC_POLYVAL_GENERIC_H

#include <stddef.h>
#include <stdint.h>

/* fc_polyval_generic(acc, h, src, nblocks): acc[16] = POLYVAL under the key h[16], continued from
 * acc over src[16 * nblocks]. */
void fc_polyval_generic(uint8_t *acc, const uint8_t *h, const uint8_t *src, size_t nblocks);

#endif
