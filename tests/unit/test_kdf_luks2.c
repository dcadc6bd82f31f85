/* SHA-2, PBKDF2, Argon2 with lanes, base64: published answers. */
#include "support.h"

#include <string.h>

#include "kdf.h"

static struct fc_piece piece(const char *text)
{
    return (struct fc_piece){text, strlen(text)};
}

/* FIPS 180-4's examples, the message in two pieces. */
static void test_sha2(void **state)
{
    const struct fc_piece abc[] = {piece("a"), piece("bc")};
    uint8_t out[FC_SHA2_MAX];

    (void)state;
    fc_sha2(FC_SHA256, out, abc, 2);
    assert_hex(out, fc_sha2_len(FC_SHA256),
               "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    fc_sha2(FC_SHA512, out, abc, 2);
    assert_hex(out, fc_sha2_len(FC_SHA512),
               "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
               "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f");
}

/* RFC 7914 section 11, and, for SHA-512, what OpenSSL and Python compute. */
static void test_pbkdf2(void **state)
{
    uint8_t out[100];

    (void)state;
    fc_pbkdf2(FC_SHA256, out, 64, piece("passwd"), piece("salt"), 1);
    assert_hex(out, 64,
               "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
               "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783");
    fc_pbkdf2(FC_SHA256, out, 64, piece("Password"), piece("NaCl"), 80000);
    assert_hex(out, 64,
               "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
               "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d");
    fc_pbkdf2(FC_SHA512, out, 20, piece("password"), piece("salt"), 1000);
    assert_hex(out, 20, "afe6c5530785b6cc6b1c6453384731bd5ee432ee");
    fc_pbkdf2(FC_SHA512, out, 100, piece("password"), piece("salt"), 3);
    assert_hex(out, 100,
               "b6b07cb2cebf4ad84468391a543824fccffe0e0769dbe6bddf10a65673c4b648"
               "e612d44918f9ce9a19a1294cf5140628084ba994c3b21a4ef4741220b811c633"
               "cfc0641fccbcc4164f1bbfcb1f33f595ae9aa4a33ddcce570157775980362c0e"
               "e28aa340");
}

#ifdef FC_LUKS2
/* The tests of the reference implementation, version 0x13. */
static void test_argon2(void **state)
{
    static const struct {
        struct fc_argon2 costs;
        const char *hex;
    } cases[] = {
        {{FC_ARGON2I, 2, 256, 1},
         "89e9029f4637b295beb027056a7336c414fadd43f6b208645281cb214a56452f"},
        {{FC_ARGON2I, 2, 256, 2},
         "4ff5ce2769a1d7f4c8a491df09d41a9fbe90e5eb02155a13e4c01e20cd4eab61"},
        {{FC_ARGON2ID, 2, 256, 1},
         "9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe"},
        {{FC_ARGON2ID, 2, 256, 2},
         "6d093c501fd5999645e0ea3bf620d7b8be7fd2db59c20d9fff9539da2bf57037"},
    };
    uint8_t out[32];
    struct fc_err err;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(fc_argon2(out, sizeof(out), &cases[i].costs, piece("password"),
                                   piece("somesalt"), &err),
                         FC_OK);
        assert_hex(out, sizeof(out), cases[i].hex);
    }
}
#endif

static void test_base64(void **state)
{
    /* RFC 4648 section 10 */
    static const char *const texts[] = {"",         "Zg==",     "Zm8=",    "Zm9v",
                                        "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    static const char *const bad[] = {
        "Zg", "Zg=", "Zg==\n", "Z g=", "Zm9vYmFyZm9v", "Zm9-", "===="};
    char text[FC_BASE64_SIZE(6)];
    uint8_t out[6];
    size_t len;

    (void)state;
    for (size_t n = 0; n <= 6; n++) {
        fc_base64_encode(text, (const uint8_t *)"foobar", n);
        assert_string_equal(text, texts[n]);
        assert_true(fc_base64_decode(out, sizeof(out), &len, text));
        assert_int_equal(len, n);
        assert_memory_equal(out, "foobar", n);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(fc_base64_decode(out, sizeof(out), &len, bad[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sha2),
        cmocka_unit_test(test_pbkdf2),
#ifdef FC_LUKS2
        cmocka_unit_test(test_argon2),
#endif
        cmocka_unit_test(test_base64),
    };

    return test_status(cmocka_run_group_tests_name("kdf for LUKS2", tests, NULL, NULL));
}
