/* check_image.c - whether the executable is the one that wrote the profiles.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/check_image.h"

#include <stdlib.h>

#include "analysis/symtab.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/sort.h"
#include "input/image_traits.h"

void image_check_callee(struct image_check *check, vma self)
{
    if (self >= check->text.start && self < check->text.end)
        callee_sample_add(&check->sample, self);
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

/* Whether one of the functions that were read begins at ADDR.  */
static bool is_function(const struct symtab *symtab, vma addr)
{
    uint32_t symbol = symtab != NULL ? symtab_find(symtab, addr) : NO_ID;
    return symbol != NO_ID && symtab->symbols[symbol].addr == addr;
}

/* Whether a symbol begins at ADDR.  GNU gprof's sums name callees by their first address.  */
static bool is_symbol(struct image_check *check, vma addr)
{
    if (check->symbols == NULL)
        list_symbols(check);
    return bsearch(&addr, check->symbols, check->symbol_count, sizeof addr, compare_addresses) !=
           NULL;
}

/* Whether ADDR, in the text, is behind a call.  */
static bool is_place_of_call(const struct image_check *check, vma addr)
{
    unsigned char bytes[CALL_BEFORE + CALL_AFTER];
    const struct gmon_layout layout = image_layout(check->image);
    const struct text_range text = check->text;
    vma start = addr - text.start > CALL_BEFORE ? addr - CALL_BEFORE : text.start;
    vma end = text.end - addr > CALL_AFTER ? addr + CALL_AFTER : text.end;
    const struct code code = {.arch = image_arch(check->image),
                              .is_big_endian = layout.is_big_endian,
                              .pointer_size = layout.pointer_size,
                              .start = start,
                              .bytes = bytes,
                              .size = (size_t)(end - start)};
    return image_read_text(check->image, start, bytes, code.size) && is_behind_call(&code, addr);
}

/* Whether a function of the image may be called at ADDR.  */
static bool may_be_callee(struct image_check *check, vma addr)
{
    uint32_t number = pair_map_number(&check->known, addr, 0);
    if (number == check->match_count) {
        check->matches = mem_grow(check->matches, &check->match_capacity, check->match_count + 1,
                                  sizeof *check->matches);
        check->matches[check->match_count++] = is_function(check->symtab, addr) ||
                                               is_place_of_call(check, addr) ||
                                               is_symbol(check, addr);
    }
    return check->matches[number];
}

static size_t count_matches(struct image_check *check)
{
    size_t matches = 0;
    for (size_t i = 0; i < check->sample.count; i++)
        matches += may_be_callee(check, check->sample.addrs[i]);
    return matches;
}

/* Whether the text can be read and its calls are known.  */
static bool has_readable_code(const struct image_check *check)
{
    unsigned char byte;
    return callscan_is_known(image_arch(check->image)) &&
           image_read_text(check->image, check->text.start, &byte, 1);
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
    size_t count = check->sample.count;
    bool has_code = count > 0 && has_readable_code(check);
    size_t matches = has_code ? count_matches(check) : 0;
    if (are_few(matches, count)) {
        struct image_traits traits = image_traits(check->image);
        enum image_profiling profiling = image_profiling(&traits);
        if (profiling == PROFILING_OFF || (profiling == PROFILING_ON && has_code))
            warn_of(check, path, matches, profiling);
    }
    callee_sample_clear(&check->sample);
}

void image_check_end(struct image_check *check)
{
    if (check->foreign > 1)
        warning(check->diagnostics, MSG_MORE_OTHER_BUILDS, check->foreign - 1,
                image_path(check->image));
    pair_map_free(&check->known);
    free(check->matches);
    free(check->symbols);
    *check = (struct image_check){0};
}
