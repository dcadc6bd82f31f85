/*
 * The commands that are measured, as templates: words divided by blanks, in which {in}, {out} and
 * {dir} (the working directory with the keys) stand for paths and {fcrypt} for the program.
 */
#ifndef BENCH_TOOLS_H
#define BENCH_TOOLS_H

#include <stdbool.h>
#include <stddef.h>

struct tool {
    const char *name;
    const char *set_up;   /* to be run once before, or NULL */
    const char *enc;      /* a file; without {in} it reads stdin, without {out} it writes stdout */
    const char *dec;      /* NULL: no cipher, reads the plain file again, by enc */
    const char *enc_pipe; /* stdin to stdout; NULL: cannot */
    const char *dec_pipe;
    const char *tear_down; /* to be run at the end, or NULL */
};

/* tools(&n): all of them. The first is what the others are compared with. */
const struct tool *tools(size_t *n);

struct paths {
    const char *fcrypt, *dir, *in, *out;
};

enum { COMMAND_WORDS = 32, COMMAND_TEXT = 8192 };

/* A template filled in. */
struct command {
    char *argv[COMMAND_WORDS]; /* ends with NULL; points into text */
    char text[COMMAND_TEXT];
    bool names_in, names_out;
};

/* command_expand(c, template, paths): false when it is too long. */
bool command_expand(struct command *c, const char *template, const struct paths *paths);

/* tool_present(tool, paths): whether its program can be found. */
bool tool_present(const struct tool *tool, const struct paths *paths);

#endif
