/*
 * checkasm's proof of itself: kernels that are wrong in one way each, and one that is right.
 *
 * A kernel is generic's work with a fault put in, run in C (faults in memory) or in a small
 * assembly shell around it (faults in registers and on the stack), which cleans up like a kernel.
 */
#include <stdio.h>
#include <string.h>

#include "bytes.h"
#include "checkasm.h"
#include "self.h"

typedef void ctr_fn(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src, size_t nblocks);

static void ctr_right(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src, size_t nblocks)
{
    gcmsiv_oracle()->ctr(mk, dst, src, nblocks);
}

static void ctr_writes_behind(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src,
                              size_t nblocks)
{
    ctr_right(mk, dst, src, nblocks);
    ((volatile uint8_t *)dst)[16 * nblocks] = 0;
}

/* Never over the end of a page, so that only the pattern around dst can show it. */
static void ctr_writes_beyond(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src,
                              size_t nblocks)
{
    ctr_right(mk, dst, src, nblocks);
    if ((uintptr_t)(dst + 16 * nblocks) % 64 != 0)
        ((volatile uint8_t *)dst)[16 * nblocks] = 0;
}

static void ctr_writes_before(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src,
                              size_t nblocks)
{
    ctr_right(mk, dst, src, nblocks);
    ((volatile uint8_t *)dst)[-1] = 0;
}

static void ctr_reads_behind(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src,
                             size_t nblocks)
{
    (void)((const volatile uint8_t *)src)[16 * nblocks];
    ctr_right(mk, dst, src, nblocks);
}

static void ctr_wrong_length(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src,
                             size_t nblocks)
{
    ctr_right(mk, dst, src, nblocks);
    if (nblocks == 37)
        dst[5] ^= 1;
}

static void ctr_wrong_offset(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src,
                             size_t nblocks)
{
    ctr_right(mk, dst, src, nblocks);
    if ((uintptr_t)dst % 64 == 33 && nblocks == 11)
        dst[5] ^= 1;
}

static void ctr_wrong_in_place(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src,
                               size_t nblocks)
{
    ctr_right(mk, dst, src, nblocks);
    if (dst == src && nblocks > 8)
        dst[16 * nblocks - 1] ^= 1;
}

/* RFC 8452 counts in 32 bits without carry. */
static void ctr_carries(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src, size_t nblocks)
{
    uint64_t sum = (uint64_t)fc_load_le32(mk->ctr) + nblocks;

    ctr_right(mk, dst, src, nblocks);
    mk->ctr[4] = (uint8_t)(mk->ctr[4] + (sum >> 32));
}

static void ctr_forgets_counter(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src,
                                size_t nblocks)
{
    uint8_t ctr[16];

    memcpy(ctr, mk->ctr, 16);
    ctr_right(mk, dst, src, nblocks);
    memcpy(mk->ctr, ctr, 16);
}

static void ctr_changes_keys(struct fc_gcmsiv_mk *mk, uint8_t *dst, const uint8_t *src,
                             size_t nblocks)
{
    ctr_right(mk, dst, src, nblocks);
    mk->rk[3][3] ^= 1;
}

/* finds: what the report must say, so that a fault is not found for another reason. */
static const struct {
    const char *what;
    ctr_fn *ctr;
    const char *finds;
} memory_faults[] = {
    {"writes a byte behind dst", ctr_writes_behind, "touches memory outside: argument 2 +0"},
    {"writes a byte before dst", ctr_writes_before, "writes outside dst"},
    {"writes inside the page behind dst", ctr_writes_beyond, "writes outside dst"},
    {"reads a byte behind src", ctr_reads_behind, "touches memory outside: argument 3 +0"},
    {"is wrong at one length", ctr_wrong_length, "37 blocks"},
    {"is wrong at one offset", ctr_wrong_offset, "dst % 64 = 33"},
    {"is wrong in place", ctr_wrong_in_place, "in place: dst["},
    {"carries out of the counter", ctr_carries, "ctr is wrong"},
    {"does not advance the counter", ctr_forgets_counter, "ctr is wrong"},
    {"changes the message keys", ctr_changes_keys, "the message keys were changed"},
};

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
static void lanes_right(struct fc_blake2b_lanes *lanes, size_t nblocks)
{
    struct fc_blake2b_lanes all = *lanes;

    fc_blake2b_lanes_generic(&all, nblocks);
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < 8; k++)
            lanes->h[k][i] = all.h[k][i];
        for (size_t k = 0; k < 2; k++)
            lanes->t[k][i] = all.t[k][i];
        lanes->src[i] = all.src[i];
    }
}

static void lanes_lose_carry(struct fc_blake2b_lanes *lanes, size_t nblocks)
{
    uint64_t high = lanes->t[1][2];

    lanes_right(lanes, nblocks);
    lanes->t[1][2] = high;
}

static void lanes_touch_others(struct fc_blake2b_lanes *lanes, size_t nblocks)
{
    lanes_right(lanes, nblocks);
    lanes->h[7][4] ^= 1;
}

static void lanes_stay(struct fc_blake2b_lanes *lanes, size_t nblocks)
{
    const uint8_t *src = lanes->src[3];

    lanes_right(lanes, nblocks);
    lanes->src[3] = src;
}

static void lanes_take_one_end(struct fc_blake2b_lanes *lanes, size_t nblocks)
{
    uint64_t last = lanes->last[1];

    lanes->last[1] = lanes->last[0];
    lanes_right(lanes, nblocks);
    lanes->last[1] = last;
}

static void lanes_read_behind(struct fc_blake2b_lanes *lanes, size_t nblocks)
{
    (void)((const volatile uint8_t *)lanes->src[2])[FC_BLAKE2B_BLOCK * nblocks];
    lanes_right(lanes, nblocks);
}

static const struct {
    const char *what;
    fc_blake2b_lanes_fn *compress;
    const char *finds;
} lanes_faults[] = {
    {"loses the carry of a lane's byte counter", lanes_lose_carry, "t of lane 2 is wrong"},
    {"changes a lane that it does not have", lanes_touch_others, "h of lane 4 is wrong"},
    {"does not move on in a lane", lanes_stay, "src of lane 3 is wrong"},
    {"ends two lanes where one ends", lanes_take_one_end, "h of lane 1 is wrong"},
    {"reads a byte behind what a lane has", lanes_read_behind, "touches memory outside"},
};

static void xts_right(const struct fc_xts_key *key, uint8_t *dst, const uint8_t *src,
                      struct fc_xts_work *work, size_t nsectors, size_t nblocks)
{
    xts_oracle()->encrypt(key, dst, src, work, nsectors, nblocks);
}

static void xts_wrong_sector(const struct fc_xts_key *key, uint8_t *dst, const uint8_t *src,
                             struct fc_xts_work *work, size_t nsectors, size_t nblocks)
{
    xts_right(key, dst, src, work, nsectors, nblocks);
    if (nsectors == 41)
        dst[16 * nsectors * nblocks - 1] ^= 1;
}

static void xts_moves_tweak(const struct fc_xts_key *key, uint8_t *dst, const uint8_t *src,
                            struct fc_xts_work *work, size_t nsectors, size_t nblocks)
{
    xts_right(key, dst, src, work, nsectors, nblocks);
    fc_xts_move_tweak(work->tweak[0], nblocks);
}

static void xts_reads_behind(const struct fc_xts_key *key, uint8_t *dst, const uint8_t *src,
                             struct fc_xts_work *work, size_t nsectors, size_t nblocks)
{
    (void)((const volatile uint8_t *)work->tweak)[sizeof(work->tweak)];
    xts_right(key, dst, src, work, nsectors, nblocks);
}

static const struct {
    const char *what;
    void (*encrypt)(const struct fc_xts_key *key, uint8_t *dst, const uint8_t *src,
                    struct fc_xts_work *work, size_t nsectors, size_t nblocks);
    const char *finds;
} xts_faults[] = {
    {"encrypts sectors rightly", xts_right, NULL},
    {"is wrong in the last of 41 sectors", xts_wrong_sector, "41 sectors of 3 blocks"},
    {"moves the first sector's tweak on", xts_moves_tweak, "changes the tweaks"},
    {"reads behind the tweaks", xts_reads_behind, "touches memory outside"},
};

/* finds: what the fault must say, NULL for a kernel without fault. */
static void report(const char *what, const char *fault, const char *finds)
{
    char name[96];

    snprintf(name, sizeof(name), "self: a kernel that %s is %s", what,
             finds == NULL ? "accepted" : "refused");
    if (finds == NULL)
        check_note(fault[0] == '\0', name, fault);
    else
        check_note(strstr(fault, finds) != NULL, name, fault[0] ? fault : "nothing was found");
}

static void try_ctr(const char *what, ctr_fn *ctr, bool strict, const char *finds)
{
    struct fc_gcmsiv_kern kern = *gcmsiv_oracle();
    struct gcmsiv_subject s = {.kern = &kern, .check = {.strict = strict}};

    kern.ctr = ctr;
    gcmsiv_bulk(OP_CTR, &s, 1);
    report(what, s.check.fault, finds);
}

static void try_compress(const char *what, fc_blake2b_compress_fn *compress, const char *finds)
{
    struct check c = {.strict = false};

    blake2b_compress(&c, &compress, 1);
    report(what, c.fault, finds);
}

static void try_lanes(const char *what, fc_blake2b_lanes_fn *compress, const char *finds)
{
    const struct fc_blake2b_lanes_candidate candidate = {.lanes = 4, .compress = compress};
    struct lanes_subject s = {.candidate = &candidate};

    blake2b_lanes(&s, 1);
    report(what, s.check.fault, finds);
}

static void try_xts(size_t i)
{
    struct fc_xts_kern kern = *xts_oracle();
    struct xts_subject s = {.kern = &kern, .check = {.strict = false}};

    kern.encrypt = xts_faults[i].encrypt;
    xts_sectors(false, &s, 1);
    report(xts_faults[i].what, s.check.fault, xts_faults[i].finds);
}

#ifdef FC_X86_64_ASM

ctr_fn *self_body = ctr_right;
uint32_t self_fault;

static const struct {
    const char *what;
    uint32_t fault;
    uint32_t needs;
    const char *finds;
} register_faults[] = {
    {"clobbers rbx", SELF_RBX, 0, "rbx is not preserved"},
    {"clobbers r15", SELF_R15, 0, "r15 is not preserved"},
    {"leaves a round key in xmm7", SELF_XMM7, 0, "(xmm7) is left behind"},
    {"leaves a round key on the stack", SELF_STACK, 0, "left on the stack"},
    {"sets the direction flag", SELF_DIRECTION, 0, "direction flag"},
    {"changes the rounding mode", SELF_MXCSR, 0, "MXCSR"},
    {"moves the stack pointer", SELF_RSP, 0, "stack pointer"},
    {"uses an unknown instruction", SELF_ILLEGAL, 0, "an instruction"},
    {"leaves the upper half of ymm3", SELF_YMM3, FC_CPU_AVX2, "upper part of vector register 3"},
    {"leaves zmm20", SELF_ZMM20, FC_CPU_AVX512, "vector register 20"},
};

static void try_registers(void)
{
    self_fault = SELF_NONE;
    try_ctr("is right and clean", self_kernel, true, NULL);
    for (size_t i = 0; i < sizeof(register_faults) / sizeof(register_faults[0]); i++) {
        self_fault = register_faults[i].fault;
        if ((fc_cpu_features() & register_faults[i].needs) == register_faults[i].needs)
            try_ctr(register_faults[i].what, self_kernel, true, register_faults[i].finds);
    }
}

#else

static void try_registers(void)
{
}

#endif

/* The quick set must suffice: it is what runs in emulators. */
void checkasm_self(void)
{
    bool quick = check_options.quick;

    check_options.quick = true;
    try_ctr("is right", ctr_right, false, NULL);
    for (size_t i = 0; i < sizeof(memory_faults) / sizeof(memory_faults[0]); i++)
        try_ctr(memory_faults[i].what, memory_faults[i].ctr, false, memory_faults[i].finds);
    for (size_t i = 0; i < sizeof(compress_faults) / sizeof(compress_faults[0]); i++)
        try_compress(compress_faults[i].what, compress_faults[i].compress,
                     compress_faults[i].finds);
    try_lanes("is right in four lanes", lanes_right, NULL);
    for (size_t i = 0; i < sizeof(lanes_faults) / sizeof(lanes_faults[0]); i++)
        try_lanes(lanes_faults[i].what, lanes_faults[i].compress, lanes_faults[i].finds);
    for (size_t i = 0; i < sizeof(xts_faults) / sizeof(xts_faults[0]); i++)
        try_xts(i);
    try_registers();
    check_options.quick = quick;
}
