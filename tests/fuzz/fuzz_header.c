/*
 * The header of a container: preamble and slots, as a reader sees them before it has a key.
 */
#include <string.h>

#include "fuzz.h"
#include "header.h"

static void judge_slots(const uint8_t *data, size_t len)
{
    for (size_t at = 0; at + FC_SLOT_LEN <= len; at += FC_SLOT_LEN) {
        struct fc_slot slot;

        memset(&slot, 0xee, sizeof(slot));
        fc_slot_judge(&slot, data + at);
        fuzz_require(slot.state <= FC_SLOT_STATE_UNKNOWN);
        if (slot.state != FC_SLOT_STATE_GOOD)
            continue;
        fuzz_require(slot.kind >= FC_SLOT_PASSPHRASE && slot.kind <= FC_SLOT_BOTH);
        if (slot.kind == FC_SLOT_KEY_FILE)
            fuzz_require(slot.passes == 0 && slot.mem_kib == 0);
        else
            fuzz_require(slot.passes >= 1 && slot.mem_kib >= 8);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct fc_preamble p;
    struct fc_err err = {0};

    if (len < FC_PREAMBLE_LEN)
        return 0;
    if (fc_preamble_parse(&p, data, &err) == FC_OK) {
        fuzz_require(p.suite == FC_SUITE_AES256_GCM_SIV || p.suite == FC_SUITE_AES128_GCM_SIV);
        fuzz_require(p.chunk_log2 >= FC_CHUNK_LOG2_MIN && p.chunk_log2 <= FC_CHUNK_LOG2_MAX);
        fuzz_require(p.header_units >= 1 && p.header_units <= FC_HEADER_MAX_UNITS);
    } else {
        fuzz_require(err.status == FC_ERR_DATA && err.what[0] != '\0');
    }
    judge_slots(data + FC_PREAMBLE_LEN, len - FC_PREAMBLE_LEN);
    return 0;
}
