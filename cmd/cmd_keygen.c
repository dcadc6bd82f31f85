/* fcrypt keygen: a new key file. */
#include <string.h>
#include <time.h>

#include "msg.h"
#include "opt.h"
#include "out.h"

struct keygen_options {
    const char *output;
};

static const struct opt opt_keygen[] = {
    {'o', "output", "FILE", "write to FILE, mode 0600, which must not exist", OPT_STRING,
     offsetof(struct keygen_options, output), 0, 0},
    {0},
};

enum { KEY_TEXT_MAX = FC_KEYFILE_LINE + 128 };

/* Comments and a line with a new key; *len is the text's length. */
static enum fc_status make_text(char text[KEY_TEXT_MAX], size_t *len, struct fc_err *err)
{
    uint8_t *key = fc_secret_alloc(FC_KEY_LEN);
    time_t now = time(NULL);
    enum fc_status status;
    struct tm tm;

    if (key == NULL)
        return fc_err_set(err, FC_ERR_LIMIT, "not enough memory");
    status = fc_random(key, FC_KEY_LEN, err);
    if (status == FC_OK) {
        *len = strftime(text, KEY_TEXT_MAX - FC_KEYFILE_LINE,
                        "# fcrypt key file; keep it secret\n# created %Y-%m-%dT%H:%M:%SZ\n",
                        gmtime_r(&now, &tm));
        *len += fc_keyfile_format(text + *len, key);
    }
    fc_secret_free(key);
    return status;
}

/* Owner-only whatever the umask: nothing else makes sense for a key. */
static enum fc_status write_text(const char *path, const char *text, size_t len)
{
    const struct out_spec spec = {
        .path = path != NULL && strcmp(path, "-") != 0 ? path : NULL,
        .fresh = true,
        .mode = 0600,
    };
    enum fc_status status;
    struct fc_err err;
    struct out out;

    status = out_open(&out, &spec);
    if (status != FC_OK)
        return status;
    status = fc_write_full(out.to.fd, text, len, &err);
    if (status == FC_OK)
        return out_commit(&out);
    msg_error(out.name, &err);
    out_drop(&out);
    return status;
}

enum fc_status cmd_keygen(const struct command *self, int argc, char **argv)
{
    struct keygen_options o = {0};
    struct general_options general = {0};
    const struct opt_group groups[] = {
        {"Files", opt_keygen, &o},
        {"General", opt_general, &general},
        {0},
    };
    enum fc_status status;
    struct fc_err err;
    size_t len = 0;
    char *text;

    if (!opt_parse(self, groups, &argc, &argv, &status))
        return status;
    msg_init(general.quiet, general.verbose);
    if (argc > 0)
        return msg_usage(self, "takes no FILE; -o names the output");
    text = fc_secret_alloc(KEY_TEXT_MAX);
    if (text == NULL)
        return msg_no_memory(NULL);
    status = make_text(text, &len, &err);
    if (status == FC_OK)
        status = write_text(o.output, text, len);
    else
        msg_error(NULL, &err);
    fc_secret_free(text);
    return status;
}
