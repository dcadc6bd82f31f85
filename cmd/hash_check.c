/* fcrypt hash -c: every line of every list. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hash.h"
#include "msg.h"
#include "quote.h"

/* A line on its way through the library. */
struct entry {
    bool malformed;
    uint64_t lineno;
    uint8_t digest[FC_SUM_DIGEST_MAX];
    char name[];
};

struct check {
    struct hash *hash;
    enum fc_sum_order order; /* goes on from list to list */
    /* The list at hand. */
    const char *list; /* for messages */
    bool from_stdin;
    struct line_reader reader;
    bool broken; /* it could not be read to its end */
    uint64_t lineno;
    uint64_t well_formed, malformed, unreadable, mismatched, matched;
    bool keyed, unkeyed, other_len; /* why some lines did not apply */
};

/* Digests under a key have at least this many bytes, unless --length says how many. */
enum { KEYED_MIN = 16 };

/* A line of another kind than this run computes is no line for it. In particular a key is asked for
 * because nobody without it can make a line that passes: guessing a byte or two must not do. */
static bool applies(struct check *c, const struct fc_sum *sum)
{
    const struct hash *h = c->hash;
    bool keyed = h->key != NULL;

    if (sum->tagged && sum->keyed != keyed) {
        c->keyed |= sum->keyed;
        c->unkeyed |= !sum->keyed;
        return false;
    }
    if (keyed &&
        (h->o.length != NULL ? sum->digest_len != h->digest_len : sum->digest_len < KEYED_MIN)) {
        c->other_len = true;
        return false;
    }
    return !c->from_stdin || strcmp(sum->name, "-") != 0;
}

static enum fc_sum_kind parse(struct check *c, struct fc_sum *sum, char *line, size_t len)
{
    static const char mark[] = "\xef\xbb\xbf"; /* what some editors put in front of UTF-8 */
    enum fc_sum_kind kind;
    size_t skip = 0;

    if (c->lineno == 1 && len >= 3 && memcmp(line, mark, 3) == 0)
        skip = 3;
    kind = fc_sum_parse(sum, &c->order, line + skip, len - skip);
    return kind == FC_SUM_CHECKSUM && !applies(c, sum) ? FC_SUM_MALFORMED : kind;
}

static bool give(struct check *c, struct fc_hash_job *job, const struct fc_sum *sum, bool malformed)
{
    const struct hash *h = c->hash;
    size_t size = malformed ? 1 : sum->name_len + 1;
    struct entry *entry = malloc(sizeof(*entry) + size);

    if (entry == NULL) {
        hash_complain(c->hash, NULL, "%s", strerror(ENOMEM));
        return false;
    }
    entry->malformed = malformed;
    entry->lineno = c->lineno;
    *job = (struct fc_hash_job){.source = FC_HASH_NOTHING, .tag = entry};
    if (malformed)
        return true;
    memcpy(entry->digest, sum->digest, sum->digest_len);
    memcpy(entry->name, sum->name, size);
    job->source = strcmp(entry->name, "-") == 0 ? FC_HASH_STDIN : FC_HASH_FILE;
    job->path = entry->name;
    job->algorithm = sum->tagged ? sum->algorithm : h->algorithm;
    job->out_len = sum->digest_len;
    job->key = h->key;
    job->key_len = h->key_len;
    return true;
}

static bool next(void *user, struct fc_hash_job *job)
{
    struct hash *h = user;
    struct check *c = h->run;
    enum line_got got;
    struct fc_sum sum;
    size_t len;
    char *line;

    while ((got = line_next(&c->reader, &line, &len)) == LINE_READ) {
        c->lineno++;
        switch (parse(c, &sum, line, len)) {
        case FC_SUM_CHECKSUM:
            c->well_formed++;
            return give(c, job, &sum, false);
        case FC_SUM_MALFORMED:
            c->malformed++;
            if (h->o.talk == HASH_WARN)
                return give(c, job, NULL, true);
            break;
        case FC_SUM_NOTHING:
            break;
        }
    }
    if (got == LINE_FAILED)
        c->broken = true;
    return false;
}

static bool ready(void *user)
{
    struct hash *h = user;
    struct check *c = h->run;

    return line_ready(&c->reader);
}

/* `NAME: OK`; only a newline in the name is reason to escape it. */
static void put_verdict(struct hash *h, const char *name, const char *verdict)
{
    size_t len = strlen(name), used = 0;
    char *line = line_room(&h->out, 2 * len + 32);

    if (line == NULL)
        return;
    if (strchr(name, '\n') != NULL) {
        line[used++] = '\\';
        used += fc_sum_escape(line + used, name, len);
    } else {
        memcpy(line, name, len);
        used = len;
    }
    used = (size_t)(stpcpy(stpcpy(stpcpy(line + used, ": "), verdict), "\n") - line);
    line_put(&h->out, used);
}

static void judge(struct check *c, const struct fc_hash_job *job,
                  const struct fc_hash_result *result)
{
    const struct entry *entry = job->tag;
    struct hash *h = c->hash;
    bool loud = h->o.talk != HASH_STATUS;

    if (result->sys == ENOENT && !result->read && h->o.ignore_missing)
        return;
    if (result->sys != 0) {
        c->unreadable++;
        hash_complain(h, entry->name, "%s", strerror(result->sys));
        if (loud)
            put_verdict(h, entry->name, "FAILED open or read");
    } else if (!fc_ct_equal(entry->digest, result->digest, job->out_len)) {
        c->mismatched++;
        if (loud)
            put_verdict(h, entry->name, "FAILED");
    } else {
        c->matched++;
        if (loud && h->o.talk != HASH_QUIET)
            put_verdict(h, entry->name, "OK");
    }
}

static bool done(void *user, const struct fc_hash_job *job, const struct fc_hash_result *result)
{
    struct hash *h = user;
    struct check *c = h->run;
    struct entry *entry = job->tag;

    if (h->out.sys != 0) {
        /* Output has failed, and the run is at its end. */
    } else if (entry->malformed) {
        line_flush(&h->out);
        msg_fail(FC_OK, quote_shell(c->list), "%llu: improperly formatted BLAKE2b checksum line",
                 (unsigned long long)entry->lineno);
    } else {
        judge(c, job, result);
    }
    free(entry);
    return hash_go_on(h, result);
}

static void warn(uint64_t n, const char *one, const char *many)
{
    if (n > 0)
        msg_fail(FC_OK, NULL, "WARNING: %llu %s", (unsigned long long)n, n == 1 ? one : many);
}

/* Why lines that look right did not apply. */
static void explain(const struct check *c)
{
    if (c->keyed)
        msg_hint("some lines are of keyed checksums: --key-file FILE");
    if (c->unkeyed)
        msg_hint("some lines are of checksums without a key: no --key-file");
    if (c->other_len && c->hash->o.length == NULL)
        msg_hint("keyed checksums under %d bits are too short: -l BITS", 8 * KEYED_MIN);
    else if (c->other_len)
        msg_hint("some keyed checksums are not as long as -l says");
}

/* What came of a list that was read to its end. */
static void conclude(struct check *c)
{
    const struct hash_options *o = &c->hash->o;
    bool loud = o->talk != HASH_STATUS;

    if (c->well_formed == 0) {
        hash_complain(c->hash, c->list, "no properly formatted checksum lines found");
    } else if (loud) {
        warn(c->malformed, "line is improperly formatted", "lines are improperly formatted");
        warn(c->unreadable, "listed file could not be read", "listed files could not be read");
        warn(c->mismatched, "computed checksum did NOT match", "computed checksums did NOT match");
        if (o->ignore_missing && c->matched == 0)
            hash_complain(c->hash, c->list, "no file was verified");
    }
    if (loud)
        explain(c);
    if (c->matched == 0 || c->mismatched > 0 || c->unreadable > 0 ||
        (o->strict && c->malformed > 0))
        c->hash->failed = true;
}

static void check_list(struct check *c, const char *file)
{
    static const struct hash_steps steps = {.next = next, .ready = ready, .done = done};
    const struct check fresh = {.hash = c->hash, .order = c->order};

    *c = fresh;
    c->from_stdin = strcmp(file, "-") == 0;
    c->list = c->from_stdin ? "standard input" : file;
    c->reader.fd = c->from_stdin ? STDIN_FILENO : open(file, O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (c->reader.fd < 0) {
        hash_complain(c->hash, file, "%s", strerror(errno));
        return;
    }
    hash_run(c->hash, &steps, c);
    line_flush(&c->hash->out);
    if (c->broken)
        hash_complain(c->hash, c->list, "read error");
    else if (c->hash->out.sys == 0)
        conclude(c);
    line_reader_free(&c->reader);
    if (!c->from_stdin)
        close(c->reader.fd);
}

void hash_check(struct hash *h, int n, char **files)
{
    struct check c = {.hash = h};

    for (int i = 0; i < n && h->out.sys == 0; i++)
        check_list(&c, files[i]);
}
