/*
 * Key files of containers (fcrypt.1, "KEY FILES"): keygen's text, or exactly 32 raw bytes.
 */
#ifndef FC_KEYFILE_H
#define FC_KEYFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

enum {
    FC_KEY_LEN = 32,
    FC_KEYFILE_MAX = 65536,
    FC_KEYFILE_LINE = 90, /* "fcrypt-key-1:" 64 hex ":" 8 hex newline, and a final NUL: fits */
};

/* fc_keyfile_parse(key[32], src[len], err): reads keygen's text (`#` comments, blank lines, one
 * line `fcrypt-key-1:HEX:CHECK`, CRLF and trailing blanks accepted) or 32 raw bytes.
 * Errors, key is then zeros: FC_ERR_USAGE for anything else: a wrong checksum ("typing mistake"),
 * two keys, an empty file, 32 printable characters (with a hint), a wrong size. */
enum fc_status fc_keyfile_parse(uint8_t key[FC_KEY_LEN], const uint8_t *src, size_t len,
                                struct fc_err *err);

/* How keygen's text begins. */
#define FC_KEYFILE_COMMENT "# fcrypt key file"

/* fc_keyfile_is_text(src[len]): whether some line begins as one of keygen's does, even if it is cut
 * off: only then are mistakes in the text worth naming, and anything else may be raw bytes. */
bool fc_keyfile_is_text(const uint8_t *src, size_t len);

/* fc_raw_key_check(raw[len], len, lens, cipher, err): whether a file is a raw key of one of these
 * sizes (ended by 0), at most three. Errors: FC_ERR_USAGE: keygen's text, hexadecimal text (with a
 * hint), a wrong size. */
enum fc_status fc_raw_key_check(const uint8_t *raw, size_t len, const size_t *lens,
                                const char *cipher, struct fc_err *err);

/* fc_keyfile_format(line, key[32]): the line with its newline and a NUL; returns strlen(line). */
size_t fc_keyfile_format(char line[FC_KEYFILE_LINE], const uint8_t key[FC_KEY_LEN]);

#endif
