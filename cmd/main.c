/* fcrypt: the command table, the options of the program itself, and what holds for every command.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "msg.h"
#include "opt.h"
#include "out.h"
#include "text.h"
#include "tty.h"

static enum fc_status cmd_help(const struct command *self, int argc, char **argv);

static const struct command commands[] = {
    {"enc", cmd_enc, "[OPTION...] [FILE...]", "Encrypt files, or standard input"},
    {"dec", cmd_dec, "[OPTION...] [FILE...]", "Decrypt files, or standard input"},
    {"hash", cmd_hash, "[OPTION...] [FILE...]", "Compute or check BLAKE2b checksums, as b2sum"},
    {"keygen", cmd_keygen, "[OPTION...]", "Make a new key file"},
    {"info", cmd_info, "[OPTION...] [FILE...]", "Show what headers say; needs no key"},
    {"bench", cmd_bench, "[OPTION...]", "Measure the kernels, by tier and size"},
    {"help", cmd_help, "[COMMAND]", "Show the help of the program or of a command"},
};
enum { NCOMMANDS = sizeof(commands) / sizeof(commands[0]) };

/* What a link to the program is, by its name. */
static const struct command links[] = {
    {"b2sum", cmd_hash, "[OPTION...] [FILE...]", "Compute or check BLAKE2b checksums"},
};

struct main_options {
    bool help;
    bool version;
    bool verbose;
};

#define FIELD(name) offsetof(struct main_options, name)
static const struct opt opt_main[] = {
    {'h', "help", NULL, "print this help", OPT_FLAG, FIELD(help), 0, 0},
    {0, "version", NULL, "print the version", OPT_FLAG, FIELD(version), 0, 0},
    {'v', "verbose", NULL, "with --version: tiers and libraries, too", OPT_FLAG, FIELD(verbose), 0,
     0},
    {0},
};
#undef FIELD

static const struct command program = {NULL, NULL, NULL, NULL};

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < NCOMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    msg_usage(&program, "unknown command '%s'", name);
    return NULL;
}

static enum fc_status print_help(void)
{
    const struct opt_group groups[] = {{"Options", opt_main, NULL}, {0}};
    struct text text;

    if (!text_open(&text))
        return FC_ERR_LIMIT;
    fputs("Usage: fcrypt COMMAND [OPTION...] [FILE...]\n\nCommands:\n", text.f);
    for (size_t i = 0; i < NCOMMANDS; i++)
        fprintf(text.f, "  %-10s%s\n", commands[i].name, commands[i].summary);
    opt_help(text.f, groups);
    fputs("\nfcrypt help COMMAND shows the options of a command; see fcrypt(1) for the rest.\n",
          text.f);
    return text_print(&text);
}

/* The tiers that this machine has the features for and FCRYPT_TIER allows. */
static void print_tiers(FILE *f)
{
    fputs("tiers:", f);
    for (unsigned t = 0; t < FC_NTIERS; t++)
        if (fc_tier_present(t))
            fprintf(f, " %s", fc_tier_name(t));
    fputc('\n', f);
}

static enum fc_status print_version(bool verbose)
{
    struct text text;

    if (!text_open(&text))
        return FC_ERR_LIMIT;
    fputs("fcrypt " FCRYPT_VERSION "\n", text.f);
    if (verbose) {
        print_tiers(text.f);
        fputs("libraries: libsodium " LIBSODIUM_VERSION, text.f);
#ifdef LIBURING_VERSION
        fputs(", liburing " LIBURING_VERSION, text.f);
#endif
        fputc('\n', text.f);
    }
    return text_print(&text);
}

static enum fc_status cmd_help(const struct command *self, int argc, char **argv)
{
    char option[] = "--help";
    char *help[] = {option, option, NULL};
    struct general_options general = {0};
    const struct opt_group groups[] = {{"General", opt_general, &general}, {0}};
    const struct command *cmd;
    enum fc_status status;

    if (!opt_parse(self, groups, &argc, &argv, &status))
        return status;
    if (argc == 0)
        return print_help();
    if (argc > 1)
        return msg_usage(self, "takes one command");
    cmd = find_command(argv[0]);
    return cmd == NULL ? FC_ERR_USAGE : cmd->run(cmd, 2, help);
}

static const struct command *find_link(const char *path)
{
    const char *slash = path == NULL ? NULL : strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;

    for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
        if (name != NULL && strcmp(links[i].name, name) == 0)
            return &links[i];
    return NULL;
}

static enum fc_status dispatch(int argc, char **argv)
{
    struct main_options o = {0};
    const struct opt_group groups[] = {{"Options", opt_main, &o}, {0}};
    const struct command *cmd;
    enum fc_status status;
    struct fc_err err;

    if (fc_tier_check(&err) != FC_OK)
        return msg_error(NULL, &err);
    cmd = find_link(argv[0]);
    if (cmd != NULL)
        return cmd->run(cmd, argc, argv);
    if (!opt_parse(&program, groups, &argc, &argv, &status))
        return status;
    if (o.help)
        return print_help();
    if (o.version)
        return print_version(o.verbose);
    if (argc == 0)
        return msg_usage(&program, "usage: fcrypt COMMAND [OPTION...] [FILE...]");
    if (o.verbose)
        return msg_usage(&program, "-v stands behind the command, or with --version");
    cmd = find_command(argv[0]);
    return cmd == NULL ? FC_ERR_USAGE : cmd->run(cmd, argc, argv);
}

/* Where a standard descriptor is closed, the next file opened would take its place. It is given to
 * /dev/null, in the direction that fails when it is used. */
static bool open_standard(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return false;
    return true;
}

/* Secrets stay out of core dumps and from debuggers of the same user. */
static void harden(void)
{
    const struct rlimit none = {0, 0};

    setrlimit(RLIMIT_CORE, &none);
#ifndef FC_SANITIZE /* its leak check attaches like a debugger */
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

/* The end by a signal: the terminal and the output's folder as they were, then death by it. The
 * handler is the default one again and the signal pending until it returns. */
static void on_end(int sig)
{
    tty_restore();
    out_drop_temp();
    raise(sig);
}

/* Every signal that ends a process and does not mean a fault of its own. One that is ignored stays
 * so. A file size limit is an error of write, no death. */
static void handle_signals(void)
{
    static const int ends[] = {
        SIGINT,  SIGTERM,   SIGHUP,  SIGQUIT, SIGPIPE, SIGABRT, SIGALRM,   SIGUSR1,
        SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU, SIGPOLL, SIGPWR,  SIGSTKFLT,
    };
    struct sigaction old, action = {.sa_handler = on_end, .sa_flags = (int)SA_RESETHAND};

    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        if (sigaction(ends[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(ends[i], &action, NULL);
    signal(SIGXFSZ, SIG_IGN);
}

int main(int argc, char **argv)
{
    enum fc_status status;

    if (!open_standard())
        return FC_ERR_IO;
    harden();
    handle_signals();
    status = dispatch(argc, argv);
    /* Network file systems tell of lost data here, and only here. */
    if (close(STDOUT_FILENO) != 0 && status == FC_OK)
        status = msg_fail_stdout(errno);
    return (int)status;
}
