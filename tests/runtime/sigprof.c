/* sigprof HOW [MILLISECONDS]: handles SIGPROF itself (`handle') or not, and uses so much CPU time,
   100 ms if it is not said. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long cpu_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void handle(int number)
{
    (void)number;
}

int main(int count, char **words)
{
    const long end = cpu_ms() + (count > 2 ? atol(words[2]) : 100);

    if (count > 1 && !strcmp(words[1], "handle"))
        signal(SIGPROF, handle);
    while (cpu_ms() < end)
        for (volatile int i = 0; i < 100000; i++)
            ;
    return 0;
}
