#include "analysis/symbolize.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/line_symbols.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/message.h"

/* ---- Source positions ---- */

static struct raw_source locate(struct files *files, struct image *image, vma addr)
{
    struct source_pos pos;
    if (!image_position(image, addr, &pos))
        return (struct raw_source){NO_ID, 0};
    return (struct raw_source){files_intern(files, pos.file), pos.line};
}

struct raw_source *names_locate_all(struct files *files, struct image *image,
                                    const struct raw_symbol *raw, size_t count,
                                    const struct symtab_rules *rules)
{
    struct raw_source *sources = mem_array(count, sizeof *sources);
    for (size_t i = 0; i < count; i++)
        sources[i] = symtab_is_wanted(&raw[i], rules) ? locate(files, image, raw[i].addr)
                                                      : (struct raw_source){NO_ID, 0};
    return sources;
}

/* The number of S in MAP; NUMBER is that of the string asked for before, which most often is the
 * same.  */
static uint32_t number_again(struct string_map *map, uint32_t number, const char *s)
{
    if (number < map->count && strcmp(map->strings[number], s) == 0)
        return number;
    return string_map_number(map, s);
}

/* The answers for ADDRS that there are.  */
static struct line_row *ask_lines(struct profile *profile, struct image *image, const vma *addrs,
                                  size_t count, size_t *row_count)
{
    struct line_row *rows = mem_uninitialised(count, sizeof *rows);
    struct source_pos pos;
    uint32_t name = NO_ID, file = NO_ID;
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        if (!image_line(image, addrs[i], &pos))
            continue;
        name = number_again(&profile->line_names, name, pos.function);
        if (file == NO_ID || strcmp(profile->files.paths[file], pos.file) != 0)
            file = files_intern(&profile->files, pos.file);
        rows[made++] = (struct line_row){.addr = addrs[i],
                                         .file = file,
                                         .line = pos.line,
                                         .function = profile->line_names.strings[name]};
    }
    *row_count = made;
    return rows;
}

void names_split_lines(struct profile *profile, struct image *image)
{
    size_t count, row_count;
    vma *addrs = image_line_addresses(image, &count);
    image_settle_lines(image, addrs, count);
    struct line_row *rows = ask_lines(profile, image, addrs, count, &row_count);
    free(addrs);
    line_symbols_split(&profile->symtab, rows, row_count, image_text(image).end);
    free(rows);
}

/* Symbols that appear in the flat profile, the graph or the index.  By symbol id; free with free.
 */
static bool *listed_symbols(const struct profile *profile)
{
    const struct views *views = &profile->views;
    bool *is_listed = mem_array(profile->symtab.count, sizeof *is_listed);
    for (size_t i = 0; i < views->flat_count; i++)
        is_listed[views->flat[i]] = true;
    for (size_t i = 0; i < views->by_name_count; i++)
        if (!is_cycle(&profile->graph, views->by_name[i]))
            is_listed[views->by_name[i]] = true;
    for (size_t i = 0; i < profile->arcs.count; i++) {
        is_listed[profile->arcs.arcs[i].caller] = true;
        is_listed[profile->arcs.arcs[i].callee] = true;
    }
    return is_listed;
}

void names_locate(struct profile *profile, struct image *image, enum locate_scope scope)
{
    if (scope == LOCATE_NONE)
        return;
    bool *is_listed = listed_symbols(profile);
    for (size_t i = 0; i < profile->symtab.count; i++) {
        struct symbol *symbol = &profile->symtab.symbols[i];
        if ((!is_listed[i] && scope != LOCATE_ALL) || symbol->file != NO_ID ||
            symbol->is_indirect_target || (scope == LOCATE_STATIC && !symbol->is_static))
            continue;
        struct raw_source source = locate(&profile->files, image, symbol->addr);
        symbol->file = source.file;
        symbol->line = source.line;
    }
    free(is_listed);
}

/* ---- Labels ---- */

/* NAME itself if it is fit to be shown as it is.  */
static const char *make_label(struct arena *arena, const struct image *image, const char *name,
                              bool is_demangled)
{
    char *demangled = is_demangled ? image_demangle(image, name) : NULL;
    if (demangled == NULL && is_printable(name))
        return name;
    const char *label = arena_escape(arena, demangled != NULL ? demangled : name);
    free(demangled);
    return label;
}

static void set_label(struct symbol *symbol, const char *label)
{
    size_t size = strlen(label);
    symbol->label = label;
    symbol->label_size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
}

void names_label_files(struct profile *profile)
{
    struct files *files = &profile->files;
    files->labels = mem_array(files->count, sizeof *files->labels);
    for (size_t i = 0; i < files->count; i++)
        files->labels[i] = arena_escape(&profile->names, files->paths[i]);
}

void names_label(struct profile *profile, const struct image *image, bool is_demangled)
{
    /* Many symbols may share one name (source lines above all): each is demangled once.  */
    struct string_map names = {0};
    const char **labels = NULL;
    size_t capacity = 0;
    bool *is_listed = listed_symbols(profile);
    for (size_t i = 0; i < profile->symtab.count; i++) {
        if (!is_listed[i])
            continue;
        struct symbol *symbol = &profile->symtab.symbols[i];
        if (!(is_demangled && image_may_be_mangled(symbol->name)) && is_printable(symbol->name)) {
            set_label(symbol, symbol->name);
            continue;
        }
        size_t known = names.count;
        uint32_t number = string_map_number(&names, symbol->name);
        labels = mem_grow(labels, &capacity, names.count, sizeof *labels);
        if (names.count > known)
            labels[number] = make_label(&profile->names, image, symbol->name, is_demangled);
        set_label(symbol, labels[number]);
    }
    free(is_listed);
    free(labels);
    string_map_free(&names);
}
