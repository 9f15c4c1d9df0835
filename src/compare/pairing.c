/* pairing.c - finds the functions of one snapshot in another.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/pairing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/suffixes.h"
#include "base/text.h"
#include "compare/spelling.h"
#include "model/model.h"

/* ---- Entries ---- */

struct snapshot_function pairing_function(const struct snapshot *snapshot, size_t id)
{
    if (id < snapshot->function_count)
        return snapshot->functions[id];
    const struct snapshot_idle *idle = &snapshot->idle[id - snapshot->function_count];
    return (struct snapshot_function){
        .name = idle->name, .file = idle->file, .binding = idle->binding};
}

/* Functions of one side with the same name and file.  */
struct entry {
    uint32_t name, file, base; /* numbers of texts; 0 as a file: not known */
    uint32_t key;              /* number of the name by which it pairs: as it is, or as spelled */
    uint32_t place;            /* number of the file as the other side would name it */
    uint32_t first;            /* function id */
    uint32_t partner;          /* entry of the other side, or NO_ID */
    uint32_t plain_count;      /* functions that are no copies: 1 of f, f.part.0 and f.cold */
    uint32_t original_count;   /* what they are, or are copies of: 1 of f.part.0 and f.cold, 2 of
                                  f.lto_priv.0 and f.lto_priv.1.cold */
    bool is_global, is_static; /* its functions are; neither: not known, or some are */
    bool has_moved;            /* its partner is in another file */
    bool is_renamed;           /* its partner has another name */
};

struct entries {
    struct entry *entries;
    size_t count;
    uint32_t *of_function; /* by id */
    uint32_t *key_counts;  /* by key: entries that have it */
};

struct pairer {
    struct string_map names, files;
    struct entries sides[SIDES];
    char *text, *spelled; /* scratch memory */
    size_t text_capacity, spelled_capacity;
};

/* The number in MAP of the first LENGTH bytes of TEXT.  Bytes that are not UTF-8 count as Latin-1,
   as they are written into JSON.  */
static uint32_t number_of(struct pairer *pairer, struct string_map *map, const char *text,
                          size_t length)
{
    pairer->text = mem_grow(pairer->text, &pairer->text_capacity, 2 * length + 1, 1);
    utf8_copy(pairer->text, text, length);
    return string_map_number(map, pairer->text);
}

static uint32_t number_of_file(struct pairer *pairer, const char *file)
{
    return file != NULL ? number_of(pairer, &pairer->files, file, strlen(file)) + 1 : 0;
}

static struct entry make_entry(struct pairer *pairer, const struct snapshot_function *function,
                               uint32_t id)
{
    const char *base = function->file != NULL ? path_base(function->file) : NULL;
    uint32_t file = number_of_file(pairer, function->file);
    return (struct entry){.name = number_of(pairer, &pairer->names, function->name,
                                            name_plain_length(function->name)),
                          .file = file,
                          .base = number_of_file(pairer, base),
                          .place = file,
                          .first = id,
                          .partner = NO_ID,
                          .is_global = true,
                          .is_static = true};
}

static size_t id_count(const struct snapshot *snapshot)
{
    return snapshot->function_count + snapshot->idle_count;
}

/* If not COUNTS_IDLE, idle functions are in entries, but do not count: one side does not list its
   own.  */
static void list_entries(struct pairer *pairer, enum side side, const struct snapshot *snapshot,
                         bool counts_idle)
{
    struct entries *list = &pairer->sides[side];
    struct pair_map keys = {0}, originals = {0};
    size_t count = id_count(snapshot);
    list->entries = mem_uninitialised(count, sizeof *list->entries);
    list->of_function = mem_uninitialised(count, sizeof *list->of_function);
    for (size_t id = 0; id < count; id++) {
        struct snapshot_function function = pairing_function(snapshot, id);
        struct entry made = make_entry(pairer, &function, (uint32_t)id);
        made.key = made.name;
        uint32_t number = pair_map_number(&keys, made.name, made.file);
        if (number == list->count)
            list->entries[list->count++] = made;
        list->of_function[id] = number;
        struct entry *entry = &list->entries[number];
        entry->is_global &= function.binding == BINDING_GLOBAL;
        entry->is_static &= function.binding == BINDING_STATIC;
        if (id >= snapshot->function_count && !counts_idle)
            continue;
        size_t length = name_original_length(function.name), known = originals.count;
        pair_map_number(&originals, number,
                        number_of(pairer, &pairer->names, function.name, length));
        entry->original_count += originals.count > known;
        entry->plain_count += function.name[length] == '\0';
    }
    pair_map_free(&keys);
    pair_map_free(&originals);
}

static void count_keys(struct pairer *pairer)
{
    for (enum side side = BEFORE; side < SIDES; side++) {
        struct entries *list = &pairer->sides[side];
        free(list->key_counts);
        list->key_counts = mem_array(pairer->names.count, sizeof *list->key_counts);
        for (uint32_t e = 0; e < list->count; e++)
            list->key_counts[list->entries[e].key]++;
    }
}

/* Makes spellings the keys of all entries.  */
static void spell_keys(struct pairer *pairer, const struct snapshot *const snapshots[SIDES])
{
    for (enum side side = BEFORE; side < SIDES; side++)
        for (uint32_t e = 0; e < pairer->sides[side].count; e++) {
            struct entry *entry = &pairer->sides[side].entries[e];
            const char *name = pairing_function(snapshots[side], entry->first).name;
            size_t length = name_plain_length(name);
            pairer->spelled = mem_grow(pairer->spelled, &pairer->spelled_capacity, length + 1, 1);
            spell(pairer->spelled, name, length);
            entry->key =
                number_of(pairer, &pairer->names, pairer->spelled, strlen(pairer->spelled));
        }
    count_keys(pairer);
}

/* ---- Rules ---- */

/* What entries must have in common.  SAME_BASE pairs nothing: it shows how directories changed.  */
enum rule { SAME_FILE, SAME_BASE, SAME_PLACE, SAME_GLOBAL, SAME_STATIC, SAME_NAME };

/* How many functions of its name ENTRY has, each with its copies.  */
static uint32_t function_count(const struct entry *entry)
{
    return entry->plain_count > entry->original_count ? entry->plain_count : entry->original_count;
}

static bool is_only_of_name(const struct pairer *pairer, const struct entry *entry)
{
    return pairer->sides[BEFORE].key_counts[entry->key] == 1 &&
           pairer->sides[AFTER].key_counts[entry->key] == 1;
}

/* Whether ENTRY can pair by RULE, and then the number that its partner must have as well.  */
static bool place_of(const struct pairer *pairer, const struct entry *entry, enum rule rule,
                     uint32_t *place)
{
    *place = 0;
    switch (rule) {
    case SAME_FILE:
        *place = entry->file;
        return true;
    case SAME_BASE:
        *place = entry->base;
        return entry->file != 0 && !entry->is_static;
    case SAME_PLACE:
        *place = entry->place;
        return entry->file != 0;
    case SAME_GLOBAL:
        return entry->file != 0 && entry->is_global;
    case SAME_STATIC:
        return entry->file != 0 && entry->is_static && function_count(entry) <= 1 &&
               is_only_of_name(pairer, entry);
    case SAME_NAME:
        return is_only_of_name(pairer, entry);
    }
    return false;
}

/* Whether A and B may pair by RULE.  Where a file is not known, functions of several files may be
   in one entry: then A and B must have equally many.  If both files are known, a name alone is not
   enough.  */
static bool may_pair(const struct entry *a, const struct entry *b, enum rule rule)
{
    bool has_files = a->file != 0 && b->file != 0;
    return has_files ? rule != SAME_NAME : function_count(a) == function_count(b);
}

/* The entries without a partner that have a key and a place in common.  */
struct candidates {
    uint32_t counts[SIDES], entries[SIDES];
};

static bool is_pair(const struct candidates *candidates)
{
    return candidates->counts[BEFORE] == 1 && candidates->counts[AFTER] == 1;
}

/* Lists the candidates by RULE; *COUNT is their number.  Free with free.  */
static struct candidates *list_candidates(const struct pairer *pairer, enum rule rule,
                                          size_t *count)
{
    struct pair_map keys = {0};
    size_t most = pairer->sides[BEFORE].count + pairer->sides[AFTER].count;
    struct candidates *candidates = mem_array(most, sizeof *candidates);
    for (enum side side = BEFORE; side < SIDES; side++)
        for (uint32_t e = 0; e < pairer->sides[side].count; e++) {
            const struct entry *entry = &pairer->sides[side].entries[e];
            uint32_t place;
            if (entry->partner != NO_ID || !place_of(pairer, entry, rule, &place))
                continue;
            uint32_t key = pair_map_number(&keys, entry->key, place);
            candidates[key].counts[side]++;
            candidates[key].entries[side] = e;
        }
    *count = keys.count;
    pair_map_free(&keys);
    return candidates;
}

/* Pairs the entries that are the only ones without a partner on their side.  */
static void pair_by(struct pairer *pairer, enum rule rule)
{
    size_t count;
    struct candidates *candidates = list_candidates(pairer, rule, &count);
    for (size_t key = 0; key < count; key++) {
        const struct candidates *c = &candidates[key];
        struct entry *before = &pairer->sides[BEFORE].entries[c->entries[BEFORE]];
        struct entry *after = &pairer->sides[AFTER].entries[c->entries[AFTER]];
        if (!is_pair(c) || !may_pair(before, after, rule))
            continue;
        before->partner = c->entries[AFTER];
        after->partner = c->entries[BEFORE];
        before->has_moved = rule == SAME_GLOBAL || rule == SAME_STATIC;
    }
    free(candidates);
}

/* ---- Directories ---- */

/* The directories that the sources of the two sides are below, each with a slash at the end.  */
struct roots {
    const char *names[SIDES];
    size_t lengths[SIDES];
};

/* The directories in which A and B are the same path; A and B differ.  Of /old/src/a/x.c and
   /new/a/x.c, these are /old/src/ and /new/.  */
static struct roots roots_of(const char *a, const char *b)
{
    size_t i = strlen(a), j = strlen(b), from_a = i, from_b = j;
    while (i > 0 && j > 0 && a[i - 1] == b[j - 1]) {
        i--, j--;
        if (a[i] == '/')
            from_a = i + 1, from_b = j + 1;
    }
    /* The rest of one path may be the whole other one.  */
    if ((i == 0 && j > 0 && b[j - 1] == '/') || (j == 0 && i > 0 && a[i - 1] == '/'))
        from_a = i, from_b = j;
    return (struct roots){{a, b}, {from_a, from_b}};
}

static bool is_below(const char *path, const struct roots *roots, enum side side)
{
    if (roots->lengths[side] == 0)
        return path[0] != '/';
    return strncmp(path, roots->names[side], roots->lengths[side]) == 0;
}

static const char *path_of(const struct pairer *pairer, const struct entry *entry)
{
    return entry->file != 0 ? pairer->files.strings[entry->file - 1] : NULL;
}

/* Whether all that was below one directory is now below the other one: each has files of one side
   only.  But one may be in the other: from /src/ to /src/lib/, files after are below both.  */
static bool are_separate(const struct pairer *pairer, const struct roots *roots)
{
    for (enum side side = BEFORE; side < SIDES; side++)
        for (size_t e = 0; e < pairer->sides[side].count; e++) {
            const char *path = path_of(pairer, &pairer->sides[side].entries[e]);
            if (path != NULL && is_below(path, roots, side == BEFORE ? AFTER : BEFORE) &&
                !is_below(path, roots, side))
                return false;
        }
    return true;
}

/* Finds the directories that most functions were in and are in now, among those without a partner
   whose file has kept its base name.  Statics are not asked: several may have one name.  */
static bool find_roots(struct pairer *pairer, struct roots *roots)
{
    size_t count, best = 0;
    struct candidates *candidates = list_candidates(pairer, SAME_BASE, &count);
    struct pair_map found = {0};
    size_t *votes = mem_array(count, sizeof *votes);
    for (size_t key = 0; key < count; key++) {
        const struct candidates *c = &candidates[key];
        if (!is_pair(c))
            continue;
        const struct entry *before = &pairer->sides[BEFORE].entries[c->entries[BEFORE]];
        const struct entry *after = &pairer->sides[AFTER].entries[c->entries[AFTER]];
        struct roots these = roots_of(path_of(pairer, before), path_of(pairer, after));
        uint32_t directories[SIDES];
        for (enum side side = BEFORE; side < SIDES; side++)
            directories[side] =
                number_of(pairer, &pairer->names, these.names[side], these.lengths[side]);
        size_t number = pair_map_number(&found, directories[BEFORE], directories[AFTER]);
        if (++votes[number] > best) {
            best = votes[number];
            *roots = these;
        }
    }
    free(votes);
    free(candidates);
    pair_map_free(&found);
    return best > 0;
}

/* Names the files of the after side as they would be named below the directory before.  */
static void set_places(struct pairer *pairer, const struct roots *roots)
{
    struct arena scratch = {0};
    const char *old = arena_copy(&scratch, roots->names[BEFORE], roots->lengths[BEFORE]);
    for (size_t e = 0; e < pairer->sides[AFTER].count; e++) {
        struct entry *entry = &pairer->sides[AFTER].entries[e];
        const char *path = path_of(pairer, entry);
        if (entry->partner == NO_ID && path != NULL && is_below(path, roots, AFTER))
            entry->place =
                number_of_file(pairer, arena_join(&scratch, old, path + roots->lengths[AFTER]));
    }
    arena_free(&scratch);
}

/* Pairs functions whose sources were in another place, such as the directory of another build: of
   the program, and of some libraries.  */
static void pair_by_roots(struct pairer *pairer)
{
    enum { MOST_ROOTS = 8 };
    struct roots roots;
    for (int i = 0; i < MOST_ROOTS; i++) {
        if (!find_roots(pairer, &roots) || !are_separate(pairer, &roots))
            return;
        set_places(pairer, &roots);
        pair_by(pairer, SAME_PLACE);
    }
}

/* ---- Names that changed ---- */

/* A function without a partner that has a hundredth of the time of its side, or more.  */
struct role {
    uint32_t entry;
    double time, variance; /* of a run, and by chance of sampling */
    uint32_t caller;       /* entry that spends most time in it, or calls it most; NO_ID: none */
};

struct roles {
    struct role *roles;
    size_t count;
};

/* By entry of SIDE: its caller in a role.  Free with free.  */
static uint32_t *find_callers(const struct entries *list, const struct snapshot *snapshot)
{
    uint32_t *callers = mem_uninitialised(list->count, sizeof *callers);
    double *most = mem_array(list->count, sizeof *most);
    for (size_t e = 0; e < list->count; e++)
        callers[e] = NO_ID;
    for (size_t i = 0; i < snapshot->arc_count; i++) {
        uint32_t caller = list->of_function[snapshot->arcs[i].caller];
        uint32_t callee = list->of_function[snapshot->arcs[i].callee];
        double weight = snapshot_arc_weight(snapshot, i, 1);
        if (caller != callee && weight > most[callee]) {
            most[callee] = weight;
            callers[callee] = caller;
        }
    }
    free(most);
    return callers;
}

/* EXPOSURE: samples per unit of time, of all runs.  */
static struct roles list_roles(const struct entries *list, const struct snapshot *snapshot,
                               double exposure)
{
    const double least = 0.01;
    struct roles found = {mem_uninitialised(list->count, sizeof *found.roles), 0};
    double *samples = mem_array(list->count, sizeof *samples), all = 0;
    uint32_t *callers = find_callers(list, snapshot);
    for (size_t id = 0; id < snapshot->function_count; id++)
        if (snapshot->functions[id].samples > 0) {
            samples[list->of_function[id]] += snapshot->functions[id].samples;
            all += snapshot->functions[id].samples;
        }
    for (uint32_t e = 0; e < list->count; e++)
        if (list->entries[e].partner == NO_ID && samples[e] > least * all)
            found.roles[found.count++] = (struct role){
                e, samples[e] / exposure, samples[e] / exposure / exposure, callers[e]};
    free(samples);
    free(callers);
    return found;
}

/* Whether A and B have about the same time: a quarter less or more, or as much as chance makes of
   it.  */
static bool have_like_times(const struct role *a, const struct role *b)
{
    const double share = 0.25, errors = 2;
    double difference = fabs(a->time - b->time);
    return difference <= share * fmax(a->time, b->time) ||
           difference <= errors * sqrt(a->variance + b->variance);
}

/* Whether the function AFTER may be BEFORE under another name: one function calls both, in one
   file.  */
static bool have_like_roles(const struct pairer *pairer, const struct role *before,
                            const struct role *after)
{
    const struct entry *a = &pairer->sides[BEFORE].entries[before->entry];
    const struct entry *b = &pairer->sides[AFTER].entries[after->entry];
    return a->partner == NO_ID && b->partner == NO_ID && before->caller != NO_ID &&
           pairer->sides[BEFORE].entries[before->caller].partner == after->caller &&
           after->caller != NO_ID && (a->base == b->base || a->base == 0 || b->base == 0) &&
           have_like_times(before, after);
}

/* The only one of ROLES that fits FIXED, which is of SIDE; NULL: none or several.  */
static const struct role *only_like(const struct pairer *pairer, const struct role *fixed,
                                    enum side side, const struct roles *roles)
{
    const struct role *found = NULL;
    for (size_t i = 0; i < roles->count; i++) {
        const struct role *role = &roles->roles[i];
        if (!have_like_roles(pairer, side == BEFORE ? fixed : role, side == BEFORE ? role : fixed))
            continue;
        if (found != NULL)
            return NULL;
        found = role;
    }
    return found;
}

/* Whether most functions have kept their names: as many as have none on the side with fewer.  */
static bool have_kept_names(const struct pairer *pairer)
{
    size_t kept = 0, others[SIDES] = {0};
    for (enum side side = BEFORE; side < SIDES; side++)
        for (size_t e = 0; e < pairer->sides[side].count; e++)
            (*(pairer->sides[side].entries[e].partner == NO_ID ? &others[side] : &kept))++;
    return kept / SIDES >= others[BEFORE] || kept / SIDES >= others[AFTER];
}

/* Pairs functions that have another name: of all that are gone and new, only these two have the
   same caller and about the same time.  Each pair may be the caller of another.  A side has at most
   a hundred roles.  */
static void pair_renamed(struct pairer *pairer, const struct snapshot *const snapshots[SIDES],
                         const double exposures[SIDES])
{
    struct roles roles[SIDES];
    bool has_paired = true;
    if (!have_kept_names(pairer))
        return; /* another program */
    for (enum side side = BEFORE; side < SIDES; side++)
        roles[side] = list_roles(&pairer->sides[side], snapshots[side], exposures[side]);
    while (has_paired) {
        has_paired = false;
        for (size_t i = 0; i < roles[BEFORE].count; i++) {
            const struct role *before = &roles[BEFORE].roles[i];
            const struct role *after = only_like(pairer, before, BEFORE, &roles[AFTER]);
            if (after == NULL || only_like(pairer, after, AFTER, &roles[BEFORE]) != before)
                continue;
            struct entry *entry = &pairer->sides[BEFORE].entries[before->entry];
            entry->partner = after->entry;
            entry->is_renamed = true;
            pairer->sides[AFTER].entries[after->entry].partner = before->entry;
            has_paired = true;
        }
    }
    free(roles[BEFORE].roles);
    free(roles[AFTER].roles);
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

/* Marks rows that have the name of another row, and the same base name of the file if BY_BASE.  By
   row; free with free.  */
static bool *find_ambiguous(const struct pairing *pairing, const struct pairer *pairer,
                            uint32_t *const row_of[SIDES], bool by_base)
{
    struct pair_map keys = {0};
    size_t most = pairer->sides[BEFORE].count + pairer->sides[AFTER].count;
    uint32_t *only = mem_uninitialised(most, sizeof *only);
    bool *is_ambiguous = mem_array(pairing->row_count, sizeof *is_ambiguous);
    for (enum side side = BEFORE; side < SIDES; side++)
        for (uint32_t e = 0; e < pairer->sides[side].count; e++) {
            const struct entry *entry = &pairer->sides[side].entries[e];
            size_t known = keys.count;
            uint32_t row = row_of[side][e];
            uint32_t key = pair_map_number(&keys, entry->name, by_base ? entry->base : 0);
            if (keys.count > known)
                only[key] = row;
            if (only[key] != row)
                is_ambiguous[row] = is_ambiguous[only[key]] = true;
        }
    free(only);
    pair_map_free(&keys);
    return is_ambiguous;
}

/* Marks the rows of functions that have moved, and that are renamed.  */
static void find_moved(struct pairing *pairing, const struct pairer *pairer,
                       uint32_t *const row_of[SIDES])
{
    pairing->has_moved = mem_array(pairing->row_count, sizeof *pairing->has_moved);
    pairing->is_renamed = mem_array(pairing->row_count, sizeof *pairing->is_renamed);
    for (uint32_t e = 0; e < pairer->sides[BEFORE].count; e++) {
        pairing->has_moved[row_of[BEFORE][e]] = pairer->sides[BEFORE].entries[e].has_moved;
        pairing->is_renamed[row_of[BEFORE][e]] = pairer->sides[BEFORE].entries[e].is_renamed;
    }
}

/* ---- The interface ---- */

static void pair_by_keys(struct pairer *pairer)
{
    pair_by(pairer, SAME_FILE);
    pair_by_roots(pairer);
    pair_by(pairer, SAME_GLOBAL);
    pair_by(pairer, SAME_STATIC);
    pair_by(pairer, SAME_NAME);
}

static bool has_unpaired(const struct entries *list)
{
    for (uint32_t e = 0; e < list->count; e++)
        if (list->entries[e].partner == NO_ID)
            return true;
    return false;
}

void pairing_build(struct pairing *pairing, const struct comparison *comparison)
{
    const struct snapshot *const *snapshots = comparison->snapshots;
    const struct compared_side *sides = comparison->measures[OWN].sides;
    struct pairer pairer = {0};
    uint32_t *row_of[SIDES];
    *pairing = (struct pairing){0};
    bool counts_idle = snapshots[BEFORE]->idle_count > 0 && snapshots[AFTER]->idle_count > 0;
    for (enum side side = BEFORE; side < SIDES; side++)
        list_entries(&pairer, side, snapshots[side], counts_idle);
    count_keys(&pairer);
    pair_by_keys(&pairer);
    if (has_unpaired(&pairer.sides[BEFORE]) && has_unpaired(&pairer.sides[AFTER])) {
        spell_keys(&pairer, snapshots);
        pair_by_keys(&pairer);
        pair_renamed(&pairer, snapshots, (double[]){sides[BEFORE].exposure, sides[AFTER].exposure});
    }
    for (enum side side = BEFORE; side < SIDES; side++)
        row_of[side] = mem_uninitialised(pairer.sides[side].count, sizeof *row_of[side]);
    number_rows(pairing, &pairer, row_of);
    for (enum side side = BEFORE; side < SIDES; side++)
        fill_side(pairing, &pairer, side, row_of[side], id_count(snapshots[side]));
    pairing->is_ambiguous = find_ambiguous(pairing, &pairer, row_of, false);
    pairing->needs_path = find_ambiguous(pairing, &pairer, row_of, true);
    find_moved(pairing, &pairer, row_of);
    for (enum side side = BEFORE; side < SIDES; side++) {
        free(row_of[side]);
        free(pairer.sides[side].entries);
        free(pairer.sides[side].of_function);
        free(pairer.sides[side].key_counts);
    }
    string_map_free(&pairer.names);
    string_map_free(&pairer.files);
    free(pairer.text);
    free(pairer.spelled);
}

void pairing_free(struct pairing *pairing)
{
    for (enum side side = BEFORE; side < SIDES; side++) {
        free(pairing->rows[side]);
        free(pairing->first[side]);
    }
    free(pairing->is_ambiguous);
    free(pairing->needs_path);
    free(pairing->has_moved);
    free(pairing->is_renamed);
    *pairing = (struct pairing){0};
}
