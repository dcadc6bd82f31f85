/* LUKS2 images that cryptsetup and the Linux kernel made: every slot opens, the payload decrypts.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "luks2.h"

enum { IMAGE = 2 << 20, PAYLOAD = 512 << 10 };

static const char payload_sha256[] =
    "c7834452ad5d99f2a2f91c954f2510df35854527e5915cbb088d987b53789978";

static uint8_t raw[IMAGE];
static struct fc_luks2 img;
static struct fc_err err;

static void load(const char *name)
{
    char command[4200];
    FILE *pipe;

    if (system("command -v xz >/dev/null") != 0)
        skip();
    snprintf(command, sizeof(command), "xz -dc '%s'", test_need_vectors(name));
    pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fread(raw, 1, IMAGE, pipe), IMAGE);
    assert_int_equal(pclose(pipe), 0);
    assert_int_equal(fc_luks2_need(raw, IMAGE), 32768);
    assert_int_equal(fc_luks2_parse(&img, raw, 32768, &err), FC_OK);
    assert_string_equal(img.note, "");
    assert_int_equal(fc_luks2_check(&img, &err), FC_OK);
}

static void assert_payload(const struct fc_luks2_volume *volume)
{
    static uint8_t plain[PAYLOAD];
    const struct fc_piece piece = {plain, PAYLOAD};
    size_t half = PAYLOAD / img.segment.sector_len / 2;
    struct fc_xts_run run = fc_luks2_run(&img.segment, 0, half);
    struct fc_xts_key key;
    uint8_t digest[32];

    fc_xts_key_init(&key, volume->key, volume->key_len);
    fc_xts_decrypt(&key, plain, raw + img.segment.offset, &run);
    run = fc_luks2_run(&img.segment, half, half);
    fc_xts_decrypt(&key, plain + PAYLOAD / 2, raw + img.segment.offset + PAYLOAD / 2, &run);
    fc_sha2(FC_SHA256, digest, &piece, 1);
    assert_hex(digest, sizeof(digest), payload_sha256);
}

static enum fc_status unlock(struct fc_luks2_volume *volume, int slot, const char *pass)
{
    const struct fc_luks2_attempt attempt = {
        .pass = {pass, strlen(pass)},
        .slot = slot,
        .max_mem_kib = 64 << 10,
        .max_work_kib = 256 << 10,
    };

    return fc_luks2_unlock(volume, &img, raw, fc_luks2_unlock_need(&img, slot), &attempt, &err);
}

static void assert_opens(int slot, const char *pass, unsigned number)
{
    struct fc_luks2_volume volume;

    assert_int_equal(unlock(&volume, slot, pass), FC_OK);
    assert_int_equal(volume.slot, number);
    assert_payload(&volume);
}

static void test_sector512_argon2id(void **state)
{
    struct fc_luks2_volume volume;

    (void)state;
    load("luks2/sector512-argon2id.img.xz");
    assert_int_equal(img.segment.sector_len, 512);
    assert_int_equal(img.slots[0].kdf.type, FC_LUKS2_ARGON2ID);
    assert_opens(FC_LUKS2_ANY_SLOT, "correct horse battery staple", 0);
    assert_int_equal(unlock(&volume, FC_LUKS2_ANY_SLOT, "correct horse battery staple\n"),
                     FC_ERR_KEY);
}

static void test_sector4096_pbkdf2(void **state)
{
    (void)state;
    load("luks2/sector4096-pbkdf2.img.xz");
    assert_int_equal(img.segment.sector_len, 4096);
    assert_int_equal(img.slots[0].kdf.type, FC_LUKS2_PBKDF2);
    assert_opens(FC_LUKS2_ANY_SLOT, "correct horse battery staple", 0);
}

static void test_two_slots(void **state)
{
    struct fc_luks2_volume volume;

    (void)state;
    load("luks2/aes128-2lanes-and-pbkdf2.img.xz");
    assert_int_equal(img.nslots, 2);
    assert_int_equal(img.slots[0].kdf.cpus, 2);
    assert_int_equal(img.slots[0].key_len, 32);
    assert_opens(FC_LUKS2_ANY_SLOT, "correct horse battery staple", 0);
    assert_opens(FC_LUKS2_ANY_SLOT, "second one", 1);
    assert_opens(1, "second one", 1);
    assert_int_equal(unlock(&volume, 0, "second one"), FC_ERR_KEY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sector512_argon2id),
        cmocka_unit_test(test_sector4096_pbkdf2),
        cmocka_unit_test(test_two_slots),
    };

    return test_status(cmocka_run_group_tests_name("LUKS2 images", tests, NULL, NULL));
}
