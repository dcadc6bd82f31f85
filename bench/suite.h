/*
 * Groups of contestants that do the same work on the same amount of data, raced against one
 * another: fcrypt's candidates, the peers, the machine's limit.
 */
#ifndef BENCH_SUITE_H
#define BENCH_SUITE_H

#include <stdbool.h>
#include <stddef.h>

#include "cpu.h"
#include "fcrypt_bench.h"
#include "limit.h"
#include "peer.h"
#include "table.h"
#include "timing.h"

enum { SUITE_MAX_GROUP = 16 };

/* What a contestant is; only candidates have a tier. */
enum suite_kind { SUITE_CANDIDATE, SUITE_PEER, SUITE_LIMIT };

struct suite_entry {
    enum suite_kind kind;
    enum fc_tier tier; /* of a candidate or a limit */
    char name[32];
    struct peer *peer;
    struct limit_job limit;
};

struct suite {
    /* Set by the caller. */
    struct fc_bench_config config;
    double lap_ns;                     /* the aim for a lap */
    bool wide;                         /* text has all columns, and rows for the limits, too */
    void (*rows)(struct suite *suite); /* where set, these groups in place of the usual ones */
    struct peer *peers;
    size_t npeers;
    /* Where set, it is told of the groups, and none is run. */
    fc_bench_visit_fn *visit;
    void *user;

    /* The group at hand. */
    const char *op;
    char size[24];
    size_t len;   /* of a message */
    size_t bytes; /* of one repetition */
    size_t n;
    struct suite_entry entries[SUITE_MAX_GROUP];
    struct bench_racer racers[SUITE_MAX_GROUP];

    /* Over all groups. */
    struct bench_table table;
    size_t laps, unsteady;
    size_t failures; /* of peers */
    double min_ghz, max_ghz;
    struct fc_err err; /* once its status is not FC_OK, no group begins */
};

enum { SUITE_LAP_NS = 100000 };

/* suite_run(suite): all groups and what is around them. The status is suite->err's, too. */
enum fc_status suite_run(struct suite *suite);

/* suite_list(suite): tells visit of all groups. */
enum fc_status suite_list(struct suite *suite);

/* For the groups. */

/* suite_begin(suite, depth, op, len, count): a group whose contestants handle count messages of len
 * bytes in one repetition. False when depth or the filter leaves it out. op must outlive the
 * group. */
bool suite_begin(struct suite *suite, enum fc_bench_depth depth, const char *op, size_t len,
                 size_t count);

/* suite_candidate(suite, tier, needs, run, arg): adds one of fcrypt's candidates, if it is usable
 * and wanted; returns whether it was added. */
bool suite_candidate(struct suite *suite, enum fc_tier tier, uint32_t needs, bench_run_fn *run,
                     void *arg);

/* suite_peers(suite, job): adds the peers that can do the job. */
void suite_peers(struct suite *suite, const struct peer_job *job);

/* suite_limits(suite, work, rounds): adds the limit for each width of vector. */
void suite_limits(struct suite *suite, enum limit_work work, unsigned rounds);

/* suite_race(suite): runs the group and writes its rows, if anything but limits is in it. The peers
 * are finished. */
void suite_race(struct suite *suite);

/* suite_no_memory(suite): ends the suite. */
void suite_no_memory(struct suite *suite);

void rows_gcmsiv(struct suite *suite);
void rows_ctr(struct suite *suite);
void rows_xts(struct suite *suite);
void rows_blake2b(struct suite *suite);
void rows_cold(struct suite *suite); /* not in the library */

#endif
