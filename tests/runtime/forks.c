/* forks N: four threads call leaf and fork now and then; N children call it 10 times each.  Prints
   how often the parent has called it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int children_per_thread;

__attribute__((noinline)) int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

static void *work(void *result)
{
    for (int i = 0; i < children_per_thread; i++) {
        pid_t child;

        for (int k = 0; k < 1000; k++)
            leaf(k);
        child = fork();
        if (child < 0)
            exit(2);
        if (child == 0) {
            for (int k = 0; k < 10; k++)
                leaf(k);
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
    return result;
}

int main(int count, char **words)
{
    pthread_t thread[4];

    children_per_thread = count == 2 ? atoi(words[1]) / 4 : 0;
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    printf("%d\n", 4 * children_per_thread * 1000);
    return 0;
}
