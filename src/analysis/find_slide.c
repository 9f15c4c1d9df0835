/* find_slide.c - finds by how much all addresses of a profile are shifted.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/find_slide.h"

#include <stdlib.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/sort.h"

enum {
    SAMPLE = 64,         /* callees and arcs that are looked at */
    LEAST = 3,           /* callees */
    ENOUGH = 8,          /* callees, without regard to histograms */
    ENOUGH_UNKNOWN = 32, /* callees, for a processor whose calls are not known */
    FURTHEST = 64,       /* bytes from the start of a function to its first return address */
    RETURNS = 2,         /* return addresses near the start of a function */
    PAGE = 4096
};

struct search {
    const struct slide_image *image;
    const struct slide_evidence *evidence;
    vma *places; /* of callees, ascending */
    size_t place_count;
    vma callees[SAMPLE];
    size_t callee_count;
    struct slide_arc arcs[SAMPLE];
    size_t arc_count;
    bool is_known; /* the calls of the processor are */
    vma found;
    size_t found_misses;
    bool has_found, is_ambiguous;
};

/* ---- Places of callees ---- */

/* The number of ADDRS, ascending, that are at or below ADDR.  */
static size_t count_upto(const vma *addrs, size_t count, vma addr)
{
    return count_at_most(addrs, count, sizeof *addrs, 0, addr);
}

static bool has(const vma *addrs, size_t count, vma addr)
{
    size_t upto = count_upto(addrs, count, addr);
    return upto > 0 && addrs[upto - 1] == addr;
}

static const struct code *code_at(const struct slide_image *image, vma addr)
{
    const struct text_range *range = text_range_at(image->text, addr);
    return range != NULL ? &image->codes[range - image->text->ranges] : NULL;
}

/* Adds the return addresses of the first calls in the function at ENTRY, which ends before NEXT:
   code that counts calls begins with one.  More than the first, because other bytes may look like a
   call.  */
static void add_returns(struct search *search, vma entry, vma next)
{
    enum { SHORTEST_CALL = 2 };
    const struct code *code = code_at(search->image, entry);
    const size_t most = search->place_count + RETURNS;
    vma end = min_u64(next, sum_u64(entry, FURTHEST));
    for (vma addr = sum_u64(entry, SHORTEST_CALL);
         code != NULL && addr < end && search->place_count < most; addr++)
        if (is_behind_call(code, addr))
            search->places[search->place_count++] = addr;
}

static void list_places(struct search *search)
{
    const struct slide_image *image = search->image;
    search->places = mem_array((1 + RETURNS) * image->entry_count, sizeof *search->places);
    for (size_t i = 0; i < image->entry_count; i++) {
        vma entry = image->entries[i];
        search->places[search->place_count++] = entry;
        if (search->is_known)
            add_returns(search, entry,
                        i + 1 < image->entry_count ? image->entries[i + 1] : UINT64_MAX);
    }
}

/* ---- Tests of a slide ---- */

/* The number of callees that are at no place; may stop above MOST.  */
static size_t count_misses(const struct search *search, vma slide, size_t most)
{
    size_t misses = 0;
    for (size_t i = 0; i < search->callee_count && misses <= most; i++)
        misses += !has(search->places, search->place_count, search->callees[i] - slide);
    return misses;
}

/* A function, and whether a call of it was found.  */
struct sought {
    vma entry;
    bool is_found;
};

static void note_call(void *context, const struct call *call)
{
    struct sought *sought = context;
    if (!call->is_indirect && call->target - sought->entry <= call->entry)
        sought->is_found = true;
}

/* Whether the code has a call at the caller's address of ARC of the function that is its callee.
   glibc rounds the addresses of callers down.  */
static bool is_in_code(const struct slide_image *image, const struct slide_arc *arc, vma slide)
{
    enum { ROUNDED = 16 };
    vma from = arc->from - slide, self = arc->self - slide;
    size_t upto = count_upto(image->entries, image->entry_count, self);
    const struct code *code = code_at(image, from);
    if (upto == 0 || code == NULL || from < CALL_BEFORE)
        return false;
    struct sought sought = {.entry = image->entries[upto - 1]};
    callscan(code, from - CALL_BEFORE, sum_u64(from, ROUNDED + CALL_AFTER), note_call, &sought);
    return sought.is_found;
}

/* Whether enough arcs are made by calls in the code: in C++ with virtual functions, few are, but
   hardly any is by chance.  */
static bool has_calls(const struct search *search, vma slide)
{
    size_t found = 0;
    for (size_t i = 0; i < search->arc_count; i++)
        found += is_in_code(search->image, &search->arcs[i], slide);
    return search->callee_count < ENOUGH ? found >= 2 && found >= search->arc_count - found
                                         : found >= 3 && found >= search->arc_count / 8;
}

/* Whether the histograms cover nine tenths of the text.  */
static bool covers_text(const struct search *search, vma slide)
{
    const struct slide_evidence *evidence = search->evidence;
    const struct text_ranges *text = search->image->text;
    uint64_t covered = 0, size = 0;
    for (size_t t = 0; t < text->count; t++)
        size += text->ranges[t].end - text->ranges[t].start;
    for (size_t h = 0; h < evidence->histogram_count; h++)
        for (size_t t = 0; t < text->count; t++) {
            vma low = evidence->histograms[h].start - slide;
            vma high = low + (evidence->histograms[h].end - evidence->histograms[h].start);
            vma from = max_u64(low, text->ranges[t].start);
            vma to = min_u64(high, text->ranges[t].end);
            covered += from < to ? to - from : 0;
        }
    return covered >= size - size / 10;
}

/* Whether a histogram begins where the text does, or at the start of a page, as the program may. In
   another build that has one more function at its start, it does not.  */
static bool begins_right(const struct search *search, vma slide)
{
    enum { ROUNDED = 16, MOST = 8 };
    const struct slide_evidence *evidence = search->evidence;
    const struct text_ranges *text = search->image->text;
    for (size_t h = 0; h < evidence->histogram_count && h < MOST; h++) {
        vma low = evidence->histograms[h].start - slide;
        const struct text_range *range = text_range_at(text, low);
        if (low % PAGE == 0 && low <= text->all.start)
            return true;
        if (range != NULL ? range->start == low : text_overlaps(text, low, sum_u64(low, ROUNDED)))
            return true;
    }
    return evidence->histogram_count == 0 && slide % PAGE == 0;
}

static bool is_plausible(const struct search *search, vma slide)
{
    if (search->callee_count < ENOUGH && !covers_text(search, slide))
        return false;
    return search->is_known ? has_calls(search, slide) : slide % PAGE == 0;
}

/* ---- The search ---- */

/* The largest power of 2 that divides SLIDE, which is not 0.  */
static vma alignment(vma slide)
{
    return slide & (0 - slide);
}

/* Tries SLIDE.  Where all functions have their first return address at one distance, two slides
   are possible; places of programs are aligned, so it is the one that is a multiple of more.  */
static void try_slide(struct search *search, vma slide, size_t near)
{
    size_t misses;
    if (slide == 0 || (search->has_found && slide == search->found) ||
        !begins_right(search, slide)) /* which rules out most */
        return;
    misses = count_misses(search, slide, near);
    if (misses > near || !is_plausible(search, slide))
        return;
    if (search->has_found) {
        /* Callees at first return addresses under one are at starts of functions, or not so many,
           under the other.  */
        bool is_twin = slide - search->found < FURTHEST || search->found - slide < FURTHEST;
        if (is_twin && alignment(slide) < alignment(search->found))
            return;
        if (!is_twin || alignment(slide) == alignment(search->found))
            search->is_ambiguous = true;
    }
    search->has_found = true;
    search->found = slide;
    search->found_misses = misses;
}

/* Takes up to SAMPLE callees and arcs, evenly spread.  */
static void take_samples(struct search *search)
{
    const struct slide_evidence *evidence = search->evidence;
    search->callee_count = min_u64(evidence->callee_count, SAMPLE);
    search->arc_count = min_u64(evidence->arc_count, SAMPLE);
    for (size_t i = 0; i < search->callee_count; i++)
        search->callees[i] = evidence->callees[i * evidence->callee_count / search->callee_count];
    for (size_t i = 0; i < search->arc_count; i++)
        search->arcs[i] = evidence->arcs[i * evidence->arc_count / search->arc_count];
}

bool slide_find(const struct slide_image *image, const struct slide_evidence *evidence, vma *slide)
{
    struct search search = {.image = image, .evidence = evidence};
    search.is_known = image->text->count > 0 && callscan_is_known(image->codes[0].arch);
    take_samples(&search);
    size_t count = search.callee_count;
    if (count < (search.is_known ? LEAST : ENOUGH_UNKNOWN))
        return false;
    /* If at most NEAR callees miss, one of the first NEAR + 1 does not.  */
    size_t most = count < ENOUGH ? 0 : count / 20, near = count < ENOUGH ? 0 : count * 15 / 100;
    list_places(&search);
    for (size_t c = 0; c <= near && !search.is_ambiguous; c++)
        for (size_t p = 0; p < search.place_count && !search.is_ambiguous; p++)
            try_slide(&search, search.callees[c] - search.places[p], near);
    free(search.places);
    *slide = search.found;
    return search.has_found && !search.is_ambiguous && search.found_misses <= most;
}
