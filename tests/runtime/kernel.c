/* kernel TIMES: a thread writes blocks into a pipe, which a second one reads, and two others send
   bytes to and fro, for which they wait by poll, select, epoll_wait and recv.  Prints how many
   writes were short and how many waits failed, as when a signal has interrupted them. */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#define BLOCK (1 << 20)

static int ends[2], pair[2], times;
static int failed;

__attribute__((noinline)) static int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

static void *drain(void *memory)
{
    while (read(ends[0], memory, BLOCK) > 0)
        ;
    return NULL;
}

__attribute__((noinline)) static int put(const char *block)
{
    return write(ends[1], block, BLOCK) != BLOCK;
}

/* Returns 1 if the wait was good. */
static int await(int fd, int epoll, int how)
{
    struct pollfd one = {.fd = fd, .events = POLLIN};
    struct epoll_event event;
    fd_set set;

    if (how == 0)
        return poll(&one, 1, -1);
    if (how == 1)
        return epoll_wait(epoll, &event, 1, -1);
    if (how == 3)
        return 1; /* recv waits itself */
    FD_ZERO(&set);
    FD_SET(fd, &set);
    return select(fd + 1, &set, NULL, NULL, NULL);
}

/* Works a little between receiving and sending, so that clocks tick here, too. */
static void *play(void *fd_of_side)
{
    const int fd = *(int *)fd_of_side, epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    char byte = 0;

    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    for (int i = 0; i < 4 * times; i++) {
        for (int k = 0; k < 2000; k++)
            leaf(k);
        if (fd == pair[0] && send(fd, &byte, 1, 0) != 1)
            __atomic_fetch_add(&failed, 1, __ATOMIC_RELAXED);
        while (await(fd, epoll, i % 4) != 1)
            __atomic_fetch_add(&failed, 1, __ATOMIC_RELAXED);
        while (recv(fd, &byte, 1, 0) != 1)
            __atomic_fetch_add(&failed, 1, __ATOMIC_RELAXED);
        if (fd == pair[1] && send(fd, &byte, 1, 0) != 1)
            __atomic_fetch_add(&failed, 1, __ATOMIC_RELAXED);
    }
    close(epoll);
    return NULL;
}

int main(int count, char **words)
{
    static char from[BLOCK], to[BLOCK];
    pthread_t reader, player[2];
    int cut = 0;

    times = count == 2 ? atoi(words[1]) : 0;
    if (!times || pipe(ends) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) ||
        pthread_create(&reader, NULL, drain, to))
        return 2;
    for (int i = 0; i < 2; i++)
        pthread_create(&player[i], NULL, play, &pair[i]);
    for (int i = 0; i < times; i++)
        cut += put(from);
    close(ends[1]);
    pthread_join(reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(player[i], NULL);
    printf("%d %d\n", cut, failed);
    return cut || failed;
}
