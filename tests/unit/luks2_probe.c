/*
 * LUKS2 headers for scripts to look at:
 *
 *   luks2_probe show IMAGE              what it says, or why not
 *   luks2_probe open IMAGE SLOT PASS    the volume key in hex; SLOT -1: any
 *   luks2_probe format IMAGE PASS KEY_LEN SECTOR_LEN DATA_OFFSET LABEL UUID
 *                                       a new image up to its data; "" for no LABEL, no UUID
 *
 * Notes and errors go to standard error; the exit status is the library's.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "luks2.h"

struct image {
    uint8_t *raw;
    size_t len;
    FILE *file;
    struct fc_luks2 img;
};

static struct fc_err err;

/* Reads on until there are want bytes, if the file has so many. */
static void read_up_to(struct image *im, size_t want)
{
    if (want <= im->len)
        return;
    im->raw = realloc(im->raw, want);
    if (im->raw == NULL)
        abort();
    im->len += fread(im->raw + im->len, 1, want - im->len, im->file);
}

static enum fc_status load(struct image *im, const char *path)
{
    size_t need;
    enum fc_status status;

    im->file = fopen(path, "rb");
    if (im->file == NULL)
        return fc_err_set(&err, FC_ERR_IO, "cannot open it");
    while ((need = fc_luks2_need(im->raw, im->len)) > im->len) {
        read_up_to(im, need);
        if (im->len < need)
            break;
    }
    status = fc_luks2_parse(&im->img, im->raw, im->len, &err);
    if (status == FC_OK && im->img.note[0] != '\0')
        fprintf(stderr, "note: %s\n", im->img.note);
    return status;
}

static void show_slot(const struct fc_luks2_slot *s)
{
    printf("slot %u: priority %d, area %" PRIu64 "+%" PRIu64, s->number, (int)s->priority,
           s->area_offset, s->area_len);
    if (s->unsupported[0] != '\0')
        printf(", unsupported: %s\n", s->unsupported);
    else if (s->kdf.type == FC_LUKS2_PBKDF2)
        printf(", %zu bytes, pbkdf2 %s %" PRIu32 "%s\n", s->key_len, fc_sha2_name(s->kdf.hash),
               s->kdf.iterations, s->bound ? "" : ", unbound");
    else
        printf(", %zu bytes, %s %" PRIu32 " %" PRIu32 " %" PRIu32 "%s\n", s->key_len,
               fc_luks2_kdf_name(s->kdf.type), s->kdf.passes, s->kdf.mem_kib, s->kdf.cpus,
               s->bound ? "" : ", unbound");
}

static void show(const struct fc_luks2 *img)
{
    printf("header %" PRIu64 ", seqid %" PRIu64 ", keyslots %" PRIu64 ", uuid %s, label \"%s\"\n",
           img->header_len, img->seqid, img->keyslots_len, img->uuid, img->label);
    printf("segment: offset %" PRIu64 ", size %" PRIu64 ", iv_tweak %" PRIu64 ", sectors %" PRIu32
           "\n",
           img->segment.offset, img->segment.len, img->segment.iv_tweak, img->segment.sector_len);
    for (size_t i = 0; i < img->nslots; i++)
        show_slot(&img->slots[i]);
    printf("tokens: %zu\n", img->ntokens);
    if (img->unsupported[0] != '\0')
        printf("unsupported: %s\n", img->unsupported);
}

static void note(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "note: %s\n", text);
}

static enum fc_status unlock(struct image *im, int slot, const char *pass)
{
    const struct fc_luks2_attempt attempt = {
        .pass = {pass, strlen(pass)},
        .slot = slot,
        .max_mem_kib = 1 << 20,
        .max_work_kib = 16 << 20,
        .note = note,
    };
    struct fc_luks2_volume volume;
    enum fc_status status;

    read_up_to(im, fc_luks2_unlock_need(&im->img, slot));
    status = fc_luks2_unlock(&volume, &im->img, im->raw, im->len, &attempt, &err);
    if (status != FC_OK)
        return status;
    printf("slot %u: ", volume.slot);
    for (size_t i = 0; i < volume.key_len; i++)
        printf("%02x", volume.key[i]);
    printf("\n");
    return FC_OK;
}

static enum fc_status format(const char *path, char **args)
{
    static uint8_t raw[FC_LUKS2_FORMAT_MAX];
    struct fc_luks2_params params = {
        .pass = {args[0], strlen(args[0])},
        .key_len = strtoul(args[1], NULL, 10),
        .sector_len = (uint32_t)strtoul(args[2], NULL, 10),
        .data_offset = strtoull(args[3], NULL, 10),
        .passes = 1,
        .mem_kib = 64,
        .label = args[4][0] == '\0' ? NULL : args[4],
        .uuid = args[5][0] == '\0' ? NULL : args[5],
    };
    struct fc_luks2_segment segment;
    struct fc_luks2_volume volume;
    size_t len;
    FILE *file;
    enum fc_status status = fc_luks2_format(raw, &len, &segment, &volume, &params, &err);

    if (status != FC_OK)
        return status;
    file = fopen(path, "wb");
    if (file == NULL || fwrite(raw, 1, len, file) != len ||
        fseek(file, (long)segment.offset - 1, SEEK_SET) != 0 || fputc(0, file) == EOF ||
        fclose(file) != 0)
        return fc_err_set(&err, FC_ERR_IO, "cannot write it");
    return FC_OK;
}

static enum fc_status run(int argc, char **argv)
{
    struct image im = {.len = 0};
    enum fc_status status;

    if (argc == 9 && strcmp(argv[1], "format") == 0)
        return format(argv[2], argv + 3);
    if (!(argc == 3 && strcmp(argv[1], "show") == 0) &&
        !(argc == 5 && strcmp(argv[1], "open") == 0))
        return fc_err_set(&err, FC_ERR_USAGE, "luks2_probe show|open|format IMAGE ...");
    status = load(&im, argv[2]);
    if (status == FC_OK && argc == 3)
        show(&im.img);
    else if (status == FC_OK)
        status = unlock(&im, atoi(argv[3]), argv[4]);
    if (im.file != NULL)
        fclose(im.file);
    free(im.raw);
    return status;
}

int main(int argc, char **argv)
{
    enum fc_status status = run(argc, argv);

    if (status != FC_OK)
        fprintf(stderr, "error: %s\n", err.what);
    if (status != FC_OK && err.hint[0] != '\0')
        fprintf(stderr, "hint: %s\n", err.hint);
    return (int)status;
}
