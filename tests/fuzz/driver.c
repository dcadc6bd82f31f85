/*
 * Runs a fuzzer without libFuzzer: on every file of the folders and files given, as it stands, cut
 * at every length, and with every bit flipped.
 */
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { MAX_INPUT = 2048 }; /* more of a file is cut off: headers and key files are shorter */

static unsigned long ninputs;

/* The input ends where its memory ends, so that a sanitizer sees a read beyond it. */
static void try_input(const uint8_t *data, size_t len)
{
    uint8_t *exact = malloc(len > 0 ? len : 1);

    if (exact == NULL)
        abort();
    memcpy(exact, data, len);
    LLVMFuzzerTestOneInput(exact, len);
    free(exact);
    ninputs++;
}

static void try_variants(uint8_t *data, size_t len)
{
    for (size_t n = 0; n <= len; n++)
        try_input(data, n);
    for (size_t bit = 0; bit < 8 * len; bit++) {
        data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        try_input(data, len);
        data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

static int try_file(const char *path)
{
    uint8_t data[MAX_INPUT];
    FILE *f = fopen(path, "rb");
    size_t len;

    if (f == NULL) {
        perror(path);
        return -1;
    }
    len = fread(data, 1, sizeof(data), f);
    fclose(f);
    try_variants(data, len);
    return 0;
}

int main(int argc, char **argv)
{
    FTS *tree = argc > 1 ? fts_open(argv + 1, FTS_LOGICAL, NULL) : NULL;
    FTSENT *entry;
    int failed = 0;

    if (tree == NULL) {
        fprintf(stderr, "usage: %s FOLDER...\n", argv[0]);
        return 2;
    }
    while ((entry = fts_read(tree)) != NULL)
        if (entry->fts_info == FTS_F)
            failed |= try_file(entry->fts_accpath);
    fts_close(tree);
    printf("%lu inputs\n", ninputs);
    return failed != 0 || ninputs == 0;
}
