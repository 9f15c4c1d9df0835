/* formats.c - the table of formats.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "export/formats.h"

#include <string.h>
#include <strings.h>

#include "base/common.h"
#include "base/text.h"
#include "export/exporters.h"

static const struct export_format formats[] = {
    {.name = "text", .is_for_people = true},
    {.name = "tsv", .suffixes = {".tsv"}, .write_table = export_tsv, .traits = EXPORT_SIGNED},
    {.name = "csv", .suffixes = {".csv"}, .write_table = export_csv, .traits = EXPORT_SIGNED},
    {.name = "markdown",
     .suffixes = {".md"},
     .is_for_people = true,
     .write_table = export_markdown,
     .traits = EXPORT_SIGNED},
    {.name = "json",
     .suffixes = {".json"},
     .write_snapshot = export_json,
     .write_comparison = export_json_comparison,
     .traits = EXPORT_BOUNDS | EXPORT_IDLE | EXPORT_CODE | EXPORT_SIGNED},
    {.name = "html",
     .suffixes = {".html"},
     .is_page = true,
     .write_snapshot = export_html,
     .write_comparison = export_html_comparison,
     .traits = EXPORT_BOUNDS | EXPORT_CODE | EXPORT_THREADS},
    {.name = "benchmark", .write_table = export_benchmark, .traits = EXPORT_FIGURES},
    {.name = "callgrind",
     .suffixes = {".callgrind"},
     .exporter = &exporter_callgrind,
     .traits = EXPORT_SHOWN | EXPORT_LINES},
    {.name = "dot",
     .suffixes = {".dot"},
     .exporter = &exporter_dot,
     .traits = EXPORT_BOUNDS | EXPORT_SHOWN | EXPORT_SHARES},
    {.name = "folded",
     .suffixes = {".folded"},
     .exporter = &exporter_folded,
     .write_comparison = export_folded_comparison,
     .traits = EXPORT_SHOWN | EXPORT_STACKS | EXPORT_WHOLE},
    {.name = "speedscope",
     .suffixes = {".speedscope.json"},
     .exporter = &exporter_speedscope,
     .traits = EXPORT_SHOWN | EXPORT_STACKS | EXPORT_INPUTS},
    {.name = "pprof",
     .suffixes = {".pb.gz", ".pprof", ".pb", ".pprof.gz"},
     .exporter = &exporter_pprof,
     .traits = EXPORT_SHOWN | EXPORT_STACKS | EXPORT_WHOLE | EXPORT_BINARY | EXPORT_THREADS |
               EXPORT_SIGNED},
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

/* Whether TEXT ends in SUFFIX, which may be NULL: it does not.  */
static bool ends_in(const char *text, const char *suffix)
{
    size_t length = strlen(text), size = suffix != NULL ? strlen(suffix) : 0;
    return size > 0 && size <= length && strcmp(text + length - size, suffix) == 0;
}

/* The longest one decides: `x.speedscope.json' is no file in JSON of ours.  */
const struct export_format *export_format_of_path(const char *path)
{
    const struct export_format *found = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(formats); i++)
        for (size_t k = 0; k < ARRAY_LENGTH(formats[i].suffixes); k++) {
            const char *suffix = formats[i].suffixes[k];
            if (!ends_in(path_base(path), suffix) || strlen(suffix) <= longest)
                continue;
            longest = strlen(suffix);
            found = &formats[i];
        }
    return found;
}

/* Whether PATH ends in one of ENDINGS, which are COUNT, in capital or small letters.  */
static bool ends_in_one(const char *path, const char *const *endings, size_t count)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < count; i++) {
        size_t size = strlen(endings[i]);
        if (size <= length && strcasecmp(path + length - size, endings[i]) == 0)
            return true;
    }
    return false;
}

bool export_is_picture(const char *path)
{
    static const char *const endings[] = {".svg",  ".svgz", ".png", ".jpg", ".jpeg",
                                          ".webp", ".gif",  ".bmp", ".tif", ".tiff",
                                          ".avif", ".ps",   ".eps", ".pdf"};
    return ends_in_one(path, endings, ARRAY_LENGTH(endings));
}

bool export_is_packed(const char *path)
{
    static const char *const endings[] = {".gz", ".zst", ".xz", ".bz2", ".lz4", ".zip"};
    return ends_in_one(path, endings, ARRAY_LENGTH(endings));
}

const char *export_format_names(struct name_list *names)
{
    for (size_t i = 0; i < ARRAY_LENGTH(formats); i++)
        name_list_add(names, formats[i].name);
    return names->text;
}
