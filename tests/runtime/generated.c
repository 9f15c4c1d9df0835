/* generated: takes a sample in a function that generated code calls, of which nothing is known: it
   uses the frame pointer for another value. */
#include <string.h>
#include <sys/mman.h>

#include "sample.h"

/* push %rbp; mov $64,%ebp; call *%rdi; pop %rbp; ret */
static const unsigned char code[] = {0x55, 0xbd, 0x40, 0, 0, 0, 0xff, 0xd7, 0x5d, 0xc3};

__attribute__((noinline)) void called_back(void)
{
    take_sample();
}

int main(void)
{
    void *memory = mmap(NULL, sizeof code, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    memcpy(memory, code, sizeof code);
    for (int i = 0; i < 200; i++)
        ((void (*)(void (*)(void)))memory)(called_back);
    return 0;
}
