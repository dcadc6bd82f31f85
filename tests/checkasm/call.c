/*
 * Calls a kernel and looks at what it leaves behind.
 */
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "checkasm.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif

enum { FAR = 1 << 20 }; /* an address this far from an argument has nothing to do with it */

static sigjmp_buf crash_jump;
static volatile sig_atomic_t in_call;
static siginfo_t crash;

static void on_crash(int sig, siginfo_t *info, void *context)
{
    (void)context;
    if (in_call) {
        crash = *info;
        siglongjmp(crash_jump, 1);
    }
    signal(sig, SIG_DFL);
    raise(sig);
}

static void catch_crashes(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL};
    static bool done;
    struct sigaction sa = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO};

    if (done)
        return;
    done = true;
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        sigaction(signals[i], &sa, NULL);
}

static int64_t distance(uint64_t from, uint64_t to)
{
    return (int64_t)(to - from);
}

static uint64_t magnitude(int64_t v)
{
    return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

/* Notes the crash in c, with the address as seen from the nearest argument. */
static void judge_crash(const struct checked_call *call, struct check *c, const char *where)
{
    uint64_t address = CALL_PTR(crash.si_addr);
    size_t nearest = 0;

    if (crash.si_signo == SIGILL) {
        check_fail(c, "%s: uses an instruction that this CPU lacks", where);
        return;
    }
    for (size_t i = 1; i < 6; i++)
        if (magnitude(distance(call->arg[i], address)) <
            magnitude(distance(call->arg[nearest], address)))
            nearest = i;
    if (magnitude(distance(call->arg[nearest], address)) < FAR)
        check_fail(c, "%s: touches memory outside: argument %zu %+lld", where, nearest + 1,
                   (long long)distance(call->arg[nearest], address));
    else
        check_fail(c, "%s: touches memory outside, or a misaligned address", where);
}

#ifdef FC_X86_64_ASM

_Static_assert(offsetof(struct checked_call, fn) == CALL_FN, "");
_Static_assert(offsetof(struct checked_call, arg) == CALL_ARG, "");
_Static_assert(offsetof(struct checked_call, gpr_in) == CALL_GPR_IN, "");
_Static_assert(offsetof(struct checked_call, gpr_out) == CALL_GPR_OUT, "");
_Static_assert(offsetof(struct checked_call, rsp_in) == CALL_RSP_IN, "");
_Static_assert(offsetof(struct checked_call, rsp_out) == CALL_RSP_OUT, "");
_Static_assert(offsetof(struct checked_call, rflags) == CALL_RFLAGS, "");
_Static_assert(offsetof(struct checked_call, mxcsr_in) == CALL_MXCSR_IN, "");
_Static_assert(offsetof(struct checked_call, mxcsr_out) == CALL_MXCSR_OUT, "");
_Static_assert(offsetof(struct checked_call, width) == CALL_WIDTH, "");
_Static_assert(offsetof(struct checked_call, has_xinuse) == CALL_HAS_XINUSE, "");
_Static_assert(offsetof(struct checked_call, xinuse_in) == CALL_XINUSE_IN, "");
_Static_assert(offsetof(struct checked_call, xinuse_out) == CALL_XINUSE_OUT, "");
_Static_assert(offsetof(struct checked_call, stack) == CALL_STACK, "");
_Static_assert(offsetof(struct checked_call, vec) == CALL_VEC, "");

enum {
    RFLAGS_DF = 1 << 10,
    MXCSR_STATUS = 0x3f,        /* exception flags: the callee's to change */
    XINUSE_AVX_STATE = 0xe4,    /* upper halves, mask registers, zmm */
    CPUID_XSAVE_XINUSE = 1 << 2 /* leaf 0xd, subleaf 1, eax: XGETBV with ecx = 1 */
};

void checkasm_trampoline(struct checked_call *call);

static uint32_t vector_width(void)
{
    uint32_t f = fc_cpu_features();

    return f & FC_CPU_AVX512 ? 64 : f & FC_CPU_AVX2 ? 32 : 16;
}

/* Asked once: CPUID is slow where a hypervisor answers it. */
static bool has_xinuse(void)
{
    static bool asked, has;
    uint32_t a, b, c, d;

    if (!asked)
        has = vector_width() > 16 && __get_cpuid_count(0xd, 1, &a, &b, &c, &d) &&
              (a & CPUID_XSAVE_XINUSE);
    asked = true;
    return has;
}

/* Every register gets a value of its own, so that swapped ones are noticed too. CPUID is asked
 * once: it is slow in virtual machines. */
static void set_patterns(struct checked_call *call)
{
    static uint32_t width, xinuse;

    if (width == 0) {
        width = vector_width();
        xinuse = has_xinuse();
    }
    for (size_t i = 0; i < 6; i++)
        call->gpr_in[i] = 0x1122334455667700 + i;
    memset(call->vec, 0, sizeof(call->vec));
    for (size_t i = 0; i < 16; i++)
        memset(call->vec[i], (int)(0xc0 + i), 16);
    call->width = width;
    call->has_xinuse = xinuse;
    call->xinuse_in = call->xinuse_out = 0;
}

static bool all_zero(const uint8_t *p, size_t len)
{
    return p[0] == 0 && memcmp(p, p + 1, len - 1) == 0;
}

static void judge_convention(const struct checked_call *call, struct check *c, const char *where)
{
    static const char *const names[6] = {"rbx", "rbp", "r12", "r13", "r14", "r15"};

    for (size_t i = 0; i < 6; i++)
        if (call->gpr_in[i] != call->gpr_out[i])
            check_fail(c, "%s: %s is not preserved", where, names[i]);
    if (call->rsp_in != call->rsp_out)
        check_fail(c, "%s: the stack pointer is not preserved", where);
    if (call->rflags & RFLAGS_DF)
        check_fail(c, "%s: the direction flag is set", where);
    if ((call->mxcsr_in ^ call->mxcsr_out) & ~(uint32_t)MXCSR_STATUS)
        check_fail(c, "%s: the control bits of MXCSR are not preserved", where);
}

/* A vector register is as it was or zero, and nothing stands in its upper part. */
static void judge_vectors(const struct checked_call *call, struct check *c, const char *where)
{
    for (size_t i = 0; i < 32; i++) {
        const uint8_t *v = call->vec[i];
        bool untouched = i < 16 && v[0] == 0xc0 + i && memcmp(v, v + 1, 15) == 0;

        if (!untouched && !all_zero(v, 16))
            check_fail(c, "%s: vector register %zu (xmm%zu) is left behind", where, i, i);
        if (!all_zero(v + 16, 48))
            check_fail(c, "%s: the upper part of vector register %zu is left behind", where, i);
    }
    /* Where the CPU keeps track of it: the upper state must also count as unused, else mixing with
     * SSE code is slow. */
    if (call->has_xinuse && !(call->xinuse_in & XINUSE_AVX_STATE) &&
        (call->xinuse_out & XINUSE_AVX_STATE))
        check_fail(c, "%s: the upper vector state is left in use", where);
}

#else

static void set_patterns(struct checked_call *call)
{
    memset(call->stack, 0, sizeof(call->stack));
}

/* A 64-bit calling convention with whole registers: every argument here is one. */
static void checkasm_trampoline(struct checked_call *call)
{
    typedef void any_fn(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
    const uint64_t *a = call->arg;

    ((any_fn *)call->fn)(a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void judge_convention(const struct checked_call *call, struct check *c, const char *where)
{
    (void)call, (void)c, (void)where;
}

static void judge_vectors(const struct checked_call *call, struct check *c, const char *where)
{
    (void)call, (void)c, (void)where;
}

#endif

void call_set_args(struct checked_call *call, void (*fn)(void), const uint64_t args[6])
{
    call->fn = fn;
    memcpy(call->arg, args, sizeof(call->arg));
}

bool call_run(struct checked_call *call, struct check *c, const char *where)
{
    catch_crashes();
    set_patterns(call);
    if (sigsetjmp(crash_jump, 1) != 0) {
        in_call = 0;
        judge_crash(call, c, where);
        return false;
    }
    in_call = 1;
    checkasm_trampoline(call);
    in_call = 0;

    judge_convention(call, c, where);
    if (c->strict)
        judge_vectors(call, c, where);
    return true;
}

void call_seek(const struct checked_call *call, struct check *c, const char *where,
               const void *secret, size_t len)
{
    const uint8_t *s = secret;

    for (size_t k = 0; k < CALL_STACK_LEN; k += 8) {
        uint64_t half, slot;

        memcpy(&slot, call->stack + k, 8);
        if (slot == 0) /* most of them */
            continue;
        for (size_t i = 0; i + 8 <= len; i += 8) {
            memcpy(&half, s + i, 8);
            if (slot == half)
                check_fail(c, "%s: a secret is left on the stack", where);
        }
    }
}
