#include "tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPENSSL                                                                                    \
    "openssl enc -aes-256-ctr -iv 000102030405060708090a0b0c0d0e0f"                                \
    " -K 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define GPG                                                                                        \
    "gpg --homedir {dir}/gnupg --batch --yes --quiet --pinentry-mode loopback"                     \
    " --passphrase-file {dir}/pass"
#define AESPIPE "aespipe -e AES256 -P {dir}/pass"

static const struct tool table[] = {
    {.name = "cat", .enc = "cat {in}", .enc_pipe = "cat"},
    {.name = "cp", .enc = "cp {in} {out}"},
    {
        .name = "fcrypt",
        .enc = "{fcrypt} enc -k {dir}/key -f -o {out} {in}",
        .dec = "{fcrypt} dec -k {dir}/key -f -o {out} {in}",
        .enc_pipe = "{fcrypt} enc -k {dir}/key",
        .dec_pipe = "{fcrypt} dec -k {dir}/key",
    },
    {
        .name = "age",
        .set_up = "age-keygen -o {dir}/identity",
        .enc = "age -e -i {dir}/identity -o {out} {in}",
        .dec = "age -d -i {dir}/identity -o {out} {in}",
        .enc_pipe = "age -e -i {dir}/identity",
        .dec_pipe = "age -d -i {dir}/identity",
    },
    {
        .name = "aespipe",
        .enc = AESPIPE,
        .dec = AESPIPE " -d",
        .enc_pipe = AESPIPE,
        .dec_pipe = AESPIPE " -d",
    },
    {
        .name = "openssl-ctr",
        .enc = OPENSSL " -in {in} -out {out}",
        .dec = OPENSSL " -d -in {in} -out {out}",
        .enc_pipe = OPENSSL,
        .dec_pipe = OPENSSL " -d",
    },
    {
        .name = "gpg",
        .enc = GPG " -z 0 -c -o {out} {in}",
        .dec = GPG " -d -o {out} {in}",
        .enc_pipe = GPG " -z 0 -c",
        .dec_pipe = GPG " -d",
        .tear_down = "gpgconf --homedir {dir}/gnupg --kill all",
    },
    {
        .name = "zstd",
        .enc = "zstd -1 -q -c {in}",
        .dec = "zstd -d -q -c {in}",
        .enc_pipe = "zstd -1 -q -c",
        .dec_pipe = "zstd -d -q -c",
    },
};

const struct tool *tools(size_t *n)
{
    *n = sizeof(table) / sizeof(table[0]);
    return table;
}

/* The path for the {name} that s begins with, and the length of that name; NULL when there is none.
 */
static const char *substitute(const char *s, const struct paths *paths, size_t *len)
{
    const struct {
        const char *name, *value;
    } all[] = {
        {"{fcrypt}", paths->fcrypt},
        {"{dir}", paths->dir},
        {"{in}", paths->in},
        {"{out}", paths->out},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        *len = strlen(all[i].name);
        if (strncmp(s, all[i].name, *len) == 0)
            return all[i].value;
    }
    return NULL;
}

/* Copies one word, filled in, to dst[size]; returns what it took, 0 when dst is too small. */
static size_t expand_word(char *dst, size_t size, const char **word, const struct paths *paths)
{
    const char *s = *word;
    size_t at = 0;

    while (*s != '\0' && *s != ' ') {
        size_t skip, n;
        const char *value = substitute(s, paths, &skip);

        if (value == NULL) {
            value = s;
            skip = n = 1;
        } else {
            n = strlen(value);
        }
        if (n >= size - at)
            return 0;
        memcpy(dst + at, value, n);
        at += n;
        s += skip;
    }
    dst[at] = '\0';
    *word = s;
    return at + 1;
}

bool command_expand(struct command *c, const char *template, const struct paths *paths)
{
    size_t at = 0, nwords = 0;

    c->names_in = strstr(template, "{in}") != NULL;
    c->names_out = strstr(template, "{out}") != NULL;
    for (const char *s = template; *s != '\0'; s += strspn(s, " ")) {
        size_t took = expand_word(c->text + at, sizeof(c->text) - at, &s, paths);

        if (took == 0 || nwords + 1 == COMMAND_WORDS)
            return false;
        c->argv[nwords++] = c->text + at;
        at += took;
    }
    c->argv[nwords] = NULL;
    return true;
}

static bool on_path(const char *name)
{
    const char *path = getenv("PATH");
    char file[4096];

    while (path != NULL && *path != '\0') {
        size_t len = strcspn(path, ":");

        snprintf(file, sizeof(file), "%.*s/%s", (int)len, path, name);
        if (access(file, X_OK) == 0)
            return true;
        path += len + (path[len] == ':');
    }
    return false;
}

bool tool_present(const struct tool *tool, const struct paths *paths)
{
    struct command c;

    if (!command_expand(&c, tool->enc, paths))
        return false;
    return strchr(c.argv[0], '/') != NULL ? access(c.argv[0], X_OK) == 0 : on_path(c.argv[0]);
}
