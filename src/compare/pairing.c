/* pairing.c - finds the functions of one snapshot in another.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/pairing.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/model.h"

/* ---- Entries ---- */

/* Functions of one side with the same name and file.  */
struct entry {
    uint32_t name, file, base; /* numbers of texts; 0 as a file: not known */
    uint32_t first;            /* function id */
    uint32_t partner;          /* entry of the other side, or NO_ID */
};

struct entries {
    struct entry *entries;
    size_t count;
    uint32_t *of_function; /* by function id */
};

struct pairer {
    struct string_map names, files;
    struct entries sides[SIDES];
};

static struct entry make_entry(struct pairer *pairer, const struct snapshot_function *function,
                               uint32_t id)
{
    bool has_file = function->file != NULL;
    return (struct entry){
        .name = string_map_number(&pairer->names, function->name),
        .file = has_file ? string_map_number(&pairer->files, function->file) + 1 : 0,
        .base = has_file ? string_map_number(&pairer->files, path_base(function->file)) + 1 : 0,
        .first = id,
        .partner = NO_ID};
}

static void list_entries(struct pairer *pairer, enum side side, const struct snapshot *snapshot)
{
    struct entries *list = &pairer->sides[side];
    struct pair_map keys = {0};
    list->entries = mem_uninitialised(snapshot->function_count, sizeof *list->entries);
    list->of_function = mem_uninitialised(snapshot->function_count, sizeof *list->of_function);
    for (size_t id = 0; id < snapshot->function_count; id++) {
        struct snapshot_function function;
        snapshot->function(snapshot, id, &function);
        struct entry entry = make_entry(pairer, &function, (uint32_t)id);
        uint32_t number = pair_map_number(&keys, entry.name, entry.file);
        if (number == list->count)
            list->entries[list->count++] = entry;
        list->of_function[id] = number;
    }
    pair_map_free(&keys);
}

/* ---- Rules ---- */

/* What entries must have in common, the strictest rule first.  */
enum rule { SAME_FILE, SAME_BASE, SAME_NAME, RULES };

static uint64_t place_of(const struct entry *entry, enum rule rule)
{
    return rule == SAME_FILE ? entry->file : rule == SAME_BASE ? entry->base : 0;
}

/* The entries without a partner that have a name and a place in common.  */
struct candidates {
    uint32_t counts[SIDES], entries[SIDES];
};

/* Pairs the entries that are the only ones without a partner on their side.  */
static void pair_by(struct pairer *pairer, enum rule rule)
{
    struct pair_map keys = {0};
    size_t most = pairer->sides[BEFORE].count + pairer->sides[AFTER].count;
    struct candidates *candidates = mem_array(most, sizeof *candidates);
    for (enum side side = BEFORE; side < SIDES; side++)
        for (uint32_t e = 0; e < pairer->sides[side].count; e++) {
            const struct entry *entry = &pairer->sides[side].entries[e];
            if (entry->partner != NO_ID)
                continue;
            uint32_t key = pair_map_number(&keys, entry->name, place_of(entry, rule));
            candidates[key].counts[side]++;
            candidates[key].entries[side] = e;
        }
    for (size_t key = 0; key < keys.count; key++) {
        const struct candidates *c = &candidates[key];
        if (c->counts[BEFORE] != 1 || c->counts[AFTER] != 1)
            continue;
        pairer->sides[BEFORE].entries[c->entries[BEFORE]].partner = c->entries[AFTER];
        pairer->sides[AFTER].entries[c->entries[AFTER]].partner = c->entries[BEFORE];
    }
    free(candidates);
    pair_map_free(&keys);
}

/* ---- Rows ---- */

/* Numbers the rows: ROW_OF[side] are those of the entries.  */
static void number_rows(struct pairing *pairing, const struct pairer *pairer,
                        uint32_t *const row_of[SIDES])
{
    const struct entries *before = &pairer->sides[BEFORE], *after = &pairer->sides[AFTER];
    for (uint32_t e = 0; e < before->count; e++) {
        row_of[BEFORE][e] = (uint32_t)pairing->row_count;
        if (before->entries[e].partner != NO_ID)
            row_of[AFTER][before->entries[e].partner] = (uint32_t)pairing->row_count;
        pairing->row_count++;
    }
    for (uint32_t e = 0; e < after->count; e++)
        if (after->entries[e].partner == NO_ID)
            row_of[AFTER][e] = (uint32_t)pairing->row_count++;
}

static void fill_side(struct pairing *pairing, const struct pairer *pairer, enum side side,
                      const uint32_t *row_of, size_t function_count)
{
    const struct entries *list = &pairer->sides[side];
    pairing->rows[side] = mem_uninitialised(function_count, sizeof *pairing->rows[side]);
    pairing->first[side] = mem_uninitialised(pairing->row_count, sizeof *pairing->first[side]);
    for (size_t row = 0; row < pairing->row_count; row++)
        pairing->first[side][row] = NO_ID;
    for (uint32_t e = 0; e < list->count; e++)
        pairing->first[side][row_of[e]] = list->entries[e].first;
    for (size_t id = 0; id < function_count; id++)
        pairing->rows[side][id] = row_of[list->of_function[id]];
}

/* Marks rows whose name another row has as well.  */
static void find_ambiguous(struct pairing *pairing, const struct pairer *pairer,
                           uint32_t *const row_of[SIDES])
{
    uint32_t *only = mem_uninitialised(pairer->names.count, sizeof *only);
    pairing->is_ambiguous = mem_array(pairing->row_count, sizeof *pairing->is_ambiguous);
    for (size_t name = 0; name < pairer->names.count; name++)
        only[name] = NO_ID;
    for (enum side side = BEFORE; side < SIDES; side++)
        for (uint32_t e = 0; e < pairer->sides[side].count; e++) {
            uint32_t row = row_of[side][e], name = pairer->sides[side].entries[e].name;
            if (only[name] == NO_ID)
                only[name] = row;
            if (only[name] != row)
                pairing->is_ambiguous[row] = pairing->is_ambiguous[only[name]] = true;
        }
    free(only);
}

/* ---- The interface ---- */

void pairing_build(struct pairing *pairing, const struct snapshot *before,
                   const struct snapshot *after)
{
    const struct snapshot *const snapshots[SIDES] = {before, after};
    struct pairer pairer = {0};
    uint32_t *row_of[SIDES];
    *pairing = (struct pairing){0};
    for (enum side side = BEFORE; side < SIDES; side++)
        list_entries(&pairer, side, snapshots[side]);
    for (enum rule rule = SAME_FILE; rule < RULES; rule++)
        pair_by(&pairer, rule);
    for (enum side side = BEFORE; side < SIDES; side++)
        row_of[side] = mem_uninitialised(pairer.sides[side].count, sizeof *row_of[side]);
    number_rows(pairing, &pairer, row_of);
    for (enum side side = BEFORE; side < SIDES; side++)
        fill_side(pairing, &pairer, side, row_of[side], snapshots[side]->function_count);
    find_ambiguous(pairing, &pairer, row_of);
    for (enum side side = BEFORE; side < SIDES; side++) {
        free(row_of[side]);
        free(pairer.sides[side].entries);
        free(pairer.sides[side].of_function);
    }
    string_map_free(&pairer.names);
    string_map_free(&pairer.files);
}

void pairing_free(struct pairing *pairing)
{
    for (enum side side = BEFORE; side < SIDES; side++) {
        free(pairing->rows[side]);
        free(pairing->first[side]);
    }
    free(pairing->is_ambiguous);
    *pairing = (struct pairing){0};
}
