/* call_tree.c - the tree of calls as a table, from its roots or from some functions up (--tree). */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "tables/call_tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/narrow_names.h"
#include "base/short_names.h"
#include "base/sort.h"
#include "model/model.h"
#include "tables/tree_frames.h"

/* ---- Nodes ---- */

/* In place of a frame: stacks begin with a function that others call, too.  */
#define SPONTANEOUS STACKS_UNKNOWN

/* Frames with one key are one node: those of one label or, of others, for as many subtrees.  */
static uint64_t key_of(const struct stack_tree *stacks, uint32_t frame)
{
    return (uint64_t)stacks->left_out[frame] << 32 | stacks->stacks.label[frame];
}

/* The label of NODE.  */
static uint32_t label_of(const struct call_tree *tree, size_t node)
{
    return (uint32_t)tree->nodes.pairs[node].b;
}

static bool is_function(const struct call_tree *tree, uint32_t label)
{
    return label < tree->snapshot->function_count;
}

/* Adds SAMPLES to the node KEY below ABOVE, NO_ID for none.  Returns the node.  */
static uint32_t add_samples(struct call_tree *tree, uint32_t above, uint64_t key,
                            struct call_samples samples)
{
    size_t known = tree->nodes.count;
    uint32_t node = pair_map_node(&tree->nodes, (uint32_t)(above + 1), key);
    if (node == known) {
        tree->samples = mem_grow(tree->samples, &tree->capacity, known + 1, sizeof *tree->samples);
        tree->samples[node] = (struct call_samples){0};
    }
    tree->samples[node].total += samples.total;
    tree->samples[node].self += samples.self;
    tree->samples[node].size += samples.size;
    if (samples.levels > tree->samples[node].levels)
        tree->samples[node].levels = samples.levels;
    return node;
}

/* ---- From the roots ---- */

/* Each frame is a recursion by itself if recursion is not folded.  Free with free.  */
static struct recursion *recursions_of(const struct call_tree *tree)
{
    return tree->rules.folds_recursion ? find_recursions(tree->stacks)
                                       : single_frames(tree->stacks->stacks.count);
}

/* The levels of a recursion are one node: with the total of the first, which contains the others,
   and the own samples of all.  */
static void add_from_roots(struct call_tree *tree)
{
    const struct stacks *stacks = &tree->stacks->stacks;
    uint32_t *nodes = mem_uninitialised(stacks->count, sizeof *nodes);
    struct recursion *recursions = recursions_of(tree);
    double *sizes = find_sizes(stacks);
    double *roots = find_outermost(stacks, tree->rules.is_root, tree->rules.wanted_count);
    for (uint32_t i = 0; i < stacks->count; i++) {
        uint32_t frame = recursions[i].first, parent = stacks->parent[frame];
        uint32_t above = parent != NO_ID ? nodes[parent] : NO_ID;
        struct call_samples samples = {.self = stacks->samples[i], .levels = recursions[i].level};
        if (frame == i) {
            samples.total = tree->stacks->totals[i];
            samples.size = sizes[i];
        }
        nodes[i] = NO_ID;
        if (sizes[i] > 0 && (above != NO_ID || !isnan(roots[frame])))
            nodes[i] = add_samples(tree, above, key_of(tree->stacks, frame), samples);
    }
    free(nodes);
    free(sizes);
    free(roots);
    free(recursions);
}

/* ---- Chains ---- */

/* Finds what is in one row with the node above it, where rows need LEAST samples: of calls, what is
   below functions without time of their own; of callers, what is below other callers.  */
static void chain_nodes(struct call_tree *tree, double least)
{
    size_t count = tree->nodes.count;
    bool is_up = tree->rules.is_wanted != NULL;
    struct chain_node *nodes = mem_uninitialised(count, sizeof *nodes);
    for (size_t i = 0; i < count; i++) {
        const struct pair *pair = &tree->nodes.pairs[i];
        const struct call_samples *samples = &tree->samples[i];
        bool has_self = !is_up && (samples->self > 0 || samples->self < 0), is_root = pair->a == 0;
        nodes[i] = (struct chain_node){.above = (uint32_t)pair->a - 1, .size = samples->size};
        nodes[i].least = !is_up    ? least
                         : is_root ? tree->rules.min_share / 100 * samples->size
                                   : nodes[pair->a - 1].least;
        nodes[i].may_follow = is_function(tree, label_of(tree, i)) && tree->rules.folds_chains;
        nodes[i].may_begin = nodes[i].may_follow && !has_self && !(is_up && is_root);
    }
    tree->next = find_chains(nodes, count);
    free(nodes);
}

/* ---- Levels ---- */

/* The first levels of a tree, and how much their rows are indented together.  */
struct levels {
    unsigned count;
    uint64_t indents;
};

/* Adds a level of ROWS rows to LEVELS, unless the tree would be too large with it: then limits the
   depth of TREE to the level before and returns false.  */
static bool add_rows(struct call_tree *tree, struct levels *levels, size_t rows)
{
    levels->indents += (uint64_t)levels->count * rows;
    if (levels->indents <= CALL_TREE_INDENTS)
        levels->count++;
    else if (tree->rules.depth == 0 || levels->count < tree->rules.depth)
        tree->rules.depth = levels->count;
    return levels->indents <= CALL_TREE_INDENTS;
}

/* Limits the depth of a tree from the roots, whose rows need LEAST samples.  */
static void limit_depth(struct call_tree *tree, double least)
{
    size_t count = tree->nodes.count;
    uint32_t *depths = mem_uninitialised(count, sizeof *depths);
    size_t *rows = mem_array(count, sizeof *rows); /* by depth */
    struct levels levels = {0};
    for (size_t i = 0; i < count; i++) {
        uint32_t above = (uint32_t)tree->nodes.pairs[i].a;
        depths[i] = above > 0 ? depths[above - 1] + (tree->next[above - 1] != i) : 0;
        rows[depths[i]] += tree->samples[i].size >= least && tree->next[i] == NO_ID;
    }
    while (levels.count < count && rows[levels.count] > 0 &&
           (tree->rules.depth == 0 || levels.count < tree->rules.depth))
        if (!add_rows(tree, &levels, rows[levels.count]))
            break;
    free(depths);
    free(rows);
}

/* ---- Callers ---- */

/* Stacks in which a wanted function occurs, as far as they have been followed up.  */
struct occurrence {
    uint32_t outermost; /* frame of the function */
    uint32_t at;        /* frame in the node that the occurrence belongs to */
};

/* A node whose callers are to be added.  */
struct ascent {
    uint32_t node;
    size_t start, end; /* its occurrences */
    unsigned level;
    double least; /* samples of callers that have callers of their own in the tree */
};

struct climb {
    struct call_tree *tree;
    const struct recursion *recursions; /* by frame */
    const double *ending;               /* by frame; see find_outermost */
    struct occurrence *occurrences;
    struct ascent *pending; /* level by level */
    size_t count, capacity;
};

static struct call_samples samples_of(const struct climb *climb,
                                      const struct occurrence *occurrence)
{
    uint32_t frame = occurrence->outermost;
    double total = climb->tree->stacks->totals[frame];
    return (struct call_samples){total, climb->ending[frame], fabs(total),
                                 climb->recursions[occurrence->at].level};
}

/* Makes the occurrence whose numbers are in LISTS, by node from FIRST on, neighbours, and adds what
   is above each node to what is to be done.  FROM has the node below these.  */
static void sort_occurrences(struct climb *climb, const struct ascent *from, uint32_t first,
                             const struct id_lists *lists)
{
    struct call_tree *tree = climb->tree;
    size_t count = from->end - from->start, size = count * sizeof(struct occurrence);
    struct occurrence *sorted = mem_uninitialised(count, sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = climb->occurrences[from->start + lists->ids[i]];
    if (count > 0)
        memcpy(climb->occurrences + from->start, sorted, size);
    free(sorted);
    for (uint32_t node = first; node < tree->nodes.count; node++) {
        struct ascent next = {.node = node,
                              .start = from->start + lists->start[node - first],
                              .end = from->start + lists->start[node - first + 1],
                              .level = from->level + 1,
                              .least = from->least};
        if (from->node == NO_ID)
            next.least = tree->rules.min_share / 100 * tree->samples[node].size;
        climb->pending =
            mem_grow(climb->pending, &climb->capacity, climb->count + 1, sizeof *climb->pending);
        if (tree->samples[node].size >= next.least &&
            (tree->rules.depth == 0 || tree->rules.folds_chains || /* levels are rows */
             next.level <= tree->rules.depth))
            climb->pending[climb->count++] = next;
    }
}

/* Adds the nodes of the frames where the occurrences of FROM are.  */
static void add_level(struct climb *climb, const struct ascent *from)
{
    struct call_tree *tree = climb->tree;
    size_t count = from->end - from->start;
    uint32_t first = (uint32_t)tree->nodes.count;
    uint32_t *nodes = mem_uninitialised(count, sizeof *nodes);
    for (size_t i = 0; i < count; i++) {
        const struct occurrence *occurrence = &climb->occurrences[from->start + i];
        nodes[i] = add_samples(tree, from->node, key_of(tree->stacks, occurrence->at),
                               samples_of(climb, occurrence)) -
                   first;
    }
    struct id_lists lists = id_lists_make(nodes, NULL, count, tree->nodes.count - first);
    sort_occurrences(climb, from, first, &lists);
    id_lists_free(&lists);
    free(nodes);
}

/* Adds the callers of a node.  Stacks that begin with it are shown, if it has callers, too.  */
static void ascend(struct climb *climb, struct ascent from)
{
    struct call_samples beginning = {0};
    size_t kept = from.start;
    for (size_t i = from.start; i < from.end; i++) {
        struct occurrence occurrence = climb->occurrences[i];
        uint32_t caller =
            climb->tree->stacks->stacks.parent[climb->recursions[occurrence.at].first];
        struct call_samples samples = samples_of(climb, &occurrence);
        if (caller != NO_ID) {
            climb->occurrences[kept++] = (struct occurrence){occurrence.outermost, caller};
            continue;
        }
        beginning.total += samples.total;
        beginning.size += samples.size;
        beginning.self += samples.self;
    }
    from.end = kept;
    if (kept > from.start && beginning.size > 0)
        add_samples(climb->tree, from.node, SPONTANEOUS, beginning);
    add_level(climb, &from);
}

/* Adds the wanted functions, and callers as far as rows may show them.  */
static void add_callers(struct call_tree *tree)
{
    const struct stacks *stacks = &tree->stacks->stacks;
    double *ending = find_outermost(stacks, tree->rules.is_wanted, tree->rules.wanted_count);
    struct recursion *recursions = recursions_of(tree);
    struct climb climb = {.tree = tree,
                          .recursions = recursions,
                          .ending = ending,
                          .occurrences =
                              mem_uninitialised(stacks->count, sizeof *climb.occurrences)};
    struct ascent all = {.node = NO_ID};
    struct levels levels = {0};
    for (uint32_t i = 0; i < stacks->count; i++)
        if (!isnan(ending[i]) && tree->stacks->totals[i] != 0)
            climb.occurrences[all.end++] = (struct occurrence){i, i};
    add_level(&climb, &all);
    for (size_t at = 0; at < climb.count; at++) {
        if (climb.pending[at].level > levels.count && !add_rows(tree, &levels, climb.count - at))
            break;
        ascend(&climb, climb.pending[at]);
    }
    free(climb.occurrences);
    free(climb.pending);
    free(ending);
    free(recursions);
}

/* ---- Numbers of calls ---- */

/* Finds the nodes with all calls of their functions, as far as is known: each function of the path
   has one caller, the one above it, or, of those that no counted call leads to, one node.  Nodes
   come after those above.  */
static void find_sole_paths(struct call_tree *tree)
{
    const struct call_counts *known = tree->counts;
    const uint32_t *callers = tree->rules.folds_recursion ? known->others : known->callers;
    uint32_t *counts = mem_array(tree->snapshot->function_count, sizeof *counts); /* of nodes */
    tree->is_sole = mem_array(tree->nodes.count, sizeof *tree->is_sole);
    for (size_t node = 0; node < tree->nodes.count; node++)
        if (is_function(tree, label_of(tree, node)))
            counts[label_of(tree, node)]++;
    for (size_t node = 0; node < tree->nodes.count; node++) {
        const struct pair *pair = &tree->nodes.pairs[node];
        uint32_t function = label_of(tree, node);
        if (!is_function(tree, function))
            continue;
        uint32_t above = pair->a > 0 ? label_of(tree, pair->a - 1) : SPONTANEOUS;
        bool has_caller =
            is_function(tree, above) && is_of_image(&tree->snapshot->functions[above]);
        uint64_t all = tree->snapshot->functions[function].calls;
        tree->is_sole[node] = has_caller ? tree->is_sole[pair->a - 1] && callers[function] == 1 &&
                                               known->inside[function] >= all
                                         : callers[function] == 0 && counts[function] == 1;
    }
    free(counts);
}

/* The number of calls that a node shows: of its function by the one above it, wherever that was
   called, or by no known function; of a wanted function, all; of a caller, those of the function
   above it.  */
static uint64_t calls_of(struct call_tree *tree, uint32_t node)
{
    uint64_t parent = tree->nodes.pairs[node].a;
    uint32_t function = label_of(tree, node);
    if (!is_function(tree, function))
        return 0;
    if (parent > 0) {
        uint32_t above = label_of(tree, parent - 1);
        bool is_up = tree->rules.is_wanted != NULL;
        return !is_function(tree, above) ? 0
               : is_up                   ? call_counts_of(tree->counts, function, above)
                                         : call_counts_of(tree->counts, above, function);
    }
    uint64_t all = tree->snapshot->functions[function].calls;
    uint64_t inside = tree->counts->inside[function];
    if (tree->rules.is_wanted != NULL)
        return all;
    return all > inside ? all - inside : 0;
}

/* Whether the calls that a node shows may be of other paths, too.  Of callers, only those of the
   wanted function are known to lead to it.  */
static bool has_shared_calls(const struct call_tree *tree, uint32_t node)
{
    uint64_t above = tree->nodes.pairs[node].a;
    if (tree->rules.is_wanted != NULL)
        return above > 0 && tree->nodes.pairs[above - 1].a > 0;
    return above > 0 && !tree->is_sole[above - 1];
}

/* ---- Names ---- */

enum { NUMBER_SIZE = 24 };

/* The name of NODE; it may be in TEXT.  */
static const char *name_of_node(const struct call_tree *tree, uint32_t node, char text[NUMBER_SIZE])
{
    uint32_t label = label_of(tree, node), others = (uint32_t)(tree->nodes.pairs[node].b >> 32);
    if (is_function(tree, label))
        return tree->snapshot->functions[label].name;
    if (label == SPONTANEOUS)
        return "<spontaneous>";
    if (label != STACKS_OTHERS)
        return tree->stacks->names[label - tree->snapshot->function_count];
    if (others == 0)
        return "[others]";
    snprintf(text, NUMBER_SIZE, "[%u others]", others);
    return text;
}

/* What follows a name with SAMPLES: ` x7' for seven levels of direct recursion; it may be in TEXT.
 */
static const char *recursion_of(const struct call_tree *tree, const struct call_samples *samples,
                                char text[NUMBER_SIZE])
{
    if (samples->levels <= 1)
        return "";
    snprintf(text, NUMBER_SIZE, " %s%u", tree->rules.has_boxes ? "×" : "x", samples->levels);
    return text;
}

/* The name of NODE, with ` x7' before its object, which only the LAST one called has.  */
static const char *name_in_chain(struct call_tree *tree, uint32_t node, uint32_t last)
{
    char text[NUMBER_SIZE], number[NUMBER_SIZE];
    const char *name = name_of_node(tree, node, text), *object = name_object(name);
    size_t size = object != NULL ? (size_t)(object - name) : strlen(name);
    bool has_object = tree->rules.is_wanted == NULL || tree->nodes.pairs[node].a == 0;
    return arena_join(&tree->chains, arena_copy(&tree->chains, name, size),
                      recursion_of(tree, &tree->samples[node], number),
                      node == last && has_object && object != NULL ? object : "");
}

static const char *separator_of(const struct call_tree_rules *rules)
{
    if (rules->is_wanted != NULL)
        return rules->has_boxes ? CHAIN_UP_UTF8 : CHAIN_UP_ASCII;
    return rules->has_boxes ? CHAIN_UTF8 : CHAIN_ASCII;
}

/* The names of the nodes from FIRST to LAST, which are one row; only the last one has its object.
   NULL: it is one node without recursion.  */
static const char *name_chain(struct call_tree *tree, uint32_t first, uint32_t last)
{
    const char **names = NULL;
    size_t count = 0, capacity = 0;
    if (!tree->rules.folds_chains || (first == last && tree->samples[last].levels <= 1))
        return NULL;
    for (uint32_t node = first; node != NO_ID; node = tree->next[node]) {
        names = mem_grow(names, &capacity, count + 1, sizeof *names);
        names[count++] = name_in_chain(tree, node, last);
    }
    const char *joined = chain_text(&tree->chains, names, count, separator_of(&tree->rules));
    free(names);
    return joined;
}

/* The name in ROW without the lines before it; it may be in TEXT.  */
static const char *name_of(const struct call_tree *tree, const struct call_row *row,
                           char text[NUMBER_SIZE])
{
    if (row->chain != NULL)
        return row->chain;
    if (row->node != NO_ID)
        return name_of_node(tree, row->node, text);
    snprintf(text, NUMBER_SIZE, "[%u others]", row->count);
    return text;
}

/* ---- Rows ---- */

/* The nodes below one node, the largest first: which of them have rows.  */
struct level {
    uint32_t at, shown, end; /* the next one, the end of those with a row, and of all */
    uint32_t row;            /* of the node above; NO_ID: none */
    double least;            /* samples that a row needs */
    double rest, rest_size;  /* samples of those without rows, and their absolute values */
    bool has_rest;           /* they have a row together */
};

struct listing {
    struct call_tree *tree;
    struct id_lists below; /* nodes by the one above + 1, the largest first */
    struct level *levels;
    size_t depth, capacity;
};

static int compare_sizes(const void *context, uint32_t a, uint32_t b)
{
    const struct call_samples *samples = context;
    return compare_descending(samples[a].size, samples[b].size);
}

static struct id_lists list_below(const struct call_tree *tree)
{
    size_t count = tree->nodes.count;
    uint32_t *order = identity_ids(count), *above = mem_uninitialised(count, sizeof *above);
    sort_ids(order, count, compare_sizes, tree->samples);
    for (size_t i = 0; i < count; i++)
        above[i] = (uint32_t)tree->nodes.pairs[order[i]].a;
    struct id_lists lists = id_lists_make(above, order, count, count + 1);
    free(order);
    free(above);
    return lists;
}

/* Begins with the nodes below that of ROW, NO_ID for the roots, which need LEAST samples.  */
static void enter(struct listing *listing, uint32_t row, double least)
{
    struct call_tree *tree = listing->tree;
    uint32_t node = row != NO_ID ? tree->rows[row].node : NO_ID;
    struct level level = {.at = listing->below.start[(uint32_t)(node + 1)],
                          .end = listing->below.start[(uint32_t)(node + 1) + 1],
                          .row = row,
                          .least = least};
    for (level.shown = level.at; level.shown < level.end; level.shown++)
        if (tree->samples[listing->below.ids[level.shown]].size < least)
            break;
    for (uint32_t i = level.shown; i < level.end; i++) {
        level.rest += tree->samples[listing->below.ids[i]].total;
        level.rest_size += tree->samples[listing->below.ids[i]].size;
    }
    level.has_rest = level.shown < level.end && level.rest_size >= least;
    if (!level.has_rest) {
        tree->hidden_count += level.end - level.shown;
        tree->hidden += level.rest_size;
    }
    listing->levels =
        mem_grow(listing->levels, &listing->capacity, listing->depth + 1, sizeof *listing->levels);
    listing->levels[listing->depth++] = level;
}

static void add_row(struct listing *listing, struct call_row row)
{
    struct call_tree *tree = listing->tree;
    row.depth = (uint32_t)listing->depth - 1;
    tree->rows = mem_grow(tree->rows, &tree->row_capacity, tree->row_count + 1, sizeof *tree->rows);
    tree->rows[tree->row_count++] = row;
}

/* The last node in one row with FIRST; what else is below those before it has none.  */
static uint32_t pass_chain(struct listing *listing, uint32_t first)
{
    struct call_tree *tree = listing->tree;
    uint32_t node = first;
    for (; tree->next[node] != NO_ID; node = tree->next[node])
        for (uint32_t i = listing->below.start[node + 1]; i < listing->below.start[node + 2]; i++) {
            bool is_hidden = listing->below.ids[i] != tree->next[node];
            tree->hidden_count += is_hidden;
            tree->hidden += is_hidden ? tree->samples[listing->below.ids[i]].size : 0;
        }
    return node;
}

/* Adds a row for the next node of LEVEL, and enters what is below it.  */
static void add_node(struct listing *listing, struct level *level)
{
    struct call_tree *tree = listing->tree;
    uint32_t first = listing->below.ids[level->at++], row = (uint32_t)tree->row_count;
    uint32_t node = pass_chain(listing, first);
    bool is_wanted = level->row == NO_ID && tree->rules.is_wanted != NULL;
    double least =
        is_wanted ? tree->rules.min_share / 100 * tree->samples[node].size : level->least;
    add_row(listing, (struct call_row){.node = node,
                                       .chain = name_chain(tree, first, node),
                                       .above = level->row,
                                       .count = 1,
                                       .is_last = level->at == level->shown && !level->has_rest,
                                       .samples = tree->samples[node],
                                       .calls = calls_of(tree, node),
                                       .has_shared_calls = has_shared_calls(tree, node)});
    tree->has_shared_calls |= tree->rows[row].has_shared_calls && tree->rows[row].calls > 0;
    if (tree->rules.depth == 0 || listing->depth < tree->rules.depth)
        enter(listing, row, least); /* LEVEL may move */
    else
        tree->deep_count += listing->below.start[node + 2] - listing->below.start[node + 1];
}

double call_tree_whole(const struct call_tree *tree)
{
    double known = tree->snapshot->inclusive_samples;
    return known > 0 ? known : tree->stacks->all;
}

static void list_rows(struct call_tree *tree)
{
    struct listing listing = {.tree = tree, .below = list_below(tree)};
    bool is_up = tree->rules.is_wanted != NULL;
    double least = is_up ? 0 : tree->rules.min_share / 100 * call_tree_whole(tree);
    chain_nodes(tree, least);
    if (!is_up)
        limit_depth(tree, least);
    enter(&listing, NO_ID, least);
    while (listing.depth > 0) {
        struct level *level = &listing.levels[listing.depth - 1];
        if (level->at < level->shown) {
            add_node(&listing, level);
            continue;
        }
        if (level->has_rest)
            add_row(&listing,
                    (struct call_row){.node = NO_ID,
                                      .above = level->row,
                                      .count = level->end - level->shown,
                                      .is_last = true,
                                      .samples = {level->rest, NAN, level->rest_size, 1}});
        listing.depth--;
    }
    id_lists_free(&listing.below);
    free(listing.levels);
}

/* ---- Cells ---- */

/* The lines before a name: to it, if others follow with the same one above or not; and past it, if
   others follow for one above it or not.  */
struct lines {
    const char *to_name, *to_last, *past, *past_last;
};
enum { MOST_LINE_BYTES = 7 }; /* TREE_LEVEL characters */

/* The cell of ROW: its name with the lines before it, in the tree's text.  */
static struct cell name_cell(const struct call_tree *tree, const struct call_row *row)
{
    static const struct lines boxes = {"├─ ", "└─ ", "│  ", "   "};
    static const struct lines ascii = {"|- ", "`- ", "|  ", "   "};
    const struct lines *lines = tree->rules.has_boxes ? &boxes : &ascii;
    char number[NUMBER_SIZE], *at = tree->text + tree->text_size;
    const char *part = row->chain == NULL ? recursion_of(tree, &row->samples, number) : "";
    size_t length = strlen(part) + 1; /* with the NUL */
    memcpy(at -= length, part, length);
    part = name_of(tree, row, number);
    length = strlen(part);
    const char *name = memcpy(at -= length, part, length);
    for (bool is_own = true; row->above != NO_ID; row = &tree->rows[row->above]) {
        part = is_own ? (row->is_last ? lines->to_last : lines->to_name)
                      : (row->is_last ? lines->past_last : lines->past);
        length = strlen(part);
        memcpy(at -= length, part, length);
        is_own = false;
    }
    struct cell cell = text_cell(at);
    cell.indent = (uint32_t)(name - at);
    return cell;
}

static void reserve_text(struct call_tree *tree)
{
    char number[NUMBER_SIZE];
    for (size_t i = 0; i < tree->row_count; i++) {
        const struct call_row *row = &tree->rows[i];
        size_t size = strlen(name_of(tree, row, number)) + 1 + (size_t)row->depth * MOST_LINE_BYTES;
        size += strlen(recursion_of(tree, &row->samples, number));
        tree->text_size = size > tree->text_size ? size : tree->text_size;
    }
    tree->text = mem_uninitialised(tree->text_size, 1);
}

/* ---- The table ---- */

static const struct table_column columns[] = {
    {"total%", UNIT_PERCENT, 2, false}, {"total", UNIT_TIME, 2, false},
    {"self", UNIT_TIME, 2, false},      {"calls", UNIT_NONE, 0, false},
    {"name", UNIT_NAME, 0, true},
};
enum { CALLS_COLUMN = 3 };

static const struct column_step steps[] = {{"calls", NULL}, {"total%", NULL}};

static double share_of(const struct call_tree *tree, const struct call_row *row)
{
    double share = 100 * row->samples.total / call_tree_whole(tree);
    return share > 100 ? 100 : share; /* estimated shares may have been rounded */
}

static void fill_row(const void *context, size_t number, struct cell *cells)
{
    const struct call_tree *tree = context;
    const struct call_row *row = &tree->rows[number];
    double rate = tree->snapshot->rate;
    cells[0] = number_cell(share_of(tree, row));
    cells[1] = number_cell(row->samples.total / rate);
    cells[2] = number_cell(row->samples.self / rate);
    cells[CALLS_COLUMN] = row->calls > 0 ? count_cell(row->calls) : empty_cell();
    cells[CALLS_COLUMN].is_shared = row->has_shared_calls;
    cells[tree->table.column_count - 1] = name_cell(tree, row);
}

static enum table_tone tone_of_row(const void *context, size_t number)
{
    const struct call_tree *tree = context;
    return tone_of_share(fabs(share_of(tree, &tree->rows[number])));
}

void call_tree_build(struct call_tree *tree, const struct snapshot *snapshot,
                     const struct stack_tree *stacks, const struct call_tree_rules *rules)
{
    *tree = (struct call_tree){.snapshot = snapshot, .stacks = stacks, .rules = *rules};
    if (rules->is_wanted != NULL)
        add_callers(tree);
    else
        add_from_roots(tree);
    tree->counts = call_counts_make(snapshot);
    find_sole_paths(tree);
    list_rows(tree);
    reserve_text(tree);
    tree->table = (struct table){.row_count = tree->row_count,
                                 .steps = steps,
                                 .step_count = ARRAY_LENGTH(steps),
                                 .time_decimals = table_time_decimals(snapshot->rate),
                                 .fill = fill_row,
                                 .tone = tone_of_row,
                                 .context = tree};
    for (size_t i = 0; i < ARRAY_LENGTH(columns); i++)
        if (i != CALLS_COLUMN || snapshot_counts_calls(snapshot))
            tree->table.columns[tree->table.column_count++] = &columns[i];
}

void call_tree_free(struct call_tree *tree)
{
    pair_map_free(&tree->nodes);
    call_counts_free(tree->counts);
    free(tree->samples);
    free(tree->next);
    free(tree->is_sole);
    free(tree->rows);
    free(tree->text);
    arena_free(&tree->chains);
    *tree = (struct call_tree){0};
}
