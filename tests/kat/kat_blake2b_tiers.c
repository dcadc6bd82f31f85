/*
 * The file of the BLAKE2 authors by every tier that this machine has, one message at a time and
 * several.
 */
#include "tiers.h"

#include <stdio.h>
#include <string.h>

#include "bytes.h"

enum { CASES = 256, MOST_BLOCKS = 3 };

/* A case as the kernels want it: the state before the first block, whole blocks. */
struct kat {
    struct fc_blake2b state;
    uint8_t msg[MOST_BLOCKS * FC_BLAKE2B_BLOCK]; /* key block, message, zeros */
    size_t nblocks;
    size_t last_len; /* bytes in the last block */
    uint8_t hash[64];
};

static void set_message(struct kat *kat, const uint8_t *key, size_t key_len, const uint8_t *in,
                        size_t in_len)
{
    size_t front = key_len > 0 ? FC_BLAKE2B_BLOCK : 0, len = front + in_len;

    assert_true(len <= sizeof(kat->msg));
    fc_blake2b_init(&kat->state,
                    &(struct fc_blake2b_params){.out_len = 64, .key = key, .key_len = key_len});
    memset(kat->msg, 0, sizeof(kat->msg));
    memcpy(kat->msg, kat->state.buf, front);
    memcpy(kat->msg + front, in, in_len);
    kat->nblocks = len == 0 ? 1 : (len - 1) / FC_BLAKE2B_BLOCK + 1;
    kat->last_len = len - (kat->nblocks - 1) * FC_BLAKE2B_BLOCK;
}

/* The bytes behind the name in the next line of f, "name:<tab>hex"; SIZE_MAX at the end. */
static size_t read_field(FILE *f, const char *name, uint8_t *dst, size_t size)
{
    size_t len = strlen(name);
    char line[1024];

    while (fgets(line, sizeof(line), f) != NULL)
        if (strncmp(line, name, len) == 0 && line[len] == ':')
            return test_hex(dst, size, line + len + 1);
    return SIZE_MAX;
}

/* The authors' cases: the same for every test. */
static const struct kat *kats(void)
{
    static struct kat cases[CASES];
    static size_t n;
    FILE *f;

    if (n == CASES)
        return cases;
    f = fopen(test_need_vectors("blake2/blake2b-kat.txt"), "r");
    assert_non_null(f);
    for (n = 0; n < CASES; n++) {
        uint8_t in[256], key[64];
        size_t in_len = read_field(f, "in", in, sizeof(in));
        size_t key_len = read_field(f, "key", key, sizeof(key));

        assert_int_equal(read_field(f, "hash", cases[n].hash, 64), 64);
        set_message(&cases[n], key, key_len, in, in_len);
    }
    fclose(f);
    return cases;
}

static void expect_hash(const struct kat *kat, const uint64_t h[8])
{
    for (size_t i = 0; i < 8; i++)
        assert_true(h[i] == fc_load_le64(kat->hash + 8 * i));
}

/* *state: one of fc_blake2b_candidates(). */
static void test_one_stream(void **state)
{
    const struct fc_blake2b_candidate *tier = *state;
    const struct kat *kat = kats();

    for (size_t i = 0; i < CASES; i++, kat++) {
        struct fc_blake2b b = kat->state;
        size_t before = kat->nblocks - 1;

        tier->compress(&b, kat->msg, before, FC_BLAKE2B_BLOCK, 0);
        tier->compress(&b, kat->msg + before * FC_BLAKE2B_BLOCK, 1, kat->last_len, UINT64_MAX);
        expect_hash(kat, b.h);
    }
}

/* Gives lane i the message of kat; NULL: none. */
static void load_lane(struct fc_blake2b_lanes *lanes, size_t i, const struct kat *kat)
{
    if (kat == NULL)
        return;
    for (size_t k = 0; k < 8; k++)
        lanes->h[k][i] = kat->state.h[k];
    lanes->t[0][i] = lanes->t[1][i] = 0;
    lanes->src[i] = kat->msg;
}

/* Sets lane i up for the next block of kat's message; returns whether that is the last one. Without
 * a message it reads what can be read. */
static bool aim_lane(struct fc_blake2b_lanes *lanes, size_t i, const struct kat *kat)
{
    bool last = kat != NULL && lanes->t[0][i] == (kat->nblocks - 1) * FC_BLAKE2B_BLOCK;

    lanes->inc[i] = kat == NULL ? 0 : last ? kat->last_len : FC_BLAKE2B_BLOCK;
    lanes->last[i] = last ? UINT64_MAX : 0;
    if (kat == NULL)
        lanes->src[i] = kats()->msg;
    return last;
}

static void expect_lane(const struct kat *kat, const struct fc_blake2b_lanes *lanes, size_t i)
{
    uint64_t h[8];

    for (size_t k = 0; k < 8; k++)
        h[k] = lanes->h[k][i];
    expect_hash(kat, h);
}

/* Block by block; a lane whose message ends takes the next case. *state: one of
 * fc_blake2b_lanes_candidates(). */
static void test_lanes(void **state)
{
    const struct fc_blake2b_lanes_candidate *tier = *state;
    const struct kat *kat = kats(), *in[FC_BLAKE2B_MAX_LANES];
    struct fc_blake2b_lanes lanes = {0};
    bool last[FC_BLAKE2B_MAX_LANES] = {false};
    size_t next = 0, done = 0;

    for (size_t i = 0; i < FC_BLAKE2B_MAX_LANES; i++) {
        in[i] = i < tier->lanes ? &kat[next++] : NULL;
        load_lane(&lanes, i, in[i]);
    }
    while (done < CASES) {
        for (size_t i = 0; i < FC_BLAKE2B_MAX_LANES; i++)
            last[i] = aim_lane(&lanes, i, in[i]);
        tier->compress(&lanes, 1, FC_BLAKE2B_BLOCK);
        for (size_t i = 0; i < tier->lanes; i++) {
            if (!last[i])
                continue;
            expect_lane(in[i], &lanes, i);
            done++;
            in[i] = next < CASES ? &kat[next++] : NULL;
            load_lane(&lanes, i, in[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest one[] = {cmocka_unit_test(test_one_stream)};
    const struct CMUnitTest several[] = {cmocka_unit_test(test_lanes)};

    return test_status(test_blake2b_run("one stream", one, 1, false) +
                       test_blake2b_lanes_run("lanes", several, 1, false));
}
