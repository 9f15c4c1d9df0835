/* translated HOW: takes samples in code that it has made, and in a function that such code calls.
   Says where the code is as translators do, in /tmp/perf-PID.map: a file, or what HOW says instead
   of one.  For x86-64. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "sample.h"

/* push %rbp; mov %rsp,%rbp; mov %rcx,%r10; mov $SYS_rt_tgsigqueueinfo,%eax; syscall; pop %rbp; ret
 */
static const unsigned char sampling[] = {0x55, 0x48, 0x89, 0xe5, 0x49, 0x89, 0xca, 0xb8,
                                         0x29, 0x01, 0,    0,    0x0f, 0x05, 0x5d, 0xc3};
/* push %rbp; mov %rsp,%rbp; call *%rdi; pop %rbp; ret */
static const unsigned char calling[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};

__attribute__((noinline)) void called_back(void)
{
    take_sample();
}

static void take_samples_in(const void *code, int count)
{
    siginfo_t info;

    memset(&info, 0, sizeof info);
    info.si_signo = SIGSTKFLT;
    info.si_code = SI_TIMER;
    while (count--)
        ((int (*)(int, int, int, siginfo_t *))code)(getpid(), (int)syscall(SYS_gettid), SIGSTKFLT,
                                                    &info);
}

static char *map_code(int flags, int fd)
{
    char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, flags, fd, 0);

    memcpy(code, sampling, sizeof sampling);
    memcpy(code + 64, calling, sizeof calling);
    memcpy(code + 128, sampling, sizeof sampling);
    memcpy(code + 192, sampling, sizeof sampling);
    return code;
}

/* Later lines count where they overlap earlier ones, and what is no such line counts nothing. */
static void write_names(const char *path, const char *code)
{
    FILE *file = fopen(path, "w");

    fprintf(file, "0 ffffffffffffffff all\n\n%lx 1000 a page\nzzz\n%lx\n%lx \n%lx 10\n%lx 10 \n",
            (long)code, (long)code, (long)code, (long)code, (long)code);
    fprintf(file, "%lx 0 nothing\n11111111111111111 10 wide\n", (long)code);
    fprintf(file, "%lx 10 a leaf\n0x%lX 0x8 a caller, ", (long)code, (long)code + 64);
    for (int i = 0; i < 2000; i++)
        fputc('x', file);
    fprintf(file, "\n%lx 10 last", (long)code + 192);
    fclose(file);
}

/* Becomes another program, which has the same number and says nothing, after this one has said
   something; not in the same tick. */
static int go_on(const char *program, const char *path)
{
    struct timespec now;
    struct stat status;

    write_names(path, NULL);
    if (stat(path, &status))
        return 1;
    do
        clock_gettime(CLOCK_REALTIME_COARSE, &now);
    while (now.tv_sec < status.st_mtim.tv_sec ||
           (now.tv_sec == status.st_mtim.tv_sec && now.tv_nsec <= status.st_mtim.tv_nsec));
    return execl(program, program, "none", NULL);
}

int main(int count, char **words)
{
    const struct timespec old[2] = {{0, 0}, {0, 0}};
    const char *how = words[1], *other = "names";
    char *code = map_code(MAP_PRIVATE | MAP_ANONYMOUS, -1), *shared, path[64];
    int fd = memfd_create("code", 0);

    sprintf(path, "/tmp/perf-%d.map", getpid());
    if (!strcmp(how, "earlier"))
        return go_on(words[0], path);
    if (ftruncate(fd, 4096))
        return 1;
    shared = map_code(MAP_SHARED, fd);
    take_samples_in(code, 3);
    take_samples_in(code + 128, 2);
    take_samples_in(code + 192, 1);
    take_samples_in(shared, 4);
    for (int i = 0; i < 5; i++)
        ((void (*)(void (*)(void)))(code + 64))(called_back);
    printf("%d\n", getpid());
    if (!strcmp(how, "link")) {
        write_names(other, code);
        return symlink(realpath(other, NULL), path);
    }
    if (!strcmp(how, "pipe"))
        return mkfifo(path, 0600);
    if (!strcmp(how, "none"))
        return 0;
    write_names(path, code);
    if (!strcmp(how, "old"))
        return utimensat(AT_FDCWD, path, old, 0);
    if (!strcmp(how, "other"))
        return chown(path, 1, 1);
    if (!strcmp(how, "large"))
        return truncate(path, (off_t)257 << 20);
    return 0;
}
