#include <string.h>

#include "bytes.h"
#include "luks2_parts.h"
#include "secret.h"

/* d = H(d), block by block: block i of the hash's length becomes H(i || block), cut to its length.
 */
static void diffuse(enum fc_sha2 hash, uint8_t *d, size_t len)
{
    size_t hash_len = fc_sha2_len(hash);
    uint8_t out[FC_SHA2_MAX], number[4];

    for (size_t at = 0, i = 0; at < len; at += hash_len, i++) {
        size_t n = fc_min_size(hash_len, len - at);
        const struct fc_piece pieces[] = {{number, sizeof(number)}, {d + at, n}};

        fc_store_be32(number, (uint32_t)i);
        fc_sha2(hash, out, pieces, 2);
        memcpy(d + at, out, n);
    }
    fc_wipe(out, sizeof(out));
}

static void xor_into(uint8_t *dst, const uint8_t *src, size_t len)
{
    for (size_t i = 0; i < len; i++)
        dst[i] ^= src[i];
}

/* d[len] from all stripes but the last: what the last one hides the key with. */
static void fold(enum fc_sha2 hash, uint8_t *d, const uint8_t *stripes, size_t len)
{
    memset(d, 0, len);
    for (size_t i = 0; i < FC_LUKS2_STRIPES - 1; i++) {
        xor_into(d, stripes + i * len, len);
        diffuse(hash, d, len);
    }
}

enum fc_status fc_luks2_af_split(enum fc_sha2 hash, uint8_t *dst, const uint8_t *key,
                                 size_t key_len, struct fc_err *err)
{
    uint8_t *last = dst + (FC_LUKS2_STRIPES - 1) * key_len;
    enum fc_status status = fc_random(dst, (FC_LUKS2_STRIPES - 1) * key_len, err);

    if (status != FC_OK)
        return status;
    fold(hash, last, dst, key_len);
    xor_into(last, key, key_len);
    return FC_OK;
}

void fc_luks2_af_merge(enum fc_sha2 hash, uint8_t *key, const uint8_t *src, size_t key_len)
{
    fold(hash, key, src, key_len);
    xor_into(key, src + (FC_LUKS2_STRIPES - 1) * key_len, key_len);
}
