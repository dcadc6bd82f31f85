/* Argon2id: RFC 9106 as another implementation computes it, and what happens without memory. */
#include "support.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "kdf.h"

#ifdef FC_HAVE_ARGON2
#include <argon2.h>
#endif

#ifdef __has_feature
#define ASAN __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define ASAN 1
#else
#define ASAN 0
#endif

static const uint8_t salt[FC_ARGON2_SALT] = {0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67,
                                             0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x6f};

static void argon2id(uint8_t dst[FC_ARGON2_OUT], const char *pass, size_t len, uint32_t passes,
                     uint32_t mem_kib)
{
    struct fc_err err;

    assert_int_equal(fc_argon2id(dst, (const uint8_t *)pass, len, salt, passes, mem_kib, &err),
                     FC_OK);
}

/* Computed with the argon2 reference implementation. */
static void test_known_answers(void **state)
{
    uint8_t out[FC_ARGON2_OUT];

    (void)state;
    argon2id(out, "correct horse", 13, 1, 8192);
    assert_hex(out, sizeof(out),
               "e37495dac06c4f04c74a3c485be304c937fdb7a73f3934ca0d477e3e8d0c6943");
    argon2id(out, "a\0b", 3, 3, 8);
    assert_hex(out, sizeof(out),
               "d3238ee889d4e0c3a6922b5ce893fc8f89740a685754c7ddd8a9e19bbfd47566");
}

static void test_every_byte_counts(void **state)
{
    uint8_t a[FC_ARGON2_OUT], b[FC_ARGON2_OUT];

    (void)state;
    argon2id(a, "a\0b", 3, 1, 8);
    argon2id(b, "a\0c", 3, 1, 8);
    assert_memory_not_equal(a, b, sizeof(a));
    argon2id(b, "a", 1, 1, 8);
    assert_memory_not_equal(a, b, sizeof(a));
    argon2id(b, "a\0b\n", 4, 1, 8);
    assert_memory_not_equal(a, b, sizeof(a));
}

#ifdef FC_HAVE_ARGON2
static void test_like_the_reference(void **state)
{
    static const struct {
        uint32_t passes, mem_kib;
    } costs[] = {{1, 8}, {2, 9}, {3, 64}, {1, 1000}, {4, 1024}};
    uint8_t pass[300], out[FC_ARGON2_OUT], want[FC_ARGON2_OUT];

    (void)state;
    test_random(pass, sizeof(pass), 1);
    for (size_t i = 0; i < sizeof(costs) / sizeof(costs[0]); i++) {
        size_t len = 1 + i * 70;

        argon2id(out, (const char *)pass, len, costs[i].passes, costs[i].mem_kib);
        assert_int_equal(argon2id_hash_raw(costs[i].passes, costs[i].mem_kib, 1, pass, len, salt,
                                           sizeof(salt), want, sizeof(want)),
                         ARGON2_OK);
        assert_memory_equal(out, want, sizeof(out));
    }
}
#endif

static void assert_no_memory(uint32_t mem_kib, const char *mib)
{
    static const uint8_t zeros[FC_ARGON2_OUT];
    uint8_t out[FC_ARGON2_OUT];
    struct fc_err err;

    memset(out, 0xff, sizeof(out));
    assert_int_equal(fc_argon2id(out, (const uint8_t *)"x", 1, salt, 1, mem_kib, &err),
                     FC_ERR_LIMIT);
    assert_int_equal(err.status, FC_ERR_LIMIT);
    assert_non_null(strstr(err.what, mib));
    assert_memory_equal(out, zeros, sizeof(out));
}

static bool limit_holds(size_t limit)
{
    void *p = mmap(NULL, limit, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED)
        return true;
    munmap(p, limit);
    return false;
}

static void test_no_memory(void **state)
{
    struct rlimit old, low;

    (void)state;
#if ASAN
    skip(); /* its shadow memory does not fit under any limit */
#endif
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    low = old;
    low.rlim_cur = 512u << 20;
    assert_int_equal(setrlimit(RLIMIT_AS, &low), 0);
    if (!limit_holds(low.rlim_cur)) {
        setrlimit(RLIMIT_AS, &old);
        skip(); /* emulators take the limit and do not keep it */
    }
    assert_no_memory(1 << 20, "1024 MiB");
    assert_no_memory((1 << 20) + 1, "1025 MiB");
    assert_no_memory(UINT32_MAX, "4194304 MiB");
    assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_every_byte_counts),
#ifdef FC_HAVE_ARGON2
        cmocka_unit_test(test_like_the_reference),
#endif
        cmocka_unit_test(test_no_memory),
    };

    return test_status(cmocka_run_group_tests_name("kdf", tests, NULL, NULL));
}
