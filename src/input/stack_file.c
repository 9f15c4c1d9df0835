/* stack_file.c - reads and writes files of call stacks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "input/stack_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/sort.h"
#include "base/text.h"
#include "input/stack_lines.h"

/* ---- Reading ---- */

/* A caller in the line that was read last.  */
struct known_frame {
    size_t end; /* where the next frame begins in the line */
    uint32_t place;
};

/* The state of reading a file.  */
struct reader {
    struct recorded_stacks *stacks;
    struct stacks_origin *origin;
    struct stack_leaves *leaves;
    const char *at, *end; /* the rest of the current line */
    uint32_t *objects;    /* by number in the file: that of the stacks, or NO_OBJECT */
    size_t object_count, object_capacity;
    size_t number_limit; /* of objects */
    uint64_t most_places;
    uint32_t rate;
    bool has_program;
    uint64_t samples;           /* since the last line that says how many they are */
    bool is_open;               /* such a line is to come */
    uint32_t generated;         /* the object of generated code; NO_OBJECT: none so far */
    struct pair_map functions;  /* in it: (address in the file, 0) */
    uint32_t *function_numbers; /* by that: number of the name plus 1; 0: it has no name */
    size_t function_capacity;
    uint64_t ticks;   /* 0: the file does not say */
    uint64_t all;     /* its samples, those of all threads */
    uint64_t kept;    /* of these, the ones that are read */
    bool is_left_out; /* the current thread is not the one that is read */
    struct stack_file *of;
    struct {
        const char *line;
        struct known_frame *callers;
        size_t count, capacity;
    } last; /* stack: most begin like it */
};

/* Each object has a line, so that numbers without many gaps are less than the size of the file, or
   than this; a larger one could take any memory.  */
enum { LEAST_LIMIT = 65536 };

/* A compressed file of a few bytes can have any number of frames, each of which takes a hundred
   bytes.  In those that are read, their number is in proportion to what the files have on disk.  */
enum { FREE_PLACES = 1000000, PLACES_PER_BYTE = 4 };

/* ---- Pieces of a line ---- */

static bool skip(struct reader *reader, const char *text)
{
    return text_skip(&reader->at, reader->end, text);
}

/* Reads digits of BASE; false if there are none, or if the number has more than 64 bits.  */
static bool read_digits(struct reader *reader, int base, uint64_t *number)
{
    return stack_line_digits(&reader->at, reader->end, base, number);
}

/* Reads the rest of the line, a name.  The caller frees it.  */
static char *read_name(struct reader *reader)
{
    return stack_line_name(&reader->at, reader->end);
}

/* ---- Lines ---- */

/* Reads the number of an object that follows, and a space.  Returns where its index belongs; NULL
   if that cannot be parsed.  */
static uint32_t *read_new_object(struct reader *reader)
{
    uint64_t number;
    if (!read_digits(reader, 10, &number) || number >= reader->number_limit || !skip(reader, " "))
        return NULL;
    size_t need = (size_t)number + 1;
    reader->objects =
        mem_grow(reader->objects, &reader->object_capacity, need, sizeof *reader->objects);
    while (reader->object_count < need)
        reader->objects[reader->object_count++] = NO_OBJECT;
    return &reader->objects[number];
}

static bool read_program(struct reader *reader)
{
    uint32_t *object = read_new_object(reader);
    if (object != NULL)
        *object = 0;
    reader->has_program |= object != NULL;
    return object != NULL;
}

/* A comment `# object NUMBER NAME'.  */
static bool read_object(struct reader *reader)
{
    uint32_t *object = read_new_object(reader);
    if (object == NULL)
        return false;
    char *name = read_name(reader);
    *object = objects_number(&reader->stacks->objects, name);
    if (strcmp(name, GENERATED_CODE) == 0)
        reader->generated = *object;
    free(name);
    return true;
}

/* Reads the number of an object that is known.  */
static bool read_known_object(struct reader *reader, uint32_t *object)
{
    uint64_t number;
    bool ok = read_digits(reader, 10, &number) && number < reader->object_count;
    *object = ok ? reader->objects[number] : NO_OBJECT;
    return *object != NO_OBJECT;
}

/* Sets what is known of the file of OBJECT, unless that is known from another input.  */
static void set_object_file(struct recorded_objects *objects, uint32_t object, const char *build_id,
                            const char *path)
{
    objects->files = mem_grow_zeroed(objects->files, &objects->file_capacity, object + 1,
                                     sizeof *objects->files);
    struct object_file *file = &objects->files[object];
    if (file->path == NULL)
        *file = (struct object_file){.path = path, .build_id = build_id};
    else if (build_id != NULL && file->build_id != NULL && strcmp(build_id, file->build_id) != 0)
        file->is_mixed = true;
}

/* A comment `# file NUMBER BUILDID PATH'.  */
static bool read_object_file(struct reader *reader)
{
    struct arena *arena = &reader->stacks->objects.names.arena;
    uint32_t object;
    if (!read_known_object(reader, &object) || !skip(reader, " "))
        return false;
    const char *id = reader->at, *space = memchr(id, ' ', (size_t)(reader->end - id));
    if (space == NULL || space == id || space + 1 == reader->end)
        return false;
    reader->at = space + 1;
    char *path = read_name(reader);
    set_object_file(&reader->stacks->objects, object,
                    *id != '-' ? arena_copy(arena, id, (size_t)(space - id)) : NULL,
                    arena_copy(arena, path, strlen(path)));
    free(path);
    return true;
}

/* The number of the name of the function at an address in generated code.  */
static uint32_t *function_number(struct reader *reader, uint64_t addr)
{
    size_t known = reader->functions.count;
    uint32_t function = pair_map_number(&reader->functions, addr, 0);
    if (function == known) {
        reader->function_numbers = mem_grow(reader->function_numbers, &reader->function_capacity,
                                            known + 1, sizeof *reader->function_numbers);
        reader->function_numbers[function] = 0;
    }
    return &reader->function_numbers[function];
}

/* A comment `# generated ADDRESS NAME'.  */
static bool read_generated(struct reader *reader)
{
    uint64_t addr;
    if (!read_digits(reader, 16, &addr) || addr == 0 || !skip(reader, " ") ||
        reader->at == reader->end)
        return false;
    char *name = read_name(reader);
    *function_number(reader, addr) =
        string_map_number(&reader->stacks->objects.generated, name) + 1;
    free(name);
    return true;
}

/* A comment `# calls NUMBER TOTAL'.  */
static bool read_calls(struct reader *reader)
{
    struct recorded_objects *objects = &reader->stacks->objects;
    uint32_t object;
    uint64_t total;
    if (!read_known_object(reader, &object) || !skip(reader, " ") ||
        !read_digits(reader, 10, &total) || reader->at != reader->end)
        return false;
    objects->calls = mem_grow(objects->calls, &objects->call_capacity, objects->call_count + 1,
                              sizeof *objects->calls);
    objects->calls[objects->call_count++] =
        (struct recorded_calls){.object = object, .total = total};
    return true;
}

static bool read_ticks(struct reader *reader)
{
    uint64_t ticks;
    bool ok = read_digits(reader, 10, &ticks) && reader->at == reader->end;
    reader->ticks = ok ? sum_u64(reader->ticks, ticks) : 0;
    return ok;
}

/* Whether the thread called NAME, with this NUMBER, is the one that is read.  */
static bool is_chosen_thread(struct stack_file *file, const char *name, uint64_t number)
{
    struct arena arena = {0};
    bool is_by_number = strncmp(file->thread, "tid=", strlen("tid=")) == 0;
    const char *label =
        is_by_number ? arena_format(&arena, "tid=%" PRIu64, number)
                     : arena_join(&arena, "thread=", *name != '\0' ? name : NAMELESS_THREAD, "");
    bool is_it = strcmp(file->thread, label) == 0;
    string_map_number(&file->threads, label);
    file->has_thread |= is_it;
    arena_free(&arena);
    return is_it;
}

/* A comment `# thread NUMBER NAME'.  */
static bool read_thread(struct reader *reader)
{
    struct recorded_stacks *stacks = reader->stacks;
    uint64_t number;
    if (!read_digits(reader, 10, &number) || (reader->at < reader->end && !skip(reader, " ")))
        return false;
    if (!stacks->rules.keeps_threads && reader->of->thread == NULL)
        return true;
    char *name = read_name(reader);
    if (reader->of->thread != NULL)
        reader->is_left_out = !is_chosen_thread(reader->of, name, number);
    if (stacks->rules.keeps_threads)
        threads_begin(&stacks->threads, name, number);
    free(name);
    return true;
}

/* The samples so far count as if they had been taken at this rate if that is larger.  */
static bool read_rate(struct reader *reader)
{
    struct recorded_stacks *stacks = reader->stacks;
    uint64_t rate;
    if (!read_digits(reader, 10, &rate) || rate == 0 || rate > UINT32_MAX)
        return false;
    reader->rate = (uint32_t)rate;
    if (reader->rate > stacks->rate) {
        if (stacks->rate != 0)
            recorded_stacks_scale(stacks, reader->rate, stacks->rate);
        stacks->rate = reader->rate;
    }
    return true;
}

/* Checks how many samples there were since the last such line.  */
static bool check_samples(struct reader *reader)
{
    uint64_t samples;
    if (!read_digits(reader, 10, &samples) || samples != reader->samples)
        return false;
    reader->samples = 0;
    reader->is_open = false;
    return true;
}

/* Reads a comment; skips those that are not known.  */
static bool read_comment(struct reader *reader)
{
    static const struct {
        const char *start;
        bool (*read)(struct reader *reader);
    } kinds[] = {{"# object ", read_object},       {"# program ", read_program},
                 {"# rate ", read_rate},           {"# samples ", check_samples},
                 {"# file ", read_object_file},    {"# calls ", read_calls},
                 {"# generated ", read_generated}, {"# ticks ", read_ticks},
                 {"# thread ", read_thread}};
    reader->last.count = 0; /* objects may have other numbers now */
    for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++)
        if (skip(reader, kinds[i].start))
            return kinds[i].read(reader);
    return true;
}

static bool read_frame(struct reader *reader, struct recorded_frame *frame)
{
    *frame = (struct recorded_frame){NO_OBJECT, 0};
    if (skip(reader, "?"))
        return true;
    if (!read_known_object(reader, &frame->object) || !skip(reader, ":") ||
        !read_digits(reader, 16, &frame->addr))
        return false;
    bool is_caller = reader->at < reader->end && *reader->at == ';';
    if (frame->object == reader->generated)
        frame->addr = *function_number(reader, frame->addr);
    else
        frame->addr -= is_caller; /* the next function may begin at a return address */
    return true;
}

/* How many bytes A and B, of at most SIZE bytes, have in common at their beginning, but for a few.
 */
static size_t common_size(const char *a, const char *b, size_t size)
{
    size_t common = 0;
    while (common + sizeof(uint64_t) <= size &&
           memcmp(a + common, b + common, sizeof(uint64_t)) == 0)
        common += sizeof(uint64_t);
    return common;
}

/* Passes over the frames at the beginning of the line that are those of the last stack.  Returns
   the place of the last one, or UINT32_MAX if there is none.  */
static uint32_t pass_known_frames(struct reader *reader)
{
    const char *last = reader->last.line;
    size_t size = (size_t)(reader->end - reader->at);
    reader->last.line = reader->at;
    if (reader->last.count == 0)
        return UINT32_MAX;
    size_t most = reader->last.callers[reader->last.count - 1].end;
    size_t common = common_size(last, reader->at, most < size ? most : size);
    while (reader->last.count > 0 && reader->last.callers[reader->last.count - 1].end > common)
        reader->last.count--;
    if (reader->last.count == 0)
        return UINT32_MAX;
    reader->at += reader->last.callers[reader->last.count - 1].end;
    return reader->last.callers[reader->last.count - 1].place;
}

static void add_known(struct reader *reader, uint32_t place)
{
    reader->last.callers = mem_grow(reader->last.callers, &reader->last.capacity,
                                    reader->last.count + 1, sizeof *reader->last.callers);
    reader->last.callers[reader->last.count++] =
        (struct known_frame){(size_t)(reader->at - reader->last.line), place};
}

static void add_leaf(struct stack_leaves *leaves, vma addr, uint64_t samples)
{
    uint32_t leaf = pair_map_number(&leaves->addrs, addr, 0);
    leaves->samples = mem_grow_zeroed(leaves->samples, &leaves->capacity, (size_t)leaf + 1,
                                      sizeof *leaves->samples);
    leaves->samples[leaf] = sum_u64(leaves->samples[leaf], samples);
}

/* Whether there are more places, and ends of threads, than the files can explain.  */
static bool has_too_many(const struct reader *reader)
{
    const struct recorded_stacks *stacks = reader->stacks;
    return stacks->places.map.count + stacks->threads.ends.map.count > reader->most_places;
}

/* Reads a stack.  Those of threads that are left out, too, are places: all together tell what
   starts threads.  */
static bool read_stack(struct reader *reader)
{
    struct recorded_stacks *stacks = reader->stacks;
    struct recorded_frame frame;
    uint32_t place = pass_known_frames(reader); /* plus 1: none */
    uint64_t samples;
    bool is_caller, is_first = place == UINT32_MAX;
    do {
        if (!read_frame(reader, &frame))
            return false;
        if (is_first && frame.object == NO_OBJECT) /* the stack is cut */
            frame.object = objects_number(&stacks->objects, CUT_STACK);
        is_first = false;
        is_caller = skip(reader, ";");
        if (has_too_many(reader))
            return true; /* ends the reading */
        uint64_t above = (uint64_t)frame.object << 32 | (uint32_t)(place + 1);
        place = pair_sums_node(&stacks->places, above, frame.addr);
        if (is_caller)
            add_known(reader, place);
    } while (is_caller);
    if (!skip(reader, " ") || !read_digits(reader, 10, &samples) || reader->at != reader->end ||
        reader->rate == 0)
        return false;
    reader->samples = sum_u64(reader->samples, samples);
    reader->all = sum_u64(reader->all, samples);
    if (reader->is_left_out)
        return true;
    reader->kept = sum_u64(reader->kept, samples);
    if (frame.object == 0)
        reader->origin->in_program = sum_u64(reader->origin->in_program, samples);
    if (frame.object == 0 && reader->leaves != NULL)
        add_leaf(reader->leaves, frame.addr, samples);
    double weight = (double)samples * stacks->rate / reader->rate;
    stacks->places.sums[place] += weight;
    if (stacks->rules.keeps_threads)
        threads_add(&stacks->threads, place, weight);
    if (stacks->rules.keeps_threads && frame.object != 0 && frame.object == stacks->objects.library)
        stacks->threads.samples[stacks->threads.current] -= weight;
    stacks->all.sum += weight;
    stacks->all.squares += weight * stacks->rate / reader->rate;
    if (stacks->rules.keeps_files)
        stacks_add_end(&stacks->tree, (struct stack_end){place, (double)samples});
    return true;
}

/* How many samples of a file one interruption counts as.  */
static double samples_of_tick(const struct reader *reader)
{
    bool has_several = reader->ticks > 0 && reader->ticks < reader->all;
    return has_several ? (double)reader->all / (double)reader->ticks : 1;
}

/* Reads the lines of SECTION behind the first one.  False after a message.  */
static bool read_lines(struct reader *reader, struct file_buffer *file,
                       const struct stack_section *section, const char *path)
{
    enum { AT_ONCE = 1 << 14 }; /* lines in memory */
    const char *next = section->start;
    size_t number = section->line;
    for (bool is_start = true; next < section->end; number++, is_start = false) {
        const char *newline = memchr(next, '\n', (size_t)(section->end - next));
        reader->at = next;
        reader->end = newline != NULL ? newline : section->end;
        next = reader->end + 1;
        if (number % AT_ONCE == 0)
            file_buffer_give_back(file);
        bool is_comment = reader->at < reader->end && *reader->at == '#';
        bool is_empty = is_start || reader->at == reader->end;
        if (!is_empty && !(is_comment ? read_comment(reader) : read_stack(reader)))
            return problem(MSG_BAD_STACK_LINE, path, number);
        if (has_too_many(reader))
            return problem(MSG_STACKS_LARGE, path);
    }
    if (reader->is_open)
        return problem(MSG_STACKS_END, path);
    return reader->has_program || problem(MSG_NOT_STACKS, path);
}

/* Counts the samples of the file as so few independent ones as it has ticks.  */
static void add_ticks(struct reader *reader)
{
    struct recorded_stacks *stacks = reader->stacks;
    double factor = reader->rate != 0 ? stacks->rate / reader->rate : 1;
    stacks->all.squares += (double)reader->kept * factor * factor * (samples_of_tick(reader) - 1);
    stacks->all.count += (double)reader->kept / samples_of_tick(reader);
}

/* Reads SECTION.  *SAMPLES and *TICKS get its own.  */
static bool read_section(struct reader *reader, struct stack_file *file,
                         const struct stack_section *section)
{
    threads_begin_process(&reader->stacks->threads, section->process, section->began);
    reader->generated = NO_OBJECT;
    reader->object_count = 0;
    reader->has_program = false;
    reader->is_open = section->origin.totals.high != 0;
    reader->rate = 0;
    reader->is_left_out = file->thread != NULL;
    reader->ticks = reader->all = reader->kept = reader->samples = 0;
    pair_map_free(&reader->functions);
    if (!read_lines(reader, &file->buffer, section, file->path))
        return false;
    add_ticks(reader);
    return true;
}

/* Ends the column of the file, in samples: one for each tick.  */
static void add_file(const struct reader *reader)
{
    struct stacks *tree = &reader->stacks->tree;
    double samples = samples_of_tick(reader);
    size_t i = stacks_first_end(tree, tree->column_count);
    for (; i < tree->end_count; i++)
        tree->ends[i].samples /= samples;
    stacks_add_column(
        tree, (struct stack_column){.rate = reader->rate / samples, .has_weights = samples > 1});
}

bool stack_file_read(struct recorded_stacks *stacks, struct stacks_origin *origin,
                     struct stack_leaves *leaves, struct stack_file *file)
{
    struct reader reader = {.stacks = stacks, .origin = origin, .leaves = leaves, .of = file};
    uint64_t all = 0, ticks = 0;
    bool ok = true;
    *origin = stack_file_origin(file);
    objects_number(&stacks->objects, ""); /* the program */
    stacks->stored += file->buffer.packed != NULL ? file->buffer.packed->size : file->buffer.size;
    reader.most_places = FREE_PLACES + PLACES_PER_BYTE * stacks->stored;
    reader.number_limit = max_u64(LEAST_LIMIT, file->buffer.size);
    for (size_t i = 0; i < file->count && ok; i++) {
        ok = !file->sections[i].is_chosen || read_section(&reader, file, &file->sections[i]);
        if (file->sections[i].is_chosen) {
            all = sum_u64(all, reader.all);
            ticks = sum_u64(ticks, reader.ticks > 0 ? reader.ticks : reader.all);
        }
    }
    reader.all = all;
    reader.ticks = ticks;
    if (ok && stacks->rules.keeps_files)
        add_file(&reader);
    free(reader.objects);
    pair_map_free(&reader.functions);
    free(reader.function_numbers);
    free(reader.last.callers);
    return ok;
}
