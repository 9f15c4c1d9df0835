/* debug_dw_functions.c - functions and inlined functions of a unit, read by libdw.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "base/memory.h"
#include "base/sort.h"
#include "input/debug_dw.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <stdlib.h>

#include "input/debug_dw_functions.h"

bool dwarf_spend(struct dwarf_limits *limits, uint64_t count)
{
    bool is_there = limits->budget >= count;
    limits->budget -= is_there ? count : limits->budget;
    limits->is_damaged |= !is_there;
    return is_there;
}

/* Whether the names of the unit's language are those that the linker sees.  These are the languages
   that libbfd takes for such, whatever one may think of them and of those that are not there.  */
static bool has_plain_names(Dwarf_Die *unit)
{
    switch (dwarf_srclang(unit)) {
    case DW_LANG_C:
    case DW_LANG_C89:
    case DW_LANG_C99:
    case DW_LANG_C11:
    case DW_LANG_Cobol74:
    case DW_LANG_Cobol85:
    case DW_LANG_Fortran77:
    case DW_LANG_Mips_Assembler:
    case DW_LANG_Pascal83:
    case DW_LANG_PLI:
    case DW_LANG_UPC:
        return true;
    default:
        return false;
    }
}

static const char *name_attribute(Dwarf_Die *entry, unsigned attribute)
{
    Dwarf_Attribute found;
    return dwarf_formstring(dwarf_attr_integrate(entry, attribute, &found));
}

static struct dwarf_function describe(Dwarf_Die *unit, Dwarf_Die *entry)
{
    struct dwarf_function function = {0};
    function.source_name = name_attribute(entry, DW_AT_name);
    function.name = name_attribute(entry, DW_AT_linkage_name);
    if (function.name == NULL)
        function.name = name_attribute(entry, DW_AT_MIPS_linkage_name);
    if (function.name == NULL && has_plain_names(unit))
        function.name = function.source_name;
    function.is_inlined = dwarf_tag(entry) == DW_TAG_inlined_subroutine;
    return function;
}

static void add_function(struct dwarf_functions *functions, Dwarf_Die *unit, Dwarf_Die *entry,
                         struct dwarf_limits *limits)
{
    Dwarf_Addr base, low, high;
    size_t before = functions->count;
    for (ptrdiff_t next = 0; (next = dwarf_ranges(entry, next, &base, &low, &high)) > 0;) {
        if (!dwarf_spend(limits, 1))
            break;
        if (low >= high)
            continue;
        functions->functions = mem_grow(functions->functions, &functions->capacity,
                                        functions->count + 1, sizeof *functions->functions);
        struct dwarf_function *function = &functions->functions[functions->count];
        *function = functions->count > before ? function[-1] : describe(unit, entry);
        function->low = low;
        function->high = high;
        functions->count++;
    }
    bool is_split = functions->count > before + 1;
    for (size_t i = before; i < functions->count; i++)
        functions->functions[i].is_split = is_split;
}

static bool may_have_functions(int tag)
{
    switch (tag) {
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block:
    case DW_TAG_entry_point:
    case DW_TAG_namespace:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
    case DW_TAG_module:
        return true;
    default:
        return false;
    }
}

/* The entries below the unit's, depth-first, with a path of its own: debug information may nest as
   deep as it likes.  Each comes behind the one before; what leads back would lead round for ever.
 */
static void add_functions(struct dwarf_functions *functions, Dwarf_Die *unit,
                          struct dwarf_limits *limits)
{
    Dwarf_Die *path = NULL;
    Dwarf_Off last = dwarf_dieoffset(unit);
    size_t depth = 0, capacity = 0;
    path = mem_grow(path, &capacity, 1, sizeof *path);
    if (dwarf_child(unit, &path[0]) == 0)
        depth = 1;
    while (depth > 0) {
        Dwarf_Die entry = path[depth - 1];
        int tag = dwarf_tag(&entry);
        if (dwarf_dieoffset(&entry) <= last) {
            limits->is_damaged = true;
            break;
        }
        last = dwarf_dieoffset(&entry);
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
            add_function(functions, unit, &entry, limits);
        if (dwarf_siblingof(&entry, &path[depth - 1]) != 0)
            depth--;
        path = mem_grow(path, &capacity, depth + 1, sizeof *path);
        if (may_have_functions(tag) && dwarf_child(&entry, &path[depth]) == 0)
            depth++;
    }
    free(path);
}

/* Outer ranges come before the ranges in them; of equal ones the outer was noted first.  */
static int compare_functions(const void *context, uint32_t a, uint32_t b)
{
    const struct dwarf_function *functions = context;
    if (functions[a].low != functions[b].low)
        return functions[a].low < functions[b].low ? -1 : 1;
    return functions[a].high > functions[b].high ? -1 : functions[a].high < functions[b].high;
}

static void nest(struct dwarf_functions *functions)
{
    size_t n = functions->count;
    uint32_t *order = identity_ids(n);
    struct interval *ranges = mem_array(n, sizeof *ranges);
    sort_ids(order, n, compare_functions, functions->functions);
    functions->functions =
        mem_reorder(functions->functions, order, n, sizeof *functions->functions);
    for (size_t i = 0; i < n; i++)
        ranges[i] = (struct interval){functions->functions[i].low, functions->functions[i].high};
    interval_map_build(&functions->spans, ranges, n);
    free(ranges);
}

void dwarf_functions_read(struct dwarf_functions *functions, Dwarf_Die *unit,
                          struct dwarf_limits *limits)
{
    add_functions(functions, unit, limits);
    nest(functions);
}

struct dwarf_function *dwarf_functions_at(struct dwarf_functions *functions, vma addr)
{
    uint32_t at = interval_map_find(&functions->spans, addr);
    return at != NO_INTERVAL ? &functions->functions[at] : NULL;
}

void dwarf_functions_free(struct dwarf_functions *functions)
{
    free(functions->functions);
    interval_map_free(&functions->spans);
    *functions = (struct dwarf_functions){0};
}

#endif
