/*
 * Known-answer tests of the candidates: what a kernel must get right before it is chosen. They are
 * long enough for every lane of the widest vector, and go through every function.
 */
#ifndef FC_KERN_ANSWERS_H
#define FC_KERN_ANSWERS_H

#include "kern.h"

/* fc_<primitive>_answers(c): whether the candidate gives the published answer. The CPU must have
 * the features that it needs. */
bool fc_gcmsiv_answers(const struct fc_gcmsiv_candidate *c);
bool fc_ctr_answers(const struct fc_ctr_candidate *c);
bool fc_xts_answers(const struct fc_xts_candidate *c);
bool fc_blake2b_answers(const struct fc_blake2b_candidate *c);
bool fc_blake2b_lanes_answers(const struct fc_blake2b_lanes_candidate *c);

#endif
