/* split: a recursion on a stack of many parts (-fsplit-stack), until the thread has used 0.3 s of
 * CPU time. */
#include <pthread.h>
#include <time.h>

#define DEPTH 30000

__attribute__((noinline)) static int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x;
}

__attribute__((noinline)) static int deep(int depth, volatile const char *below)
{
    volatile char frame[200];

    frame[0] = *below;
    return depth ? deep(depth - 1, frame) + leaf(frame[0]) : frame[0];
}

static void *run(void *result)
{
    const char zero = 0;
    struct timespec now;

    do
        if (deep(DEPTH, &zero) || clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now))
            return NULL;
    while (now.tv_sec == 0 && now.tv_nsec < 300000000);
    return result;
}

int main(void)
{
    pthread_attr_t small;
    pthread_t thread;
    void *result = NULL;

    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    if (pthread_create(&thread, &small, run, &thread) || pthread_join(thread, &result))
        return 1;
    return result ? 0 : 2;
}
