/* fcrypt hash, computing: a line for every file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "msg.h"
#include "quote.h"
#include "walk.h"

static bool next(void *user, struct fc_hash_job *job)
{
    struct hash *h = user;
    struct walk_entry *entry = walk_next(h->run);

    if (entry == NULL) {
        if (errno != 0)
            hash_complain(h, NULL, "%s", strerror(errno));
        return false;
    }
    *job = (struct fc_hash_job){
        .source = FC_HASH_FILE,
        .path = entry->path,
        .algorithm = h->algorithm,
        .out_len = h->digest_len,
        .key = h->key,
        .key_len = h->key_len,
        .tag = entry,
    };
    if (entry->kind != WALK_FILE)
        job->source = FC_HASH_NOTHING;
    else if (strcmp(entry->path, "-") == 0)
        job->source = FC_HASH_STDIN;
    return true;
}

static void put_line(struct hash *h, const char *name, const uint8_t *digest)
{
    const struct fc_sum_style style = {
        .tag = h->o.tag,
        .binary = h->o.mode == HASH_BINARY,
        .zero = h->o.zero,
    };
    struct fc_sum sum = {
        .algorithm = h->algorithm,
        .keyed = h->key != NULL,
        .digest_len = h->digest_len,
        .name = name,
        .name_len = strlen(name),
    };
    char *line = line_room(&h->out, 2 * sum.name_len + FC_SUM_LINE_ROOM);

    memcpy(sum.digest, digest, sum.digest_len);
    if (line != NULL)
        line_put(&h->out, fc_sum_format(line, &sum, &style));
}

static bool done(void *user, const struct fc_hash_job *job, const struct fc_hash_result *result)
{
    struct hash *h = user;
    struct walk_entry *entry = job->tag;
    int sys = entry->kind == WALK_FAILED ? entry->sys : result->sys;

    if (h->out.sys != 0) {
        /* Output has failed, and the run is at its end. */
    } else if (sys != 0) {
        hash_complain(h, entry->path, "%s", strerror(sys));
    } else if (entry->kind == WALK_SKIPPED) {
        line_flush(&h->out);
        msg_note(quote_shell(entry->path), "no regular file: skipped");
    } else {
        put_line(h, entry->path, result->digest);
    }
    free(entry);
    return hash_go_on(h, result);
}

void hash_sum(struct hash *h, int n, char **files)
{
    static const struct hash_steps steps = {.next = next, .done = done};
    struct walk walk = {.files = files, .nfiles = n, .recursive = h->o.recursive};

    hash_run(h, &steps, &walk);
    walk_end(&walk);
}
