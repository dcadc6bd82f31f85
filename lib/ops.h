/*
 * What the files behind fcrypt.h share: the context, deriving a slot's KEK, running the engine.
 */
#ifndef FC_OPS_H
#define FC_OPS_H

#include "chunk.h"
#include "engine.h"
#include "fcrypt.h"
#include "kdf.h"

/* Argon2id's answer to one passphrase, salt and cost. In secret memory, in a list. */
struct fc_kdf_entry {
    struct fc_kdf_entry *next;
    const uint8_t *pass;
    size_t pass_len;
    uint8_t salt[FC_SLOT_SALT_LEN];
    uint32_t passes;
    uint32_t mem_kib;
    uint8_t a[FC_ARGON2_OUT];
};

struct fc_ctx {
    struct fc_config config;
    struct fc_kdf_entry *kdf_cache;
    bool have_salt; /* slot_salt is set: shared by the files written in this run */
    uint8_t slot_salt[FC_SLOT_SALT_LEN];
};

/* fc_ops_note(ctx, fmt, ...): reports a line through config.note. */
void fc_ops_note(struct fc_ctx *ctx, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* fc_ops_check_costs(passes, mem_kib, err): Argon2id costs for something new. Errors: FC_ERR_USAGE;
 * FC_ERR_LIMIT: more than reading allows by default. */
enum fc_status fc_ops_check_costs(uint32_t passes, uint32_t mem_kib, struct fc_err *err);

/* fc_ops_kek(ctx, kek[32], slot, cred, err): the KEK of a slot of slot's kind, salt and costs;
 * Argon2id runs once for each passphrase, salt and costs. cred has the factors that the kind needs.
 * Errors: FC_ERR_LIMIT. */
enum fc_status fc_ops_kek(struct fc_ctx *ctx, uint8_t kek[FC_KEK_LEN], const struct fc_slot *slot,
                          const struct fc_cred *cred, struct fc_err *err);

/* fc_ops_run(ctx, payload, in_fd, out, seal, err): the payload through the engine: chunks of
 * plaintext from in_fd sealed into out, or sealed chunks opened. Errors: the engine's. */
enum fc_status fc_ops_run(struct fc_ctx *ctx, const struct fc_payload *payload, int in_fd,
                          const struct fc_out *out, bool seal, struct fc_err *err);

#endif
