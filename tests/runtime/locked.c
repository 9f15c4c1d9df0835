/* locked: locks its memory, as another user than root, who may lock as much as he likes; calls leaf
   1,000 times; prints how many KB its mappings have.  Ends with 0, or what mlockall says. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOBODY 65534

__attribute__((noinline)) int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

static long mapped(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long pages = -1;

    if (file && fscanf(file, "%ld", &pages) != 1)
        pages = -1;
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(void)
{
    for (int i = 0; i < 1000; i++)
        leaf(i);
    printf("%ld\n", mapped());
    if (geteuid() == 0 && setuid(NOBODY) != 0)
        return 77;
    return mlockall(MCL_CURRENT) == 0 ? 0 : errno;
}
