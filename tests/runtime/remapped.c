/* remapped TIMES: takes samples in a function that generated code calls, whose frame pointer points
   to memory that another thread maps and unmaps all the time. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sample.h"

#define STACK_BYTES ((size_t)256 << 10)
#define PAGE ((size_t)4096)

static char *memory; /* a stack, and a page behind it */
static long times;
static volatile int has_ended;

__attribute__((noinline)) void called_back(void)
{
    take_sample();
}

/* push %rbp; mov $ADDRESS,%rbp; call *%rdi; pop %rbp; ret */
static void call_by_generated_code(void (*function)(void))
{
    static const unsigned char start[] = {0x55, 0x48, 0xbd}, end[] = {0xff, 0xd7, 0x5d, 0xc3};
    const char *address = memory + STACK_BYTES + 64;
    unsigned char *code =
        mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    memcpy(code, start, sizeof start);
    memcpy(code + sizeof start, &address, sizeof address);
    memcpy(code + sizeof start + sizeof address, end, sizeof end);
    for (long i = 0; i < times; i++)
        ((void (*)(void (*)(void)))code)(function);
}

static void *call_often(void *unused)
{
    call_by_generated_code(called_back);
    has_ended = 1;
    return unused;
}

int main(int count, char **words)
{
    pthread_attr_t attributes;
    pthread_t thread;

    times = count > 1 ? atol(words[1]) : 1;
    memory =
        mmap(NULL, STACK_BYTES + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, memory, STACK_BYTES);
    if (pthread_create(&thread, &attributes, call_often, NULL))
        return 1;
    while (!has_ended) {
        munmap(memory + STACK_BYTES, PAGE);
        mmap(memory + STACK_BYTES, PAGE, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    }
    return pthread_join(thread, NULL);
}
