/* builder.c - makes functions, places and stacks of what a reader finds.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "foreign/builder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/homonyms.h"
#include "base/sort.h"
#include "base/text.h"
#include "model/times.h"

/* ---- Names ---- */

/* The number of TEXT plus 1; 0: it is NULL.  */
static uint64_t number_of(struct string_map *texts, const char *text)
{
    return text != NULL ? (uint64_t)string_map_number(texts, text) + 1 : 0;
}

/* The number of NAME without what our outputs put behind it.  */
static uint32_t number_of_name(struct string_map *texts, const char *name, const char *file)
{
    size_t length = file != NULL ? name_length_without_file(name, file) : strlen(name);
    if (name[length] == '\0')
        return string_map_number(texts, name);
    char *plain = mem_copy(name, length);
    uint32_t number = string_map_number(texts, plain);
    free(plain);
    return number;
}

/* Text NUMBER - 1, or OTHERWISE if NUMBER is 0.  */
static const char *text_at(const struct foreign_code *code, uint64_t number, const char *otherwise)
{
    return number > 0 ? code->texts.strings[number - 1] : otherwise;
}

static uint64_t function_at(const struct foreign_code *code, uint64_t place)
{
    return code->places.pairs[place].a;
}

/* The object of FUNCTION, or OTHERWISE if it is not known.  */
static const char *object_of(const struct foreign_code *code, uint64_t function,
                             const char *otherwise)
{
    return text_at(code, code->homes.pairs[code->functions.pairs[function].b].a, otherwise);
}

/* Whether OBJECT, a base name, is a shared library whose functions are to have one name:
   `libfoo.so.1'.  */
static bool is_folded(const struct foreign_builder *builder, const char *object)
{
    const char *ending = object != NULL && *object != '[' ? strstr(object, ".so") : NULL;
    while (ending != NULL && strchr(". ", ending[3]) == NULL)
        ending = strstr(ending + 1, ".so");
    return builder->stacks.rules.folds_libraries && ending != NULL;
}

uint32_t builder_place(struct foreign_builder *builder, const char *name, struct function_home home,
                       const char *file, uint32_t line)
{
    if (is_folded(builder, home.object) && *name != '[')
        return builder_object(builder, home.object);
    struct foreign_code *code = &builder->code;
    uint64_t object = number_of(&code->texts, home.object), at = number_of(&code->texts, file);
    uint32_t in = pair_map_number(&code->homes, object, number_of(&code->texts, home.file));
    uint32_t function =
        pair_map_number(&code->functions, number_of_name(&code->texts, name, home.file), in);
    size_t known = code->places.count;
    uint32_t place = pair_map_number(&code->places, function, at << 32 | line);
    builder->budget.added += place == known;
    return place;
}

uint32_t builder_object(struct foreign_builder *builder, const char *object)
{
    struct arena arena = {0};
    const char *name = *object == '[' ? object : arena_join(&arena, "[", path_base(object), "]");
    const struct function_home home = {.object = path_base(object)};
    uint32_t place = builder_place(builder, name, home, NULL, 0);
    arena_free(&arena);
    return place;
}

/* ---- Stacks ---- */

/* Whether the input has more frames than its size can explain: text has one for several bytes, of
   which a tenth is left when it is compressed well, and most stacks share most of their frames.  */
static bool has_too_many(const struct foreign_builder *builder)
{
    enum { FREE = 1000000, ADDED = 8, VISITED = 100 }; /* frames; frames per byte */
    return builder->budget.added > FREE + ADDED * *builder->budget.size ||
           builder->budget.visited > FREE + VISITED * *builder->budget.size;
}

uint32_t builder_frame(struct foreign_builder *builder, uint64_t above, uint32_t place)
{
    struct pair_sums *frames = &builder->stacks.places;
    size_t known = frames->map.count;
    builder->budget.visited++;
    builder->budget.is_full = builder->budget.is_full || has_too_many(builder);
    if (builder->budget.is_full && known > 0)
        return (uint32_t)known - 1;
    uint32_t frame = pair_sums_node(frames, above, place);
    builder->budget.added += frame == known;
    return frame;
}

uint32_t builder_inlined(struct foreign_builder *builder, uint32_t above, uint32_t place)
{
    size_t count = builder->stacks.places.map.count;
    uint32_t frame = builder_frame(builder, above, place);
    builder->inlined.are = mem_grow_zeroed(builder->inlined.are, &builder->inlined.capacity,
                                           (size_t)frame + 1, sizeof *builder->inlined.are);
    builder->inlined.are[frame] |= frame == count;
    return frame;
}

uint32_t builder_cut(struct foreign_builder *builder)
{
    uint64_t object = objects_number(&builder->stacks.objects, CUT_STACK);
    return builder_frame(builder, object << 32, 0);
}

uint32_t builder_thread(struct foreign_builder *builder, const char *name, uint32_t process,
                        uint64_t number)
{
    if (!builder->stacks.rules.keeps_threads)
        return 0;
    uint64_t of = (uint64_t)string_map_number(&builder->threads.names, name) << 32;
    return pair_map_number(&builder->threads.ids, of | process, number) + 1;
}

/* Adds WEIGHT of the current thread that ends in FRAME.  */
static void add_to_thread(struct foreign_builder *builder, uint32_t frame, double weight)
{
    struct recorded_threads *threads = &builder->stacks.threads;
    uint32_t current = builder->threads.current;
    threads->current = 0;
    if (current > 0) {
        const struct pair *id = &builder->threads.ids.pairs[current - 1];
        if ((uint32_t)id->a != 0)
            threads_begin_process(threads, (uint32_t)id->a, 0);
        threads_begin(threads, builder->threads.names.strings[id->a >> 32], id->b);
    }
    builder->budget.added += threads_add(threads, frame, weight);
}

void builder_add(struct foreign_builder *builder, uint32_t frame, double weight, double count)
{
    const double rounding = 1e-6;
    double whole = floor(count + 0.5);
    const struct weights weights = {.sum = weight,
                                    .squares = fabs(weight) * (fabs(weight) / count),
                                    .count = fabs(count - whole) <= rounding * count ? whole : NAN};
    if (weight < 0)
        builder->event.figures = FIGURES_SIGNED;
    builder_add_weights(builder, frame, &weights);
}

void builder_add_weights(struct foreign_builder *builder, uint32_t frame,
                         const struct weights *weights)
{
    double weight = weights->sum, size = fabs(weight),
           *ending = &builder->stacks.places.sums[frame];
    if (!(size > 0))
        return;
    if (*ending == 0)
        stacks_add_end(&builder->stacks.tree, (struct stack_end){.node = frame});
    *ending += weight;
    if (builder->stacks.rules.keeps_threads)
        add_to_thread(builder, frame, weight);
    struct foreign_event *event = &builder->event;
    event->all.sum += size;
    event->all.squares += event->counts_weights ? size : weights->squares;
    event->all.count += event->counts_weights ? size : weights->count;
}

void builder_leave_out(struct foreign_builder *builder, uint64_t count, const char *event)
{
    uint32_t number = string_map_number(&builder->left_out.events, event);
    builder->left_out.counts =
        mem_grow_zeroed(builder->left_out.counts, &builder->left_out.capacity, (size_t)number + 1,
                        sizeof *builder->left_out.counts);
    builder->left_out.counts[number] += count;
}

/* What was left out, `3 of faults, 2 of moves', as far as a line has room; NULL: nothing.  */
static const char *describe_left_out(struct foreign_builder *builder)
{
    char text[300] = "";
    size_t used = 0;
    for (size_t i = 0; i < builder->left_out.events.count && used < sizeof text; i++)
        if (builder->left_out.counts[i] > 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%llu of %s",
                                     used > 0 ? ", " : "",
                                     (unsigned long long)builder->left_out.counts[i],
                                     builder->left_out.events.strings[i]);
    return used > 0 ? arena_escape(&builder->arena, text) : NULL;
}

/* ---- Calls ---- */

void builder_call(struct foreign_builder *builder, uint32_t caller, uint32_t callee, uint64_t calls,
                  double self, double total)
{
    struct foreign_stated *stated = &builder->stated;
    stated->calls = mem_grow(stated->calls, &stated->call_capacity, stated->call_count + 1,
                             sizeof *stated->calls);
    stated->calls[stated->call_count++] = (struct foreign_call){caller, callee, calls, self, total};
    if (self < 0 || total < 0)
        builder->event.figures = FIGURES_SIGNED;
    builder->budget.added++; /* takes as much memory as a frame */
    builder->budget.is_full = builder->budget.is_full || has_too_many(builder);
}

void builder_total(struct foreign_builder *builder, uint32_t place, double weight)
{
    struct foreign_stated *stated = &builder->stated;
    size_t function = function_at(&builder->code, place);
    stated->totals =
        mem_grow(stated->totals, &stated->total_capacity, function + 1, sizeof *stated->totals);
    while (stated->total_count <= function)
        stated->totals[stated->total_count++] = 0;
    stated->totals[function] += weight;
}

/* ---- Inputs ---- */

bool builder_can_count(const struct foreign_builder *builder)
{
    const double least = 1e-100, most = 1e100, most_samples = 0x1p53;    /* exact */
    double weight = builder->event.all.squares / builder->event.all.sum; /* of one sample */
    double samples = builder->event.all.sum / weight;
    bool is_small = weight > least && weight < most && samples >= 0.5 && samples < most_samples;
    return is_small || (builder->event.all.sum == 0 && builder->stated.call_count > 0);
}

bool builder_is_empty(const struct foreign_builder *builder)
{
    static const struct foreign_input none;
    size_t before = builder->inputs.count;
    const struct foreign_input *last = before > 0 ? &builder->inputs.list[before - 1] : &none;
    return builder->stacks.tree.end_count == last->leaf_end &&
           builder->stated.call_count == last->call_end;
}

void builder_begin_input(struct foreign_builder *builder, const uint64_t *size)
{
    objects_number(&builder->stacks.objects, "program"); /* number 0 */
    builder->budget.size = size;
    builder->budget.visited = builder->budget.added = 0;
    threads_begin_process(&builder->stacks.threads, 0, 0);
    builder->threads.current = 0;
}

void builder_end_input(struct foreign_builder *builder, const char *path)
{
    struct stacks *tree = &builder->stacks.tree;
    for (size_t i = stacks_first_end(tree, tree->column_count); i < tree->end_count; i++) {
        double *weight = &builder->stacks.places.sums[tree->ends[i].node];
        tree->ends[i].samples = *weight;
        *weight = 0;
    }
    stacks_add_column(tree, (struct stack_column){.profile = path});
    builder->inputs.list = mem_grow(builder->inputs.list, &builder->inputs.capacity,
                                    builder->inputs.count + 1, sizeof *builder->inputs.list);
    builder->inputs.list[builder->inputs.count++] =
        (struct foreign_input){path, tree->end_count, builder->stated.call_count};
}

/* ---- Units ---- */

/* What weights are counted in, and shown in.  */
static const struct unit {
    const char *event, *shown;
    double size; /* of what is shown, in weights */
} units[] = {
    {"nanoseconds", "seconds", 1e9},
    {"ns", "seconds", 1e9},
    {"microseconds", "seconds", 1e6},
    {"us", "seconds", 1e6},
    {"milliseconds", "seconds", 1e3},
    {"ms", "seconds", 1e3},
    {"seconds", "seconds", 1},
    {"s", "seconds", 1},
    {"bytes", "MB", 1e6},
    {"B", "MB", 1e6},
    {"kilobytes", "MB", 1e3},
    {"kB", "MB", 1e3},
    {"KB", "MB", 1e3},
    {"megabytes", "MB", 1},
    {"MB", "MB", 1},
    {"samples", "samples", 1},
    {"count", "samples", 1},
    {"Samples", "samples", 1}, /* the last: of our own files */
};

/* Whether EVENT is one of a processor, which come by the million: of perf, or of valgrind.  */
static bool is_of_processor(const char *event)
{
    static const char *const parts[] = {"cycles", "instructions", "branch", "cache",
                                        "L1-",    "LLC",          "TLB",    "stalled",
                                        "slots",  "node-",        "cpu/",   "uops"};
    bool is_found = builder_is_of_valgrind(event);
    for (size_t i = 0; i < ARRAY_LENGTH(parts); i++)
        is_found |= strstr(event, parts[i]) != NULL;
    return is_found;
}

bool builder_is_of_valgrind(const char *event)
{
    static const char *const names[] = {"Ir",   "Dr",   "Dw",   "I1mr", "D1mr", "D1mw",
                                        "ILmr", "DLmr", "DLmw", "I2mr", "D2mr", "D2mw",
                                        "Bc",   "Bcm",  "Bi",   "Bim",  "Ge",   "sysCount"};
    bool is_found = false;
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
        is_found |= strcmp(event, names[i]) == 0;
    return is_found;
}

/* The unit of EVENT, which is a unit or has one in parentheses: `ns', `cpu(ms)', `Time_(10ns)'.
   That of an event of the processor is a million of them.  TEXT gets its name.  */
static struct unit unit_of(const char *event, char *text, size_t size)
{
    const char *open = strrchr(event, '('), *unit = open != NULL ? open + 1 : event;
    size_t length = strcspn(unit, ")");
    bool is_one = unit[length] == (open != NULL ? ')' : '\0');
    const char *name = unit + strspn(unit, "0123456789");
    double multiple = *unit >= '1' && *unit <= '9' ? strtod(unit, NULL) : 1;
    for (size_t i = 0; i < ARRAY_LENGTH(units) && is_one && multiple > 0; i++)
        if (strlen(units[i].event) == length - (size_t)(name - unit) &&
            strncmp(units[i].event, name, strlen(units[i].event)) == 0)
            return (struct unit){event, units[i].shown, units[i].size / multiple};
    bool is_large = is_of_processor(event);
    snprintf(text, size, "%s%s", is_large ? "M " : "", event);
    return (struct unit){event, text, is_large ? 1e6 : 1};
}

bool builder_is_unit(const char *event)
{
    char text[8];
    return unit_of(event, text, sizeof text).shown != text;
}

bool builder_is_time(const char *event)
{
    static const char *const parts[] = {"time", "Time", "ticks", "Ticks", "clock", "Clock"};
    char text[8];
    bool is_time = strcmp(unit_of(event, text, sizeof text).shown, "seconds") == 0;
    for (size_t i = 0; i < ARRAY_LENGTH(parts); i++)
        is_time |= strstr(event, parts[i]) != NULL;
    return is_time;
}

/* ---- Stacks that were cut without a mark ---- */

/* The frames that are known.  */
struct frames {
    struct {
        uint32_t root, depth; /* the outermost one above it, and how many there are so far, without
                                 those of inlined functions */
        uint32_t shallowest;  /* of a root: the least depth at which a stack below it ends */
    } * of;                   /* by number */
    bool *is_called;          /* by function: it is a frame below another one */
    uint32_t deepest;         /* depth of a stack */
};

static struct frames list_frames(const struct foreign_builder *builder)
{
    const struct recorded_stacks *stacks = &builder->stacks;
    struct frames frames = {.of = mem_array(stacks->places.map.count, sizeof *frames.of),
                            .is_called =
                                mem_array(builder->code.functions.count, sizeof *frames.is_called)};
    for (uint32_t i = 0; i < stacks->places.map.count; i++) {
        const struct pair *pair = &stacks->places.map.pairs[i];
        uint32_t above = (uint32_t)pair->a;
        frames.of[i].root = above > 0 ? frames.of[above - 1].root : i;
        bool is_inlined = i < builder->inlined.capacity && builder->inlined.are[i];
        frames.of[i].depth = (above > 0 ? frames.of[above - 1].depth : 0) + !is_inlined;
        if (above > 0)
            frames.is_called[function_at(&builder->code, pair->b)] = true;
    }
    for (size_t i = 0; i < stacks->tree.end_count; i++) {
        uint32_t node = stacks->tree.ends[i].node, depth = frames.of[node].depth;
        uint32_t *shallowest = &frames.of[frames.of[node].root].shallowest;
        *shallowest = *shallowest == 0 || depth < *shallowest ? depth : *shallowest;
        frames.deepest = depth > frames.deepest ? depth : frames.deepest;
    }
    return frames;
}

/* Whether NODE begins stacks without their outermost frames.  Who records at most so many frames
   leaves stacks of exactly this depth, which begin with functions that others call: not one that
   begins a shorter stack.  */
static bool begins_cut(const struct foreign_builder *builder, const struct frames *frames,
                       size_t node)
{
    const struct pair *pair = &builder->stacks.places.map.pairs[node];
    return pair->a == 0 && frames->of[node].shallowest == frames->deepest &&
           frames->is_called[function_at(&builder->code, pair->b)];
}

/* Whether the nodes that ARE_CUT are of several functions.  */
static bool begin_differently(const struct foreign_builder *builder, const bool *are_cut)
{
    const struct pair_map *places = &builder->stacks.places.map;
    uint64_t first = UINT64_MAX;
    bool differ = false;
    for (size_t i = 0; i < places->count; i++)
        if (are_cut[i]) {
            uint64_t function = function_at(&builder->code, places->pairs[i].b);
            differ |= first != UINT64_MAX && function != first;
            first = function;
        }
    return differ;
}

/* Puts the frame of builder_cut, as number 0, above the nodes that ARE_CUT.  */
static void insert_cut(struct foreign_builder *builder, const bool *are_cut)
{
    struct recorded_stacks *stacks = &builder->stacks;
    struct pair_sums *places = &stacks->places;
    uint64_t object = objects_number(&stacks->objects, CUT_STACK);
    pair_sums_node(places, object << 32, UINT32_MAX); /* makes room; there is no such frame */
    struct pair *pairs = places->map.pairs;
    for (size_t i = places->map.count; --i > 0;) {
        pairs[i] = pairs[i - 1];
        pairs[i].a += (uint32_t)pairs[i].a > 0 || are_cut[i - 1];
    }
    pairs[0] = (struct pair){object << 32, 0};
    for (size_t i = 0; i < stacks->tree.end_count; i++)
        stacks->tree.ends[i].node++;
    for (size_t i = 0; i < stacks->threads.ends.map.count; i++)
        stacks->threads.ends.map.pairs[i].b++;
}

/* Finds the stacks whose outermost frames are missing, if there are some.  */
static void find_cut(struct foreign_builder *builder)
{
    /* What may be chance: few stacks, unless they have the depth that Linux records if it is not
       told otherwise; and of less depth, that all begin with one function, as those of a thread. */
    enum { LEAST_DEPTH = 16, SURE_DEPTH = 32, DEPTH_OF_LINUX = 127, LEAST_STACKS = 3 };
    const struct recorded_stacks *stacks = &builder->stacks;
    struct frames frames = list_frames(builder);
    size_t count = stacks->places.map.count, cut = 0;
    bool *are_cut = mem_array(count, sizeof *are_cut);
    for (size_t i = 0; i < count && frames.deepest >= LEAST_DEPTH; i++)
        are_cut[i] = begins_cut(builder, &frames, i);
    for (size_t i = 0; i < stacks->tree.end_count; i++)
        cut += are_cut[frames.of[stacks->tree.ends[i].node].root];
    bool is_sure = frames.deepest >= SURE_DEPTH || begin_differently(builder, are_cut);
    if (cut >= (frames.deepest == DEPTH_OF_LINUX ? 1 : LEAST_STACKS) && is_sure)
        insert_cut(builder, are_cut);
    free(are_cut);
    free(frames.of);
    free(frames.is_called);
}

/* ---- The end ---- */

/* If no frame has a name, the one of builder_cut is a function, or there would be none to show.  */
static void name_unknown(struct foreign_builder *builder)
{
    struct pair_map *frames = &builder->stacks.places.map;
    if (builder->code.places.count > 0 || frames->count == 0)
        return;
    const struct function_home home = {NULL, NULL};
    frames->pairs[0] = (struct pair){0, builder_place(builder, CUT_SHOWN, home, NULL, 0)};
}

/* Fills functions and places of FOREIGN, and returns the new number of each place of CODE; free
   with free.  The first place of a function is the function as a whole, before its lines.  */
static uint32_t *number_places(const struct foreign_code *code, struct foreign *foreign)
{
    size_t count = code->places.count, functions = code->functions.count;
    uint32_t *numbers = mem_uninitialised(count + 1, sizeof *numbers), next = 0;
    for (size_t i = 0; i < count; i++)
        numbers[i] = (uint32_t)function_at(code, i);
    struct id_lists lists = id_lists_make(numbers, NULL, count, functions);
    foreign->functions = mem_array(functions + 1, sizeof *foreign->functions);
    foreign->places = mem_array(functions + count + 1, sizeof *foreign->places);
    for (uint32_t f = 0; f < functions; f++) {
        uint32_t first = foreign->functions[f].first = next++;
        struct listed_place *whole = &foreign->places[first];
        whole->function = f;
        for (size_t i = lists.start[f]; i < lists.start[f + 1]; i++) {
            uint64_t at = code->places.pairs[lists.ids[i]].b;
            struct listed_place place = {f, text_at(code, at >> 32, NULL), (uint32_t)at};
            numbers[lists.ids[i]] = place.line != 0 ? next++ : first;
            if (place.line != 0)
                foreign->places[next - 1] = place;
            if (whole->file == NULL)
                *whole = place;
            else if (place.file == whole->file && place.line != 0 &&
                     (whole->line == 0 || place.line < whole->line))
                whole->line = place.line;
        }
    }
    foreign->code = (struct listed_code){foreign->functions, foreign->places, functions, next};
    id_lists_free(&lists);
    return numbers;
}

/* Names the functions so that no two have one name; new names are in ARENA.  */
static void name_functions(const struct foreign_code *code, struct foreign *foreign,
                           struct arena *arena)
{
    size_t count = code->functions.count;
    struct homonym *functions = mem_uninitialised(count, sizeof *functions);
    for (size_t i = 0; i < count; i++) {
        const struct pair *pair = &code->functions.pairs[i];
        functions[i] = (struct homonym){.name = code->texts.strings[pair->a],
                                        .file = text_at(code, code->homes.pairs[pair->b].b, NULL),
                                        .object = object_of(code, i, ""),
                                        .function = (uint32_t)i};
    }
    tell_apart(functions, count, arena);
    for (size_t i = 0; i < count; i++) {
        foreign->functions[i].name = functions[i].name;
        foreign->functions[i].object = object_of(code, i, NULL);
    }
    free(functions);
}

static void list_code(struct foreign_builder *builder, struct foreign *foreign)
{
    uint32_t *numbers = number_places(&builder->code, foreign);
    struct pair_map *frames = &builder->stacks.places.map;
    pair_map_close(frames);
    for (size_t i = 0; i < frames->count; i++)
        if (frames->pairs[i].a >> 32 == 0)
            frames->pairs[i].b = listed_address(numbers[frames->pairs[i].b]);
    for (size_t i = 0; i < builder->stated.call_count; i++) {
        struct foreign_call *call = &builder->stated.calls[i];
        call->caller = numbers[call->caller];
        call->callee = numbers[call->callee];
    }
    name_functions(&builder->code, foreign, &builder->arena);
    free(numbers);
}

/* Counts samples in place of weights, of which one sample is WEIGHT on average, and parts of
   samples in leaves.  These are rounded so that sums are right: what one leaf lacks, the next one
   has.  */
static void count_samples(struct foreign_builder *builder, struct foreign *foreign, double weight)
{
    struct recorded_stacks *stacks = &builder->stacks;
    size_t at = 0;
    bool has_weights = foreign->fineness > 1;
    foreign->leaves = mem_uninitialised(stacks->tree.end_count + 1, sizeof *foreign->leaves);
    for (size_t f = 0; f < builder->inputs.count; f++) {
        struct stack_column *column = &stacks->tree.columns[f];
        double exact = 0, counted = 0;
        for (; at < column->end; at++) {
            struct stack_end *end = &stacks->tree.ends[at];
            exact += end->samples / weight * foreign->fineness;
            double leaf = floor(exact - counted + 0.5);
            counted += leaf;
            const struct pair *pair = &stacks->places.map.pairs[end->node];
            bool is_cut = pair->a >> 32 != 0;
            uint64_t place = is_cut ? 0 : (pair->b - LISTED_START) / LISTED_STEP;
            end->samples = has_weights ? end->samples / weight : leaf;
            stacks->places.sums[end->node] += end->samples;
            stacks->all.sum += fabs(end->samples);
            foreign->leaves[at] =
                (struct foreign_leaf){(uint32_t)place, is_cut ? 0 : (int64_t)leaf};
        }
        column->rate = foreign->rate;
        column->has_weights = has_weights;
    }
    threads_scale(&stacks->threads, 1, weight);
    foreign->inputs = builder->inputs.list;
    foreign->input_count = builder->inputs.count;
}

/* Counts samples in place of weights in calls and inclusive times, of FUNCTION_COUNT functions. One
   sample is WEIGHT.  */
static void count_calls(struct foreign_stated *stated, size_t function_count, double weight)
{
    for (size_t i = 0; i < stated->call_count; i++) {
        stated->calls[i].self /= weight;
        stated->calls[i].total /= weight;
    }
    stated->totals = mem_resize(stated->totals, function_count + 1, sizeof *stated->totals);
    for (size_t i = 0; i < function_count; i++)
        stated->totals[i] = i < stated->total_count ? stated->totals[i] / weight : (double)NAN;
}

/* Whether each end has a whole number of samples, of which one is WEIGHT.  */
static bool has_whole_samples(const struct foreign_builder *builder, double weight)
{
    const double rounding = 1e-6;
    for (size_t i = 0; i < builder->stacks.tree.end_count; i++) {
        double samples = builder->stacks.tree.ends[i].samples / weight;
        if (fabs(samples - floor(samples + 0.5)) > rounding * fabs(samples))
            return false;
    }
    return true;
}

/* How many parts of a sample, which has this WEIGHT on average, leaves are counted in, which are
   whole numbers: so many that rounding is not seen; 1: there are no fractions of samples.  */
static double fineness_of(const struct foreign_builder *builder, double weight)
{
    const double few = 1e3, many = 1e6, fitting = 0x1p31, most = 0x1p50; /* parts; of all samples */
    double samples = builder->event.all.sum / weight;
    if (has_whole_samples(builder, weight))
        return 1;
    double parts = fmax(1, fmin(fmax(few, fmin(many, fitting / samples)), most / samples));
    return floor(parts * samples + 0.5) / samples;
}

/* What EVENT is shown in.  TEXT is space for a name.  */
static struct unit shown_unit(const struct foreign_event *event, const struct foreign_rules *rules,
                              char *text, size_t size)
{
    const double million = 1e6;
    const char *name = event->name != NULL ? event->name : "samples";
    struct unit unit = {name, name, event->unit_size};
    if (event->unit_size == 0)
        unit = unit_of(name, text, size);
    if (rules->has_small_units && unit.shown == text && event->all.sum < million)
        unit = (struct unit){name, name, 1};
    else if (rules->has_small_units && event->unit_size > 0 && event->all.sum < event->unit_size &&
             strncmp(name, "M ", 2) == 0)
        unit = (struct unit){name, name + 2, event->unit_size / million}; /* JSON of ours */
    return unit;
}

void builder_finish(struct foreign_builder *builder, struct foreign *foreign,
                    const struct foreign_rules *rules)
{
    const struct foreign_event *event = &builder->event;
    char text[sizeof foreign->unit];
    struct unit unit = shown_unit(event, rules, text, sizeof text);
    double weight = weight_of_sample(&event->all);
    foreign->fineness = fineness_of(builder, weight);
    snprintf(foreign->unit, sizeof foreign->unit, "%s", unit.shown);
    foreign->value = event->value;
    foreign->figures = event->figures;
    foreign->rate = unit.size / weight;
    name_unknown(builder);
    find_cut(builder);
    list_code(builder, foreign);
    count_samples(builder, foreign, weight);
    count_calls(&builder->stated, builder->code.functions.count, weight);
    foreign->stated = builder->stated;
    builder->stacks.missing.samples = describe_left_out(builder);
    builder->stacks.rate = foreign->rate;
    builder->stacks.has_weights = foreign->fineness > 1;
    builder->stacks.all.count =
        event->figures == FIGURES_SAMPLED ? event->all.count : builder->stacks.all.sum;
    builder->stacks.rules.is_stated = builder->stated.times == FOREIGN_STATED;
    foreign->stacks = builder->stacks;
    builder->stacks = (struct recorded_stacks){0};
}

void builder_free(struct foreign_builder *builder)
{
    recorded_stacks_free(&builder->stacks);
    string_map_free(&builder->code.texts);
    pair_map_free(&builder->code.homes);
    string_map_free(&builder->labels.keys);
    string_map_free(&builder->labels.values);
    string_map_free(&builder->threads.names);
    pair_map_free(&builder->threads.ids);
    string_map_free(&builder->left_out.events);
    free(builder->left_out.counts);
    free(builder->inlined.are);
    pair_map_free(&builder->code.functions);
    pair_map_free(&builder->code.places);
    free(builder->stated.calls);
    free(builder->stated.totals);
    arena_free(&builder->arena);
    free(builder->event.name);
    free(builder->inputs.list);
    *builder = (struct foreign_builder){0};
}
