/*
 * Reading JSON that may be hostile: json-c behind the checks that it does not make. Memory and time
 * are bounded, a name that stands twice in an object is refused, and so is a number that is not
 * exactly what its text says.
 *
 * Every fc_json function that returns a bool returns whether all is well; if not, err is set to
 * FC_ERR_DATA with a text that says which value is wrong (FC_ERR_LIMIT where memory is short).
 */
#ifndef FC_LUKS2_JSON_H
#define FC_LUKS2_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

enum {
    FC_JSON_MAX_DEPTH = 16,
    FC_JSON_MAX_VALUES = 16384,
    FC_JSON_MAX_TEXT = 256, /* of a string that is asked for, with its terminator */
    FC_JSON_MAX_NUMBER = 32,
};

struct json_object;

/* An object of the document, and what messages call it: "keyslot 3, area"; "" is the document. */
struct fc_json {
    struct json_object *object;
    char where[48];
};

/* fc_json_parse(doc, text, len, err): the document text[len], an object without anything before or
 * behind it. To be given to fc_json_free, also after an error. */
bool fc_json_parse(struct fc_json *doc, const char *text, size_t len, struct fc_err *err);
void fc_json_free(struct fc_json *doc);

/* fc_json_fault(in, key, problem, err): sets err to "malformed LUKS2 metadata: in, key: problem";
 * false.
 */
bool fc_json_fault(const struct fc_json *in, const char *key, const char *problem,
                   struct fc_err *err);

/* fc_json_has(in, key): whether the object has such a member. */
bool fc_json_has(const struct fc_json *in, const char *key);

/* fc_json_object(in, key, out, err): the member key, which must be an object. out belongs to the
 * document. */
bool fc_json_object(const struct fc_json *in, const char *key, struct fc_json *out,
                    struct fc_err *err);

/* fc_json_u32(in, key, min, max, v, err): an integer from min to max. */
bool fc_json_u32(const struct fc_json *in, const char *key, uint32_t min, uint32_t max, uint32_t *v,
                 struct fc_err *err);

/* fc_json_u64(in, key, v, err): decimal digits in a string, below 2^64. */
bool fc_json_u64(const struct fc_json *in, const char *key, uint64_t *v, struct fc_err *err);

/* fc_json_text(in, key, text, err): a string of 1 to FC_JSON_MAX_TEXT - 1 printable ASCII
 * characters. It belongs to the document. */
bool fc_json_text(const struct fc_json *in, const char *key, const char **text, struct fc_err *err);

/* fc_json_base64(in, key, dst, size, len, err): a base64 string of at most size bytes. */
bool fc_json_base64(const struct fc_json *in, const char *key, uint8_t *dst, size_t size,
                    size_t *len, struct fc_err *err);

/* fc_json_texts(in, key, first, n, err): an array of strings as above: how many, and the first one
 * or NULL. An absent one is empty. */
bool fc_json_texts(const struct fc_json *in, const char *key, const char **first, size_t *n,
                   struct fc_err *err);

/* fc_json_numbers(in, key, set, err): an array of strings that are different decimal numbers below
 * FC_JSON_MAX_NUMBER, as a set of bits. */
bool fc_json_numbers(const struct fc_json *in, const char *key, uint32_t *set, struct fc_err *err);

/* fc_json_each(in, key, kind, visit, ctx, err): the members of the object key, which are objects
 * themselves and have decimal numbers below FC_JSON_MAX_NUMBER for names; kind names one of them in
 * messages. Ends where visit returns false. */
typedef bool fc_json_visit(void *ctx, unsigned number, const struct fc_json *member,
                           struct fc_err *err);
bool fc_json_each(const struct fc_json *in, const char *key, const char *kind, fc_json_visit *visit,
                  void *ctx, struct fc_err *err);

#endif
