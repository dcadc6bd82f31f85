/*
 * BLAKE2b-512 and AES-XTS of OpenSSL's libcrypto.
 */
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>

#include "bytes.h"
#include "peer.h"

/* What a job does not need is NULL. */
struct crypto_state {
    struct peer_job job;
    EVP_MD *md;
    EVP_MD_CTX *digest;
    EVP_CIPHER_CTX *cipher;
    uint8_t *src;
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
    free(s);
    peer->state = NULL;
}

static bool prepare_blake2b(struct crypto_state *s)
{
    s->md = EVP_MD_fetch(NULL, "BLAKE2B-512", NULL);
    s->digest = EVP_MD_CTX_new();
    return s->md != NULL && s->digest != NULL;
}

static bool prepare_xts(struct crypto_state *s)
{
    static const uint8_t key[64] = {7, 8, 9};
    const EVP_CIPHER *cipher = s->job.key_len == 32 ? EVP_aes_128_xts() : EVP_aes_256_xts();

    s->cipher = EVP_CIPHER_CTX_new();
    return s->cipher != NULL &&
           EVP_CipherInit_ex(s->cipher, cipher, NULL, key, NULL, s->job.op == PEER_XTS_ENCRYPT);
}

static bool prepare(struct peer *peer, const struct peer_job *job)
{
    bool digest = job->op == PEER_BLAKE2B, ready;
    struct crypto_state *s;

    if (!digest && job->op != PEER_XTS_ENCRYPT && job->op != PEER_XTS_DECRYPT)
        return false;
    s = calloc(1, sizeof(*s));
    if (s == NULL)
        return false;
    peer->state = s;
    peer->failed = false;
    peer->run = digest ? run_blake2b : run_xts;
    s->job = *job;
    s->src = digest ? peer_buffer(job->len, job->count) : peer_buffer(job->len * job->count, 1);
    ready = digest ? prepare_blake2b(s) : prepare_xts(s);
    if (!ready || s->src == NULL) {
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
