/* symbolize.h - names as they are printed, and source positions, for the symbols that will be
   printed.

   Demangling and debug information are the slow parts of a run, so both are asked only for what
   some report shows, and once for each distinct thing.  */

#ifndef REGPROF_ANALYSIS_SYMBOLIZE_H
#define REGPROF_ANALYSIS_SYMBOLIZE_H

#include "analysis/symtab.h"
#include "input/image.h"
#include "model/model.h"

/* Source positions of all wanted raw symbols, in the order of the image's table: what the list of
   files is defined by.  An array by raw symbol; free with free.  */
struct raw_source *names_locate_all(struct files *files, struct image *image,
                                    const struct raw_symbol *raw, size_t count,
                                    const struct symtab_rules *rules);

/* Splits the function symbols of PROFILE into source lines (-l).  */
void names_split_lines(struct profile *profile, struct image *image);

/* Which symbols a report wants the source position of: of the listed ones, or of all.  */
enum locate_scope { LOCATE_NONE, LOCATE_STATIC, LOCATE_LISTED, LOCATE_ALL };

/* Asks the debug information for the position of the symbols in SCOPE that lack it.  */
void names_locate(struct profile *profile, struct image *image, enum locate_scope scope);

/* Makes the labels of the symbols that some view lists: demangled if IS_DEMANGLED, control
   characters made visible.  */
void names_label(struct profile *profile, const struct image *image, bool is_demangled);

/* Makes the labels of files: control characters made visible.  */
void names_label_files(struct profile *profile);

#endif
