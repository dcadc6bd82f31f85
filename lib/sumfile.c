#include "sumfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char keyed_mark[] = "-keyed";

static const char *const algorithms[] = {
    [FC_HASH_BLAKE2B] = "BLAKE2b",
    [FC_HASH_BLAKE2BP] = "BLAKE2bp",
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static char *skip_blanks(char *p)
{
    while (is_blank(*p))
        p++;
    return p;
}

/* A digit's value and 16, else 0. */
static const uint8_t hex_digits[256] = {
    ['0'] = 16, ['1'] = 17, ['2'] = 18, ['3'] = 19, ['4'] = 20, ['5'] = 21, ['6'] = 22, ['7'] = 23,
    ['8'] = 24, ['9'] = 25, ['a'] = 26, ['b'] = 27, ['c'] = 28, ['d'] = 29, ['e'] = 30, ['f'] = 31,
    ['A'] = 26, ['B'] = 27, ['C'] = 28, ['D'] = 29, ['E'] = 30, ['F'] = 31,
};

/* 0..15, or less than 0 */
static int hex_value(char c)
{
    return hex_digits[(uint8_t)c] - 16;
}

/* Reads the digest at p; returns what stands behind it, or NULL where there is none of 1..64 bytes.
 */
static char *parse_digest(struct fc_sum *sum, char *p)
{
    size_t n = 0;

    for (; hex_value(*p) >= 0; p += 2) {
        int high = hex_value(p[0]), low = hex_value(p[1]);

        if (low < 0 || n == FC_SUM_DIGEST_MAX)
            return NULL;
        sum->digest[n++] = (uint8_t)(high << 4 | low);
    }
    sum->digest_len = n;
    return n > 0 ? p : NULL;
}

/* The name, in place. False where an escape is none of ours, or a NUL is among them. */
static bool set_name(struct fc_sum *sum, char *name, size_t len, bool escaped)
{
    char *to = name;

    sum->name = name;
    if (escaped && memchr(name, '\0', len) != NULL)
        return false;
    for (const char *from = name; from < name + len && *from != '\0'; from++) {
        char c = *from;

        if (escaped && c == '\\') {
            from++;
            c = *from == 'n' ? '\n' : *from == 'r' ? '\r' : *from == '\\' ? '\\' : '\0';
            if (from == name + len || c == '\0')
                return false;
        }
        *to++ = c;
    }
    *to = '\0';
    sum->name_len = (size_t)(to - name);
    return true;
}

/* `BLAKE2b`, `BLAKE2bp`, either with `-keyed`; returns what stands behind it, or NULL. */
static char *parse_algorithm(struct fc_sum *sum, char *p)
{
    for (unsigned i = sizeof(algorithms) / sizeof(algorithms[0]); i-- > 0;) {
        size_t len = strlen(algorithms[i]);

        if (strncmp(p, algorithms[i], len) != 0)
            continue;
        sum->tagged = true;
        sum->algorithm = i;
        sum->keyed = strncmp(p + len, keyed_mark, sizeof(keyed_mark) - 1) == 0;
        return p + len + (sum->keyed ? sizeof(keyed_mark) - 1 : 0);
    }
    return NULL;
}

/* `-256`: a C number in bits. Returns what stands behind it; *bytes is 0 where it is no length.
 * Without one there may be any character, which b2sum passes over. */
static char *parse_bits(size_t *bytes, char *p, const char *end_of_line)
{
    unsigned long long bits;
    char *end;

    *bytes = FC_SUM_DIGEST_MAX;
    if (*p != '-')
        return p + (*p != '(' && p < end_of_line);
    errno = 0;
    bits = strtoull(p + 1, &end, 0);
    *bytes = bits / 8;
    if (errno != 0 || bits % 8 != 0 || bits > 8 * FC_SUM_DIGEST_MAX ||
        memchr(p + 1, '-', (size_t)(end - p - 1)) != NULL)
        *bytes = 0;
    return end;
}

/* `(NAME) = HEX` from p to end; the name ends at the last parenthesis. */
static bool parse_tagged(struct fc_sum *sum, char *p, char *end, bool escaped)
{
    char *name, *close;
    size_t bytes;

    p = parse_bits(&bytes, p, end);
    if (*p == ' ')
        p++;
    if (*p != '(')
        return false;
    name = p + 1;
    close = memrchr(name, ')', (size_t)(end - name));
    if (close == NULL)
        return false;
    p = skip_blanks(close + 1);
    if (*p != '=')
        return false;
    p = parse_digest(sum, skip_blanks(p + 1));
    return p != NULL && *p == '\0' && sum->digest_len == bytes &&
           set_name(sum, name, (size_t)(close - name), escaped);
}

static bool parse_untagged(struct fc_sum *sum, enum fc_sum_order *order, char *p, char *end,
                           bool escaped)
{
    p = parse_digest(sum, p);
    if (p == NULL || !is_blank(*p))
        return false;
    p++;
    if (end - p <= 1 || (*p != ' ' && *p != '*')) {
        if (*order == FC_SUM_ORDER_STANDARD)
            return false;
        *order = FC_SUM_ORDER_BSD;
    } else if (*order != FC_SUM_ORDER_BSD) {
        *order = FC_SUM_ORDER_STANDARD;
        p++;
    }
    return set_name(sum, p, (size_t)(end - p), escaped);
}

enum fc_sum_kind fc_sum_parse(struct fc_sum *sum, enum fc_sum_order *order, char *line, size_t len)
{
    bool escaped, good;
    char *p, *tail;

    if (len > 0 && line[0] == '#')
        return FC_SUM_NOTHING;
    if (len > 0 && line[len - 1] == '\n')
        len--;
    if (len > 0 && line[len - 1] == '\r')
        len--;
    if (len == 0)
        return FC_SUM_NOTHING;
    line[len] = '\0';
    *sum = (struct fc_sum){0};
    p = skip_blanks(line);
    escaped = *p == '\\';
    p += escaped;
    tail = parse_algorithm(sum, p);
    if (tail != NULL)
        good = parse_tagged(sum, tail, line + len, escaped);
    else
        good = parse_untagged(sum, order, p, line + len, escaped);
    return good ? FC_SUM_CHECKSUM : FC_SUM_MALFORMED;
}

size_t fc_sum_escape(char *dst, const char *name, size_t len)
{
    char *to = dst;

    for (size_t i = 0; i < len; i++) {
        char escape = name[i] == '\n' ? 'n' : name[i] == '\r' ? 'r' : name[i] == '\\' ? '\\' : '\0';

        if (escape != '\0')
            *to++ = '\\';
        *to++ = escape != '\0' ? escape : name[i];
    }
    return (size_t)(to - dst);
}

static char *put(char *dst, const void *src, size_t len)
{
    memcpy(dst, src, len);
    return dst + len;
}

static char *put_hex(char *dst, const uint8_t *src, size_t len)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < len; i++) {
        *dst++ = digits[src[i] >> 4];
        *dst++ = digits[src[i] & 15];
    }
    return dst;
}

/* `BLAKE2b-keyed-256 (` */
static char *put_tag(char *dst, const struct fc_sum *sum)
{
    dst += sprintf(dst, "%s%s", algorithms[sum->algorithm], sum->keyed ? keyed_mark : "");
    if (sum->digest_len != FC_SUM_DIGEST_MAX)
        dst += sprintf(dst, "-%zu", 8 * sum->digest_len);
    return put(dst, " (", 2);
}

size_t fc_sum_format(char *dst, const struct fc_sum *sum, const struct fc_sum_style *style)
{
    bool tag = style->tag || sum->algorithm != FC_HASH_BLAKE2B;
    char *to = dst;

    if (!style->zero && strpbrk(sum->name, "\n\r\\") != NULL)
        *to++ = '\\';
    if (tag)
        to = put_tag(to, sum);
    else
        to = put(put_hex(to, sum->digest, sum->digest_len), style->binary ? " *" : "  ", 2);
    if (style->zero)
        to = put(to, sum->name, sum->name_len);
    else
        to += fc_sum_escape(to, sum->name, sum->name_len);
    if (tag)
        to = put_hex(put(to, ") = ", 4), sum->digest, sum->digest_len);
    *to++ = style->zero ? '\0' : '\n';
    return (size_t)(to - dst);
}
