/* rules [PATH]: reads addresses in the file of a shared object, or of this program, and prints for
   each the rule of the library's unwind.c: kind, register, distances in bytes or words.  Compiled
   with unwind.c, memory.c and text.c. */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"
#include "unwind.h"

struct regmon_state regmon_state;

static const char *wanted;
static uintptr_t bias, table;

static int note(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    if (table || (wanted && !strstr(info->dlpi_name, wanted)))
        return 0;
    bias = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
            table = bias + info->dlpi_phdr[i].p_vaddr;
    return 0;
}

static long long far(unsigned long long word, unsigned bits)
{
    return (long long)rule_distance(word, bits) * 8;
}

int main(int count, char **words)
{
    static struct unwind unwind;
    unsigned long address;

    wanted = count > 1 ? strrchr(words[1], '/') : NULL;
    if (wanted && !dlopen(words[1], RTLD_NOW))
        return 2;
    dl_iterate_phdr(note, NULL);
    if (!table)
        return 3;
    while (scanf("%lx", &address) == 1) {
        const struct unwind_rule r = unwind_rule_at(&unwind, table, bias + address);

        printf("%d %d %lld %d %lld %lld %d\n", r.kind, r.base, far(r.cfa, 20), r.more * 8,
               far(r.link, 20), r.fp <= FP_AT_FP ? r.fp : far(r.link, 20) + far(r.fp, 8), r.rbx);
    }
    return 0;
}
