#include "table.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "json.h"

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

/* Text columns stand to the left, numbers to the right. */
static void put_text_cell(const struct bench_table *t, size_t i, const char *s)
{
    const struct bench_column *column = &t->columns[i];

    if (column->width == 0)
        return;
    if (i > 0)
        fputs("  ", t->out);
    fprintf(t->out, "%*s", column->number ? column->width : -column->width, s);
}

/* A row ends with its last cell, not with blanks. */
static void put_text_row(const struct bench_table *t, const struct bench_row *row)
{
    size_t n = row->n;

    while (n > 0 && (row->cell[n - 1][0] == '\0' || t->columns[n - 1].width == 0))
        n--;
    for (size_t i = 0; i < n; i++)
        put_text_cell(t, i, row->cell[i]);
    fputc('\n', t->out);
}

static const char *cell(const struct bench_row *row, size_t i)
{
    return i < row->n ? row->cell[i] : "";
}

static void put_csv_row(const struct bench_table *t, const struct bench_row *row)
{
    for (size_t i = 0; i < t->ncolumns; i++) {
        fputs(i > 0 ? "," : "", t->out);
        put_csv_cell(t->out, cell(row, i));
    }
    fputc('\n', t->out);
}

static void put_json_row(const struct bench_table *t, const struct bench_row *row)
{
    fputs(t->nrows > 0 ? ",\n    {" : "\n    {", t->out);
    for (size_t i = 0; i < t->ncolumns; i++) {
        const char *s = cell(row, i);

        fputs(i > 0 ? ", " : "", t->out);
        json_string(t->out, t->columns[i].key);
        fputs(": ", t->out);
        if (*s == '\0')
            fputs("null", t->out);
        else if (t->columns[i].number)
            fputs(s, t->out);
        else
            json_string(t->out, s);
    }
    fputc('}', t->out);
}

static void put_header(struct bench_table *t)
{
    struct bench_row names = {0};

    for (size_t i = 0; i < t->ncolumns; i++)
        bench_cell(&names, "%s",
                   t->format == FC_BENCH_TEXT ? t->columns[i].name : t->columns[i].key);
    switch (t->format) {
    case FC_BENCH_TEXT:
        fputc('\n', t->out);
        put_text_row(t, &names);
        break;
    case FC_BENCH_CSV:
        put_csv_row(t, &names);
        break;
    case FC_BENCH_JSON:
        fprintf(t->out, "%s  \"rows\": [", t->nnotes > 0 ? ",\n" : "");
        break;
    }
}

void bench_table_open(struct bench_table *t, FILE *out, enum fc_bench_format format,
                      const struct bench_column *columns, size_t n)
{
    *t = (struct bench_table){.out = out, .format = format, .columns = columns, .ncolumns = n};
    if (format == FC_BENCH_JSON)
        fputs("{\n", out);
}

void bench_table_note(struct bench_table *t, const char *name, const char *fmt, ...)
{
    char text[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    if (t->format == FC_BENCH_JSON) {
        fputs(t->nnotes > 0 ? ",\n  " : "  ", t->out);
        json_string(t->out, name);
        fputs(": ", t->out);
        json_string(t->out, text);
    } else {
        fprintf(t->out, "%s%s: %s\n", t->format == FC_BENCH_CSV ? "# " : "", name, text);
    }
    t->nnotes++;
}

void bench_cell(struct bench_row *row, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(row->cell[row->n++], BENCH_CELL, fmt, args);
    va_end(args);
}

static void flush(struct bench_table *t)
{
    if ((fflush(t->out) != 0 || ferror(t->out)) && t->error == 0)
        t->error = errno != 0 ? errno : EIO;
}

void bench_table_row(struct bench_table *t, const struct bench_row *row)
{
    if (t->nrows == 0)
        put_header(t);
    switch (t->format) {
    case FC_BENCH_TEXT:
        put_text_row(t, row);
        break;
    case FC_BENCH_CSV:
        put_csv_row(t, row);
        break;
    case FC_BENCH_JSON:
        put_json_row(t, row);
        break;
    }
    flush(t);
    t->nrows++;
}

void bench_table_gap(struct bench_table *t)
{
    if (t->format == FC_BENCH_TEXT && t->nrows > 0)
        fputc('\n', t->out);
}

void bench_table_end(struct bench_table *t)
{
    if (t->nrows == 0)
        put_header(t);
    if (t->format == FC_BENCH_TEXT)
        fputc('\n', t->out);
    if (t->format == FC_BENCH_JSON)
        fputs("\n  ]", t->out);
    t->nnotes = 1;
}

int bench_table_close(struct bench_table *t)
{
    if (t->format == FC_BENCH_JSON)
        fputs("\n}\n", t->out);
    flush(t);
    return t->error;
}
