/* sigprof HOW: handles SIGPROF itself (`handle') or not, and burns 100 ms. */
#include <signal.h>
#include <string.h>
#include <time.h>

static void handle(int number)
{
    (void)number;
}

int main(int count, char **words)
{
    struct timespec now;

    if (count == 2 && !strcmp(words[1], "handle"))
        signal(SIGPROF, handle);
    do {
        for (volatile int i = 0; i < 100000; i++)
            ;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    } while (now.tv_sec == 0 && now.tv_nsec < 100000000);
    return 0;
}
