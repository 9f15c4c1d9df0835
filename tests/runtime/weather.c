/* weather SECONDS: a storm of signals in a program that the library might disturb, until each
   working thread has used so much CPU time.  Threads of a pool block all signals; another one gets
   SIGRTMIN all the time, whose handler has a frame of 100 KB; the main thread makes children that
   reset all signals and work, one after the other. Prints the number of calls of leaf in the
   parent.  Ends with 0 if all goes well. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define POOL 2
#define LARGE (100 << 10)

static double seconds;
static volatile int is_over;
static pthread_t hit;
static long calls[POOL + 1];
static volatile long handled;

__attribute__((noinline)) int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void work(long *count)
{
    while (cpu_seconds() < seconds)
        for (int i = 0; i < 1000; i++, ++*count)
            leaf(i);
}

static void handle(int number)
{
    volatile char frame[LARGE];

    for (int i = LARGE - 1; i >= 0; i -= 512)
        frame[i] = (char)number;
    leaf(frame[0]);
    handled++;
}

static void *work_blocked(void *count)
{
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    work(count);
    return NULL;
}

/* Goes on until it was hit. */
static void *work_hit(void *count)
{
    work(count);
    for (; !handled; ++*(long *)count)
        leaf(0);
    return NULL;
}

static void *send(void *unused)
{
    const struct timespec little = {0, 200000};

    do {
        pthread_kill(hit, SIGRTMIN);
        nanosleep(&little, NULL);
    } while (!is_over);
    return unused;
}

/* Is not ended by a clock of the library's. */
static int make_child(void)
{
    const pid_t child = fork();
    int status;

    if (!child) {
        clock_t end;

        for (int i = 1; i <= 64; i++)
            signal(i, SIG_DFL);
        end = clock() + CLOCKS_PER_SEC / 100;
        while (clock() < end)
            leaf(1);
        _exit(0);
    }
    return waitpid(child, &status, 0) != child || status;
}

int main(int count, char **words)
{
    const struct sigaction large = {.sa_handler = handle, .sa_flags = SA_RESTART};
    pthread_t pool[POOL], sender;
    sigset_t one, old;
    long sum;

    seconds = count > 1 ? atof(words[1]) : 1;
    sigaction(SIGRTMIN, &large, NULL);
    for (int i = 0; i < POOL; i++)
        pthread_create(&pool[i], NULL, work_blocked, &calls[i]);
    pthread_create(&hit, NULL, work_hit, &calls[POOL]);
    sigemptyset(&one);
    sigaddset(&one, SIGRTMIN);
    pthread_sigmask(SIG_BLOCK, &one, &old);
    pthread_create(&sender, NULL, send, NULL);
    while (pthread_tryjoin_np(pool[0], NULL))
        if (make_child())
            return 1;
    pthread_join(pool[1], NULL);
    is_over = 1;
    pthread_join(sender, NULL);
    pthread_join(hit, NULL);
    sum = handled;
    for (int i = 0; i <= POOL; i++)
        sum += calls[i];
    printf("%ld\n", sum);
    return 0;
}
