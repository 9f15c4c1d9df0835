/* symbolize.h - labels: names as they are printed, for the symbols that are printed.

   Demangling is slow, so each distinct name is demangled once.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_SYMBOLIZE_H
#define REGPROF_ANALYSIS_SYMBOLIZE_H

#include "model/model.h"

/* How names are demangled, which the image decides.  */
struct demangler {
    const void *context;
    /* False if NAME cannot be a mangled name; quick.  */
    bool (*may_be_mangled)(const void *context, const char *name);
    /* The demangled name on the heap, or NULL if NAME is not mangled.  */
    char *(*demangle)(const void *context, const char *name);
};

/* The symbols that appear in the flat profile, the call graph or its index.  By symbol id; free
   with free.  */
bool *symbolize_listed(const struct profile *profile);

/* The symbols whose source position some report prints: static ones of those listed, those listed,
   or all.  By symbol id; free with free.  */
enum locate_scope { LOCATE_NONE, LOCATE_STATIC, LOCATE_LISTED, LOCATE_ALL };
bool *symbolize_to_locate(const struct profile *profile, enum locate_scope scope);

/* Sets the labels of the listed symbols: demangled unless DEMANGLER is NULL, control characters
   escaped.  */
void symbolize(struct profile *profile, const struct demangler *demangler);

/* Sets the labels of files: control characters escaped.  */
void symbolize_files(struct profile *profile);

#endif
