/* formats.c - the table of formats.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "export/formats.h"

#include <string.h>

#include "base/common.h"
#include "base/text.h"
#include "export/exporters.h"

static const struct export_format formats[] = {
    {.name = "text", .is_for_people = true},
    {.name = "tsv", .suffix = ".tsv", .write_table = export_tsv},
    {.name = "csv", .suffix = ".csv", .write_table = export_csv},
    {.name = "markdown", .suffix = ".md", .is_for_people = true, .write_table = export_markdown},
    {.name = "json",
     .suffix = ".json",
     .write_snapshot = export_json,
     .write_comparison = export_json_comparison,
     .traits = EXPORT_BOUNDS | EXPORT_IDLE | EXPORT_CODE},
    {.name = "html",
     .suffix = ".html",
     .is_page = true,
     .write_snapshot = export_html,
     .write_comparison = export_html_comparison,
     .traits = EXPORT_BOUNDS | EXPORT_CODE | EXPORT_THREADS},
    {.name = "benchmark", .write_table = export_benchmark, .traits = EXPORT_FIGURES},
    {.name = "callgrind", .exporter = &exporter_callgrind, .traits = EXPORT_SHOWN | EXPORT_LINES},
    {.name = "dot",
     .suffix = ".dot",
     .exporter = &exporter_dot,
     .traits = EXPORT_BOUNDS | EXPORT_SHOWN | EXPORT_SHARES},
    {.name = "folded",
     .suffix = ".folded",
     .exporter = &exporter_folded,
     .write_comparison = export_folded_comparison,
     .traits = EXPORT_SHOWN | EXPORT_STACKS | EXPORT_WHOLE},
    {.name = "speedscope",
     .exporter = &exporter_speedscope,
     .traits = EXPORT_SHOWN | EXPORT_STACKS | EXPORT_INPUTS},
    {.name = "pprof",
     .exporter = &exporter_pprof,
     .traits = EXPORT_SHOWN | EXPORT_STACKS | EXPORT_WHOLE | EXPORT_BINARY | EXPORT_THREADS},
    {.name = "call-graph-order",
     .write_snapshot = export_call_graph_order,
     .traits = EXPORT_ORDER | EXPORT_ORDERED_CALLS},
    {.name = "symbol-order", .write_snapshot = export_symbol_order, .traits = EXPORT_ORDER},
    {.name = "section-order", .write_snapshot = export_section_order, .traits = EXPORT_ORDER},
};

bool export_has_snapshot(const struct export_format *format)
{
    return format != NULL && (format->write_snapshot != NULL || format->exporter != NULL);
}

const struct export_format *export_format_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LENGTH(formats); i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

const struct export_format *export_format_of_path(const char *path)
{
    const char *dot = strrchr(path_base(path), '.');
    for (size_t i = 0; i < ARRAY_LENGTH(formats) && dot != NULL; i++)
        if (formats[i].suffix != NULL && strcmp(formats[i].suffix, dot) == 0)
            return &formats[i];
    return NULL;
}

const char *export_format_names(struct name_list *names)
{
    for (size_t i = 0; i < ARRAY_LENGTH(formats); i++)
        name_list_add(names, formats[i].name);
    return names->text;
}
