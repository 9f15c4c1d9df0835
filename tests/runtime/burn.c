/* burn THREADS MILLISECONDS: each thread uses so much CPU time, two thirds of it in `twice' and one
   in `once'.  Prints the CPU time of all threads in nanoseconds. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long slice_ns;

static long cpu_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec;
}

/* Looks at the clock so rarely that its time is in this program's code. */
#define BURN(ns)                                                                                   \
    for (const long end = cpu_ns() + (ns); cpu_ns() < end;)                                        \
        for (volatile int i = 0; i < 100000; i++)                                                  \
            ;

__attribute__((noinline)) void once(void)
{
    BURN(slice_ns)
}

__attribute__((noinline)) void twice(void)
{
    BURN(2 * slice_ns)
}

static void *work(void *result)
{
    for (int i = 0; i < 10; i++) {
        once();
        twice();
    }
    *(long *)result = cpu_ns();
    return NULL;
}

int main(int count, char **words)
{
    const int threads = count == 3 ? atoi(words[1]) : 0;
    pthread_t thread[16];
    long ns[16], all = 0;

    slice_ns = count == 3 ? atol(words[2]) * 1000000 / 30 : 0;
    for (int i = 0; i < threads; i++)
        pthread_create(&thread[i], NULL, work, &ns[i]);
    for (int i = 0; i < threads; i++) {
        pthread_join(thread[i], NULL);
        all += ns[i];
    }
    printf("%ld\n", all);
    return 0;
}
