/*
 * Runs of chunks. The input chooses a run, which is sealed and damaged in one place, or presented
 * as something that it is not, and opened: exactly the chunks in front of the damage may open.
 *
 * Input: chunks in the run, first index, length of the last chunk (2 bytes), what is done to it,
 * where (3 bytes).
 */
#include <string.h>

#include "bytes.h"
#include "chunk.h"
#include "fuzz.h"

enum {
    INPUT_LEN = 8,
    CHUNK = 1 << FC_CHUNK_LOG2_MIN,
    MAX_CHUNKS = 4,
    STRIDE = CHUNK + FC_CHUNK_TAG,
};

enum damage { NONE, FLIP, CUT, OTHER_PLACE, NOT_THE_END, NKINDS };

static void make_payload(struct fc_payload *p)
{
    static const uint8_t file_key[FC_FILE_KEY_LEN] = {1, 2, 3};
    const struct fc_preamble preamble = {
        .suite = FC_SUITE_AES256_GCM_SIV, .chunk_log2 = FC_CHUNK_LOG2_MIN, .header_units = 1};
    uint8_t raw[FC_PREAMBLE_LEN];

    fc_preamble_build(raw, &preamble, file_key);
    fc_payload_init(p, raw, file_key);
}

/* How many chunks may open after that: all in front of the damaged one. */
static size_t damage(struct fc_chunk_run *run, enum damage kind, uint32_t where)
{
    size_t last = run->n - 1, chunk = where % run->n;
    size_t len = chunk == last ? run->last_len : STRIDE;

    switch (kind) {
    case FLIP:
        run->buf[chunk * STRIDE + where / 8 % len] ^= (uint8_t)(1u << where % 8);
        return chunk;
    case CUT:
        run->last_len = where % run->last_len;
        return last;
    case OTHER_PLACE:
        run->first++;
        return 0;
    case NOT_THE_END:
        run->at_end = false;
        return last;
    default:
        return run->n;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static uint8_t buf[MAX_CHUNKS * STRIDE];
    struct fc_payload p;
    struct fc_chunk_run run = {.at_end = true, .buf = buf, .stride = STRIDE};
    struct fc_err err = {0};
    size_t may_open, opened;

    if (len < INPUT_LEN)
        return 0;
    run.n = 1 + data[0] % MAX_CHUNKS;
    run.first = data[1];
    run.last_len = 1 + ((size_t)data[2] << 8 | data[3]) % CHUNK;

    memset(buf, 0x5c, sizeof(buf));
    make_payload(&p);
    fc_chunk_seal(&p, &run);
    run.last_len += FC_CHUNK_TAG;
    may_open = damage(&run, data[4] % NKINDS, fc_load_le32(data + 4) >> 8);

    if (fc_chunk_open(&p, &run, &opened, &err) == FC_OK)
        fuzz_require(may_open == run.n);
    else
        fuzz_require(may_open < run.n && err.status == FC_ERR_DATA);
    fuzz_require(opened == may_open);
    for (size_t i = 0; i < opened; i++)
        fuzz_require(buf[i * STRIDE] == 0x5c);
    fc_payload_wipe(&p);
    return 0;
}
