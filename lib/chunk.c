#include "chunk.h"

#include <inttypes.h>
#include <string.h>

#include "blake2b.h"
#include "bytes.h"
#include "secret.h"

void fc_payload_init(struct fc_payload *p, const uint8_t preamble[FC_PREAMBLE_LEN],
                     const uint8_t file_key[FC_FILE_KEY_LEN])
{
    static const char label[] = "fcrypt-v1 payload";
    const struct fc_piece pieces[] = {{label, sizeof(label) - 1}, {preamble, FC_PREAMBLE_BOUND}};
    struct fc_preamble parsed;
    uint8_t out[FC_BLAKE2B_MAX_OUT];
    size_t key_len;

    fc_preamble_parse(&parsed, preamble, NULL);
    key_len = fc_suite_key_len(parsed.suite);
    fc_blake2b(out, key_len + FC_GCMSIV_NONCE, file_key, FC_FILE_KEY_LEN, pieces, 2);
    fc_gcmsiv_key_init(&p->key, out, key_len);
    memcpy(p->base_nonce, out + key_len, FC_GCMSIV_NONCE);
    p->chunk_len = (size_t)1 << parsed.chunk_log2;
    fc_wipe(out, sizeof(out));
}

void fc_payload_wipe(struct fc_payload *p)
{
    fc_wipe(p, sizeof(*p));
}

void fc_chunk_nonce(uint8_t nonce[FC_GCMSIV_NONCE], const uint8_t base[FC_GCMSIV_NONCE],
                    uint64_t index, bool last)
{
    fc_store_le64(nonce, fc_load_le64(base) ^ index);
    memcpy(nonce + 8, base + 8, 4);
    nonce[FC_GCMSIV_NONCE - 1] ^= last;
}

/* Chunk k of the run as a message in place; len is its plaintext's. */
static struct fc_gcmsiv_msg chunk_message(const struct fc_payload *p,
                                          const struct fc_chunk_run *run, size_t k, size_t len,
                                          bool last)
{
    uint8_t *at = run->buf + k * run->stride;
    struct fc_gcmsiv_msg msg = {.src = at, .dst = at, .len = len};

    fc_chunk_nonce(msg.nonce, p->base_nonce, run->first + k, last);
    return msg;
}

/* The first n chunks of the run; tail_len is the plaintext length of chunk run->n - 1. */
static void run_messages(struct fc_gcmsiv_msg *msgs, const struct fc_payload *p,
                         const struct fc_chunk_run *run, size_t n, size_t tail_len)
{
    for (size_t k = 0; k < n; k++) {
        bool tail = k == run->n - 1;

        msgs[k] = chunk_message(p, run, k, tail ? tail_len : p->chunk_len, tail && run->at_end);
    }
}

void fc_chunk_seal(const struct fc_payload *p, const struct fc_chunk_run *run)
{
    struct fc_gcmsiv_msg msgs[FC_RUN_MAX_CHUNKS];

    run_messages(msgs, p, run, run->n, run->last_len);
    fc_gcmsiv_seal(&p->key, msgs, run->n);
}

static enum fc_status refuse(const struct fc_payload *p, uint64_t index, const char *fault,
                             struct fc_err *err)
{
    return fc_err_set(err, FC_ERR_DATA, "chunk %" PRIu64 " (from plaintext byte %" PRIu64 ") %s",
                      index, index * p->chunk_len, fault);
}

/* Says why the chunk of msg was refused, by looking whether it holds with the other nonce, and
 * leaves zeros: what was refused once is not released. */
static enum fc_status explain(const struct fc_payload *p, struct fc_gcmsiv_msg *msg, uint64_t index,
                              bool last, struct fc_err *err)
{
    bool whole = msg->len == p->chunk_len;
    bool other_holds;

    fc_chunk_nonce(msg->nonce, p->base_nonce, index, !last);
    other_holds = whole && fc_gcmsiv_open(&p->key, msg, 1) == 1;
    fc_wipe(msg->dst, msg->len);
    if (other_holds && last)
        return fc_err_set(err, FC_ERR_DATA, "truncated: the last chunk is missing");
    if (other_holds)
        return fc_err_set(err, FC_ERR_DATA, "there is data behind the last chunk");
    return refuse(p, index, last && !whole ? "is damaged or cut short" : "is damaged", err);
}

/* The last chunk of a run that came in too short to be one. */
static enum fc_status refuse_cut(const struct fc_payload *p, const struct fc_chunk_run *run,
                                 struct fc_err *err)
{
    uint64_t index = run->first + run->n - 1;

    fc_wipe(run->buf + (run->n - 1) * run->stride, run->last_len);
    if (run->last_len == 0)
        return fc_err_set(err, FC_ERR_DATA, "truncated: the last chunk is missing");
    return refuse(p, index, "is cut short", err);
}

enum fc_status fc_chunk_open(const struct fc_payload *p, const struct fc_chunk_run *run,
                             size_t *nopened, struct fc_err *err)
{
    struct fc_gcmsiv_msg msgs[FC_RUN_MAX_CHUNKS];
    bool cut = run->last_len < FC_CHUNK_TAG;
    size_t tail_len = cut ? 0 : run->last_len - FC_CHUNK_TAG;
    size_t n = cut ? run->n - 1 : run->n;
    uint64_t end = run->first + run->n - 1;

    run_messages(msgs, p, run, n, tail_len);
    *nopened = fc_gcmsiv_open_or_keep(&p->key, msgs, n);
    if (*nopened < n)
        return explain(p, &msgs[*nopened], run->first + *nopened,
                       run->at_end && *nopened == run->n - 1, err);
    if (cut)
        return refuse_cut(p, run, err);
    if (tail_len == 0 && end > 0) {
        *nopened = n - 1;
        return refuse(p, end, "is empty, after others that are not", err);
    }
    return FC_OK;
}
