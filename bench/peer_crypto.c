/*
 * BLAKE2b-512 of OpenSSL's libcrypto.
 */
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>

#include "peer.h"

struct crypto_state {
    struct peer_job job;
    EVP_MD *md;
    EVP_MD_CTX *ctx;
    uint8_t *src;
};

static void run(void *arg, size_t reps)
{
    struct peer *peer = arg;
    struct crypto_state *s = peer->state;
    unsigned char digest[EVP_MAX_MD_SIZE];

    while (reps-- > 0)
        if (!EVP_DigestInit_ex(s->ctx, s->md, NULL) ||
            !EVP_DigestUpdate(s->ctx, s->src, s->job.len) ||
            !EVP_DigestFinal_ex(s->ctx, digest, NULL))
            peer->failed = true;
}

static void finish(struct peer *peer)
{
    struct crypto_state *s = peer->state;

    EVP_MD_CTX_free(s->ctx);
    EVP_MD_free(s->md);
    free(s->src);
    free(s);
    peer->state = NULL;
}

static bool prepare(struct peer *peer, const struct peer_job *job)
{
    struct crypto_state *s;

    if (job->op != PEER_BLAKE2B)
        return false;
    s = calloc(1, sizeof(*s));
    if (s == NULL)
        return false;
    peer->state = s;
    peer->failed = false;
    s->job = *job;
    s->md = EVP_MD_fetch(NULL, "BLAKE2B-512", NULL);
    s->ctx = EVP_MD_CTX_new();
    s->src = peer_buffer(job->len, 1);
    if (s->md == NULL || s->ctx == NULL || s->src == NULL) {
        finish(peer);
        return false;
    }
    return true;
}

bool peer_crypto_open(struct peer *peer)
{
    peer->name = "libcrypto";
    peer->prepare = prepare;
    peer->run = run;
    peer->finish = finish;
    snprintf(peer->version, sizeof(peer->version), "%s", OpenSSL_version(OPENSSL_VERSION_STRING));
    return true;
}
