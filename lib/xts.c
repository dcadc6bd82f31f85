#include "xts.h"

#include <string.h>

#include "bytes.h"
#include "kern.h"
#include "secret.h"

enum { BLOCK = 16 };

/* The blocks of one call to a kernel. */
typedef void blocks_fn(const struct fc_xts_key *key, uint8_t *dst, const uint8_t *src,
                       struct fc_xts_work *work, size_t nsectors, size_t nblocks);

/* The encrypted tweaks of n <= FC_XTS_CALL_SECTORS sectors from sector on. */
static void set_tweaks(const struct fc_xts_kern *kern, const struct fc_xts_key *key,
                       struct fc_xts_work *work, const struct fc_xts_run *run, size_t sector,
                       size_t n)
{
    for (size_t s = 0; s < n; s++) {
        fc_store_le64(work->tweak[s], run->first + (sector + s) * run->stride);
        fc_store_le64(work->tweak[s] + 8, 0);
    }
    kern->tweaks(key, work, n);
}

void fc_xts_move_tweak(uint8_t *tweak, size_t n)
{
    uint64_t lo = fc_load_le64(tweak), hi = fc_load_le64(tweak + 8);

    for (; n > 0; n--) {
        uint64_t out = hi >> 63;

        hi = hi << 1 | lo >> 63;
        lo = lo << 1 ^ (0x87 & (0 - out));
    }
    fc_store_le64(tweak, lo);
    fc_store_le64(tweak + 8, hi);
}

/* Ciphertext stealing (IEEE 1619 section 5.3.2 and 5.4.2): the last whole block and the tail bytes
 * behind it. The whole block goes first under the tweak before, gives up its end to fill the tail,
 * and the filled tail goes second under the tweak after; to decrypt, those tweaks change places. */
static void steal(const struct fc_xts_key *key, uint8_t *dst, const uint8_t *src,
                  struct fc_xts_work *work, size_t tail, size_t before, size_t after,
                  blocks_fn *blocks)
{
    uint8_t first[BLOCK], second[BLOCK], tweak[BLOCK];

    memcpy(tweak, work->tweak[0], BLOCK);
    fc_xts_move_tweak(work->tweak[0], before);
    blocks(key, first, src, work, 1, 1);
    memcpy(second, src + BLOCK, tail);
    memcpy(second + tail, first + tail, BLOCK - tail);
    memcpy(dst + BLOCK, first, tail);
    memcpy(work->tweak[0], tweak, BLOCK);
    fc_xts_move_tweak(work->tweak[0], after);
    blocks(key, dst, second, work, 1, 1);
    fc_wipe(first, sizeof(first));
    fc_wipe(second, sizeof(second));
    fc_wipe(tweak, sizeof(tweak));
}

/* Sectors whose length is no multiple of 16, one by one. */
static void odd_sectors(const struct fc_xts_kern *kern, const struct fc_xts_key *key, uint8_t *dst,
                        const uint8_t *src, struct fc_xts_work *work, const struct fc_xts_run *run,
                        blocks_fn *blocks)
{
    size_t last = run->sector_len / BLOCK - 1, tail = run->sector_len % BLOCK;
    bool encrypting = blocks == kern->encrypt;

    for (size_t s = 0; s < run->count; s++) {
        set_tweaks(kern, key, work, run, s, 1);
        if (last > 0)
            blocks(key, dst, src, work, 1, last);
        steal(key, dst + last * BLOCK, src + last * BLOCK, work, tail, encrypting ? last : last + 1,
              encrypting ? last + 1 : last, blocks);
        dst += run->sector_len;
        src += run->sector_len;
    }
}

static void whole_sectors(const struct fc_xts_kern *kern, const struct fc_xts_key *key,
                          uint8_t *dst, const uint8_t *src, struct fc_xts_work *work,
                          const struct fc_xts_run *run, blocks_fn *blocks)
{
    for (size_t s = 0; s < run->count; s += FC_XTS_CALL_SECTORS) {
        size_t n = fc_min_size(run->count - s, FC_XTS_CALL_SECTORS);

        set_tweaks(kern, key, work, run, s, n);
        blocks(key, dst, src, work, n, run->sector_len / BLOCK);
        dst += n * run->sector_len;
        src += n * run->sector_len;
    }
}

static void transform(const struct fc_xts_kern *kern, const struct fc_xts_key *key, uint8_t *dst,
                      const uint8_t *src, const struct fc_xts_run *run, blocks_fn *blocks)
{
    struct fc_xts_work work;
    size_t tweaks = fc_round_up(fc_min_size(run->count, FC_XTS_CALL_SECTORS), FC_XTS_WITH_TWEAK);

    if (run->sector_len % BLOCK == 0)
        whole_sectors(kern, key, dst, src, &work, run, blocks);
    else
        odd_sectors(kern, key, dst, src, &work, run, blocks);
    fc_wipe(&work, offsetof(struct fc_xts_work, tweak) + sizeof(work.tweak[0]) * tweaks);
}

void fc_xts_encrypt_with(const struct fc_xts_kern *kern, const struct fc_xts_key *key, uint8_t *dst,
                         const uint8_t *src, const struct fc_xts_run *run)
{
    transform(kern, key, dst, src, run, kern->encrypt);
}

void fc_xts_decrypt_with(const struct fc_xts_kern *kern, const struct fc_xts_key *key, uint8_t *dst,
                         const uint8_t *src, const struct fc_xts_run *run)
{
    transform(kern, key, dst, src, run, kern->decrypt);
}

void fc_xts_key_init(struct fc_xts_key *key, const uint8_t *secret, size_t key_len)
{
    key->rounds = (uint32_t)key_len / 8 + 6;
    fc_xts_chosen()->kern.expand(key, secret);
}

void fc_xts_key_wipe(struct fc_xts_key *key)
{
    fc_wipe(key, sizeof(*key));
}

bool fc_xts_halves_equal(const uint8_t *secret, size_t key_len)
{
    return fc_ct_equal(secret, secret + key_len / 2, key_len / 2);
}

void fc_xts_encrypt(const struct fc_xts_key *key, uint8_t *dst, const uint8_t *src,
                    const struct fc_xts_run *run)
{
    fc_xts_encrypt_with(&fc_xts_chosen()->kern, key, dst, src, run);
}

void fc_xts_decrypt(const struct fc_xts_key *key, uint8_t *dst, const uint8_t *src,
                    const struct fc_xts_run *run)
{
    fc_xts_decrypt_with(&fc_xts_chosen()->kern, key, dst, src, run);
}
