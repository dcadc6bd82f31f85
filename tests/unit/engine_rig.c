#include "engine_rig.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bytes.h"
#include "support.h"

void rig_init(struct rig *rig)
{
    *rig = (struct rig){.aux_fd = -1, .caller = pthread_self()};
    pthread_mutex_init(&rig->lock, NULL);
}

static void note_run(struct rig *rig, const struct fc_run *run)
{
    size_t i = 0;

    if (!pthread_equal(pthread_self(), rig->caller))
        atomic_fetch_add(&rig->elsewhere, 1);
    pthread_mutex_lock(&rig->lock);
    while (i < rig->nbufs && rig->bufs[i] != run->buf)
        i++;
    if (i == rig->nbufs && i < sizeof(rig->bufs) / sizeof(*rig->bufs))
        rig->bufs[rig->nbufs++] = run->buf;
    pthread_mutex_unlock(&rig->lock);
    if (rig->on_run != NULL)
        rig->on_run(rig, run);
    if (rig->jitter)
        usleep((useconds_t)(run->first / RIG_RUN % 3 == 0 ? 400 : run->first * 37 % 90));
}

/* FNV-1a. */
static uint64_t mix(uint64_t h, const uint8_t *p, size_t len)
{
    for (size_t i = 0; i < len; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

static void mask(uint8_t *p, size_t len, uint64_t index)
{
    for (size_t i = 0; i < len; i++)
        p[i] ^= (uint8_t)(index * 131 + i);
}

static void make_tag(uint8_t tag[RIG_TAG], const uint8_t *p, size_t len, uint64_t index, bool end)
{
    fc_store_le64(tag, index << 1 | end);
    fc_store_le64(tag + 8, mix(mix(0xcbf29ce484222325u, tag, 8), p, len));
}

static void seal_unit(uint8_t *p, size_t len, uint64_t index, bool end)
{
    mask(p, len, index);
    make_tag(p + len, p, len, index, end);
}

static bool open_unit(uint8_t *p, size_t len, uint64_t index, bool end)
{
    uint8_t tag[RIG_TAG];

    if (len < RIG_TAG)
        return false;
    len -= RIG_TAG;
    make_tag(tag, p, len, index, end);
    if (memcmp(tag, p + len, RIG_TAG) != 0)
        return false;
    mask(p, len, index);
    return true;
}

enum fc_status rig_seal(void *ctx, struct fc_run *run, struct fc_err *err)
{
    (void)err;
    note_run(ctx, run);
    for (size_t k = 0; k < run->n; k++) {
        bool last = k + 1 == run->n;

        seal_unit(run->buf + k * run->stride, last ? run->last_len : RIG_UNIT, run->first + k,
                  last && run->at_end);
    }
    run->n_out = run->n;
    run->out_last_len = run->last_len + RIG_TAG;
    return FC_OK;
}

enum fc_status rig_open(void *ctx, struct fc_run *run, struct fc_err *err)
{
    note_run(ctx, run);
    for (size_t k = 0; k < run->n; k++) {
        bool last = k + 1 == run->n;

        run->n_out = k;
        if (!open_unit(run->buf + k * run->stride, last ? run->last_len : RIG_SEALED,
                       run->first + k, last && run->at_end))
            return fc_err_set(err, FC_ERR_DATA, "unit %zu is bad", (size_t)run->first + k);
    }
    run->n_out = run->n;
    run->out_last_len = run->last_len - RIG_TAG;
    return FC_OK;
}

enum fc_status rig_pass(void *ctx, struct fc_run *run, struct fc_err *err)
{
    (void)err;
    note_run(ctx, run);
    run->n_out = run->n;
    run->out_last_len = run->last_len;
    return FC_OK;
}

uint8_t *rig_sealed(const uint8_t *plain, size_t len, size_t *n)
{
    size_t units = len == 0 ? 1 : (len - 1) / RIG_UNIT + 1;
    uint8_t *out = malloc(units * RIG_SEALED);

    assert_non_null(out);
    *n = len + units * RIG_TAG;
    for (size_t i = 0; i < units; i++) {
        size_t part = fc_min_size(RIG_UNIT, len - i * RIG_UNIT);

        if (part > 0)
            memcpy(out + i * RIG_SEALED, plain + i * RIG_UNIT, part);
        seal_unit(out + i * RIG_SEALED, part, i, i + 1 == units);
    }
    return out;
}

static struct fc_engine engine(struct rig *rig, int in_fd, int out_fd, unsigned threads)
{
    return (struct fc_engine){.in_fd = in_fd,
                              .out_fd = out_fd,
                              .run_units = RIG_RUN,
                              .threads = threads,
                              .max_memory = 1 << 20,
                              .ctx = rig};
}

struct fc_engine rig_sealer(struct rig *rig, int in_fd, int out_fd, unsigned threads)
{
    struct fc_engine e = engine(rig, in_fd, out_fd, threads);

    e.in_unit = RIG_UNIT;
    e.out_unit = RIG_SEALED;
    e.transform = rig_seal;
    return e;
}

struct fc_engine rig_opener(struct rig *rig, int in_fd, int out_fd, unsigned threads)
{
    struct fc_engine e = engine(rig, in_fd, out_fd, threads);

    e.in_unit = RIG_SEALED;
    e.out_unit = RIG_UNIT;
    e.transform = rig_open;
    return e;
}

struct fc_engine rig_passer(struct rig *rig, int in_fd, int out_fd, unsigned threads)
{
    struct fc_engine e = engine(rig, in_fd, out_fd, threads);

    e.in_unit = e.out_unit = 1024; /* also the stride: whole runs in one piece */
    e.transform = rig_pass;
    return e;
}
