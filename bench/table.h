/*
 * A table of results as aligned text, CSV or JSON, written row by row, and the notes that belong to
 * it (machine, load, versions).
 */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "fcrypt_bench.h"

enum { BENCH_MAX_COLUMNS = 16, BENCH_CELL = 64 };

struct bench_column {
    const char *name; /* in text */
    const char *key;  /* in CSV and JSON */
    int width;        /* in text; 0: not shown there */
    bool number;
};

struct bench_row {
    size_t n;
    char cell[BENCH_MAX_COLUMNS][BENCH_CELL];
};

struct bench_table {
    FILE *out;
    enum fc_bench_format format;
    const struct bench_column *columns;
    size_t ncolumns;
    size_t nrows;
    size_t nnotes;
    int error; /* errno of the first failure to write, or 0 */
};

/* bench_table_open(t, out, format, columns, n): notes may follow, then rows. columns must outlive
 * the table. */
void bench_table_open(struct bench_table *t, FILE *out, enum fc_bench_format format,
                      const struct bench_column *columns, size_t n);

/* bench_table_note(t, name, fmt, ...): before the first row, or behind bench_table_end. */
void bench_table_note(struct bench_table *t, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* bench_cell(row, fmt, ...): adds the next cell to row; an empty one is a value that there is not
 * (JSON: null). row->n is 0 at first. */
void bench_cell(struct bench_row *row, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* bench_table_row(t, row): writes a row; one that is short is filled up with empty cells. */
void bench_table_row(struct bench_table *t, const struct bench_row *row);

/* bench_table_gap(t): what follows is another group. */
void bench_table_gap(struct bench_table *t);

/* bench_table_end(t): the last row is written. Notes may follow. */
void bench_table_end(struct bench_table *t);

/* bench_table_close(t): ends all. 0, or the errno of why some of it could not be written. */
int bench_table_close(struct bench_table *t);

#endif
