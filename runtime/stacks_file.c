/* stacks_file.c - the call stacks of all samples, as text.
   SPDX-License-Identifier: MIT

       # regmon stacks 3
       # process 4711 4700 1796300000123456789 ended
       # first
       # command prog
       # profile gmon.out
       # rate 1000
       # build-id 1f6e40a8d5e1b7c0
       # histogram 1000 5f40 57
       # checksum 5ad0e5f1c87b3a91
       # code 1000 5f40
       # cpu-time 61024331
       # ticks 57
       # program 0 prog
       # file 0 1f6e40a8d5e1b7c0 /home/user/prog
       # object 3 libfoo.so.1
       # file 3 - /usr/lib/libfoo.so.1
       # calls 3 1200
       # object 9 [generated code]
       # generated 1 LazyCompile:*find search.js:7
       # thread 4711 prog
       0:1139;0:1180;3:1120 12
       0:1139;9:1;9:0 3
       # counting 2
       # samples 60

   A file has a section for each process, which begins with the line `# regmon stacks': so several
   files one behind the other are a file.  That of regmon, the record of a run (record.h), has those
   of all processes that took samples.  Numbers, build ids and names are those of the section.

   `process' has the numbers of the process and of the one that started it, when it began, in
   nanoseconds since 1970, and what became of it: it has `ended', has executed another program
   (`exec'), or is `alive'.  `first': regmon runs it.  `command' is
   the last part of the path by which it was executed.  `profile' is the
   name of the file with what it counted.

   The next lines say which profile the section belongs to: the program's build id, if it has one,
   and range of the first histogram, samples and checksum (gmon_file.h) of all histograms in the
   profile that was written just before, or would have been; `code' is the range of the program's
   code; `cpu-time' is the processor time that the process has used, in nanoseconds, if that is
   known; `ticks' are the independent samples: a tick of the kernel may count for several.  A `file'
   line has the build id of an object, or -, and its path, if it has one; a `calls' line, the number
   of all calls in the file that was written for it, gmon.out.libfoo.so.1. The last ones are sums of
   the lines above them: other threads may have taken samples since the profile was written, and go
   on. `counting' are samples of the library itself, if it is an object of its own.

   Names and paths are escaped, so that none begins a line: `\\' is a backslash, `\n' a newline, and
   `\x07' another control character.

   A `thread' line has the number and name of the thread that the stacks below it belong to.

   A line for each stack: its frames, outermost first, then its samples.  A frame is the number of
   the object and the address in the object's file, in hexadecimal: where the innermost function
   was, and the return addresses of the others.  What is in no object is code that the program has
   made: there, a frame has the number of a function, which a `generated' line names, or 0.  `?' as
   first frame says that the stack is cut: its callers are not known.  Others begin where their
   program or thread did.  The same stack may be in several lines, one for each table. */
#include "stacks_file.h"

#include "generated.h"
#include "sys.h"
#include "table.h"
#include "text.h"

static void put_text(struct out_file *out, const struct text *text)
{
    out_bytes(out, text->start, text->used);
}

static void put_number(struct out_file *out, const char *name, uint64_t number)
{
    char memory[64];
    struct text line = text_in(memory, sizeof memory);

    text_add(&line, name);
    text_add_number(&line, number);
    text_add(&line, "\n");
    put_text(out, &line);
}

/* Puts a name of so many bytes at most, or up to its end, escaped. */
static void put_name(struct out_file *out, const char *name, size_t most)
{
    char memory[8];
    struct text escaped = text_in(memory, sizeof memory);

    for (size_t i = 0; i < most && name[i]; i++) {
        const unsigned char byte = (unsigned char)name[i];

        escaped.used = 0;
        if (byte == '\\' || byte == '\n')
            text_add(&escaped, byte == '\n' ? "\\n" : "\\\\");
        else if (byte < ' ' || byte == 127) {
            text_add(&escaped, byte < 16 ? "\\x0" : "\\x");
            text_add_hex(&escaped, byte);
        } else
            text_add_bytes(&escaped, (const char *)&byte, 1); /* a process may change the name */
        put_text(out, &escaped);
    }
}

/* Puts the start of a line, with the name of which so many bytes may be read, and ends the line. */
static void put_named(struct out_file *out, const struct text *start, const char *name, size_t most)
{
    put_text(out, start);
    put_name(out, name, most);
    out_bytes(out, "\n", 1);
}

static void put_build_id(struct out_file *out, const struct object *program)
{
    char memory[2 * BUILD_ID_BYTES + 32];
    struct text line = text_in(memory, sizeof memory);

    text_add(&line, "# build-id ");
    object_add_build_id(&line, program, BUILD_ID_BYTES);
    text_add(&line, "\n");
    if (program->build_id_bytes)
        put_text(out, &line);
}

static void put_histogram(struct out_file *out, const struct stacks_origin *origin)
{
    char memory[128];
    struct text line = text_in(memory, sizeof memory);

    text_add(&line, "# histogram ");
    text_add_hex(&line, origin->range.low);
    text_add(&line, " ");
    text_add_hex(&line, origin->range.high);
    text_add(&line, " ");
    text_add_number(&line, origin->samples);
    text_add(&line, "\n# checksum ");
    text_add_hex(&line, origin->checksum);
    text_add(&line, "\n");
    put_text(out, &line);
}

static void put_object(struct out_file *out, const struct object *object, size_t number)
{
    char memory[64];
    struct text line = text_in(memory, sizeof memory);

    text_add(&line, object->is_main ? "# program " : "# object ");
    text_add_number(&line, number);
    text_add(&line, " ");
    put_named(out, &line, text_starts(object->name, "linux-vdso") ? "[vdso]" : object->name,
              OBJECT_NAME_BYTES);
}

static void put_file(struct out_file *out, const struct object *object, size_t number)
{
    char memory[2 * BUILD_ID_BYTES + 64];
    struct text line = text_in(memory, sizeof memory);

    text_add(&line, "# file ");
    text_add_number(&line, number);
    text_add(&line, " ");
    object_add_build_id(&line, object, BUILD_ID_BYTES);
    text_add(&line, object->build_id_bytes ? " " : "- ");
    if (*object->path == '/')
        put_named(out, &line, object->path, OBJECT_PATH_BYTES);
}

static void put_calls(struct out_file *out, const struct object *object, size_t number)
{
    char memory[96];
    struct text line = text_in(memory, sizeof memory);

    text_add(&line, "# calls ");
    text_add_number(&line, number);
    text_add(&line, " ");
    text_add_number(&line, object->calls);
    text_add(&line, "\n");
    if (object->calls && !object->is_main)
        put_text(out, &line);
}

static void put_process(struct out_file *out, const struct stacks_origin *origin,
                        const struct pool_header *header)
{
    char memory[256];
    struct text line = text_in(memory, sizeof memory);

    text_add(&line, STACKS_FORMAT " 3\n# process ");
    text_add_number(&line, (uint64_t)header->pid);
    text_add(&line, " ");
    text_add_number(&line, (uint64_t)header->parent);
    text_add(&line, " ");
    text_add_number(&line, (uint64_t)header->opened);
    text_add(&line, header->is_replaced ? " exec\n" : origin->is_alive ? " alive\n" : " ended\n");
    text_add(&line, origin->is_first ? "# first\n" : "");
    put_text(out, &line);
    line.used = 0;
    text_add(&line, "# command ");
    put_named(out, &line, header->config.program, REGMON_NAME_BYTES);
    line.used = 0;
    text_add(&line, "# profile ");
    if (origin->profile)
        put_named(out, &line, origin->profile, REGMON_PATH_BYTES);
}

static void put_code(struct out_file *out, const struct object *program)
{
    char memory[64];
    struct text line = text_in(memory, sizeof memory);

    text_add(&line, "# code ");
    text_add_hex(&line, program->low);
    text_add(&line, " ");
    text_add_hex(&line, program->high);
    text_add(&line, "\n");
    put_text(out, &line);
}

static void put_header(struct out_file *out, const struct objects *objects,
                       const struct stacks_origin *origin, const struct pool_header *header)
{
    put_process(out, origin, header);
    put_number(out, "# rate ", header->config.hz);
    for (size_t i = 0; i < objects->count; i++)
        if (objects->list[i].is_main && objects->list[i].same == i) {
            put_build_id(out, &objects->list[i]);
            put_histogram(out, origin);
            put_code(out, &objects->list[i]);
        }
    if (origin->cpu_time)
        put_number(out, "# cpu-time ", origin->cpu_time);
    if (!header->config.is_series)
        put_number(out, "# ticks ", header->ticks);
    for (size_t i = 0; i < objects->count; i++)
        if (objects->list[i].same == i) {
            put_object(out, &objects->list[i], i);
            put_file(out, &objects->list[i], i);
            put_calls(out, &objects->list[i], i);
        }
}

/* What the addresses of stacks are in. */
struct places {
    const struct pool *pool;
    const struct objects *objects;
    struct stacks_origin *origin;
    struct generated generated;
};

/* In place of that of an object in the list. */
static size_t place_of_unknown(const struct places *places)
{
    return places->objects->count;
}

static size_t place_of_generated(const struct places *places)
{
    return places->objects->count + 1;
}

static void put_generated(struct out_file *out, const struct places *places)
{
    const struct generated *generated = &places->generated;
    char memory[64];
    struct text line = text_in(memory, sizeof memory);

    if (!generated->count)
        return;
    text_add(&line, "# object ");
    text_add_number(&line, place_of_generated(places));
    text_add(&line, " [generated code]\n");
    put_text(out, &line);
    for (size_t i = 0; i < generated->count; i++) {
        const size_t length = generated_name_length(generated, i);

        if (!length || generated->codes[i].number != i + 1)
            continue;
        line.used = 0;
        text_add(&line, "# generated ");
        text_add_hex(&line, i + 1);
        text_add(&line, " ");
        put_named(out, &line, generated->text + generated->codes[i].name, length);
    }
}

/* Sets the frames to those of the stack that ends in the slot, innermost first.  Neighbours in
   generated code without a name are one.  Functions of the library that called the program are left
   out. */
static size_t list_frames(const struct places *places, const struct slot *slot,
                          struct stack_line *frames)
{
    const struct objects *objects = places->objects;
    size_t count = 0, left = 2 * MOST_FRAMES; /* also frames that are left out; a ring has no end */

    for (; slot && count < MOST_FRAMES && left > 0;
         slot = pool_at(places->pool, slot->from, sizeof *slot), left--) {
        const uintptr_t self = slot->self, at = self - (count > 0 && !(self & UNLOADED));
        size_t place = objects_find(objects, at);
        uintptr_t address = 0;

        if (place < objects->count) {
            if (count > 0 && objects->list[place].is_library)
                continue;
            address = object_address(&objects->list[place], self);
        } else if (self != UNKNOWN_CALLER && places->generated.count) {
            place = place_of_generated(places);
            address = generated_find(&places->generated, at);
            if (count > 0 && !address && frames->places[count - 1] == place &&
                !frames->addresses[count - 1])
                continue;
        }
        frames->places[count] = place;
        frames->addresses[count++] = address;
    }
    return count;
}

/* Returns the place of the innermost frame's object. */
static size_t put_stack(struct out_file *out, const struct places *places, const struct slot *slot,
                        uint64_t samples, struct stack_line *frames)
{
    struct text line = text_in(frames->text, sizeof frames->text);

    for (size_t i = list_frames(places, slot, frames); i-- > 0;) {
        const size_t place = frames->places[i];

        if (place == place_of_unknown(places))
            text_add(&line, "?");
        else {
            text_add_number(&line, place == place_of_generated(places)
                                       ? place
                                       : places->objects->list[place].same);
            text_add(&line, ":");
            text_add_hex(&line, frames->addresses[i]);
        }
        text_add(&line, i > 0 ? ";" : " ");
    }
    text_add_number(&line, samples);
    text_add(&line, "\n");
    put_text(out, &line);
    return frames->places[0];
}

struct sums {
    uint64_t samples;
    uint64_t counting;
    uint64_t left;    /* samples that there can be */
    bool are_refused; /* stacks with more */
};

/* Of a part of a series: so many of the samples at an address are in the profile, too. */
static uint64_t take_samples(const struct places *places, uintptr_t self, uint64_t samples)
{
    struct stacks_origin *origin = places->origin;
    const size_t place = objects_find(places->objects, self);
    const struct object *object = &places->objects->list[place];
    size_t low = 0, high = origin->left_count, middle;

    if (place == places->objects->count || !object->is_main)
        return samples;
    while (low < high) {
        middle = low + (high - low) / 2;
        if (origin->left[middle].self < object_address(object, self))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == origin->left_count || origin->left[low].self != object_address(object, self))
        return 0;
    if (samples > origin->left[low].count)
        samples = origin->left[low].count;
    origin->left[low].count -= samples;
    return samples;
}

static void put_stacks(struct out_file *out, const struct places *places, struct slot *slots,
                       uint64_t count, struct stack_line *line, struct sums *sums)
{
    const bool is_series = places->pool->header->config.is_series;

    for (uint64_t i = 0; i < count; i++) {
        struct slot *slot = &slots[i];
        uint64_t samples = slot_calls(slot);

        if (samples && is_series)
            samples = take_samples(places, slot->self, samples);
        if (!pool_may_hold(&sums->left, samples)) {
            sums->are_refused = true;
            samples = 0;
        }
        if (samples) {
            const size_t place = put_stack(out, places, slot, samples, line);

            if (place < places->objects->count && places->objects->list[place].is_library)
                sums->counting += samples;
        }
        sums->samples += samples;
        if (is_series)
            slot->aside += samples;
    }
}

static void put_thread(struct out_file *out, const struct thread *thread)
{
    char memory[64];
    struct text line = text_in(memory, sizeof memory);

    text_add(&line, "# thread ");
    text_add_number(&line, (uint64_t)thread->owner);
    text_add(&line, " ");
    put_named(out, &line, thread->name, THREAD_NAME_BYTES);
}

static void put_tables(struct out_file *out, const struct places *places, struct stack_line *line,
                       struct sums *sums)
{
    struct table_walk walk = table_walk_begin(places->pool);
    struct table *t;

    while ((t = table_walk_next(&walk))) {
        const struct thread *thread = pool_at(places->pool, t->thread, sizeof *thread);

        if (!t->is_of_stacks || !thread)
            continue;
        put_thread(out, thread);
        put_stacks(out, places, t->slots, walk.slots, line, sums);
    }
}

long stacks_write(struct out_file *out, const char *path, const struct pool *pool,
                  const struct objects *objects, struct stacks_origin *origin,
                  struct stack_line *line)
{
    const long error = out_open(out, path);
    struct places places = {.pool = pool, .objects = objects, .origin = origin};
    struct sums sums = {.left = pool->most.samples};

    if (error)
        return error;
    generated_read(&places.generated, pool, objects);
    put_header(out, objects, origin, pool->header);
    put_generated(out, &places);
    put_tables(out, &places, line, &sums);
    generated_close(&places.generated);
    if (sums.are_refused)
        message("stacks are left out: they are damaged, with more samples than there can be", NULL,
                0);
    put_number(out, "# counting ", sums.counting);
    put_number(out, "# samples ", sums.samples);
    return out_close(out);
}
