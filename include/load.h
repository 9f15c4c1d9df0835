/* load.h - profiles into the model: reads files, checks that they fit together, adds them up.  */

#ifndef REGPROF_LOAD_H
#define REGPROF_LOAD_H

#include "gmon.h"
#include "image.h"

/* Reads the profiles at PATHS ("-" is standard input) in FORMAT and adds them to PROFILE, whose
   symbols and filters are there: histograms, arcs with their lists, blocks, and one file_info per
   file. Says what is wrong and returns false if one cannot be used; warns of what looks wrong and
   can.  */
bool profiles_load(struct profile *profile, const struct image *image, const char *const *paths,
                   size_t count, enum gmon_format format);

#endif
