/* make_code.c - divides the times of functions among their source lines and instructions.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/make_code.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/hist.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/stacks.h"
#include "symbols/symtab.h"

/* Times of things that are numbered: pieces, lines, or lines that were inlined.  */
struct amounts {
    double *self, *total; /* `total': 0 unless stacks measure it */
    size_t count;
};

/* A line of a function, or of code that was inlined into one.  */
struct code_line {
    uint32_t owner; /* number of the function, or of the line that it was inlined into */
    struct code_place place;
};

/* The lines by number.  */
struct code_lines {
    struct pair_map numbers; /* (owner, place) */
    struct code_line *lines;
    size_t count, capacity;
    struct amounts amounts;
};

struct builder {
    struct code_view *view;
    const struct profile *profile;
    const struct code_rules *rules;
    size_t piece_count;
    uint32_t *line_of, *inlined_of; /* by piece; of `inlined_of' NO_ID: it was not inlined */
    struct code_lines lines, inlined;
    struct amounts pieces;
    struct id_lists lines_of; /* lines by function */
    struct id_lists inlined_into, pieces_of_inlined, own_pieces;
    /* Of the function whose rows are added.  */
    bool is_disassembled, has_lines;
    double function_self; /* ticks or stacks */
};

/* ---- Lines ---- */

static uint64_t key_of_place(struct code_place place)
{
    return (uint64_t)place.file << 32 | place.line;
}

static uint32_t number_line(struct code_lines *lines, uint32_t owner, struct code_place place)
{
    uint32_t number = pair_map_number(&lines->numbers, owner, key_of_place(place));
    if (number < lines->count)
        return number;
    lines->lines = mem_grow(lines->lines, &lines->capacity, lines->count + 1, sizeof *lines->lines);
    lines->lines[lines->count++] = (struct code_line){owner, place};
    return number;
}

/* Numbers the lines of all pieces.  Code that was inlined from the line where it stands is code of
   that line.  */
static void number_lines(struct builder *builder)
{
    const struct code_rules *rules = builder->rules;
    for (size_t f = 0; f < rules->function_count; f++)
        for (size_t p = rules->functions[f].first; p < rules->functions[f].end; p++) {
            const struct code_piece *piece = &rules->pieces[p];
            bool is_inlined =
                piece->site.line != 0 && key_of_place(piece->site) != key_of_place(piece->place);
            uint32_t line =
                number_line(&builder->lines, (uint32_t)f, is_inlined ? piece->site : piece->place);
            builder->line_of[p] = line;
            builder->inlined_of[p] =
                is_inlined ? number_line(&builder->inlined, line, piece->place) : NO_ID;
        }
}

/* ---- Own times ---- */

static int compare_ranges(const void *context, uint32_t a, uint32_t b)
{
    const struct code_range *ranges = context;
    return ranges[a].symbol < ranges[b].symbol ? -1 : ranges[a].symbol > ranges[b].symbol;
}

/* A table with the pieces as symbols in place of their functions, which are all in the program;
   `file' of a piece is its number.  Free with symtab_free.  */
static struct symtab pieces_as_symbols(const struct builder *builder)
{
    const struct symtab *symtab = &builder->profile->symtab;
    const struct code_rules *rules = builder->rules;
    struct symbol *symbols = mem_array(symtab->count + builder->piece_count, sizeof *symbols);
    uint32_t *order = identity_ids(rules->function_count);
    struct symtab table = {.entry_units = symtab->entry_units};
    size_t made = 0, next = 0;
    sort_ids(order, rules->function_count, compare_ranges, rules->functions);
    for (uint32_t s = 0; s < symtab->count; s++) {
        const struct code_range *range =
            next < rules->function_count ? &rules->functions[order[next]] : NULL;
        if (range == NULL || range->symbol != s) {
            symbols[made] = symtab->symbols[s];
            made += !is_pseudo(&symbols[made]);
            continue;
        }
        next++;
        for (size_t p = range->first; p < range->end; p++)
            symbols[made++] = (struct symbol){.addr = rules->pieces[p].addr,
                                              .name = symtab->symbols[s].name,
                                              .file = (uint32_t)p,
                                              .is_line = true};
    }
    free(order);
    symtab_build_from(&table, symbols, made, symtab->text_end);
    return table;
}

static void take_samples(struct builder *builder)
{
    static const struct filter all = {0};
    struct symtab table = pieces_as_symbols(builder);
    struct hist_set hist = builder->profile->hist; /* shares the bins */
    hist_assign(&hist, &table, &all);
    for (size_t s = 0; s < table.count; s++)
        if (table.symbols[s].is_line)
            builder->pieces.self[table.symbols[s].file] = hist.time[s];
    free(hist.time);
    symtab_free(&table);
}

static struct amounts new_amounts(size_t count)
{
    return (struct amounts){mem_array(count, sizeof(double)), mem_array(count, sizeof(double)),
                            count};
}

static void free_amounts(struct amounts *amounts)
{
    free(amounts->self);
    free(amounts->total);
}

/* Adds up the own times of the pieces by line.  */
static void sum_lines(struct builder *builder)
{
    for (size_t p = 0; p < builder->piece_count; p++) {
        builder->lines.amounts.self[builder->line_of[p]] += builder->pieces.self[p];
        if (builder->inlined_of[p] != NO_ID)
            builder->inlined.amounts.self[builder->inlined_of[p]] += builder->pieces.self[p];
    }
}

/* ---- Times of stacks ---- */

/* Sets the totals of AMOUNTS, which the labels of PLACES are numbers of, and frees these labels.
   SAMPLES: of the stacks that begin with each place.  */
static void sum_totals(struct amounts *amounts, struct stacks places, const double *samples)
{
    stacks_find_outermost(&places, amounts->count);
    stacks_once(&places, samples, amounts->total);
    stacks_free_labels(&places);
}

/* By symbol: the number of the function that is shown, or NO_ID.  Free with free.  */
static uint32_t *number_functions(const struct builder *builder)
{
    const struct code_rules *rules = builder->rules;
    size_t count = builder->profile->symtab.count;
    uint32_t *numbers = mem_uninitialised(count, sizeof *numbers);
    for (size_t s = 0; s < count; s++)
        numbers[s] = NO_ID;
    for (uint32_t f = 0; f < rules->function_count; f++)
        numbers[rules->functions[f].symbol] = f;
    return numbers;
}

/* The piece of function NUMBER that has ADDR, or NO_ID.  */
static uint32_t find_piece(const struct code_rules *rules, uint32_t number, vma addr)
{
    const struct code_range *range = &rules->functions[number];
    size_t upto = count_at_most(rules->pieces + range->first, range->end - range->first,
                                sizeof *rules->pieces, offsetof(struct code_piece, addr), addr);
    return upto > 0 ? (uint32_t)(range->first + upto - 1) : NO_ID;
}

/* Sets own times of the pieces and totals of all, as the stacks measure them.  */
static void take_stacks(struct builder *builder)
{
    const struct recorded_stacks *stacks = builder->rules->stacks;
    size_t count = stacks->places.map.count, symbols = builder->profile->symtab.count;
    uint32_t *numbers = number_functions(builder);
    struct stacks places = {.count = count,
                            .parent = mem_uninitialised(count, sizeof *places.parent),
                            .label = mem_uninitialised(count, sizeof *places.label)};
    double *samples = mem_uninitialised(count, sizeof *samples);
    for (size_t i = 0; i < count; i++) {
        const struct pair *place = &stacks->places.map.pairs[i];
        uint32_t symbol = stacks->frames.of_places[i],
                 number = symbol < symbols ? numbers[symbol] : NO_ID;
        uint32_t piece = number != NO_ID ? find_piece(builder->rules, number, place->b) : NO_ID;
        places.parent[i] = (uint32_t)place->a - 1;
        places.label[i] = piece;
        samples[i] = stacks->places.sums[i];
        if (piece != NO_ID)
            builder->pieces.self[piece] += samples[i];
    }
    stacks_fold(&places, samples);
    sum_totals(&builder->lines.amounts, stacks_relabel(&places, builder->line_of), samples);
    sum_totals(&builder->inlined.amounts, stacks_relabel(&places, builder->inlined_of), samples);
    sum_totals(&builder->pieces, places, samples);
    free(samples);
    free(places.parent);
    free(numbers);
}

static void take_times(struct builder *builder)
{
    builder->pieces = new_amounts(builder->piece_count);
    builder->lines.amounts = new_amounts(builder->lines.count);
    builder->inlined.amounts = new_amounts(builder->inlined.count);
    if (builder->rules->stacks != NULL)
        take_stacks(builder);
    else
        take_samples(builder);
    sum_lines(builder);
}

/* ---- Order ---- */

static int compare_places(const void *context, uint32_t a, uint32_t b)
{
    const struct code_line *lines = context;
    uint64_t keys[] = {key_of_place(lines[a].place), key_of_place(lines[b].place)};
    return keys[0] < keys[1] ? -1 : keys[0] > keys[1];
}

/* Lines of the function's own file first, then those of other files, by file; each ascending.  */
static int compare_lines(const void *context, uint32_t a, uint32_t b)
{
    const struct builder *builder = context;
    const struct code_line *left = &builder->lines.lines[a], *right = &builder->lines.lines[b];
    uint32_t own = builder->rules->functions[left->owner].place.file;
    if ((left->place.file == own) != (right->place.file == own))
        return left->place.file == own ? -1 : 1;
    return compare_places(builder->lines.lines, a, b);
}

static struct id_lists list_lines(const struct code_lines *lines, size_t owner_count)
{
    uint32_t *owners = mem_uninitialised(lines->count, sizeof *owners);
    for (size_t i = 0; i < lines->count; i++)
        owners[i] = lines->lines[i].owner;
    struct id_lists lists = id_lists_make(owners, NULL, lines->count, owner_count);
    free(owners);
    return lists;
}

static void sort_lists(struct id_lists *lists, size_t count, compare_ids *compare,
                       const void *context)
{
    for (size_t i = 0; i < count; i++)
        sort_ids(lists->ids + lists->start[i], lists->start[i + 1] - lists->start[i], compare,
                 context);
}

static void order_rows(struct builder *builder)
{
    builder->lines_of = list_lines(&builder->lines, builder->rules->function_count);
    builder->inlined_into = list_lines(&builder->inlined, builder->lines.count);
    sort_lists(&builder->lines_of, builder->rules->function_count, compare_lines, builder);
    sort_lists(&builder->inlined_into, builder->lines.count, compare_places,
               builder->inlined.lines);
    builder->pieces_of_inlined =
        id_lists_make(builder->inlined_of, NULL, builder->piece_count, builder->inlined.count);
    uint32_t *own = mem_uninitialised(builder->piece_count, sizeof *own);
    for (size_t p = 0; p < builder->piece_count; p++)
        own[p] = builder->inlined_of[p] == NO_ID ? builder->line_of[p] : NO_ID;
    builder->own_pieces = id_lists_make(own, NULL, builder->piece_count, builder->lines.count);
    free(own);
}

/* ---- Rows ---- */

enum { AROUND_LINES = 2, AROUND_INSTRUCTIONS = 3 }; /* shown before and after those with time */
#define LATE_SHARE 0.1 /* of a function's own time: much for a call or a jump */

static void add_row(struct builder *builder, struct code_row row)
{
    struct code_view *view = builder->view;
    view->rows = mem_grow(view->rows, &view->row_capacity, view->row_count + 1, sizeof *view->rows);
    view->rows[view->row_count++] = row;
}

static void add_gap(struct builder *builder, enum code_kind kind)
{
    add_row(builder, (struct code_row){.kind = kind, .self = NAN, .total = NAN});
}

/* Whether NUMBER has time, and not too little of it.  */
static bool has_time(const struct builder *builder, const struct amounts *amounts, uint32_t number)
{
    double self = amounts->self[number], total = amounts->total[number];
    double most = self > total ? self : total;
    return most > 0 && most >= builder->rules->least;
}

/* A row with the times of NUMBER in AMOUNTS; NULL: it has no code.  */
static struct code_row row_of(const struct builder *builder, enum code_kind kind,
                              const struct amounts *amounts, uint32_t number)
{
    double unit = builder->rules->sample_time;
    bool has_total = amounts != NULL && builder->rules->stacks != NULL;
    return (struct code_row){.kind = kind,
                             .self = amounts != NULL ? amounts->self[number] * unit : NAN,
                             .total = has_total ? amounts->total[number] * unit : NAN};
}

static void set_place(const struct builder *builder, struct code_row *row, struct code_place place)
{
    row->file = place.file != NO_ID ? builder->profile->files.paths[place.file] : NULL;
    row->line = place.line;
}

static void add_instruction(struct builder *builder, uint32_t number)
{
    const struct code_piece *piece = &builder->rules->pieces[number];
    struct code_row row = row_of(builder, CODE_INSTRUCTION, &builder->pieces, number);
    row.address = piece->addr;
    row.text = piece->text;
    row.is_late = piece->is_jump && builder->rules->is_sampled &&
                  builder->pieces.self[number] > 0 &&
                  builder->pieces.self[number] >= LATE_SHARE * builder->function_self;
    builder->view->has_late |= row.is_late;
    if (piece->text != NULL || has_time(builder, &builder->pieces, number))
        add_row(builder, row);
    builder->view->has_instructions = true;
}

/* Adds the COUNT instructions IDS, pieces, but for those far from time.  A gap stands where two are
   no neighbours, since some are left out or come from another line.  Code that could not be
   disassembled has a row without text.  */
static void add_instructions(struct builder *builder, const uint32_t *ids, size_t count)
{
    size_t shown = 0; /* those before are shown, or left out */
    uint32_t next = count > 0 ? ids[0] : NO_ID;
    for (size_t i = 0; i < count && builder->is_disassembled; i++) {
        if (!has_time(builder, &builder->pieces, ids[i]))
            continue;
        size_t from = i > AROUND_INSTRUCTIONS ? i - AROUND_INSTRUCTIONS : 0;
        size_t to = i + AROUND_INSTRUCTIONS + 1 < count ? i + AROUND_INSTRUCTIONS + 1 : count;
        for (size_t at = from > shown ? from : shown; at < to; at++) {
            if (ids[at] != next)
                add_gap(builder, CODE_INSTRUCTION_GAP);
            add_instruction(builder, ids[at]);
            next = ids[at] + 1;
        }
        shown = to > shown ? to : shown;
    }
    if (shown > 0 && shown < count)
        add_gap(builder, CODE_INSTRUCTION_GAP);
}

/* Adds what is below LINE.  */
static void add_below(struct builder *builder, uint32_t line)
{
    const struct id_lists *inlined = &builder->inlined_into, *pieces = &builder->pieces_of_inlined;
    const struct id_lists *own = &builder->own_pieces;
    add_instructions(builder, own->ids + own->start[line], own->start[line + 1] - own->start[line]);
    for (uint32_t i = inlined->start[line]; i < inlined->start[line + 1]; i++) {
        uint32_t number = inlined->ids[i];
        if (!has_time(builder, &builder->inlined.amounts, number))
            continue;
        struct code_row row = row_of(builder, CODE_INLINED, &builder->inlined.amounts, number);
        set_place(builder, &row, builder->inlined.lines[number].place);
        add_row(builder, row);
        add_instructions(builder, pieces->ids + pieces->start[number],
                         pieces->start[number + 1] - pieces->start[number]);
    }
}

static void add_line(struct builder *builder, uint32_t line)
{
    struct code_row row = row_of(builder, CODE_LINE, &builder->lines.amounts, line);
    set_place(builder, &row, builder->lines.lines[line].place);
    add_row(builder, row);
    if (has_time(builder, &builder->lines.amounts, line))
        add_below(builder, line);
}

/* Adds a line without code.  */
static void add_text(struct builder *builder, struct code_place place)
{
    struct code_row row = row_of(builder, CODE_LINE, NULL, 0);
    set_place(builder, &row, place);
    add_row(builder, row);
}

/* Adds those of the COUNT lines IDS, which are in one file, that have time, and the lines around
   them, from line LOW on.  */
static void add_lines(struct builder *builder, const uint32_t *ids, size_t count, uint32_t low)
{
    const struct code_line *lines = builder->lines.lines;
    uint32_t file = lines[ids[0]].place.file, high = lines[ids[count - 1]].place.line;
    uint64_t next = low; /* the lines before are shown, or left out; one more than 32 bits hold */
    for (size_t i = 0, at = 0; i < count; i++) {
        uint64_t line = lines[ids[i]].place.line, last = line + AROUND_LINES;
        uint64_t first = line > next + AROUND_LINES ? line - AROUND_LINES : next;
        if (!has_time(builder, &builder->lines.amounts, ids[i]))
            continue;
        if (first > next)
            add_gap(builder, CODE_GAP);
        for (next = first; next <= last && next <= high; next++) {
            while (lines[ids[at]].place.line < next)
                at++;
            if (lines[ids[at]].place.line == next)
                add_line(builder, ids[at]);
            else
                add_text(builder, (struct code_place){file, (uint32_t)next});
        }
    }
    if (next > low && next <= high)
        add_gap(builder, CODE_GAP);
}

/* Adds the line of piece NUMBER, and below it the one that was inlined there, unless they are those
   of piece BEFORE, NO_ID: none.  */
static void add_heading(struct builder *builder, uint32_t number, uint32_t before)
{
    uint32_t line = builder->line_of[number], inlined = builder->inlined_of[number];
    bool is_new = before == NO_ID || builder->line_of[before] != line;
    if (is_new)
        add_text(builder, builder->lines.lines[line].place);
    if (inlined == NO_ID ? is_new || builder->inlined_of[before] == NO_ID
                         : !is_new && builder->inlined_of[before] == inlined)
        return;
    if (inlined == NO_ID) {
        add_text(builder, builder->lines.lines[line].place);
        return;
    }
    struct code_row row = row_of(builder, CODE_INLINED, NULL, 0);
    set_place(builder, &row, builder->inlined.lines[inlined].place);
    add_row(builder, row);
}

/* Adds the instructions of RANGE with time, and those around them, in the order of addresses.  */
static void add_by_address(struct builder *builder, const struct code_range *range)
{
    uint32_t end = (uint32_t)range->end, next = (uint32_t)range->first, before = NO_ID;
    for (uint32_t p = next; p < end; p++) {
        if (!has_time(builder, &builder->pieces, p))
            continue;
        uint32_t from = p - range->first > AROUND_INSTRUCTIONS ? p - AROUND_INSTRUCTIONS
                                                               : (uint32_t)range->first;
        uint32_t to = end - p > AROUND_INSTRUCTIONS ? p + AROUND_INSTRUCTIONS + 1 : end;
        if (from > next) {
            add_gap(builder, CODE_INSTRUCTION_GAP);
            before = NO_ID;
        }
        for (next = from > next ? from : next; next < to; next++) {
            if (builder->has_lines)
                add_heading(builder, next, before);
            add_instruction(builder, next);
            before = next;
        }
    }
    if (before != NO_ID && next < end)
        add_gap(builder, CODE_INSTRUCTION_GAP);
}

/* Adds the lines of function NUMBER, file by file.  Code whose line is not known has a row of its
   own, unless it is all of the function and was disassembled.  */
static void add_function(struct builder *builder, size_t number)
{
    const struct id_lists *lists = &builder->lines_of;
    const struct code_range *range = &builder->rules->functions[number];
    uint32_t start = lists->start[number], end = lists->start[number + 1];
    builder->is_disassembled = range->is_disassembled;
    builder->function_self = 0;
    for (size_t p = range->first; p < range->end; p++)
        builder->function_self += builder->pieces.self[p];
    builder->has_lines = end - start > 1 || builder->lines.lines[lists->ids[start]].place.line != 0;
    if (builder->rules->by_address && range->is_disassembled) {
        add_by_address(builder, range);
        return;
    }
    for (uint32_t from = start, to; from < end; from = to) {
        struct code_place place = builder->lines.lines[lists->ids[from]].place;
        for (to = from + 1; to < end; to++)
            if (builder->lines.lines[lists->ids[to]].place.file != place.file)
                break;
        bool is_own = place.file == range->place.file && range->place.line < place.line;
        if (place.line != 0)
            add_lines(builder, lists->ids + from, to - from,
                      is_own ? range->place.line : place.line);
        else if (!builder->has_lines && range->is_disassembled)
            add_below(builder, lists->ids[from]);
        else if (has_time(builder, &builder->lines.amounts, lists->ids[from]))
            add_line(builder, lists->ids[from]);
    }
}

/* ---- The interface ---- */

static void free_lines(struct code_lines *lines)
{
    pair_map_free(&lines->numbers);
    free(lines->lines);
    free_amounts(&lines->amounts);
}

static void free_builder(struct builder *builder)
{
    free(builder->line_of);
    free(builder->inlined_of);
    free_lines(&builder->lines);
    free_lines(&builder->inlined);
    free_amounts(&builder->pieces);
    id_lists_free(&builder->lines_of);
    id_lists_free(&builder->inlined_into);
    id_lists_free(&builder->pieces_of_inlined);
    id_lists_free(&builder->own_pieces);
}

void make_code(struct code_view *view, const struct profile *profile,
               const struct code_rules *rules)
{
    struct builder builder = {.view = view, .profile = profile, .rules = rules};
    for (size_t f = 0; f < rules->function_count; f++)
        builder.piece_count = rules->functions[f].end > builder.piece_count
                                  ? rules->functions[f].end
                                  : builder.piece_count;
    builder.line_of = mem_uninitialised(builder.piece_count, sizeof *builder.line_of);
    builder.inlined_of = mem_uninitialised(builder.piece_count, sizeof *builder.inlined_of);
    number_lines(&builder);
    take_times(&builder);
    order_rows(&builder);
    for (size_t f = 0; f < rules->function_count; f++) {
        view->functions[f].first = view->row_count;
        add_function(&builder, f);
        view->functions[f].end = view->row_count;
    }
    free_builder(&builder);
}

void code_view_free(struct code_view *view)
{
    free(view->functions);
    free(view->rows);
    *view = (struct code_view){0};
}
