/* read_code.c - reads source lines and instructions of the functions that --code shows.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/read_code.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/annotate.h"
#include "base/messages.h"
#include "base/sort.h"
#include "input/source_files.h"
#include "model/hist_set.h"
#include "symbols/symtab.h"

/* ---- Functions ---- */

/* The object that the code of function SYMBOL is in.  */
static uint32_t object_of(const struct analysis *analysis, uint32_t symbol)
{
    const struct other_code *other = frames_other(&analysis->profile.recorded.frames, symbol);
    return other != NULL ? other->object : 0;
}

/* The addresses of the code of function SYMBOL; empty: they are not known.  */
static struct text_range code_of(const struct analysis *analysis, uint32_t symbol)
{
    const struct other_code *other = frames_other(&analysis->profile.recorded.frames, symbol);
    const struct symbol *known = &analysis->profile.symtab.symbols[symbol];
    return other != NULL ? (struct text_range){other->start, other->end}
                         : (struct text_range){known->addr, known->end + 1};
}

/* The time of one of the samples that functions have: as the table divides all time.  */
static double time_of_sample(const struct snapshot *snapshot)
{
    double all = snapshot->self_samples;
    return all > 0 ? snapshot_time(snapshot, all) / all : 0;
}

static void add_function(struct code_listing *listing, const struct analysis *analysis, uint32_t id)
{
    const struct snapshot_function *function = &analysis->snapshot.snapshot.functions[id];
    size_t number = listing->view.function_count++;
    uint32_t symbol = analysis->snapshot.symbols[id];
    listing->functions[number].symbol = symbol;
    listing->objects[object_of(analysis, symbol)].function_count++;
    listing->view.functions[number] = (struct code_function){
        .id = id,
        .name = listing->top.names[id],
        .file = function->file,
        .line = function->line,
        .self = function->self_samples * time_of_sample(&analysis->snapshot.snapshot),
        .total = snapshot_time(&analysis->snapshot.snapshot, function->total_samples)};
}

/* Opens the program, and the objects of the stacks that were read.  */
static void list_objects(struct code_listing *listing, const struct request *request,
                         const struct analysis *analysis)
{
    const struct objects_read *read = &analysis->objects;
    listing->object_count = read->count > 0 ? read->count : 1;
    listing->objects = mem_array(listing->object_count, sizeof *listing->objects);
    for (size_t i = 0; i < listing->object_count; i++)
        listing->objects[i].image = i == 0 ? request->image : read->images[i];
}

/* Whether the code of FUNCTION can be shown.  Counts functions of other objects whose code is not
   known: their file was not read, or they have none.  */
static bool may_show(struct code_listing *listing, const struct analysis *analysis, uint32_t id)
{
    uint32_t symbol = analysis->snapshot.symbols[id];
    const struct symbol *known = &analysis->profile.symtab.symbols[symbol];
    const struct text_range range = code_of(analysis, symbol);
    if (!known->is_other_object)
        return !is_pseudo(known) && !known->is_stub;
    if (range.start < range.end && listing->objects[object_of(analysis, symbol)].image != NULL)
        return true;
    if (listing->closed_count++ == 0)
        listing->closed = listing->top.names[id];
    return false;
}

enum { USUAL_FUNCTIONS = 5 };

/* Lists the functions to show: those that are named, or the first ones with own time.  */
static void choose_functions(struct code_listing *listing, const struct request *request,
                             const struct analysis *analysis)
{
    const struct code_options *options = &request->plan->code;
    const struct profile *profile = &analysis->profile;
    struct top_rules rules = request->plan->top;
    bool is_named = symspecs_have(&request->options->analysis.specs, SPEC_CODE);
    size_t limit = options->limit != 0 ? options->limit : is_named ? SIZE_MAX : USUAL_FUNCTIONS;
    rules.limit = 0;
    rules.min_share = 0;
    rules.has_zeros = is_named;
    top_build(&listing->top, &analysis->snapshot.snapshot, &rules);
    listing->functions = mem_array(listing->top.row_count, sizeof *listing->functions);
    listing->view.functions = mem_array(listing->top.row_count, sizeof *listing->view.functions);
    for (size_t i = 0; i < listing->top.row_count; i++) {
        uint32_t id = listing->top.rows[i].id, symbol = analysis->snapshot.symbols[id];
        const struct snapshot_function *function = &analysis->snapshot.snapshot.functions[id];
        bool is_wanted = is_named ? is_in(&profile->filters.code, symbol) &&
                                        (function->self_samples > 0 || function->total_samples > 0)
                                  : function->self_samples > 0;
        if (is_wanted && listing->view.function_count < limit && may_show(listing, analysis, id))
            add_function(listing, analysis, id);
    }
    if (is_named && listing->view.function_count + listing->closed_count == 0)
        note(request->diagnostics, MSG_NO_CODE);
}

/* ---- Pieces ---- */

/* What the disassembler gets its names from.  */
struct name_context {
    const struct symtab *symtab; /* of the program */
    const struct text_ranges *text;
    const struct object_code *code; /* of another object; NULL: it is the program */
    struct image *image;
    const struct analysis_options *options;
    struct arena *arena; /* owns names that are demangled */
};

/* The name of the function of another object at ADDR.  */
static const char *name_in_object(const struct name_context *context, vma addr, vma *offset)
{
    const struct named_range *range = object_code_find(context->code, addr);
    if (range == NULL || range->name == NULL)
        return NULL;
    *offset = addr - range->start;
    char *demangled =
        context->options->is_demangled
            ? image_demangle(context->image, range->name, context->options->demangling_style)
            : NULL;
    const char *name = demangled != NULL ? demangled : range->name;
    name = arena_copy(context->arena, name, strlen(name));
    free(demangled);
    return name;
}

static const char *name_at(const void *opaque, vma addr, vma *offset)
{
    const struct name_context *context = opaque;
    if (context->code != NULL)
        return name_in_object(context, addr, offset);
    uint32_t id = symtab_find(context->symtab, addr);
    const struct symbol *symbol = id != NO_ID ? &context->symtab->symbols[id] : NULL;
    bool is_start = symbol != NULL && symbol->addr == addr; /* perhaps of a stub */
    if (symbol == NULL || (!is_start && text_range_at(context->text, addr) == NULL))
        return NULL;
    *offset = addr - symbol->addr;
    return label_of_symbol(symbol);
}

static struct code_place place_of(struct profile *profile, const struct source_pos *pos)
{
    return (struct code_place){files_intern(&profile->files, pos->file), pos->line};
}

/* Adds a piece at ADDR of IMAGE.  Code whose line is not known is part of the line before.  */
static void add_piece(struct code_listing *listing, struct image *image, struct profile *profile,
                      vma addr, bool is_first)
{
    struct source_pos pos;
    struct code_piece piece = {.addr = addr, .place = {NO_ID, 0}, .site = {NO_ID, 0}};
    listing->pieces = mem_grow(listing->pieces, &listing->piece_capacity, listing->piece_count + 1,
                               sizeof *listing->pieces);
    if (image_line(image, addr, &pos)) {
        piece.place = place_of(profile, &pos);
        if (image_inline_site(image, addr, &pos))
            piece.site = place_of(profile, &pos);
    } else if (!is_first) {
        piece.place = listing->pieces[listing->piece_count - 1].place;
        piece.site = listing->pieces[listing->piece_count - 1].site;
    }
    listing->pieces[listing->piece_count++] = piece;
}

static bool has_lines(const struct code_listing *listing, const struct code_range *range)
{
    for (size_t p = range->first; p < range->end; p++)
        if (listing->pieces[p].place.line != 0)
            return true;
    return false;
}

/* Adds the pieces that begin at START and ADDRS.  */
static void add_pieces(struct code_listing *listing, struct image *image, struct profile *profile,
                       struct code_range *range, vma start, const struct vma_list *addrs)
{
    listing->piece_count = range->first;
    add_piece(listing, image, profile, start, true);
    for (size_t i = 0; i < addrs->count; i++)
        if (addrs->addrs[i] != start)
            add_piece(listing, image, profile, addrs->addrs[i], false);
    range->end = listing->piece_count;
}

static int compare_instructions(const void *a, const void *b)
{
    const struct instruction *left = a, *right = b;
    return left->addr < right->addr ? -1 : left->addr > right->addr;
}

static void set_instruction(struct code_piece *piece, const struct instruction *instruction)
{
    piece->text = instruction->text;
    piece->is_jump = instruction->is_jump;
}

/* Divides the code of RANGE, by ADDRS, where lines may change, into its instructions, too.  */
static void add_instructions(struct code_listing *listing, const struct request *request,
                             struct analysis *analysis, struct code_range *range,
                             struct vma_list *addrs)
{
    struct text_range all = code_of(analysis, range->symbol);
    const struct text_ranges ranges = {&all, 1, all};
    uint32_t number = object_of(analysis, range->symbol);
    struct code_object *object = &listing->objects[number];
    const struct name_context names = {
        .symtab = &analysis->profile.symtab,
        .text = image_text(object->image),
        .code = number > 0 ? &analysis->objects.code[number] : NULL,
        .image = object->image,
        .options = &request->options->analysis,
        .arena = &listing->arena,
    };
    const struct disassembly_rules rules = {request->plan->code.disassembler_options, name_at,
                                            &names};
    struct instructions *made = &object->instructions;
    size_t first = made->count;
    object->lacks_disassembler |= !disassemble(made, object->image, all.start, all.end, &rules);
    range->is_disassembled = made->count > first;
    if (!range->is_disassembled)
        return;
    qsort(made->list + first, made->count - first, sizeof *made->list, compare_instructions);
    for (size_t i = first; i < made->count; i++)
        vma_list_add(addrs, made->list[i].addr, 0, UINT64_MAX);
    vma_list_unique(addrs, &ranges, 1);
    add_pieces(listing, object->image, &analysis->profile, range, all.start, addrs);
    for (size_t p = range->first, i = first; p < range->end && i < made->count;) {
        if (listing->pieces[p].addr == made->list[i].addr)
            set_instruction(&listing->pieces[p], &made->list[i]);
        if (listing->pieces[p].addr >= made->list[i].addr)
            i++;
        else
            p++;
    }
}

/* The addresses of RANGE in OBJECT where lines may change.  Free with free.  For some functions,
   asks for those of each; for many, for all, once.  */
static struct vma_list addresses_of(struct code_object *object, const struct text_range *range)
{
    enum { SOME = 16 };
    struct vma_list list = {0}, *all = &object->addrs;
    if (object->function_count <= SOME) {
        list.addrs = image_line_addresses(object->image, range->start, range->end, &list.count);
        list.capacity = list.count;
        return list;
    }
    if (all->addrs == NULL)
        all->addrs = image_line_addresses(object->image, 0, UINT64_MAX, &all->count);
    for (size_t i = count_below(all->addrs, all->count, range->start);
         i < all->count && all->addrs[i] < range->end; i++)
        vma_list_add(&list, all->addrs[i], range->start, range->end);
    return list;
}

/* Divides the code of function NUMBER into lines, and into instructions if the user asked for them
   or the lines are not known.  */
static void read_pieces(struct code_listing *listing, const struct request *request,
                        struct analysis *analysis, size_t number)
{
    struct profile *profile = &analysis->profile;
    struct code_range *range = &listing->functions[number];
    struct code_function *function = &listing->view.functions[number];
    struct code_object *object = &listing->objects[object_of(analysis, range->symbol)];
    const struct text_range all = code_of(analysis, range->symbol);
    struct vma_list addrs = addresses_of(object, &all);
    range->first = listing->piece_count;
    add_pieces(listing, object->image, profile, range, all.start, &addrs);
    bool is_lined = has_lines(listing, range);
    if (request->plan->code.has_instructions || !is_lined)
        add_instructions(listing, request, analysis, range, &addrs);
    free(addrs.addrs);
    const struct code_piece *first = &listing->pieces[range->first];
    range->place = first->site.line != 0 ? first->site : first->place;
    if (range->place.file != NO_ID)
        function->file = profile->files.paths[range->place.file];
    function->line = range->place.line;
    if (!is_lined && !range->is_disassembled && object->bare_count++ == 0)
        object->bare = function->name;
}

/* Says of which functions of OBJECT there is nothing to show.  */
static void explain_bare(const struct code_object *object, const struct request *request,
                         bool is_asked)
{
    struct diagnostics *diagnostics = request->diagnostics;
    bool has_instructions = request->options->code.has_instructions;
    if (has_instructions && object->lacks_disassembler && !image_has_code(object->image))
        warning(diagnostics, MSG_STATES_NO_CODE, image_path(object->image));
    else if (has_instructions && object->lacks_disassembler)
        warning(diagnostics, MSG_NO_DISASSEMBLER, image_path(object->image),
                image_arch_name(object->image));
    if (object->bare_count == 0 || !is_asked)
        return;
    if (!image_has_code(object->image))
        warning(diagnostics, MSG_STATES_NO_LINES, image_path(object->image), object->bare,
                object->bare_count - 1);
    else
        warning(diagnostics, MSG_HAS_NO_LINES, image_path(object->image), object->bare,
                object->bare_count - 1);
}

/* Says of which functions nothing is shown, unless a page was not asked for code.  */
static void explain_missing(const struct code_listing *listing, const struct request *request)
{
    bool is_asked = (request->options->reports_named & REPORT_CODE) != 0;
    for (size_t i = 0; i < listing->object_count; i++)
        explain_bare(&listing->objects[i], request, is_asked);
    if (listing->closed_count > 0 && is_asked)
        note(request->diagnostics, MSG_CODE_CLOSED, listing->closed, listing->closed_count - 1);
}

/* ---- Texts ---- */

/* Adds to SOURCES, which has room, the files of the lines of FUNCTION that are not listed yet.  */
static void list_files(struct annotation *sources, const struct code_view *view,
                       const struct code_function *function, struct files *files, bool *is_listed)
{
    for (size_t r = function->first; r < function->end; r++) {
        const char *path = view->rows[r].file;
        uint32_t file = path != NULL ? files_intern(files, path) : NO_ID;
        if (file == NO_ID || is_listed[file])
            continue;
        is_listed[file] = true;
        sources->sources[sources->count++].file = file;
    }
}

/* Reads the files of the lines of the view, each once, object by object.  */
static void read_sources(struct code_listing *listing, const struct request *request,
                         struct analysis *analysis, enum source_messages messages)
{
    struct files *files = &analysis->profile.files;
    const struct analysis_options *options = &request->options->analysis;
    bool *is_listed = mem_array(files->count, sizeof *is_listed);
    struct annotation *all = &listing->sources;
    all->sources = mem_array(files->count, sizeof *all->sources);
    for (size_t i = 0; i < listing->object_count; i++) {
        const struct code_object *object = &listing->objects[i];
        struct annotation some = {.sources = all->sources + all->count};
        for (size_t f = 0; f < listing->view.function_count && object->function_count > 0; f++)
            if (object_of(analysis, listing->functions[f].symbol) == i)
                list_files(&some, &listing->view, &listing->view.functions[f], files, is_listed);
        if (some.count == 0)
            continue;
        const struct source_rules rules = {&options->source_path, &options->source_map,
                                           image_path(object->image), image_modified(object->image),
                                           messages};
        sources_read(&some, files, &rules, request->diagnostics);
        all->count += some.count;
    }
    free(is_listed);
}

/* The lines of a file: where each begins.  */
struct text_lines {
    const char **starts; /* one more for the end of the last */
    size_t count;
};

static struct text_lines divide_text(const struct source *source)
{
    struct text_lines lines = {mem_array(source->text_lines + 1, sizeof *lines.starts), 0};
    const char *end = source->text + source->size;
    for (const char *at = source->text; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        lines.starts[lines.count++] = at;
        at = newline != NULL ? newline + 1 : end;
    }
    lines.starts[lines.count] = end;
    return lines;
}

/* Line NUMBER, without the characters that end it; NULL if there is none.  */
static const char *line_of(struct arena *arena, const struct text_lines *lines, uint32_t number)
{
    if (number == 0 || number > lines->count)
        return NULL;
    const char *start = lines->starts[number - 1], *end = lines->starts[number];
    while (end > start && (end[-1] == '\n' || end[-1] == '\r'))
        end--;
    const char *nul = memchr(start, '\0', (size_t)(end - start));
    return arena_copy(arena, start, (size_t)((nul != NULL ? nul : end) - start));
}

/* Whether people see instructions in their order in memory; programs have them by line.  */
static bool is_by_address(const struct request *request)
{
    return request->plan->code.has_instructions && request->plan->format == NULL;
}

/* Whether there are texts of lines of FUNCTION.  */
static bool has_texts(const struct code_view *view, const struct code_function *function)
{
    for (size_t r = function->first; r < function->end; r++)
        if (view->rows[r].kind <= CODE_INLINED && view->rows[r].text != NULL)
            return true;
    return false;
}

/* Whether a row says something: a line of which there is no text must have time.  */
static bool says_something(const struct code_row *row)
{
    return row->kind != CODE_LINE || row->text != NULL || row->self > 0 || row->total > 0;
}

/* Removes the lines of which there is no text and, by line, no time.  By address, where lines say
   only where instructions come from, those of functions of which there are some texts stay.  */
static void drop_empty(struct code_listing *listing, const struct request *request)
{
    struct code_view *view = &listing->view;
    size_t kept = 0, r = 0;
    for (size_t f = 0; f < view->function_count; f++) {
        struct code_function *function = &view->functions[f];
        size_t end = function->end;
        bool has_headings = is_by_address(request) && listing->functions[f].is_disassembled;
        bool has_text = has_headings && has_texts(view, function);
        function->first = kept;
        for (; r < end; r++) {
            bool is_heading = has_headings && view->rows[r].kind <= CODE_INLINED;
            if (is_heading ? has_text : says_something(&view->rows[r]))
                view->rows[kept++] = view->rows[r];
        }
        function->end = kept;
    }
    view->row_count = kept;
}

/* Gives the lines of the view their texts.  */
static void read_texts(struct code_listing *listing, const struct request *request,
                       struct analysis *analysis, enum source_messages messages)
{
    struct files *files = &analysis->profile.files;
    read_sources(listing, request, analysis, messages);
    struct text_lines *by_file = mem_array(files->count, sizeof *by_file);
    for (size_t i = 0; i < listing->sources.count; i++)
        by_file[listing->sources.sources[i].file] = divide_text(&listing->sources.sources[i]);
    for (size_t r = 0; r < listing->view.row_count; r++) {
        struct code_row *row = &listing->view.rows[r];
        if (row->file != NULL)
            row->text =
                line_of(&listing->arena, &by_file[files_intern(files, row->file)], row->line);
    }
    for (size_t i = 0; i < files->count; i++)
        free(by_file[i].starts);
    free(by_file);
    drop_empty(listing, request);
}

/* ---- The interface ---- */

static void set_units(struct code_listing *listing, const struct analysis *analysis,
                      bool has_stacks)
{
    const struct snapshot *snapshot = &analysis->snapshot.snapshot;
    const struct hist_set *hist = &analysis->profile.hist;
    listing->view.whole = snapshot_time(snapshot, snapshot->self_samples);
    listing->view.has_totals = has_stacks;
    if (!has_stacks && hist->count > 0 && hist->scale > 0)
        listing->view.bytes_per_bin = (unsigned)(2 * hist->scale + 0.5);
}

/* The lines of a terminal that functions have together, if nobody said which are shown; 0: any
   number.  */
static size_t fitting_lines(const struct request *request)
{
    enum { MORE_LINES = 2 }; /* than rows of the table of functions */
    const struct plan *plan = request->plan;
    if (plan->style.terminal_width == 0 || plan->format != NULL || plan->code.limit != 0 ||
        plan->top.min_share >= 0 || request->options->top.has_limit ||
        symspecs_have(&request->options->analysis.specs, SPEC_CODE))
        return 0;
    return plan->top.limit + MORE_LINES;
}

/* The lines of FUNCTION: its rows with title, heading and two empty lines.  */
static size_t lines_of(const struct code_function *function)
{
    enum { OTHERS = 4 };
    return function->end - function->first + OTHERS;
}

/* Makes the rows with their texts, without a word of sources that are not found.  */
static void make_quietly(struct code_listing *listing, const struct request *request,
                         struct analysis *analysis, const struct code_rules *rules)
{
    listing->view.row_count = 0;
    make_code(&listing->view, &analysis->profile, rules);
    read_texts(listing, request, analysis, SOURCES_QUIET);
    annotation_free(&listing->sources);
    listing->sources = (struct annotation){0};
}

/* Makes the view.  On a terminal, lines need a larger share until the first function fits, and then
   as many functions are shown as do: what matters must not scroll away.  */
static void make_fitting(struct code_listing *listing, const struct request *request,
                         struct analysis *analysis, struct code_rules *rules)
{
    static const double shares[] = {0.2, 0.5, 1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20};
    struct code_view *view = &listing->view;
    size_t most = fitting_lines(request), used = 0, shown = 0;
    double whole = view->whole / rules->sample_time;
    if (most == 0 || view->function_count == 0) {
        make_code(view, &analysis->profile, rules);
        return;
    }
    make_quietly(listing, request, analysis, rules);
    for (size_t i = 0; i < ARRAY_LENGTH(shares) && lines_of(&view->functions[0]) > most; i++) {
        rules->least = shares[i] / 100 * whole;
        make_quietly(listing, request, analysis, rules);
    }
    bool is_alone = rules->least > 0;
    while (shown < view->function_count &&
           (shown == 0 || (!is_alone && used + lines_of(&view->functions[shown]) <= most)))
        used += lines_of(&view->functions[shown++]);
    view->left_out = view->function_count - shown;
    view->function_count = shown;
    view->row_count = view->functions[shown - 1].end;
    view->has_late = false;
    for (size_t r = 0; r < view->row_count; r++)
        view->has_late |= view->rows[r].is_late;
}

void read_code(struct code_listing *listing, const struct request *request,
               struct analysis *analysis)
{
    struct profile *profile = &analysis->profile;
    const struct snapshot *snapshot = &analysis->snapshot.snapshot;
    bool has_stacks = recorded_has_stacks(&profile->recorded);
    double sample_time = time_of_sample(snapshot);
    list_objects(listing, request, analysis);
    choose_functions(listing, request, analysis);
    for (size_t f = 0; f < listing->view.function_count; f++)
        read_pieces(listing, request, analysis, f);
    explain_missing(listing, request);
    set_units(listing, analysis, has_stacks);
    struct code_rules rules = {.functions = listing->functions,
                               .function_count = listing->view.function_count,
                               .pieces = listing->pieces,
                               .stacks = has_stacks ? &profile->recorded : NULL,
                               .sample_time = sample_time,
                               .by_address = is_by_address(request),
                               .is_sampled = figures_traits(snapshot->figures)->has_samples,
                               .least = request->plan->top.min_share / 100 * listing->view.whole /
                                        sample_time};
    make_fitting(listing, request, analysis, &rules);
    /* Annotated source says it, or nobody asked for the code.  */
    bool is_told = (request->plan->reports & REPORT_SOURCE) != 0 ||
                   (request->options->reports_named & REPORT_CODE) == 0;
    read_texts(listing, request, analysis, is_told ? SOURCES_QUIET : SOURCES_NOTE);
}

void code_listing_free(struct code_listing *listing)
{
    code_view_free(&listing->view);
    for (size_t i = 0; i < listing->object_count; i++) {
        free(listing->objects[i].addrs.addrs);
        instructions_free(&listing->objects[i].instructions);
    }
    free(listing->objects);
    free(listing->functions);
    free(listing->pieces);
    annotation_free(&listing->sources);
    top_free(&listing->top);
    arena_free(&listing->arena);
    *listing = (struct code_listing){0};
}
