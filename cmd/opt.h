/*
 * Options: every one stands in one table, from which the parser, --help and (by a test) the man
 * page and the completions follow.
 */
#ifndef OPT_H
#define OPT_H

#include <stdio.h>

#include "cmd.h"

enum opt_kind {
    OPT_FLAG,   /* bool: true when given */
    OPT_STRING, /* const char *: into argv */
    OPT_NUMBER, /* uint64_t: decimal, min..max */
    OPT_SIZE,   /* uint64_t: bytes; decimal with K, M, G, KiB, MiB, GiB; min..max */
    OPT_HELP,   /* prints the help of the command and ends it */
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

/* opt_help(f, groups): the options as --help shows them. */
void opt_help(FILE *f, const struct opt_group *groups);

/* opt_number(value, text, min, max): strict decimal; false unless text is one within the range. */
bool opt_number(uint64_t *value, const char *text, uint64_t min, uint64_t max);

/* opt_size(value, text, min, max): decimal with an optional K, M or G (powers of 1024), which an iB
 * may follow. */
bool opt_size(uint64_t *value, const char *text, uint64_t min, uint64_t max);

#endif
