/* control THREADS: so many threads call leaf 1,000 times and burn 50 ms in `on', do the same in
   `off' while moncontrol has stopped everything, and again in `on'. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "regmon.h"

static pthread_barrier_t all_are_here;

__attribute__((noinline)) int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

static long cpu_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#define CALL_AND_BURN                                                                              \
    for (int i = 0; i < 1000; i++)                                                                 \
        leaf(i);                                                                                   \
    for (const long end = cpu_ms() + 50; cpu_ms() < end;)                                          \
        for (volatile int i = 0; i < 10000; i++)                                                   \
            ;

__attribute__((noinline)) static void on(void)
{
    CALL_AND_BURN
}

__attribute__((noinline)) static void off(void)
{
    CALL_AND_BURN
}

/* One thread switches while the others wait. */
static void switch_to(int mode)
{
    if (pthread_barrier_wait(&all_are_here) == PTHREAD_BARRIER_SERIAL_THREAD)
        moncontrol(mode);
    pthread_barrier_wait(&all_are_here);
}

static void *work(void *result)
{
    on();
    switch_to(0);
    off();
    switch_to(1);
    on();
    return result;
}

int main(int count, char **words)
{
    const int threads = count == 2 ? atoi(words[1]) : 0;
    pthread_t thread[16];

    if (threads < 1 || threads > 16)
        return 2;
    pthread_barrier_init(&all_are_here, NULL, (unsigned)threads);
    for (int i = 0; i < threads; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
