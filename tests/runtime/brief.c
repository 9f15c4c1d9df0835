/* brief: so many threads end at once that the next one begins without a perf clock; it gets one
   when it takes a sample.  Prints how many perf clocks its first sample makes, of the first thread
   and of the last one. */
#include <pthread.h>
#include <stdio.h>

#include "perf_clocks.h"
#include "sample.h"

static void *end(void *argument)
{
    return argument;
}

static void *look(void *argument)
{
    const int before = count_perf_clocks();

    take_sample();
    printf("%d\n", count_perf_clocks() - before);
    return argument;
}

static void run(void *(*function)(void *))
{
    pthread_t thread;

    pthread_create(&thread, NULL, function, NULL);
    pthread_join(thread, NULL);
}

int main(void)
{
    run(look);
    for (int i = 0; i < 400; i++)
        run(end);
    run(look);
    return 0;
}
