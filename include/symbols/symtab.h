/* symtab.h - the symbols of the image, one per address, and the look-up of addresses in them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_SYMBOLS_SYMTAB_H
#define REGPROF_SYMBOLS_SYMTAB_H

#include "model/model.h"

struct symtab_rules {
    vma text_end;                     /* first address after the text */
    unsigned entry_units;             /* see struct symtab */
    char leading_char;                /* prefix of every C name of the image; 0 for none */
    bool no_static;                   /* -a: local symbols are dropped */
    bool functions_only;              /* -D: local symbols without the function mark are dropped */
    const struct object_map *objects; /* -R: one function of each object is kept and renamed to it;
                                         NULL for none */
};

/* Whether a raw symbol is kept: a global, or a static with the function mark, or a static
   whose name could be a function's (clone suffixes `.N', `.clone.N', `.constprop.N', nothing that
   compilers make up).  */
bool symtab_is_wanted(const struct raw_symbol *raw, const struct symtab_rules *rules);

/* Builds TABLE, which is empty before, from the wanted symbols of RAW: sorted by address, one per
   address (globals win over statics, then functions over other labels, then the fewest leading
   underscores), every end set, names without the leading character.  SOURCES, if not NULL, has file
   and line of each raw symbol.  Names stay owned by the image.  */
void symtab_build(struct symtab *table, const struct raw_symbol *raw, size_t count,
                  const struct raw_source *sources, const struct symtab_rules *rules);

/* Builds TABLE from complete symbols: sorts them, removes duplicates and sets the ends by the rules
   of symtab_build.  Takes ownership of SYMBOLS, an array on the heap; those at one address may be
   in any order.  */
void symtab_build_from(struct symtab *table, struct symbol *symbols, size_t count, vma text_end);

/* Adds a symbol that covers nothing after all others; returns its id.  */
uint32_t symtab_add_indirect_target(struct symtab *table, const char *name);

/* Adds a symbol that stands for another object after all others; it covers nothing.  */
void symtab_add_object(struct symtab *table, const char *name);

/* Adds `<outside>' after all others, for callers outside of the image; it covers no address.
 */
void symtab_add_outside(struct symtab *table);

/* The symbols that stand for callers outside of the image and for callees of indirect calls, or
   NO_ID.  */
uint32_t symtab_outside(const struct symtab *table);
uint32_t symtab_indirect_target(const struct symtab *table);

/* The symbol that covers ADDR, or NO_ID.  Constant time on evenly spread symbols.  */
uint32_t symtab_find(const struct symtab *table, vma addr);

/* Prefetches the memory that a look-up of ADDR reads.  */
void symtab_prefetch(const struct symtab *table, vma addr);

/* The nearest function at or before SYMBOL, which may be itself, or NO_ID.  */
uint32_t symtab_function(const struct symtab *table, uint32_t symbol);

void symtab_free(struct symtab *table);

#endif
