#include "machine.h"

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The first value of a field of /proc/cpuinfo. */
static void cpu_field(const char *field, char *dst, size_t size)
{
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[4096], *colon;

    snprintf(dst, size, "?");
    while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
        colon = strchr(line, ':');
        if (strncmp(line, field, strlen(field)) != 0 || colon == NULL)
            continue;
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(dst, size, "%s", colon + (colon[1] == ' ' ? 2 : 1));
        break;
    }
    if (f != NULL)
        fclose(f);
}

void machine_load(char *dst, size_t size)
{
    FILE *f = fopen("/proc/loadavg", "r");

    if (f == NULL || fgets(dst, (int)size, f) == NULL)
        snprintf(dst, size, "?");
    dst[strcspn(dst, "\n")] = '\0';
    if (f != NULL)
        fclose(f);
}

void machine_notes(struct bench_table *table)
{
    char cpu[128], family[16], model[16], load[128];
    struct utsname uts;

    cpu_field("model name", cpu, sizeof(cpu));
    cpu_field("cpu family", family, sizeof(family));
    cpu_field("model\t", model, sizeof(model));
    machine_load(load, sizeof(load));
    bench_table_note(table, "cpu", "%s, family %s model %s, %ld online", cpu, family, model,
                     sysconf(_SC_NPROCESSORS_ONLN));
    if (uname(&uts) == 0)
        bench_table_note(table, "system", "%s %s %s", uts.sysname, uts.release, uts.machine);
    bench_table_note(table, "load", "%s", load);
}
