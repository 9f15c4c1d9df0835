/* make_stack_tree.c - makes trees of call stacks: estimated from calls, or of recorded stacks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "stacks/make_stack_tree.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "stacks/stack_flow.h"

/* ---- The builder ---- */

#define NONE UINT32_MAX

/* A node under construction.  The builder always extends the branch with the most time.  */
struct branch {
    uint32_t label, parent, depth;
    uint32_t first, count; /* its children: a range of branches */
    uint32_t left_out;     /* callees, or members of a cycle, that are no branches; of others, how
                              many there are */
    double weight;         /* samples of the subtree */
    double base;           /* samples of the whole function, without its cycle, or of the cycle */
};

struct builder {
    const struct stack_flow *flow;
    struct branch *branches; /* roots first */
    size_t count, capacity;
    uint32_t *heap; /* branches to extend, the one with the most time first */
    size_t heap_count, heap_capacity;
    size_t max_nodes;
    uint64_t max_frames;
    double smallest;   /* samples of the smallest subtree that is shown */
    uint64_t frames;   /* in all stacks */
    uint32_t *by_flow; /* arcs of each function, sorted when it is first extended */
    uint32_t *used;    /* by function: how many of these have samples; NONE: not sorted */
};

/* ---- The heap of branches ---- */

static bool is_before(const struct builder *b, uint32_t one, uint32_t other)
{
    double a = b->branches[one].weight, c = b->branches[other].weight;
    return a > c || (a == c && one < other);
}

static void push(struct builder *b, uint32_t branch)
{
    size_t at = b->heap_count++;
    b->heap = mem_grow(b->heap, &b->heap_capacity, b->heap_count, sizeof *b->heap);
    for (; at > 0 && is_before(b, branch, b->heap[(at - 1) / 2]); at = (at - 1) / 2)
        b->heap[at] = b->heap[(at - 1) / 2];
    b->heap[at] = branch;
}

static uint32_t pop(struct builder *b)
{
    uint32_t top = b->heap[0], last = b->heap[--b->heap_count];
    size_t at = 0, child;
    while ((child = 2 * at + 1) < b->heap_count) {
        if (child + 1 < b->heap_count && is_before(b, b->heap[child + 1], b->heap[child]))
            child++;
        if (!is_before(b, b->heap[child], last))
            break;
        b->heap[at] = b->heap[child];
        at = child;
    }
    b->heap[at] = last;
    return top;
}

/* ---- Branches ---- */

static void append(struct builder *b, const struct branch *branch)
{
    b->branches = mem_grow(b->branches, &b->capacity, b->count + 1, sizeof *b->branches);
    b->branches[b->count] = *branch;
    b->frames += branch->depth + 1;
    if (branch->label != STACKS_OTHERS)
        push(b, (uint32_t)b->count);
    b->count++;
}

/* Appends a branch unless it is too small or there are too many.  Returns whether it did.  */
static bool add(struct builder *b, const struct branch *branch)
{
    if (branch->weight < b->smallest || b->count >= b->max_nodes ||
        b->frames + branch->depth + 1 > b->max_frames)
        return false;
    append(b, branch);
    return true;
}

/* Sorts the arcs of FUNCTION by flow, the largest first.  */
static void sort_arcs(struct builder *b, uint32_t function)
{
    const struct stack_flow *flow = b->flow;
    uint32_t start = flow->start[function], count = flow->start[function + 1] - start;
    for (uint32_t i = 0; i < count; i++)
        b->by_flow[start + i] = start + i;
    sort_ids(b->by_flow + start, count, compare_doubles, flow->value);
    while (count > 0 && !(flow->value[b->by_flow[start + count - 1]] > 0))
        count--;
    b->used[function] = count;
}

/* A branch of WEIGHT samples of NODE, whose number is its label.  */
static struct branch branch_of(const struct stack_flow *flow, uint32_t node, double weight)
{
    return (struct branch){
        .label = node, .parent = NONE, .weight = weight, .base = flow->total[node]};
}

/* Adds a branch below ID.  False if it is too small or there are too many.  */
static bool add_below(struct builder *b, uint32_t id, struct branch branch)
{
    branch.parent = id;
    branch.depth = b->branches[id].depth + 1;
    return add(b, &branch);
}

/* Adds the callees of a function outside of its cycle.  Returns how many are left out.  */
static uint32_t add_callees(struct builder *b, uint32_t id, uint32_t function, double scale)
{
    const struct stack_flow *flow = b->flow;
    uint32_t start = flow->start[function];
    if (b->used[function] == NONE)
        sort_arcs(b, function);
    for (uint32_t i = 0; i < b->used[function]; i++) {
        uint32_t arc = b->by_flow[start + i];
        if (!add_below(b, id, branch_of(flow, flow->to[arc], flow->value[arc] * scale)))
            return b->used[function] - i; /* the others are smaller */
    }
    return 0;
}

/* Adds the members of a cycle that have samples.  Returns how many are left out.  */
static uint32_t add_members(struct builder *b, uint32_t id, uint32_t cycle, double scale)
{
    const struct stack_flow *flow = b->flow;
    const uint32_t *members = flow->members + flow->first[cycle];
    uint32_t count = flow_cycle_size(flow, cycle), i = 0;
    while (count > 0 && !(flow->outer[members[count - 1]] > 0))
        count--;
    while (i < count && add_below(b, id,
                                  (struct branch){.label = members[i],
                                                  .weight = flow->outer[members[i]] * scale,
                                                  .base = flow->outer[members[i]]}))
        i++;
    return count - i; /* the others are smaller */
}

/* Adds what the branch ID calls or, if it is a cycle, its members.  */
static void extend(struct builder *b, uint32_t id)
{
    const struct branch *above = &b->branches[id];
    uint32_t first = (uint32_t)b->count;
    double scale = above->weight / above->base;
    size_t functions = b->flow->function_count;
    uint32_t left_out = above->label < functions
                            ? add_callees(b, id, above->label, scale)
                            : add_members(b, id, (uint32_t)(above->label - functions + 1), scale);
    b->branches[id].left_out = left_out; /* branches may have moved */
    b->branches[id].first = first;
    b->branches[id].count = (uint32_t)b->count - first;
}

/* Adds the roots; returns their number.  */
static uint32_t add_roots(struct builder *b)
{
    const struct stack_flow *flow = b->flow;
    double others = 0;
    uint32_t other_count = 0;
    for (uint32_t node = 0; node < flow->node_count; node++) {
        bool is_member = node < flow->function_count && flow->cycle[node] != 0;
        if (is_member || flow->entering[node] > 0 || !(flow->total[node] > 0))
            continue;
        struct branch root = branch_of(flow, node, flow->total[node]);
        if (add(b, &root))
            continue;
        others += flow->total[node];
        other_count++;
    }
    if (others > 0)
        append(b, &(struct branch){.label = STACKS_OTHERS,
                                   .left_out = other_count,
                                   .parent = NONE,
                                   .weight = others});
    return (uint32_t)b->count;
}

/* ---- The tree ---- */

static int compare_branches(const void *context, uint32_t one, uint32_t other)
{
    const struct builder *b = context;
    return compare_descending(b->branches[one].weight, b->branches[other].weight);
}

/* The branches in the order of the tree, each before its children; free with free.  */
static uint32_t *order_branches(const struct builder *b, uint32_t root_count)
{
    uint32_t *sorted = identity_ids(b->count);
    uint32_t *order = mem_uninitialised(b->count, sizeof *order);
    uint32_t *pending = mem_uninitialised(b->count, sizeof *pending);
    size_t pending_count = 0, count = 0;
    sort_ids(sorted, root_count, compare_branches, b);
    for (size_t i = root_count; i-- > 0;)
        pending[pending_count++] = sorted[i];
    while (pending_count > 0) {
        const struct branch *branch = &b->branches[order[count++] = pending[--pending_count]];
        sort_ids(sorted + branch->first, branch->count, compare_branches, b);
        for (size_t i = branch->count; i-- > 0;)
            pending[pending_count++] = sorted[branch->first + i];
    }
    free(sorted);
    free(pending);
    return order;
}

/* Samples that remain in a branch itself; 0 if only rounding left some.  */
static double self_of(const struct builder *b, const struct branch *branch)
{
    double self = branch->weight;
    for (size_t i = 0; i < branch->count; i++)
        self -= b->branches[branch->first + i].weight;
    return self > 1e-9 * branch->weight ? self : 0;
}

/* Makes space for COUNT nodes.  */
static void reserve(struct stack_tree *tree, size_t count)
{
    tree->stacks.parent = mem_uninitialised(count, sizeof *tree->stacks.parent);
    tree->stacks.label = mem_uninitialised(count, sizeof *tree->stacks.label);
    tree->stacks.samples = mem_uninitialised(count, sizeof *tree->stacks.samples);
    tree->left_out = mem_uninitialised(count, sizeof *tree->left_out);
}

/* Appends a node to TREE; returns it.  */
static uint32_t append_node(struct stack_tree *tree, uint32_t parent, uint32_t label,
                            double samples)
{
    uint32_t node = (uint32_t)tree->stacks.count++;
    tree->stacks.parent[node] = parent;
    tree->stacks.label[node] = label;
    tree->stacks.samples[node] = samples;
    tree->left_out[node] = 0;
    return node;
}

/* Appends the node of COUNT subtrees below PARENT that are left out, which have SAMPLES, if any. */
static void append_others(struct stack_tree *tree, uint32_t parent, uint32_t count, double samples)
{
    if (fabs(samples) > 0)
        tree->left_out[append_node(tree, parent, STACKS_OTHERS, samples)] = count;
}

/* Sets what follows from the samples and parents of nodes, of which there will be no more.  */
static void sum_up(struct stack_tree *tree)
{
    struct stacks *stacks = &tree->stacks;
    size_t size = stacks->count + 1; /* not 0 */
    stacks->parent = mem_resize(stacks->parent, size, sizeof *stacks->parent);
    stacks->label = mem_resize(stacks->label, size, sizeof *stacks->label);
    stacks->samples = mem_resize(stacks->samples, size, sizeof *stacks->samples);
    tree->left_out = mem_resize(tree->left_out, size, sizeof *tree->left_out);
    tree->totals = mem_resize(tree->totals, size, sizeof *tree->totals);
    tree->depth = mem_resize(tree->depth, size, sizeof *tree->depth);
    tree->all = 0;
    for (size_t i = 0; i < stacks->count; i++) {
        uint32_t parent = stacks->parent[i];
        tree->all += fabs(stacks->samples[i]);
        tree->totals[i] = stacks->samples[i];
        tree->depth[i] = parent != NONE ? tree->depth[parent] + 1 : 0;
    }
    stacks_fold(stacks, tree->totals);
}

/* SAMPLES, which are added to SUM, as TREE has them: whole ones, unless they have weights.  Rounds
   the running sum, so that the sum of each subtree is right to within one sample.  */
static double take(const struct stack_tree *tree, double *sum, double samples)
{
    return tree->has_weights ? samples : (double)stack_take(sum, samples);
}

/* Fills the nodes.  */
static void fill_nodes(struct stack_tree *tree, const struct builder *b, const uint32_t *order)
{
    uint32_t *ids = mem_uninitialised(b->count, sizeof *ids);
    double sum = 0, sum_left_out = 0;
    tree->own = mem_array(2 * b->count, sizeof *tree->own);
    for (uint32_t i = 0; i < b->count; i++) {
        const struct branch *branch = &b->branches[order[i]];
        bool is_function = branch->label < tree->function_count;
        bool is_others = branch->label == STACKS_OTHERS;
        double own =
            is_function ? branch->weight * (b->flow->own[branch->label] / branch->base) : 0;
        double self = self_of(b, branch);
        double rest = !is_others && self - own > 1e-9 * self ? self - own : 0;
        double samples = take(tree, &sum, self), others = take(tree, &sum_left_out, rest);
        others = others < samples ? others : samples;
        uint32_t node = append_node(tree, branch->parent == NONE ? NONE : ids[branch->parent],
                                    branch->label, samples - others);
        ids[order[i]] = node;
        tree->own[node] = own;
        if (is_others)
            tree->left_out[node] = branch->left_out;
        append_others(tree, node, branch->left_out, others);
    }
    free(ids);
    sum_up(tree);
}

/* Moves the node FROM of an estimated TREE to its COUNTth one, below PARENT.  */
static void move_node(struct stack_tree *tree, size_t from, uint32_t count, uint32_t parent)
{
    tree->stacks.parent[count] = parent;
    tree->stacks.label[count] = tree->stacks.label[from];
    tree->stacks.samples[count] = tree->stacks.samples[from];
    tree->left_out[count] = tree->left_out[from];
    tree->own[count] = tree->own[from];
}

/* Removes subtrees without samples.  */
static void drop_empty(struct stack_tree *tree)
{
    struct stacks *stacks = &tree->stacks;
    uint32_t *ids = mem_uninitialised(stacks->count, sizeof *ids), count = 0;
    for (size_t i = 0; i < stacks->count; i++) {
        uint32_t parent = stacks->parent[i] != NONE ? ids[stacks->parent[i]] : NONE;
        ids[i] = count;
        if (tree->totals[i] > 0)
            move_node(tree, i, count++, parent);
        else if (parent + 1 < count && stacks->label[parent + 1] == STACKS_OTHERS &&
                 stacks->parent[parent + 1] == parent)
            tree->left_out[parent + 1]++;
    }
    stacks->count = count;
    free(ids);
    sum_up(tree);
}

/* `[cycle 1]' and so on.  */
static void name_cycles(struct stack_tree *tree, size_t count)
{
    tree->names = mem_array(count, sizeof *tree->names);
    for (size_t i = 0; i < count; i++)
        tree->names[i] = arena_format(&tree->arena, "[cycle %zu]", i + 1);
}

/* Makes the tree of estimated stacks.  */
static void estimate(struct stack_tree *tree, const struct snapshot *snapshot, size_t max_nodes)
{
    struct stack_flow flow;
    stack_flow_compute(&flow, snapshot);
    struct builder b = {.flow = &flow,
                        .max_nodes = max_nodes,
                        .max_frames = (uint64_t)max_nodes * (STACK_FRAMES / STACK_NODES)};
    b.by_flow = mem_uninitialised(flow.start[flow.function_count], sizeof *b.by_flow);
    b.used = mem_uninitialised(flow.function_count, sizeof *b.used);
    for (size_t f = 0; f < flow.function_count; f++) {
        b.used[f] = NONE;
        b.smallest += STACK_SHARE * flow.own[f];
    }
    uint32_t root_count = add_roots(&b);
    name_cycles(tree, flow.cycle_count);
    while (b.heap_count > 0 && b.count < max_nodes)
        extend(&b, pop(&b));
    uint32_t *order = order_branches(&b, root_count);
    reserve(tree, 2 * b.count);
    fill_nodes(tree, &b, order);
    drop_empty(tree);
    free(order);
    free(b.branches);
    free(b.heap);
    free(b.by_flow);
    free(b.used);
    stack_flow_free(&flow);
}

/* Makes a tree of source lines, each of which is a stack of its own.  */
static void stack_tree_of_lines(struct stack_tree *tree, const struct snapshot *snapshot)
{
    double sum = 0;
    reserve(tree, snapshot->function_count);
    tree->own = mem_uninitialised(snapshot->function_count, sizeof *tree->own);
    for (size_t f = 0; f < snapshot->function_count; f++) {
        double own = flow_own(snapshot, f);
        double samples = take(tree, &sum, own);
        if (samples > 0)
            tree->own[append_node(tree, NONE, (uint32_t)f, samples)] = own;
    }
    sum_up(tree);
}

/* Sets `rests'.  */
static void find_rests(struct stack_tree *tree, const struct snapshot *snapshot)
{
    tree->rests = mem_uninitialised(snapshot->function_count, sizeof *tree->rests);
    for (size_t f = 0; f < snapshot->function_count; f++)
        tree->rests[f] = flow_own(snapshot, f);
    for (size_t i = 0; i < tree->stacks.count; i++)
        if (stack_tree_function(tree, i) != NO_ID)
            tree->rests[tree->stacks.label[i]] -= tree->own[i];
    for (size_t f = 0; f < snapshot->function_count; f++)
        if (tree->rests[f] <= 1e-9 * flow_own(snapshot, f)) /* of rounding */
            tree->rests[f] = 0;
}

/* ---- The tree ---- */

void stack_tree_build_within(struct stack_tree *tree, const struct snapshot *snapshot,
                             size_t max_nodes)
{
    *tree = (struct stack_tree){.function_count = snapshot->function_count,
                                .has_weights = snapshot->has_weights,
                                .sample_time =
                                    snapshot->totals.samples > 0 ? snapshot->sample_time : 0};
    if (snapshot->is_by_line)
        stack_tree_of_lines(tree, snapshot);
    else
        estimate(tree, snapshot, max_nodes);
}

void stack_tree_build(struct stack_tree *tree, const struct snapshot *snapshot)
{
    stack_tree_build_within(tree, snapshot, STACK_NODES);
    find_rests(tree, snapshot);
}

void stack_tree_free(struct stack_tree *tree)
{
    stacks_free(&tree->stacks);
    free(tree->totals);
    free(tree->depth);
    free(tree->left_out);
    free(tree->own);
    free(tree->rests);
    free(tree->names);
    arena_free(&tree->arena);
    *tree = (struct stack_tree){0};
}

/* ---- Recorded stacks ---- */

/* The tree of all stacks.  Arrays are by node.  */
struct prefixes {
    const struct stacks *stacks;
    const uint32_t *left_out; /* of others: how many; NULL: there are none */
    double *total;
    double *size;           /* as `total', but of absolute values */
    uint32_t *first, *next; /* children, the largest first: the first, and the next of a node */
    uint32_t root;          /* the first root */
    double least;           /* samples of the smallest prefix that becomes a node */
    double least_parent;    /* samples of the smallest one that has nodes below it ... */
    bool keeps_recursion;   /* ... or that is below direct recursion in such a one */
    size_t most;            /* nodes */
};

/* Which prefixes may have nodes below them, by prefix.  Free with free.  */
static bool *find_parents(const struct prefixes *all)
{
    const struct stacks *nodes = all->stacks;
    size_t count = nodes->count;
    bool *is_parent = mem_uninitialised(count, sizeof *is_parent);
    bool *is_recursive = mem_array(count, sizeof *is_recursive); /* it, or one above it */
    for (size_t i = 0; i < count && all->keeps_recursion; i++)
        if (nodes->parent[i] != NONE && nodes->label[i] == nodes->label[nodes->parent[i]])
            is_recursive[nodes->parent[i]] = true;
    for (size_t i = 0; i < count; i++) {
        uint32_t parent = nodes->parent[i];
        bool is_below = parent != NONE && is_recursive[parent];
        is_parent[i] = is_below ? is_parent[parent] : all->size[i] >= all->least_parent;
        is_recursive[i] |= is_below;
    }
    free(is_recursive);
    return is_parent;
}

/* Computes totals, and lists the children of the prefixes that may have nodes below them.  */
static void order_children(struct prefixes *all)
{
    const uint32_t *parents = all->stacks->parent;
    size_t count = all->stacks->count, listed = 0;
    uint32_t *order = mem_uninitialised(count, sizeof *order);
    all->total = mem_uninitialised(count, sizeof *all->total);
    all->size = mem_uninitialised(count, sizeof *all->size);
    all->first = mem_uninitialised(count, sizeof *all->first);
    all->next = mem_uninitialised(count, sizeof *all->next);
    for (size_t i = 0; i < count; i++) {
        all->total[i] = all->stacks->samples[i];
        all->size[i] = fabs(all->stacks->samples[i]);
        all->first[i] = NONE;
    }
    stacks_fold(all->stacks, all->total);
    stacks_fold(all->stacks, all->size);
    bool *is_parent = find_parents(all);
    for (uint32_t i = 0; i < count; i++)
        if (parents[i] == NONE || is_parent[parents[i]])
            order[listed++] = i;
    free(is_parent);
    sort_ids(order, listed, compare_doubles, all->size);
    all->root = NONE;
    for (size_t i = listed; i-- > 0;) { /* the largest is put in front last */
        uint32_t parent = parents[order[i]];
        uint32_t *head = parent != NONE ? &all->first[parent] : &all->root;
        all->next[order[i]] = *head;
        *head = order[i];
    }
    free(order);
}

/* What the node of a prefix has as its label in TREE: what is in other objects has a function if
   times are measured.  */
static uint32_t label_of(const struct stack_tree *tree, const struct named_stacks *named,
                         uint32_t id)
{
    bool has_symbol = id < named->recorded->frames.symbol_count ||
                      (id < named->symtab->count && named->symtab->symbols[id].is_other_object);
    uint32_t function = has_symbol ? named->functions[id] : NO_ID;
    return function != NO_ID ? function : (uint32_t)(tree->function_count + id);
}

/* Appends the node of a prefix; its parent is node PARENT of the tree.  It has the samples of
   children that are not listed.  Labels are those of the tree if NAMED is NULL.  */
static uint32_t append_prefix(struct stack_tree *tree, const struct prefixes *all, uint32_t prefix,
                              uint32_t parent, const struct named_stacks *named)
{
    bool has_children = all->first[prefix] != NONE;
    uint32_t label = all->stacks->label[prefix];
    uint32_t node = append_node(tree, parent, named != NULL ? label_of(tree, named, label) : label,
                                has_children ? all->stacks->samples[prefix] : all->total[prefix]);
    tree->left_out[node] = all->left_out != NULL ? all->left_out[prefix] : 0;
    return node;
}

/* What was made of a node so far.  */
struct made {
    uint32_t prefix;
    uint32_t others; /* prefixes below it that are no nodes, and their samples */
    double other_samples;
};

/* Appends all prefixes, each before its children.  Those that are too small, or would be too many,
   are one node of others together.  */
static void append_prefixes(struct stack_tree *tree, const struct prefixes *all,
                            const struct named_stacks *named)
{
    struct made *made = mem_uninitialised(2 * all->most, sizeof *made), roots = {0},
                *above = &roots;
    uint32_t prefix = all->root, parent = NONE;
    while (prefix != NONE || parent != NONE) {
        if (prefix == NONE) { /* goes up, and to the next child */
            append_others(tree, parent, above->others, above->other_samples);
            prefix = all->next[above->prefix];
            parent = tree->stacks.parent[parent];
            above = parent != NONE ? &made[parent] : &roots;
        } else if (all->size[prefix] < all->least || tree->stacks.count >= all->most) {
            above->others++;
            above->other_samples += all->total[prefix];
            prefix = all->next[prefix];
        } else {
            parent = append_prefix(tree, all, prefix, parent, named);
            above = &made[parent];
            *above = (struct made){.prefix = prefix};
            prefix = all->first[prefix];
        }
    }
    append_others(tree, NONE, roots.others, roots.other_samples);
    free(made);
}

/* Fills TREE, which has no nodes, with ALL in its order.  */
static void list_prefixes(struct stack_tree *tree, struct prefixes *all,
                          const struct named_stacks *named)
{
    order_children(all);
    reserve(tree, 2 * all->most);
    append_prefixes(tree, all, named);
    sum_up(tree);
    free(all->total);
    free(all->size);
    free(all->first);
    free(all->next);
}

/* The names of frames, by id: of symbols, then of what is in other objects.  */
static const char **names_of_frames(const struct named_stacks *named)
{
    const struct recorded_stacks *stacks = named->recorded;
    size_t symbols = stacks->frames.symbol_count;
    const char **names = mem_array(symbols + stacks->frames.other_count, sizeof *names);
    for (size_t i = 0; i < symbols; i++) {
        const struct symbol *symbol = &named->symtab->symbols[i];
        names[i] = label_of_symbol(symbol);
    }
    for (size_t i = 0; i < stacks->frames.other_count; i++)
        names[symbols + i] = stacks->frames.others[i].name;
    return names;
}

void stack_tree_of_recorded(struct stack_tree *tree, const struct named_stacks *named,
                            const struct stacks *stacks, bool is_whole, double least_parent)
{
    double counted = 0;
    for (size_t i = 0; i < stacks->count; i++)
        counted += fabs(stacks->samples[i]);
    double least = is_whole ? 0 : STACK_SHARE * counted;
    struct prefixes all = {.stacks = stacks,
                           .least = least,
                           .least_parent = is_whole ? least_parent : least,
                           .keeps_recursion = is_whole,
                           .most = is_whole ? stacks->count + 1 : STACK_NODES};
    *tree = (struct stack_tree){.is_recorded = true,
                                .function_count = named->function_count,
                                .has_weights = named->recorded->has_weights,
                                .names = names_of_frames(named)};
    tree->sample_time = named->recorded->rate != 0 ? 1 / named->recorded->rate : 0;
    list_prefixes(tree, &all, named);
}

/* ---- Removes stacks, and frames from stacks ---- */

/* Sets IS_MATCH of nodes of FOCUS and those below them, and IS_KEPT also of those above them.  */
static void find_kept(const struct stacks *stacks, const bool *focus, bool *is_match, bool *is_kept)
{
    for (size_t i = 0; i < stacks->count; i++) {
        uint32_t parent = stacks->parent[i];
        is_match[i] = focus[i] || (parent != NONE && is_match[parent]);
        is_kept[i] = is_match[i];
    }
    for (size_t i = stacks->count; i-- > 0;)
        if (is_kept[i] && stacks->parent[i] != NONE)
            is_kept[stacks->parent[i]] = true;
}

void stack_tree_select(struct stack_tree *tree, const bool *focus, const bool *hide)
{
    struct stacks *stacks = &tree->stacks, kept = {0};
    size_t count = stacks->count;
    bool *is_match = mem_uninitialised(count, sizeof *is_match);
    bool *is_kept = mem_uninitialised(count, sizeof *is_kept);
    uint32_t *ids = mem_uninitialised(count, sizeof *ids); /* plus 1; 0: frames above are hidden */
    uint32_t *left_out = mem_array(count + 1, sizeof *left_out);
    double others = 0;
    struct pair_map nodes = {0}; /* (ids; others, how many << 32 | label): equal ones are merged */
    kept.samples = mem_array(count + 1, sizeof *kept.samples);
    find_kept(stacks, focus, is_match, is_kept);
    for (size_t i = 0; i < count; i++) {
        uint64_t key = (uint64_t)tree->left_out[i] << 32 | stacks->label[i];
        if (!is_kept[i])
            continue;
        ids[i] = stacks->parent[i] != NONE ? ids[stacks->parent[i]] : 0;
        if (!hide[i])
            ids[i] = pair_map_number(&nodes, ids[i], key) + 1;
        *(ids[i] != 0 ? &kept.samples[ids[i] - 1] : &others) +=
            is_match[i] ? stacks->samples[i] : 0;
    }
    if (others != 0)
        kept.samples[pair_map_number(&nodes, 0, STACKS_OTHERS)] += others;
    for (size_t i = 0; i < nodes.count; i++)
        left_out[i] = (uint32_t)(nodes.pairs[i].b >> 32);
    stacks_take_nodes(&kept, &nodes);
    struct prefixes all = {.stacks = &kept, .left_out = left_out, .most = kept.count + 1};
    stacks_free(stacks);
    free(tree->left_out);
    free(tree->own);
    free(tree->rests);
    tree->own = tree->rests = NULL;
    list_prefixes(tree, &all, NULL);
    stacks_free(&kept);
    free(left_out);
    free(is_match);
    free(is_kept);
    free(ids);
}
