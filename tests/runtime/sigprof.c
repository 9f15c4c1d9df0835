/* sigprof HOW [MILLISECONDS]: uses so much CPU time, 100 ms if it is not said.  `ticks': a timer of
   its own sends SIGPROF after each 50 ms of that, and it goes on until one has come; `late': after
   5 s.  Ends with 0 if its handler was called for nothing but this timer. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static volatile long handled, others;

static long cpu_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void handle(int number, siginfo_t *signal, void *context)
{
    (void)context;
    handled += number == SIGPROF;
    others += signal->si_code != SI_KERNEL; /* clocks of the library have SI_TIMER, or POLL_IN */
}

static void set_timer(long ms)
{
    const struct timeval period = {ms / 1000, ms % 1000 * 1000};
    const struct itimerval times = {period, period};
    const struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART};

    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &times, NULL);
}

int main(int count, char **words)
{
    const char *how = count > 1 ? words[1] : "";
    const long end = cpu_ms() + (count > 2 ? atol(words[2]) : 100);
    const int has_ticks = strcmp(how, "ticks") == 0, is_late = strcmp(how, "late") == 0;

    if (has_ticks || is_late)
        set_timer(has_ticks ? 50 : 5000);
    while (cpu_ms() < end || (has_ticks && !handled))
        for (volatile int i = 0; i < 100000; i++)
            ;
    return others || (is_late && handled);
}
