/* json_comparison.c - a comparison as JSON: doc/comparison.schema.json describes it.

   One function per line, for grep and diff.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "export/formats.h"
#include "export/json.h"

static void write_side(struct out *out, const struct comparison_side *side)
{
    const struct snapshot *snapshot = side->snapshot;
    out_text(out, "{\"image\":");
    json_write_object(out, json_image_fields, snapshot);
    json_write_count_member(out, "profiles", snapshot->input_count);
    json_write_number_member(out, "runs", side->runs);
    json_write_number_member(out, "samples", snapshot->samples);
    out_char(out, '}');
}

static const struct json_field visibility_fields[] = {
    JSON_FIELD("samples", struct visibility, samples),
    JSON_FIELD("percent", struct visibility, percent),
    JSON_FIELD("need_5", struct visibility, need_5),
    JSON_FIELD("need_10", struct visibility, need_10),
    JSON_FIELD("need_20", struct visibility, need_20),
    {.name = NULL},
};

static void write_visibility(struct out *out, const char *name, const struct visibility *visibility)
{
    out_text(out, "{\"name\":");
    json_write_string(out, name);
    json_write_members(out, visibility_fields, visibility);
    out_char(out, '}');
}

static void write_verdict(struct out *out, const struct verdict *verdict)
{
    out_text(out, "{\"status\":");
    json_write_string(out, gate_status_name(verdict->status));
    json_write_string_member(out, "name", verdict->worst != NULL ? verdict->worst->name : NULL);
    json_write_string_member(out, "of",
                             verdict->worst == NULL    ? NULL
                             : verdict->is_about_calls ? "calls"
                                                       : "time");
    json_write_count_member(out, "functions", verdict->regression_count);
    out_char(out, '}');
}

static void write_cell(struct out *out, const struct cell *cell)
{
    switch (cell->kind) {
    case CELL_TEXT:
        json_write_string(out, cell->text);
        break;
    case CELL_NUMBER:
        json_write_number(out, cell->number);
        break;
    case CELL_COUNT:
        json_write_count(out, cell->count);
        break;
    case CELL_EMPTY:
        out_text(out, "null");
        break;
    }
}

static void write_rows(struct out *out, const struct table *table)
{
    struct cell cells[MOST_COLUMNS];
    for (size_t row = 0; row < table->row_count; row++) {
        table->fill(table->context, row, cells);
        out_text(out, row > 0 ? ",\n{" : "\n{");
        for (size_t c = 0; c < table->column_count; c++) {
            out_text(out, c > 0 ? ",\"" : "\"");
            out_text(out, table->columns[c]->name);
            out_text(out, "\":");
            write_cell(out, &cells[c]);
        }
        out_char(out, '}');
    }
}

void json_write_comparison(struct out *out, const struct comparison *comparison)
{
    out_text(out, "{\n\"schema\":\"regprof-comparison/1\",\n\"tool\":");
    json_write_string(out, comparison->sides[AFTER].snapshot->tool);
    out_text(out, ",\n\"unit\":");
    json_write_string(out, comparison->sides[AFTER].snapshot->unit);
    out_text(out, ",\n\"before\":");
    write_side(out, &comparison->sides[BEFORE]);
    out_text(out, ",\n\"after\":");
    write_side(out, &comparison->sides[AFTER]);
    out_text(out, ",\n\"tests\":{\"alpha\":");
    json_write_number(out, comparison->alpha);
    json_write_count_member(out, "functions", comparison->tested_count);
    json_write_number_member(out, "dispersion", comparison->dispersion);
    json_write_number_member(out, "total_dispersion", comparison->total_dispersion);
    out_text(out, "},\n\"visible\":[\n");
    write_visibility(out, "total", &comparison->total_visibility);
    if (comparison->largest != NULL) {
        out_text(out, ",\n");
        write_visibility(out, comparison->largest->name, &comparison->largest_visibility);
    }
    out_text(out, "\n],\n\"verdict\":");
    write_verdict(out, &comparison->verdict);
    out_text(out, ",\n\"rows\":[");
    write_rows(out, &comparison->table);
    out_text(out, "\n]\n}");
}

void export_json_comparison(const struct comparison *comparison, struct out *out)
{
    json_write_comparison(out, comparison);
    out_char(out, '\n');
}
