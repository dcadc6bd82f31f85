#include "luks2_json.h"

#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "kdf.h"

/*
 * What the text is made of, counted before json-c sees it. Valid JSON has one colon for each member
 * of an object, so that a name that stands twice, of which json-c keeps the last, shows as a
 * colon too many. Text that is not valid is counted somehow, and then refused by json-c.
 */
struct census {
    size_t members;
    size_t values; /* not less than there are */
};

static struct census take_census(const char *text, size_t len)
{
    struct census c = {.members = 0, .values = 1};
    bool in_string = false;

    for (size_t i = 0; i < len; i++) {
        if (in_string && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            in_string = !in_string;
        else if (!in_string && text[i] == ':')
            c.members++;
        else if (!in_string && (text[i] == ',' || text[i] == '{' || text[i] == '['))
            c.values++;
    }
    return c;
}

static size_t count_members(json_object *value)
{
    size_t n = 0;

    if (json_object_is_type(value, json_type_object)) {
        json_object_object_foreach(value, name, member)
        {
            (void)name;
            n += 1 + count_members(member);
        }
    } else if (json_object_is_type(value, json_type_array)) {
        for (size_t i = 0; i < json_object_array_length(value); i++)
            n += count_members(json_object_array_get_idx(value, i));
    }
    return n;
}

bool fc_json_fault(const struct fc_json *in, const char *key, const char *problem,
                   struct fc_err *err)
{
    bool inside = in->where[0] != '\0';

    fc_err_set(err, FC_ERR_DATA, "malformed LUKS2 metadata: %s%s%s%s%s", in->where,
               inside && key[0] != '\0' ? ", " : "", key, inside || key[0] != '\0' ? ": " : "",
               problem);
    return false;
}

static bool syntax_fault(json_tokener *tok, struct fc_err *err)
{
    fc_err_set(err, FC_ERR_DATA, "malformed LUKS2 metadata: no JSON at byte %zu: %s",
               json_tokener_get_parse_end(tok),
               json_tokener_error_desc(json_tokener_get_error(tok)));
    return false;
}

bool fc_json_parse(struct fc_json *doc, const char *text, size_t len, struct fc_err *err)
{
    struct census census = take_census(text, len);
    json_tokener *tok;

    *doc = (struct fc_json){.object = NULL};
    if (len == 0 || text[0] != '{')
        return fc_json_fault(doc, "", "it does not begin with '{'", err);
    if (len > INT32_MAX || census.values > FC_JSON_MAX_VALUES)
        return fc_json_fault(doc, "", "too many values", err);
    tok = json_tokener_new_ex(FC_JSON_MAX_DEPTH);
    if (tok == NULL) {
        fc_err_set(err, FC_ERR_LIMIT, "not enough memory");
        return false;
    }
    json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    doc->object = json_tokener_parse_ex(tok, text, (int)len);
    if (doc->object == NULL)
        syntax_fault(tok, err);
    json_tokener_free(tok);
    if (doc->object == NULL)
        return false;
    if (count_members(doc->object) != census.members)
        return fc_json_fault(doc, "", "a name stands twice in an object", err);
    return true;
}

void fc_json_free(struct fc_json *doc)
{
    json_object_put(doc->object);
    doc->object = NULL;
}

bool fc_json_has(const struct fc_json *in, const char *key)
{
    return json_object_object_get_ex(in->object, key, NULL);
}

static bool member(const struct fc_json *in, const char *key, enum json_type type,
                   const char *problem, json_object **value, struct fc_err *err)
{
    if (!json_object_object_get_ex(in->object, key, value))
        return fc_json_fault(in, key, "missing", err);
    if (!json_object_is_type(*value, type))
        return fc_json_fault(in, key, problem, err);
    return true;
}

bool fc_json_object(const struct fc_json *in, const char *key, struct fc_json *out,
                    struct fc_err *err)
{
    snprintf(out->where, sizeof(out->where), "%.24s%s%.20s", in->where,
             in->where[0] == '\0' ? "" : ", ", key);
    return member(in, key, json_type_object, "not an object", &out->object, err);
}

bool fc_json_u32(const struct fc_json *in, const char *key, uint32_t min, uint32_t max, uint32_t *v,
                 struct fc_err *err)
{
    json_object *value;
    int64_t n;

    if (!member(in, key, json_type_int, "not an integer", &value, err))
        return false;
    /* json-c clamps what 64 bits cannot hold to their ends, which are out of range too. */
    n = json_object_get_int64(value);
    if (n < min || n > max)
        return fc_json_fault(in, key, "out of range", err);
    *v = (uint32_t)n;
    return true;
}

/* The text of a string that has nothing in it to stumble over, or NULL. */
static const char *plain_text(json_object *value)
{
    const char *text;
    size_t len;

    if (!json_object_is_type(value, json_type_string))
        return NULL;
    text = json_object_get_string(value);
    len = (size_t)json_object_get_string_len(value);
    if (len == 0 || len >= FC_JSON_MAX_TEXT)
        return NULL;
    for (size_t i = 0; i < len; i++)
        if (text[i] < ' ' || text[i] > '~')
            return NULL;
    return text;
}

bool fc_json_text(const struct fc_json *in, const char *key, const char **text, struct fc_err *err)
{
    json_object *value;

    if (!member(in, key, json_type_string, "not a string", &value, err))
        return false;
    *text = plain_text(value);
    return *text != NULL || fc_json_fault(in, key, "empty, too long or not printable", err);
}

static bool decimal(const char *text, uint64_t *v)
{
    uint64_t n = 0;

    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        unsigned digit = (unsigned)*text - '0';

        if (digit > 9 || n > (UINT64_MAX - digit) / 10)
            return false;
        n = n * 10 + digit;
    }
    *v = n;
    return true;
}

bool fc_json_u64(const struct fc_json *in, const char *key, uint64_t *v, struct fc_err *err)
{
    const char *text;

    return fc_json_text(in, key, &text, err) &&
           (decimal(text, v) || fc_json_fault(in, key, "not a decimal number below 2^64", err));
}

bool fc_json_base64(const struct fc_json *in, const char *key, uint8_t *dst, size_t size,
                    size_t *len, struct fc_err *err)
{
    const char *text;

    return fc_json_text(in, key, &text, err) &&
           (fc_base64_decode(dst, size, len, text) ||
            fc_json_fault(in, key, "not base64, or too long", err));
}

bool fc_json_texts(const struct fc_json *in, const char *key, const char **first, size_t *n,
                   struct fc_err *err)
{
    json_object *array;

    *first = NULL;
    *n = 0;
    if (!fc_json_has(in, key))
        return true;
    if (!member(in, key, json_type_array, "not an array", &array, err))
        return false;
    *n = json_object_array_length(array);
    for (size_t i = *n; i-- > 0;) {
        *first = plain_text(json_object_array_get_idx(array, i));
        if (*first == NULL)
            return fc_json_fault(in, key, "an element is no plain string", err);
    }
    return true;
}

/* The number that an object goes by: one way only to write each. */
static bool small_number(const char *text, unsigned *number)
{
    uint64_t v;

    if (text == NULL || !decimal(text, &v) || v >= FC_JSON_MAX_NUMBER ||
        strlen(text) != (v < 10 ? 1 : 2))
        return false;
    *number = (unsigned)v;
    return true;
}

bool fc_json_numbers(const struct fc_json *in, const char *key, uint32_t *set, struct fc_err *err)
{
    json_object *array;

    *set = 0;
    if (!member(in, key, json_type_array, "not an array", &array, err))
        return false;
    for (size_t i = 0; i < json_object_array_length(array); i++) {
        unsigned number;

        if (!small_number(plain_text(json_object_array_get_idx(array, i)), &number))
            return fc_json_fault(in, key, "an element is no number from 0 to 31", err);
        if ((*set & UINT32_C(1) << number) != 0)
            return fc_json_fault(in, key, "an element stands twice", err);
        *set |= UINT32_C(1) << number;
    }
    return true;
}

bool fc_json_each(const struct fc_json *in, const char *key, const char *kind, fc_json_visit *visit,
                  void *ctx, struct fc_err *err)
{
    struct fc_json all;

    if (!fc_json_object(in, key, &all, err))
        return false;
    json_object_object_foreach(all.object, name, value)
    {
        struct fc_json one = {.object = value};
        unsigned number;

        if (!small_number(name, &number))
            return fc_json_fault(in, key, "a name is no number from 0 to 31", err);
        snprintf(one.where, sizeof(one.where), "%s %u", kind, number);
        if (!json_object_is_type(value, json_type_object))
            return fc_json_fault(&all, name, "not an object", err);
        if (!visit(ctx, number, &one, err))
            return false;
    }
    return true;
}
