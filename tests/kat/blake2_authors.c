#include "blake2_authors.h"

#include <stdio.h>
#include <string.h>

#include "support.h"

/* What stands behind the name in a line "name:<tab>hex", or NULL. */
static const char *field(const char *line, const char *name)
{
    size_t len = strlen(name);

    return strncmp(line, name, len) == 0 && line[len] == ':' ? line + len + 1 : NULL;
}

void test_blake2_authors(const char *name, blake2_digest_fn *digest)
{
    FILE *f = fopen(test_need_vectors(name), "r");
    uint8_t in[256], key[64], hash[64], out[64];
    size_t in_len = 0, key_len = 0, cases = 0;
    char line[1024];

    assert_non_null(f);
    while (fgets(line, sizeof(line), f) != NULL) {
        const char *hex;

        if ((hex = field(line, "in")) != NULL) {
            in_len = test_hex(in, sizeof(in), hex);
        } else if ((hex = field(line, "key")) != NULL) {
            key_len = test_hex(key, sizeof(key), hex);
        } else if ((hex = field(line, "hash")) != NULL) {
            assert_int_equal(test_hex(hash, sizeof(hash), hex), 64);
            digest(out, 64, key, key_len, in, in_len);
            assert_memory_equal(out, hash, 64);
            cases++;
        }
    }
    fclose(f);
    assert_int_equal(cases, 256);
}
