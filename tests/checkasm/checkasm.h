/*
 * checkasm: every candidate of every operation in lib/kern.h against the generic one.
 *
 * A check is one operation of one candidate; it prints one line, OK, SKIP or FAIL with the first
 * fault found. Kernels are called through a trampoline that looks at what they leave behind, on
 * buffers that end and begin at inaccessible pages. self*.c prove with deliberately wrong kernels
 * that faults are found.
 */
#ifndef CHECKASM_H
#define CHECKASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call_layout.h"
#include "kern.h"

enum {
    CHECK_MAX_LEN = 8192,
    CHECK_OFFSETS = 64,
    CHECK_LENGTHS = 40, /* tried at all offsets */
    CHECK_MAX_CANDIDATES = 8,
};

struct check_options {
    bool quick; /* a thinner set, for emulators and sanitizers */
    bool list;  /* name the checks, run none */
    bool left_out[FC_NTIERS];
    bool required[FC_NTIERS];
};
extern struct check_options check_options;

/* check.c: one line of the report. */
struct check {
    const char *op; /* "gcmsiv ctr" */
    enum fc_tier tier;
    bool strict;     /* registers and stack must be clean: everything but generic C */
    char fault[256]; /* the first one, or empty */
};

/* check_start(c, op, tier, needs): opens a check; false when it is not to be run, which has then
 * been reported. */
bool check_start(struct check *c, const char *op, enum fc_tier tier, uint32_t needs);

/* check_fail(c, fmt, ...): notes a fault; the first one stays. */
void check_fail(struct check *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static inline bool check_failed(const struct check *c)
{
    return c->fault[0] != '\0';
}

/* check_end(c): prints the line. */
void check_end(const struct check *c);

/* check_required(): fails for every required tier that no check was opened for. */
void check_required(void);

/* check_note(ok, name, fault): prints a line for something that is no kernel. */
void check_note(bool ok, const char *name, const char *fault);

/* check_summary(): prints the totals; whether nothing failed. */
bool check_summary(void);

/* guard.c: memory between two inaccessible pages: p[lo..hi) can be touched. */
struct guard {
    uint8_t *lo, *hi;
};

/* guard_new(len): at least len bytes, whole pages; never freed. */
struct guard guard_new(size_t len);

/* Where a buffer stands in its guard. */
enum flush {
    FLUSH_END,   /* its last byte is the last accessible one */
    FLUSH_START, /* its first byte is the first accessible one */
    FLUSH_NONE,  /* at an offset */
    NFLUSH,
};

/* guard_place(g, flush, len, offset): the place for len bytes; FLUSH_NONE: offset past a multiple
 * of 64 with 64 bytes to spare in front. */
uint8_t *guard_place(const struct guard *g, enum flush flush, size_t len, size_t offset);

/* guard_fill(g): fills it with a pattern; guard_intact(g, p, len): whether everything but
 * p[0..len) still shows it. */
void guard_fill(const struct guard *g);
bool guard_intact(const struct guard *g, const uint8_t *p, size_t len);

/* guard_copy(g, src, len): a copy of src[len] whose last byte is the last accessible one. */
void *guard_copy(const struct guard *g, const void *src, size_t len);

/* guard_judge(g, c, where, got, want, len): notes in c where got[len], which stands in g, is not
 * want, and anything but the pattern around it. */
void guard_judge(const struct guard *g, struct check *c, const char *where, const uint8_t *got,
                 const uint8_t *want, size_t len);

/* fill_random(dst, len, seed): the same bytes for the same seed, everywhere. */
void fill_random(void *dst, size_t len, uint64_t seed);

/* first_difference(a, b, len): index of the first byte that differs, len where none does. */
size_t first_difference(const void *a, const void *b, size_t len);

/* call.c: a call and what it left behind. */
struct checked_call {
    void (*fn)(void);
    uint64_t arg[6];
    uint64_t gpr_in[6], gpr_out[6];
    uint64_t rsp_in, rsp_out;
    uint64_t rflags;
    uint32_t mxcsr_in, mxcsr_out;
    uint32_t width; /* of the vector registers: 16, 32 or 64 bytes */
    uint32_t has_xinuse;
    uint32_t xinuse_in, xinuse_out;             /* XCR0 & XINUSE */
    _Alignas(64) uint8_t stack[CALL_STACK_LEN]; /* what stood below the stack pointer */
    uint8_t vec[32][64];
};

#define CALL_PTR(p) ((uint64_t)(uintptr_t)(p))

/* call_set(call, fn, args...): prepares a call; pointers through CALL_PTR. */
#define call_set(call, function, ...)                                                              \
    call_set_args(call, (void (*)(void))(function), (const uint64_t[6]){__VA_ARGS__})
void call_set_args(struct checked_call *call, void (*fn)(void), const uint64_t args[6]);

/* call_run(call, c, where): makes the call and notes every breach of the calling convention in c,
 * and in strict checks anything left in vector registers; false when the call crashed. */
bool call_run(struct checked_call *call, struct check *c, const char *where);

/* call_seek(call, c, where, secret, len): notes in c when an 8-byte half of secret[len] (zero
 * halves apart) was left on the stack. */
void call_seek(const struct checked_call *call, struct check *c, const char *where,
               const void *secret, size_t len);

/* The lengths to try, in units: all of 0..max, or a choice of them under --quick. */
bool length_wanted(size_t n);
/* The CHECK_LENGTHS lengths tried at all offsets, in units. */
extern const uint16_t check_lengths[CHECK_LENGTHS];

/* transform.c: a call that makes dst[len] of src[len], with its buffers at many places. */
struct transform {
    struct check *check;
    char what[64]; /* "7 blocks" */
    const uint8_t *src, *want;
    size_t len;  /* at most CHECK_MAX_LEN */
    size_t turn; /* what the offsets change with */
    /* call(t, dst, src, where): makes the call and judges all but the buffers, which the caller
     * does; false when it crashed. */
    bool (*call)(const struct transform *t, uint8_t *dst, uint8_t *src, const char *where);
    const void *subject, *question; /* call's business */
};
/* transform_at(t, flush): one call between two buffers, one in place. */
void transform_at(const struct transform *t, enum flush flush);
/* transform_places(t): flush with either end, and at an offset that changes with turn. */
void transform_places(const struct transform *t);
/* transform_offsets(t): all offsets of src and of dst. */
void transform_offsets(const struct transform *t);

/* subjects.c: for each primitive p, whose kernels are handed about as type,
 *
 * p_subjects(s, op): the candidates to be checked, opened under that name; their number
 * p_oracle(): generic's kernels */
#define DECLARE_SUBJECTS(p, type)                                                                  \
    struct p##_subject {                                                                           \
        struct check check;                                                                        \
        type kern;                                                                                 \
    };                                                                                             \
    size_t p##_subjects(struct p##_subject s[CHECK_MAX_CANDIDATES], const char *op);               \
    type p##_oracle(void)

DECLARE_SUBJECTS(gcmsiv, const struct fc_gcmsiv_kern *);
DECLARE_SUBJECTS(ctr, fc_ctr_fn *);
DECLARE_SUBJECTS(xts, const struct fc_xts_kern *);
DECLARE_SUBJECTS(blake2b, fc_blake2b_compress_fn *);
DECLARE_SUBJECTS(blake2b_lanes, const struct fc_blake2b_lanes_candidate *);

/* gcmsiv_bulk.c: tries one operation of n subjects. */
enum bulk_op { OP_POLYVAL, OP_CTR, OP_OPEN, OP_PAIR, OP_NUMBER };
void gcmsiv_bulk(enum bulk_op op, struct gcmsiv_subject *s, size_t n);

/* ctr_blocks.c: tries n subjects. */
void ctr_blocks(struct ctr_subject *s, size_t n);
/* ctr_before_carry(counter, bits, distance): the low bits of counter[16] stand distance blocks
 * before their end, 1 <= distance <= 256; bits is a multiple of 8. */
void ctr_before_carry(uint8_t counter[FC_CTR_IV], unsigned bits, unsigned distance);
/* ctr_random_key(key, key_len, seed): key_len 16, 24 or 32. */
void ctr_random_key(struct fc_ctr_key *key, size_t key_len, uint64_t seed);

/* xts_setup.c: a random key, as the oracle expands it; key_len 32 or 64. */
void xts_oracle_key(struct fc_xts_key *key, size_t key_len, uint64_t seed);

/* xts_sectors.c: tries encrypt or decrypt of n subjects. */
void xts_sectors(bool decrypting, struct xts_subject *s, size_t n);

/* blake2b.c: tries n subjects. */
void blake2b_compress(struct blake2b_subject *s, size_t n);

/* blake2b_lanes.c: tries n subjects. */
void blake2b_lanes(struct blake2b_lanes_subject *s, size_t n);

/* The parts of the run. */
void checkasm_self(void);
void checkasm_gcmsiv_setup(void);
void checkasm_gcmsiv_bulk(void);
void checkasm_gcmsiv_api(void);
void checkasm_ctr_blocks(void);
void checkasm_ctr_api(void);
void checkasm_xts_setup(void);
void checkasm_xts_sectors(void);
void checkasm_xts_api(void);
void checkasm_blake2b(void);
void checkasm_blake2b_lanes(void);

#endif
