/* printed_names.c - forms of demangled names.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/printed_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/short_names.h"

/* The name of a procedure in a Fortran module, as in the source, or NULL.  GNU Fortran names
   procedure P of module M `__M_MOD_P', with M and P in lower case.  */
static const char *fortran_name(const char *raw)
{
    static const char middle[] = "_MOD_";
    const char *found = strncmp(raw, "__", 2) == 0 ? strstr(raw + 2, middle) : NULL;
    return found != NULL && found[sizeof middle - 1] != '\0' ? found + sizeof middle - 1 : NULL;
}

static struct printed_name make_forms(struct printed_names *names, const char *raw,
                                      const struct demangler *demangler)
{
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

/* With -l many symbols share one name: each is demangled once.  */
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
