/* orders.c - orders of functions, as linkers read them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <string.h>

#include "base/common.h"
#include "export/exporters.h"
#include "model/placement.h"

/* Writes lines `caller callee weight', for lld's --call-graph-ordering-file.  */
void export_call_graph_order(const struct snapshot *snapshot, struct out *out)
{
    const struct placement *placement = snapshot->extras.placement;
    for (size_t i = 0; i < placement->arc_count; i++) {
        const struct placed_arc *arc = &placement->arcs[i];
        const struct placed_function *caller = &placement->functions[arc->caller];
        const struct placed_function *callee = &placement->functions[arc->callee];
        if (caller->is_shared || callee->is_shared)
            continue;
        out_text(out, caller->name);
        out_char(out, ' ');
        out_text(out, callee->name);
        out_char(out, ' ');
        out_count(out, arc->weight, 0);
        out_char(out, '\n');
    }
}

/* Writes a name in each line, for lld's --symbol-ordering-file.  */
void export_symbol_order(const struct snapshot *snapshot, struct out *out)
{
    const struct placement *placement = snapshot->extras.placement;
    for (size_t i = 0; i < placement->function_count; i++) {
        if (placement->functions[i].is_shared)
            continue;
        out_text(out, placement->functions[i].name);
        out_char(out, '\n');
    }
}

/* Writes a section in a line; names of other letters need quotes.  */
static void write_section(struct out *out, const char *start, const char *name, size_t size)
{
    bool is_quoted = false;
    for (size_t i = 0; i < size; i++)
        is_quoted |= (unsigned char)name[i] >= 0x80;
    out_text(out, is_quoted ? "*(\"" : "*(");
    out_text(out, start);
    out_bytes(out, name, size);
    out_text(out, is_quoted ? "\")\n" : ")\n");
}

/* Writes the sections that compilers put the function NAME in, or the part of it that is rarely
   executed.  */
static void write_sections(struct out *out, const char *name, bool has_cold_part)
{
    static const char *const starts[] = {".text.", ".text.hot.", ".text.startup.", ".text.exit.",
                                         ".text.unlikely."};
    const char *cold = strstr(name, ".cold");
    if (cold != NULL) {
        write_section(out, ".text.unlikely.", name, (size_t)(cold - name));
        return;
    }
    for (size_t i = 0; i < ARRAY_LENGTH(starts) - has_cold_part; i++)
        write_section(out, starts[i], name, strlen(name));
}

/* Writes a fragment of a script for GNU ld.  */
void export_section_order(const struct snapshot *snapshot, struct out *out)
{
    const struct placement *placement = snapshot->extras.placement;
    out_text(out, ".text : {\n");
    for (size_t i = 0; i < placement->function_count; i++) {
        const struct placed_function *function = &placement->functions[i];
        write_sections(out, function->name, function->has_cold_part);
        for (const struct placed_alias *alias = function->aliases; alias != NULL;
             alias = alias->next)
            write_sections(out, alias->name, function->has_cold_part);
    }
    out_text(out, "}\n");
}
