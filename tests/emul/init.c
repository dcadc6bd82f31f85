/*
 * The first and only process of the emulated machine: runs /program with the arguments in /args
 * (each ended by a zero byte), says how it ended and switches the machine off. Its output, the
 * program's and the kernel's go to the serial port, which is the kernel's console.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/io.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum {
    MAX_ARGS = 64,
    SHUTDOWN_PORT = 0x8900, /* bochs ends when it reads "Shutdown" here */
};

static char *read_args(char *args[MAX_ARGS])
{
    static char text[4096];
    int fd = open("/args", O_RDONLY);
    ssize_t len = read(fd, text, sizeof(text) - 1);
    size_t n = 0;

    for (char *p = text; p < text + len && n < MAX_ARGS - 1; p += strlen(p) + 1)
        args[n++] = p;
    close(fd);
    return args[0];
}

/* As a shell has it. */
static int run(char *args[])
{
    int status = 0;
    pid_t pid = fork();

    if (pid == 0) {
        execv("/program", args);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return 126;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void switch_off(void)
{
    tcdrain(STDOUT_FILENO);
    if (ioperm(SHUTDOWN_PORT, 1, 1) == 0)
        for (const char *p = "Shutdown"; *p != '\0'; p++)
            outb((unsigned char)*p, SHUTDOWN_PORT);
    for (;;)
        pause();
}

/* The two lines that emul.sh looks for. */
int main(void)
{
    char *args[MAX_ARGS] = {NULL};
    int status = 126;

    puts("emulated: start");
    fflush(stdout);
    if (read_args(args) != NULL)
        status = run(args);
    printf("emulated: exit status %d\n", status);
    fflush(stdout);
    switch_off();
}
