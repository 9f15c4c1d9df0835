/* symbol_files.h - text files that name symbols: the map of -R, the symbol table of -S.

   Names are copied into the arena that is given.  A file that cannot be used makes a message, with
   the line, and false.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_SYMBOL_FILES_H
#define REGPROF_INPUT_SYMBOL_FILES_H

#include "base/memory.h"
#include "model/model.h"

/* Reads a map of object files, as `nm --print-file-name' writes it: lines `object:address type
   name', of which the object and what stands after the last blank matter.  The first of
   neighbouring lines of one object has the function that stands for it.  MAP is empty before; free
   it with object_map_free.  */
bool symbol_files_read_objects(struct object_map *map, struct arena *names, const char *path);

/* A symbol table in a file of its own.  */
struct symbol_list {
    struct raw_symbol *symbols; /* on the heap */
    size_t count, capacity;
};

/* Reads a symbol table: lines `address type name', as nm writes them and /proc/kallsyms has them.
   Types T and t are taken, and are functions; what else stands there is passed over.  LIST is empty
   before.  */
bool symbol_files_read_symbols(struct symbol_list *list, struct arena *names, const char *path);

#endif
