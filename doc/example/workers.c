/* Eight threads that call one function a million times each. */
#include <pthread.h>

static volatile int total;

__attribute__((noinline)) static void step(int n)
{
    total = n;
}

static void *work(void *unused)
{
    for (int i = 0; i < 1000000; i++)
        step(i);
    return unused;
}

int main(void)
{
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        if (pthread_create(&threads[i], NULL, work, NULL) != 0)
            return 1;
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
