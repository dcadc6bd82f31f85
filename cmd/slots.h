/*
 * What a container's slots say, for dec and info.
 */
#ifndef SLOTS_H
#define SLOTS_H

#include "cmd.h"

/* Kinds of slots as a set. */
enum {
    SLOTS_PASSPHRASE = 1 << FC_SLOT_PASSPHRASE,
    SLOTS_KEY_FILE = 1 << FC_SLOT_KEY_FILE,
    SLOTS_BOTH = 1 << FC_SLOT_BOTH,
};

/* slots_kinds(c): the kinds of the slots that are good. */
unsigned slots_kinds(const struct fc_container *c);

/* slots_fit(pass, key): the kinds that a credential of these factors can open. */
unsigned slots_fit(bool pass, bool key);

/* slots_describe(kinds): "a passphrase, or a key file"; a constant string. */
const char *slots_describe(unsigned kinds);

/* slots_damaged(c): how many are damaged. */
size_t slots_damaged(const struct fc_container *c);

#endif
