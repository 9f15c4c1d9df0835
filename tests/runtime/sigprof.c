/* sigprof HOW [MILLISECONDS]: uses so much CPU time, 100 ms if it is not said.  `ticks': a timer of
   its own sends SIGPROF after each 50 ms of that; `late': after 5 s.  Ends with 0 if its handler
   was not called more often. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static volatile long handled;

static long cpu_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void handle(int number)
{
    handled += number == SIGPROF;
}

static void set_timer(long ms)
{
    const struct timeval period = {ms / 1000, ms % 1000 * 1000};
    const struct itimerval times = {period, period};

    signal(SIGPROF, handle);
    setitimer(ITIMER_PROF, &times, NULL);
}

int main(int count, char **words)
{
    const char *how = count > 1 ? words[1] : "";
    const long start = cpu_ms(), end = start + (count > 2 ? atol(words[2]) : 100);
    const long period = strcmp(how, "ticks") == 0 ? 50 : strcmp(how, "late") == 0 ? 5000 : 0;

    if (period)
        set_timer(period);
    while (cpu_ms() < end)
        for (volatile int i = 0; i < 100000; i++)
            ;
    return period && handled > (cpu_ms() - start) / period + 1;
}
