/*
 * What a table of results says of the machine.
 */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include "table.h"

/* machine_notes(table): CPU, number of cores, load. */
void machine_notes(struct bench_table *table);

/* machine_note_load(table, name): the load averages and runnable processes of this moment, as a
 * note of that name. */
void machine_note_load(struct bench_table *table, const char *name);

#endif
