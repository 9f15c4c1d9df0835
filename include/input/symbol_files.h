/* symbol_files.h - text files that name symbols: the map of -R, the symbol table of -S.

   Names are copied into the arena NAMES.  If a file cannot be used, a function prints a message,
   with the line, and returns false.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_SYMBOL_FILES_H
#define REGPROF_INPUT_SYMBOL_FILES_H

#include "base/memory.h"
#include "model/model.h"

/* Reads a map of object files, as `nm --print-file-name' writes it: lines `object:address type
   name', of which only the object and the text after the last blank are used.  In each sequence of
   lines with the same object, the first has the function that represents the object.  MAP is empty
   before; free it with object_map_free.  */
bool symbol_files_read_objects(struct object_map *map, struct arena *names, const char *path);

/* A symbol table from a file.  */
struct symbol_list {
    struct raw_symbol *symbols; /* on the heap */
    size_t count, capacity;
};

/* Reads a symbol table: lines `address type name', as in the output of nm and in /proc/kallsyms.
   Symbols of types T and t are functions; all other lines are ignored.  LIST is empty before; free
   its symbols with free.  */
bool symbol_files_read_symbols(struct symbol_list *list, struct arena *names, const char *path);

#endif
