#include "table.h"

#include <stdarg.h>
#include <string.h>

static void put_json_string(FILE *out, const char *s)
{
    fputc('"', out);
    for (; *s != '\0'; s++) {
        if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if ((unsigned char)*s < 0x20)
            fprintf(out, "\\u%04x", (unsigned)*s);
        else
            fputc(*s, out);
    }
    fputc('"', out);
}

static void put_csv_cell(FILE *out, const char *s)
{
    if (strpbrk(s, ",\"\n") == NULL) {
        fputs(s, out);
        return;
    }
    fputc('"', out);
    for (; *s != '\0'; s++) {
        if (*s == '"')
            fputc('"', out);
        fputc(*s, out);
    }
    fputc('"', out);
}

static void put_note(struct bench_table *t, const char *name, const char *fmt, va_list args)
{
    char text[512];

    vsnprintf(text, sizeof(text), fmt, args);
    if (t->format == BENCH_JSON) {
        fputs(t->nnotes > 0 ? ",\n  " : "  ", t->out);
        put_json_string(t->out, name);
        fputs(": ", t->out);
        put_json_string(t->out, text);
    } else {
        fprintf(t->out, "%s%s: %s\n", t->format == BENCH_CSV ? "# " : "", name, text);
    }
    t->nnotes++;
}

/* Text columns stand to the left, numbers to the right. */
static void put_text_cell(const struct bench_table *t, size_t i, const char *s)
{
    const struct bench_column *column = &t->columns[i];

    if (i > 0)
        fputs("  ", t->out);
    fprintf(t->out, "%*s", column->number ? column->width : -column->width, s);
}

static void put_header(struct bench_table *t)
{
    if (t->format == BENCH_JSON) {
        fprintf(t->out, "%s  \"rows\": [", t->nnotes > 0 ? ",\n" : "");
        return;
    }
    if (t->format == BENCH_TEXT)
        fputc('\n', t->out);
    for (size_t i = 0; i < t->ncolumns; i++) {
        if (t->format == BENCH_TEXT)
            put_text_cell(t, i, t->columns[i].name);
        else
            fprintf(t->out, "%s%s", i > 0 ? "," : "", t->columns[i].key);
    }
    fputc('\n', t->out);
}

void bench_table_open(struct bench_table *t, FILE *out, enum bench_format format,
                      const struct bench_column *columns, size_t n)
{
    *t = (struct bench_table){.out = out, .format = format, .columns = columns, .ncolumns = n};
    if (format == BENCH_JSON)
        fputs("{\n", out);
}

void bench_table_note(struct bench_table *t, const char *name, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    put_note(t, name, fmt, args);
    va_end(args);
}

void bench_cell(struct bench_row *row, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(row->cell[row->n++], BENCH_CELL, fmt, args);
    va_end(args);
}

static void put_json_row(const struct bench_table *t, const struct bench_row *row)
{
    fputs(t->nrows > 0 ? ",\n    {" : "\n    {", t->out);
    for (size_t i = 0; i < t->ncolumns; i++) {
        const char *s = i < row->n ? row->cell[i] : "";

        fputs(i > 0 ? ", " : "", t->out);
        put_json_string(t->out, t->columns[i].key);
        fputs(": ", t->out);
        if (*s == '\0')
            fputs("null", t->out);
        else if (t->columns[i].number)
            fputs(s, t->out);
        else
            put_json_string(t->out, s);
    }
    fputc('}', t->out);
}

void bench_table_row(struct bench_table *t, const struct bench_row *row)
{
    if (t->nrows == 0)
        put_header(t);
    if (t->format == BENCH_JSON) {
        put_json_row(t, row);
    } else {
        for (size_t i = 0; i < t->ncolumns; i++) {
            const char *s = i < row->n ? row->cell[i] : "";

            if (t->format == BENCH_TEXT) {
                put_text_cell(t, i, s);
                continue;
            }
            fputs(i > 0 ? "," : "", t->out);
            put_csv_cell(t->out, s);
        }
        fputc('\n', t->out);
    }
    fflush(t->out);
    t->nrows++;
}

void bench_table_gap(struct bench_table *t)
{
    if (t->format == BENCH_TEXT && t->nrows > 0)
        fputc('\n', t->out);
}

bool bench_table_close(struct bench_table *t, const char *name, const char *fmt, ...)
{
    va_list args;

    if (t->nrows == 0)
        put_header(t);
    if (t->format == BENCH_TEXT)
        fputc('\n', t->out);
    if (t->format == BENCH_JSON)
        fputs("\n  ],\n", t->out);
    t->nnotes = 0;
    va_start(args, fmt);
    put_note(t, name, fmt, args);
    va_end(args);
    if (t->format == BENCH_JSON)
        fputs("\n}\n", t->out);
    return fflush(t->out) == 0 && !ferror(t->out);
}
