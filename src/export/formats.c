/* formats.c - the table of formats, and what exporters share.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "export/formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"

static const struct export_format formats[] = {
    {"text", true, NULL},
    {"tsv", false, export_tsv},
    {"csv", false, export_csv},
    {"markdown", true, export_markdown},
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
    return "text tsv csv markdown";
}

void export_number(struct out *out, double number)
{
    char text[40];
    if (!isfinite(number))
        return;
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    out_text(out, text);
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
