/* share HOW [MILLISECONDS]: a thread works until its own CPU clock has reached so much, 500 if it
   is not said, and the main thread waits.  `blocked': it blocks SIGSTKFLT by the kernel's call
   itself; `open': not.  `table' tests the function that decides what is said. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"

#define SECOND 1000000000ull

__attribute__((noinline)) int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

static int is_blocking;
static unsigned long long work_ns = SECOND / 2;

static void *work(void *unused)
{
    const unsigned long samples = 1ul << (SIGSTKFLT - 1);
    struct timespec now;

    leaf(1);
    if (is_blocking)
        syscall(SYS_rt_sigprocmask, SIG_BLOCK, &samples, NULL, 8);
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while ((unsigned long long)now.tv_sec * SECOND + (unsigned long long)now.tv_nsec < work_ns);
    return unused;
}

static int decide(void)
{
    static const struct {
        unsigned long long cpu, samples;
        unsigned hz, percent;
    } rows[] = {
        {0, 0, 100, 0},
        {SECOND / 10, 0, 100, 0},          /* 0.1 s */
        {SECOND / 10 + 1, 0, 100, 100},    /* more */
        {10 * SECOND, 950, 100, 0},        /* 5 % */
        {10 * SECOND, 949, 100, 5},        /* more */
        {10 * SECOND, 500, 100, 50},       /* half */
        {10 * SECOND, 2000, 100, 0},       /* more samples than time */
        {SECOND, 250, 1000, 75},           /* a clock that loses samples */
        {1000000 * SECOND, 0, 50000, 100}, /* large numbers */
        {SECOND, 890, 1000, 11},           /* 0.11 s */
        {SECOND, 900, 1000, 0},            /* 0.1 s */
        {2 * SECOND, 0, 1, 0},             /* two periods */
        {3 * SECOND, 0, 1, 100},           /* more */
    };

    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (clock_percent_missing(rows[i].cpu, rows[i].samples, rows[i].hz) != rows[i].percent)
            return (int)i + 1;
    return 0;
}

int main(int count, char **words)
{
    pthread_t thread;

    if (count > 1 && !strcmp(words[1], "table"))
        return decide();
    is_blocking = count > 1 && !strcmp(words[1], "blocked");
    if (count > 2)
        work_ns = strtoull(words[2], NULL, 10) * 1000000;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
