/* source_files.h - positions of symbols in source files; reads and writes these files.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_SOURCE_FILES_H
#define REGPROF_INPUT_SOURCE_FILES_H

#include <stdio.h>

#include "base/memory.h"
#include "base/message.h"
#include "input/image.h"
#include "model/model.h"

/* ---- Positions of symbols ---- */

/* Debug information is slow to read, so callers select what a report will print.  */

/* The positions of the COUNT raw symbols, an array by raw symbol; NO_ID as the file of those that
   IS_WANTED does not mark or that have no position.  Adds files to FILES in the order of RAW.  Free
   with free.  */
struct raw_source *source_positions_of_raw(struct files *files, struct image *image,
                                           const struct raw_symbol *raw, const bool *is_wanted,
                                           size_t count);

/* Adds the positions of the symbols that IS_WANTED marks (by symbol id) and that lack one.  */
void source_positions_add(struct profile *profile, struct image *image, const bool *is_wanted);

/* The source lines at the COUNT addresses ADDRS, ascending, without the addresses that have none.
   An array of *ROW_COUNT; free with free.  */
struct line_row *source_positions_of_lines(struct profile *profile, struct image *image,
                                           const vma *addrs, size_t count, size_t *row_count);

/* ---- Source files ---- */

/* Directories to search, in order.  Start with a zeroed struct; free with search_path_free.  */
struct search_path {
    const char **directories;
    size_t count, capacity;
    struct arena arena; /* owns the directories */
};

/* Adds the directories of LIST, separated by colons.  An empty one is the root directory.  */
void search_path_add(struct search_path *path, const char *list);
void search_path_free(struct search_path *path);

/* Places to which sources have moved.  Start with a zeroed struct; free with source_map_free.  */
struct source_map {
    struct source_move {
        const char *from; /* FROM_SIZE bytes */
        size_t from_size;
        const char *to;
    } * moves;
    size_t count, capacity;
};

/* Adds a move from OLD to NEW; TEXT, which must outlive MAP, is `OLD=NEW'.  False if it is not.  */
bool source_map_add(struct source_map *map, const char *text);
void source_map_free(struct source_map *map);

/* The path, on the heap, to which NAME has moved: OLD, a path that it begins with, is replaced by
   NEW; the longest such OLD counts, and of equal ones the last.  NULL if there is none.  */
char *source_map_apply(const struct source_map *map, const char *name);

/* Where sources are searched for, and the image that was made from them.  */
struct source_rules {
    const struct search_path *path;
    const struct source_map *map;
    const char *image;
    int64_t image_modified; /* seconds since 1970 */
    enum source_messages {
        SOURCES_WARN, /* of each that is not found, and of those that are newer than the image */
        SOURCES_NOTE, /* the same, but one note on all that are not found */
        SOURCES_QUIET
    } messages;
};

/* Reads the texts of the annotation's sources.  Tries where the map says that a source has moved;
   then its name; then, if that is relative, its name below each directory of the path; then its
   base name in each directory.  Removes and counts sources that cannot be read, with a warning.
   Warns of sources that are newer than the image.  */
void sources_read(struct annotation *annotation, const struct files *files,
                  const struct source_rules *rules, struct diagnostics *diagnostics);

/* Creates or overwrites the file for the annotated source at PATH: `BASE-ann' in the current
   directory.  NULL after a message if that fails, or if the file exists and is a link or not a
   regular file.  Close it with source_close: false after a message if not everything could be
   written.  */
FILE *source_create(const char *path);
bool source_close(FILE *file, const char *path);

#endif
