#include "support.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_SKIPPED = 77 }; /* SKIP_RETURN_CODE in CMakeLists.txt */

static bool vectors_missing;

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef";
    const char *p = strchr(digits, tolower((unsigned char)c));

    if (c == '\0' || p == NULL)
        fail_msg("not a hex digit: '%c'", c);
    return (int)(p - digits);
}

size_t test_hex(uint8_t *dst, size_t size, const char *hex)
{
    size_t n = 0;

    for (;; n++, hex += 2) {
        while (isspace((unsigned char)*hex))
            hex++;
        if (*hex == '\0')
            return n;
        if (n == size)
            fail_msg("more than %zu bytes of hex", size);
        dst[n] = (uint8_t)(hex_digit(hex[0]) << 4 | hex_digit(hex[1]));
    }
}

void test_assert_hex(const void *got, size_t len, const char *hex, const char *file, int line)
{
    uint8_t *expected = malloc(strlen(hex) / 2 + 1);
    size_t n;

    assert_non_null(expected);
    n = test_hex(expected, strlen(hex) / 2, hex);
    _assert_int_equal(len, n, file, line);
    _assert_memory_equal(got, expected, len, file, line);
    free(expected);
}

/* splitmix64 */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

void test_random(void *dst, size_t len, uint64_t seed)
{
    uint8_t *p = dst;

    for (size_t i = 0; i < len; i++)
        p[i] = (uint8_t)next_random(&seed);
}

bool test_read_field(FILE *f, struct test_field *field)
{
    char line[sizeof(*field)];
    int value = 0;

    while (fgets(line, sizeof(line), f) != NULL) {
        size_t len = strcspn(line, "\r\n");

        assert_true(line[len] != '\0' || feof(f));
        line[len] = '\0';
        if (line[0] == '#' || sscanf(line, "%31s =%n", field->name, &value) != 1 || value == 0)
            continue;
        assert_true(len - (size_t)value < sizeof(field->value));
        memcpy(field->value, line + value, len - (size_t)value + 1);
        return true;
    }
    return false;
}

const char *test_need_file(const char *path)
{
    if (access(path, R_OK) != 0) {
        print_message("no %s\n", path);
        vectors_missing = true;
        skip();
    }
    return path;
}

const char *test_need_vectors(const char *name)
{
    static char path[PATH_MAX];
    const char *folder = getenv("FCRYPT_VECTORS");

    if (folder == NULL)
        folder = FC_SOURCE_DIR "/../shared/vectors";
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    if (access(path, R_OK) != 0)
        print_message("set FCRYPT_VECTORS to the folder of test vectors\n");
    return test_need_file(path);
}

int test_status(int failed)
{
    if (failed != 0)
        return EXIT_FAILURE;
    return vectors_missing ? STATUS_SKIPPED : EXIT_SUCCESS;
}
