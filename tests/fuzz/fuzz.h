/*
 * A fuzzer is one function, in libFuzzer's form: it returns 0 and aborts where a promise of the
 * library's headers is broken. With FCRYPT_FUZZ libFuzzer drives it, else driver.c.
 */
#ifndef FC_FUZZ_H
#define FC_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static inline void fuzz_require(int holds)
{
    if (!holds)
        abort();
}

#endif
