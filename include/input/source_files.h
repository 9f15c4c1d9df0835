/* source_files.h - finds and reads source files, and creates the files of -y.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_SOURCE_FILES_H
#define REGPROF_INPUT_SOURCE_FILES_H

#include <stdio.h>

#include "base/memory.h"
#include "base/message.h"
#include "model/model.h"

/* Directories to search, in order.  Start with a zeroed struct; free with search_path_free.  */
struct search_path {
    const char **directories;
    size_t count, capacity;
    struct arena arena; /* owns them */
};

/* Adds the directories of LIST, separated by colons.  An empty one is the root directory.  */
void search_path_add(struct search_path *path, const char *list);
void search_path_free(struct search_path *path);

/* Reads the texts of the annotation's sources.  Tries each name as it is, then, if it is relative,
   below each directory of PATH, then its base name in each of them.  Removes sources that cannot be
   read, with a warning.  */
void sources_read(struct annotation *annotation, const struct files *files,
                  const struct search_path *path, struct diagnostics *diagnostics);

/* Creates or overwrites the file for the annotated source at PATH: `BASE-ann' in the current
   directory.  NULL after a message if that fails, or if the file exists and is a link or not a
   regular file.  Close it with source_close: false after a message if not everything could be
   written.  */
FILE *source_create(const char *path);
bool source_close(FILE *file, const char *path);

#endif
