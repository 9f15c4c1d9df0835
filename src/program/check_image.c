/* check_image.c - whether the executable is the one that wrote the profiles.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/check_image.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/sort.h"
#include "input/image_traits.h"

void image_check_callee(struct image_check *check, vma self)
{
    struct text_range text = image_text(check->image);
    if (self >= text.start && self < text.end)
        callee_sample_add(&check->sample, self);
}

/* The text, if it can be read and its calls are known.  */
static bool find_code(struct image *image, struct code *code)
{
    const struct gmon_layout layout = image_layout(image);
    const struct text_range text = image_text(image);
    *code = (struct code){.arch = image_arch(image),
                          .is_big_endian = layout.is_big_endian,
                          .pointer_size = layout.pointer_size,
                          .start = text.start,
                          .size = (size_t)(text.end - text.start)};
    if (callscan_is_known(code->arch))
        code->bytes = image_text_bytes(image, true);
    return code->bytes != NULL;
}

static void list_symbols(struct image_check *check)
{
    struct raw_symbol *raw = image_symbols(check->image, &check->symbol_count);
    check->symbols = mem_array(check->symbol_count, sizeof *check->symbols);
    for (size_t i = 0; i < check->symbol_count; i++)
        check->symbols[i] = raw[i].addr;
    sort_numbers(check->symbols, check->symbol_count);
    free(raw);
}

static int compare_addresses(const void *a, const void *b)
{
    const vma *left = a, *right = b;
    return *left < *right ? -1 : *left > *right;
}

/* Whether a symbol begins at ADDR.  GNU gprof's sums name callees by their first address.  */
static bool is_symbol(struct image_check *check, vma addr)
{
    if (check->symbols == NULL)
        list_symbols(check);
    return bsearch(&addr, check->symbols, check->symbol_count, sizeof addr, compare_addresses) !=
           NULL;
}

/* How many of the sample are where a function of the image may be called.  */
static size_t count_matches(struct image_check *check, const struct code *code)
{
    size_t matches = 0;
    for (size_t i = 0; i < check->sample.count; i++) {
        vma addr = check->sample.addrs[i];
        matches += is_behind_call(code, addr) || is_symbol(check, addr);
    }
    return matches;
}

/* In the executable that wrote the profile all callees match.  */
static bool are_few(size_t matches, size_t count)
{
    return matches < count - count / 10;
}

static void warn_of(struct image_check *check, const char *path, size_t matches,
                    enum image_profiling profiling)
{
    if (check->foreign++ > 0)
        return;
    if (profiling == PROFILING_OFF)
        warning(check->diagnostics, MSG_IMAGE_NOT_PROFILED, path, image_path(check->image));
    else
        warning(check->diagnostics, MSG_OTHER_BUILD, path, image_path(check->image), matches,
                check->sample.count);
}

void image_check_profile(struct image_check *check, const char *path)
{
    struct code code;
    size_t count = check->sample.count, matches = 0;
    if (count > 0 && find_code(check->image, &code))
        matches = count_matches(check, &code);
    if (are_few(matches, count)) {
        struct image_traits traits = image_traits(check->image);
        enum image_profiling profiling = image_profiling(&traits);
        if (profiling == PROFILING_OFF || (profiling == PROFILING_ON && code.bytes != NULL))
            warn_of(check, path, matches, profiling);
    }
    callee_sample_clear(&check->sample);
}

void image_check_end(struct image_check *check)
{
    if (check->foreign > 1)
        warning(check->diagnostics, MSG_MORE_OTHER_BUILDS, check->foreign - 1,
                image_path(check->image));
    free(check->symbols);
    *check = (struct image_check){0};
}
