#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "ops.h"

enum { MAX_PASSPHRASE_SLOTS = 7 }; /* tried in one file, whatever the header's size */

/* The keys of an open container, in secret memory. */
struct reader {
    uint8_t file_key[FC_FILE_KEY_LEN];
    uint8_t kek[FC_KEK_LEN];
    struct fc_payload payload;
};

struct fc_container {
    struct fc_ctx *ctx;
    int in_fd;
    struct fc_preamble preamble;
    uint8_t *raw; /* the whole header */
    struct fc_slot *slots;
    size_t nslots;
    struct reader *keys; /* NULL until unlocked */
};

static enum fc_status no_memory(struct fc_err *err)
{
    return fc_err_set(err, FC_ERR_LIMIT, "not enough memory");
}

enum fc_status fc_head_read(struct fc_head *head, int in_fd, struct fc_err *err)
{
    return fc_read_full(in_fd, head->bytes, sizeof(head->bytes), &head->len, err);
}

/* Judges the preamble and reads as much header as it announces. */
static enum fc_status read_header(struct fc_container *c, const struct fc_head *head,
                                  struct fc_err *err)
{
    size_t got, len;
    enum fc_status status;

    if (head->len < sizeof(head->bytes))
        return fc_preamble_short(head->bytes, head->len, err);
    status = fc_preamble_parse(&c->preamble, head->bytes, err);
    if (status != FC_OK)
        return status;
    len = (size_t)c->preamble.header_units * FC_HEADER_UNIT;
    c->raw = malloc(len);
    if (c->raw == NULL)
        return no_memory(err);
    memcpy(c->raw, head->bytes, head->len);
    status = fc_read_full(c->in_fd, c->raw + head->len, len - head->len, &got, err);
    if (status == FC_OK && got < len - head->len)
        status = fc_err_set(err, FC_ERR_DATA, "truncated: the header ends after %zu of %zu bytes",
                            got + head->len, len);
    return status;
}

static const uint8_t *raw_slot(const struct fc_container *c, size_t i)
{
    return c->raw + FC_PREAMBLE_LEN + i * FC_SLOT_LEN;
}

enum fc_status fc_container_open(struct fc_ctx *ctx, struct fc_container **out,
                                 const struct fc_head *head, int in_fd, struct fc_err *err)
{
    struct fc_container *c = calloc(1, sizeof(*c));
    enum fc_status status;

    *out = NULL;
    if (c == NULL)
        return no_memory(err);
    c->ctx = ctx;
    c->in_fd = in_fd;
    status = read_header(c, head, err);
    if (status == FC_OK) {
        c->nslots = fc_header_nslots(c->preamble.header_units);
        c->slots = calloc(c->nslots, sizeof(*c->slots));
        if (c->slots == NULL)
            status = no_memory(err);
    }
    if (status != FC_OK) {
        fc_container_close(c);
        return status;
    }
    for (size_t i = 0; i < c->nslots; i++)
        fc_slot_judge(&c->slots[i], raw_slot(c, i));
    *out = c;
    return FC_OK;
}

void fc_container_close(struct fc_container *c)
{
    if (c == NULL)
        return;
    fc_secret_free(c->keys);
    free(c->slots);
    free(c->raw);
    free(c);
}

const struct fc_preamble *fc_container_preamble(const struct fc_container *c)
{
    return &c->preamble;
}

const struct fc_slot *fc_container_slots(const struct fc_container *c, size_t *n)
{
    *n = c->nslots;
    return c->slots;
}

/*
 * The slots to try, chosen before anything is spent: those whose factors cred has, key files first,
 * then the cheapest Argon2id; within the limits; no salt twice.
 */
struct plan {
    size_t *order; /* slot numbers */
    size_t n;
    size_t damaged;
    size_t occupied;
    size_t refused; /* slots left out for their costs */
};

static uint64_t work_of(const struct fc_slot *slot)
{
    return (uint64_t)slot->passes * slot->mem_kib;
}

static bool fits(const struct fc_slot *slot, const struct fc_cred *cred)
{
    bool needs_pass = slot->kind != FC_SLOT_KEY_FILE, needs_key = slot->kind != FC_SLOT_PASSPHRASE;

    return (!needs_pass || cred->pass != NULL) && (!needs_key || cred->key != NULL);
}

/* Puts slot i into the plan in order of work. */
static void plan_insert(struct plan *plan, const struct fc_slot *slots, size_t i)
{
    size_t at = plan->n++;

    while (at > 0 && work_of(&slots[plan->order[at - 1]]) > work_of(&slots[i])) {
        plan->order[at] = plan->order[at - 1];
        at--;
    }
    plan->order[at] = i;
}

static bool salt_seen(const struct fc_container *c, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (c->slots[k].state == FC_SLOT_STATE_GOOD &&
            memcmp(c->slots[k].salt, c->slots[i].salt, FC_SLOT_SALT_LEN) == 0)
            return true;
    return false;
}

/* Judges the slots one by one, with a note for each that cannot be used. */
static void plan_slots(const struct fc_container *c, struct plan *plan, const struct fc_cred *cred)
{
    for (size_t i = 0; i < c->nslots; i++) {
        const struct fc_slot *slot = &c->slots[i];

        plan->occupied += slot->state != FC_SLOT_STATE_EMPTY;
        if (slot->state == FC_SLOT_STATE_DAMAGED) {
            plan->damaged++;
            fc_ops_note(c->ctx, "slot %zu is damaged", i);
        } else if (slot->state == FC_SLOT_STATE_UNKNOWN) {
            fc_ops_note(c->ctx, "slot %zu is of an unknown kind (%u)", i, slot->raw_kind);
        } else if (slot->state == FC_SLOT_STATE_GOOD && salt_seen(c, i)) {
            fc_ops_note(c->ctx, "slot %zu repeats another slot's salt", i);
        } else if (slot->state == FC_SLOT_STATE_GOOD && fits(slot, cred)) {
            plan_insert(plan, c->slots, i);
        }
    }
}

/* Takes out of the plan what the limits forbid; says why in err. */
static void plan_limit(const struct fc_container *c, struct plan *plan, struct fc_err *err)
{
    const struct fc_config *limits = &c->ctx->config;
    size_t with_pass = 0, kept = 0;
    uint64_t work = 0;

    for (size_t k = 0; k < plan->n; k++) {
        size_t i = plan->order[k];
        const struct fc_slot *slot = &c->slots[i];

        if (slot->mem_kib > limits->max_mem_kib) {
            fc_kdf_refuse_memory(i, slot->mem_kib, limits->max_mem_kib, err);
            continue;
        }
        if (__builtin_add_overflow(work, work_of(slot), &work))
            work = UINT64_MAX;
        with_pass += slot->kind != FC_SLOT_KEY_FILE;
        if (work > limits->max_work_kib)
            fc_kdf_refuse_work(work, limits->max_work_kib, err);
        else if (with_pass > MAX_PASSPHRASE_SLOTS)
            fc_err_set(err, FC_ERR_LIMIT, "it has more than %d passphrase slots to try",
                       MAX_PASSPHRASE_SLOTS);
        else
            plan->order[kept++] = i;
    }
    plan->refused = plan->n - kept;
    plan->n = kept;
}

/* What the user gave, in words. */
static const char *given(const struct fc_cred *cred)
{
    if (cred->pass != NULL)
        return cred->key == NULL ? "passphrase" : "passphrase or key";
    return cred->key == NULL ? "credential" : "key";
}

/* Why nothing opened; err holds the limit that was hit, if one was. */
static enum fc_status nothing_opened(const struct plan *plan, const struct fc_cred *cred,
                                     struct fc_err *err)
{
    if (plan->occupied == 0)
        return fc_err_set(err, FC_ERR_DATA, "no key slot is left: its keys were destroyed");
    if (plan->refused > 0)
        return FC_ERR_LIMIT;
    if (plan->damaged > 0)
        return fc_err_set(err, FC_ERR_DATA, "no slot opens with this %s, and one is damaged",
                          given(cred));
    if (plan->n == 0)
        return fc_err_set(err, FC_ERR_KEY, "no slot is one for this %s", given(cred));
    return fc_err_set(err, FC_ERR_KEY, "wrong %s", given(cred));
}

/* Tries the slots of the plan in order; the first whose commitment matches decides. */
static enum fc_status try_slots(struct fc_container *c, struct reader *keys,
                                const struct plan *plan, const struct fc_cred *cred, bool *opened,
                                struct fc_err *err)
{
    for (size_t k = 0; k < plan->n; k++) {
        size_t i = plan->order[k];
        enum fc_status status = fc_ops_kek(c->ctx, keys->kek, &c->slots[i], cred, err);

        if (status != FC_OK)
            return status;
        switch (fc_slot_open(keys->file_key, raw_slot(c, i), c->raw, keys->kek)) {
        case FC_SLOT_OTHER_KEY:
            break;
        case FC_SLOT_OPENED:
            *opened = true;
            return FC_OK;
        case FC_SLOT_BROKEN:
            return fc_err_set(err, FC_ERR_DATA, "slot %zu takes this %s, but is damaged", i,
                              given(cred));
        }
    }
    return FC_OK;
}

enum fc_status fc_container_unlock(struct fc_container *c, const struct fc_cred *cred,
                                   struct fc_err *err)
{
    struct plan plan = {.order = calloc(c->nslots, sizeof(*plan.order))};
    struct reader *keys = fc_secret_alloc(sizeof(*keys));
    struct fc_err limit = {.status = FC_OK};
    bool opened = false;
    enum fc_status status;

    if (plan.order == NULL || keys == NULL) {
        status = no_memory(err);
        goto out;
    }
    plan_slots(c, &plan, cred);
    plan_limit(c, &plan, &limit);
    status = try_slots(c, keys, &plan, cred, &opened, err);
    if (status == FC_OK && !opened) {
        *err = limit;
        status = nothing_opened(&plan, cred, err);
    }
    if (status == FC_OK) {
        fc_payload_init(&keys->payload, c->raw, keys->file_key);
        fc_secret_free(c->keys);
        c->keys = keys;
        keys = NULL;
    }
out:
    fc_secret_free(keys);
    free(plan.order);
    return status;
}

enum fc_status fc_container_decrypt(struct fc_container *c, const struct fc_out *out,
                                    struct fc_err *err)
{
    return fc_ops_run(c->ctx, &c->keys->payload, c->in_fd, out, false, err);
}
