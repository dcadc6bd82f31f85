#include "text.h"

#include <stdlib.h>
#include <unistd.h>

#include "msg.h"

bool text_open(struct text *text)
{
    *text = (struct text){0};
    text->f = open_memstream(&text->buf, &text->len);
    if (text->f == NULL)
        msg_no_memory(NULL);
    return text->f != NULL;
}

enum fc_status text_close(struct text *text)
{
    bool bad = ferror(text->f) != 0;

    bad |= fclose(text->f) != 0;
    text->f = NULL;
    if (!bad)
        return FC_OK;
    free(text->buf);
    text->buf = NULL;
    return msg_no_memory(NULL);
}

enum fc_status text_print(struct text *text)
{
    enum fc_status status = text_close(text);
    struct fc_err err;

    if (status == FC_OK && fc_write_full(STDOUT_FILENO, text->buf, text->len, &err) != FC_OK)
        status = msg_fail_stdout(err.sys);
    free(text->buf);
    return status;
}
