/*
 * The candidates of every primitive, as the checks take them.
 */
#include "checkasm.h"

/* kernels: those of candidate *c. */
#define SUBJECTS(p, type, kernels)                                                                 \
    size_t p##_subjects(struct p##_subject s[CHECK_MAX_CANDIDATES], const char *op)                \
    {                                                                                              \
        size_t n, k = 0;                                                                           \
        const struct fc_##p##_candidate *c = fc_##p##_candidates(&n);                              \
                                                                                                   \
        for (; n > 0 && k < CHECK_MAX_CANDIDATES; n--, c++) {                                      \
            s[k].kern = kernels;                                                                   \
            if (check_start(&s[k].check, op, c->tier, c->needs))                                   \
                k++;                                                                               \
        }                                                                                          \
        return k;                                                                                  \
    }                                                                                              \
                                                                                                   \
    type p##_oracle(void)                                                                          \
    {                                                                                              \
        size_t n;                                                                                  \
        const struct fc_##p##_candidate *c = fc_##p##_candidates(&n);                              \
                                                                                                   \
        c += n - 1;                                                                                \
        return kernels;                                                                            \
    }

SUBJECTS(gcmsiv, const struct fc_gcmsiv_kern *, &c->kern)
SUBJECTS(ctr, fc_ctr_fn *, c->xor_blocks)
SUBJECTS(xts, const struct fc_xts_kern *, &c->kern)
SUBJECTS(blake2b, fc_blake2b_compress_fn *, c->compress)
SUBJECTS(blake2b_lanes, const struct fc_blake2b_lanes_candidate *, c)
