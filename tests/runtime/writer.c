/* writer CALLS SAMPLES HZ [parts]: the library's writer of files, with an arc of so many calls, a
   bin of so many samples, and one of 3 far from it, in a program that is not profiled itself.  With
   parts: only the parts of the code with samples. */
#include <stdlib.h>

#include "gmon_file.h"
#include "table.h"

static struct out_file out = {.directory = AT_FDCWD, .room = UINT64_MAX};

extern char __executable_start, etext;

__attribute__((noinline)) int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

__asm__(".text; .skip 100000");

int main(int count, char **words)
{
    struct object program = {.low = (uintptr_t)&__executable_start, .high = (uintptr_t)&etext};
    struct entry entries[] = {{0, (uintptr_t)main + 8, (uintptr_t)leaf + 4, 0},
                              {0, SAMPLE, (uintptr_t)leaf + 2, 0},
                              {0, SAMPLE, (uintptr_t)main + 2, 3}};

    if (count < 4)
        return 2;
    program.is_in_parts = count > 4;
    program.high &= ~(uintptr_t)1;
    entries[0].count = strtoul(words[1], NULL, 10);
    entries[1].count = strtoul(words[2], NULL, 10);
    return gmon_write(&out, "gmon.out", &program, (unsigned)atoi(words[3]), entries, 3) != 0 ||
           leaf(0) != 1;
}
