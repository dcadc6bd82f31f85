#include "tty.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "msg.h"

static struct {
    int fd;
    volatile sig_atomic_t quiet; /* settings are changed, or about to be */
    struct termios own;          /* as found */
    struct termios silent;       /* without echo */
    char prompt[512];
    size_t prompt_len;
    struct sigaction old_stop, old_continue;
} tty = {.fd = -1};

static void put(const char *text, size_t len)
{
    ssize_t n = write(tty.fd, text, len);

    (void)n;
}

/* In the background the terminal is somebody else's, whose settings must stay. */
static bool ours(void)
{
    return tty.quiet && tcgetpgrp(tty.fd) == getpgrp();
}

void tty_restore(void)
{
    if (ours())
        tcsetattr(tty.fd, TCSANOW, &tty.own);
}

/* SIGTSTP: stops as the default action would, the terminal as it was. */
static void on_stop(int sig)
{
    struct sigaction again;
    sigset_t set;
    int keep = errno;

    tty_restore();
    sigaction(sig, NULL, &again);
    signal(sig, SIG_DFL);
    raise(sig);
    sigemptyset(&set);
    sigaddset(&set, sig);
    sigprocmask(SIG_UNBLOCK, &set, NULL); /* stops here */
    sigaction(sig, &again, NULL);
    errno = keep;
}

/* SIGCONT: also after SIGSTOP, and a shell may have changed the settings meanwhile. What had been
 * typed is dropped: the prompt begins anew. */
static void on_continue(int sig)
{
    int keep = errno;

    (void)sig;
    if (ours()) {
        tcsetattr(tty.fd, TCSAFLUSH, &tty.silent);
        put(tty.prompt, tty.prompt_len);
    }
    errno = keep;
}

/* A signal that is ignored stays so. */
static void handle(int sig, void (*handler)(int), struct sigaction *old)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};

    sigfillset(&action.sa_mask);
    sigaction(sig, NULL, old);
    if (old->sa_handler != SIG_IGN)
        sigaction(sig, &action, NULL);
}

static enum fc_status no_terminal(void)
{
    msg_fail(FC_ERR_USAGE, NULL, "there is no terminal to ask for the passphrase on");
    msg_hint("--passphrase-file FILE or --passphrase-fd N gives it without one");
    return FC_ERR_USAGE;
}

enum fc_status tty_open(void)
{
    tty.fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (tty.fd < 0)
        return no_terminal();
    tty.prompt_len = 0;
    if (tcgetattr(tty.fd, &tty.own) != 0) {
        close(tty.fd);
        return no_terminal();
    }
    tty.silent = tty.own;
    tty.silent.c_lflag &= ~(tcflag_t)(ECHO | ECHONL);
    tty.silent.c_lflag |= ICANON | ISIG;
    tty.quiet = 1;
    handle(SIGTSTP, on_stop, &tty.old_stop);
    handle(SIGCONT, on_continue, &tty.old_continue);
    while (tcsetattr(tty.fd, TCSAFLUSH, &tty.silent) != 0) {
        if (errno == EINTR)
            continue;
        tty_close();
        return no_terminal();
    }
    return FC_OK;
}

void tty_close(void)
{
    tty_restore();
    tty.quiet = 0;
    sigaction(SIGTSTP, &tty.old_stop, NULL);
    sigaction(SIGCONT, &tty.old_continue, NULL);
    close(tty.fd);
    tty.fd = -1;
}

/* Reads up to the end of the line or of the input. */
static size_t read_line(uint8_t *dst, size_t cap)
{
    size_t len = 0;

    while (len < cap && (len == 0 || dst[len - 1] != '\n')) {
        ssize_t n = read(tty.fd, dst + len, cap - len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        len += (size_t)n;
    }
    return len;
}

enum fc_status tty_ask(uint8_t *dst, size_t *len, const char *prompt)
{
    tty.prompt_len = msg_escape(tty.prompt, sizeof(tty.prompt), prompt);
    put(tty.prompt, tty.prompt_len);
    *len = read_line(dst, TTY_CAP);
    put("\n", 1);
    if (*len == 0)
        return msg_fail(FC_ERR_USAGE, NULL, "no passphrase was given");
    if (*len < TTY_CAP)
        return FC_OK;
    tcflush(tty.fd, TCIFLUSH);
    msg_fail(FC_ERR_USAGE, NULL, "the passphrase is too long for the terminal");
    msg_hint("--passphrase-file FILE takes up to 64 KiB");
    return FC_ERR_USAGE;
}
