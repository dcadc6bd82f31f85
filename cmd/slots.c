#include "slots.h"

unsigned slots_kinds(const struct fc_container *c)
{
    unsigned kinds = 0;
    size_t n;
    const struct fc_slot *slots = fc_container_slots(c, &n);

    for (size_t i = 0; i < n; i++)
        if (slots[i].state == FC_SLOT_STATE_GOOD)
            kinds |= 1u << slots[i].kind;
    return kinds;
}

unsigned slots_fit(bool pass, bool key)
{
    return (pass ? SLOTS_PASSPHRASE : 0) | (key ? SLOTS_KEY_FILE : 0) |
           (pass && key ? SLOTS_BOTH : 0);
}

const char *slots_describe(unsigned kinds)
{
    switch (kinds) {
    case SLOTS_PASSPHRASE:
        return "a passphrase";
    case SLOTS_KEY_FILE:
        return "a key file";
    case SLOTS_BOTH:
        return "a passphrase and a key file together";
    case SLOTS_PASSPHRASE | SLOTS_KEY_FILE:
        return "a passphrase, or a key file";
    case SLOTS_PASSPHRASE | SLOTS_BOTH:
        return "a passphrase, or a passphrase and a key file together";
    case SLOTS_KEY_FILE | SLOTS_BOTH:
        return "a key file, or a passphrase and a key file together";
    default:
        return "a passphrase, a key file, or both together";
    }
}

size_t slots_damaged(const struct fc_container *c)
{
    size_t n, damaged = 0;
    const struct fc_slot *slots = fc_container_slots(c, &n);

    for (size_t i = 0; i < n; i++)
        damaged += slots[i].state == FC_SLOT_STATE_DAMAGED;
    return damaged;
}
