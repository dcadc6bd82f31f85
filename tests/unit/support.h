/*
 * What the tests share: bytes from hex text, reproducible random bytes, the folder of outside test
 * vectors. A failure in here fails the cmocka test that asked.
 */
#ifndef FC_TEST_SUPPORT_H
#define FC_TEST_SUPPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* cmocka.h needs these in front of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <cmocka.h>

/* test_hex(dst, size, hex): the bytes of hex, which may hold blanks, in dst[size]. Returns how many
 * they are; more than size, or anything that is not hex, fails the test. */
size_t test_hex(uint8_t *dst, size_t size, const char *hex);

/* assert_hex(got, len, hex): fails the test unless got[len] is what hex says. */
#define assert_hex(got, len, hex) test_assert_hex(got, len, hex, __FILE__, __LINE__)
void test_assert_hex(const void *got, size_t len, const char *hex, const char *file, int line);

/* test_random(dst, len, seed): bytes that look random and depend on seed only. */
void test_random(void *dst, size_t len, uint64_t seed);

/* A line "name = value" of a file of vectors; the value may be empty. */
struct test_field {
    char name[32], value[1100];
};

/* test_read_field(f, field): reads on to the next such line; false where there is none. A line too
 * long for it fails the test. */
bool test_read_field(FILE *f, struct test_field *field);

/* test_need_file(path): path. Where there is no such file the test is skipped. */
const char *test_need_file(const char *path);

/* test_need_vectors(name): the path of an outside vector file or folder, name below the folder in
 * FCRYPT_VECTORS or else below ../shared/vectors next to the source tree; valid until the next
 * call. Where there is none the test is skipped, too. */
const char *test_need_vectors(const char *name);

/* test_status(failed): the exit status of a test program, from what cmocka_run_group_tests
 * returned: 1 after failures, 77 (skipped) when something was skipped for want of a file, else 0.
 */
int test_status(int failed);

#endif
