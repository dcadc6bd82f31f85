/*
 * What little JSON the program writes.
 */
#ifndef JSON_H
#define JSON_H

#include <stdio.h>

/* json_string(f, text): text as a JSON string with its quotes (RFC 8259 section 7). Bytes that are
 * no UTF-8 become U+FFFD, so that the output is always JSON. */
void json_string(FILE *f, const char *text);

#endif
