/* addresses THREADS: so many threads are there at once, each of which has made a profiled call, and
   memory can still be allocated.  Ends with 0 if there were enough addresses. */
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t all_are_there, has_ended;

__attribute__((noinline)) int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

static void *run(void *data)
{
    leaf(1);
    pthread_barrier_wait(&all_are_there);
    pthread_barrier_wait(&has_ended);
    return data;
}

int main(int count, char **words)
{
    const unsigned threads = count > 1 ? (unsigned)atoi(words[1]) : 1;
    pthread_t *thread = malloc(threads * sizeof *thread);
    pthread_attr_t attributes;
    void *block;

    pthread_barrier_init(&all_are_there, NULL, threads + 1);
    pthread_barrier_init(&has_ended, NULL, threads + 1);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 << 10);
    for (unsigned i = 0; i < threads; i++)
        if (pthread_create(&thread[i], &attributes, run, NULL))
            exit(1);
    pthread_barrier_wait(&all_are_there);
    block = malloc(100 << 20);
    pthread_barrier_wait(&has_ended);
    for (unsigned i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    return block ? 0 : 2;
}
