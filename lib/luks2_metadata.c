/*
 * The metadata as a whole: what its objects have to do with each other.
 */
#include <string.h>

#include "luks2_json.h"
#include "luks2_parts.h"

/* What reading goes by. Sets of objects are bits, by number. */
struct reading {
    struct fc_luks2 *img;
    uint32_t slots;
    uint32_t plain_slots; /* of the type luks2, which have one digest each */
    uint32_t segments;
    uint32_t slots_with_digest;
    uint32_t segments_with_digest;
};

static bool is_aligned(uint64_t n)
{
    return n % FC_LUKS2_ALIGN == 0;
}

static bool read_config(struct fc_luks2 *img, const struct fc_json *doc, struct fc_err *err)
{
    struct fc_json config, requirements;
    const char *first;
    uint64_t json_len;
    size_t n;

    if (!fc_json_object(doc, "config", &config, err) ||
        !fc_json_u64(&config, "json_size", &json_len, err) ||
        !fc_json_u64(&config, "keyslots_size", &img->keyslots_len, err) ||
        !fc_json_texts(&config, "flags", &first, &n, err))
        return false;
    if (json_len != img->header_len - FC_LUKS2_BINARY_LEN)
        return fc_json_fault(&config, "json_size", "not the header's", err);
    if (!is_aligned(img->keyslots_len) || img->keyslots_len > FC_LUKS2_MAX_KEYSLOTS)
        return fc_json_fault(&config, "keyslots_size", "out of range", err);
    if (!fc_json_has(&config, "requirements"))
        return true;
    if (!fc_json_object(&config, "requirements", &requirements, err) ||
        !fc_json_texts(&requirements, "mandatory", &first, &n, err))
        return false;
    if (n > 0)
        fc_luks2_unsupported(img->unsupported, "it requires \"%.64s\", which is not supported",
                             first);
    return true;
}

static bool overlap(const struct fc_luks2_slot *a, const struct fc_luks2_slot *b)
{
    return a->area_offset < b->area_offset + b->area_len &&
           b->area_offset < a->area_offset + a->area_len;
}

/* Whether the area of the last slot is inside the part for areas, and nobody else's. */
static bool area_is_free(const struct fc_luks2 *img, const struct fc_json *in, struct fc_err *err)
{
    const struct fc_luks2_slot *slot = &img->slots[img->nslots];
    uint64_t start = 2 * img->header_len, end = start + img->keyslots_len;

    if (slot->area_len == 0 || slot->area_offset < start || slot->area_offset > end ||
        slot->area_len > end - slot->area_offset)
        return fc_json_fault(in, "area", "outside of the part for areas", err);
    for (size_t i = 0; i < img->nslots; i++)
        if (overlap(slot, &img->slots[i]))
            return fc_json_fault(in, "area", "it overlaps another slot's", err);
    return true;
}

static bool visit_slot(void *ctx, unsigned number, const struct fc_json *in, struct fc_err *err)
{
    struct reading *r = ctx;
    struct fc_luks2_slot *slot = &r->img->slots[r->img->nslots];

    slot->number = number;
    if (!fc_luks2_slot_read(slot, in, err) || !area_is_free(r->img, in, err))
        return false;
    r->slots |= UINT32_C(1) << number;
    if (slot->key_len > 0)
        r->plain_slots |= UINT32_C(1) << number;
    r->img->nslots++;
    return true;
}

static void sort_slots(struct fc_luks2 *img)
{
    for (size_t i = 1; i < img->nslots; i++)
        for (size_t k = i; k > 0 && img->slots[k - 1].number > img->slots[k].number; k--) {
            struct fc_luks2_slot swap = img->slots[k];

            img->slots[k] = img->slots[k - 1];
            img->slots[k - 1] = swap;
        }
}

static bool visit_segment(void *ctx, unsigned number, const struct fc_json *in, struct fc_err *err)
{
    struct reading *r = ctx;

    if (r->segments != 0)
        fc_luks2_unsupported(r->img->unsupported, "images with several segments are not supported");
    r->segments |= UINT32_C(1) << number;
    memset(&r->img->segment, 0, sizeof(r->img->segment));
    return fc_luks2_segment_read(r->img, in, err);
}

/* Marks the slots that hold the key of the data. */
static void bind_slots(struct fc_luks2 *img, uint32_t slots)
{
    for (size_t i = 0; i < img->nslots; i++)
        img->slots[i].bound = (slots >> img->slots[i].number & 1) != 0;
}

static bool visit_digest(void *ctx, unsigned number, const struct fc_json *in, struct fc_err *err)
{
    char unsupported[FC_LUKS2_WHY_SIZE] = "";
    struct fc_luks2_digest digest = {0};
    struct reading *r = ctx;
    uint32_t slots, segments;

    (void)number;
    if (!fc_json_numbers(in, "keyslots", &slots, err) ||
        !fc_json_numbers(in, "segments", &segments, err) ||
        !fc_luks2_digest_read(&digest, unsupported, in, err))
        return false;
    if ((slots & ~r->slots) != 0)
        return fc_json_fault(in, "keyslots", "there is no such key slot", err);
    if ((segments & ~r->segments) != 0)
        return fc_json_fault(in, "segments", "there is no such segment", err);
    if ((slots & r->slots_with_digest) != 0)
        return fc_json_fault(in, "keyslots", "a key slot has two digests", err);
    if ((segments & r->segments_with_digest) != 0)
        return fc_json_fault(in, "segments", "a segment has two digests", err);
    r->slots_with_digest |= slots;
    r->segments_with_digest |= segments;
    if (segments != 0) {
        r->img->digest = digest;
        if (unsupported[0] != '\0')
            fc_luks2_unsupported(r->img->unsupported, "%s", unsupported);
        bind_slots(r->img, slots);
    }
    return true;
}

static bool visit_token(void *ctx, unsigned number, const struct fc_json *in, struct fc_err *err)
{
    struct reading *r = ctx;
    const char *type;
    uint32_t slots;

    (void)number;
    if (!fc_json_text(in, "type", &type, err) || !fc_json_numbers(in, "keyslots", &slots, err))
        return false;
    if ((slots & ~r->slots) != 0)
        return fc_json_fault(in, "keyslots", "there is no such key slot", err);
    r->img->ntokens++;
    return true;
}

static bool read_objects(struct reading *r, const struct fc_json *doc, struct fc_err *err)
{
    if (!read_config(r->img, doc, err) ||
        !fc_json_each(doc, "keyslots", "key slot", visit_slot, r, err))
        return false;
    sort_slots(r->img);
    if (!fc_json_each(doc, "segments", "segment", visit_segment, r, err))
        return false;
    if (r->segments == 0)
        return fc_json_fault(doc, "", "there is no segment", err);
    if (!fc_json_each(doc, "digests", "digest", visit_digest, r, err) ||
        !fc_json_each(doc, "tokens", "token", visit_token, r, err))
        return false;
    if (r->segments != r->segments_with_digest)
        fc_luks2_unsupported(r->img->unsupported, "a segment without a digest is not supported");
    if ((r->plain_slots & ~r->slots_with_digest) != 0)
        return fc_json_fault(doc, "", "a key slot has no digest", err);
    return true;
}

enum fc_status fc_luks2_metadata_read(struct fc_luks2 *img, const char *area, size_t len,
                                      struct fc_err *err)
{
    size_t text_len = strnlen(area, len);
    struct reading r = {.img = img};
    struct fc_err local = {0};
    struct fc_json doc;
    bool good;

    if (text_len == len)
        return fc_err_set(err, FC_ERR_DATA,
                          "malformed LUKS2 metadata: no zero byte behind the JSON");
    for (size_t i = text_len; i < len; i++)
        if (area[i] != '\0')
            return fc_err_set(err, FC_ERR_DATA,
                              "malformed LUKS2 metadata: garbage behind the JSON");
    good = fc_json_parse(&doc, area, text_len, &local) && read_objects(&r, &doc, &local);
    fc_json_free(&doc);
    if (good)
        return FC_OK;
    if (err != NULL)
        *err = local;
    return local.status;
}
