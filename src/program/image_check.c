/* image_check.c - whether the executable wrote a profile, and by how much the addresses of the
   profile are shifted.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/image_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/find_slide.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/messages.h"
#include "base/sort.h"
#include "base/text.h"
#include "input/image_traits.h"
#include "input/profile_totals.h"
#include "input/stack_file.h"
#include "symbols/symtab.h"

/* ---- Callees ---- */

void image_check_callee(struct image_check *check, vma self)
{
    if (text_range_at(image_text(check->image), self) != NULL)
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

/* Whether ADDR is in the text, behind a call.  */
static bool is_place_of_call(const struct image_check *check, vma addr)
{
    unsigned char bytes[CALL_BEFORE + CALL_AFTER];
    const struct gmon_layout layout = image_layout(check->image);
    const struct text_range *text = text_range_at(image_text(check->image), addr);
    if (text == NULL)
        return false;
    vma start = addr - text->start > CALL_BEFORE ? addr - CALL_BEFORE : text->start;
    vma end = text->end - addr > CALL_AFTER ? addr + CALL_AFTER : text->end;
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
    addr = image_code_address(check->image, addr);
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
           image_read_text(check->image, image_text(check->image)->all.start, &byte, 1);
}

/* ---- The slide ---- */

/* The calls and histograms of a profile, as far as slide_find needs them.  */
struct evidence {
    vma *callees;
    struct slide_arc *arcs;
    struct text_range *histograms;
    size_t count, capacity; /* of callees */
    size_t arc_count, arc_capacity;
    size_t histogram_count, histogram_capacity;
    const struct image *image;
};

/* Adds a callee to the sample, and stops the reading when it is full.  */
static bool add_first_callee(void *context, vma from, vma self, uint64_t count)
{
    struct callee_sample *sample = context;
    (void)from;
    (void)count;
    callee_sample_add(sample, self);
    return sample->count < CALLEE_SAMPLE;
}

static bool add_call(void *context, vma from, vma self, uint64_t count)
{
    enum { MOST = 1 << 20 };
    struct evidence *evidence = context;
    vma callee = image_code_address(evidence->image, self);
    (void)count;
    if (evidence->count == MOST)
        return true;
    evidence->callees = mem_grow(evidence->callees, &evidence->capacity, evidence->count + 1,
                                 sizeof *evidence->callees);
    evidence->callees[evidence->count++] = callee;
    if (from == 0)
        return true;
    evidence->arcs = mem_grow(evidence->arcs, &evidence->arc_capacity, evidence->arc_count + 1,
                              sizeof *evidence->arcs);
    evidence->arcs[evidence->arc_count++] =
        (struct slide_arc){image_code_address(evidence->image, from), callee};
    return true;
}

static void add_range(struct evidence *evidence, vma low, vma high)
{
    evidence->histograms = mem_grow(evidence->histograms, &evidence->histogram_capacity,
                                    evidence->histogram_count + 1, sizeof *evidence->histograms);
    evidence->histograms[evidence->histogram_count++] = (struct text_range){low, high};
}

static bool add_histogram(void *context, const struct hist_record *h)
{
    add_range(context, h->header.low, h->header.high);
    return true;
}

static void free_evidence(struct evidence *evidence)
{
    free(evidence->callees);
    free(evidence->arcs);
    free(evidence->histograms);
}

/* Sorts ADDRS and keeps one of each; returns their number.  */
static size_t keep_distinct(vma *addrs, size_t count)
{
    size_t kept = 0;
    sort_numbers(addrs, count);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || addrs[kept - 1] != addrs[i])
            addrs[kept++] = addrs[i];
    return kept;
}

/* The first addresses of the image's functions, ascending; free with free.  */
static vma *list_entries(const struct image_check *check, size_t *count)
{
    size_t symbol_count, kept = 0;
    struct raw_symbol *raw = image_symbols(check->image, &symbol_count);
    vma *entries = mem_array(symbol_count, sizeof *entries);
    for (size_t i = 0; i < symbol_count; i++)
        if (raw[i].is_func && text_range_at(image_text(check->image), raw[i].addr) != NULL)
            entries[kept++] = raw[i].addr;
    free(raw);
    *count = keep_distinct(entries, kept);
    return entries;
}

/* The text by range; NULL if it cannot be read.  Free with free.  */
static struct code *list_codes(struct image *image)
{
    const struct gmon_layout layout = image_layout(image);
    const struct text_ranges *text = image_text(image);
    struct code *codes = mem_array(text->count, sizeof *codes);
    unsigned char byte;
    for (size_t i = 0; i < text->count; i++) {
        const struct text_range *range = &text->ranges[i];
        codes[i] = (struct code){.arch = image_arch(image),
                                 .is_big_endian = layout.is_big_endian,
                                 .sign_extends = layout.sign_extends,
                                 .pointer_size = layout.pointer_size,
                                 .start = range->start,
                                 .size = (size_t)(range->end - range->start)};
        if (image_read_text(image, range->start, &byte, 1))
            codes[i].bytes = image_text_bytes(image, i);
        if (codes[i].bytes == NULL) {
            free(codes);
            return NULL;
        }
    }
    return codes;
}

/* The slide that EVIDENCE shows, or 0.  */
static vma search_slide(struct image_check *check, struct evidence *evidence)
{
    vma slide = 0;
    struct slide_image image = {.text = image_text(check->image)};
    struct code *codes = list_codes(check->image);
    if (codes == NULL)
        return 0;
    vma *entries = list_entries(check, &image.entry_count);
    image.codes = codes;
    image.entries = entries;
    const struct slide_evidence known = {
        evidence->callees,    keep_distinct(evidence->callees, evidence->count),
        evidence->arcs,       evidence->arc_count,
        evidence->histograms, evidence->histogram_count};
    bool is_found = slide_find(&image, &known, &slide);
    free(entries);
    free(codes);
    return is_found ? slide : 0;
}

/* Whether the slide is to be searched for: it is not given, and less than half of the callees in
   the sample are where the image has some.  */
static bool needs_search(struct image_check *check)
{
    return !check->has_slide && check->sample.count > 0 &&
           2 * count_matches(check) < check->sample.count;
}

static void warn_of_slide(struct image_check *check, const char *path)
{
    bool is_negative = (int64_t)check->slide < 0;
    if (check->diagnostics != NULL && check->slide != 0 && check->slide != check->warned)
        warning(check->diagnostics, MSG_SLIDE, path, is_negative ? "-" : "",
                (unsigned long long)(is_negative ? 0 - check->slide : check->slide),
                image_path(check->image));
    check->warned = check->slide;
}

bool image_check_begin(struct image_check *check, struct gmon_bytes *file)
{
    const struct gmon_layout layout = image_layout(check->image);
    const enum gmon_format format = check->format;
    const struct gmon_visitor callees = {&check->sample, NULL, add_first_callee, NULL};
    struct evidence evidence = {.image = check->image};
    const struct gmon_visitor all = {&evidence, add_histogram, add_call, NULL};
    callee_sample_clear(&check->sample);
    check->slide = check->given;
    if (check->has_slide)
        return true;
    if (!gmon_read(file, format, &layout, &callees, NULL) && check->sample.count < CALLEE_SAMPLE)
        return false;
    file->is_checked = true;
    if (needs_search(check) && gmon_read(file, format, &layout, &all, NULL)) {
        check->slide = search_slide(check, &evidence);
        warn_of_slide(check, file->path);
    }
    free_evidence(&evidence);
    callee_sample_clear(&check->sample);
    return true;
}

void image_check_sum(struct image_check *check, const struct pair_map *arcs,
                     const struct hist_set *histograms)
{
    struct evidence evidence = {.image = check->image};
    callee_sample_clear(&check->sample);
    for (size_t i = 0; i < arcs->count; i++) {
        callee_sample_add(&check->sample, arcs->pairs[i].b);
        add_call(&evidence, arcs->pairs[i].a, arcs->pairs[i].b, 1);
    }
    for (size_t i = 0; i < histograms->count; i++)
        add_range(&evidence, histograms->hists[i].low, histograms->hists[i].high);
    check->slide = needs_search(check) ? search_slide(check, &evidence) : check->given;
    free_evidence(&evidence);
    callee_sample_clear(&check->sample);
}

/* ---- Profiles of another executable ---- */

/* Whether MATCHES of COUNT callees are too few: all match in the executable that was profiled.  */
static bool are_few(size_t matches, size_t count)
{
    return matches < count - count / 10;
}

static void warn_of(struct image_check *check, const char *path, size_t matches,
                    enum image_profiling profiling)
{
    const char *image = image_path(check->image);
    size_t count = check->sample.count;
    if (check->foreign++ > 0)
        return;
    if (check->refuses && profiling == PROFILING_OFF)
        problem(MSG_REFUSED_NOT_PROFILED, path, image);
    else if (check->refuses && matches == 0)
        problem(MSG_REFUSED_PROGRAM, path, image);
    else if (check->refuses)
        problem(MSG_REFUSED_BUILD, path, image, matches, count);
    else if (profiling == PROFILING_OFF)
        warning(check->diagnostics, MSG_IMAGE_NOT_PROFILED, path, image);
    else if (matches == 0)
        warning(check->diagnostics, MSG_OTHER_PROGRAM, path, image);
    else
        warning(check->diagnostics, MSG_OTHER_BUILD, path, image, matches, count);
}

/* Whether NAME, that of a profile of a shared object, ends in the start of a build id: eight digits
   behind the name of the object.  */
static const char *id_in_name(const char *name)
{
    enum { DIGITS = 8 };
    const char *dot = strrchr(name, '.'), *object = strstr(name, ".so");
    bool is_id = dot != NULL && object != NULL && object < dot &&
                 strspn(dot + 1, "0123456789abcdef") == DIGITS && dot[1 + DIGITS] == '\0';
    return is_id ? dot + 1 : NULL;
}

/* Whether the beginning of a file of stacks names the build: then all of it need not be read.  */
static bool begins_with_build(const char *stacks, const char *build_id)
{
    char head[4096 + 1], line[128];
    head[file_start(stacks, (unsigned char *)head, sizeof head - 1)] = '\0';
    snprintf(line, sizeof line, "\n# build-id %s\n", build_id);
    return strstr(head, line) != NULL;
}

/* Whether the stacks at PATH, or those beside the profile there that were written with it, are of
   another build than BUILD_ID.  */
static bool have_other_id(const struct image_check *check, const char *path, const char *build_id)
{
    struct arena arena = {0};
    struct profile_file profile = {.path = path};
    struct hist_set set = {0};
    struct stack_file file = {0};
    const struct program_file program = {build_id, image_path(check->image), NULL};
    const struct gmon_layout layout = image_layout(check->image);
    bool is_stacks = stack_file_is_named(path);
    const char *stacks = is_stacks ? path : stack_file_beside(&arena, path);
    bool is_other =
        stacks != NULL && stack_file_is_written(stacks) && !begins_with_build(stacks, build_id) &&
        (is_stacks || profile_totals_read(&profile.totals, &set, path, check->format, &layout)) &&
        stack_file_open(&file, stacks);
    if (is_other) {
        stack_file_choose(&file, &program, is_stacks ? NULL : &profile);
        struct stacks_origin origin = stack_file_origin(&file);
        is_other = origin.build_id[0] != '\0' && strcmp(origin.build_id, build_id) != 0 &&
                   (is_stacks || stacks_are_of_profile(&origin, &profile.totals));
    }
    stack_file_close(&file);
    hist_free(&set);
    arena_free(&arena);
    return is_other;
}

/* Warns of the profile at PATH, or refuses it, if its name or the stacks beside it say that it is
   of another build of the image.  Returns whether they do.  */
static bool check_build(struct image_check *check, const char *path)
{
    char *build_id = image_build_id(check->image);
    const char *named = id_in_name(path_base(path));
    bool has_other_name =
        build_id != NULL && named != NULL && strncmp(build_id, named, strlen(named)) != 0;
    bool is_other = has_other_name || (build_id != NULL && check->checks_builds &&
                                       have_other_id(check, path, build_id));
    free(build_id);
    if (!is_other || check->foreign++ > 0)
        return is_other;
    check->is_refused |= check->refuses || (has_other_name && check->refuses_names);
    if (check->is_refused)
        problem(MSG_REFUSED_BUILD_ID, path, image_path(check->image));
    else
        warning(check->diagnostics, MSG_OTHER_BUILD_ID, path, image_path(check->image));
    return true;
}

void image_check_profile(struct image_check *check, const char *path)
{
    size_t count = check->sample.count;
    bool has_code = count > 0 && has_readable_code(check);
    size_t matches = has_code ? count_matches(check) : 0;
    if (!check_build(check, path) && are_few(matches, count)) {
        struct image_traits traits = image_traits(check->image);
        enum image_profiling profiling = image_profiling(&traits);
        if (profiling == PROFILING_OFF || (profiling == PROFILING_ON && has_code))
            warn_of(check, path, matches, profiling);
    }
    callee_sample_clear(&check->sample);
}

bool image_check_end(struct image_check *check)
{
    bool ok = !check->is_refused && (check->foreign == 0 || !check->refuses);
    if (check->foreign > 1 && ok)
        warning(check->diagnostics, MSG_MORE_OTHER_BUILDS, check->foreign - 1,
                image_path(check->image));
    pair_map_free(&check->known);
    free(check->matches);
    free(check->symbols);
    *check = (struct image_check){0};
    return ok;
}

/* ---- Leaving profiles out ---- */

static bool check_callee(void *context, vma from, vma self, uint64_t count)
{
    struct image_check *check = context;
    (void)from;
    (void)count;
    image_check_callee(check, image_slid(check->image, self, check->slide));
    return true;
}

/* Whether another executable wrote the profile at PATH, after a message.  What cannot be read has
   its messages later.  */
static bool is_of_other(struct image_check *check, const char *path)
{
    const struct gmon_layout layout = image_layout(check->image);
    const struct gmon_visitor callees = {check, NULL, check_callee, NULL};
    struct file_buffer buffer = {0};
    unsigned char start[1];
    bool is_read =
        is_plain_file(path) && file_start(path, start, 1) > 0 && read_file(&buffer, path);
    struct gmon_bytes file = {NULL, buffer.bytes, buffer.size, false};
    if (stack_file_is_named(path) || (is_read && image_check_begin(check, &file) &&
                                      gmon_read(&file, check->format, &layout, &callees, NULL)))
        image_check_profile(check, path);
    file_buffer_free(&buffer);
    bool is_other = check->foreign > 0;
    check->foreign = 0;
    return is_other;
}

void image_check_skip(struct image_check *check, struct profile_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (!is_of_other(check, list->paths[i]))
            list->paths[kept++] = list->paths[i];
    list->skipped += list->count - kept;
    list->count = kept;
    image_check_end(check);
}
