/*
 * Raw images: enc and dec with --xts or --ctr. No header, so nothing is recognised, and no default
 * name of an output.
 */
#ifndef RAW_H
#define RAW_H

#include "fcrypt_image.h"
#include "pass.h"
#include "run.h"

#define RAW_NOT_GIVEN UINT64_MAX

struct raw_options {
    bool xts;
    bool ctr;
    const char *iv;        /* of --ctr; NULL: not given */
    uint64_t sector_size;  /* 0: not given; of --luks, too */
    uint64_t first_sector; /* RAW_NOT_GIVEN */
    bool large_iv;
    const char *range;
    bool in_place;
};
extern const struct opt opt_raw[];

/* What the command line says beside the operands. */
struct raw_call {
    const struct raw_options *raw;
    struct file_options *files;
    const struct pass_options *pass;
    const struct run_options *run;
    bool encrypt;
    bool sparse;
};

/* raw_mode(options): the option that chose a raw mode, "--xts" or "--ctr"; NULL if none did. */
const char *raw_mode(const struct raw_options *options);

/* raw_unused(self, options): refuses options that say nothing without a raw mode. */
enum fc_status raw_unused(const struct command *self, const struct raw_options *options);

/* raw_check_sector(self, size): refuses what is no sector size. */
enum fc_status raw_check_sector(const struct command *self, uint64_t size);

/* raw_run(self, call, n, files): all of it, but for options of enc or dec alone. */
enum fc_status raw_run(const struct command *self, const struct raw_call *call, int n,
                       char **files);

#endif
