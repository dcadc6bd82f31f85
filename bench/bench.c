#include "fcrypt_bench.h"
#include "suite.h"

enum fc_status fc_bench_run(const struct fc_bench_config *config, struct fc_err *err)
{
    struct suite suite = {.config = *config, .lap_ns = SUITE_LAP_NS};

    suite_run(&suite);
    *err = suite.err;
    return err->status;
}

enum fc_status fc_bench_list(const struct fc_bench_config *config, fc_bench_visit_fn *visit,
                             void *user, struct fc_err *err)
{
    struct suite suite = {.config = *config, .visit = visit, .user = user};

    suite_list(&suite);
    *err = suite.err;
    return err->status;
}
