/* Lines of checksum lists: what is read from them, and that what is written is read back. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#include "sumfile.h"

#define H "00112233445566778899aabbccddeeff"
#define BITS "-128"

static struct fc_sum sum;
static enum fc_sum_order order;
static char line[4096];

static enum fc_sum_kind parse_bytes(const void *src, size_t len)
{
    memcpy(line, src, len);
    memset(line + len, 0xee, sizeof(line) - len);
    return fc_sum_parse(&sum, &order, line, len);
}

static enum fc_sum_kind parse(const char *text)
{
    return parse_bytes(text, strlen(text));
}

static void assert_named(const char *text, const char *name)
{
    if (parse(text) != FC_SUM_CHECKSUM)
        fail_msg("\"%s\" is not read", text);
    assert_hex(sum.digest, sum.digest_len, H);
    assert_string_equal(sum.name, name);
    assert_int_equal(sum.name_len, strlen(name));
}

static void assert_malformed(const char *text)
{
    if (parse(text) != FC_SUM_MALFORMED)
        fail_msg("\"%s\" is read", text);
}

static int fresh(void **state)
{
    (void)state;
    order = FC_SUM_ORDER_UNKNOWN;
    return 0;
}

static void test_untagged(void **state)
{
    (void)state;
    assert_named(H "  a\n", "a");
    assert_false(sum.tagged);
    assert_named(H " *a\r\n", "a");
    assert_named(H "  a", "a");
    assert_named(" \t" H "  a b \n", "a b ");
    assert_named("00112233445566778899AABBCCDDEEFF  a\n", "a");
    assert_named(H "   a\n", " a");
    assert_named(H "  *\r\r\n", "*\r");
    assert_malformed(H "a\n");
    assert_malformed(H "\n");
    assert_malformed("0  a\n");
    assert_malformed("001  a\n");
    assert_malformed("\v" H "  a\n");
}

static void test_lengths(void **state)
{
    char text[200];

    (void)state;
    for (size_t digits = 0; digits <= 140; digits++) {
        memset(text, '7', digits);
        strcpy(text + digits, "  a\n");
        if (digits % 2 == 0 && digits >= 2 && digits <= 128) {
            assert_int_equal(parse(text), FC_SUM_CHECKSUM);
            assert_int_equal(sum.digest_len, digits / 2);
        } else {
            assert_malformed(text);
        }
    }
}

static void test_nothing(void **state)
{
    (void)state;
    assert_int_equal(parse(""), FC_SUM_NOTHING);
    assert_int_equal(parse("\n"), FC_SUM_NOTHING);
    assert_int_equal(parse("\r\n"), FC_SUM_NOTHING);
    assert_int_equal(parse("# " H "  a\n"), FC_SUM_NOTHING);
    assert_malformed(" \n");
    assert_malformed(" #\n");
    assert_malformed("\r\r\n");
}

static void test_bsd_order(void **state)
{
    (void)state;
    assert_named(H " a\n", "a");
    assert_named(H "  a\n", " a");
    assert_named(H " *a\n", "*a");
    fresh(state);
    assert_named(H " *a\n", "a");
    assert_malformed(H " a\n");
    fresh(state);
    assert_named("BLAKE2b" BITS " (a) = " H "\n", "a");
    assert_named(H "\ta\n", "a");
    assert_int_equal(order, FC_SUM_ORDER_BSD);
    fresh(state);
    assert_named(H "  \n", " ");
    assert_int_equal(order, FC_SUM_ORDER_BSD);
    assert_named(H " \n", "");
}

static void test_escapes(void **state)
{
    (void)state;
    assert_named("\\" H "  a\\nb\\rc\\\\d\n", "a\nb\rc\\d");
    assert_named(H "  a\\nb\n", "a\\nb");
    assert_named("\\BLAKE2b" BITS " (a\\\\) = " H "\n", "a\\");
    assert_malformed("\\" H "  a\\\n");
    assert_malformed("\\" H "  a\\x\n");
    assert_malformed("\\" H "  a\\");
    assert_malformed("\\\\" H "  a\n");
    assert_malformed("\\\n");
}

static void test_nul(void **state)
{
    static const char cut[] = H "  a\0b\n", escaped[] = "\\" H "  a\0b\n", early[] = H "\0  a\n";
    static const char behind[] = "BLAKE2b" BITS " (a) = " H "\0junk\n";

    (void)state;
    assert_int_equal(parse_bytes(cut, sizeof(cut) - 1), FC_SUM_CHECKSUM);
    assert_string_equal(sum.name, "a");
    assert_int_equal(parse_bytes(escaped, sizeof(escaped) - 1), FC_SUM_MALFORMED);
    assert_int_equal(parse_bytes(early, sizeof(early) - 1), FC_SUM_MALFORMED);
    assert_int_equal(parse_bytes(behind, sizeof(behind) - 1), FC_SUM_CHECKSUM);
    assert_int_equal(parse_bytes("\0", 1), FC_SUM_MALFORMED);
}

static void test_tagged(void **state)
{
    (void)state;
    assert_named("BLAKE2b" BITS " (a) = " H "\n", "a");
    assert_true(sum.tagged && !sum.keyed && sum.algorithm == FC_HASH_BLAKE2B);
    assert_named(" BLAKE2b" BITS "(a))\t=" H, "a)");
    assert_named("BLAKE2b-0x80 () = " H "\n", "");
    assert_malformed("BLAKE2b" BITS "  (a) = " H "\n");
    assert_malformed("blake2b" BITS " (a) = " H "\n");
    assert_malformed("BLAKE2b" BITS " (a) = " H " \n");
    assert_malformed("BLAKE2b" BITS " (a = " H "\n");
    assert_malformed("BLAKE2b" BITS " (a) " H "\n");
    assert_malformed("BLAKE2b (a) = " H "\n");
    assert_malformed("BLAKE2b-0 (a) = " H "\n");
    assert_malformed("BLAKE2b-129 (a) = " H "\n");
    assert_malformed("BLAKE2b-520 (a) = " H "\n");
    assert_malformed("BLAKE2b--128 (a) = " H "\n");
    assert_malformed("BLAKE2b-18446744073709551744 (a) = " H "\n");
}

static void test_our_tags(void **state)
{
    (void)state;
    assert_named("BLAKE2bp" BITS " (a) = " H "\n", "a");
    assert_true(sum.tagged && !sum.keyed && sum.algorithm == FC_HASH_BLAKE2BP);
    assert_named("BLAKE2b-keyed" BITS " (a) = " H "\n", "a");
    assert_true(sum.tagged && sum.keyed && sum.algorithm == FC_HASH_BLAKE2B);
    assert_named("BLAKE2bp-keyed" BITS " (a) = " H "\n", "a");
    assert_true(sum.tagged && sum.keyed && sum.algorithm == FC_HASH_BLAKE2BP);
}

static void assert_format(const char *name, const struct fc_sum_style *style, const char *want)
{
    char dst[512];
    size_t len;

    sum.name = name;
    sum.name_len = strlen(name);
    memset(sum.digest, 0xab, sizeof(sum.digest));
    len = fc_sum_format(dst, &sum, style);
    assert_int_equal(len, strlen(want) + 1);
    assert_int_equal(dst[len - 1], style->zero ? '\0' : '\n');
    assert_memory_equal(dst, want, len - 1);
}

static void test_format(void **state)
{
    const struct fc_sum_style plain = {0}, tag = {.tag = true}, zero = {.zero = true};
    const struct fc_sum_style binary = {.binary = true}, both = {.tag = true, .binary = true};

    (void)state;
    sum = (struct fc_sum){.digest_len = 2};
    assert_format("a", &plain, "abab  a");
    assert_format("a", &binary, "abab *a");
    assert_format("a\nb\\\r", &plain, "\\abab  a\\nb\\\\\\r");
    assert_format("a\nb\\", &zero, "abab  a\nb\\");
    assert_format("a", &both, "BLAKE2b-16 (a) = abab");
    assert_format("\n", &tag, "\\BLAKE2b-16 (\\n) = abab");
    sum.keyed = true;
    assert_format("a", &plain, "abab  a");
    assert_format("a", &tag, "BLAKE2b-keyed-16 (a) = abab");
    sum.algorithm = FC_HASH_BLAKE2BP;
    assert_format("a", &plain, "BLAKE2bp-keyed-16 (a) = abab");
}

/* Whatever is written is read back, at every length and in every style that ends with a newline. */
static void test_round_trip(void **state)
{
    static const char bytes[] = "ab \\\n\r)(*=\t\xff";
    char name[40], dst[512];

    (void)state;
    for (unsigned seed = 0; seed < 4000; seed++) {
        const struct fc_sum_style style = {.tag = seed & 1, .binary = seed & 2};
        uint8_t random[sizeof(name)];
        struct fc_sum out = {
            .keyed = seed & 4,
            .algorithm = seed & 8 ? FC_HASH_BLAKE2BP : FC_HASH_BLAKE2B,
            .digest_len = 1 + seed % 64,
            .name = name,
            .name_len = 1 + seed % 37,
        };

        fresh(state);
        test_random(random, sizeof(random), seed);
        test_random(out.digest, sizeof(out.digest), seed + 1);
        for (size_t i = 0; i < out.name_len; i++)
            name[i] = bytes[random[i] % (sizeof(bytes) - 1)];
        name[out.name_len] = '\0';
        assert_int_equal(parse_bytes(dst, fc_sum_format(dst, &out, &style)), FC_SUM_CHECKSUM);
        assert_int_equal(sum.digest_len, out.digest_len);
        assert_memory_equal(sum.digest, out.digest, out.digest_len);
        assert_string_equal(sum.name, name);
        if (sum.tagged)
            assert_true(sum.keyed == out.keyed && sum.algorithm == out.algorithm);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_untagged, fresh),
        cmocka_unit_test_setup(test_lengths, fresh),
        cmocka_unit_test_setup(test_nothing, fresh),
        cmocka_unit_test_setup(test_bsd_order, fresh),
        cmocka_unit_test_setup(test_escapes, fresh),
        cmocka_unit_test_setup(test_nul, fresh),
        cmocka_unit_test_setup(test_tagged, fresh),
        cmocka_unit_test_setup(test_our_tags, fresh),
        cmocka_unit_test_setup(test_format, fresh),
        cmocka_unit_test_setup(test_round_trip, fresh),
    };

    return test_status(cmocka_run_group_tests_name("sumfile", tests, NULL, NULL));
}
