/*
 * Asking on the terminal (/dev/tty, never stdin or stdout) with echo off. The terminal gets its
 * own settings back at the end, when a signal stops or ends the program, and loses the echo again,
 * with a new prompt, when it goes on.
 */
#ifndef TTY_H
#define TTY_H

#include "cmd.h"

/* Bytes of a line with its line ending: one that fills them may have been cut by the terminal. */
enum { TTY_CAP = 4096 };

/* tty_open(): opens the terminal and turns echo off. Prints its own errors: FC_ERR_USAGE where
 * there is no terminal, with the options that do without. */
enum fc_status tty_open(void);

/* tty_ask(dst, &len, prompt): prompts and reads a line with its line ending, dst[TTY_CAP].
 * Prints its own errors: a line too long, end of input before one. */
enum fc_status tty_ask(uint8_t *dst, size_t *len, const char *prompt);

void tty_close(void);

/* tty_restore(): the terminal's own settings; async-signal-safe, nothing where none was changed. */
void tty_restore(void);

#endif
