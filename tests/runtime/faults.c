/* faults KIND: a second or so in functions of which some wait for pages.  Prints the nanoseconds of
 * each, and of all. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#define APART __attribute__((noinline, noclone))
#define PAGE 4096ul
#define SIZE (32ul << 20)
enum { TOUCH, COMPUTE, CALL, PLACES };
static _Thread_local long spent[PLACES];
static long all[PLACES];
static volatile long sink;
static char buffer[1 << 16];

static long cpu(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}
APART void touch(char *p, unsigned long bytes)
{
    for (unsigned long i = 0; i < bytes; i += PAGE)
        p[i] = 1;
}
APART void look(const char *p, unsigned long bytes)
{
    for (unsigned long i = 0; i < bytes; i += PAGE)
        sink += p[i];
}
APART void copy(char *to, const char *from, unsigned long bytes)
{
#if defined __x86_64__
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
#else
    memcpy(to, from, bytes);
#endif
}
APART void compute(long rounds)
{
    for (long i = 0; i < rounds; i++)
        sink += i;
}
static char *fresh(unsigned long bytes)
{
    char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        exit(1);
    madvise(p, bytes, MADV_NOHUGEPAGE);
    return p;
}
static long now(void) /* wall time, which costs no system call */
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}
#define TIMED(place, work)                                                                         \
    do {                                                                                           \
        const long a_ = cpu(CLOCK_THREAD_CPUTIME_ID);                                              \
        work;                                                                                      \
        spent[place] += cpu(CLOCK_THREAD_CPUTIME_ID) - a_;                                         \
    } while (0)
/* Of short times; one in which another process ran is longer than any of them. */
#define BRIEF(place, work)                                                                         \
    do {                                                                                           \
        const long a_ = now();                                                                     \
        work;                                                                                      \
        const long d_ = now() - a_;                                                                \
        spent[place] += d_ < 1000000 ? d_ : 0;                                                     \
    } while (0)

/* So that nothing is in step with samples. */
static long drawn(long limit)
{
    static unsigned state = 1;
    state = state * 1664525u + 1013904223u;
    return (long)((state >> 8) * (unsigned long)limit >> 24);
}
static void phases(int rounds)
{
    for (int k = 0; k < rounds; k++) {
        char *p = fresh(SIZE);
        TIMED(TOUCH, touch(p, SIZE));
        TIMED(COMPUTE, compute(drawn(8000000)));
        TIMED(CALL, munmap(p, SIZE));
    }
}
static void fine(int rounds, long work, unsigned long bytes)
{
    const int zero = open("/dev/zero", O_RDONLY);
    for (int k = 0; k < rounds; k++) {
        char *p = fresh(SIZE);
        for (unsigned long i = 0; i < SIZE; i += PAGE) {
            BRIEF(TOUCH, touch(p + i, 1));
            BRIEF(COMPUTE, compute(work));
            if (bytes)
                BRIEF(CALL, (void)!pread(zero, buffer, bytes, 0));
        }
        TIMED(CALL, munmap(p, SIZE));
    }
    close(zero);
}
static void movs(int rounds)
{
    char *from = fresh(SIZE);
    memset(from, 1, SIZE);
    for (int k = 0; k < rounds; k++) {
        char *p = fresh(SIZE);
        TIMED(TOUCH, copy(p, from, SIZE));
        TIMED(COMPUTE, compute(drawn(8000000)));
        TIMED(CALL, munmap(p, SIZE));
    }
}
static void file(int rounds)
{
    char name[] = "mapped-XXXXXX";
    const int fd = mkstemp(name);
    unlink(name);
    for (unsigned long i = 0; i < SIZE; i += sizeof buffer)
        if (write(fd, buffer, sizeof buffer) < 0)
            exit(1);
    for (int k = 0; k < rounds; k++) {
        char *p = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
        madvise(p, SIZE, MADV_RANDOM);
        TIMED(TOUCH, look(p, SIZE));
        TIMED(COMPUTE, compute(drawn(4000000)));
        TIMED(CALL, munmap(p, SIZE));
    }
}
static void report(void)
{
    printf("touch %ld compute %ld call %ld all %ld\n", all[TOUCH], all[COMPUTE], all[CALL],
           cpu(CLOCK_PROCESS_CPUTIME_ID));
    fflush(stdout);
}
static void add(void)
{
    for (int i = 0; i < PLACES; i++)
        __atomic_fetch_add(&all[i], spent[i], __ATOMIC_RELAXED);
}
static void cow(int rounds)
{
    static char *p;
    p = fresh(2 * SIZE);
    memset(p, 1, 2 * SIZE);
    for (int k = 0; k < rounds; k++) {
        const pid_t child = fork();
        if (child == 0) {
            memset(spent, 0, sizeof spent);
            for (int i = 0; i < 2; i++) {
                TIMED(TOUCH, touch(p + i * SIZE, SIZE));
                TIMED(COMPUTE, compute(8000000));
            }
            add();
            report();
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
    _exit(0);
}
/* One store that faults once, and goes on for long, beside calls. */
APART void store(char *p, long rounds)
{
    for (long i = 0; i < rounds; i++)
        *(volatile char *)p = (char)i;
}
static void call(int file, int count)
{
    for (int i = 0; i < count; i++)
        (void)!pread(file, buffer, sizeof buffer, 0);
}
static void hot(int rounds)
{
    const int zero = open("/dev/zero", O_RDONLY);
    char *p = fresh(PAGE);
    for (int k = 0; k < rounds; k++) {
        TIMED(TOUCH, store(p, drawn(200000)));
        TIMED(CALL, call(zero, (int)drawn(40)));
    }
    close(zero);
}
static void *thread(void *what)
{
    const long kind = (long)what;
    if (kind == 0)
        phases(12);
    else if (kind == 1)
        TIMED(COMPUTE, compute(150000000));
    else
        fine(6, 1000, 65536);
    add();
    return NULL;
}
static void threads(void)
{
    pthread_t ids[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&ids[i], NULL, thread, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(ids[i], NULL);
}
int main(int count, char **words)
{
    const char *kind = count > 1 ? words[1] : "";
    if (!strcmp(kind, "phases"))
        phases(20);
    else if (!strcmp(kind, "fine"))
        fine(12, 5000, 0);
    else if (!strcmp(kind, "mixed"))
        fine(12, 2000, 65536);
    else if (!strcmp(kind, "movs"))
        movs(16);
    else if (!strcmp(kind, "file"))
        file(80);
    else if (!strcmp(kind, "cow"))
        cow(8);
    else if (!strcmp(kind, "hot"))
        hot(2000);
    else if (!strcmp(kind, "threads"))
        threads();
    else
        return 2;
    add();
    report();
    return 0;
}
