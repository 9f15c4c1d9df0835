/* writer CALLS SAMPLES HZ: the library's writer of files, with an arc of so many calls and a bin of
   so many samples, in a program that is not profiled itself. */
#include <stdlib.h>

#include "gmon_file.h"
#include "table.h"

static struct out_file out;

extern char __executable_start, etext;

__attribute__((noinline)) int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

int main(int count, char **words)
{
    struct object program = {.low = (uintptr_t)&__executable_start, .high = (uintptr_t)&etext};
    struct entry entries[] = {{0, (uintptr_t)main + 8, (uintptr_t)leaf + 4, 0},
                              {0, SAMPLE, (uintptr_t)leaf + 2, 0}};

    if (count != 4)
        return 2;
    program.high &= ~(uintptr_t)1;
    entries[0].count = strtoul(words[1], NULL, 10);
    entries[1].count = strtoul(words[2], NULL, 10);
    return gmon_write(&out, "gmon.out", &program, (unsigned)atoi(words[3]), entries, 2) != 0 ||
           leaf(0) != 1;
}
