#include "json.h"

/* The length of the well-formed UTF-8 character at s, 0 where there is none. */
static size_t utf8_len(const unsigned char *s)
{
    size_t len = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

    if (s[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < len; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if (len == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f)))
        return 0;
    if (len == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f)))
        return 0;
    return len;
}

void json_string(FILE *f, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;

    fputc('"', f);
    while (*s != '\0') {
        size_t len = utf8_len(s);

        if (len == 0)
            fputs("\\ufffd", f);
        else if (*s < 0x20 || *s == 0x7f)
            fprintf(f, "\\u%04x", *s);
        else if (*s == '"' || *s == '\\')
            fprintf(f, "\\%c", *s);
        else
            fwrite(s, 1, len, f);
        s += len == 0 ? 1 : len;
    }
    fputc('"', f);
}
