#include "quote.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALNUM "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/* Literal to a shell wherever they stand but in front; literal between double quotes. */
static const char bare[] = ALNUM "%+,-./@]_{}#~";
static const char in_double[] = ALNUM "%+,-./@]_ ':";

enum {
    EXPANSION = 8, /* bytes that one byte can become: '$'\001 */
    FRAME = 8,     /* quotes at both ends, and a NUL */
};

/* Room for the quoted form of len bytes, or NULL. */
static char *room(size_t len)
{
    static char *buf;
    static size_t cap;
    size_t need = EXPANSION * len + FRAME;

    if (need > cap) {
        char *grown = realloc(buf, need);

        if (grown == NULL)
            return NULL;
        buf = grown;
        cap = need;
    }
    return buf;
}

static bool is_printable(char c)
{
    return c >= ' ' && c <= '~';
}

/* \n or \001; returns what stands behind it. */
static char *put_escape(char *dst, char c)
{
    static const char codes[] = "abtnvfr"; /* of 7 to 13 */

    if (c >= 7 && c <= 13)
        return dst + sprintf(dst, "\\%c", codes[c - 7]);
    return dst + sprintf(dst, "\\%03o", (unsigned)(unsigned char)c);
}

/* Whether a shell takes the name as it is. */
static bool is_bare(const char *name)
{
    bool brace = (name[0] == '{' || name[0] == '}') && name[1] == '\0';

    return *name != '\0' && *name != '#' && *name != '~' && !brace &&
           name[strspn(name, bare)] == '\0';
}

/* Whether double quotes are enough, and easier to read than the single ones. */
static bool is_double(const char *name)
{
    const char *rest = *name == '#' || *name == '~' ? name + 1 : name;

    return strchr(name, '\'') != NULL && rest[strspn(rest, in_double)] == '\0';
}

static void quote_single(char *dst, const char *name)
{
    bool escaping = false; /* within $'...' */

    *dst++ = '\'';
    for (; *name != '\0'; name++) {
        if (!is_printable(*name)) {
            if (!escaping)
                dst = stpcpy(dst, "'$'");
            dst = put_escape(dst, *name);
            escaping = true;
        } else if (*name == '\'') {
            dst = stpcpy(dst, "'\\''");
            escaping = false;
        } else {
            if (escaping)
                dst = stpcpy(dst, "''");
            *dst++ = *name;
            escaping = false;
        }
    }
    strcpy(dst, "'");
}

const char *quote_shell(const char *name)
{
    char *buf;

    if (is_bare(name))
        return name;
    buf = room(strlen(name));
    if (buf == NULL)
        return name;
    if (is_double(name))
        sprintf(buf, "\"%s\"", name);
    else
        quote_single(buf, name);
    return buf;
}

const char *quote_word(const char *word)
{
    char *buf = room(strlen(word)), *dst = buf;

    if (buf == NULL)
        return word;
    *dst++ = '\'';
    for (; *word != '\0'; word++) {
        if (!is_printable(*word)) {
            dst = put_escape(dst, *word);
            continue;
        }
        if (*word == '\'' || *word == '\\')
            *dst++ = '\\';
        *dst++ = *word;
    }
    strcpy(dst, "'");
    return buf;
}
