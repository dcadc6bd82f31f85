/*
 * Key derivation from passphrases. kdf.c is the only file that includes libsodium.
 */
#ifndef FC_KDF_H
#define FC_KDF_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

enum { FC_ARGON2_SALT = 16, FC_ARGON2_OUT = 32 };

/* fc_argon2id(dst, pass, pass_len, salt, passes, mem_kib, err): Argon2id version 0x13, one lane
 * (RFC 9106). dst[32], pass[pass_len], salt[16], passes >= 1, mem_kib >= 8.
 * Errors: FC_ERR_LIMIT with the MiB it needs when memory is short; dst is then zeros. */
enum fc_status fc_argon2id(uint8_t dst[FC_ARGON2_OUT], const uint8_t *pass, size_t pass_len,
                           const uint8_t salt[FC_ARGON2_SALT], uint32_t passes, uint32_t mem_kib,
                           struct fc_err *err);

#endif
