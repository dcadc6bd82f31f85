/*
 * Memory for secrets, wiping, constant-time comparison, random bytes.
 */
#ifndef FC_SECRET_H
#define FC_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* fc_wipe(p, len): overwrites p[0..len) with zeros; the compiler cannot remove it. */
void fc_wipe(void *p, size_t len);

/* fc_secret_alloc(len): len zeroed bytes on pages of their own, 64-byte aligned, kept out of core
 * dumps (MADV_DONTDUMP) and, where the limits allow, out of swap (mlock). NULL when memory is
 * short. */
void *fc_secret_alloc(size_t len);

/* fc_secret_free(p): wipes and returns what fc_secret_alloc gave; NULL is fine. */
void fc_secret_free(void *p);

/* fc_pages_alloc(len): len zeroed bytes on pages of their own, kept out of core dumps, for data
 * that is much and passes quickly. Pages come from the system one by one as they are used, and go
 * back to it to be cleared: what stays unused costs nothing. NULL when memory is short. */
void *fc_pages_alloc(size_t len);
void fc_pages_free(void *p, size_t len);

/* fc_ct_equal(a, b, len): whether a[0..len) equals b[0..len), in time that depends on len only. */
bool fc_ct_equal(const void *a, const void *b, size_t len);

/* fc_random(dst, len, err): dst[0..len) from the system's random generator (getrandom).
 * Errors: FC_ERR_IO; dst is then undefined. */
enum fc_status fc_random(void *dst, size_t len, struct fc_err *err);

#endif
