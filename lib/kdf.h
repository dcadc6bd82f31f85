/*
 * Key derivation from passphrases, with the digests and encodings that go with it. kdf.c is the
 * only file that includes libsodium and libargon2.
 */
#ifndef FC_KDF_H
#define FC_KDF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blake2b.h"
#include "err.h"

enum { FC_ARGON2_SALT = 16, FC_ARGON2_OUT = 32 };

/* fc_argon2id(dst, pass, pass_len, salt, passes, mem_kib, err): Argon2id version 0x13, one lane
 * (RFC 9106). dst[32], pass[pass_len], salt[16], passes >= 1, mem_kib >= 8.
 * Errors: FC_ERR_LIMIT with the MiB it needs when memory is short; dst is then zeros. */
enum fc_status fc_argon2id(uint8_t dst[FC_ARGON2_OUT], const uint8_t *pass, size_t pass_len,
                           const uint8_t salt[FC_ARGON2_SALT], uint32_t passes, uint32_t mem_kib,
                           struct fc_err *err);

/* fc_kdf_refuse_memory(slot, mem_kib, allowed_kib, err), fc_kdf_refuse_work(work_kib, allowed_kib,
 * err): FC_ERR_LIMIT and its hint, for a slot that asks for more memory than is allowed, and for
 * slots that together ask for more passes x KiB. */
enum fc_status fc_kdf_refuse_memory(size_t slot, uint64_t mem_kib, uint64_t allowed_kib,
                                    struct fc_err *err);
enum fc_status fc_kdf_refuse_work(uint64_t work_kib, uint64_t allowed_kib, struct fc_err *err);

/* SHA-2 (FIPS 180-4). */
enum fc_sha2 {
    FC_SHA256,
    FC_SHA512,
};

enum { FC_SHA2_MAX = 64 };

/* fc_sha2_name(hash): "sha256" or "sha512". */
const char *fc_sha2_name(enum fc_sha2 hash);

/* fc_sha2_len(hash): 32 or 64. */
size_t fc_sha2_len(enum fc_sha2 hash);

/* fc_sha2(hash, dst, pieces, npieces): the digest of the pieces in a row. dst[fc_sha2_len]. */
void fc_sha2(enum fc_sha2 hash, uint8_t *dst, const struct fc_piece *pieces, size_t npieces);

/* fc_pbkdf2(hash, dst, dst_len, pass, salt, iterations): PBKDF2 with HMAC-SHA-2 (RFC 8018 section
 * 5.2). dst_len is 1 or more, iterations >= 1. */
void fc_pbkdf2(enum fc_sha2 hash, uint8_t *dst, size_t dst_len, struct fc_piece pass,
               struct fc_piece salt, uint32_t iterations);

#ifdef FC_LUKS2
enum fc_argon2_type { FC_ARGON2I, FC_ARGON2ID };

struct fc_argon2 {
    enum fc_argon2_type type;
    uint32_t passes;  /* >= 1 */
    uint32_t mem_kib; /* >= 8 * lanes */
    uint32_t lanes;   /* >= 1 */
};

/* fc_argon2(dst, dst_len, costs, pass, salt, err): Argon2i or Argon2id version 0x13 (RFC 9106) with
 * any number of lanes, computed by as many threads, 16 at most. dst_len is 4 or more, the salt has
 * 8 bytes or more. Errors: FC_ERR_LIMIT with the MiB it needs when memory is short; dst is then
 * zeros. */
enum fc_status fc_argon2(uint8_t *dst, size_t dst_len, const struct fc_argon2 *costs,
                         struct fc_piece pass, struct fc_piece salt, struct fc_err *err);
#endif

/* FC_BASE64_SIZE(n): the size of n bytes in base64 (RFC 4648 section 4), with padding and a
 * terminator. */
#define FC_BASE64_SIZE(n) (((n) + 2) / 3 * 4 + 1)

/* fc_base64_encode(dst, src, len): src[len] -> dst[FC_BASE64_SIZE(len)]. */
void fc_base64_encode(char *dst, const uint8_t *src, size_t len);

/* fc_base64_decode(dst, size, &len, text): the bytes of text in dst[size], and how many they are.
 * False, and dst undefined, if text is no base64 or has more than size bytes. */
bool fc_base64_decode(uint8_t *dst, size_t size, size_t *len, const char *text);

#endif
