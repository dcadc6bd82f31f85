/*
 * AES-GCM-SIV, every tier and the public functions: Project Wycheproof's aes_gcm_siv_test.json, in
 * its schema aead_test_schema_v1.
 */
#include "gcmsiv_support.h"

#include <string.h>

#include <json-c/json.h>

enum { MOST_BYTES = 1024 };

struct vector {
    uint8_t key[32], nonce[FC_GCMSIV_NONCE], ad[MOST_BYTES], plain[MOST_BYTES];
    uint8_t sealed[MOST_BYTES + FC_GCMSIV_TAG];
    size_t key_len, ad_len, plain_len;
    bool valid;
};

static json_object *member(json_object *object, const char *name)
{
    json_object *value;

    if (!json_object_object_get_ex(object, name, &value))
        fail_msg("no \"%s\" in the file", name);
    return value;
}

static size_t hex_member(json_object *object, const char *name, uint8_t *dst, size_t size)
{
    return test_hex(dst, size, json_object_get_string(member(object, name)));
}

static void read_vector(struct vector *v, json_object *test)
{
    size_t sealed_len;

    v->key_len = hex_member(test, "key", v->key, sizeof(v->key));
    assert_int_equal(hex_member(test, "iv", v->nonce, sizeof(v->nonce)), FC_GCMSIV_NONCE);
    v->ad_len = hex_member(test, "aad", v->ad, sizeof(v->ad));
    v->plain_len = hex_member(test, "msg", v->plain, sizeof(v->plain));
    sealed_len = hex_member(test, "ct", v->sealed, MOST_BYTES);
    assert_int_equal(sealed_len, v->plain_len);
    assert_int_equal(hex_member(test, "tag", v->sealed + sealed_len, FC_GCMSIV_TAG), FC_GCMSIV_TAG);
    v->valid = strcmp(json_object_get_string(member(test, "result")), "valid") == 0;
}

static struct fc_gcmsiv_msg message(const struct vector *v, const uint8_t *src, uint8_t *dst)
{
    struct fc_gcmsiv_msg msg = {
        .ad = v->ad, .ad_len = v->ad_len, .src = src, .dst = dst, .len = v->plain_len};

    memcpy(msg.nonce, v->nonce, FC_GCMSIV_NONCE);
    return msg;
}

static void check_valid(const struct fc_gcmsiv_candidate *tier, const struct fc_gcmsiv_key *key,
                        const struct vector *v)
{
    uint8_t dst[MOST_BYTES + FC_GCMSIV_TAG];
    struct fc_gcmsiv_msg msg = message(v, v->plain, dst);

    test_gcmsiv_seal(tier, key, &msg, 1);
    assert_memory_equal(dst, v->sealed, v->plain_len + FC_GCMSIV_TAG);
    msg = message(v, v->sealed, dst);
    assert_int_equal(test_gcmsiv_open(tier, key, &msg, 1), 1);
    assert_memory_equal(dst, v->plain, v->plain_len);
}

static void check_invalid(const struct fc_gcmsiv_candidate *tier, const struct fc_gcmsiv_key *key,
                          const struct vector *v)
{
    static const uint8_t zeros[MOST_BYTES];
    uint8_t dst[MOST_BYTES];
    struct fc_gcmsiv_msg msg = message(v, v->sealed, dst);

    memset(dst, 0xa5, sizeof(dst));
    assert_int_equal(test_gcmsiv_open(tier, key, &msg, 1), 0);
    assert_memory_equal(dst, zeros, v->plain_len);
}

static void check_vector(const struct fc_gcmsiv_candidate *tier, json_object *test)
{
    struct fc_gcmsiv_key key;
    struct vector v;

    read_vector(&v, test);
    test_gcmsiv_key(tier, &key, v.key, v.key_len);
    (v.valid ? check_valid : check_invalid)(tier, &key, &v);
}

static void test_wycheproof(void **state)
{
    json_object *file =
        json_object_from_file(test_need_vectors("wycheproof/aes_gcm_siv_test.json"));
    json_object *groups = member(file, "testGroups");
    size_t done = 0;

    for (size_t g = 0; g < json_object_array_length(groups); g++) {
        json_object *tests = member(json_object_array_get_idx(groups, g), "tests");

        for (size_t i = 0; i < json_object_array_length(tests); i++, done++)
            check_vector(*state, json_object_array_get_idx(tests, i));
    }
    assert_true(done > 0);
    assert_int_equal(done, json_object_get_int(member(file, "numberOfTests")));
    json_object_put(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wycheproof)};

    return test_status(test_gcmsiv_run("wycheproof", tests, 1, true));
}
