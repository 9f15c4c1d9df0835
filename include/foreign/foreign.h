/* foreign.h - recognises and reads profiles of other profilers.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_FOREIGN_FOREIGN_H
#define REGPROF_FOREIGN_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/files.h"
#include "base/message.h"
#include "model/foreign.h"

/* Whether the file at PATH is a profile of another profiler, or cannot be read, after a message. */
bool foreign_is_profile(const char *path);

/* Whether the file at PATH is empty because valgrind --separate-threads=yes wrote PATH-01 and
   others in its place.  */
bool foreign_is_base(const char *path);

/* Whether the first of the COUNT names at PATHS is a profile of another profiler ("-": standard
   input), is to be read as one by RULES, or is a directory that has some; or the second one, behind
   an executable, which FOREIGN->image then is.  A file stays open for foreign_read, which may be
   given other paths, too.  FOREIGN_UNREADABLE, after a message, if that cannot be said.  */
enum foreign_found { FOREIGN_NO, FOREIGN_YES, FOREIGN_UNREADABLE };
enum foreign_found foreign_find(struct foreign *foreign, struct open_files *opened,
                                const char *const *paths, size_t count,
                                const struct foreign_rules *rules);

/* Reads the COUNT profiles at PATHS, and adds them up.  The paths outlive the result.  False after
   a message.  */
bool foreign_read(struct foreign *foreign, const char *const *paths, size_t count,
                  const struct foreign_rules *rules, struct diagnostics *diagnostics);

void foreign_free(struct foreign *foreign);

/* What RULES say of threads, `thread=NAME' or `tid=NUMBER'; NULL: all are read.  */
const char *foreign_thread(const struct foreign_rules *rules);

/* Whether there is a format called NAME.  */
bool foreign_is_format(const char *name);

/* The names of the formats, for a message.  */
const char *foreign_format_names(struct name_list *list);

#endif
