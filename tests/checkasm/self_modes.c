/*
 * Kernels of AES-CTR and AES-XTS that are wrong in one way each.
 */
#include <string.h>

#include "checkasm.h"
#include "self.h"

static void xor_right(const struct fc_ctr_key *key, uint8_t *dst, const uint8_t *src,
                      size_t nblocks, uint8_t counter[FC_CTR_IV])
{
    ctr_oracle()(key, dst, src, nblocks, counter);
}

static void xor_counts_in_64(const struct fc_ctr_key *key, uint8_t *dst, const uint8_t *src,
                             size_t nblocks, uint8_t counter[FC_CTR_IV])
{
    uint8_t high[8];

    memcpy(high, counter, 8);
    xor_right(key, dst, src, nblocks, counter);
    memcpy(counter, high, 8);
}

/* As one that looks for the carry in front of the last block only. */
static void xor_carries_late(const struct fc_ctr_key *key, uint8_t *dst, const uint8_t *src,
                             size_t nblocks, uint8_t counter[FC_CTR_IV])
{
    static const uint8_t zero[8];

    xor_right(key, dst, src, nblocks, counter);
    if (nblocks > 33 && memcmp(counter + 8, zero, 7) == 0 && counter[15] == 2)
        dst[16 * nblocks - 17] ^= 1;
}

static void xor_reads_behind(const struct fc_ctr_key *key, uint8_t *dst, const uint8_t *src,
                             size_t nblocks, uint8_t *counter)
{
    (void)((const volatile uint8_t *)counter)[FC_CTR_IV];
    xor_right(key, dst, src, nblocks, counter);
}

static const struct {
    const char *what;
    fc_ctr_fn *xor_blocks;
    const char *finds;
} xor_faults[] = {
    {"counts in 128 bits", xor_right, NULL},
    {"counts in 64 bits", xor_counts_in_64, "the counter behind is wrong"},
    {"carries a block late", xor_carries_late, "dst["},
    {"reads a byte behind the counter", xor_reads_behind, "argument 5 +16"},
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

static void try_xor(size_t i)
{
    struct ctr_subject s = {.kern = xor_faults[i].xor_blocks, .check = {.strict = false}};

    ctr_blocks(&s, 1);
    self_report(xor_faults[i].what, s.check.fault, xor_faults[i].finds);
}

static void try_xts(size_t i)
{
    struct fc_xts_kern kern = *xts_oracle();
    struct xts_subject s = {.kern = &kern, .check = {.strict = false}};

    kern.encrypt = xts_faults[i].encrypt;
    xts_sectors(false, &s, 1);
    self_report(xts_faults[i].what, s.check.fault, xts_faults[i].finds);
}

void self_ctr(void)
{
    for (size_t i = 0; i < sizeof(xor_faults) / sizeof(xor_faults[0]); i++)
        try_xor(i);
}

void self_xts(void)
{
    for (size_t i = 0; i < sizeof(xts_faults) / sizeof(xts_faults[0]); i++)
        try_xts(i);
}
