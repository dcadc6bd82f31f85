/*
 * Text for standard output, built in memory and written at once, so that a failure to write is
 * found and named.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stdio.h>

#include "cmd.h"

struct text {
    FILE *f; /* to print to */
    char *buf;
    size_t len;
};

/* text_open(text): an empty one. False, with a message, when memory is short. */
bool text_open(struct text *text);

/* text_close(text): buf[len] is complete and the caller's to free. FC_ERR_LIMIT, with a message,
 * when memory was short (buf is then NULL). */
enum fc_status text_close(struct text *text);

/* text_print(text): closes it, writes it to standard output and frees it; prints its own errors. */
enum fc_status text_print(struct text *text);

#endif
