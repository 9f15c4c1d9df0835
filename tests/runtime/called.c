/* called [calls]: samples where the C library calls back, where threads start, and, without
   `calls', where signals interrupt. */
#include <pthread.h>

#include "take.h"

APART static int compare(const void *a, const void *b)
{
    static int calls;

    if (calls++ % 7 == 0)
        take("qsort");
    return *(const int *)a - *(const int *)b;
}

APART static int find(const void *a, const void *b)
{
    take("bsearch");
    return *(const int *)a - *(const int *)b;
}

APART static void handle(int number)
{
    (void)number;
    take("handler");
}

APART static void handle_with_stack(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    (void)context;
    take("handler on a stack");
}

APART static int compare_by_signal(const void *a, const void *b)
{
    return raise(SIGUSR1) + (a == b);
}

/* Not by `signal': qemu 7.2 takes the word behind the mask of RISC-V for the mask, and there the C
   library passes on what was on its stack, so that a sample may have to wait for the handler's end.
 */
APART static void raise_in_comparison(int number)
{
    const struct sigaction action = {.sa_handler = handle};
    int values[] = {2, 1};

    sigaction(number, &action, NULL);
    qsort(values, 2, sizeof values[0], compare_by_signal);
}

APART static void *start(void *argument)
{
    take("thread");
    return argument;
}

APART static void *start_deep(void *argument)
{
    char *room = __builtin_alloca(3000);

    memset(room, 1, 3000);
    take("thread with a large frame");
    return room == argument ? room : NULL;
}

APART static void leave(void)
{
    take("atexit");
}

int main(int count, char **words)
{
    void *(*const starts[])(void *) = {start, start_deep};
    stack_t stack = {.ss_sp = malloc(100000), .ss_size = 100000};
    struct sigaction action = {.sa_sigaction = handle_with_stack,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK};
    int values[40];
    pthread_t thread;

    atexit(leave);
    for (int i = 0; i < 40; i++)
        values[i] = i * 7919 % 101;
    qsort(values, 40, sizeof values[0], compare);
    bsearch(&values[7], values, 40, sizeof values[0], find);
    if (count == 1) {
        raise_in_comparison(SIGUSR1);
        sigaltstack(&stack, NULL);
        sigaction(SIGUSR2, &action, NULL);
        raise(SIGUSR2);
    }
    for (int i = 0; i < 2; i++) {
        pthread_create(&thread, NULL, starts[i], NULL);
        pthread_join(thread, NULL);
    }
    return 0;
}
