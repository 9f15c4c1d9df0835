/* perf_clocks.h - counts the perf clocks of the process. */
#include <stdio.h>
#include <string.h>

static inline int count_perf_clocks(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    int count = 0;

    while (maps && fgets(line, sizeof line, maps))
        count += strstr(line, "perf_event") != NULL;
    if (maps)
        fclose(maps);
    return count;
}
