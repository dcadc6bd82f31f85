#include "walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct walk_entry *entry_new(const char *path, enum walk_kind kind, int sys)
{
    size_t size = strlen(path) + 1;
    struct walk_entry *entry = malloc(sizeof(*entry) + size);

    if (entry == NULL)
        return NULL;
    entry->kind = kind;
    entry->sys = sys;
    memcpy(entry->path, path, size);
    return entry;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* What the user names is read whatever it is, as without -r; links are followed there only. */
static struct walk_entry *entry_from(const FTSENT *found)
{
    bool named = found->fts_level == FTS_ROOTLEVEL;

    switch (found->fts_info) {
    case FTS_F:
        return entry_new(found->fts_path, WALK_FILE, 0);
    case FTS_DNR:
    case FTS_ERR:
        return entry_new(found->fts_path, WALK_FAILED, found->fts_errno);
    case FTS_DC:
        return entry_new(found->fts_path, WALK_FAILED, ELOOP);
    case FTS_NS:
        if (!named)
            return entry_new(found->fts_path, WALK_FAILED, found->fts_errno);
        return entry_new(found->fts_path, WALK_FILE, 0);
    default:
        return entry_new(found->fts_path, named ? WALK_FILE : WALK_SKIPPED, 0);
    }
}

/* The next file of the tree; NULL at its end. */
static struct walk_entry *tree_next(struct walk *w)
{
    const FTSENT *found;

    while ((found = fts_read(w->tree)) != NULL)
        if (found->fts_info != FTS_D && found->fts_info != FTS_DP)
            return entry_from(found);
    walk_end(w);
    return NULL;
}

static FTS *tree_open(char *path)
{
    char *roots[] = {path, NULL};

    return fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
}

struct walk_entry *walk_next(struct walk *w)
{
    struct walk_entry *entry;
    char *file;

    errno = 0;
    for (;;) {
        if (w->tree != NULL && ((entry = tree_next(w)) != NULL || errno != 0))
            return entry;
        if (w->nfiles == 0)
            return NULL;
        file = *w->files++;
        w->nfiles--;
        /* fts knows neither standard input nor empty names. */
        if (!w->recursive || strcmp(file, "-") == 0 || *file == '\0')
            return entry_new(file, WALK_FILE, 0);
        w->tree = tree_open(file);
        if (w->tree == NULL)
            return NULL;
    }
}

void walk_end(struct walk *w)
{
    int sys = errno;

    if (w->tree != NULL)
        fts_close(w->tree);
    w->tree = NULL;
    errno = sys;
}
