/*
 * What the program's files share: an entry of the command table, and the subcommands. Each
 * subcommand is one file; it prints its own errors and returns the exit status (enum fc_status).
 */
#ifndef CMD_H
#define CMD_H

#include "fcrypt.h"

struct command {
    const char *name; /* NULL: the program itself */
    enum fc_status (*run)(const struct command *self, int argc, char **argv);
    const char *synopsis; /* what stands behind the name in the usage line */
    const char *summary;  /* one line, no full stop */
};

enum fc_status cmd_enc(const struct command *self, int argc, char **argv);
enum fc_status cmd_dec(const struct command *self, int argc, char **argv);
enum fc_status cmd_hash(const struct command *self, int argc, char **argv);
enum fc_status cmd_keygen(const struct command *self, int argc, char **argv);
enum fc_status cmd_info(const struct command *self, int argc, char **argv);
enum fc_status cmd_bench(const struct command *self, int argc, char **argv);

#endif
