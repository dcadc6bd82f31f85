#include "err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum fc_status fc_err_set(struct fc_err *err, enum fc_status status, const char *fmt, ...)
{
    if (err != NULL) {
        va_list ap;

        va_start(ap, fmt);
        vsnprintf(err->what, sizeof(err->what), fmt, ap);
        va_end(ap);
        err->status = status;
        err->sys = 0;
        err->output = false;
        err->hint[0] = '\0';
    }
    return status;
}

enum fc_status fc_err_sys(struct fc_err *err, int sys, const char *fmt, ...)
{
    enum fc_status status = sys == ENOMEM ? FC_ERR_LIMIT : FC_ERR_IO;

    if (err != NULL) {
        size_t used;
        va_list ap;

        va_start(ap, fmt);
        vsnprintf(err->what, sizeof(err->what), fmt, ap);
        va_end(ap);
        used = strlen(err->what);
        snprintf(err->what + used, sizeof(err->what) - used, ": %s", strerror(sys));
        err->status = status;
        err->sys = sys;
        err->output = false;
        err->hint[0] = '\0';
    }
    return status;
}

enum fc_status fc_err_hint(struct fc_err *err, const char *fmt, ...)
{
    va_list ap;

    if (err == NULL)
        return FC_OK;
    va_start(ap, fmt);
    vsnprintf(err->hint, sizeof(err->hint), fmt, ap);
    va_end(ap);
    return err->status;
}
