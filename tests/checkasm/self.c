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

void self_report(const char *what, const char *fault, const char *finds)
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
    self_report(what, s.check.fault, finds);
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
    self_blake2b();
    self_ctr();
    self_xts();
    try_registers();
    check_options.quick = quick;
}
