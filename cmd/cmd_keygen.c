/* fcrypt keygen: a new key file. */
#include <string.h>
#include <time.h>

#include "fcrypt_image.h"
#include "msg.h"
#include "opt.h"
#include "out.h"

struct keygen_options {
    const char *output;
    uint64_t xts; /* bits of the AES key; 0: a key for containers */
};

static const struct opt opt_keygen[] = {
    {'o', "output", "FILE", "write to FILE, mode 0600, which must not exist", OPT_STRING,
     offsetof(struct keygen_options, output), 0, 0},
    {0, "xts", "BITS", "a raw key for AES-128 or AES-256 in XTS: 128 or 256", OPT_NUMBER,
     offsetof(struct keygen_options, xts), 128, 256},
    {0},
};

enum { KEY_TEXT_MAX = FC_KEYFILE_LINE + 128 };

/* A raw XTS key; chance alone does not make its halves alike. */
static enum fc_status make_raw(char key[KEY_TEXT_MAX], size_t *len, uint64_t bits,
                               struct fc_err *err)
{
    enum fc_status status;

    *len = (size_t)bits / 8 * 2;
    status = fc_random(key, *len, err);
    return status == FC_OK ? fc_xts_key_check((const uint8_t *)key, *len, true, err) : status;
}

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
                        FC_KEYFILE_COMMENT "; keep it secret\n# created %Y-%m-%dT%H:%M:%SZ\n",
                        gmtime_r(&now, &tm));
        *len += fc_keyfile_format(text + *len, key);
    }
    fc_secret_free(key);
    return status;
}

/* Owner-only whatever the umask: nothing else makes sense for a key. */
static enum fc_status write_key(const char *path, const char *text, size_t len, bool raw)
{
    const struct out_spec spec = {
        .path = path != NULL && strcmp(path, "-") != 0 ? path : NULL,
        .fresh = true,
        .binary = raw ? "a raw key" : NULL,
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
    if (o.xts != 0 && o.xts != 128 && o.xts != 256)
        return msg_usage(self, "--xts must be 128 or 256");
    text = fc_secret_alloc(KEY_TEXT_MAX);
    if (text == NULL)
        return msg_no_memory(NULL);
    status = o.xts != 0 ? make_raw(text, &len, o.xts, &err) : make_text(text, &len, &err);
    if (status == FC_OK)
        status = write_key(o.output, text, len, o.xts != 0);
    else
        msg_error(NULL, &err);
    fc_secret_free(text);
    return status;
}
