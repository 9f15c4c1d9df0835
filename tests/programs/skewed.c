/* skewed.c - calls that cost more for one caller than for another, and the call stacks of samples.

   The data of tests/unit/skewed_stacks.h was made with it:

       gcc -O1 -fno-optimize-sibling-calls -fno-inline -fno-omit-frame-pointer -pg \
           -fno-pie -no-pie -o skewed skewed.c && ./skewed >stacks

   gmon.out has the calls.  Each sample that the C library's profiler adds to the histogram is also
   written as a stack, one line for all that are equal: "main;cheap;work 12".  */

#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ucontext.h>

volatile unsigned long sink;

/* ---- The program ---- */

static void work(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sink += i * i ^ sink >> 3;
}

/* Many calls that cost little.  */
static void cheap(void)
{
    for (unsigned i = 0; i < 2000; i++)
        work(100);
}

/* Few calls that cost a lot.  */
static void dear(void)
{
    for (unsigned i = 0; i < 20; i++)
        work(100000);
}

/* Called by one function only.  */
static void inner(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sink ^= sink << 1 | i;
    work(n / 8);
}

static void outer(void)
{
    for (unsigned i = 0; i < 40; i++)
        inner(20000);
}

/* Two functions that call each other: a cycle, entered at either.  */
static void even(unsigned n);

static void odd(unsigned n)
{
    for (unsigned i = 0; i < n * 16000; i++)
        sink += sink >> 2 | i;
    if (n > 1)
        even(n - 1);
}

static void even(unsigned n)
{
    work(n * 400);
    if (n > 1)
        odd(n - 1);
}

/* As if compiled without -pg: its time and its calls are known, its callers are not.  */
__attribute__((no_instrument_function)) static void quiet(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sink += sink >> 5 ^ i;
    work(n / 4);
}

static void caller_of_quiet(void)
{
    for (unsigned i = 0; i < 10; i++)
        quiet(40000);
}

static void all(void)
{
    cheap();
    dear();
    outer();
    odd(4);
    even(5);
    caller_of_quiet();
}

int main(void);

/* ---- Stacks ---- */

#define SKIP __attribute__((no_instrument_function))
#define FUNCTION(name)                                                                             \
    {                                                                                              \
        (uintptr_t)(name), #name                                                                   \
    }

enum { MAX_SAMPLES = 20000, MAX_DEPTH = 64 };
struct function {
    uintptr_t addr;
    const char *name;
};
extern char etext, __executable_start;
static struct function functions[16];
static unsigned function_count;
static uintptr_t stacks[MAX_SAMPLES][MAX_DEPTH]; /* innermost first, 0 at the end */
static unsigned sample_count;
static struct sigaction profiler;

/* Where stacks end: the C library, which calls main, has no frame pointers.  */
static volatile uintptr_t main_frame;

SKIP static void on_sample(int signal, siginfo_t *info, void *context)
{
    const ucontext_t *machine = context;
    uintptr_t pc = (uintptr_t)machine->uc_mcontext.gregs[REG_RIP];
    uintptr_t *frame = (uintptr_t *)machine->uc_mcontext.gregs[REG_RBP];
    profiler.sa_sigaction(signal, info, context);
    if (pc < (uintptr_t)&__executable_start || pc >= (uintptr_t)&etext ||
        sample_count == MAX_SAMPLES)
        return;
    uintptr_t *stack = stacks[sample_count++];
    unsigned depth = 0;
    for (stack[depth++] = pc; (uintptr_t)frame != main_frame && depth < MAX_DEPTH - 1;
         frame = (uintptr_t *)frame[0])
        stack[depth++] = frame[1] - 1;
}

SKIP static const char *name_of(uintptr_t pc)
{
    const struct function *found = NULL;
    for (unsigned i = 0; i < function_count; i++)
        if (functions[i].addr <= pc && (found == NULL || found->addr < functions[i].addr))
            found = &functions[i];
    return found != NULL ? found->name : "?";
}

SKIP static void write_stack(const uintptr_t *stack, char *text)
{
    unsigned depth = 0;
    while (stack[depth] != 0)
        depth++;
    while (depth-- > 0)
        text += sprintf(text, "%s%s", name_of(stack[depth]), depth > 0 ? ";" : "");
}

SKIP static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

SKIP static void write_stacks(void)
{
    static char *texts[MAX_SAMPLES];
    for (unsigned i = 0; i < sample_count; i++) {
        char text[MAX_DEPTH * 20];
        write_stack(stacks[i], text);
        texts[i] = strdup(text);
    }
    qsort(texts, sample_count, sizeof *texts, compare);
    for (unsigned i = 0, first = 0; i < sample_count; i++)
        if (i + 1 == sample_count || strcmp(texts[i], texts[i + 1]) != 0) {
            printf("%s %u\n", texts[i], i + 1 - first);
            first = i + 1;
        }
}

SKIP static void sample_stacks(void)
{
    const struct function own[] = {FUNCTION(work),  FUNCTION(cheap),
                                   FUNCTION(dear),  FUNCTION(inner),
                                   FUNCTION(outer), FUNCTION(odd),
                                   FUNCTION(even),  FUNCTION(quiet),
                                   FUNCTION(all),   FUNCTION(caller_of_quiet),
                                   FUNCTION(main),  FUNCTION(on_sample)};
    struct sigaction action = {.sa_sigaction = on_sample, .sa_flags = SA_SIGINFO | SA_RESTART};
    function_count = sizeof own / sizeof *own;
    memcpy(functions, own, sizeof own);
    sigfillset(&action.sa_mask);
    sigaction(SIGPROF, NULL, &profiler);
    sigaction(SIGPROF, &action, NULL);
}

int main(void)
{
    main_frame = (uintptr_t)__builtin_frame_address(0);
    sample_stacks();
    for (unsigned i = 0; i < 3000; i++)
        all();
    sigaction(SIGPROF, &profiler, NULL);
    write_stacks();
    return 0;
}
