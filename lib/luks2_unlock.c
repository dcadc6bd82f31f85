#include <inttypes.h>
#include <string.h>

#include "luks2_parts.h"
#include "secret.h"

struct fc_xts_run fc_luks2_area_run(const struct fc_luks2_slot *slot)
{
    return (struct fc_xts_run){
        .first = 0,
        .stride = 1,
        .sector_len = FC_LUKS2_AREA_SECTOR,
        .count = slot->key_len * FC_LUKS2_STRIPES / FC_LUKS2_AREA_SECTOR,
    };
}

enum fc_status fc_luks2_slot_key(uint8_t *key, const struct fc_luks2_slot *slot,
                                 struct fc_piece pass, struct fc_err *err)
{
    const struct fc_luks2_kdf *kdf = &slot->kdf;
    const struct fc_piece salt = {kdf->salt, sizeof(kdf->salt)};
    const struct fc_argon2 costs = {
        .type = kdf->type == FC_LUKS2_ARGON2I ? FC_ARGON2I : FC_ARGON2ID,
        .passes = kdf->passes,
        .mem_kib = kdf->mem_kib,
        .lanes = kdf->cpus,
    };

    if (kdf->type != FC_LUKS2_PBKDF2)
        return fc_argon2(key, slot->area_key_len, &costs, pass, salt, err);
    fc_pbkdf2(kdf->hash, key, slot->area_key_len, pass, salt, kdf->iterations);
    return FC_OK;
}

void fc_luks2_digest_of(const struct fc_luks2_digest *digest, uint8_t *dst,
                        const struct fc_luks2_volume *volume)
{
    fc_pbkdf2(digest->hash, dst, digest->len, (struct fc_piece){volume->key, volume->key_len},
              (struct fc_piece){digest->salt, sizeof(digest->salt)}, digest->iterations);
}

/* One try of one slot: everything secret about it, in secret memory. */
struct trial {
    struct fc_xts_key area_key;
    uint8_t slot_key[FC_LUKS2_MAX_KEY];
    uint8_t digest[FC_SHA2_MAX];
    struct fc_luks2_volume volume;
    uint8_t split[FC_LUKS2_MAX_KEY * FC_LUKS2_STRIPES];
};

/* Decrypts the slot's area into trial->volume; *opened tells whether that is the right key. */
static enum fc_status try_slot(struct trial *t, bool *opened, const struct fc_luks2 *img,
                               const struct fc_luks2_slot *slot, const uint8_t *raw,
                               struct fc_piece pass, struct fc_err *err)
{
    const struct fc_xts_run run = fc_luks2_area_run(slot);
    enum fc_status status = fc_luks2_slot_key(t->slot_key, slot, pass, err);

    if (status != FC_OK)
        return status;
    fc_xts_key_init(&t->area_key, t->slot_key, slot->area_key_len);
    fc_xts_decrypt(&t->area_key, t->split, raw + slot->area_offset, &run);
    t->volume.key_len = slot->key_len;
    t->volume.slot = slot->number;
    fc_luks2_af_merge(slot->af_hash, t->volume.key, t->split, slot->key_len);
    fc_luks2_digest_of(&img->digest, t->digest, &t->volume);
    *opened = fc_ct_equal(t->digest, img->digest.value, img->digest.len);
    return FC_OK;
}

static bool wanted(const struct fc_luks2_slot *slot, int number)
{
    if (number != FC_LUKS2_ANY_SLOT)
        return slot->number == (unsigned)number;
    return slot->bound && slot->priority != FC_LUKS2_IGNORED;
}

static uint64_t end_of_split(const struct fc_luks2_slot *slot)
{
    return slot->area_offset + slot->key_len * FC_LUKS2_STRIPES;
}

size_t fc_luks2_unlock_need(const struct fc_luks2 *img, int slot)
{
    uint64_t need = 0;

    for (size_t i = 0; i < img->nslots; i++) {
        const struct fc_luks2_slot *s = &img->slots[i];

        if (wanted(s, slot) && s->unsupported[0] == '\0' && end_of_split(s) > need)
            need = end_of_split(s);
    }
    return (size_t)need;
}

/* The slots to try, chosen before anything is spent. */
struct plan {
    const struct fc_luks2_slot *order[FC_LUKS2_SLOTS];
    size_t n;
    uint64_t work_kib;   /* passes x KiB of Argon2 so far */
    uint64_t iterations; /* of PBKDF2 so far */
    struct fc_err why;   /* why the last slot that was wanted is not in it */
};

static enum fc_status refuse_iterations(uint64_t iterations, struct fc_err *err)
{
    fc_err_set(err, FC_ERR_LIMIT,
               "the key slots ask for %" PRIu64 " iterations of PBKDF2, allowed are %d", iterations,
               FC_LUKS2_MAX_ITERATIONS);
    return fc_err_hint(err, "--key-slot N tries one slot alone");
}

/* Whether the costs of slot, on top of those in the plan, are within the limits; adds them. */
static enum fc_status afford(struct plan *plan, const struct fc_luks2 *img,
                             const struct fc_luks2_slot *slot,
                             const struct fc_luks2_attempt *attempt)
{
    uint64_t work = plan->work_kib, iterations = plan->iterations + img->digest.iterations;

    if (slot->kdf.type == FC_LUKS2_PBKDF2)
        iterations += slot->kdf.iterations;
    else if (slot->kdf.mem_kib > attempt->max_mem_kib)
        return fc_kdf_refuse_memory(slot->number, slot->kdf.mem_kib, attempt->max_mem_kib,
                                    &plan->why);
    else
        work += (uint64_t)slot->kdf.passes * slot->kdf.mem_kib;
    if (work > attempt->max_work_kib)
        return fc_kdf_refuse_work(work, attempt->max_work_kib, &plan->why);
    if (iterations > FC_LUKS2_MAX_ITERATIONS)
        return refuse_iterations(iterations, &plan->why);
    plan->work_kib = work;
    plan->iterations = iterations;
    return FC_OK;
}

static enum fc_status judge(struct plan *plan, const struct fc_luks2 *img,
                            const struct fc_luks2_slot *slot, size_t len,
                            const struct fc_luks2_attempt *attempt)
{
    if (!slot->bound)
        return fc_err_set(&plan->why, FC_ERR_KEY, "slot %u does not hold the key of the data",
                          slot->number);
    if (slot->unsupported[0] != '\0')
        return fc_err_set(&plan->why, FC_ERR_DATA, "slot %u: %s", slot->number, slot->unsupported);
    if (end_of_split(slot) > len)
        return fc_err_set(&plan->why, FC_ERR_DATA, "truncated: slot %u is beyond the end",
                          slot->number);
    return afford(plan, img, slot, attempt);
}

/* Puts the slots of one priority into the plan. Of those that cannot be used the last is told in
 * the error, if nothing opens, the others by notes. */
static void plan_slots(struct plan *plan, const struct fc_luks2 *img, size_t len,
                       enum fc_luks2_priority priority, const struct fc_luks2_attempt *attempt)
{
    struct fc_err before;

    for (size_t i = 0; i < img->nslots; i++) {
        const struct fc_luks2_slot *slot = &img->slots[i];

        if (slot->priority != priority || !wanted(slot, attempt->slot))
            continue;
        before = plan->why;
        if (judge(plan, img, slot, len, attempt) == FC_OK)
            plan->order[plan->n++] = slot;
        else if (before.status != FC_OK && attempt->note != NULL)
            attempt->note(attempt->user, before.what);
    }
}

static enum fc_status nothing_opened(const struct plan *plan, const struct fc_luks2 *img,
                                     const struct fc_luks2_attempt *attempt, struct fc_err *err)
{
    if (plan->why.status != FC_OK) {
        fc_err_set(err, plan->why.status, "%s%s",
                   plan->n > 0 ? "no other slot opens with this passphrase; " : "", plan->why.what);
        if (plan->why.hint[0] != '\0')
            fc_err_hint(err, "%s", plan->why.hint);
        return plan->why.status;
    }
    if (img->nslots == 0)
        return fc_err_set(err, FC_ERR_DATA, "no key slot is left: its keys were destroyed");
    if (plan->n > 0)
        return fc_err_set(err, FC_ERR_KEY, "wrong passphrase");
    if (attempt->slot != FC_LUKS2_ANY_SLOT)
        return fc_err_set(err, FC_ERR_KEY, "it has no key slot %d", attempt->slot);
    fc_err_set(err, FC_ERR_KEY, "it has no key slot to be tried");
    return fc_err_hint(err, "--key-slot N tries a slot that is to be ignored");
}

static enum fc_status try_slots(struct trial *t, const struct plan *plan,
                                const struct fc_luks2 *img, const uint8_t *raw,
                                const struct fc_luks2_attempt *attempt, struct fc_err *err)
{
    for (size_t i = 0; i < plan->n; i++) {
        bool opened = false;
        enum fc_status status = try_slot(t, &opened, img, plan->order[i], raw, attempt->pass, err);

        if (status != FC_OK || opened)
            return status;
    }
    return nothing_opened(plan, img, attempt, err);
}

enum fc_status fc_luks2_unlock(struct fc_luks2_volume *volume, const struct fc_luks2 *img,
                               const uint8_t *raw, size_t len,
                               const struct fc_luks2_attempt *attempt, struct fc_err *err)
{
    struct plan plan = {.n = 0};
    enum fc_status status = fc_luks2_check(img, err);
    struct trial *t;

    memset(volume, 0, sizeof(*volume));
    if (status != FC_OK)
        return status;
    for (int p = FC_LUKS2_PREFERRED; p >= FC_LUKS2_IGNORED; p--)
        plan_slots(&plan, img, len, (enum fc_luks2_priority)p, attempt);
    t = fc_secret_alloc(sizeof(*t));
    if (t == NULL)
        return fc_err_set(err, FC_ERR_LIMIT, "not enough memory");
    status = try_slots(t, &plan, img, raw, attempt, err);
    if (status == FC_OK)
        *volume = t->volume;
    fc_secret_free(t);
    return status;
}
