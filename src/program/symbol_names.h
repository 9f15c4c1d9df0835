/* symbol_names.h - names addresses in profiles of other profilers by the symbols of their files. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_SYMBOL_NAMES_H
#define REGPROF_PROGRAM_SYMBOL_NAMES_H

#include "base/hash.h"
#include "base/message.h"
#include "input/image.h"
#include "input/profile_list.h"
#include "model/foreign.h"

/* The files that were asked for.  Free with symbol_names_free.  */
struct symbol_names {
    struct address_names names;
    struct string_map paths;
    struct code_file *files; /* by path */
    size_t capacity;
    uint32_t program; /* file; NO_ID: none was opened */
    char *first_file; /* of the last answer */
    struct diagnostics *diagnostics;
};

/* Begins with the executable at IMAGE, if that is not NULL.  NULL after a message.  */
struct address_names *symbol_names_begin(struct symbol_names *symbols, const char *image,
                                         struct diagnostics *diagnostics);

/* Notes that a program is newer than one of PROFILES.  */
void symbol_names_note_age(const struct symbol_names *symbols, const struct profile_list *profiles);

void symbol_names_free(struct symbol_names *symbols);

/* Says that IMAGE has no symbols, and where they may be.  Returns false.  */
bool symbol_names_explain_none(struct image *image);

#endif
