/* process.c - the beginning of the program, and of each process that fork makes.
   SPDX-License-Identifier: MIT */
#include "process.h"

#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "actions.h"
#include "clock.h"
#include "config.h"
#include "confined.h"
#include "next.h"
#include "rules.h"
#include "state.h"
#include "sys.h"
#include "table.h"
#include "text.h"

#define FUTEX_WAIT 0 /* operations of the kernel's futex, which waits for a word to change */
#define FUTEX_WAKE 1

struct regmon_state regmon_state;
struct process regmon_process;

/* ---- The pool ---- */

/* Fills the header of a new pool. */
static void fill_header(struct pool_header *header)
{
    const struct config *config = &regmon_state.config;

    copy_bytes(&header->config, config, offsetof(struct config, prefix));
    copy_bytes(header->config.prefix, config->prefix, text_length(config->prefix));
    header->pid = regmon_process.pid;
    header->parent = regmon_state.filter != FILTER_NONE ? 0 : (int)SYS0(__NR_getppid);
    header->is_child = regmon_process.pid != regmon_state.first_pid;
    header->is_program = regmon_state.is_program && !header->is_child;
    header->has_pg = regmon_state.has_pg;
    header->program_start = regmon_state.started;
    header->process_start =
        header->is_child && !regmon_state.is_below ? INT64_MAX : regmon_state.process_start;
    header->opened = (int64_t)clock_read(CLOCK_REALTIME_COARSE);
    header->cpu_before = clock_of_process();
    if (SYS2(__NR_getcwd, header->directory, sizeof header->directory) < 0)
        header->directory[0] = 0;
}

static bool open_pool(void)
{
    const bool is_file = *regmon_state.pool_directory && regmon_state.filter != FILTER_OWN;
    struct pool *pool = &regmon_process.pool;

    if (pool->header)
        return true;
    if (!pool_open(pool, is_file ? regmon_state.pool_directory : NULL, regmon_process.pid))
        return false;
    if (is_file && !pool->is_file && regmon_state.is_program &&
        regmon_process.pid == regmon_state.first_pid)
        message("no room for counts in", regmon_state.pool_directory, 0);
    fill_header(pool->header);
    objects_note_again();
    __atomic_store_n(&pool->header->magic, POOL_MAGIC, __ATOMIC_RELEASE);
    return true;
}

#define TICK (1000000000 / 100) /* of the times in /proc */

/* When the process was started, in ticks since the system was, by field 22 of its state; a
   program's name, field 2, may have blanks and parentheses.  -1 if that cannot be read. */
static int64_t ticks_at_start(void)
{
    char buffer[512];
    const char *at = buffer;
    unsigned long ticks;
    long fd, used = -1;

    clear_bytes(buffer, sizeof buffer);
    fd = sys_open("/proc/self/stat", O_RDONLY, 0);
    if (fd >= 0)
        used = sys_read(fd, buffer, sizeof buffer - 1);
    if (fd >= 0)
        sys_close(fd);
    if (used <= 0)
        return -1;
    for (long i = 0; i < used; i++)
        if (buffer[i] == ')')
            at = buffer + i;
    buffer[used] = 0;
    for (int blanks = 0; *at && blanks < 20; at++)
        blanks += *at == ' ';
    return text_read_number(&at, &ticks) ? (int64_t)ticks : -1;
}

/* Before any file that this process has written, in nanoseconds of real time: it may have run other
   programs before this one.  Times of files may be behind by a tick. */
static int64_t find_process_start(void)
{
    const int64_t ticks = ticks_at_start();

    return ticks < 0 ? INT64_MAX
                     : (int64_t)(clock_read(CLOCK_REALTIME) - clock_read(CLOCK_BOOTTIME)) +
                           (ticks - 1) * TICK;
}

#define MOST_GO_DATA ((size_t)1 << 20)

/* Whether there is the mark that Go's linker writes (section .go.buildinfo): in the data, which may
   begin with that of C code, at a multiple of 16.  Not whole in the data of this library. */
static bool is_go_data(const char *data, size_t bytes)
{
    static const char mark[] = " Go buildinf:";

    for (size_t at = -(uintptr_t)data % 16; at + sizeof mark < bytes && at < MOST_GO_DATA; at += 16)
        if (data[at] == (char)0xff && text_starts(data + at + 1, mark))
            return true;
    return false;
}

static bool is_go_program(const struct dl_phdr_info *info)
{
    bool is_go = false;

    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];

        if (p->p_type == PT_LOAD && p->p_flags & PF_W)
            is_go |= is_go_data((const char *)(info->dlpi_addr + p->p_vaddr), p->p_filesz);
    }
    return is_go;
}

/* The main program is the first object; this library may be a part of it. */
static int note_rules(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    if (regmon_state.start_count == 0)
        regmon_state.is_go = is_go_program(info);
    rules_note_object(info);
    return 0;
}

/* ---- fork ---- */

/* In a child of fork.  Clears the memory where the kernel has not wiped it: it may be too old, or
   an emulator.  The number of the process tells a child of vfork that the memory is not its own.
   The child has its pool at once, because a filter of system calls, or another root directory, may
   forbid that later. */
static void begin_child(void)
{
    const bool blocks_sample = regmon_thread.blocks_sample;

    clear_bytes(&regmon_process, sizeof regmon_process);
    clear_bytes(&regmon_thread, sizeof regmon_thread);
    regmon_thread.table = NO_TABLE;
    regmon_thread.blocks_sample = blocks_sample;
    regmon_process.pid = sys_getpid();
    if (regmon_state.has_begun)
        regmon_state.child();
}

/* ---- The start ---- */

/* PATH lacks the slash at its start. */
static void copy_pool_directory(const char *path)
{
    struct text copy = text_in(regmon_state.pool_directory, sizeof regmon_state.pool_directory);

    if (path) {
        text_add(&copy, "/");
        text_add(&copy, path);
    }
    if (!text_is_whole(&copy))
        regmon_state.pool_directory[0] = 0;
}

/* Notes whether regmon runs this process, given the number of the one that it runs itself and the
   start of that. */
static void read_program(const char *program)
{
    unsigned long number, start;

    regmon_state.is_below = program && text_read_number(&program, &number) && *program++ == ' ' &&
                            text_read_number(&program, &start);
    regmon_state.is_program = !regmon_state.is_below || (int)number == regmon_process.pid;
    regmon_state.process_start = regmon_state.is_below ? (int64_t)start : find_process_start();
}

/* Whether one of the patterns, with a / between them, is for the file of this path. */
static bool has_pattern(const char *patterns, const char *path)
{
    const char *name = text_last_part(path), *end;

    for (;; patterns = end + 1) {
        for (end = patterns; *end && *end != '/'; end++)
            ;
        if (text_matches(patterns, end, name))
            return true;
        if (!*end)
            return false;
    }
}

/* Whether the program is one that is meant: as it was executed, or by its file, which may have
   another name than a link to it, or a script. */
static bool is_meant(void)
{
    const char *patterns = text_variable(regmon_state.environment, POOL_ONLY "=");
    const char *name = (const char *)getauxval(AT_EXECFN);
    char path[REGMON_PATH_BYTES];

    clear_bytes(path, sizeof path);
    if (!patterns || !*patterns || (name && has_pattern(patterns, name)))
        return true;
    return SYS4(__NR_readlinkat, AT_FDCWD, "/proc/self/exe", path, sizeof path - 1) > 0 &&
           has_pattern(patterns, path);
}

void process_prepare(char **environment, sys_handler *sample, void (*child)(void))
{
    if (regmon_state.is_prepared)
        return;
    if (!getauxval(AT_SECURE))
        regmon_state.environment = environment;
    next_find();
    if (!is_meant())
        return;
    if (!objects_prepare())
        return;
    message_prepare();
    regmon_process.pid = regmon_state.first_pid = sys_getpid();
    regmon_state.started = (int64_t)clock_read(CLOCK_REALTIME_COARSE);
    next_iterate_objects(note_rules, NULL);
    config_read(&regmon_state.config, regmon_state.environment, (const char *)getauxval(AT_EXECFN));
    copy_pool_directory(text_variable(regmon_state.environment, POOL_DIRECTORY "=/"));
    read_program(text_variable(regmon_state.environment, POOL_PROGRAM "="));
    regmon_state.sample = sample;
    regmon_state.child = child;
    regmon_state.is_prepared = true;
    (void)SYS3(__NR_madvise, &regmon_process, sizeof regmon_process, MADV_WIPEONFORK);
    (void)pthread_atfork(NULL, NULL, begin_child);
    if (!open_pool())
        return;
    objects_note_all();
    regmon_state.first_later = regmon_state.objects.count;
    regmon_state.counting = true;
    __atomic_store_n(&regmon_process.counting, 1, __ATOMIC_RELEASE);
}

/* A Go program takes all signals by system calls of its own.  Nobody may have meant those that
   other programs start, as a build does. */
static void begin_sampling(void)
{
    const struct config *config = &regmon_state.config;
    const bool is_go = config->hz && regmon_state.is_go;

    confined_ask();
    if (is_go && regmon_state.is_program)
        message("no samples: this is a Go program; use runtime/pprof, and `gprof cpu.pb.gz'", NULL,
                0);
    else if (config->hz && !is_go && !regmon_state.has_split_stacks)
        regmon_state.is_sampling = actions_begin();
}

/* Whether no other process below this regmon has complained.  In memory of its own: the stack may
   be small. */
static bool is_first_to_complain(void)
{
    char *memory = sys_map(REGMON_PATH_BYTES);
    struct text path;
    long fd;

    if (!memory)
        return false;
    path = text_in(memory, REGMON_PATH_BYTES);
    text_add(&path, regmon_state.pool_directory);
    text_add(&path, "/" POOL_REFUSED);
    fd = sys_open(memory, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
    if (fd >= 0)
        sys_close(fd);
    sys_unmap(memory, REGMON_PATH_BYTES);
    return fd >= 0;
}

/* Of its own environment, regmon has done it, once for all processes. */
static void complain(void)
{
    const struct config *config = &regmon_state.config;

    if (!*regmon_state.pool_directory)
        config_complain(config);
    else if (config->refused_count && is_first_to_complain())
        config_complain_of_values(config);
}

/* What the first profiled call of the program begins, and children inherit. */
static void begin_program(void)
{
    complain();
    begin_sampling();
}

/* Others wait for it. */
static void set_begun(struct process *process, int begun)
{
    __atomic_store_n(&process->begun, begun, __ATOMIC_RELEASE);
    (void)SYS3(__NR_futex, &process->begun, FUTEX_WAKE, INT32_MAX);
}

/* All signals are blocked, so that nothing ends the thread in the middle of it: others wait. */
static void begin_as_first(struct process *process)
{
    if (!regmon_state.has_begun) {
        begin_program();
        regmon_state.has_begun = true; /* a child of fork that writes to this page has to copy it */
    }
    process->pool.header->is_sampled = regmon_state.is_sampling;
    process->pool.header->begun = 1;
    process->counting = regmon_state.counting;
    set_begun(process, BEGUN);
}

/* One thread does it, and others wait until it is done.  Without memory, nothing begins. */
static bool begin_once(struct process *process)
{
    const uint64_t all = ~(uint64_t)0;
    uint64_t mask;
    int beginner = 0;

    (void)sys_sigmask(SIG_BLOCK, &all, &mask);
    if (__atomic_compare_exchange_n(&process->begun, &beginner, sys_gettid(), false,
                                    __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
        if (open_pool())
            begin_as_first(process);
        else
            set_begun(process, 0);
    }
    (void)sys_sigmask(SIG_SETMASK, &mask, NULL);
    while (beginner != 0 && beginner != BEGUN) {
        (void)SYS4(__NR_futex, &process->begun, FUTEX_WAIT, beginner, NULL);
        beginner = __atomic_load_n(&process->begun, __ATOMIC_ACQUIRE);
    }
    return __atomic_load_n(&process->begun, __ATOMIC_ACQUIRE) == BEGUN;
}

/* Not a child of vfork. A filter of system calls may refuse to tell the number. */
static bool is_this_process(int known)
{
    const int pid = sys_getpid();

    return pid == known || pid < 0;
}

bool process_begin(void)
{
    struct process *process = &regmon_process;
    int known = __atomic_load_n(&process->pid, __ATOMIC_RELAXED);

    if (!regmon_state.is_prepared)
        return false;
    if (known == 0) {
        const int pid = sys_getpid();

        /* What the thread has is its parent's. */
        __atomic_store_n(&regmon_thread.table, NO_TABLE, __ATOMIC_RELAXED);
        __atomic_store_n(&regmon_thread.self, NULL, __ATOMIC_RELAXED);
        if (__atomic_compare_exchange_n(&process->pid, &known, pid, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            known = pid;
    }
    return is_this_process(known) &&
           (__atomic_load_n(&process->begun, __ATOMIC_ACQUIRE) == BEGUN || begin_once(process));
}

bool process_has_begun(void)
{
    return __atomic_load_n(&regmon_process.begun, __ATOMIC_ACQUIRE) == BEGUN &&
           is_this_process(__atomic_load_n(&regmon_process.pid, __ATOMIC_RELAXED));
}
