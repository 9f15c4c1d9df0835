/* source_files.h - source files: where they are, what they hold, and the files beside them that -y
 * writes.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_SOURCE_FILES_H
#define REGPROF_INPUT_SOURCE_FILES_H

#include <stdio.h>

#include "base/memory.h"
#include "model/model.h"

/* Directories to look in, in order.  Start with a zeroed struct; `search_path_free' ends it.  */
struct search_path {
    const char **directories;
    size_t count, capacity;
    struct arena arena; /* owns them */
};

/* Adds the directories of LIST, between which colons stand.  An empty one is the root.  */
void search_path_add(struct search_path *path, const char *list);
void search_path_free(struct search_path *path);

/* Reads the texts of the annotation's sources: each as it is named; if that is a relative name,
   below each directory of PATH; by its base name in each.  Says which cannot be found and drops
   them.  */
void sources_read(struct annotation *annotation, const struct files *files,
                  const struct search_path *path);

/* Opens the file that the annotated source at PATH goes to: `BASE-ann' in the current directory,
   which is made or overwritten, but not when it is a link or anything but a regular file.  NULL
   after a message. `source_close' ends it, and returns false after a message if not all of it could
   be written.  */
FILE *source_create(const char *path);
bool source_close(FILE *file, const char *path);

#endif
