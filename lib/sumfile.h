/*
 * Lists of checksums: their lines, read and written exactly as GNU b2sum 9.1 does in the C locale.
 *
 *     HEX  NAME                   HEX *NAME                   (text, binary: the same to us)
 *     BLAKE2b (NAME) = HEX        BLAKE2b-256 (NAME) = HEX    (tagged)
 *     \HEX  NAME                                              (NAME has \n, \r, \\ escaped)
 *
 * The digest's length is the hexadecimal's, 1 to 64 bytes. b2sum knows no other algorithm; the tags
 * BLAKE2bp, BLAKE2b-keyed and BLAKE2bp-keyed are ours.
 */
#ifndef FC_SUMFILE_H
#define FC_SUMFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FC_SUM_DIGEST_MAX = 64,
    FC_SUM_LINE_ROOM = 192, /* of a line, besides its name */
};

enum fc_hash_algorithm {
    FC_HASH_BLAKE2B,
    FC_HASH_BLAKE2BP,
};

/* What a line says. */
struct fc_sum {
    bool tagged; /* algorithm and keyed are the line's own, else they are not known from it */
    enum fc_hash_algorithm algorithm;
    bool keyed;
    uint8_t digest[FC_SUM_DIGEST_MAX];
    size_t digest_len;
    const char *name; /* NUL-terminated, with no escapes */
    size_t name_len;
};

/* `HEX NAME` with one blank is what old BSD tools wrote with -r. It is taken if the first untagged
 * line is of this kind, and then all others are: a name cannot gain or lose a blank. */
enum fc_sum_order {
    FC_SUM_ORDER_UNKNOWN,
    FC_SUM_ORDER_STANDARD,
    FC_SUM_ORDER_BSD,
};

enum fc_sum_kind {
    FC_SUM_CHECKSUM,
    FC_SUM_NOTHING, /* a comment, or an empty line */
    FC_SUM_MALFORMED,
};

/* fc_sum_parse(sum, order, line[len + 1], len): one line, with its newline if it has one. line is
 * changed: sum->name points into it, and line[len] must be there to be written. *order is kept from
 * line to line, UNKNOWN at first. sum is defined after FC_SUM_CHECKSUM only. */
enum fc_sum_kind fc_sum_parse(struct fc_sum *sum, enum fc_sum_order *order, char *line, size_t len);

struct fc_sum_style {
    bool tag;    /* BLAKE2bp and keyed BLAKE2bp are always tagged */
    bool binary; /* `*` before an untagged name */
    bool zero;   /* NUL at the end instead of a newline, and no escapes */
};

/* fc_sum_format(dst[2 * name_len + FC_SUM_LINE_ROOM], sum, style): the line, with its end; returns
 * its length. sum->tagged is not looked at. */
size_t fc_sum_format(char *dst, const struct fc_sum *sum, const struct fc_sum_style *style);

/* fc_sum_escape(dst[2 * len], name[len], len): newline, CR and backslash as \n, \r, \\; returns the
 * length of dst. */
size_t fc_sum_escape(char *dst, const char *name, size_t len);

#endif
