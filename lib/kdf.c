#include "kdf.h"

#include <inttypes.h>
#include <sodium.h>
#include <string.h>
#ifdef FC_LUKS2
#include <argon2.h>
#endif

#include "bytes.h"
#include "secret.h"

_Static_assert(FC_ARGON2_SALT == crypto_pwhash_argon2id_SALTBYTES, "libsodium takes 16-byte salts");

static uint64_t mib_of(uint64_t kib)
{
    return (kib + 1023) >> 10;
}

static enum fc_status no_memory(uint32_t mem_kib, struct fc_err *err)
{
    return fc_err_set(err, FC_ERR_LIMIT,
                      "not enough memory: the passphrase's Argon2id needs %" PRIu64 " MiB",
                      mib_of(mem_kib));
}

enum fc_status fc_argon2id(uint8_t dst[FC_ARGON2_OUT], const uint8_t *pass, size_t pass_len,
                           const uint8_t salt[FC_ARGON2_SALT], uint32_t passes, uint32_t mem_kib,
                           struct fc_err *err)
{
    uint64_t mem = (uint64_t)mem_kib * 1024;

    memset(dst, 0, FC_ARGON2_OUT);
    /* Only the first call does anything; libsodium lets threads race for it. */
    if (sodium_init() < 0)
        return fc_err_set(err, FC_ERR_IO, "libsodium cannot be initialised");
    if (mem <= crypto_pwhash_argon2id_memlimit_max() &&
        crypto_pwhash(dst, FC_ARGON2_OUT, (const char *)pass, pass_len, salt, passes, (size_t)mem,
                      crypto_pwhash_ALG_ARGON2ID13) == 0)
        return FC_OK;
    fc_wipe(dst, FC_ARGON2_OUT);
    return no_memory(mem_kib, err);
}

enum fc_status fc_kdf_refuse_memory(size_t slot, uint64_t mem_kib, uint64_t allowed_kib,
                                    struct fc_err *err)
{
    fc_err_set(err, FC_ERR_LIMIT,
               "slot %zu asks for %" PRIu64 " MiB of memory, allowed are %" PRIu64, slot,
               mib_of(mem_kib), allowed_kib >> 10);
    return fc_err_hint(err, "--max-memory %" PRIu64 ", if you trust the file", mib_of(mem_kib));
}

enum fc_status fc_kdf_refuse_work(uint64_t work_kib, uint64_t allowed_kib, struct fc_err *err)
{
    uint64_t asked = (work_kib >> 20) + ((work_kib & ((1 << 20) - 1)) != 0);

    fc_err_set(err, FC_ERR_LIMIT,
               "the passphrase slots ask for %" PRIu64
               " GiB-passes of Argon2id, allowed are %" PRIu64,
               asked, allowed_kib >> 20);
    return fc_err_hint(err, "--max-kdf-work %" PRIu64 ", if you trust the file", asked);
}

const char *fc_sha2_name(enum fc_sha2 hash)
{
    return hash == FC_SHA512 ? "sha512" : "sha256";
}

size_t fc_sha2_len(enum fc_sha2 hash)
{
    return hash == FC_SHA512 ? crypto_hash_sha512_BYTES : crypto_hash_sha256_BYTES;
}

static void sha256(uint8_t *dst, const struct fc_piece *pieces, size_t npieces)
{
    crypto_hash_sha256_state state;

    crypto_hash_sha256_init(&state);
    for (size_t i = 0; i < npieces; i++)
        crypto_hash_sha256_update(&state, pieces[i].p, pieces[i].len);
    crypto_hash_sha256_final(&state, dst);
    fc_wipe(&state, sizeof(state));
}

static void sha512(uint8_t *dst, const struct fc_piece *pieces, size_t npieces)
{
    crypto_hash_sha512_state state;

    crypto_hash_sha512_init(&state);
    for (size_t i = 0; i < npieces; i++)
        crypto_hash_sha512_update(&state, pieces[i].p, pieces[i].len);
    crypto_hash_sha512_final(&state, dst);
    fc_wipe(&state, sizeof(state));
}

void fc_sha2(enum fc_sha2 hash, uint8_t *dst, const struct fc_piece *pieces, size_t npieces)
{
    if (hash == FC_SHA512)
        sha512(dst, pieces, npieces);
    else
        sha256(dst, pieces, npieces);
}

struct hmac {
    enum fc_sha2 hash;
    union {
        crypto_auth_hmacsha256_state sha256;
        crypto_auth_hmacsha512_state sha512;
    };
};

static void hmac_init(struct hmac *h, enum fc_sha2 hash, struct fc_piece key)
{
    h->hash = hash;
    if (hash == FC_SHA512)
        crypto_auth_hmacsha512_init(&h->sha512, key.p, key.len);
    else
        crypto_auth_hmacsha256_init(&h->sha256, key.p, key.len);
}

static void hmac_update(struct hmac *h, const uint8_t *src, size_t len)
{
    if (h->hash == FC_SHA512)
        crypto_auth_hmacsha512_update(&h->sha512, src, len);
    else
        crypto_auth_hmacsha256_update(&h->sha256, src, len);
}

static void hmac_final(struct hmac *h, uint8_t *dst)
{
    if (h->hash == FC_SHA512)
        crypto_auth_hmacsha512_final(&h->sha512, dst);
    else
        crypto_auth_hmacsha256_final(&h->sha256, dst);
}

/* What PBKDF2 keeps: the HMAC with the passphrase alone taken in, a copy at work, U and T. */
struct pbkdf2 {
    struct hmac keyed, work;
    uint8_t u[FC_SHA2_MAX], t[FC_SHA2_MAX];
};

/* T = F(passphrase, salt, iterations, index) */
static void pbkdf2_block(struct pbkdf2 *p, struct fc_piece salt, uint32_t iterations,
                         uint32_t index)
{
    size_t hash_len = fc_sha2_len(p->keyed.hash);
    uint8_t number[4];

    fc_store_be32(number, index);
    p->work = p->keyed;
    hmac_update(&p->work, salt.p, salt.len);
    hmac_update(&p->work, number, sizeof(number));
    hmac_final(&p->work, p->u);
    memcpy(p->t, p->u, hash_len);
    for (uint32_t i = 1; i < iterations; i++) {
        p->work = p->keyed;
        hmac_update(&p->work, p->u, hash_len);
        hmac_final(&p->work, p->u);
        for (size_t k = 0; k < hash_len; k++)
            p->t[k] ^= p->u[k];
    }
}

void fc_pbkdf2(enum fc_sha2 hash, uint8_t *dst, size_t dst_len, struct fc_piece pass,
               struct fc_piece salt, uint32_t iterations)
{
    struct pbkdf2 p;

    hmac_init(&p.keyed, hash, pass);
    for (uint32_t index = 1; dst_len > 0; index++) {
        size_t n = fc_min_size(dst_len, fc_sha2_len(hash));

        pbkdf2_block(&p, salt, iterations, index);
        memcpy(dst, p.t, n);
        dst += n;
        dst_len -= n;
    }
    fc_wipe(&p, sizeof(p));
}

#ifdef FC_LUKS2
enum { MAX_THREADS = 16 };

enum fc_status fc_argon2(uint8_t *dst, size_t dst_len, const struct fc_argon2 *costs,
                         struct fc_piece pass, struct fc_piece salt, struct fc_err *err)
{
    argon2_type type = costs->type == FC_ARGON2I ? Argon2_i : Argon2_id;
    /* It writes to neither pwd nor salt unless a flag says so. */
    argon2_context ctx = {
        .out = dst,
        .outlen = (uint32_t)dst_len,
        .pwd = (uint8_t *)(uintptr_t)pass.p,
        .pwdlen = (uint32_t)pass.len,
        .salt = (uint8_t *)(uintptr_t)salt.p,
        .saltlen = (uint32_t)salt.len,
        .t_cost = costs->passes,
        .m_cost = costs->mem_kib,
        .lanes = costs->lanes,
        .threads = (uint32_t)fc_min_size(costs->lanes, MAX_THREADS),
        .version = ARGON2_VERSION_13,
    };
    int result = argon2_ctx(&ctx, type);

    if (result == ARGON2_THREAD_FAIL) {
        ctx.threads = 1;
        result = argon2_ctx(&ctx, type);
    }
    if (result == ARGON2_OK)
        return FC_OK;
    fc_wipe(dst, dst_len);
    if (result == ARGON2_MEMORY_ALLOCATION_ERROR)
        return no_memory(costs->mem_kib, err);
    return fc_err_set(err, FC_ERR_DATA, "Argon2: %s", argon2_error_message(result));
}
#endif

void fc_base64_encode(char *dst, const uint8_t *src, size_t len)
{
    sodium_bin2base64(dst, FC_BASE64_SIZE(len), src, len, sodium_base64_VARIANT_ORIGINAL);
}

bool fc_base64_decode(uint8_t *dst, size_t size, size_t *len, const char *text)
{
    return sodium_base642bin(dst, size, text, strlen(text), NULL, len, NULL,
                             sodium_base64_VARIANT_ORIGINAL) == 0;
}
