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

void machine_note_load(struct bench_table *table, const char *name)
{
    FILE *f = fopen("/proc/loadavg", "r");
    char load[128];

    if (f == NULL || fgets(load, sizeof(load), f) == NULL)
        snprintf(load, sizeof(load), "?");
    if (f != NULL)
        fclose(f);
    load[strcspn(load, "\n")] = '\0';
    bench_table_note(table, name, "%s", load);
}

void machine_notes(struct bench_table *table)
{
    char cpu[128], family[16], model[16];
    struct utsname uts;

    cpu_field("model name", cpu, sizeof(cpu));
    cpu_field("cpu family", family, sizeof(family));
    cpu_field("model\t", model, sizeof(model));
    bench_table_note(table, "cpu", "%s, family %s model %s, %ld online", cpu, family, model,
                     sysconf(_SC_NPROCESSORS_ONLN));
    if (uname(&uts) == 0)
        bench_table_note(table, "system", "%s %s %s", uts.sysname, uts.release, uts.machine);
    machine_note_load(table, "load");
}
