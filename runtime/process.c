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

/* In a child of fork.  Clears the memory where the kernel has not wiped it: it may be too old, or
   an emulator.  The number of the process tells a child of vfork that the memory is not its own. */
static void forget_parent(void)
{
    const bool blocks_sample = regmon_thread.blocks_sample;

    if (regmon_state.process->pid) {
        clear_bytes(regmon_state.process, sizeof *regmon_state.process);
        clear_bytes(&regmon_thread, sizeof regmon_thread);
        regmon_thread.table = NO_TABLE;
        regmon_thread.blocks_sample = blocks_sample;
    }
    regmon_state.process->pid = sys_getpid();
}

static struct process *make_process(void)
{
    struct process *process = sys_map(sizeof *process);

    if (!process)
        return NULL;
    (void)SYS3(__NR_madvise, process, sizeof *process, MADV_WIPEONFORK);
    (void)pthread_atfork(NULL, NULL, forget_parent);
    return process;
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
static int note_object(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    if (regmon_state.object_count == 0) {
        regmon_state.main_headers = (uintptr_t)info->dlpi_phdr;
        regmon_state.is_go = is_go_program(info);
    }
    rules_note_object(info);
    return 0;
}

void process_prepare(char **environment, sys_handler *sample)
{
    struct process *process;

    if (regmon_state.process)
        return;
    process = make_process();
    if (!process)
        return;
    process->pid = sys_getpid();
    message_prepare();
    regmon_state.first_pid = process->pid;
    (void)SYS2(__NR_clock_gettime, CLOCK_REALTIME_COARSE, &regmon_state.started);
    (void)dl_iterate_phdr(note_object, NULL);
    if (!getauxval(AT_SECURE))
        regmon_state.environment = environment;
    next_find();
    config_read(regmon_state.environment, (const char *)getauxval(AT_EXECFN));
    regmon_state.sample = sample;
    regmon_state.process = process;
    __atomic_store_n(&regmon_state.counting, 1, __ATOMIC_RELEASE);
}

/* A Go program takes all signals by system calls of its own. */
static void begin_sampling(void)
{
    const struct config *config = &regmon_state.config;

    confined_ask();
    if (config->hz && regmon_state.is_go)
        message("no samples: this is a Go program; use runtime/pprof, and `gprof cpu.pb.gz'", NULL,
                0);
    else if (config->hz && !regmon_state.has_split_stacks)
        regmon_state.is_sampling = actions_begin();
}

/* What the first profiled call of the program begins, and children inherit. */
static void begin_program(void)
{
    struct config *config = &regmon_state.config;

    if (SYS2(__NR_getcwd, config->start_dir, sizeof config->start_dir) < 0)
        config->start_dir[0] = 0;
    config_complain(regmon_state.environment);
    begin_sampling();
}

/* All signals are blocked, so that nothing ends the thread in the middle of it: others wait. */
static void begin_as_first(struct process *process)
{
    if (!regmon_state.has_begun)
        begin_program();
    regmon_state.has_begun = true;
    process->cpu_before = clock_of_process();
    __atomic_store_n(&process->begun, BEGUN, __ATOMIC_RELEASE);
    (void)SYS3(__NR_futex, &process->begun, FUTEX_WAKE, INT32_MAX);
}

/* One thread does it, and others wait until it is done. */
static void begin_once(struct process *process)
{
    const uint64_t all = ~(uint64_t)0;
    uint64_t mask;
    int beginner = 0;

    (void)sys_sigmask(SIG_BLOCK, &all, &mask);
    if (__atomic_compare_exchange_n(&process->begun, &beginner, sys_gettid(), false,
                                    __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
        begin_as_first(process);
    (void)sys_sigmask(SIG_SETMASK, &mask, NULL);
    while (beginner != 0 && beginner != BEGUN) {
        (void)SYS4(__NR_futex, &process->begun, FUTEX_WAIT, beginner, NULL);
        beginner = __atomic_load_n(&process->begun, __ATOMIC_ACQUIRE);
    }
}

/* Not a child of vfork. A filter of system calls may refuse to tell the number. */
static bool is_this_process(int known)
{
    const int pid = sys_getpid();

    return pid == known || pid < 0;
}

bool process_begin(void)
{
    struct process *process = regmon_state.process;
    int known;

    if (!process)
        return false;
    known = __atomic_load_n(&process->pid, __ATOMIC_RELAXED);
    if (known == 0) {
        const int pid = sys_getpid();

        if (__atomic_compare_exchange_n(&process->pid, &known, pid, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            known = pid;
    }
    if (!is_this_process(known))
        return false;
    if (__atomic_load_n(&process->begun, __ATOMIC_ACQUIRE) != BEGUN)
        begin_once(process);
    return true;
}

bool process_has_begun(void)
{
    const struct process *process = regmon_state.process;

    return process && __atomic_load_n(&process->begun, __ATOMIC_ACQUIRE) &&
           is_this_process(__atomic_load_n(&process->pid, __ATOMIC_RELAXED));
}
