/*
 * Lists of checksums: whatever a line is read as, written anew it is read as the same again.
 */
#include <stdbool.h>
#include <string.h>

#include "fuzz.h"
#include "sumfile.h"

/* A tag keeps a name whatever it is; without one the order of the list would have a say. */
static void read_back(const struct fc_sum *sum)
{
    const struct fc_sum_style style = {.tag = true};
    enum fc_sum_order order = FC_SUM_ORDER_UNKNOWN;
    char *line = malloc(2 * sum->name_len + FC_SUM_LINE_ROOM + 1);
    struct fc_sum again;
    size_t len;

    if (line == NULL)
        abort();
    len = fc_sum_format(line, sum, &style);
    fuzz_require(len <= 2 * sum->name_len + FC_SUM_LINE_ROOM);
    fuzz_require(fc_sum_parse(&again, &order, line, len) == FC_SUM_CHECKSUM);
    fuzz_require(again.tagged && again.keyed == sum->keyed && again.algorithm == sum->algorithm);
    fuzz_require(again.digest_len == sum->digest_len && again.name_len == sum->name_len);
    fuzz_require(memcmp(again.digest, sum->digest, sum->digest_len) == 0);
    fuzz_require(strcmp(again.name, sum->name) == 0);
    free(line);
}

static void read_line(enum fc_sum_order *order, const uint8_t *data, size_t len)
{
    enum fc_sum_order before = *order;
    char *line = malloc(len + 1);
    struct fc_sum sum;

    if (line == NULL)
        abort();
    memcpy(line, data, len);
    if (fc_sum_parse(&sum, order, line, len) == FC_SUM_CHECKSUM) {
        fuzz_require(sum.digest_len >= 1 && sum.digest_len <= FC_SUM_DIGEST_MAX);
        fuzz_require(sum.name >= line && sum.name + sum.name_len <= line + len);
        fuzz_require(strlen(sum.name) == sum.name_len);
        read_back(&sum);
    }
    fuzz_require(before == FC_SUM_ORDER_UNKNOWN || *order == before);
    free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    enum fc_sum_order order = FC_SUM_ORDER_UNKNOWN;

    while (len > 0) {
        const uint8_t *newline = memchr(data, '\n', len);
        size_t n = newline != NULL ? (size_t)(newline + 1 - data) : len;

        read_line(&order, data, n);
        data += n;
        len -= n;
    }
    return 0;
}
