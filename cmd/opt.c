#include "opt.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "text.h"

enum {
    MAX_OPTS = 64,    /* of one command */
    LONG_BASE = 256,  /* getopt_long's value of option i is LONG_BASE + i: above every letter */
    HELP_COLUMN = 32, /* where the descriptions begin */
};

#define FIELD(name) offsetof(struct general_options, name)
const struct opt opt_general[] = {
    {'q', "quiet", NULL, "errors only, no notes", OPT_FLAG, FIELD(quiet), 0, 0},
    {'v', "verbose", NULL, "say more on standard error", OPT_FLAG, FIELD(verbose), 0, 0},
    {'h', "help", NULL, "print this help", OPT_HELP, 0, 0, 0},
    {0},
};
#undef FIELD

/* The groups of a command, flattened, and what getopt_long wants. */
struct parser {
    const struct command *self;
    const struct opt *opts[MAX_OPTS];
    void *base[MAX_OPTS];
    struct option longs[MAX_OPTS + 1];
    char shorts[2 * MAX_OPTS + 3];
    size_t n;
};

bool opt_number(uint64_t *value, const char *text, uint64_t min, uint64_t max)
{
    uint64_t v = 0;

    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        unsigned digit = (unsigned char)*text - (unsigned)'0';

        if (digit > 9 || v > (UINT64_MAX - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    *value = v;
    return v >= min && v <= max;
}

bool opt_size(uint64_t *value, const char *text, uint64_t min, uint64_t max)
{
    static const char units[] = "KMG";
    char digits[24];
    size_t n = strspn(text, "0123456789");
    const char *unit = text[n] == '\0' ? NULL : strchr(units, text[n]);
    unsigned shift = unit == NULL ? 0 : 10 * (unsigned)(unit - units + 1);
    const char *rest = text + n + (unit != NULL);

    if (n >= sizeof(digits) || (*rest != '\0' && (unit == NULL || strcmp(rest, "iB") != 0)))
        return false;
    memcpy(digits, text, n);
    digits[n] = '\0';
    if (!opt_number(value, digits, 0, UINT64_MAX >> shift))
        return false;
    *value <<= shift;
    return *value >= min && *value <= max;
}

bool opt_hex(uint8_t *dst, size_t len, const char *text)
{
    if (strlen(text) != 2 * len || strspn(text, "0123456789abcdefABCDEF") != 2 * len)
        return false;
    for (size_t i = 0; i < len; i++) {
        const char pair[] = {text[2 * i], text[2 * i + 1], '\0'};

        dst[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return true;
}

bool opt_range(uint64_t *offset, uint64_t *len, const char *text)
{
    const char *colon = strchr(text, ':');
    char first[32];

    if (colon == NULL || (size_t)(colon - text) >= sizeof(first))
        return false;
    memcpy(first, text, (size_t)(colon - text));
    first[colon - text] = '\0';
    return opt_size(offset, first, 0, UINT64_MAX) && opt_size(len, colon + 1, 0, UINT64_MAX);
}

static void parser_init(struct parser *p, const struct command *self,
                        const struct opt_group *groups)
{
    char *s = p->shorts;

    memset(p, 0, sizeof(*p));
    p->self = self;
    if (self->name == NULL)
        *s++ = '+'; /* the first operand ends the options */
    *s++ = ':';     /* a missing argument is told from an unknown option */
    for (; groups->title != NULL; groups++) {
        for (const struct opt *o = groups->opts; o->name != NULL && p->n < MAX_OPTS; o++) {
            int has_arg = o->arg == NULL ? no_argument : required_argument;

            p->opts[p->n] = o;
            p->base[p->n] = groups->base;
            p->longs[p->n] = (struct option){o->name, has_arg, NULL, LONG_BASE + (int)p->n};
            p->n++;
            if (o->letter == 0)
                continue;
            *s++ = o->letter;
            if (o->arg != NULL)
                *s++ = ':';
        }
    }
}

/* The index of what getopt_long returned: a letter or LONG_BASE + index; p->n where there is none.
 */
static size_t parser_find(const struct parser *p, int c)
{
    size_t i = 0;

    if (c >= LONG_BASE)
        return (size_t)(c - LONG_BASE);
    while (i < p->n && (c == 0 || p->opts[i]->letter != c))
        i++;
    return i;
}

/* Two names or credentials would leave one of them unused without a word. */
static bool is_repeated(const struct opt *o, const void *base)
{
    const char *value = NULL;

    if (o->kind == OPT_STRING)
        memcpy(&value, (const char *)base + o->offset, sizeof(value));
    return value != NULL;
}

/* Stores one value; false where it is malformed or out of range. */
static bool store(const struct opt *o, void *base, const char *arg)
{
    char *field = (char *)base + o->offset;
    uint64_t number;

    switch (o->kind) {
    case OPT_FLAG:
        *(bool *)(void *)field = true;
        return true;
    case OPT_STRING:
    case OPT_LAST_STRING:
        memcpy(field, &arg, sizeof(arg));
        return true;
    case OPT_VALUE:
        *(int *)(void *)field = (int)o->min;
        return true;
    case OPT_NUMBER:
        if (!opt_number(&number, arg, o->min, o->max))
            return false;
        break;
    case OPT_SIZE:
        if (!opt_size(&number, arg, o->min, o->max))
            return false;
        break;
    default:
        return false;
    }
    memcpy(field, &number, sizeof(number));
    return true;
}

/* The long options that word, cut at a `=`, could have meant. */
static enum fc_status ambiguous(const struct parser *p, const char *word)
{
    char list[512] = "";
    size_t len = strcspn(word + 2, "="), at = 0;

    for (size_t i = 0; i < p->n && at < sizeof(list); i++)
        if (strncmp(p->opts[i]->name, word + 2, len) == 0)
            at += (size_t)snprintf(list + at, sizeof(list) - at, " '--%s'", p->opts[i]->name);
    if (at == 0)
        return msg_usage(p->self, "unrecognized option '%s'", word);
    return msg_usage(p->self, "option '%s' is ambiguous; possibilities:%s", word, list);
}

/* What getopt_long complained about, in its own words: c is ':' or '?', word the long option it
 * was. */
static enum fc_status complain(const struct parser *p, int c, const char *word)
{
    size_t i = parser_find(p, optopt);

    if (c == ':' && optopt >= LONG_BASE)
        return msg_usage(p->self, "option '--%s' requires an argument", p->opts[i]->name);
    if (c == ':')
        return msg_usage(p->self, "option requires an argument -- '%c'", optopt);
    if (optopt >= LONG_BASE)
        return msg_usage(p->self, "option '--%s' doesn't allow an argument", p->opts[i]->name);
    if (optopt != 0)
        return msg_usage(p->self, "invalid option -- '%c'", optopt);
    return ambiguous(p, word);
}

static enum fc_status bad_value(const struct parser *p, const struct opt *o, const char *arg)
{
    if (o->kind == OPT_SIZE)
        return msg_usage(p->self, "--%s: '%s' is no size in %lluK..%lluM", o->name, arg,
                         (unsigned long long)o->min >> 10, (unsigned long long)o->max >> 20);
    return msg_usage(p->self, "--%s: '%s' is no number in %llu..%llu", o->name, arg,
                     (unsigned long long)o->min, (unsigned long long)o->max);
}

/* `Usage: ...`, the summary and the options. */
static enum fc_status print_help(const struct command *self, const struct opt_group *groups)
{
    struct text text;

    if (!text_open(&text))
        return FC_ERR_LIMIT;
    fprintf(text.f, "Usage: %s %s\n\n%s.\n", msg_name(self), self->synopsis, self->summary);
    opt_help(text.f, groups);
    return text_print(&text);
}

static enum fc_status print_version(void)
{
    struct text text;

    if (!text_open(&text))
        return FC_ERR_LIMIT;
    fputs("fcrypt " FCRYPT_VERSION "\n", text.f);
    return text_print(&text);
}

/* Option i is given. False: the command ends with *status. */
static bool take(const struct parser *p, const struct opt_group *groups, size_t i,
                 enum fc_status *status)
{
    const struct opt *o = p->opts[i];

    if (o->kind == OPT_HELP || o->kind == OPT_VERSION) {
        *status = o->kind == OPT_HELP ? print_help(p->self, groups) : print_version();
        return false;
    }
    *status = FC_OK;
    if (is_repeated(o, p->base[i]))
        *status = msg_usage(p->self, "--%s is given twice", o->name);
    else if (!store(o, p->base[i], optarg))
        *status = bad_value(p, o, optarg);
    return *status == FC_OK;
}

bool opt_parse_watched(const struct command *self, const struct opt_group *groups, int *argc,
                       char ***argv, enum fc_status *status, const struct opt_watch *watch)
{
    struct parser p;
    int c;

    parser_init(&p, self, groups);
    opterr = 0;
    optind = 0; /* glibc, musl: start afresh */
    while ((c = getopt_long(*argc, *argv, p.shorts, p.longs, NULL)) != -1) {
        size_t i = parser_find(&p, c);

        if (c == '?' || c == ':') {
            *status = complain(&p, c, (*argv)[optind - 1]);
            return false;
        }
        if (!take(&p, groups, i, status))
            return false;
        if (watch != NULL && (*status = watch->seen(watch->user, p.opts[i])) != FC_OK)
            return false;
    }
    *argc -= optind;
    *argv += optind;
    *status = FC_OK;
    return true;
}

bool opt_parse(const struct command *self, const struct opt_group *groups, int *argc, char ***argv,
               enum fc_status *status)
{
    return opt_parse_watched(self, groups, argc, argv, status, NULL);
}

void opt_help(FILE *f, const struct opt_group *groups)
{
    for (; groups->title != NULL; groups++) {
        fprintf(f, "\n%s:\n", groups->title);
        for (const struct opt *o = groups->opts; o->name != NULL; o++) {
            char left[80];
            int len = snprintf(left, sizeof(left), "  %c%c%c --%s%s%s", o->letter ? '-' : ' ',
                               o->letter ? o->letter : ' ', o->letter ? ',' : ' ', o->name,
                               o->arg ? " " : "", o->arg ? o->arg : "");

            if (len >= HELP_COLUMN)
                fprintf(f, "%s\n%*s%s\n", left, HELP_COLUMN, "", o->help);
            else
                fprintf(f, "%-*s%s\n", HELP_COLUMN, left, o->help);
        }
    }
}
