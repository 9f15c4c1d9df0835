/* exporters.c - how exporters write numbers, cells, and the names of stacks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "export/exporters.h"

#include <math.h>
#include <stdio.h>

/* NUMBER as machines read it: a decimal that reads back as the same double; nothing if it is not
   finite.  */
static void export_number(struct out *out, double number)
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

const char *export_origin(const struct stack_tree *tree)
{
    return tree->is_recorded ? EXPORT_RECORDED : EXPORT_ESTIMATED;
}

const char *export_stack_name(const struct stack_tree *tree, const struct stack_node *node,
                              char *text)
{
    if (node->kind == STACK_NAMED)
        return tree->names[node->function];
    if (node->kind == STACK_OTHERS)
        return "[others]";
    snprintf(text, STACK_NAME_SIZE, "[cycle %lu]", (unsigned long)node->function);
    return text;
}
