/* kernel WRITES: a thread writes blocks into a pipe, which a second one reads.  Ends with 1 if a
   write was short, as one is that a signal has interrupted. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK (1 << 20)

static int ends[2];

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

int main(int count, char **words)
{
    static char from[BLOCK], to[BLOCK];
    pthread_t reader;
    int cut = 0;

    if (count != 2 || pipe(ends) || pthread_create(&reader, NULL, drain, to))
        return 2;
    for (int i = atoi(words[1]); i > 0; i--)
        cut += put(from);
    close(ends[1]);
    pthread_join(reader, NULL);
    printf("%d\n", cut);
    return cut != 0;
}
