#include "kdf.h"

#include <inttypes.h>
#include <sodium.h>
#include <string.h>

#include "secret.h"

_Static_assert(FC_ARGON2_SALT == crypto_pwhash_argon2id_SALTBYTES, "libsodium takes 16-byte salts");

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
    return fc_err_set(err, FC_ERR_LIMIT,
                      "not enough memory: the passphrase's Argon2id needs %" PRIu64 " MiB",
                      (mem + 1024 * 1024 - 1) / (1024 * 1024));
}
