/* interrupted: a handler without SA_RESTART ends sem_wait.  Ends with 0 if it does, and with 3
   if dlerror tells of an error before the program has made one. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static volatile int is_over;
static pthread_t waiting;

static void handle(int number)
{
    (void)number;
}

static void *interrupt(void *data)
{
    while (!is_over) {
        pthread_kill(waiting, SIGUSR1);
        usleep(1000);
    }
    return data;
}

int main(void)
{
    const struct sigaction action = {.sa_handler = handle};
    pthread_t thread;
    sem_t never;
    int result;

    if (dlerror())
        return 3;
    sem_init(&never, 0, 0);
    sigaction(SIGUSR1, &action, NULL);
    waiting = pthread_self();
    pthread_create(&thread, NULL, interrupt, NULL);
    result = sem_wait(&never) == -1 && errno == EINTR ? 0 : 2;
    is_over = 1;
    pthread_join(thread, NULL);
    return result;
}
