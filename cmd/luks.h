/*
 * LUKS2 images: the options of enc, and what info shows.
 */
#ifndef LUKS_H
#define LUKS_H

#include <stdio.h>

#include "fcrypt_image.h"
#include "opt.h"

struct luks_options {
    bool luks;
    uint64_t key_size; /* bits; 0: not given */
    const char *label;
    const char *uuid;
    uint64_t offset; /* 0: not given */
};
extern const struct opt opt_luks[];

/* luks_unused(self, options): refuses options that say nothing without --luks. */
enum fc_status luks_unused(const struct command *self, const struct luks_options *options);

/* luks_choose(how, options, sector_size, self): the library's options but for Argon2id's costs.
 * sector_size 0: the default. Prints its own errors. */
enum fc_status luks_choose(struct fc_luks_options *how, const struct luks_options *options,
                           uint64_t sector_size, const struct command *self);

/* luks_print_text(f, header), luks_print_json(f, header): behind the name of the file. */
void luks_print_text(FILE *f, const char *file, const struct fc_luks2 *header);
void luks_print_json(FILE *f, const char *file, const struct fc_luks2 *header);

#endif
