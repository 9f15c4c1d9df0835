/* formats.c - the table of formats, and what exporters share.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "export/formats.h"

#include <math.h>
#include <string.h>

#include "base/common.h"

static const struct export_format formats[] = {
    {.name = "text", .is_for_people = true},
    {.name = "tsv", .write_table = export_tsv},
    {.name = "csv", .write_table = export_csv},
    {.name = "markdown", .is_for_people = true, .write_table = export_markdown},
    {.name = "json", .write_snapshot = export_json},
    {.name = "html", .is_page = true, .write_snapshot = export_html},
};

const struct export_format *export_format_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LENGTH(formats); i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

const char *export_format_names(void)
{
    return "text tsv csv markdown json html";
}

void export_number(struct out *out, double number)
{
    if (isfinite(number))
        out_exact(out, number);
}

void export_cell(struct out *out, const struct table_column *column, const struct cell *cell)
{
    char text[32];
    switch (cell->kind) {
    case CELL_TEXT:
        out_text(out, cell->text);
        break;
    case CELL_NUMBER:
        export_number(out, cell->number);
        break;
    case CELL_COUNT:
        snprintf(text, sizeof text, column->unit == UNIT_ADDRESS ? "0x%llx" : "%llu",
                 (unsigned long long)cell->count);
        out_text(out, text);
        break;
    case CELL_EMPTY:
        break;
    }
}
