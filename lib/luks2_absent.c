#include "luks2.h"

enum fc_status fc_luks2_absent(struct fc_err *err)
{
    fc_err_set(err, FC_ERR_USAGE, "this fcrypt was built without LUKS2");
    return fc_err_hint(err, "build it with json-c and libargon2 (-DFCRYPT_LUKS2=ON)");
}
