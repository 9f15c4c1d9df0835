/* symbolize.h - labels of symbols, and their names as they are printed.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_SYMBOLS_SYMBOLIZE_H
#define REGPROF_SYMBOLS_SYMBOLIZE_H

#include "model/model.h"

/* ---- Labels ---- */

/* A label is the name of a symbol as it is printed.  Demangling is slow, so only the names of
   symbols that are printed are demangled, each once.  */

/* How names are demangled, which the image decides.  */
struct demangler {
    const void *context;
    /* False if NAME cannot be a mangled name; quick.  */
    bool (*may_be_mangled)(const void *context, const char *name);
    /* The demangled name on the heap, or NULL if NAME is not mangled.  */
    char *(*demangle)(const void *context, const char *name);
};

/* Sets the labels of the symbols that are WANTED, by symbol id, or if that is NULL of all:
   demangled unless DEMANGLER is NULL, control characters escaped.  */
void symbolize(struct profile *profile, const struct demangler *demangler, const bool *wanted);

/* Sets the labels of files: control characters escaped.  */
void symbolize_files(struct profile *profile);

/* ---- Printed names ---- */

/* The forms in which a user may repeat a printed name.  All are the raw name if it is not
   mangled.  */
struct printed_name {
    const char *raw;
    const char *whole;     /* demangled: `int twice<int>(int)' */
    const char *signature; /* without result: `twice<int>(int)' */
    const char *bare;  /* without result and parameters: `twice<int>'; of a procedure of a Fortran
                          module (`__m_MOD_heavy'): its name alone */
    const char *brief; /* as --names=short: `twice<...>' */
};

/* Zeroed = not computed.  */
struct printed_names {
    struct printed_name *names; /* each raw name once */
    size_t count, capacity;
    uint32_t *numbers; /* by symbol id: index into `names' */
    struct string_map raw;
    struct arena arena;
};

/* Computes the names of all symbols, unless that has been done.  DEMANGLER may be NULL: only
   Fortran names then have other forms than the raw one.  */
void printed_names_compute(struct printed_names *names, const struct symtab *symtab,
                           const struct demangler *demangler);
void printed_names_free(struct printed_names *names);

static inline const struct printed_name *printed_name_of(const struct printed_names *names,
                                                         size_t symbol)
{
    return &names->names[names->numbers[symbol]];
}

#endif
