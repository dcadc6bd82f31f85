/* The key of keyed digests. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "hash.h"
#include "msg.h"
#include "pass.h"
#include "quote.h"

/* keygen's text gives its key; anything else is a key as it stands. */
static enum fc_status take(struct hash *h, const uint8_t *text, size_t len, struct fc_err *err)
{
    if (fc_keyfile_is_text(text, len)) {
        h->key_len = FC_KEY_LEN;
        return fc_keyfile_parse(h->key, text, len, err);
    }
    if (len < 1 || len > FC_HASH_KEY_MAX)
        return fc_err_set(err, FC_ERR_USAGE, "the key file must be keygen's text or 1 to %d bytes",
                          FC_HASH_KEY_MAX);
    h->key_len = len;
    memcpy(h->key, text, len);
    return FC_OK;
}

bool hash_read_key(struct hash *h, const char *file)
{
    bool from_stdin = strcmp(file, "-") == 0;
    int fd = from_stdin ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC);
    const char *name = quote_shell(file);
    enum fc_status status;
    uint8_t *text = NULL;
    struct fc_err err;
    size_t len;

    h->key = fc_secret_alloc(FC_HASH_KEY_MAX);
    if (fd < 0)
        status = msg_fail_sys(name, errno, NULL);
    else if (h->key == NULL)
        status = msg_no_memory(NULL);
    else
        status = key_file_read(&text, &len, fd, FC_KEYFILE_MAX, name);
    if (status == FC_OK && (status = take(h, text, len, &err)) != FC_OK)
        msg_error(name, &err);
    fc_secret_free(text);
    if (fd >= 0 && !from_stdin)
        close(fd);
    return status == FC_OK;
}
