/* loop THREADS CALLS: so many threads call leaf so many times in all, evenly. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long calls_per_thread;

__attribute__((noinline)) int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

static void *work(void *result)
{
    int sum = 0;

    for (long i = 0; i < calls_per_thread; i++)
        sum = leaf(sum);
    return result;
}

int main(int count, char **words)
{
    const int threads = count == 3 ? atoi(words[1]) : 0;
    pthread_t thread[64];

    if (threads < 1 || threads > 64)
        return 2;
    calls_per_thread = atol(words[2]) / threads;
    if (threads == 1) /* also in a process that has one thread */
        work(NULL);
    for (int i = 0; threads > 1 && i < threads; i++)
        if (pthread_create(&thread[i], NULL, work, NULL))
            return 2;
    for (int i = 0; threads > 1 && i < threads; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
