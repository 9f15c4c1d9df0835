/* A server that returns from main after SIGTERM, so that its profile is written. */
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t is_ending;

static void end(int number)
{
    (void)number;
    is_ending = 1;
}

static void serve(void)
{
    usleep(1000);
}

int main(void)
{
    signal(SIGTERM, end);
    while (!is_ending)
        serve();
    return 0;
}
