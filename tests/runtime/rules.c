/* rules [PATH]: reads addresses in the file of a shared object, or of this program, and prints for
   each the rule of the library's unwind.c: kind, register, distances in bytes or words.  Compiled
   with unwind.c, memory.c and text.c.

   rules damage TIMES: asks for rules of this program while the information is damaged, and prints
   how many there were of each kind. */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "state.h"
#include "unwind.h"

struct regmon_state regmon_state;
_Thread_local struct regmon_thread regmon_thread;

static const char *wanted;
static uintptr_t bias, table, segment, segment_end;

int main(int count, char **words);

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
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && bias + info->dlpi_phdr[i].p_vaddr <= table) {
            segment = bias + info->dlpi_phdr[i].p_vaddr;
            segment_end = segment + info->dlpi_phdr[i].p_memsz;
        }
    return 0;
}

/* Asks for rules while a few bytes of the information are others: a crash is the failure. */
static int damage(long times)
{
    static struct unwind unwind;
    const size_t bytes = segment_end - table, page = 4096, room = (bytes / page + 1) * page;
    char *pages =
        mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *copy = pages + room - bytes;
    long kinds[8] = {0};

    copy = (char *)((uintptr_t)copy & ~(uintptr_t)3);
    mprotect(pages + room, page, PROT_NONE);
    srand(1);
    for (long i = 0; i < times; i++) {
        memcpy(copy, (void *)table, bytes);
        for (int n = rand() % 8; n >= 0; n--)
            copy[(size_t)rand() % bytes] = (char)rand();
        for (int n = 0; n < 50; n++) {
            const uintptr_t address = (uintptr_t)main - 2000 + (uintptr_t)(rand() % 4000);

            kinds[unwind_rule_at(&unwind, (uintptr_t)copy, address - table + (uintptr_t)copy)
                      .kind]++;
        }
    }
    for (int kind = RULE_NONE; kind <= RULE_END; kind++)
        printf("%ld ", kinds[kind]);
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

    if (count > 2) {
        dl_iterate_phdr(note, NULL);
        return damage(atol(words[2]));
    }
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
