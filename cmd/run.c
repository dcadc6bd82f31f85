#include "run.h"

#include <unistd.h>

#include "msg.h"

#define FIELD(name) offsetof(struct run_options, name)
const struct opt opt_run[] = {
    {'T', "threads", "N", "threads to use (default 0: all cores)", OPT_NUMBER, FIELD(threads), 0,
     4096},
    {0, "progress", NULL, "show progress at once, also without a terminal", OPT_FLAG,
     FIELD(progress), 0, 0},
    {0, "no-progress", NULL, "do not show progress", OPT_FLAG, FIELD(no_progress), 0, 0},
    {0},
};
#undef FIELD

static void on_note(void *user, const char *text)
{
    const struct run *run = user;

    msg_note(run->file, "%s", text);
}

static void on_progress(void *user, uint64_t done)
{
    struct run *run = user;

    progress_show(&run->progress, done);
}

enum fc_status run_open(struct run *run, const struct run_options *o, uint64_t max_mem_kib,
                        uint64_t max_work_kib)
{
    const struct fc_config config = {
        .threads = (unsigned)o->threads,
        .max_mem_kib = max_mem_kib,
        .max_work_kib = max_work_kib,
        .note = on_note,
        .progress = on_progress,
        .user = run,
    };
    struct fc_err err;

    *run = (struct run){0};
    progress_init(&run->progress, o->progress, o->no_progress);
    if (fc_ctx_new(&run->ctx, &config, &err) != FC_OK)
        return msg_error(NULL, &err);
    return FC_OK;
}

void run_close(struct run *run)
{
    fc_ctx_free(run->ctx);
    run->ctx = NULL;
}

void run_begin(struct run *run, const struct input *in)
{
    off_t at = S_ISREG(in->st.st_mode) ? lseek(in->fd, 0, SEEK_CUR) : -1;
    off_t left = at < 0 || at > in->st.st_size ? 0 : in->st.st_size - at;

    run->file = in->name;
    progress_start(&run->progress, in->name, (uint64_t)left);
}

void run_end(struct run *run)
{
    progress_end(&run->progress);
    run->file = NULL;
}
