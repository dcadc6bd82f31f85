/*
 * The container's payload (fcrypt.5, "PAYLOAD"): runs of chunks as pure functions on bytes.
 */
#ifndef FC_CHUNK_H
#define FC_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "gcmsiv.h"
#include "header.h"

enum {
    FC_CHUNK_TAG = FC_GCMSIV_TAG,
    FC_RUN_MAX_CHUNKS = 64, /* in one call below */
};

/* The payload key, expanded, and the base nonce. Read-only once made: threads share it. */
struct fc_payload {
    struct fc_gcmsiv_key key;
    uint8_t base_nonce[FC_GCMSIV_NONCE];
    size_t chunk_len; /* plaintext bytes in every chunk but the last */
};

/* fc_payload_init(p, preamble[128], file_key[32]): derives P. preamble must have parsed. */
void fc_payload_init(struct fc_payload *p, const uint8_t preamble[FC_PREAMBLE_LEN],
                     const uint8_t file_key[FC_FILE_KEY_LEN]);

/* fc_payload_wipe(p): forgets it. */
void fc_payload_wipe(struct fc_payload *p);

/* fc_chunk_nonce(nonce[12], base[12], index, last): base xor (le64(index) || 0 0 0 || last). */
void fc_chunk_nonce(uint8_t nonce[FC_GCMSIV_NONCE], const uint8_t base[FC_GCMSIV_NONCE],
                    uint64_t index, bool last);

/* A run of consecutive chunks in memory, one per slot: chunk k stands at buf + k * stride,
 * stride >= chunk_len + 16. Sealing and opening work in place. */
struct fc_chunk_run {
    uint64_t first;  /* index of the first chunk */
    size_t n;        /* chunks, 1..FC_RUN_MAX_CHUNKS */
    size_t last_len; /* length of the last of them as it came in (plaintext to seal, ciphertext with
                        tag to open); the others are full */
    bool at_end;     /* the last of them is the last of the file */
    uint8_t *buf;
    size_t stride;
};

/* fc_chunk_seal(p, run): seals the run. The last chunk's new length is last_len + 16. */
void fc_chunk_seal(const struct fc_payload *p, const struct fc_chunk_run *run);

/* fc_chunk_open(p, run, nopened, err): opens chunks in order until one is refused; *nopened is how
 * many hold, the plaintext of the one refused is zeros. The last chunk's new length is
 * last_len - 16. A refused chunk is looked at again to say why.
 * Errors: FC_ERR_DATA: damaged chunk (by number), truncated (last chunk missing or cut),
 * data behind the last chunk, an empty last chunk after data. */
enum fc_status fc_chunk_open(const struct fc_payload *p, const struct fc_chunk_run *run,
                             size_t *nopened, struct fc_err *err);

#endif
