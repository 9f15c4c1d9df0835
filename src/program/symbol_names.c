/* symbol_names.c - names addresses in profiles of other profilers by the symbols of their files.

   Files are opened when they are asked for, each once.  The executable that was named must have
   symbols; other files, whose paths a profile says, need not be there.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/symbol_names.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/common.h"
#include "base/files.h"
#include "base/interval_map.h"
#include "base/memory.h"
#include "base/messages.h"
#include "symbols/symtab.h"

/* A file with code.  */
struct code_file {
    enum code_found found; /* CODE_FOUND: it can be used */
    struct image *image;
    struct symtab symtab;
    struct interval_map offsets; /* in the file: of the ranges of the text */
};

/* ---- Files ---- */

bool symbol_names_explain_none(struct image *image)
{
    char *places = image_debug_places(image);
    problem(MSG_NO_SYMBOLS, image_path(image), places);
    free(places);
    return false;
}

/* False, after a message if IS_NEEDED, if the file has no symbols.  */
static bool read_symbols(struct code_file *file, bool is_needed)
{
    const struct text_ranges *text = image_text(file->image);
    const struct symtab_rules rules = {.text_end = text->all.end,
                                       .leading_char = image_leading_char(file->image)};
    struct interval *offsets = mem_array(text->count, sizeof *offsets);
    size_t count;
    struct raw_symbol *raw = image_symbols(file->image, &count);
    for (size_t i = 0; i < text->count; i++) {
        offsets[i].low = image_text_offset(file->image, i);
        offsets[i].high = offsets[i].low + (text->ranges[i].end - text->ranges[i].start);
    }
    interval_map_build(&file->offsets, offsets, text->count);
    free(offsets);
    if (raw == NULL)
        return false;
    symtab_build(&file->symtab, raw, count, NULL, &rules);
    free(raw);
    return file->symtab.count > 0 || (is_needed && symbol_names_explain_none(file->image));
}

/* Opens the file at PATH: the executable that was named, if IS_GIVEN; the program, of a profile
   that says where it is; or a library, which stays without names if it was stripped: the symbols
   that the loader needs are few.  */
static enum code_found open_file(struct code_file *file, const char *path, bool is_given,
                                 bool is_program, struct diagnostics *diagnostics)
{
    if (!is_given && !file_is_elf(path))
        return CODE_NO_FILE;
    file->image = image_open(path, diagnostics);
    bool is_named = file->image != NULL && (is_program || !image_is_stripped(file->image)) &&
                    read_symbols(file, is_program);
    return is_named ? CODE_FOUND : is_program ? CODE_FAILED : CODE_NO_FILE;
}

/* The file at PATH.  */
static struct code_file *file_at(struct symbol_names *symbols, const char *path, bool is_program)
{
    size_t known = symbols->paths.count;
    uint32_t number = string_map_number(&symbols->paths, path);
    if (number < known)
        return &symbols->files[number];
    symbols->files =
        mem_grow(symbols->files, &symbols->capacity, known + 1, sizeof *symbols->files);
    struct code_file *file = &symbols->files[number];
    *file = (struct code_file){.image = NULL};
    bool is_given = path == symbols->names.image;
    file->found = open_file(file, path, is_given, is_program, symbols->diagnostics);
    if (is_program && file->found == CODE_FOUND)
        symbols->program = number;
    return file;
}

/* ---- Addresses ---- */

/* The address that FILE was linked for, of one that a profile has.  False if it is not in the
   text.  */
static bool linked_address(struct code_file *file, const struct code_address *address, vma *linked)
{
    const struct text_ranges *text = image_text(file->image);
    *linked = image_code_address(file->image, address->at);
    if (!address->is_offset)
        return text_range_at(text, *linked) != NULL;
    uint32_t range = interval_map_find(&file->offsets, *linked);
    if (range == NO_INTERVAL)
        return false;
    *linked += text->ranges[range].start - image_text_offset(file->image, range);
    return true;
}

static enum code_found find_name(struct address_names *names, const struct code_address *address,
                                 struct code_name *name)
{
    struct symbol_names *symbols = (struct symbol_names *)names;
    bool is_given = address->is_program && names->image != NULL;
    const char *path = is_given ? names->image : address->path;
    struct source_pos pos;
    vma linked;
    if (path == NULL)
        return CODE_NO_FILE;
    struct code_file *file = file_at(symbols, path, address->is_program);
    if (file->found != CODE_FOUND)
        return file->found;
    uint32_t id =
        linked_address(file, address, &linked) ? symtab_find(&file->symtab, linked) : NO_ID;
    if (id == NO_ID)
        return CODE_NO_SYMBOL;
    uint32_t function = symtab_function(&file->symtab, id);
    const struct symbol *symbol = &file->symtab.symbols[function != NO_ID ? function : id];
    *name = (struct code_name){.function = symbol->name};
    free(symbols->first_file);
    symbols->first_file = NULL;
    if (image_position(file->image, symbol->addr, &pos)) {
        name->first_file = symbols->first_file = mem_copy(pos.file, strlen(pos.file));
        name->first_line = pos.line;
    }
    if (image_position(file->image, linked, &pos)) {
        name->file = pos.file;
        name->line = pos.line;
    }
    return CODE_FOUND;
}

/* ---- Interface ---- */

struct address_names *symbol_names_begin(struct symbol_names *symbols, const char *image,
                                         struct diagnostics *diagnostics)
{
    *symbols = (struct symbol_names){
        .names = {image, find_name}, .program = NO_ID, .diagnostics = diagnostics};
    bool ok = image == NULL || file_at(symbols, image, true)->found == CODE_FOUND;
    return ok ? &symbols->names : NULL;
}

void symbol_names_note_age(const struct symbol_names *symbols, const struct profile_list *profiles)
{
    struct stat status;
    if (symbols->program == NO_ID)
        return;
    const struct image *image = symbols->files[symbols->program].image;
    for (size_t i = 0; i < profiles->count; i++)
        if (is_plain_file(profiles->paths[i]) && stat(profiles->paths[i], &status) == 0 &&
            status.st_mtime < image_modified(image)) {
            note(symbols->diagnostics, MSG_IMAGE_NEWER, image_path(image), profiles->paths[i]);
            return;
        }
}

void symbol_names_free(struct symbol_names *symbols)
{
    for (size_t i = 0; i < symbols->paths.count; i++) {
        symtab_free(&symbols->files[i].symtab);
        interval_map_free(&symbols->files[i].offsets);
        image_close(symbols->files[i].image);
    }
    string_map_free(&symbols->paths);
    free(symbols->files);
    free(symbols->first_file);
}
