/*
 * Options: every one stands in one table, from which the parser, --help and (by a test) the man
 * page and the completions follow.
 */
#ifndef OPT_H
#define OPT_H

#include <stdio.h>

#include "cmd.h"

enum opt_kind {
    OPT_FLAG,        /* bool: true when given */
    OPT_VALUE,       /* int: min when given; of several options for one field the last one counts */
    OPT_STRING,      /* const char *: into argv; given once only */
    OPT_LAST_STRING, /* the same; the last one counts */
    OPT_NUMBER,      /* uint64_t: decimal, min..max */
    OPT_SIZE,        /* uint64_t: bytes; decimal with K, M, G, KiB, MiB, GiB; min..max */
    OPT_HELP,        /* prints the help of the command and ends it */
    OPT_VERSION,     /* prints the version and ends the command */
};

struct opt {
    char letter; /* or 0 */
    const char *name;
    const char *arg; /* what --help calls the argument; NULL: takes none */
    const char *help;
    enum opt_kind kind;
    size_t offset; /* of the value in the group's struct */
    uint64_t min, max;
};

/* Options that one module understands, and the struct their values go to. */
struct opt_group {
    const char *title;
    const struct opt *opts; /* ended by one without name */
    void *base;
};

/* Options of every command. */
struct general_options {
    bool quiet;
    bool verbose;
};
extern const struct opt opt_general[];

/* opt_parse(self, groups, &argc, &argv, &status): reads the options; groups end with one without
 * title. True: go on, argv[0..argc) are the operands. False: the command ends with *status (--help
 * printed, or an error). Operands may stand among options, except for the program itself, whose
 * first operand is the command. */
bool opt_parse(const struct command *self, const struct opt_group *groups, int *argc, char ***argv,
               enum fc_status *status);

/* opt_parse_watched(..., watch): the same, and tells of every option when its value is stored, in
 * their order; another status than FC_OK, with a message, ends the command. */
struct opt_watch {
    enum fc_status (*seen)(void *user, const struct opt *opt);
    void *user;
};
bool opt_parse_watched(const struct command *self, const struct opt_group *groups, int *argc,
                       char ***argv, enum fc_status *status, const struct opt_watch *watch);

/* opt_help(f, groups): the options as --help shows them. */
void opt_help(FILE *f, const struct opt_group *groups);

/* opt_number(value, text, min, max): strict decimal; false unless text is one within the range. */
bool opt_number(uint64_t *value, const char *text, uint64_t min, uint64_t max);

/* opt_size(value, text, min, max): decimal with an optional K, M or G (powers of 1024), which an iB
 * may follow. */
bool opt_size(uint64_t *value, const char *text, uint64_t min, uint64_t max);

/* opt_hex(dst[len], len, text): exactly 2 * len hexadecimal digits; nothing secret. */
bool opt_hex(uint8_t *dst, size_t len, const char *text);

/* opt_range(offset, len, text): OFFSET:LENGTH, both as opt_size takes them. */
bool opt_range(uint64_t *offset, uint64_t *len, const char *text);

#endif
