#include "keyfile.h"

#include <stdio.h>
#include <string.h>

#include "blake2b.h"
#include "secret.h"

enum {
    CHECK_LEN = 4,
    PREFIX_LEN = 13,
    STEM_LEN = 11, /* of the prefix, without the version */
    LINE_LEN = PREFIX_LEN + 2 * FC_KEY_LEN + 1 + 2 * CHECK_LEN, /* without its newline */
};

static const char prefix[PREFIX_LEN + 1] = "fcrypt-key-1:";

_Static_assert(LINE_LEN + 2 <= FC_KEYFILE_LINE, "line, newline, NUL");

static void check_sum(uint8_t dst[CHECK_LEN], const uint8_t key[FC_KEY_LEN])
{
    const struct fc_piece piece = {key, FC_KEY_LEN};

    fc_blake2b(dst, CHECK_LEN, NULL, 0, &piece, 1);
}

/* The digit for 0..15 and back, by arithmetic alone: a table's cache lines would tell the key. */
static char hex_digit(uint32_t v)
{
    return (char)('0' + v + (((9 - v) >> 8) & ('a' - '0' - 10)));
}

/* 0..15, or 16 for anything that is no hexadecimal digit. */
static uint32_t hex_value(uint8_t c)
{
    uint32_t d = (uint32_t)c - '0';
    uint32_t l = ((uint32_t)c | 0x20) - 'a';
    uint32_t is_d = 0 - (((d - 10) & ~d) >> 31);
    uint32_t is_l = 0 - (((l - 6) & ~l) >> 31);

    return (d & is_d) | ((l + 10) & is_l) | (16 & ~(is_d | is_l));
}

static void hex_encode(char *dst, const uint8_t *src, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        dst[2 * i] = hex_digit(src[i] >> 4);
        dst[2 * i + 1] = hex_digit(src[i] & 15);
    }
}

/* src[2 * len] -> dst[len]; false where some character is no hexadecimal digit. */
static bool hex_decode(uint8_t *dst, const uint8_t *src, size_t len)
{
    uint32_t bad = 0;

    for (size_t i = 0; i < len; i++) {
        uint32_t hi = hex_value(src[2 * i]);
        uint32_t lo = hex_value(src[2 * i + 1]);

        bad |= hi | lo;
        dst[i] = (uint8_t)(hi << 4 | (lo & 15));
    }
    return (bad & 16) == 0;
}

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* What a person could have typed: then it is a password, and Argon2id belongs in front of it. Looks
 * at every byte, as it may be a key. */
static bool is_typed(const uint8_t *src, size_t len)
{
    unsigned other = 0;

    for (size_t i = 0; i < len; i++) {
        unsigned c = src[i];
        unsigned printable = (c >= 0x20) & (c <= 0x7e);

        other |= !printable & (c != '\t') & (c != '\n') & (c != '\r');
    }
    return other == 0;
}

static enum fc_status parse_raw(uint8_t key[FC_KEY_LEN], const uint8_t *src, struct fc_err *err)
{
    if (is_typed(src, FC_KEY_LEN)) {
        fc_err_set(err, FC_ERR_USAGE,
                   "the key file is 32 printable characters: a password, not a random key");
        fc_err_hint(err, "give it as a passphrase, or make a key file with: fcrypt keygen");
        return FC_ERR_USAGE;
    }
    memcpy(key, src, FC_KEY_LEN);
    return FC_OK;
}

/* line[len] begins with the prefix. */
static enum fc_status parse_key_line(uint8_t key[FC_KEY_LEN], const uint8_t *line, size_t len,
                                     struct fc_err *err)
{
    const uint8_t *hex = line + PREFIX_LEN;
    uint8_t given[CHECK_LEN], want[CHECK_LEN];

    if (len != LINE_LEN || hex[2 * FC_KEY_LEN] != ':' || !hex_decode(key, hex, FC_KEY_LEN) ||
        !hex_decode(given, hex + 2 * FC_KEY_LEN + 1, CHECK_LEN))
        return fc_err_set(err, FC_ERR_USAGE,
                          "the key line is malformed: it must be fcrypt-key-1:, 64 hexadecimal "
                          "digits, a colon, 8 hexadecimal digits");
    check_sum(want, key);
    if (!fc_ct_equal(given, want, CHECK_LEN))
        return fc_err_set(err, FC_ERR_USAGE,
                          "the key line has a typing mistake: its checksum is wrong");
    return FC_OK;
}

/* The length of the line at src[len], without blanks and ending; *next is where the next one
 * begins. */
static size_t cut_line(const uint8_t *src, size_t len, size_t *next)
{
    const uint8_t *nl = memchr(src, '\n', len);
    size_t n = nl != NULL ? (size_t)(nl - src) : len;

    *next = nl != NULL ? n + 1 : n;
    while (n > 0 && is_blank(src[n - 1]))
        n--;
    return n;
}

static bool begins_as(const uint8_t *line, size_t len, const char *text, size_t text_len)
{
    return len >= text_len && memcmp(line, text, text_len) == 0;
}

/* The length of the mark that some editors put in front of text, or 0. */
static size_t mark_len(const uint8_t *src, size_t len)
{
    static const uint8_t bom[] = {0xef, 0xbb, 0xbf};

    return len >= sizeof(bom) && memcmp(src, bom, sizeof(bom)) == 0 ? sizeof(bom) : 0;
}

bool fc_keyfile_is_text(const uint8_t *src, size_t len)
{
    size_t next;

    for (size_t at = mark_len(src, len); at < len; at += next) {
        size_t n = cut_line(src + at, len - at, &next);

        if (begins_as(src + at, n, prefix, STEM_LEN) ||
            begins_as(src + at, n, FC_KEYFILE_COMMENT, sizeof(FC_KEYFILE_COMMENT) - 1))
            return true;
    }
    return false;
}

static enum fc_status parse_text(uint8_t key[FC_KEY_LEN], const uint8_t *src, size_t len,
                                 struct fc_err *err)
{
    unsigned lineno = 0, nkeys = 0;
    size_t next;

    for (size_t at = 0; at < len; at += next) {
        const uint8_t *line = src + at;
        size_t n = cut_line(line, len - at, &next);
        enum fc_status status;

        lineno++;
        if (n == 0 || line[0] == '#')
            continue;
        if (!begins_as(line, n, prefix, PREFIX_LEN))
            return fc_err_set(err, FC_ERR_USAGE,
                              "line %u of the key file is neither a key nor a comment", lineno);
        if (nkeys++ > 0)
            return fc_err_set(err, FC_ERR_USAGE, "the key file has more than one key");
        status = parse_key_line(key, line, n, err);
        if (status != FC_OK)
            return status;
    }
    return nkeys == 1 ? FC_OK : fc_err_set(err, FC_ERR_USAGE, "the key file has no key: cut off?");
}

static enum fc_status refuse_size(const uint8_t *src, size_t len, struct fc_err *err)
{
    uint8_t bytes[FC_KEY_LEN];
    size_t next;
    bool hex = cut_line(src, len, &next) == 2 * FC_KEY_LEN && next == len &&
               hex_decode(bytes, src, FC_KEY_LEN);

    fc_wipe(bytes, sizeof(bytes));
    fc_err_set(err, FC_ERR_USAGE,
               "the key file has %zu bytes: it must be keygen's text or exactly 32 raw bytes", len);
    if (hex)
        fc_err_hint(err, "hexadecimal digits are not raw bytes; convert them with: xxd -r -p");
    return FC_ERR_USAGE;
}

enum fc_status fc_keyfile_parse(uint8_t key[FC_KEY_LEN], const uint8_t *src, size_t len,
                                struct fc_err *err)
{
    size_t mark = mark_len(src, len);
    enum fc_status status;

    memset(key, 0, FC_KEY_LEN);
    if (len == 0)
        return fc_err_set(err, FC_ERR_USAGE, "the key file is empty");
    if (len > FC_KEYFILE_MAX)
        return fc_err_set(err, FC_ERR_USAGE, "the key file is larger than 64 KiB");
    if (fc_keyfile_is_text(src, len))
        status = parse_text(key, src + mark, len - mark, err);
    else if (len == FC_KEY_LEN)
        status = parse_raw(key, src, err);
    else
        status = refuse_size(src, len, err);
    if (status != FC_OK)
        fc_wipe(key, FC_KEY_LEN);
    return status;
}

size_t fc_keyfile_format(char line[FC_KEYFILE_LINE], const uint8_t key[FC_KEY_LEN])
{
    uint8_t check[CHECK_LEN];
    char *p = line + PREFIX_LEN;

    memcpy(line, prefix, PREFIX_LEN);
    hex_encode(p, key, FC_KEY_LEN);
    p += 2 * FC_KEY_LEN;
    *p++ = ':';
    check_sum(check, key);
    hex_encode(p, check, CHECK_LEN);
    p += 2 * CHECK_LEN;
    *p++ = '\n';
    *p = '\0';
    return (size_t)(p - line);
}

/* Whether src[len] is hexadecimal digits alone, but for one line ending. Two or more of them: no
 * random key looks so. */
static bool is_hex_text(const uint8_t *src, size_t len)
{
    uint32_t bad = 0;

    if (len > 0 && src[len - 1] == '\n')
        len--;
    if (len > 0 && src[len - 1] == '\r')
        len--;
    for (size_t i = 0; i < len; i++)
        bad |= hex_value(src[i]) & 16;
    return len > 1 && bad == 0;
}

static enum fc_status wrong_size(const size_t *lens, size_t len, const char *cipher,
                                 struct fc_err *err)
{
    char text[80];

    if (lens[1] == 0)
        snprintf(text, sizeof(text), "%zu", lens[0]);
    else if (lens[2] == 0)
        snprintf(text, sizeof(text), "%zu or %zu", lens[0], lens[1]);
    else
        snprintf(text, sizeof(text), "%zu, %zu or %zu", lens[0], lens[1], lens[2]);
    return fc_err_set(err, FC_ERR_USAGE, "an %s key is %s raw bytes, and this file has %zu", cipher,
                      text, len);
}

enum fc_status fc_raw_key_check(const uint8_t *raw, size_t len, const size_t *lens,
                                const char *cipher, struct fc_err *err)
{
    if (fc_keyfile_is_text(raw, len))
        return fc_err_set(err, FC_ERR_USAGE, "a key file for containers, no raw %s key", cipher);
    if (is_hex_text(raw, len)) {
        fc_err_set(err, FC_ERR_USAGE, "hexadecimal text, and no raw %s key", cipher);
        return fc_err_hint(err, "xxd -r -p makes raw bytes of it");
    }
    for (size_t i = 0; i < 3 && lens[i] != 0; i++)
        if (len == lens[i])
            return FC_OK;
    return wrong_size(lens, len, cipher, err);
}
