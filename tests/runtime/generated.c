/* generated: takes a sample in a function that generated code calls, of which nothing is known: it
   uses the frame pointer for another value. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* push %rbp; mov $64,%ebp; call *%rdi; pop %rbp; ret */
static const unsigned char code[] = {0x55, 0xbd, 0x40, 0, 0, 0, 0xff, 0xd7, 0x5d, 0xc3};

__attribute__((noinline)) void called_back(void)
{
    siginfo_t info;

    memset(&info, 0, sizeof info);
    info.si_signo = SIGPROF;
    info.si_code = SI_TIMER;
    if (syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), SIGPROF, &info))
        exit(10);
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
