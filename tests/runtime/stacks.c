/* stacks MILLISECONDS: three threads.  `work' gets 99 % of its time from `costly' and 1 % from
   `cheap', by as many calls of each; `tiny' is entered and left most of the time; `deep' calls
   itself; `copies' calls memcpy. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static volatile int sink;
static char from[1 << 16], to[1 << 16];
static long limit_ns;

static int goes_on(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec < limit_ns;
}

__attribute__((noinline)) void work(int n)
{
    for (volatile int i = 0; i < n; i++)
        sink = i;
}

__attribute__((noinline)) void cheap(void)
{
    for (int i = 0; i < 10; i++)
        work(1000);
}

__attribute__((noinline)) void costly(void)
{
    for (int i = 0; i < 10; i++)
        work(99000);
}

__attribute__((noinline)) int tiny(int x)
{
    return x + 1;
}

__attribute__((noinline)) int hot(int x)
{
    for (int i = 0; i < 10000; i++)
        x = tiny(x);
    return x;
}

__attribute__((noinline)) void deep(int n)
{
    if (n > 0)
        deep(n - 1);
    else
        work(10000);
    sink++;
}

__attribute__((noinline)) void copies(void)
{
    for (int i = 0; i < 10; i++) {
        memcpy(to, from, sizeof to);
        sink = to[i];
    }
}

static void *work_of_thread(void *which)
{
    while (goes_on())
        if (which == NULL) {
            cheap();
            costly();
        } else if (which == &sink) {
            sink = hot(sink);
        } else {
            deep(700);
            copies();
        }
    return NULL;
}

int main(int count, char **words)
{
    void *const which[] = {NULL, (void *)&sink, from};
    pthread_t threads[3];

    limit_ns = count == 2 ? atol(words[1]) * 1000000 : 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work_of_thread, which[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
