/* printed_names.h - names of symbols as reports print them, in the forms in which a user may repeat
   them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_PRINTED_NAMES_H
#define REGPROF_ANALYSIS_PRINTED_NAMES_H

#include "analysis/symbolize.h"
#include "model/model.h"

/* The forms of a name.  All are the raw name if it is not mangled.  */
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
    uint32_t *numbers; /* by symbol id: which of them */
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
