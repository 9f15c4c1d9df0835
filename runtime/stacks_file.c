/* stacks_file.c - the call stacks of all samples, as text.
   SPDX-License-Identifier: MIT

       # regmon stacks 1
       # rate 100
       # program 0 prog
       # object 3 libfoo.so.1
       0:1139;0:1180;3:1120 12

   A line for each stack: its frames, outermost first, then its samples.  A frame is the number of
   the object and the address in the object's file, in hexadecimal: where the innermost function
   was, and the return addresses of the others.  `?' stands for addresses in no object, such as
   generated code.  As first frame it says that the stack is cut: its callers are not known.  Others
   begin where their program or thread did.  The same stack may be in several lines, one for each
   table. */
#include "stacks_file.h"

#include "stack.h"
#include "state.h"
#include "table.h"
#include "text.h"

static struct table *first_table(void)
{
    return __atomic_load_n(&regmon_state.process->tables, __ATOMIC_ACQUIRE);
}

bool stacks_exist(void)
{
    for (const struct table *t = first_table(); t; t = t->next)
        if (t->is_of_stacks)
            return true;
    return false;
}

static void put_text(struct out_file *out, const struct text *text)
{
    out_bytes(out, text->start, text->used);
}

static void put_header(struct out_file *out, const struct objects *objects)
{
    char memory[OBJECT_NAME_BYTES + 64];
    struct text line = text_in(memory, sizeof memory);

    text_add(&line, "# regmon stacks 1\n# rate ");
    text_add_number(&line, regmon_state.config.hz);
    text_add(&line, "\n");
    put_text(out, &line);
    for (size_t i = 0; i < objects->mapped; i++) {
        if (objects->list[i].same != i)
            continue;
        line = text_in(memory, sizeof memory);
        text_add(&line, objects->list[i].is_main ? "# program " : "# object ");
        text_add_number(&line, i);
        text_add(&line, " ");
        text_add(&line, objects->list[i].name);
        text_add(&line, "\n");
        put_text(out, &line);
    }
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

static void put_stack(struct out_file *out, const struct slot *slot, uint64_t samples,
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
}

long stacks_write(struct out_file *out, const char *path, const struct objects *objects,
                  struct stack_line *line, bool takes)
{
    const long error = out_open(out, path);

    if (error)
        return error;
    put_header(out, objects);
    for (struct table *t = first_table(); t; t = t->next)
        for (uint64_t i = 0; i < table_capacity(t) && t->is_of_stacks; i++) {
            const uint64_t samples = slot_calls(&t->slots[i]);

            if (samples)
                put_stack(out, &t->slots[i], samples, objects, line);
            if (takes)
                t->slots[i].aside += samples;
        }
    return out_close(out);
}
