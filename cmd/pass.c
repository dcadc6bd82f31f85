#include "pass.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "msg.h"
#include "tty.h"

extern char **environ;

enum {
    PASS_CAP = FC_PASSPHRASE_MAX + 3, /* with a line ending, and a byte that is too much */
    LUKS_KEY_MAX = 8 << 20,           /* as of cryptsetup */
};

#define FIELD(name) offsetof(struct pass_options, name)
const struct opt opt_pass[] = {
    {'k', "key-file", "FILE", "a key file of fcrypt keygen, or raw bytes", OPT_STRING,
     FIELD(key_file), 0, 0},
    {'p', "passphrase", NULL, "ask for a passphrase on the terminal", OPT_FLAG, FIELD(prompt), 0,
     0},
    {0, "passphrase-file", "FILE", "read the passphrase from FILE", OPT_STRING, FIELD(file), 0, 0},
    {0, "passphrase-fd", "N", "read the passphrase from file descriptor N", OPT_STRING, FIELD(fd),
     0, 0},
    {0, "passphrase-env", "VAR", "take the passphrase from environment variable VAR", OPT_STRING,
     FIELD(env), 0, 0},
    {0, "passphrase-command", "CMD", "take the passphrase from what CMD prints", OPT_STRING,
     FIELD(command), 0, 0},
    {0},
};
#undef FIELD

/* The length without one line ending, LF or CRLF. */
static size_t without_line_end(const uint8_t *p, size_t len)
{
    if (len == 0 || p[len - 1] != '\n')
        return len;
    return len > 1 && p[len - 2] == '\r' ? len - 2 : len - 1;
}

static bool is_writing(const struct pass *pass)
{
    return pass->use == PASS_WRITE || pass->use == PASS_WRITE_LUKS;
}

/* One rule for every source: a line ending less, and a length that can be. */
static enum fc_status finish(struct pass *pass, size_t len)
{
    len = without_line_end(pass->pass, len);
    if (len > FC_PASSPHRASE_MAX)
        return msg_fail(FC_ERR_USAGE, NULL, "the passphrase is longer than 64 KiB");
    if (len == 0)
        return msg_fail(is_writing(pass) ? FC_ERR_USAGE : FC_ERR_KEY, NULL,
                        "the passphrase is empty");
    if (is_writing(pass) && memchr(pass->pass, '\n', len) != NULL)
        msg_note(NULL, "the passphrase has more than one line, and all of them count");
    pass->cred.pass = pass->pass;
    pass->cred.pass_len = len;
    return FC_OK;
}

static enum fc_status read_passphrase(struct pass *pass, int fd, const char *name)
{
    struct fc_err err;
    size_t len;

    if (fc_read_full(fd, pass->pass, PASS_CAP, &len, &err) != FC_OK)
        return msg_error(name, &err);
    return finish(pass, len);
}

/* Opens a credential's file, standard input for "-", and remembers which it is. -1 on an error. */
static int open_file(struct pass *pass, const char *name)
{
    int fd = strcmp(name, "-") == 0 ? dup(STDIN_FILENO) : open(name, O_RDONLY | O_CLOEXEC);

    if (fd >= 0 && fstat(fd, &pass->files[pass->nfiles]) == 0) {
        pass->nfiles++;
        return fd;
    }
    msg_fail_sys(name, errno, NULL);
    if (fd >= 0)
        close(fd);
    return -1;
}

static enum fc_status from_file(struct pass *pass, const char *name)
{
    int fd = open_file(pass, name);
    enum fc_status status;

    if (fd < 0)
        return FC_ERR_IO;
    status = read_passphrase(pass, fd, name);
    close(fd);
    return status;
}

static enum fc_status from_fd(struct pass *pass, int fd)
{
    char name[32];

    snprintf(name, sizeof(name), "file descriptor %d", fd);
    if (fstat(fd, &pass->files[pass->nfiles]) == 0)
        pass->nfiles++;
    return read_passphrase(pass, fd, name);
}

/* The variable is wiped where it stands: /proc/self/environ and children see it no more. */
static enum fc_status from_env(struct pass *pass, const char *name)
{
    char *value = getenv(name);
    size_t len;

    if (value == NULL)
        return msg_fail(FC_ERR_USAGE, NULL, "--passphrase-env: %s is not set", name);
    len = strnlen(value, PASS_CAP);
    memcpy(pass->pass, value, len);
    fc_wipe(value, strlen(value));
    unsetenv(name);
    return finish(pass, len);
}

/* Starts /bin/sh -c command with no input; *out is where its output comes. 0 or an errno. */
static int start_command(const char *command, pid_t *pid, int *out)
{
    char sh[] = "sh", dash_c[] = "-c";
    char *copy = strdup(command);
    char *argv[] = {sh, dash_c, copy, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    sigset_t ignored_here;
    int ends[2], error;

    if (copy == NULL || pipe2(ends, O_CLOEXEC) != 0) {
        free(copy);
        return errno;
    }
    sigemptyset(&ignored_here);
    sigaddset(&ignored_here, SIGXFSZ);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attr);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    posix_spawnattr_setsigdefault(&attr, &ignored_here);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
    error = posix_spawn(pid, "/bin/sh", &files, &attr, argv, environ);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&files);
    free(copy);
    close(ends[1]);
    if (error != 0)
        close(ends[0]);
    *out = ends[0];
    return error;
}

static enum fc_status from_command(struct pass *pass, const char *command)
{
    static const char name[] = "--passphrase-command";
    enum fc_status status;
    struct fc_err err;
    size_t len = 0;
    int fd = -1, end, error;
    pid_t pid;

    error = start_command(command, &pid, &fd);
    if (error != 0)
        return msg_fail_sys(name, error, "cannot run /bin/sh");
    status = fc_read_full(fd, pass->pass, PASS_CAP, &len, &err);
    close(fd);
    while (waitpid(pid, &end, 0) < 0 && errno == EINTR)
        continue;
    if (status != FC_OK)
        return msg_error(name, &err);
    if (len < PASS_CAP && WIFSIGNALED(end))
        return msg_fail(FC_ERR_IO, name, "the command was ended by signal %d", WTERMSIG(end));
    if (len < PASS_CAP && WEXITSTATUS(end) != 0)
        return msg_fail(FC_ERR_IO, name, "the command failed with status %d", WEXITSTATUS(end));
    return finish(pass, len);
}

enum fc_status key_file_read(uint8_t **key, size_t *len, int fd, size_t max, const char *name)
{
    struct fc_err err;

    *key = NULL;
    *len = 0;
    for (size_t cap = FC_KEYFILE_MAX + 1;; cap = max + 1) {
        uint8_t *grown = fc_secret_alloc(cap);
        size_t got;

        if (grown == NULL)
            return msg_no_memory(NULL);
        if (*len > 0)
            memcpy(grown, *key, *len);
        fc_secret_free(*key);
        *key = grown;
        if (fc_read_full(fd, grown + *len, cap - *len, &got, &err) != FC_OK)
            return msg_error(name, &err);
        *len += got;
        if (*len < cap)
            return FC_OK;
        if (cap > max)
            return msg_fail(FC_ERR_USAGE, name, "no key file: longer than %zu KiB", max / 1024);
    }
}

static enum fc_status load_key(struct pass *pass, const char *name)
{
    bool luks = pass->use == PASS_WRITE_LUKS || pass->use == PASS_READ;
    int fd = open_file(pass, name);
    enum fc_status status;

    if (fd < 0)
        return FC_ERR_IO;
    status =
        key_file_read(&pass->file, &pass->file_len, fd, luks ? LUKS_KEY_MAX : FC_KEYFILE_MAX, name);
    close(fd);
    if (status != FC_OK || pass->use == PASS_WRITE_LUKS || pass->use == PASS_RAW)
        return status;
    pass->key = fc_secret_alloc(FC_KEY_LEN);
    if (pass->key == NULL)
        return msg_no_memory(NULL);
    if (pass->file_len > FC_KEYFILE_MAX)
        fc_err_set(&pass->key_err, FC_ERR_USAGE, "no key file: longer than 64 KiB");
    else if (fc_keyfile_parse(pass->key, pass->file, pass->file_len, &pass->key_err) == FC_OK)
        pass->cred.key = pass->key;
    return pass->use == PASS_WRITE ? pass_want_key(pass) : FC_OK;
}

static bool is_stdin(const char *file)
{
    return file != NULL && strcmp(file, "-") == 0;
}

/* Refuses what cannot be read; *fd becomes --passphrase-fd's number, if it is given. */
static enum fc_status check_sources(const struct pass_options *o, const struct command *self,
                                    bool stdin_taken, int *fd)
{
    int sources =
        o->prompt + (o->file != NULL) + (o->fd != NULL) + (o->env != NULL) + (o->command != NULL);
    uint64_t number = 0;
    int from_stdin;

    if (sources > 1)
        return msg_usage(self, "the passphrase can come from one source only");
    if (o->fd != NULL && !opt_number(&number, o->fd, 0, INT_MAX))
        return msg_usage(self, "--passphrase-fd: '%s' is no file descriptor", o->fd);
    if (o->fd != NULL)
        *fd = (int)number;
    from_stdin = is_stdin(o->key_file) + is_stdin(o->file) + (*fd == STDIN_FILENO);
    if (from_stdin + stdin_taken > 1)
        return msg_usage(self, "standard input can be only one of data, key file and passphrase");
    return FC_OK;
}

enum fc_status pass_load(struct pass *pass, const struct pass_options *o,
                         const struct command *self, enum pass_use use, bool stdin_taken)
{
    enum fc_status status;
    int fd = -1;

    *pass = (struct pass){.use = use, .key_name = o->key_file};
    status = check_sources(o, self, stdin_taken, &fd);
    if (status == FC_OK && (pass->pass = fc_secret_alloc(PASS_CAP)) == NULL)
        status = msg_no_memory(NULL);
    if (status == FC_OK && o->key_file != NULL)
        status = load_key(pass, o->key_file);
    if (status != FC_OK)
        return status;
    if (o->file != NULL)
        return from_file(pass, o->file);
    if (fd >= 0)
        return from_fd(pass, fd);
    if (o->env != NULL)
        return from_env(pass, o->env);
    if (o->command != NULL)
        return from_command(pass, o->command);
    pass->ask = o->prompt || o->key_file == NULL;
    return FC_OK;
}

/* A second time: whether it is the same. */
static enum fc_status ask_again(const struct fc_cred *first)
{
    uint8_t *again = fc_secret_alloc(TTY_CAP);
    enum fc_status status;
    size_t len;

    if (again == NULL)
        return msg_no_memory(NULL);
    status = tty_ask(again, &len, "Passphrase again: ");
    if (status == FC_OK) {
        len = without_line_end(again, len);
        if (len != first->pass_len || !fc_ct_equal(first->pass, again, len))
            status = msg_fail(FC_ERR_USAGE, NULL, "the passphrases do not match");
    }
    fc_secret_free(again);
    return status;
}

enum fc_status pass_ask(struct pass *pass, const char *file)
{
    char prompt[512];
    size_t len;

    if (!pass->ask)
        return pass->asked;
    pass->ask = false;
    pass->asked = tty_open();
    if (pass->asked != FC_OK)
        return pass->asked;
    snprintf(prompt, sizeof(prompt), "Passphrase%s%.400s: ", file ? " for " : "", file ? file : "");
    pass->asked = tty_ask(pass->pass, &len, prompt);
    if (pass->asked == FC_OK)
        pass->asked = finish(pass, len);
    if (pass->asked == FC_OK && is_writing(pass))
        pass->asked = ask_again(&pass->cred);
    tty_close();
    return pass->asked;
}

bool pass_options_have_pass(const struct pass_options *o)
{
    return o->prompt || o->file != NULL || o->fd != NULL || o->env != NULL || o->command != NULL;
}

enum fc_status pass_want_key(const struct pass *pass)
{
    if (pass->file == NULL || pass->cred.key != NULL)
        return FC_OK;
    return msg_error(pass->key_name, &pass->key_err);
}

enum fc_status pass_luks(struct pass *pass, const char *file, struct fc_piece *phrase)
{
    enum fc_status status;

    if (pass->file != NULL && (pass->ask || pass->cred.pass != NULL))
        return msg_fail(FC_ERR_USAGE, file,
                        "a LUKS2 image takes a key file (-k) or a passphrase, not both");
    if (pass->file != NULL) {
        *phrase = (struct fc_piece){pass->file, pass->file_len};
        if (pass->file_len == 0)
            return msg_fail(FC_ERR_USAGE, pass->key_name, "is empty");
        return FC_OK;
    }
    status = pass_ask(pass, file);
    *phrase = (struct fc_piece){pass->cred.pass, pass->cred.pass_len};
    return status;
}

void pass_free(struct pass *pass)
{
    fc_secret_free(pass->file);
    fc_secret_free(pass->pass);
    fc_secret_free(pass->key);
    *pass = (struct pass){0};
}
