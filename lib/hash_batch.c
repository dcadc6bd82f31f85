/*
 * What a worker does with the names of a batch before it reads the files.
 *
 * Names that are given together are often of one folder. To find a file from the root, or from the
 * current folder, is a good part of what a small one costs, so the folder is found once for all of
 * them.
 */
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "hash_parts.h"

/* How much of the name is its folder, with the slash; 0 where there is none to be found once for
 * all. */
static size_t folder_len(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t len = slash == NULL ? 0 : (size_t)(slash + 1 - path);

    return len < 2 || len > PATH_MAX - NAME_MAX - 2 || slash[1] == '\0' ? 0 : len;
}

static bool begins_with(const char *path, const char *folder, size_t len)
{
    return strncmp(path, folder, len) == 0 && folder_len(path) == len;
}

/* The first folder that two files in a row are in. *len: how much of their names. */
static const char *common_folder(const struct fc_hash_batch *batch, size_t *len)
{
    for (size_t i = 1; i < batch->n; i++) {
        const char *path = batch->slot[i]->job.path;

        *len = folder_len(path);
        if (*len > 0 && begins_with(batch->slot[i - 1]->job.path, path, *len))
            return path;
    }
    return NULL;
}

/* Where that is not to be had, names are what they were. */
static void find_folder(struct fc_hash_batch *batch)
{
    char path[PATH_MAX];
    size_t len;
    const char *folder = common_folder(batch, &len);

    if (folder == NULL)
        return;
    memcpy(path, folder, len);
    path[len] = '\0';
    batch->dir = fc_hash_spare(open(path, O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (batch->dir < 0)
        return;
    for (size_t i = 0; i < batch->n; i++) {
        struct fc_hash_slot *slot = batch->slot[i];

        if (!begins_with(slot->job.path, path, len))
            continue;
        slot->dir = batch->dir;
        slot->name = slot->job.path + len;
    }
}

/* The folder stays open for the batch alone. */
static void leave_folder(struct fc_hash_slot *slot)
{
    slot->dir = AT_FDCWD;
    slot->name = slot->job.path;
}

void fc_batch_look(struct fc_hash_batch *batch, enum fc_hash_kind *kinds)
{
    uint64_t room = FC_HASH_BATCH_LEN;

    find_folder(batch);
    for (size_t i = 0; i < batch->n; i++) {
        struct fc_hash_slot *slot = batch->slot[i];

        kinds[i] = fc_hash_look(slot);
        if (kinds[i] == FC_HASH_PLAIN && (slot->size >= FC_HASH_READ || fc_hash_room(slot) > room ||
                                          slot->job.algorithm != FC_HASH_BLAKE2B))
            kinds[i] = FC_HASH_LONG;
        if (kinds[i] == FC_HASH_PLAIN)
            room -= fc_hash_room(slot);
        else
            leave_folder(slot);
    }
}

void fc_batch_close(struct fc_hash_batch *batch)
{
    if (batch->dir >= 0)
        close(batch->dir);
    batch->dir = -1;
}
