/*
 * AES-GCM-SIV of libgcrypt (1.10 and later).
 */
#include <gcrypt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"

enum { NONCE = 12, TAG = 16 };

struct gcrypt_state {
    struct peer_job job;
    gcry_cipher_hd_t cipher;
    uint8_t *src;
    uint8_t *dst;
};

static const uint8_t secret[32] = {1, 2, 3};
static const uint8_t nonce[NONCE] = {4, 5, 6};

/* The library wants a reset between two messages. */
static gcry_error_t begin(gcry_cipher_hd_t cipher)
{
    gcry_error_t err = gcry_cipher_reset(cipher);

    return err != 0 ? err : gcry_cipher_setiv(cipher, nonce, NONCE);
}

static gcry_error_t seal(gcry_cipher_hd_t cipher, uint8_t *p, size_t len)
{
    gcry_error_t err = begin(cipher);

    if (err == 0)
        err = gcry_cipher_encrypt(cipher, p, len, NULL, 0);
    if (err == 0)
        err = gcry_cipher_gettag(cipher, p + len, TAG);
    return err;
}

static gcry_error_t open_sealed(gcry_cipher_hd_t cipher, uint8_t *dst, uint8_t *src, size_t len)
{
    gcry_error_t err = begin(cipher);

    if (err == 0)
        err = gcry_cipher_set_decryption_tag(cipher, src + len, TAG);
    if (err == 0)
        err = gcry_cipher_decrypt(cipher, dst, len, src, len);
    if (err == 0)
        err = gcry_cipher_checktag(cipher, src + len, TAG);
    return err;
}

static gcry_error_t run_once(const struct gcrypt_state *s)
{
    size_t stride = peer_stride(s->job.len);
    gcry_error_t err = 0;

    for (size_t i = 0; i < s->job.count && err == 0; i++) {
        if (s->job.op == PEER_GCMSIV_SEAL)
            err = seal(s->cipher, s->src + i * stride, s->job.len);
        else
            err = open_sealed(s->cipher, s->dst + i * stride, s->src + i * stride, s->job.len);
    }
    return err;
}

static void run(void *arg, size_t reps)
{
    struct peer *peer = arg;

    while (reps-- > 0)
        if (run_once(peer->state) != 0)
            peer->failed = true;
}

static void finish(struct peer *peer)
{
    struct gcrypt_state *s = peer->state;

    gcry_cipher_close(s->cipher);
    free(s->src);
    free(s->dst);
    free(s);
    peer->state = NULL;
}

/* What is opened must have been sealed before. */
static bool fill(struct gcrypt_state *s)
{
    struct gcrypt_state sealing = *s;

    if (s->job.op != PEER_GCMSIV_OPEN)
        return true;
    sealing.job.op = PEER_GCMSIV_SEAL;
    return run_once(&sealing) == 0 && run_once(s) == 0;
}

static bool prepare(struct peer *peer, const struct peer_job *job)
{
    int algo = job->key_len == 32 ? GCRY_CIPHER_AES256 : GCRY_CIPHER_AES128;
    struct gcrypt_state *s;

    if (job->op != PEER_GCMSIV_SEAL && job->op != PEER_GCMSIV_OPEN)
        return false;
    s = calloc(1, sizeof(*s));
    if (s == NULL)
        return false;
    peer->state = s;
    peer->failed = false;
    s->job = *job;
    s->src = peer_buffer(job->len, job->count);
    s->dst = peer_buffer(job->len, job->count);
    if (s->src == NULL || s->dst == NULL ||
        gcry_cipher_open(&s->cipher, algo, GCRY_CIPHER_MODE_GCM_SIV, 0) != 0 ||
        gcry_cipher_setkey(s->cipher, secret, job->key_len) != 0 || !fill(s)) {
        finish(peer);
        return false;
    }
    return true;
}

static bool start(struct peer *peer, const char *name)
{
    const char *version = gcry_check_version(NULL);

    if (version == NULL || gcry_control(GCRYCTL_DISABLE_SECMEM, 0) != 0 ||
        gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0) != 0)
        return false;
    peer->name = name;
    peer->prepare = prepare;
    peer->run = run;
    peer->finish = finish;
    snprintf(peer->version, sizeof(peer->version), "%s", version);
    return true;
}

bool peer_gcrypt_open(struct peer *peer)
{
    return start(peer, "libgcrypt");
}

/* Features can be switched off before the library is initialised only, and for the whole process.
 */
bool peer_gcrypt_novaes_open(struct peer *peer)
{
    return gcry_control(GCRYCTL_DISABLE_HWF, "intel-vaes-vpclmul", NULL) == 0 &&
           start(peer, "libgcrypt-novaes");
}
