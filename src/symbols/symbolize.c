/* symbolize.c - labels of symbols, and their names as they are printed.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "symbols/symbolize.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/short_names.h"
#include "base/text.h"

/* ---- Labels ---- */

/* NAME itself if it can be printed unchanged.  */
static const char *make_label(struct arena *arena, const struct demangler *demangler,
                              const char *name)
{
    const char *object = name_object(name);
    if (object != NULL)
        return arena_join(
            arena, make_label(arena, demangler, arena_copy(arena, name, (size_t)(object - name))),
            arena_escape(arena, object));
    char *demangled = demangler != NULL ? demangler->demangle(demangler->context, name) : NULL;
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

void symbolize_files(struct profile *profile)
{
    struct files *files = &profile->files;
    files->labels = mem_array(files->count, sizeof *files->labels);
    for (size_t i = 0; i < files->count; i++)
        files->labels[i] = arena_escape(&profile->names, files->paths[i]);
}

static bool may_be_mangled(const struct demangler *demangler, const char *name)
{
    return demangler != NULL && demangler->may_be_mangled(demangler->context, name);
}

void symbolize(struct profile *profile, const struct demangler *demangler, const bool *wanted)
{
    /* Many symbols may share one name (source lines above all): each is demangled once.  */
    struct string_map names = {0};
    const char **labels = NULL;
    size_t capacity = 0;
    for (size_t i = 0; i < profile->symtab.count; i++) {
        if (wanted != NULL && !wanted[i])
            continue;
        struct symbol *symbol = &profile->symtab.symbols[i];
        if (!may_be_mangled(demangler, symbol->name) && is_printable(symbol->name)) {
            set_label(symbol, symbol->name);
            continue;
        }
        size_t known = names.count;
        uint32_t number = string_map_number(&names, symbol->name);
        labels = mem_grow(labels, &capacity, names.count, sizeof *labels);
        if (names.count > known)
            labels[number] = make_label(&profile->names, demangler, symbol->name);
        set_label(symbol, labels[number]);
    }
    free(labels);
    string_map_free(&names);
}

/* ---- Printed names ---- */

/* The name of a procedure in a Fortran module, as in the source, or NULL.  GNU Fortran names
   procedure P of module M `__M_MOD_P', with M and P in lower case.  */
static const char *fortran_name(const char *raw)
{
    static const char middle[] = "_MOD_";
    const char *found = strncmp(raw, "__", 2) == 0 ? strstr(raw + 2, middle) : NULL;
    return found != NULL && found[sizeof middle - 1] != '\0' ? found + sizeof middle - 1 : NULL;
}

/* The forms of the symbol WHOLE_RAW, without its object.  */
static struct printed_name make_forms(struct printed_names *names, const char *whole_raw,
                                      const struct demangler *demangler)
{
    const char *object = name_object(whole_raw);
    const char *raw = object != NULL
                          ? arena_copy(&names->arena, whole_raw, (size_t)(object - whole_raw))
                          : whole_raw;
    const char *procedure = fortran_name(raw);
    if (procedure != NULL)
        return (struct printed_name){raw, raw, raw, procedure, procedure};
    char *demangled = demangler != NULL && demangler->may_be_mangled(demangler->context, raw)
                          ? demangler->demangle(demangler->context, raw)
                          : NULL;
    if (demangled == NULL)
        return (struct printed_name){raw, raw, raw, raw, raw};
    const char *whole = arena_copy(&names->arena, demangled, strlen(demangled));
    free(demangled);
    return (struct printed_name){
        raw, whole, shorten_name(&names->arena, whole, KEEP_ARGUMENTS | KEEP_PARAMETERS),
        shorten_name(&names->arena, whole, KEEP_ARGUMENTS),
        shorten_name(&names->arena, whole, KEEP_NOTHING)};
}

/* Demangles each name once, though with -l many symbols share one.  */
void printed_names_compute(struct printed_names *names, const struct symtab *symtab,
                           const struct demangler *demangler)
{
    if (names->numbers != NULL)
        return;
    names->numbers = mem_uninitialised(symtab->count, sizeof *names->numbers);
    for (size_t s = 0; s < symtab->count; s++) {
        const char *raw = symtab->symbols[s].name;
        uint32_t number = string_map_number(&names->raw, raw);
        names->numbers[s] = number;
        if (number < names->count)
            continue;
        names->names =
            mem_grow(names->names, &names->capacity, names->count + 1, sizeof *names->names);
        names->names[names->count++] = make_forms(names, raw, demangler);
    }
}

void printed_names_free(struct printed_names *names)
{
    free(names->names);
    free(names->numbers);
    string_map_free(&names->raw);
    arena_free(&names->arena);
    *names = (struct printed_names){0};
}
