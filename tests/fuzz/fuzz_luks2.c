/*
 * LUKS2: the input once as the JSON of a header whose binary part is sound, and once as an image.
 */
#include <string.h>

#include "fuzz.h"
#include "luks2_parts.h"

enum { JSON_AREA = FC_LUKS2_MIN_HEADER - FC_LUKS2_BINARY_LEN };

static void require_slot(const struct fc_luks2 *img, const struct fc_luks2_slot *slot)
{
    uint64_t start = 2 * img->header_len, end = start + img->keyslots_len;

    fuzz_require(slot->number < FC_LUKS2_SLOTS && slot->priority <= FC_LUKS2_PREFERRED);
    fuzz_require(slot->area_offset >= start && slot->area_offset < end);
    fuzz_require(slot->area_len <= end - slot->area_offset);
    if (slot->unsupported[0] != '\0')
        return;
    fuzz_require(slot->key_len == 32 || slot->key_len == 64);
    fuzz_require(slot->area_key_len == 32 || slot->area_key_len == 64);
    fuzz_require(slot->area_len >= slot->key_len * FC_LUKS2_STRIPES);
    if (slot->kdf.type == FC_LUKS2_PBKDF2)
        fuzz_require(slot->kdf.iterations >= 1);
    else
        fuzz_require(slot->kdf.passes >= 1 && slot->kdf.cpus >= 1 &&
                     slot->kdf.mem_kib / 8 >= slot->kdf.cpus);
}

static void require_image(const struct fc_luks2 *img)
{
    fuzz_require(img->nslots <= FC_LUKS2_SLOTS && img->ntokens <= FC_LUKS2_SLOTS);
    fuzz_require(img->keyslots_len <= FC_LUKS2_MAX_KEYSLOTS);
    for (size_t i = 0; i < img->nslots; i++) {
        require_slot(img, &img->slots[i]);
        if (i > 0)
            fuzz_require(img->slots[i].number > img->slots[i - 1].number);
    }
    fuzz_require(fc_luks2_unlock_need(img, FC_LUKS2_ANY_SLOT) <=
                 2 * img->header_len + img->keyslots_len);
    if (fc_luks2_check(img, NULL) != FC_OK)
        return;
    fuzz_require(img->segment.offset >= 2 * img->header_len + img->keyslots_len);
    fuzz_require(img->segment.sector_len >= 512 && img->segment.sector_len <= 4096);
    fuzz_require(img->segment.len % img->segment.sector_len == 0);
    fuzz_require(img->digest.len > 0 && img->digest.iterations > 0);
}

static void try_json(const uint8_t *data, size_t len)
{
    static char area[JSON_AREA];
    struct fc_luks2 img = {.header_len = FC_LUKS2_MIN_HEADER};
    struct fc_err err = {0};

    if (len > JSON_AREA)
        return;
    memset(area, 0, sizeof(area));
    memcpy(area, data, len);
    if (fc_luks2_metadata_read(&img, area, JSON_AREA, &err) == FC_OK)
        require_image(&img);
    else
        fuzz_require(err.status == FC_ERR_DATA && err.what[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct fc_err err = {0};
    struct fc_luks2 img;

    try_json(data, len);
    (void)fc_luks2_need(data, len);
    if (fc_luks2_parse(&img, data, len, &err) == FC_OK)
        require_image(&img);
    else
        fuzz_require(err.status == FC_ERR_DATA && err.what[0] != '\0');
    return 0;
}
