/* profile.c - writes the files of all objects of a pool, any number of times.
   SPDX-License-Identifier: MIT */
#include "profile.h"

#include <errno.h>
#include <sys/stat.h>

#include "clock.h"
#include "gmon_file.h"
#include "sys.h"
#include "table.h"
#include "text.h"
#include "workspace.h"

/* ---- Names ---- */

/* How many of the first COUNT objects are other files of its name. */
static unsigned namesakes_among(const struct objects *objects, size_t number, size_t count)
{
    unsigned namesakes = 0;

    for (size_t i = 0; i < count; i++)
        if (i != number && objects->list[i].same == i && !objects->list[i].is_main &&
            text_is(objects->list[i].name, objects->list[number].name))
            namesakes++;
    return namesakes;
}

#define STACKS SIZE_MAX  /* in place of an object's number */
#define SHOWN_ID_BYTES 4 /* of a build id, in the name of a file */

/* Whether the name has the number of the process also where that is not asked for: gmon.out is that
   of the program that regmon runs, not of a script that executes it in its place. */
static bool is_numbered(const struct pool_header *header)
{
    return header->is_child || !header->is_program || (!header->has_pg && header->is_replaced);
}

/* Whether several processes, or runs, may want the name.  Where there is no record, the gmon.out of
   a program with -pg replaces that of its last run, and of other programs.  What had no room before
   is later than it should be. */
static bool is_shared(const struct workspace *w)
{
    const struct pool_header *header = w->pool->header;

    return w->record >= 0 || *header->config.prefix || is_numbered(header) || !header->has_pg ||
           header->files.is_late;
}

/* The prefix, with what its parts that begin with a % stand for. */
static void add_prefix(struct text *name, const struct pool_header *header)
{
    const struct config *config = &header->config;

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
            text_add_number(name, (uint64_t)header->pid);
    }
}

/* Three digits at least, so that files of a series are in order. */
static void add_part(struct text *name, unsigned part)
{
    text_add(name, part < 10 ? ".00" : part < 100 ? ".0" : ".");
    text_add_number(name, part);
}

void profile_add_stem(struct text *name, const struct pool_header *header)
{
    const struct config *config = &header->config;

    if (*config->prefix)
        add_prefix(name, header);
    else
        text_add(name, "gmon.out");
    if (is_numbered(header) ? !config->names_process : *config->prefix && !config->is_pattern) {
        text_add(name, ".");
        text_add_number(name, (uint64_t)header->pid);
    }
    if (header->files.namesakes) {
        text_add(name, "-");
        text_add_number(name, header->files.namesakes + 1);
    }
    if (config->is_series)
        add_part(name, header->files.part);
}

/* What tells an object from others of its name: the start of its build id, or else which of them it
   is. */
static void add_difference(struct text *name, const struct objects *objects, size_t number)
{
    const struct object *object = &objects->list[number];
    const unsigned before = namesakes_among(objects, number, number);

    if (object->build_id_bytes >= SHOWN_ID_BYTES) {
        text_add(name, ".");
        object_add_build_id(name, object, SHOWN_ID_BYTES);
    } else if (before) {
        text_add(name, ".");
        text_add_number(name, before + 1);
    }
}

/* The file of an object, or of the stacks, in the directory; the current one if that is empty.
   IS_ALONE: as long as no other object had the object's name. */
static void name_file(struct text *name, const char *directory, const struct workspace *w,
                      size_t number, bool is_alone)
{
    const struct object *object = &w->objects.list[number];

    if (*directory) {
        text_add(name, directory);
        text_add(name, "/");
    }
    profile_add_stem(name, w->pool->header);
    if (number == STACKS) {
        text_add(name, ".stacks");
        return;
    }
    if (object->is_main)
        return;
    text_add(name, ".");
    text_add(name, object->name);
    if (!is_alone && namesakes_among(&w->objects, number, w->objects.count))
        add_difference(name, &w->objects, number);
}

/* ---- Files ---- */

static bool has_calls(const struct entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (entries[i].from != SAMPLE)
            return true;
    return false;
}

/* Whether other readers find something in its files that is not in the stacks: calls, or, with -a,
   the samples of all objects. */
static bool has_counts(const struct workspace *w)
{
    const struct pool_header *header = w->pool->header;
    bool has = header->has_pg || header->config.objects == OBJECTS_ALL ||
               has_calls(w->entries.list, w->entries.count);

    for (size_t i = 0; i < w->objects.count; i++)
        has |= w->objects.list[i].had_calls;
    return has;
}

enum age { ABSENT, OLD, NEW, OTHER };

/* A file at w->path is old if it is from before the program was started, or, if its name has the
   number of the process, the process, whose earlier programs have the same. */
static enum age age_of_file(const struct workspace *w)
{
    const struct pool_header *header = w->pool->header;
    const struct config *config = &header->config;
    const struct out_found found = out_find(&w->out, w->path);
    int64_t since = header->program_start;

    if ((is_numbered(header) || config->names_process || !config->is_pattern) &&
        header->process_start != INT64_MAX)
        since = header->process_start;
    return !found.is_there ? ABSENT : !found.is_ours ? OTHER : found.modified < since ? OLD : NEW;
}

/* Says which histogram the program's file has, which is made of the same entries. */
static struct stacks_origin origin_of_stacks(struct workspace *w)
{
    struct stacks_origin origin = {.cpu_time = w->pool->header->cpu_time,
                                   .is_alive = !w->is_end,
                                   .is_first = !is_numbered(w->pool->header)};

    for (size_t i = 0; i < w->objects.count; i++)
        if (w->objects.list[i].is_main && w->objects.list[i].same == i)
            origin.range = gmon_range(&w->objects.list[i], w->objects.list[i].low);
    for (size_t i = 0; i < w->entries.count; i++) {
        struct entry *entry = &w->entries.list[i];
        const struct object *object = &w->objects.list[entry->object];

        if (entry->from == SAMPLE && object->is_main) {
            if (!origin.left_count++) {
                origin.range = gmon_range(object, entry->self);
                origin.left = entry;
            }
            origin.samples += entry->count;
            origin.checksum += gmon_checksum(object, entry);
        }
    }
    return origin;
}

/* Old stacks do not stay beside a new profile. */
static long write_stacks(struct workspace *w)
{
    struct stacks_origin origin = origin_of_stacks(w);
    struct text name = text_in(w->lines, sizeof w->lines);
    long error;

    profile_add_stem(&name, w->pool->header);
    if (w->has_files)
        origin.profile = text_last_part(w->lines);
    error = stacks_write(&w->out, w->path, w->pool, &w->objects, &origin, &w->stack_line);

    if (error)
        out_remove(&w->out, w->path);
    return error;
}

/* Its name is that of the pool, and when it was made: so none is there twice if the collector is
   killed, and what it left is written again.  */
static long write_section(struct workspace *w)
{
    const struct pool_header *header = w->pool->header;
    const int place = w->out.directory;
    struct text name = text_in(w->path, sizeof w->path);
    long error;

    text_add(&name, SECTION);
    text_add_number(&name, (uint64_t)header->pid);
    text_add(&name, "-");
    text_add_number(&name, (uint64_t)header->opened);
    w->out.keeps = false;
    w->out.directory = w->record;
    error = write_stacks(w);
    w->out.directory = place;
    return error;
}

/* A file without stacks takes the place of that of another run.  None belongs to a profile that
   could not be written. */
static bool has_stacks(const struct workspace *w)
{
    return w->pool->header->config.has_stacks && w->pool->header->config.hz;
}

/* Those of an earlier run would be taken for stacks of the profile that has been written. */
static void remove_stacks(struct workspace *w, const char *directory)
{
    struct text name = text_in(w->lines, sizeof w->lines);

    name_file(&name, directory, w, STACKS, false);
    if (text_is_whole(&name))
        out_remove(&w->out, w->lines);
}

/* Whether the program's file gets the next name, because this one is taken. */
static bool is_taken(const struct workspace *w, enum age age)
{
    if (age == OTHER)
        message("is no profile, and stays:", w->path, 0);
    return age == OTHER || (age == NEW && is_shared(w));
}

/* Why a file with a fixed name cannot be written: a file that is no profile has the name. */
static long error_of_other(const struct workspace *w)
{
    return out_find(&w->out, w->path).is_directory ? -EISDIR : -EEXIST;
}

static long write_in(struct workspace *w, const char *directory, size_t number,
                     const struct entry *entries, size_t count)
{
    struct pool_header *header = w->pool->header;
    const bool is_main = number != STACKS && w->objects.list[number].is_main;
    const bool is_first = is_main && !header->files.is_named;
    enum age age;
    long error;

    if (number == STACKS && w->record >= 0)
        return write_section(w);
    do {
        struct text name = text_in(w->path, sizeof w->path);

        name_file(&name, directory, w, number, false);
        if (!text_is_whole(&name))
            return -ENAMETOOLONG;
        age = age_of_file(w);
        if (age == OTHER && !is_first)
            return error_of_other(w);
        w->out.keeps = is_first && age != OLD && is_shared(w);
        if (number == STACKS)
            return write_stacks(w);
        /* Another process may take the name while the file is written. */
        error = is_first && is_taken(w, age)
                    ? -EEXIST
                    : gmon_write(&w->out, w->path, &w->objects.list[number], header->config.hz,
                                 entries, count);
    } while (is_first && error == -EEXIST && ++header->files.namesakes);
    header->files.is_named |= is_first && !error;
    if (!error && is_main && !has_stacks(w))
        remove_stacks(w, directory);
    return error;
}

/* Whether stacks have been taken out of the tables, so that a second file would lack them. */
static bool has_taken_stacks(const struct workspace *w, size_t number)
{
    return number == STACKS && w->pool->header->config.is_series && w->out.fd >= 0;
}

/* A program may have gone where it cannot write, as daemons do: then the file is where it was
 * started. */
static bool write_file(struct workspace *w, size_t number, const struct entry *entries,
                       size_t count)
{
    const struct pool_header *header = w->pool->header;
    const long error = write_in(w, "", number, entries, count);

    if (number != STACKS)
        w->objects.list[number].is_written = !error;
    if (!error)
        return true;
    if (!has_taken_stacks(w, number) && *header->config.prefix != '/' && *header->directory &&
        !write_in(w, header->directory, number, entries, count)) {
        message("the current directory cannot be written to; wrote", w->path, 0);
        return true;
    }
    message("cannot write", w->path, error);
    w->error = error;
    return false;
}

static void remove_file(struct workspace *w, size_t number, bool is_alone)
{
    struct text name = text_in(w->path, sizeof w->path);

    name_file(&name, "", w, number, is_alone);
    if (text_is_whole(&name))
        out_remove(&w->out, w->path);
}

/* Removes what earlier snapshots have written under the name that is now for another program, which
   the process executes. */
static void give_up_name(struct workspace *w)
{
    struct pool_header *header = w->pool->header;

    header->is_replaced = 0;
    for (size_t i = 0; i < w->objects.count; i++)
        if (w->objects.list[i].same == i)
            remove_file(w, i, false);
    if (w->record < 0)
        remove_file(w, STACKS, false);
    header->is_replaced = 1;
    header->files.is_named = 0;
    header->files.namesakes = 0;
    header->files.written = 0;
}

/* Removes the files of this attempt, after which some had no room: all are written later, if no
   other run has written some of their names by then. */
static void put_off(struct workspace *w)
{
    struct pool_header *header = w->pool->header;

    for (size_t i = 0; i < w->objects.count; i++)
        if (w->objects.list[i].is_written)
            remove_file(w, i, false);
    header->files.is_named = 0;
    header->files.namesakes = 0;
    header->files.is_late = 1;
}

static bool is_wanted(const struct workspace *w, const struct object *object,
                      const struct entry *entries, size_t count)
{
    const enum regmon_objects wanted = w->pool->header->config.objects;

    if (object->is_main || wanted == OBJECTS_ALL)
        return object->is_main || count > 0;
    return wanted == OBJECTS_WITH_CALLS && count > 0 &&
           (object->had_calls || has_calls(entries, count));
}

/* What is written is not in the next part of a series. */
static void take(struct workspace *w, size_t object, const struct entry *entries, size_t count)
{
    struct pool_header *header = w->pool->header;

    if (!header->config.is_series)
        return;
    entries_take(&w->entries, object);
    header->files.calls_before += entries_total(entries, count, false);
    header->files.samples_before += entries_total(entries, count, true);
}

/* Writes the file of the main program, or those of all other objects. */
static bool write_objects(struct workspace *w, bool of_main)
{
    bool is_good = true;
    size_t at = 0;

    for (size_t i = 0; i < w->objects.count; i++) {
        struct object *object = &w->objects.list[i];
        const struct entry *entries = &w->entries.list[at];
        size_t count = 0;

        if (at < w->entries.count && entries->object == i)
            count = entries_end_of_object(&w->entries, at) - at;
        if (object->is_main == of_main && object->same == i &&
            is_wanted(w, object, entries, count)) {
            if (w->pool->header->files.written && namesakes_among(&w->objects, i, w->objects.count))
                remove_file(w, i, true);
            if (write_file(w, i, entries, count)) {
                object->calls = entries_total(entries, count, false);
                take(w, i, entries, count);
            } else
                is_good = false;
        }
        at += count;
    }
    return is_good;
}

/* The first file decides which name all of them have. */
static bool write_files(struct workspace *w)
{
    bool has_main, has_others;

    w->has_files = w->record < 0 || has_counts(w);
    has_main = !w->has_files || write_objects(w, true);
    has_others = !w->has_files || write_objects(w, false);

    return has_main && (!has_stacks(w) || write_file(w, STACKS, NULL, 0)) && has_others;
}

/* ---- What is missing ---- */

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
    const struct pool_header *header = w->pool->header;

    if (header->has_split_stacks && header->config.hz)
        message("no samples: the program is compiled with -fsplit-stack", NULL, 0);
    else if (header->has_other_handler)
        message("samples are missing: the program has set another handler of SIGSTKFLT", NULL, 0);
    else if (header->config.hz && header->is_sampled && header->cpu_time)
        report_missing(w,
                       clock_percent_missing(header->cpu_time, header->weighed, header->config.hz),
                       " % of the CPU time has no samples");
}

static void report(struct workspace *w, uint64_t calls, uint64_t samples)
{
    const struct pool_header *header = w->pool->header;
    struct text line = text_in(w->path, sizeof w->path);

    add_amount(&line, calls, " calls, ");
    add_amount(&line, samples, " samples, ");
    add_amount(&line, w->entries.nowhere, " in no object, ");
    add_amount(&line, w->objects.count, " objects, ");
    add_amount(&line, pool_used(w->pool) >> 10, " KiB of tables");
    if (header->config.verbose)
        message(w->path, NULL, 0);
    for (size_t i = 0; i < w->objects.count && has_stacks(w); i++)
        if (w->objects.list[i].has_long_path && !w->objects.list[i].is_main)
            message("names in call stacks are missing: the path is too long of",
                    w->objects.list[i].name, 0);
    report_samples(w);
    report_missing(w, header->lost,
                   " calls and samples are lost for want of memory, or refused by the kernel");
    report_missing(w, header->crowded,
                   " samples are lost: the program's alternate signal stack is too small");
    report_missing(w, header->without_stack, " samples have no call stack, for want of memory");
}

/* ---- All of it ---- */

/* A child of fork that has counted nothing has no files; nor has a program without -pg.  A snapshot
   has that of the program that regmon runs. */
static bool is_needed(const struct pool_header *header, bool is_end, uint64_t total)
{
    if (!is_end)
        return total > 1 || header->files.written || header->is_program || header->has_pg;
    if (!header->files.written)
        return total > 1 || (header->has_pg && !header->is_child);
    return header->config.is_series ? total > 1 : total != header->files.written;
}

bool profile_may_be_needed(const struct pool_header *header)
{
    return header->magic != POOL_MAGIC || header->tables || header->files.written ||
           (header->has_pg && !header->is_child);
}

bool profile_has_no_room(const struct pool *pool, long error)
{
    return pool->is_file && !pool->header->config.is_series &&
           (error == -ENOSPC || error == -EDQUOT || error == -EFBIG);
}

static long write_all(struct workspace *w, bool is_end)
{
    struct pool_header *header = w->pool->header;
    uint64_t calls, samples, total;

    entries_read(&w->entries, &w->objects, w->pool);
    calls = header->files.calls_before + entries_total(w->entries.list, w->entries.count, false);
    samples = header->files.samples_before + entries_total(w->entries.list, w->entries.count, true);
    total = 1 + calls - header->files.calls_before + samples - header->files.samples_before;

    if (header->is_replaced && header->files.written && is_numbered(header) &&
        !header->config.is_series && !header->config.names_process)
        give_up_name(w);
    /* The section of a snapshot says that the process lives. */
    if (is_needed(header, is_end, total) || (is_end && w->record >= 0 && header->files.written)) {
        header->files.part++;
        report_missing(w, w->entries.dropped,
                       header->config.is_series && !is_end
                           ? " calls and samples come into the next part: memory is exhausted"
                           : " calls and samples are not in the file for want of memory");
        report_missing(w, w->entries.damaged,
                       " counts are left out: they are damaged, more than there can be");
        entries_sum(&w->entries);
        if (!header->files.written && header->config.lacks_rank)
            message("no rank is known, so %r is the process number:", header->config.prefix, 0);
        if (write_files(w))
            header->files.written = total;
        else if (is_end && profile_has_no_room(w->pool, w->error))
            put_off(w);
    }
    if (is_end && (total > 1 || (header->has_pg && !header->is_child)))
        report(w, calls, samples);
    entries_close(&w->entries);
    return w->error;
}

long profile_write(const struct pool *pool, int directory, int record, bool is_end)
{
    struct workspace *w = workspace_open(pool);
    long error = -ENOMEM;

    if (w) {
        w->out.directory = directory;
        w->out.room = pool->most.bytes;
        w->record = has_stacks(w) && !pool->header->config.is_series ? record : -1;
        w->is_end = is_end;
        error = write_all(w, is_end);
        workspace_close(w);
    } else
        message("cannot write a profile: no memory", NULL, 0);
    return error;
}
