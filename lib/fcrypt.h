/*
 * libfcrypt: encrypting and decrypting streams.
 *
 * Conventions. Functions are fc_<module>_<verb>; the argument order is key or state, dst, src,
 * length. `_len` is bytes. Everything that can fail returns an enum fc_status and fills a
 * struct fc_err. The library never prints and never exits; what it has to report beside an error
 * goes through fc_config.note. Secrets are wiped on every path.
 */
#ifndef FCRYPT_H
#define FCRYPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu.h"
#include "err.h"
#include "header.h"
#include "io.h"
#include "keyfile.h"
#include "secret.h"

#define FCRYPT_VERSION "0.1.0"

enum {
    FC_PASSPHRASE_MAX = 65536,
    FC_DEFAULT_CHUNK_LOG2 = 16,
    FC_DEFAULT_KDF_PASSES = 3,
    FC_DEFAULT_KDF_MEM_KIB = 256 * 1024,
    FC_DEFAULT_MAX_MEM_KIB = 1024 * 1024,
    FC_DEFAULT_MAX_WORK = 16, /* GiB-passes */
};

struct fc_config {
    unsigned threads;      /* 0: all cores this process may use */
    uint64_t max_mem_kib;  /* Argon2id memory allowed per slot */
    uint64_t max_work_kib; /* sum of passes x KiB allowed over the slots tried */
    /* A line about something that is no error ("slot 3 is damaged"); may be NULL. */
    void (*note)(void *user, const char *text);
    /* Input bytes done, now and then, one thread at a time; may be NULL. */
    void (*progress)(void *user, uint64_t done);
    void *user;
};

/* Everything that several files of one run share: limits, threads, Argon2id results by (salt,
 * costs), the salt of new passphrase slots. */
struct fc_ctx;

enum fc_status fc_ctx_new(struct fc_ctx **ctx, const struct fc_config *config, struct fc_err *err);
void fc_ctx_free(struct fc_ctx *ctx);

/* A credential: a passphrase (exact bytes, 1..65536), a key (32 bytes), or both together. The
 * memory is the caller's and must stay as it is while the context is used. */
struct fc_cred {
    const uint8_t *pass; /* or NULL */
    size_t pass_len;
    const uint8_t *key; /* key[32], or NULL */
};

struct fc_enc_options {
    enum fc_suite suite;
    unsigned chunk_log2;
    uint32_t kdf_passes;
    uint32_t kdf_mem_kib;
    bool fresh_salt; /* a slot salt (and Argon2id run) of its own for each file */
};

/* Where the output goes. */
struct fc_out {
    int fd;          /* -1: nowhere */
    bool positional; /* a regular file of the caller's own that may be written in any order */
    bool sparse;     /* it is empty, too, and is to have holes where blocks are zeros (dec) */
};

/* fc_encrypt(ctx, options, cred, in_fd, out, err): in_fd's bytes from its current offset to its end
 * as a container with one slot, which asks for every factor that cred has.
 * Errors: FC_ERR_IO, FC_ERR_LIMIT (Argon2id's memory, or costs that fc_container_unlock would
 * refuse by default), FC_ERR_USAGE (options out of range). */
enum fc_status fc_encrypt(struct fc_ctx *ctx, const struct fc_enc_options *options,
                          const struct fc_cred *cred, int in_fd, const struct fc_out *out,
                          struct fc_err *err);

/* The first bytes of an input: they tell its format. */
struct fc_head {
    uint8_t bytes[FC_PREAMBLE_LEN];
    size_t len; /* less only where the input is shorter */
};

/* fc_head_read(head, in_fd, err): reads them. Errors: FC_ERR_IO. */
enum fc_status fc_head_read(struct fc_head *head, int in_fd, struct fc_err *err);

/* A container being read: header first, key later. */
struct fc_container;

/* fc_container_open(ctx, &c, head, in_fd, err): reads and judges the header of the input that began
 * with head, which was read from in_fd already.
 * Errors: FC_ERR_DATA (no container, damaged, truncated, newer), FC_ERR_IO. */
enum fc_status fc_container_open(struct fc_ctx *ctx, struct fc_container **c,
                                 const struct fc_head *head, int in_fd, struct fc_err *err);
void fc_container_close(struct fc_container *c);

/* fc_container_preamble(c), fc_container_slots(c, &n): what the header says. */
const struct fc_preamble *fc_container_preamble(const struct fc_container *c);
const struct fc_slot *fc_container_slots(const struct fc_container *c, size_t *n);

/* fc_container_unlock(c, cred, err): finds the slot that cred opens, cheapest first. Slots that
 * need a factor cred lacks are passed over; so are damaged and unknown ones, each with a note.
 * Errors: FC_ERR_KEY (no slot opens), FC_ERR_DATA (none opens and one was damaged; no slot at all;
 * a slot whose commitment matches is broken), FC_ERR_LIMIT (costs over the limits, memory). */
enum fc_status fc_container_unlock(struct fc_container *c, const struct fc_cred *cred,
                                   struct fc_err *err);

/* fc_container_decrypt(c, out, err): the payload, from where fc_container_open left in_fd. Only
 * chunks whose tags hold are written.
 * Errors: FC_ERR_DATA, FC_ERR_IO, FC_ERR_LIMIT. */
enum fc_status fc_container_decrypt(struct fc_container *c, const struct fc_out *out,
                                    struct fc_err *err);

#endif
