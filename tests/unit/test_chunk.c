/* The payload: the example of fcrypt.5, runs sealed and opened, and every way to break one. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chunk.h"

enum { CHUNK = 8192, SEALED = CHUNK + FC_CHUNK_TAG, STRIDE = SEALED + 48, NCHUNKS = 5 };

static const char hello[] = "hello, world\n";
enum { HELLO_LEN = sizeof(hello) - 1 };

static struct fc_payload payload;
static uint8_t buf[FC_RUN_MAX_CHUNKS * STRIDE];
static uint8_t plain[NCHUNKS][CHUNK];
static uint8_t sealed[NCHUNKS][SEALED]; /* chunks 0..4, the last one full and marked last */
static struct fc_err err;

/* The file of the example of fcrypt.5. */
static void init_payload(struct fc_payload *p, enum fc_suite suite)
{
    struct fc_preamble pre = {.suite = suite, .chunk_log2 = 13, .header_units = 1};
    uint8_t file_key[FC_FILE_KEY_LEN], raw[FC_PREAMBLE_LEN];

    for (size_t i = 0; i < 32; i++) {
        file_key[i] = (uint8_t)(0x20 + i);
        pre.file_salt[i] = (uint8_t)(0x40 + i);
    }
    fc_preamble_build(raw, &pre, file_key);
    fc_payload_init(p, raw, file_key);
}

static int setup(void **state)
{
    struct fc_chunk_run run = {
        .n = NCHUNKS, .last_len = CHUNK, .at_end = true, .buf = sealed[0], .stride = SEALED};

    (void)state;
    init_payload(&payload, FC_SUITE_AES256_GCM_SIV);
    for (size_t i = 0; i < NCHUNKS; i++) {
        test_random(plain[i], CHUNK, i);
        memcpy(sealed[i], plain[i], CHUNK);
    }
    fc_chunk_seal(&payload, &run);
    return 0;
}

/* A run of n of the sealed chunks from first on, in buf. */
static struct fc_chunk_run load(size_t first, size_t n, bool at_end)
{
    struct fc_chunk_run run = {
        .first = first, .n = n, .last_len = SEALED, .at_end = at_end, .buf = buf, .stride = STRIDE};

    memset(buf, 0xa5, sizeof(buf));
    for (size_t k = 0; k < n; k++)
        memcpy(buf + k * STRIDE, sealed[first + k], SEALED);
    return run;
}

/* The run is refused at chunk bad (of the run), whose plaintext is zeros; those before are there.
 */
static void assert_refused(const struct fc_chunk_run *run, size_t bad, const char *what)
{
    static const uint8_t zeros[CHUNK];
    bool tail = bad == run->n - 1;
    size_t len = tail ? run->last_len : SEALED, nopened = 99;

    assert_int_equal(fc_chunk_open(&payload, run, &nopened, &err), FC_ERR_DATA);
    assert_int_equal(err.status, FC_ERR_DATA);
    assert_int_equal(nopened, bad);
    if (strstr(err.what, what) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.what, what);
    for (size_t k = 0; k < bad; k++)
        assert_memory_equal(buf + k * STRIDE, plain[run->first + k], CHUNK);
    assert_memory_equal(buf + bad * STRIDE, zeros, len < FC_CHUNK_TAG ? len : len - FC_CHUNK_TAG);
}

static void test_example(void **state)
{
    static const struct {
        enum fc_suite suite;
        const char *sealed;
    } cases[] = {
        {FC_SUITE_AES256_GCM_SIV, "2d91620b30c58d6e089304b8e12cd3e0936d6a325facefd8b91a515c1d"},
        {FC_SUITE_AES128_GCM_SIV, "3b923d087db93d81d18adc0c4659a80cec06fcd426161c17d7bbe65036"},
    };
    struct fc_chunk_run run = {.n = 1, .at_end = true, .buf = buf, .stride = STRIDE};
    size_t nopened;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct fc_payload p;

        init_payload(&p, cases[i].suite);
        assert_int_equal(p.chunk_len, CHUNK);
        memcpy(buf, hello, HELLO_LEN);
        run.last_len = HELLO_LEN;
        fc_chunk_seal(&p, &run);
        run.last_len = HELLO_LEN + FC_CHUNK_TAG;
        assert_hex(buf, run.last_len, cases[i].sealed);
        assert_int_equal(fc_chunk_open(&p, &run, &nopened, &err), FC_OK);
        assert_int_equal(nopened, 1);
        assert_memory_equal(buf, hello, HELLO_LEN);
        fc_payload_wipe(&p);
    }
}

static void test_nonce(void **state)
{
    uint8_t base[FC_GCMSIV_NONCE], nonce[FC_GCMSIV_NONCE];

    (void)state;
    test_hex(base, sizeof(base), "694f57a7e2a7f7cca776342d");
    assert_hex(payload.base_nonce, sizeof(base), "694f57a7e2a7f7cca776342d");
    fc_chunk_nonce(nonce, base, 0, false);
    assert_memory_equal(nonce, base, sizeof(nonce));
    fc_chunk_nonce(nonce, base, 0, true);
    assert_hex(nonce, sizeof(nonce), "694f57a7e2a7f7cca776342c");
    fc_chunk_nonce(nonce, base, 0x0102030405060708, true);
    assert_hex(nonce, sizeof(nonce), "614851a2e6a4f5cda776342c");
    fc_chunk_nonce(nonce, base, UINT64_MAX, false);
    assert_hex(nonce, sizeof(nonce), "96b0a8581d580833a776342d");
}

/* Cut into runs in any way, the payload is the same. */
static void test_runs(void **state)
{
    (void)state;
    for (size_t first = 0; first < NCHUNKS; first++) {
        for (size_t n = 1; first + n <= NCHUNKS; n++) {
            bool at_end = first + n == NCHUNKS;
            struct fc_chunk_run run = load(first, n, at_end);
            size_t nopened;

            assert_int_equal(fc_chunk_open(&payload, &run, &nopened, &err), FC_OK);
            assert_int_equal(nopened, n);
            for (size_t k = 0; k < n; k++)
                assert_memory_equal(buf + k * STRIDE, plain[first + k], CHUNK);
            run.last_len = CHUNK;
            fc_chunk_seal(&payload, &run);
            for (size_t k = 0; k < n; k++)
                assert_memory_equal(buf + k * STRIDE, sealed[first + k], SEALED);
        }
    }
}

static void test_longest_run(void **state)
{
    struct fc_chunk_run run = {.first = (uint64_t)1 << 40,
                               .n = FC_RUN_MAX_CHUNKS,
                               .last_len = 100,
                               .at_end = true,
                               .buf = buf,
                               .stride = STRIDE};
    size_t nopened;

    (void)state;
    for (size_t k = 0; k < run.n; k++)
        memcpy(buf + k * STRIDE, plain[k % NCHUNKS], CHUNK);
    fc_chunk_seal(&payload, &run);
    run.last_len += FC_CHUNK_TAG;
    assert_int_equal(fc_chunk_open(&payload, &run, &nopened, &err), FC_OK);
    assert_int_equal(nopened, run.n);
    for (size_t k = 0; k < run.n; k++)
        assert_memory_equal(buf + k * STRIDE, plain[k % NCHUNKS], k < run.n - 1 ? CHUNK : 100);
}

static void test_empty(void **state)
{
    struct fc_chunk_run run = {.n = 1, .at_end = true, .buf = buf, .stride = STRIDE};
    size_t nopened;

    (void)state;
    fc_chunk_seal(&payload, &run);
    run.last_len = FC_CHUNK_TAG;
    assert_int_equal(fc_chunk_open(&payload, &run, &nopened, &err), FC_OK);
    assert_int_equal(nopened, 1);
    for (size_t bit = 0; bit < 8 * FC_CHUNK_TAG; bit++) {
        buf[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_refused(&run, 0, "chunk 0 (from plaintext byte 0) is damaged");
        buf[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

static void test_flipped(void **state)
{
    (void)state;
    for (size_t bad = 0; bad < NCHUNKS; bad++) {
        for (size_t at = 0; at < SEALED; at += at < CHUNK - 16 ? 511 : 1) {
            struct fc_chunk_run run = load(0, NCHUNKS, true);
            char what[80];

            buf[bad * STRIDE + at] ^= 0x10;
            snprintf(what, sizeof(what), "chunk %zu (from plaintext byte %zu) is damaged", bad,
                     bad * CHUNK);
            assert_refused(&run, bad, what);
            /* What stands behind the fault was not touched. */
            for (size_t k = bad + 1; k < NCHUNKS; k++)
                assert_memory_equal(buf + k * STRIDE, sealed[k], SEALED);
        }
    }
}

static void test_moved(void **state)
{
    struct fc_chunk_run run = load(0, NCHUNKS, true);

    (void)state;
    memcpy(buf + 1 * STRIDE, sealed[2], SEALED);
    memcpy(buf + 2 * STRIDE, sealed[1], SEALED);
    assert_refused(&run, 1, "chunk 1 (from plaintext byte 8192) is damaged");
    run = load(0, NCHUNKS, true);
    memcpy(buf + 3 * STRIDE, sealed[2], SEALED);
    assert_refused(&run, 3, "chunk 3 (from plaintext byte 24576) is damaged");
    run = load(1, 3, false);
    run.first = 0;
    assert_refused(&run, 0, "chunk 0 (from plaintext byte 0) is damaged");
    run = load(0, 2, false);
    memset(buf, 0, SEALED);
    assert_refused(&run, 0, "chunk 0 (from plaintext byte 0) is damaged");
}

/* The example's payload key with another file's salt: chunks of one are none of the other. */
static void test_other_file(void **state)
{
    struct fc_chunk_run run = load(0, 1, false);
    struct fc_payload other;
    size_t nopened;

    (void)state;
    init_payload(&other, FC_SUITE_AES128_GCM_SIV);
    assert_int_equal(fc_chunk_open(&other, &run, &nopened, &err), FC_ERR_DATA);
    assert_int_equal(nopened, 0);
}

static void test_truncated_between_chunks(void **state)
{
    (void)state;
    for (size_t n = 1; n < NCHUNKS; n++) {
        struct fc_chunk_run run = load(0, n, true);

        assert_refused(&run, n - 1, "truncated: the last chunk is missing");
    }
}

static void test_truncated_within_a_chunk(void **state)
{
    (void)state;
    for (size_t len = 1; len < SEALED; len += len < 20 || len > CHUNK - 2 ? 1 : 511) {
        struct fc_chunk_run run = load(0, 3, true);

        run.last_len = len;
        assert_refused(&run, 2, "chunk 2 (from plaintext byte 16384) is ");
        assert_non_null(strstr(err.what, "cut short"));
    }
}

static void test_no_payload(void **state)
{
    struct fc_chunk_run run = {.n = 1, .at_end = true, .buf = buf, .stride = STRIDE};

    (void)state;
    assert_refused(&run, 0, "truncated: the last chunk is missing");
}

/* The last chunk, full, and something behind it: 1 byte, 16 bytes, a chunk. */
static void test_trailing_data(void **state)
{
    static const size_t lens[] = {1, 15, 16, 17, SEALED};

    (void)state;
    for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
        struct fc_chunk_run run = load(0, NCHUNKS, true);

        run.n++;
        run.last_len = lens[i];
        assert_refused(&run, NCHUNKS - 1, "data behind the last chunk");
        run = load(2, NCHUNKS - 2, false);
        assert_refused(&run, NCHUNKS - 3, "data behind the last chunk");
    }
}

/* A last chunk that is not full, and something behind it, is one chunk with a wrong tag. */
static void test_trailing_data_after_a_short_chunk(void **state)
{
    struct fc_chunk_run run = {
        .n = 1, .last_len = HELLO_LEN, .at_end = true, .buf = buf, .stride = STRIDE};

    (void)state;
    memcpy(buf, hello, HELLO_LEN);
    fc_chunk_seal(&payload, &run);
    run.last_len = HELLO_LEN + FC_CHUNK_TAG + 1;
    assert_refused(&run, 0, "chunk 0 (from plaintext byte 0) is damaged");
}

static void test_empty_last_chunk(void **state)
{
    struct fc_chunk_run tail = {
        .first = 2, .n = 1, .at_end = true, .buf = buf + 2 * STRIDE, .stride = STRIDE};
    struct fc_chunk_run run = load(0, 2, true);

    (void)state;
    fc_chunk_seal(&payload, &tail);
    run.n = 3;
    run.last_len = FC_CHUNK_TAG;
    assert_refused(&run, 2, "chunk 2 (from plaintext byte 16384) is empty");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example),
        cmocka_unit_test(test_nonce),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_longest_run),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_flipped),
        cmocka_unit_test(test_moved),
        cmocka_unit_test(test_other_file),
        cmocka_unit_test(test_truncated_between_chunks),
        cmocka_unit_test(test_truncated_within_a_chunk),
        cmocka_unit_test(test_no_payload),
        cmocka_unit_test(test_trailing_data),
        cmocka_unit_test(test_trailing_data_after_a_short_chunk),
        cmocka_unit_test(test_empty_last_chunk),
    };

    return test_status(cmocka_run_group_tests_name("chunk", tests, setup, NULL));
}
