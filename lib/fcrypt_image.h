/*
 * libfcrypt: disk images. Conventions as in fcrypt.h.
 *
 * Nothing here is authenticated: XTS hides the contents of sectors, and whoever can write to an
 * image can put back old sectors, or damage them, without a trace. CTR hides less: a flipped bit of
 * ciphertext flips that bit of plaintext, and two plaintexts under one key and one IV, or a part
 * that is written twice, give away what they differ in.
 */
#ifndef FCRYPT_IMAGE_H
#define FCRYPT_IMAGE_H

#include "ctr.h"
#include "fcrypt.h"
#include "luks2.h"

/* Part of an image, in bytes. */
struct fc_range {
    uint64_t offset;
    uint64_t len;
};

enum { FC_XTS_KEY_MAX = 64 };

/* Raw modes: no header, the same length, a key that is used as it stands. */
enum fc_raw_mode {
    FC_RAW_XTS, /* AES-XTS, as plain dm-crypt has it with aes-xts-plain64 */
    FC_RAW_CTR, /* AES-CTR, as openssl enc has it with -aes-128-ctr, -aes-192-ctr, -aes-256-ctr */
};

struct fc_raw_params {
    enum fc_raw_mode mode;
    const uint8_t *key; /* key[key_len]; XTS: data key, then tweak key */
    size_t key_len;     /* XTS: 32 or 64; CTR: 16, 24 or 32 */
    /* XTS alone: */
    uint32_t sector_len;
    uint64_t first_sector; /* number of the image's first sector, in units of sector_len */
    bool large_iv;         /* sector s has the tweak s, not s * sector_len / 512 */
    /* CTR alone: */
    uint8_t iv[FC_CTR_IV]; /* the counter block at the image's start */
};

/* fc_xts_key_check(key[len], len, encrypt, err), fc_ctr_key_check(key[len], len, err): whether a
 * raw key file is a key of that mode. Errors: FC_ERR_USAGE (wrong size; text of keygen,
 * hexadecimal; XTS: halves alike, when encrypting). */
enum fc_status fc_xts_key_check(const uint8_t *key, size_t len, bool encrypt, struct fc_err *err);
enum fc_status fc_ctr_key_check(const uint8_t *key, size_t len, struct fc_err *err);

/* fc_raw_stream(ctx, params, encrypt, in_fd, out, range, err): in_fd from its current offset, where
 * the image starts, to its end, or that range of it, encrypted or decrypted to out.
 * Errors: FC_ERR_USAGE (parameters; range beyond a file's end; nothing is written), FC_ERR_DATA
 * (the input ends before the range does), FC_ERR_IO, FC_ERR_LIMIT. XTS: a range that is not on
 * sector bounds: FC_ERR_USAGE; a length that is no multiple of sector_len: FC_ERR_USAGE when
 * encrypting, else FC_ERR_DATA, before anything is written where in_fd is a regular file. */
enum fc_status fc_raw_stream(struct fc_ctx *ctx, const struct fc_raw_params *params, bool encrypt,
                             int in_fd, const struct fc_out *out, const struct fc_range *range,
                             struct fc_err *err);

/* fc_raw_in_place(ctx, params, encrypt, path, range, err): encrypts or decrypts the regular file at
 * path, or that range of it, where it stands. A journal beside it (its name and ".fcrypt-journal")
 * makes sure that a run which was ended at any point is completed by another one with the same
 * parameters, and that nothing is done twice; a run with others is refused.
 * After FC_OK the calling thread has all signals blocked: it is for a process that ends now.
 * Errors: FC_ERR_USAGE (parameters, range; other parameters than those of an interrupted run),
 * FC_ERR_KEY (another key than that run's), FC_ERR_DATA (length; a damaged journal), FC_ERR_IO
 * (locked by another process, hard links, no regular file), FC_ERR_LIMIT. */
enum fc_status fc_raw_in_place(struct fc_ctx *ctx, const struct fc_raw_params *params, bool encrypt,
                               const char *path, const struct fc_range *range, struct fc_err *err);

struct fc_luks_options {
    uint32_t sector_len; /* 512, 1024, 2048 or 4096 */
    size_t key_len;      /* 32 or 64 */
    uint64_t data_offset;
    uint32_t kdf_passes;
    uint32_t kdf_mem_kib;
    const char *label; /* or NULL */
    const char *uuid;  /* or NULL: a random one */
};

/* fc_luks_encrypt(ctx, options, pass, in_fd, out, err): in_fd's bytes from its current offset to
 * its end as a LUKS2 image with one key slot, for this passphrase.
 * Errors: FC_ERR_USAGE (options; a length that is no multiple of sector_len, before anything is
 * written where in_fd is a regular file), FC_ERR_IO, FC_ERR_LIMIT. */
enum fc_status fc_luks_encrypt(struct fc_ctx *ctx, const struct fc_luks_options *options,
                               struct fc_piece pass, int in_fd, const struct fc_out *out,
                               struct fc_err *err);

/* A LUKS image being read: header first, passphrase later. */
struct fc_luks;

/* fc_luks_recognise(head, in_fd): whether the input that began with head is a LUKS image. A regular
 * file is one also if the first copy of its header is destroyed, and the second is not. */
bool fc_luks_recognise(const struct fc_head *head, int in_fd);

/* fc_luks_open(ctx, &luks, head, in_fd, err): reads and judges the header of the input that began
 * with head, which was read from in_fd already.
 * Errors: FC_ERR_DATA, FC_ERR_IO, FC_ERR_LIMIT. FC_ERR_USAGE: built without LUKS2. */
enum fc_status fc_luks_open(struct fc_ctx *ctx, struct fc_luks **luks, const struct fc_head *head,
                            int in_fd, struct fc_err *err);
void fc_luks_close(struct fc_luks *luks);

/* fc_luks_header(luks): what it says. */
const struct fc_luks2 *fc_luks_header(const struct fc_luks *luks);

/* fc_luks_unlock(luks, pass, slot, err): slot is a number or FC_LUKS2_ANY_SLOT. Errors:
 * FC_ERR_KEY, FC_ERR_DATA, FC_ERR_LIMIT, FC_ERR_IO. */
enum fc_status fc_luks_unlock(struct fc_luks *luks, struct fc_piece pass, int slot,
                              struct fc_err *err);

/* fc_luks_decrypt(luks, out, err): the data. Errors: FC_ERR_DATA (no whole number of sectors,
 * truncated), FC_ERR_IO, FC_ERR_LIMIT. */
enum fc_status fc_luks_decrypt(struct fc_luks *luks, const struct fc_out *out, struct fc_err *err);

#endif
