/* snapshot.c - writes the files of all objects, any number of times.
   SPDX-License-Identifier: MIT */
#include "snapshot.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "actions.h"
#include "clock.h"
#include "config.h"
#include "entries.h"
#include "gmon_file.h"
#include "process.h"
#include "state.h"
#include "sys.h"
#include "table.h"
#include "text.h"
#include "workspace.h"

#define MOST_WAITS 10000 /* of a millisecond each */

bool writer_begin(struct sys_quiet *quiet)
{
    const struct timespec millisecond = {0, 1000000};
    const int tid = sys_gettid();
    int holder = 0;

    sys_quiet_begin(quiet);
    for (int i = 0; i < MOST_WAITS; i++) {
        holder = 0;
        if (__atomic_compare_exchange_n(&regmon_state.process->writer, &holder, tid, false,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return true;
        if (holder == tid)
            break;
        (void)SYS2(__NR_nanosleep, &millisecond, NULL);
    }
    sys_quiet_end(quiet);
    return false;
}

void writer_end(const struct sys_quiet *quiet)
{
    __atomic_store_n(&regmon_state.process->writer, 0, __ATOMIC_RELEASE);
    sys_quiet_end(quiet);
}

/* ---- Names ---- */

/* How many objects before this one have its name. */
static unsigned namesakes_before(const struct objects *objects, size_t number)
{
    unsigned count = 0;

    for (size_t i = 0; i < number; i++)
        if (objects->list[i].same == i && !objects->list[i].is_main &&
            text_is(objects->list[i].name, objects->list[number].name))
            count++;
    return count;
}

#define STACKS SIZE_MAX /* in place of an object's number */

static bool is_child(void)
{
    return regmon_state.process->pid != regmon_state.first_pid;
}

/* Whether several processes may want the name.  A program's gmon.out replaces that of its last run,
 * and of other programs. */
static bool is_shared(void)
{
    return *regmon_state.config.prefix || is_child();
}

static void add_process(struct text *name)
{
    text_add_number(name, (uint64_t)regmon_state.process->pid);
}

/* The prefix, with what its parts that begin with a % stand for. */
static void add_prefix(struct text *name)
{
    const struct config *config = &regmon_state.config;

    for (const char *at = config->prefix; *at; at++) {
        if (*at != '%' || *++at == '%')
            text_add_bytes(name, at, 1);
        else if (*at == 'h')
            text_add(name, config->host);
        else if (*at == 'n')
            text_add(name, config->program);
        else if (*at == 'r' && config->has_rank)
            text_add_number(name, config->rank);
        else
            add_process(name);
    }
}

/* Three digits at least, so that files of a series are in order. */
static void add_part(struct text *name, unsigned part)
{
    text_add(name, part < 10 ? ".00" : part < 100 ? ".0" : ".");
    text_add_number(name, part);
}

/* What all files of the process, or of a part of its series, begin with. */
static void add_stem(struct text *name)
{
    const struct config *config = &regmon_state.config;

    if (*config->prefix)
        add_prefix(name);
    else
        text_add(name, "gmon.out");
    if (is_child() ? !config->names_process : *config->prefix && !config->is_pattern) {
        text_add(name, ".");
        add_process(name);
    }
    if (regmon_state.process->namesakes) {
        text_add(name, "-");
        text_add_number(name, regmon_state.process->namesakes + 1);
    }
    if (config->is_series)
        add_part(name, regmon_state.process->part);
}

/* The file of an object, or of the stacks, in the directory; the current one if that is empty. */
static void name_file(struct text *name, const char *directory, const struct objects *objects,
                      size_t number)
{
    const struct object *object = &objects->list[number];

    if (*directory) {
        text_add(name, directory);
        text_add(name, "/");
    }
    add_stem(name);
    if (number == STACKS) {
        text_add(name, ".stacks");
        return;
    }
    if (object->is_main)
        return;
    text_add(name, ".");
    text_add(name, object->name);
    if (namesakes_before(objects, number)) {
        text_add(name, ".");
        text_add_number(name, namesakes_before(objects, number) + 1);
    }
}

/* ---- Files ---- */

#define SECOND 1000000000
#define TICK (SECOND / 100) /* of the times in /proc */

static int64_t read_clock(int clock)
{
    struct timespec now = {0, 0};

    (void)SYS2(__NR_clock_gettime, clock, &now);
    return (int64_t)now.tv_sec * SECOND + now.tv_nsec;
}

/* When the process was started, in ticks since the system was, by field 22 of its state; a
   program's name, field 2, may have blanks and parentheses.  -1 if that cannot be read. */
static int64_t ticks_at_start(char *buffer, size_t bytes)
{
    const long fd = sys_open("/proc/self/stat", O_RDONLY, 0);
    const long used = fd < 0 ? fd : sys_read(fd, buffer, bytes - 1);
    const char *at = buffer;
    unsigned long ticks;

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
static int64_t process_start(struct workspace *w)
{
    const int64_t ticks = ticks_at_start(w->lines, sizeof w->lines);

    return ticks < 0 ? INT64_MAX
                     : read_clock(CLOCK_REALTIME) - read_clock(CLOCK_BOOTTIME) + (ticks - 1) * TICK;
}

/* Whether the file at w->path is from before the program was started, or, if its name has the
   number of the process, the process, whose earlier programs have the same. */
static bool is_old(struct workspace *w)
{
    const struct config *config = &regmon_state.config;
    const struct timespec *started = &regmon_state.started;
    int64_t since = (int64_t)started->tv_sec * SECOND + started->tv_nsec;
    struct stat status;

    clear_bytes(&status, sizeof status);
    if (SYS4(__NR_newfstatat, AT_FDCWD, w->path, &status, 0) != 0)
        return false;
    if (!is_child() && (config->names_process || !config->is_pattern)) {
        const int64_t start = process_start(w);

        since = start < since ? start : since;
    }
    return (int64_t)status.st_mtim.tv_sec * SECOND + status.st_mtim.tv_nsec < since;
}

/* Says which histogram the program's file has, which is made of the same entries. */
static struct stacks_origin origin_of_stacks(const struct workspace *w)
{
    struct stacks_origin origin = {0, 0, w->cpu_time};

    for (size_t i = 0; i < w->entries.count; i++) {
        const struct entry *entry = &w->entries.list[i];
        const struct object *object = &w->objects.list[entry->object];

        if (entry->from == SAMPLE && object->is_main) {
            origin.samples += entry->count;
            origin.checksum += gmon_checksum(object, entry);
        }
    }
    return origin;
}

/* Old stacks do not stay beside a new profile. */
static long write_stacks(struct workspace *w)
{
    const struct stacks_origin origin = origin_of_stacks(w);
    const long error = stacks_write(&w->out, w->path, &w->objects, &origin, &w->stack_line,
                                    regmon_state.config.is_series);

    if (error)
        stacks_remove(w->path);
    return error;
}

/* A file without stacks takes the place of that of another run.  None belongs to a profile that
   could not be written. */
static bool has_stacks(void)
{
    return regmon_state.config.has_stacks && regmon_state.config.hz;
}

/* Those of an earlier run would be taken for stacks of the profile that has been written. */
static void remove_stacks(struct workspace *w, const char *directory)
{
    struct text name = text_in(w->lines, sizeof w->lines);

    name_file(&name, directory, &w->objects, STACKS);
    if (text_is_whole(&name))
        stacks_remove(w->lines);
}

static long write_in(struct workspace *w, const char *directory, size_t number,
                     const struct entry *entries, size_t count)
{
    struct process *process = regmon_state.process;
    const bool is_first =
        is_shared() && !process->is_named && number != STACKS && w->objects.list[number].is_main;
    long error;

    do {
        struct text name = text_in(w->path, sizeof w->path);

        name_file(&name, directory, &w->objects, number);
        if (!text_is_whole(&name))
            return -ENAMETOOLONG;
        w->out.keeps = is_first && !is_old(w);
        if (number == STACKS)
            return write_stacks(w);
        error = gmon_write(&w->out, w->path, &w->objects.list[number], entries, count);
    } while (is_first && error == -EEXIST && ++process->namesakes);
    process->is_named |= is_first && !error;
    if (!error && w->objects.list[number].is_main && !has_stacks())
        remove_stacks(w, directory);
    return error;
}

/* Whether stacks have been taken out of the tables, so that a second file would lack them. */
static bool has_taken_stacks(const struct workspace *w, size_t number)
{
    return number == STACKS && regmon_state.config.is_series && w->out.fd >= 0;
}

/* A program may have gone where it cannot write, as daemons do: then the file is where it was
 * started. */
static bool write_file(struct workspace *w, size_t number, const struct entry *entries,
                       size_t count)
{
    const struct config *config = &regmon_state.config;
    const long error = write_in(w, "", number, entries, count);

    if (!error)
        return true;
    if (!has_taken_stacks(w, number) && *config->prefix != '/' && *config->start_dir &&
        !write_in(w, config->start_dir, number, entries, count)) {
        message("the current directory cannot be written to; wrote", w->path, 0);
        return true;
    }
    message("cannot write", w->path, error);
    return false;
}

static bool has_calls(const struct entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (entries[i].from != SAMPLE)
            return true;
    return false;
}

static bool is_wanted(const struct object *object, const struct entry *entries, size_t count)
{
    if (object->is_main || regmon_state.config.objects == OBJECTS_ALL)
        return object->is_main || count > 0;
    return regmon_state.config.objects == OBJECTS_WITH_CALLS && count > 0 &&
           (object->had_calls || has_calls(entries, count));
}

static uint64_t sum_of_entries(const struct entry *entries, size_t count, bool of_samples)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        if ((entries[i].from == SAMPLE) == of_samples)
            sum += entries[i].count;
    return sum;
}

/* Keeps what could not be written for the next part of the series; this one does not have it. */
static void keep_for_next_part(const struct object *object, const struct entry *entries,
                               size_t count)
{
    regmon_state.process->calls_before -= sum_of_entries(entries, count, false);
    regmon_state.process->samples_before -= sum_of_entries(entries, count, true);
    retired_keep(object, entries, count);
}

/* Writes the file of the main program, or those of all other objects. */
static bool write_objects(struct workspace *w, bool of_main)
{
    bool is_good = true;
    size_t at = 0;

    for (size_t i = 0; i < w->objects.count; i++) {
        const struct object *object = &w->objects.list[i];
        const struct entry *entries = &w->entries.list[at];
        size_t count = 0;

        if (at < w->entries.count && entries->object == i)
            count = entries_end_of_object(&w->entries, at) - at;
        if (object->is_main == of_main && is_wanted(object, entries, count) &&
            !write_file(w, i, entries, count)) {
            is_good = false;
            if (regmon_state.config.is_series && count)
                keep_for_next_part(object, entries, count);
        }
        at += count;
    }
    return is_good;
}

/* The first file decides which name all of them have. */
static bool write_files(struct workspace *w)
{
    const bool has_main = write_objects(w, true);
    const bool has_others = write_objects(w, false);

    return has_main && (!has_stacks() || write_file(w, STACKS, NULL, 0)) && has_others;
}

/* ---- All of it ---- */

/* TAKES what there is memory for. */
static void add_retired(struct workspace *w, bool takes)
{
    for (struct retired *r = regmon_state.process->retired; r; r = r->next) {
        const size_t number = objects_add(&w->objects, &r->object);

        for (size_t i = 0; number < w->objects.capacity && i < r->count; i++) {
            r->entries[i].object = number;
            if (r->entries[i].count && entries_add(&w->entries, &r->entries[i]) && takes)
                r->entries[i].count = 0;
        }
    }
    if (takes)
        retired_drop(false);
}

static uint64_t sum_of(const struct entries *entries, bool of_samples)
{
    return sum_of_entries(entries->list, entries->count, of_samples);
}

static void add_amount(struct text *line, uint64_t number, const char *what)
{
    text_add_number(line, number);
    text_add(line, what);
}

/* Says how much is missing, if anything is. */
static void report_missing(struct workspace *w, uint64_t number, const char *what)
{
    struct text line = text_in(w->path, sizeof w->path);

    add_amount(&line, number, what);
    if (number)
        message(w->path, NULL, 0);
}

/* Says what the samples do not account for. */
static void report_samples(struct workspace *w)
{
    const struct process *process = regmon_state.process;

    if (regmon_state.has_split_stacks && regmon_state.config.hz)
        message("no samples: the program is compiled with -fsplit-stack", NULL, 0);
    else if (regmon_state.is_sampling && !actions_are_ours())
        message("samples are missing: the program has set another handler of SIGSTKFLT", NULL, 0);
    else if (regmon_state.is_sampling)
        report_missing(w,
                       clock_percent_missing(w->cpu_time,
                                             __atomic_load_n(&process->weighed, __ATOMIC_RELAXED),
                                             regmon_state.config.hz),
                       " % of the processor time has no samples");
}

static void report(struct workspace *w)
{
    const struct process *process = regmon_state.process;
    struct text line = text_in(w->path, sizeof w->path);
    uint64_t bytes = 0;

    for (const struct table *t = regmon_state.process->tables; t; t = t->next)
        bytes += table_capacity(t) * SLOT_SIZE;
    add_amount(&line, process->calls_before + sum_of(&w->entries, false), " calls, ");
    add_amount(&line, process->samples_before + sum_of(&w->entries, true), " samples, ");
    add_amount(&line, w->entries.nowhere, " in no object, ");
    add_amount(&line, w->objects.count, " objects, ");
    add_amount(&line, bytes >> 10, " KiB of tables");
    if (regmon_state.config.verbose)
        message(w->path, NULL, 0);
    report_samples(w);
    if (w->objects.is_program_only)
        report_missing(w, w->entries.nowhere,
                       " calls and samples of shared objects are lost: /proc cannot be read");
    report_missing(w, process->lost,
                   " calls and samples are lost for want of memory, or refused by the kernel");
    report_missing(w, process->crowded,
                   " samples are lost: the program's alternate signal stack is too small");
    report_missing(w, process->without_stack, " samples have no call stack, for want of memory");
}

static int sum_and_write(struct workspace *w, bool has_next_part)
{
    report_missing(w, w->entries.dropped,
                   has_next_part ? " calls and samples come into the next part: memory is exhausted"
                                 : " calls and samples are not in the file for want of memory");
    entries_sum(&w->entries);
    return write_files(w) ? 0 : -1;
}

static int write_all(struct workspace *w, enum snapshot_reason reason)
{
    struct process *process = regmon_state.process;
    const bool is_series = regmon_state.config.is_series;
    uint64_t total;
    int result = 0;

    w->cpu_time = clock_of_process() - process->cpu_before;
    entries_open(&w->entries);
    entries_read(&w->entries, &w->objects, is_series);
    add_retired(w, is_series);
    total = 1 + sum_of(&w->entries, false) + sum_of(&w->entries, true);
    if (reason != SNAPSHOT_OF_END || !process->written ||
        (is_series ? total > 1 : total != process->written)) {
        process->part++;
        result = sum_and_write(w, is_series && reason != SNAPSHOT_OF_END);
        process->written = total;
    }
    if (reason == SNAPSHOT_OF_END)
        report(w);
    if (is_series) {
        process->calls_before += sum_of(&w->entries, false);
        process->samples_before += sum_of(&w->entries, true);
    }
    entries_close(&w->entries);
    return result;
}

int snapshot_write(enum snapshot_reason reason)
{
    struct workspace *w;
    struct sys_quiet quiet;
    int result = -1;

    if (!process_has_begun())
        return 0;
    if (!writer_begin(&quiet)) {
        message("no snapshot: another one is being written", NULL, 0);
        return -1;
    }
    if ((reason == SNAPSHOT_OF_PROGRAM || reason == SNAPSHOT_OF_CLEANUP) &&
        regmon_state.environment)
        config_read_prefix(environ);
    if ((reason == SNAPSHOT_OF_CLEANUP && regmon_state.config.is_series) ||
        (reason == SNAPSHOT_OF_SIGNAL && regmon_state.process->is_ending)) {
        writer_end(&quiet); /* of a signal: the process may end in the middle of it */
        return 0;
    }
    w = workspace_open();
    if (w) {
        result = write_all(w, reason);
        workspace_close(w);
    } else
        message("cannot write a profile: no memory, or no /proc", NULL, 0);
    if (reason == SNAPSHOT_OF_END)
        regmon_state.process->is_ending = 1;
    writer_end(&quiet);
    return result;
}
