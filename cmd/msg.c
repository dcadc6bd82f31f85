#include "msg.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    TEXT_MAX = 1024,                         /* a message without its file name */
    LINE_MAX_LEN = 4 * (PATH_MAX + TEXT_MAX) /* every byte escaped */
};

static struct {
    const char *who; /* what messages begin with */
    bool gnu;
    bool quiet;
    bool verbose;
    size_t transient; /* columns of the transient line on the terminal */
} state = {.who = "fcrypt"};

void msg_init(bool quiet, bool verbose)
{
    state.quiet = quiet;
    state.verbose = verbose;
}

bool msg_is_quiet(void)
{
    return state.quiet;
}

void msg_imitate_gnu(const char *name)
{
    state.who = name;
    state.gnu = true;
}

const char *msg_name(const struct command *cmd)
{
    static char name[64];

    if (state.gnu)
        return state.who;
    snprintf(name, sizeof(name), "fcrypt%s%s", cmd->name ? " " : "", cmd->name ? cmd->name : "");
    return name;
}

static void emit(const char *text, size_t len)
{
    ssize_t n = write(STDERR_FILENO, text, len);

    (void)n;
}

size_t msg_escape(char *dst, size_t cap, const char *src)
{
    static const char hex[] = "0123456789abcdef";
    const unsigned char *s = (const unsigned char *)src;
    size_t len = 0;

    for (; *s != '\0' && len + 9 < cap; s++) {
        bool c1 = s[0] == 0xc2 && s[1] >= 0x80 && s[1] < 0xa0;

        if (*s >= 0x20 && *s != 0x7f && !c1) {
            dst[len++] = (char)*s;
            continue;
        }
        for (int i = 0; i <= (int)c1; i++) {
            memcpy(dst + len, "\\x", 2);
            dst[len + 2] = hex[s[i] >> 4];
            dst[len + 3] = hex[s[i] & 15];
            len += 4;
        }
        s += c1;
    }
    dst[len] = '\0';
    return len;
}

/* Writes "WHO: FILE: TEXT\n", or without the parts that are NULL. */
static void put_line(const char *who, const char *file, const char *fmt, va_list ap)
{
    static char line[LINE_MAX_LEN + 16];
    char text[TEXT_MAX];
    size_t len = 0;

    msg_transient(NULL);
    vsnprintf(text, sizeof(text), fmt, ap);
    if (who != NULL)
        len += (size_t)snprintf(line, 64, "%s: ", who);
    if (file != NULL) {
        len += msg_escape(line + len, 4 * PATH_MAX, file);
        len += (size_t)snprintf(line + len, 3, ": ");
    }
    len += msg_escape(line + len, sizeof(line) - len - 1, text);
    line[len++] = '\n';
    emit(line, len);
}

static void __attribute__((format(printf, 3, 4)))
say(const char *who, const char *file, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    put_line(who, file, fmt, ap);
    va_end(ap);
}

enum fc_status msg_error(const char *file, const struct fc_err *err)
{
    if (err->sys == EPIPE)
        return err->status;
    say(state.who, file, "%s", err->what);
    if (err->hint[0] != '\0')
        say("hint", NULL, "%s", err->hint);
    return err->status;
}

enum fc_status msg_fail(enum fc_status status, const char *file, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    put_line(state.who, file, fmt, ap);
    va_end(ap);
    return status;
}

enum fc_status msg_fail_sys(const char *file, int sys, const char *what)
{
    if (sys != EPIPE)
        say(state.who, file, "%s%s%s", what ? what : "", what ? ": " : "", strerror(sys));
    return sys == ENOMEM ? FC_ERR_LIMIT : FC_ERR_IO;
}

enum fc_status msg_fail_stdout(int sys)
{
    if (!state.gnu)
        return msg_fail_sys("standard output", sys, "cannot write");
    msg_fail_sys(NULL, sys, "write error");
    return FC_ERR_MIXED;
}

enum fc_status msg_no_memory(const char *file)
{
    return msg_fail(FC_ERR_LIMIT, file, "not enough memory");
}

enum fc_status msg_usage(const struct command *cmd, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    put_line(msg_name(cmd), NULL, fmt, ap);
    va_end(ap);
    if (state.gnu) {
        say(NULL, NULL, "Try '%s --help' for more information.", msg_name(cmd));
        return FC_ERR_MIXED;
    }
    msg_hint("%s --help", msg_name(cmd));
    return FC_ERR_USAGE;
}

void msg_hint(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    put_line("hint", NULL, fmt, ap);
    va_end(ap);
}

void msg_note(const char *file, const char *fmt, ...)
{
    va_list ap;

    if (state.quiet)
        return;
    va_start(ap, fmt);
    put_line(state.who, file, fmt, ap);
    va_end(ap);
}

void msg_detail(const char *file, const char *fmt, ...)
{
    va_list ap;

    if (state.quiet || !state.verbose)
        return;
    va_start(ap, fmt);
    put_line(state.who, file, fmt, ap);
    va_end(ap);
}

void msg_transient(const char *text)
{
    char line[256];
    int len;

    if (text == NULL && state.transient == 0)
        return;
    len = snprintf(line, sizeof(line), "\r%*s\r%s", (int)state.transient, "", text ? text : "");
    emit(line, (size_t)len);
    state.transient = text == NULL ? 0 : strlen(text);
}
