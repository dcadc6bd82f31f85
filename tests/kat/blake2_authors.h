/* The vector files of the BLAKE2 authors. */
#ifndef FC_BLAKE2_AUTHORS_H
#define FC_BLAKE2_AUTHORS_H

#include <stddef.h>
#include <stdint.h>

typedef void blake2_digest_fn(uint8_t *dst, size_t out_len, const uint8_t *key, size_t key_len,
                              const void *src, size_t len);

/* test_blake2_authors(name, digest): every case of the vector file `name` (support.h), which are
 * 256: in, key and hash on a line each. Skipped where there is no such file. */
void test_blake2_authors(const char *name, blake2_digest_fn *digest);

#endif
