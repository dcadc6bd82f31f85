/*
 * Kernels of BLAKE2b that are wrong in one way each.
 */
#include <string.h>

#include "checkasm.h"
#include "self.h"

static void compress_loses_carry(struct fc_blake2b *state, const uint8_t *src, size_t nblocks,
                                 uint64_t inc, uint64_t last)
{
    uint64_t high = state->t[1];

    blake2b_oracle()(state, src, nblocks, inc, last);
    state->t[1] = high;
}

static void compress_uses_buf(struct fc_blake2b *state, const uint8_t *src, size_t nblocks,
                              uint64_t inc, uint64_t last)
{
    blake2b_oracle()(state, src, nblocks, inc, last);
    state->buf[0] ^= 1;
}

static const struct {
    const char *what;
    fc_blake2b_compress_fn *compress;
    const char *finds;
} compress_faults[] = {
    {"loses the carry of the byte counter", compress_loses_carry, "t is wrong"},
    {"writes to the state's buffer", compress_uses_buf, "changes more of the state"},
};

/* Of four lanes. */
static void lanes_right(struct fc_blake2b_lanes *lanes, size_t nblocks, size_t step)
{
    struct fc_blake2b_lanes all = *lanes;

    fc_blake2b_lanes_generic(&all, nblocks, step);
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < 8; k++)
            lanes->h[k][i] = all.h[k][i];
        for (size_t k = 0; k < 2; k++)
            lanes->t[k][i] = all.t[k][i];
        lanes->src[i] = all.src[i];
    }
}

static void lanes_lose_carry(struct fc_blake2b_lanes *lanes, size_t nblocks, size_t step)
{
    uint64_t high = lanes->t[1][2];

    lanes_right(lanes, nblocks, step);
    lanes->t[1][2] = high;
}

static void lanes_touch_others(struct fc_blake2b_lanes *lanes, size_t nblocks, size_t step)
{
    lanes_right(lanes, nblocks, step);
    lanes->h[7][4] ^= 1;
}

static void lanes_stay(struct fc_blake2b_lanes *lanes, size_t nblocks, size_t step)
{
    const uint8_t *src = lanes->src[3];

    lanes_right(lanes, nblocks, step);
    lanes->src[3] = src;
}

static void lanes_step_by_blocks(struct fc_blake2b_lanes *lanes, size_t nblocks, size_t step)
{
    const uint8_t *src[4];

    for (size_t i = 0; i < 4; i++)
        src[i] = lanes->src[i] + nblocks * step;
    lanes_right(lanes, nblocks, FC_BLAKE2B_BLOCK);
    memcpy(lanes->src, src, sizeof(src));
}

static void lanes_take_one_end(struct fc_blake2b_lanes *lanes, size_t nblocks, size_t step)
{
    uint64_t last = lanes->last[1];

    lanes->last[1] = lanes->last[0];
    lanes_right(lanes, nblocks, step);
    lanes->last[1] = last;
}

static void lanes_read_behind(struct fc_blake2b_lanes *lanes, size_t nblocks, size_t step)
{
    size_t len = nblocks == 0 ? 0 : (nblocks - 1) * step + FC_BLAKE2B_BLOCK;

    (void)((const volatile uint8_t *)lanes->src[2])[len];
    lanes_right(lanes, nblocks, step);
}

static const struct {
    const char *what;
    fc_blake2b_lanes_fn *compress;
    const char *finds;
} lanes_faults[] = {
    {"loses the carry of a lane's byte counter", lanes_lose_carry, "t of lane 2 is wrong"},
    {"changes a lane that it does not have", lanes_touch_others, "h of lane 4 is wrong"},
    {"does not move on in a lane", lanes_stay, "src of lane 3 is wrong"},
    {"takes the next block for the one a step on", lanes_step_by_blocks, "h of lane 0 is wrong"},
    {"ends two lanes where one ends", lanes_take_one_end, "h of lane 1 is wrong"},
    {"reads a byte behind what a lane has", lanes_read_behind, "touches memory outside"},
};

static void try_compress(size_t i)
{
    struct blake2b_subject s = {.kern = compress_faults[i].compress, .check = {.strict = false}};

    blake2b_compress(&s, 1);
    self_report(compress_faults[i].what, s.check.fault, compress_faults[i].finds);
}

static void try_lanes(const char *what, fc_blake2b_lanes_fn *compress, const char *finds)
{
    const struct fc_blake2b_lanes_candidate candidate = {.lanes = 4, .compress = compress};
    struct blake2b_lanes_subject s = {.kern = &candidate};

    blake2b_lanes(&s, 1);
    self_report(what, s.check.fault, finds);
}

void self_blake2b(void)
{
    for (size_t i = 0; i < sizeof(compress_faults) / sizeof(compress_faults[0]); i++)
        try_compress(i);
    try_lanes("is right in four lanes", lanes_right, NULL);
    for (size_t i = 0; i < sizeof(lanes_faults) / sizeof(lanes_faults[0]); i++)
        try_lanes(lanes_faults[i].what, lanes_faults[i].compress, lanes_faults[i].finds);
}
