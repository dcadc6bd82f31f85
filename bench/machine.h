/*
 * What a table of results says of the machine.
 */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include "table.h"

/* machine_notes(table): CPU, number of cores, load. */
void machine_notes(struct bench_table *table);

/* machine_load(dst, size): the load averages and runnable processes of this moment. */
void machine_load(char *dst, size_t size);

#endif
