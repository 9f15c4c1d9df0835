/* stacks_file.c - the call stacks of all samples, as text.
   SPDX-License-Identifier: MIT

       # regmon stacks 1
       # rate 1000
       # build-id 1f6e40a8d5e1b7c0
       # histogram 1000 5f40 57
       # checksum 5ad0e5f1c87b3a91
       # cpu-time 61024331
       # program 0 prog
       # object 3 libfoo.so.1
       0:1139;0:1180;3:1120 12
       # counting 2
       # samples 60

   The first lines say which profile the file belongs to: the program's build id, if it has one, and
   range, samples and checksum (gmon_file.h) of the histogram in the profile that was written just
   before; `cpu-time' is the processor time that the process has used, in nanoseconds.  The last
   ones are sums of the lines above them: other threads may have taken samples since the profile was
   written, and go on. `counting' are samples of the library itself, if it is an object of its own.

   A line for each stack: its frames, outermost first, then its samples.  A frame is the number of
   the object and the address in the object's file, in hexadecimal: where the innermost function
   was, and the return addresses of the others.  `?' stands for addresses in no object, such as
   generated code.  As first frame it says that the stack is cut: its callers are not known.  Others
   begin where their program or thread did.  The same stack may be in several lines, one for each
   table. */
#include "stacks_file.h"

#include "gmon_file.h"
#include "stack.h"
#include "state.h"
#include "sys.h"
#include "table.h"
#include "text.h"

#define FORMAT "# regmon stacks"

static struct table *first_table(void)
{
    return __atomic_load_n(&regmon_state.process->tables, __ATOMIC_ACQUIRE);
}

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

static void put_build_id(struct out_file *out, const struct object *program)
{
    static const char digits[] = "0123456789abcdef";
    char memory[2 * BUILD_ID_BYTES + 32];
    struct text line = text_in(memory, sizeof memory);

    text_add(&line, "# build-id ");
    for (size_t i = 0; i < program->build_id_bytes; i++) {
        text_add_bytes(&line, &digits[program->build_id[i] >> 4], 1);
        text_add_bytes(&line, &digits[program->build_id[i] & 15], 1);
    }
    text_add(&line, "\n");
    if (program->build_id_bytes)
        put_text(out, &line);
}

static void put_histogram(struct out_file *out, const struct object *program,
                          const struct stacks_origin *origin)
{
    const struct range range = gmon_range(program);
    char memory[128];
    struct text line = text_in(memory, sizeof memory);

    text_add(&line, "# histogram ");
    text_add_hex(&line, range.low);
    text_add(&line, " ");
    text_add_hex(&line, range.high);
    text_add(&line, " ");
    text_add_number(&line, origin->samples);
    text_add(&line, "\n# checksum ");
    text_add_hex(&line, origin->checksum);
    text_add(&line, "\n");
    put_text(out, &line);
}

static void put_object(struct out_file *out, const struct object *object, size_t number)
{
    char memory[OBJECT_NAME_BYTES + 64];
    struct text line = text_in(memory, sizeof memory);

    text_add(&line, object->is_main ? "# program " : "# object ");
    text_add_number(&line, number);
    text_add(&line, " ");
    text_add(&line, object->name);
    text_add(&line, "\n");
    put_text(out, &line);
}

static void put_header(struct out_file *out, const struct objects *objects,
                       const struct stacks_origin *origin)
{
    put_number(out, FORMAT " 1\n# rate ", regmon_state.config.hz);
    for (size_t i = 0; i < objects->count; i++)
        if (objects->list[i].is_main && objects->list[i].same == i) {
            put_build_id(out, &objects->list[i]);
            put_histogram(out, &objects->list[i], origin);
        }
    put_number(out, "# cpu-time ", origin->cpu_time);
    for (size_t i = 0; i < objects->mapped; i++)
        if (objects->list[i].same == i)
            put_object(out, &objects->list[i], i);
}

/* Sets the frames to those of the stack that ends in the slot, innermost first.  Neighbours in no
   object are one. */
static size_t list_frames(const struct slot *slot, const struct objects *objects,
                          struct stack_line *frames)
{
    size_t count = 0;

    for (; slot && count < MOST_FRAMES; slot = (const struct slot *)slot->from) {
        const size_t number = objects_find(objects, slot->self - (count > 0));

        if (number == objects->count && count > 0 && frames->numbers[count - 1] == number)
            continue;
        frames->numbers[count] = number;
        frames->addresses[count++] = slot->self;
    }
    return count;
}

/* Returns the number of the innermost frame's object. */
static size_t put_stack(struct out_file *out, const struct slot *slot, uint64_t samples,
                        const struct objects *objects, struct stack_line *frames)
{
    struct text line = text_in(frames->text, sizeof frames->text);

    for (size_t i = list_frames(slot, objects, frames); i-- > 0;) {
        const struct object *object = &objects->list[frames->numbers[i]];

        if (frames->numbers[i] == objects->count)
            text_add(&line, "?");
        else {
            text_add_number(&line, object->same);
            text_add(&line, ":");
            text_add_hex(&line, frames->addresses[i] - object->bias);
        }
        text_add(&line, i > 0 ? ";" : " ");
    }
    text_add_number(&line, samples);
    text_add(&line, "\n");
    put_text(out, &line);
    return frames->numbers[0];
}

/* The number of the library's object, or of none if it is a part of the program. */
static size_t library_of(const struct objects *objects)
{
    const size_t number = objects_find(objects, (uintptr_t)stacks_write);

    return number < objects->count && !objects->list[number].is_main ? number : objects->count;
}

long stacks_write(struct out_file *out, const char *path, const struct objects *objects,
                  const struct stacks_origin *origin, struct stack_line *line, bool takes)
{
    const long error = out_open(out, path);
    const size_t library = library_of(objects);
    uint64_t sum = 0, counting = 0;

    if (error)
        return error;
    put_header(out, objects, origin);
    for (struct table *t = first_table(); t; t = t->next)
        for (uint64_t i = 0; i < table_capacity(t) && t->is_of_stacks; i++) {
            const uint64_t samples = slot_calls(&t->slots[i]);

            if (samples) {
                const size_t number = put_stack(out, &t->slots[i], samples, objects, line);

                counting += number == library && number < objects->count ? samples : 0;
            }
            sum += samples;
            if (takes)
                t->slots[i].aside += samples;
        }
    put_number(out, "# counting ", counting);
    put_number(out, "# samples ", sum);
    return out_close(out);
}

void stacks_remove(const char *path)
{
    char start[sizeof FORMAT];
    const long fd = sys_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
    const long used = fd < 0 ? fd : sys_read(fd, start, sizeof start - 1);

    if (fd >= 0)
        sys_close(fd);
    if (used != sizeof start - 1)
        return;
    start[used] = 0;
    if (text_is(start, FORMAT))
        (void)SYS3(__NR_unlinkat, AT_FDCWD, path, 0);
}
