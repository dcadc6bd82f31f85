/*
 * Key files: whatever is accepted survives being written and read again; whatever is refused
 * leaves no key.
 */
#include <string.h>

#include "fuzz.h"
#include "keyfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const uint8_t zeros[FC_KEY_LEN];
    uint8_t key[FC_KEY_LEN], again[FC_KEY_LEN];
    char line[FC_KEYFILE_LINE];
    struct fc_err err = {0};

    memset(key, 0xee, sizeof(key));
    if (fc_keyfile_parse(key, data, len, &err) != FC_OK) {
        fuzz_require(err.status == FC_ERR_USAGE && err.what[0] != '\0');
        fuzz_require(memcmp(key, zeros, sizeof(key)) == 0);
        return 0;
    }
    len = fc_keyfile_format(line, key);
    fuzz_require(fc_keyfile_parse(again, (const uint8_t *)line, len, &err) == FC_OK);
    fuzz_require(memcmp(again, key, sizeof(key)) == 0);
    return 0;
}
