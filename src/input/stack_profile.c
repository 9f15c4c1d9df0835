/* stack_profile.c - the profile of a program whose samples are only in a file of stacks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "input/stack_profile.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/common.h"
#include "base/message.h"
#include "base/messages.h"
#include "model/recorded_stacks.h"

/* As libregmon divides the code of a program into histograms, so that profiles that it wrote can be
   added (runtime/gmon_file.c).  */
enum { SMALL_BIN = 2, LARGE_BIN = 16, LEAST_PART = 64, MOST_PARTS = 8192, LARGE_TEXT = 16 << 20 };

/* The code of a program: [low, high), in parts of so many bytes with bins of so many.  */
struct parts {
    vma low, high, bytes;
    uint32_t bin;
};

/* By the sections that are chosen, or, if they do not say, by where their stacks end.  */
static struct parts divide_code(const struct stack_file *file, const struct stack_leaves *leaves)
{
    const struct stacks_origin origin = stack_file_origin(file);
    struct parts parts = {.low = origin.code_high > 0 ? origin.code_low : UINT64_MAX,
                          .high = origin.code_high};
    for (size_t i = 0; i < leaves->addrs.count && parts.high == 0; i++)
        parts.low = min_u64(parts.low, leaves->addrs.pairs[i].a);
    for (size_t i = 0; i < leaves->addrs.count; i++)
        parts.high = max_u64(parts.high, sum_u64(leaves->addrs.pairs[i].a, 1));
    if (parts.high == 0) /* nothing is known of the code: there is no sample in it */
        parts.low = 0, parts.high = 1;
    parts.bin = parts.high - parts.low > LARGE_TEXT ? LARGE_BIN : SMALL_BIN;
    parts.low &= ~(vma)(parts.bin - 1);
    parts.high = (parts.high + parts.bin - 1) & ~(vma)(parts.bin - 1);
    parts.bytes = (vma)LEAST_PART * parts.bin;
    while ((parts.high - parts.low) / parts.bytes >= MOST_PARTS)
        parts.bytes *= 2;
    return parts;
}

/* Adds the samples of a leaf to the part that it is in.  */
static void add_leaf(struct hist_set *set, const struct parts *parts, uint32_t rate, vma addr,
                     uint64_t samples)
{
    if (addr < parts->low)
        return; /* outside of the code: the file is damaged */
    vma low = parts->low + (addr - parts->low) / parts->bytes * parts->bytes;
    vma high = min_u64(low + parts->bytes, parts->high);
    struct hist_header header = {.low = low,
                                 .high = high,
                                 .bin_count = (uint32_t)((high - low) / parts->bin),
                                 .rate = rate,
                                 .dimension = "seconds",
                                 .abbreviation = 's'};
    if (hist_check(set, &header) != HIST_OK)
        return;
    struct histogram *histogram = hist_find_or_add(set, &header);
    hist_reserve(histogram, samples);
    hist_add(histogram, (uint32_t)((addr - low) / parts->bin), samples);
}

/* Writes the samples of the chosen sections with one RATE.  False after a message.  */
static bool write_rate(FILE *out, struct stack_file *file, uint32_t rate,
                       const struct gmon_layout *layout)
{
    struct recorded_stacks stacks = {0};
    struct stacks_origin origin;
    struct stack_leaves leaves = {0};
    struct hist_set set = {0};
    for (size_t i = 0; i < file->count; i++)
        file->sections[i].is_chosen &= file->sections[i].origin.totals.rate == rate;
    bool ok = stack_file_read(&stacks, &origin, &leaves, file);
    const struct parts parts = divide_code(file, &leaves);
    for (size_t i = 0; i < leaves.addrs.count && ok; i++)
        add_leaf(&set, &parts, rate, leaves.addrs.pairs[i].a, leaves.samples[i]);
    if (set.count == 0) /* there is a profile all the same */
        add_leaf(&set, &parts, rate, parts.low, 0);
    for (size_t i = 0; i < set.count && ok; i++)
        gmon_write_histogram(out, layout, GMON_MAGIC, &set, &set.hists[i]);
    hist_free(&set);
    stack_leaves_free(&leaves);
    recorded_stacks_free(&stacks);
    return ok;
}

/* Writes the samples of PROGRAM, those of each rate after one another.  False after a message.  */
static bool write_profile(FILE *out, struct stack_file *file, const struct program_file *program,
                          const struct gmon_layout *layout)
{
    uint32_t last = 0;
    bool ok = true;
    gmon_write_start(out, layout, GMON_MAGIC, true);
    do {
        uint32_t next = UINT32_MAX;
        stack_file_choose(file, program, NULL);
        for (size_t i = 0; i < file->count; i++) {
            uint32_t rate = file->sections[i].origin.totals.rate;
            if (file->sections[i].is_chosen && rate > last && rate < next)
                next = rate;
        }
        last = next;
        ok = next == UINT32_MAX || write_rate(out, file, next, layout);
    } while (ok && last != UINT32_MAX);
    return ok;
}

/* False after a message if PROGRAM has no section.  */
static bool check_program(struct stack_file *file, const struct program_file *program)
{
    struct name_list others = {0};
    struct string_map names = {0};
    const struct program_file build = {program->build_id, program->path, NULL};
    bool is_there = false, has_build = false;
    for (size_t i = 0; i < file->count && !is_there; i++) {
        const char *name = stack_section_name(&file->sections[i]);
        size_t known = names.count;
        is_there = stack_section_is_of(&file->sections[i], program);
        has_build |= stack_section_is_of(&file->sections[i], &build);
        if (string_map_number(&names, name) == known)
            name_list_add(&others, name);
    }
    string_map_free(&names);
    if (!is_there)
        problem(has_build ? MSG_NO_PROGRAM_OF : MSG_STACKS_LACK_BUILD, file->path,
                has_build ? program->called : program->path, others.text);
    return is_there;
}

/* False after a message if only one thread was read, and there is no such thread.  */
static bool check_thread(const struct stack_file *file)
{
    struct name_list others = {0};
    for (size_t i = 0; i < file->threads.count; i++)
        name_list_add(&others, file->threads.strings[i]);
    return file->thread == NULL || file->has_thread ||
           problem(MSG_NO_PROGRAM_OF, file->path, file->thread, others.text);
}

bool stack_profile_make(struct file_buffer *buffer, const char *path,
                        const struct gmon_layout *layout, const struct program_file *program,
                        const char *thread)
{
    struct stack_file file = {0};
    char *bytes = NULL;
    size_t size = 0;
    if (!stack_file_begins(buffer->bytes, buffer->size))
        return true;
    bool ok = stack_file_open(&file, path);
    FILE *out = open_memstream(&bytes, &size);
    if (out == NULL)
        die(MSG_NO_MEMORY, (size_t)1, (size_t)1);
    file.thread = thread;
    ok = ok && check_program(&file, program) && write_profile(out, &file, program, layout) &&
         check_thread(&file);
    fclose(out);
    stack_file_close(&file);
    file_buffer_free(buffer);
    buffer->memory = buffer->bytes = (unsigned char *)bytes;
    buffer->size = buffer->capacity = size;
    return ok;
}
