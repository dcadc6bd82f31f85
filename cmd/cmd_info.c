/* fcrypt info: what a header says, without a key. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "luks.h"
#include "msg.h"
#include "run.h"
#include "slots.h"
#include "text.h"

enum { TAG_LEN = 16, LABEL = 14 };

struct info_options {
    bool json;
};

static const struct opt opt_info[] = {
    {0, "json", NULL, "a JSON object on a line for each FILE", OPT_FLAG,
     offsetof(struct info_options, json), 0, 0},
    {0},
};

struct info {
    struct run run;
    bool json;
};

/* One container, as both forms show it. */
struct facts {
    const char *file;
    const struct fc_preamble *preamble;
    uint64_t header_len, chunk_len;
    bool has_length;
    uint64_t length; /* of the plaintext, if the file is whole */
    const struct fc_slot *slots;
    size_t nslots;
};

static const char *kind_name(const struct fc_slot *slot)
{
    static const char *const names[] = {"empty", "passphrase", "key file",
                                        "passphrase and key file"};

    return slot->state == FC_SLOT_STATE_GOOD ? names[slot->kind] : NULL;
}

static const char *state_name(enum fc_slot_state state)
{
    static const char *const names[] = {"empty", "good", "damaged", "unknown"};

    return names[state];
}

/* The plaintext's length follows from the file's, where that is known: every chunk has a tag. */
static void find_length(struct facts *f, const struct input *in)
{
    uint64_t stride = f->chunk_len + TAG_LEN;
    off_t at = S_ISREG(in->st.st_mode) ? lseek(in->fd, 0, SEEK_CUR) : -1;
    uint64_t payload, rest;

    if (at < 0 || in->st.st_size < at)
        return;
    payload = (uint64_t)(in->st.st_size - at);
    rest = payload % stride;
    f->has_length = payload == TAG_LEN || (payload > 0 && (rest == 0 || rest > TAG_LEN));
    f->length = payload - (payload / stride + (rest != 0)) * TAG_LEN;
}

static void print_slot(FILE *f, size_t number, const struct fc_slot *slot)
{
    char label[32];

    if (slot->state == FC_SLOT_STATE_EMPTY)
        return;
    snprintf(label, sizeof(label), "slot %zu:", number);
    fprintf(f, "  %-*s", LABEL, label);
    if (slot->state != FC_SLOT_STATE_GOOD) {
        fprintf(f, "%s (kind %u)\n", state_name(slot->state), slot->raw_kind);
        return;
    }
    fprintf(f, "%s", kind_name(slot));
    if (slot->passes != 0)
        fprintf(f, ", Argon2id %u pass%s over %u %s", slot->passes, slot->passes == 1 ? "" : "es",
                slot->mem_kib % 1024 == 0 ? slot->mem_kib / 1024 : slot->mem_kib,
                slot->mem_kib % 1024 == 0 ? "MiB" : "KiB");
    fputc('\n', f);
}

static void print_text(FILE *f, const struct facts *x)
{
    char name[4096];
    size_t used = 0;

    msg_escape(name, sizeof(name), x->file);
    fprintf(f, "%s:\n", name);
    fprintf(f, "  %-*sfcrypt container, version 1\n", LABEL, "format:");
    fprintf(f, "  %-*s%s\n", LABEL, "cipher:", fc_suite_name(x->preamble->suite));
    fprintf(f, "  %-*s%llu KiB\n", LABEL, "chunk size:", (unsigned long long)x->chunk_len / 1024);
    if (x->has_length)
        fprintf(f, "  %-*s%llu bytes\n", LABEL, "plaintext:", (unsigned long long)x->length);
    for (size_t i = 0; i < x->nslots; i++) {
        print_slot(f, i, &x->slots[i]);
        used += x->slots[i].state != FC_SLOT_STATE_EMPTY;
    }
    fprintf(f, "  %-*s%zu of %zu\n", LABEL, "slots used:", used, x->nslots);
}

static void print_json_slot(FILE *f, size_t number, const struct fc_slot *slot)
{
    fprintf(f, "{\"slot\":%zu,\"state\":\"%s\",\"kind\":%u", number, state_name(slot->state),
            slot->raw_kind);
    if (slot->state == FC_SLOT_STATE_GOOD)
        fprintf(f, ",\"kind_name\":\"%s\"", kind_name(slot));
    if (slot->state == FC_SLOT_STATE_GOOD && slot->passes != 0) {
        fprintf(f, ",\"kdf\":\"argon2id\",\"kdf_passes\":%u,\"kdf_memory_kib\":%u,\"salt\":\"",
                slot->passes, slot->mem_kib);
        for (size_t i = 0; i < FC_SLOT_SALT_LEN; i++)
            fprintf(f, "%02x", slot->salt[i]);
        fputc('"', f);
    }
    fputc('}', f);
}

static void print_json(FILE *f, const struct facts *x)
{
    const char *comma = "";

    fputs("{\"file\":", f);
    json_string(f, x->file);
    fprintf(f, ",\"format\":\"fcrypt\",\"version\":1,\"cipher\":\"%s\"",
            fc_suite_name(x->preamble->suite));
    fprintf(f, ",\"chunk_size\":%llu,\"header_size\":%llu", (unsigned long long)x->chunk_len,
            (unsigned long long)x->header_len);
    if (x->has_length)
        fprintf(f, ",\"plaintext_size\":%llu", (unsigned long long)x->length);
    fputs(",\"slots\":[", f);
    for (size_t i = 0; i < x->nslots; i++) {
        if (x->slots[i].state == FC_SLOT_STATE_EMPTY)
            continue;
        fputs(comma, f);
        print_json_slot(f, i, &x->slots[i]);
        comma = ",";
    }
    fprintf(f, "],\"slots_total\":%zu}\n", x->nslots);
}

static enum fc_status show(const struct info *info, const struct input *in,
                           const struct fc_container *c)
{
    struct facts facts = {.file = in->name, .preamble = fc_container_preamble(c)};
    enum fc_status status;
    struct text text;

    facts.header_len = (uint64_t)facts.preamble->header_units * FC_HEADER_UNIT;
    facts.chunk_len = (uint64_t)1 << facts.preamble->chunk_log2;
    facts.slots = fc_container_slots(c, &facts.nslots);
    find_length(&facts, in);
    if (!text_open(&text))
        return FC_ERR_LIMIT;
    if (info->json)
        print_json(text.f, &facts);
    else
        print_text(text.f, &facts);
    status = text_print(&text);
    if (status == FC_OK && slots_damaged(c) > 0)
        status = msg_fail(FC_ERR_DATA, in->name, "%zu of the slots %s damaged", slots_damaged(c),
                          slots_damaged(c) == 1 ? "is" : "are");
    return status;
}

static enum fc_status show_luks(const struct info *info, const struct input *in,
                                const struct fc_luks2 *header)
{
    struct text text;

    if (!text_open(&text))
        return FC_ERR_LIMIT;
    if (info->json)
        luks_print_json(text.f, in->name, header);
    else
        luks_print_text(text.f, in->name, header);
    return text_print(&text);
}

static enum fc_status info_luks(struct info *info, const struct input *in,
                                const struct fc_head *head)
{
    struct fc_luks *luks;
    enum fc_status status;
    struct fc_err err;

    if (fc_luks_open(info->run.ctx, &luks, head, in->fd, &err) != FC_OK)
        return msg_error(in->name, &err);
    status = show_luks(info, in, fc_luks_header(luks));
    fc_luks_close(luks);
    return status;
}

static enum fc_status info_container(struct info *info, const struct input *in,
                                     const struct fc_head *head)
{
    struct fc_container *c;
    enum fc_status status;
    struct fc_err err;

    if (fc_container_open(info->run.ctx, &c, head, in->fd, &err) != FC_OK)
        return msg_error(in->name, &err);
    status = show(info, in, c);
    fc_container_close(c);
    return status;
}

static enum fc_status info_one(const char *file, void *user)
{
    struct info *info = user;
    struct fc_head head;
    enum fc_status status;
    struct input in;
    struct fc_err err;

    status = input_open(&in, file);
    if (status != FC_OK)
        return status;
    status = input_refuse_terminal(&in);
    info->run.file = in.name;
    if (status == FC_OK && fc_head_read(&head, in.fd, &err) != FC_OK)
        status = msg_error(in.name, &err);
    else if (status == FC_OK)
        status = fc_luks_recognise(&head, in.fd) ? info_luks(info, &in, &head)
                                                 : info_container(info, &in, &head);
    input_close(&in);
    return status;
}

enum fc_status cmd_info(const struct command *self, int argc, char **argv)
{
    struct info_options o = {0};
    struct general_options general = {0};
    const struct run_options run = {.threads = 1, .no_progress = true};
    struct file_options files = {0};
    struct info info = {0};
    const struct opt_group groups[] = {
        {"Output", opt_info, &o},
        {"General", opt_general, &general},
        {0},
    };
    enum fc_status status;

    if (!opt_parse(self, groups, &argc, &argv, &status))
        return status;
    msg_init(general.quiet, general.verbose);
    info.json = o.json;
    status = files_check(self, &files, argc, argv);
    if (status == FC_OK)
        status =
            run_open(&info.run, &run, FC_DEFAULT_MAX_MEM_KIB, (uint64_t)FC_DEFAULT_MAX_WORK << 20);
    if (status == FC_OK)
        status = files_each(argc, argv, info_one, &info);
    run_close(&info.run);
    files_free(&files);
    return status;
}
