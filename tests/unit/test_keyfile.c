/* Key files: what is accepted, what is refused and how it is called. */
#include "support.h"

#include <string.h>

#include "keyfile.h"

/* The example of fcrypt.5. */
#define HEX "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define LINE "fcrypt-key-1:" HEX ":37214e53"

static uint8_t key[FC_KEY_LEN];
static struct fc_err err;

static void assert_accepted(const char *text)
{
    assert_int_equal(fc_keyfile_parse(key, (const uint8_t *)text, strlen(text), &err), FC_OK);
    assert_hex(key, sizeof(key), HEX);
}

static void assert_refused_bytes(const void *src, size_t len, const char *what)
{
    static const uint8_t zeros[FC_KEY_LEN];

    memset(key, 0xff, sizeof(key));
    memset(&err, 0, sizeof(err));
    assert_int_equal(fc_keyfile_parse(key, src, len, &err), FC_ERR_USAGE);
    assert_int_equal(err.status, FC_ERR_USAGE);
    if (strstr(err.what, what) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.what, what);
    assert_memory_equal(key, zeros, sizeof(key));
}

static void assert_refused(const char *text, const char *what)
{
    assert_refused_bytes(text, strlen(text), what);
}

static void test_text(void **state)
{
    (void)state;
    assert_accepted(LINE "\n");
    assert_accepted(LINE);
    assert_accepted(LINE "\r\n");
    assert_accepted(LINE " \t \n");
    assert_accepted(LINE " \r\n\r\n");
    assert_accepted("# made by a test\n\n \t\n" LINE "\n# the end");
    assert_accepted("fcrypt-key-1:000102030405060708090A0B0C0D0E0F"
                    "101112131415161718191A1B1C1D1E1F:37214E53\n");
}

static void test_raw(void **state)
{
    uint8_t raw[FC_KEY_LEN];

    (void)state;
    test_random(raw, sizeof(raw), 1);
    assert_int_equal(fc_keyfile_parse(key, raw, sizeof(raw), &err), FC_OK);
    assert_memory_equal(key, raw, sizeof(raw));
    /* Bytes that end a line or a string elsewhere are bytes here. */
    memset(raw, 0, sizeof(raw));
    memcpy(raw, "#\n\r\n", 4);
    assert_int_equal(fc_keyfile_parse(key, raw, sizeof(raw), &err), FC_OK);
    assert_memory_equal(key, raw, sizeof(raw));
}

static void test_password(void **state)
{
    (void)state;
    assert_refused("correct horse battery staple 123", "password");
    assert_true(err.hint[0] != '\0');
    assert_refused("correct horse battery staple 12\n", "password");
    assert_refused("correct horse\tbattery staple 1\r\n", "password");
}

static void test_wrong_size(void **state)
{
    uint8_t raw[65];

    (void)state;
    assert_refused("", "empty");
    test_random(raw, sizeof(raw), 2);
    for (size_t len = 1; len <= sizeof(raw); len++)
        if (len != FC_KEY_LEN)
            assert_refused_bytes(raw, len, "exactly 32 raw bytes");
    assert_refused_bytes(raw, 31, "has 31 bytes");
    assert_refused("# only a comment\n", "exactly 32 raw bytes");
    assert_refused(HEX "\n", "has 65 bytes");
    assert_non_null(strstr(err.hint, "xxd"));
}

static void test_size_limit(void **state)
{
    static char text[FC_KEYFILE_MAX + 1];

    (void)state;
    memset(text, '#', sizeof(text));
    memcpy(text, LINE "\n", sizeof(LINE));
    assert_int_equal(fc_keyfile_parse(key, (uint8_t *)text, FC_KEYFILE_MAX, &err), FC_OK);
    assert_refused_bytes(text, sizeof(text), "64 KiB");
}

static void test_typing_mistakes(void **state)
{
    char line[] = LINE;

    (void)state;
    /* Every digit of the key and of the checksum. */
    for (size_t i = 13; i < sizeof(LINE) - 1; i++) {
        if (LINE[i] == ':')
            continue;
        line[i] = LINE[i] == '7' ? '8' : '7';
        assert_refused(line, "typing mistake");
        line[i] = LINE[i];
    }
}

static void test_malformed_line(void **state)
{
    static const char no_digits[] = "/:@G`gxz \x80\xff";
    char line[] = LINE;

    (void)state;
    for (size_t i = 0; i < sizeof(no_digits) - 1; i++) {
        line[20] = no_digits[i];
        assert_refused(line, "malformed");
    }
    assert_refused("fcrypt-key-1:", "malformed");
    assert_refused("fcrypt-key-1:" HEX, "malformed");
    assert_refused("fcrypt-key-1:" HEX ":37214e5", "malformed");
    assert_refused("fcrypt-key-1:" HEX ":37214e530", "malformed");
    assert_refused("fcrypt-key-1:" HEX " 37214e53", "malformed");
    assert_refused_bytes("fcrypt-key-1:" HEX ":37214e53\0", sizeof(LINE), "malformed");
}

static void test_malformed_text(void **state)
{
    (void)state;
    assert_refused(LINE "\n" LINE "\n", "more than one key");
    assert_refused("hello\n" LINE "\n", "line 1");
    assert_refused("# one\r\n\r\n" LINE "\r\n# four\r\nfive\r\n", "line 5");
    assert_refused(LINE "\n " LINE "\n", "line 2");
    assert_refused("fcrypt-key-2:" HEX ":37214e53\n", "line 1");
    assert_refused("fcrypt-key-1", "line 1");
    assert_refused("# fcrypt key file", "has no key");
    assert_refused("# fcrypt key file; keep it secre", "has no key"); /* 32 bytes, not a raw key */
}

static void test_format(void **state)
{
    char line[FC_KEYFILE_LINE];
    uint8_t secret[FC_KEY_LEN];

    (void)state;
    test_hex(secret, sizeof(secret), HEX);
    assert_int_equal(fc_keyfile_format(line, secret), strlen(LINE "\n"));
    assert_string_equal(line, LINE "\n");
    for (unsigned seed = 0; seed < 100; seed++) {
        size_t len;

        test_random(secret, sizeof(secret), seed);
        len = fc_keyfile_format(line, secret);
        assert_int_equal(fc_keyfile_parse(key, (uint8_t *)line, len, &err), FC_OK);
        assert_memory_equal(key, secret, sizeof(key));
    }
}

static void raw_keys(void **state)
{
    static const size_t lens[] = {16, 32, 0};
    uint8_t raw[66], text[] = "# a comment\nfcrypt-key-1:00:00\n";

    (void)state;
    test_random(raw, sizeof(raw), 5);
    for (size_t len = 0; len <= sizeof(raw); len++)
        assert_int_equal(fc_raw_key_check(raw, len, lens, "AES-CTR", &err),
                         len == 16 || len == 32 ? FC_OK : FC_ERR_USAGE);
    assert_string_equal(err.what, "an AES-CTR key is 16 or 32 raw bytes, and this file has 66");
    memset(raw, 'a', sizeof(raw));
    assert_int_equal(fc_raw_key_check(raw, 32, lens, "AES-CTR", &err), FC_ERR_USAGE);
    assert_non_null(strstr(err.what, "hexadecimal"));
    raw[7] = 'g';
    assert_int_equal(fc_raw_key_check(raw, 32, lens, "AES-CTR", &err), FC_OK);
    assert_int_equal(fc_raw_key_check(text, sizeof(text) - 1, lens, "AES-CTR", &err), FC_ERR_USAGE);
    assert_non_null(strstr(err.what, "containers"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),           cmocka_unit_test(test_raw),
        cmocka_unit_test(test_password),       cmocka_unit_test(test_wrong_size),
        cmocka_unit_test(test_size_limit),     cmocka_unit_test(test_typing_mistakes),
        cmocka_unit_test(test_malformed_line), cmocka_unit_test(test_malformed_text),
        cmocka_unit_test(test_format),         cmocka_unit_test(raw_keys),
    };

    return test_status(cmocka_run_group_tests_name("keyfile", tests, NULL, NULL));
}
