/*
 * BLAKE2b-512, AES-CTR and AES-XTS of OpenSSL's libcrypto.
 */
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>

#include "bytes.h"
#include "peers.h"

/* What a job does not need is NULL. */
struct crypto_state {
    struct peer_job job;
    EVP_MD *md;
    EVP_MD_CTX *digest;
    EVP_CIPHER_CTX *cipher;
    uint8_t *src, *dst;
};

static void run_blake2b(void *arg, size_t reps)
{
    struct peer *peer = arg;
    struct crypto_state *s = peer->state;
    unsigned char digest[EVP_MAX_MD_SIZE];

    for (size_t i = 0; i < reps * s->job.count; i++) {
        const uint8_t *src = s->src + i % s->job.count * peer_stride(s->job.len);

        if (!EVP_DigestInit_ex(s->digest, s->md, NULL) ||
            !EVP_DigestUpdate(s->digest, src, s->job.len) ||
            !EVP_DigestFinal_ex(s->digest, digest, NULL))
            peer->failed = true;
    }
}

/* The key stays; every message gets its first counter. */
static void run_ctr(void *arg, size_t reps)
{
    static const uint8_t iv[16] = {10, 11, 12};
    struct peer *peer = arg;
    struct crypto_state *s = peer->state;
    int len = (int)s->job.len;

    while (reps-- > 0)
        if (!EVP_CipherInit_ex(s->cipher, NULL, NULL, NULL, iv, -1) ||
            !EVP_CipherUpdate(s->cipher, s->dst, &len, s->src + s->job.src_offset, len))
            peer->failed = true;
}

/* The key stays; every sector gets its tweak. */
static void run_xts(void *arg, size_t reps)
{
    struct peer *peer = arg;
    struct crypto_state *s = peer->state;
    uint8_t tweak[16] = {0};
    int len = (int)s->job.len;

    while (reps-- > 0) {
        for (size_t i = 0; i < s->job.count; i++) {
            uint8_t *at = s->src + i * s->job.len;

            fc_store_le64(tweak, i);
            if (!EVP_CipherInit_ex(s->cipher, NULL, NULL, NULL, tweak, -1) ||
                !EVP_CipherUpdate(s->cipher, at, &len, at, len))
                peer->failed = true;
        }
    }
}

static void finish(struct peer *peer)
{
    struct crypto_state *s = peer->state;

    EVP_MD_CTX_free(s->digest);
    EVP_MD_free(s->md);
    EVP_CIPHER_CTX_free(s->cipher);
    free(s->src);
    free(s->dst);
    free(s);
    peer->state = NULL;
}

static bool prepare_blake2b(struct crypto_state *s)
{
    s->md = EVP_MD_fetch(NULL, "BLAKE2B-512", NULL);
    s->digest = EVP_MD_CTX_new();
    return s->md != NULL && s->digest != NULL;
}

static bool prepare_cipher(struct crypto_state *s, const EVP_CIPHER *cipher)
{
    static const uint8_t key[64] = {7, 8, 9};

    s->cipher = EVP_CIPHER_CTX_new();
    return s->cipher != NULL &&
           EVP_CipherInit_ex(s->cipher, cipher, NULL, key, NULL, s->job.op != PEER_XTS_DECRYPT);
}

static bool prepare_ctr(struct crypto_state *s)
{
    s->dst = peer_buffer(s->job.len, 1);
    return s->dst != NULL && prepare_cipher(s, s->job.key_len == 16   ? EVP_aes_128_ctr()
                                               : s->job.key_len == 24 ? EVP_aes_192_ctr()
                                                                      : EVP_aes_256_ctr());
}

static bool prepare_xts(struct crypto_state *s)
{
    return prepare_cipher(s, s->job.key_len == 32 ? EVP_aes_128_xts() : EVP_aes_256_xts());
}

static const struct {
    bool (*prepare)(struct crypto_state *s);
    bench_run_fn *run;
} jobs[] = {
    [PEER_CTR] = {prepare_ctr, run_ctr},
    [PEER_XTS_ENCRYPT] = {prepare_xts, run_xts},
    [PEER_XTS_DECRYPT] = {prepare_xts, run_xts},
    [PEER_BLAKE2B] = {prepare_blake2b, run_blake2b},
};

static bool prepare(struct peer *peer, const struct peer_job *job)
{
    struct crypto_state *s;

    if (jobs[job->op].prepare == NULL)
        return false;
    s = calloc(1, sizeof(*s));
    if (s == NULL)
        return false;
    peer->state = s;
    peer->failed = false;
    peer->run = jobs[job->op].run;
    s->job = *job;
    s->src = peer_buffer(job->len + job->src_offset, job->count);
    if (s->src == NULL || !jobs[job->op].prepare(s)) {
        finish(peer);
        return false;
    }
    return true;
}

bool peer_crypto_open(struct peer *peer)
{
    peer->name = "libcrypto";
    peer->prepare = prepare;
    peer->finish = finish;
    snprintf(peer->version, sizeof(peer->version), "%s", OpenSSL_version(OPENSSL_VERSION_STRING));
    return true;
}
