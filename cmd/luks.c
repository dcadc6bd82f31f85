#include "luks.h"

#include <inttypes.h>
#include <string.h>

#include "json.h"
#include "msg.h"
#include "raw.h"

enum { COLUMN = 14 };

#define FIELD(name) offsetof(struct luks_options, name)
const struct opt opt_luks[] = {
    {0, "luks", NULL, "a LUKS2 image, which cryptsetup opens", OPT_FLAG, FIELD(luks), 0, 0},
    {0, "key-size", "BITS", "256 or 512 (default): AES-128 or AES-256 in XTS", OPT_NUMBER,
     FIELD(key_size), 256, 512},
    {0, "label", "TEXT", "the image's label, at most 47 bytes", OPT_STRING, FIELD(label), 0, 0},
    {0, "uuid", "UUID", "the image's UUID (default: a random one)", OPT_STRING, FIELD(uuid), 0, 0},
    {0, "luks-offset", "SIZE", "where the data begin (default 16M)", OPT_SIZE, FIELD(offset),
     FC_LUKS2_FORMAT_MAX, UINT64_C(1) << 40},
    {0},
};
#undef FIELD

enum fc_status luks_unused(const struct command *self, const struct luks_options *o)
{
    const char *option = NULL;

    if (o->key_size != 0)
        option = "--key-size";
    else if (o->label != NULL)
        option = "--label";
    else if (o->uuid != NULL)
        option = "--uuid";
    else if (o->offset != 0)
        option = "--luks-offset";
    return option == NULL ? FC_OK : msg_usage(self, "%s needs --luks", option);
}

enum fc_status luks_choose(struct fc_luks_options *how, const struct luks_options *o,
                           uint64_t sector_size, const struct command *self)
{
    if (o->key_size != 0 && o->key_size != 256 && o->key_size != 512)
        return msg_usage(self, "--key-size must be 256 or 512");
    how->key_len = o->key_size == 256 ? 32 : 64;
    how->sector_len = (uint32_t)(sector_size == 0 ? FC_LUKS2_MAX_SECTOR : sector_size);
    how->data_offset = o->offset == 0 ? FC_LUKS2_DATA_OFFSET : o->offset;
    how->label = o->label;
    how->uuid = o->uuid;
    return raw_check_sector(self, how->sector_len);
}

static void print_slot(FILE *f, const struct fc_luks2_slot *slot)
{
    static const char *const priorities[] = {", ignored", "", ", preferred"};
    const struct fc_luks2_kdf *kdf = &slot->kdf;
    char label[32], why[4 * FC_LUKS2_WHY_SIZE];

    snprintf(label, sizeof(label), "slot %u:", slot->number);
    fprintf(f, "  %-*s", COLUMN, label);
    if (slot->unsupported[0] != '\0') {
        msg_escape(why, sizeof(why), slot->unsupported);
        fprintf(f, "not usable here: %s\n", why);
        return;
    }
    if (kdf->type == FC_LUKS2_PBKDF2)
        fprintf(f, "PBKDF2, %" PRIu32 " iterations", kdf->iterations);
    else
        fprintf(f, "%s, %" PRIu32 " pass%s over %" PRIu32 " MiB, %" PRIu32 " lane%s",
                kdf->type == FC_LUKS2_ARGON2I ? "Argon2i" : "Argon2id", kdf->passes,
                kdf->passes == 1 ? "" : "es", kdf->mem_kib >> 10, kdf->cpus,
                kdf->cpus == 1 ? "" : "s");
    fprintf(f, "%s%s\n", priorities[slot->priority], slot->bound ? "" : ", of another key");
}

static void print_line(FILE *f, const char *label, const char *text)
{
    char shown[4 * FC_LUKS2_WHY_SIZE];

    if (text[0] == '\0')
        return;
    msg_escape(shown, sizeof(shown), text);
    fprintf(f, "  %-*s%s\n", COLUMN, label, shown);
}

void luks_print_text(FILE *f, const char *file, const struct fc_luks2 *h)
{
    char name[4096];

    msg_escape(name, sizeof(name), file);
    fprintf(f, "%s:\n", name);
    print_line(f, "format:", "LUKS2 disk image; its data are not authenticated");
    print_line(f, "label:", h->label);
    print_line(f, "UUID:", h->uuid);
    print_line(f, "not usable:", h->unsupported);
    if (h->unsupported[0] == '\0') {
        print_line(f, "cipher:", "aes-xts-plain64");
        fprintf(f, "  %-*s%" PRIu32 " bytes\n", COLUMN, "sector size:", h->segment.sector_len);
        fprintf(f, "  %-*s%" PRIu64 "\n", COLUMN, "data offset:", h->segment.offset);
        if (h->segment.len != 0)
            fprintf(f, "  %-*s%" PRIu64 " bytes\n", COLUMN, "data length:", h->segment.len);
    }
    for (size_t i = 0; i < h->nslots; i++)
        print_slot(f, &h->slots[i]);
    fprintf(f, "  %-*s%zu of %d\n", COLUMN, "slots used:", h->nslots, FC_LUKS2_SLOTS);
}

static void print_json_slot(FILE *f, const struct fc_luks2_slot *slot)
{
    static const char *const priorities[] = {"ignored", "normal", "preferred"};
    const struct fc_luks2_kdf *kdf = &slot->kdf;

    fprintf(f, "{\"slot\":%u,\"priority\":\"%s\"", slot->number, priorities[slot->priority]);
    if (slot->unsupported[0] != '\0') {
        fputs(",\"unsupported\":", f);
        json_string(f, slot->unsupported);
    } else {
        fprintf(f, ",\"bound\":%s,\"key_size\":%zu,\"kdf\":\"%s\"", slot->bound ? "true" : "false",
                slot->key_len * 8, fc_luks2_kdf_name(kdf->type));
        if (kdf->type == FC_LUKS2_PBKDF2)
            fprintf(f, ",\"kdf_iterations\":%" PRIu32, kdf->iterations);
        else
            fprintf(f,
                    ",\"kdf_passes\":%" PRIu32 ",\"kdf_memory_kib\":%" PRIu32
                    ",\"kdf_lanes\":%" PRIu32,
                    kdf->passes, kdf->mem_kib, kdf->cpus);
    }
    fputc('}', f);
}

void luks_print_json(FILE *f, const char *file, const struct fc_luks2 *h)
{
    fputs("{\"file\":", f);
    json_string(f, file);
    fputs(",\"format\":\"luks2\",\"version\":2,\"label\":", f);
    json_string(f, h->label);
    fputs(",\"uuid\":", f);
    json_string(f, h->uuid);
    if (h->unsupported[0] != '\0') {
        fputs(",\"unsupported\":", f);
        json_string(f, h->unsupported);
    } else {
        fprintf(f,
                ",\"cipher\":\"aes-xts-plain64\",\"sector_size\":%" PRIu32
                ",\"data_offset\":%" PRIu64,
                h->segment.sector_len, h->segment.offset);
        if (h->segment.len != 0)
            fprintf(f, ",\"data_size\":%" PRIu64, h->segment.len);
    }
    fputs(",\"slots\":[", f);
    for (size_t i = 0; i < h->nslots; i++) {
        if (i > 0)
            fputc(',', f);
        print_json_slot(f, &h->slots[i]);
    }
    fprintf(f, "],\"slots_total\":%d}\n", FC_LUKS2_SLOTS);
}
