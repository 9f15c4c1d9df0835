/* debug_image.h - what readers of debug information know of an image; a reader's operations.

   A reader tells which file, line and function an address comes from.  It is a table of operations
   and names no library.  The image hands it a struct debug_image; readers do not know struct
   image.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_DEBUG_DEBUG_IMAGE_H
#define REGPROF_DEBUG_DEBUG_IMAGE_H

#include "base/message.h"
#include "model/model.h"

/* ---- Symbols of the text ---- */

struct text_symbol {
    vma addr;
    const char *function; /* name, owned by the image; NULL: the symbol is no function */
    uint32_t number;      /* in the image's table */
    bool is_static;       /* local to its object file */
};

/* Symbols by address.  Zeroed = none; free `symbols' with free.  */
struct text_symbols {
    struct text_symbol *symbols;
    size_t count, capacity;
    bool is_sorted;
    size_t last; /* result of the last search: most searches are for ascending addresses */
};

void text_symbols_add(struct text_symbols *symbols, struct text_symbol symbol);

/* Sorts by address; symbols at one address stay in the order in which they were added.  Linear.
   The functions below call it.  */
void text_symbols_sort(struct text_symbols *symbols);

/* The number of symbols at or before ADDR.  */
size_t text_symbols_upto(struct text_symbols *symbols, vma addr);

/* The name of the function symbol at ADDR, or NULL; PREFERRED if that is one of several.  */
const char *text_symbols_function(struct text_symbols *symbols, vma addr, const char *preferred);

/* Of several functions at ADDR, the name of the one that reports show; NULL if there is one or
   none.  A linker that folds identical code gives several functions one address.  */
const char *text_symbols_shown(struct text_symbols *symbols, vma addr);

/* ---- The image ---- */

struct libbfd_files;

struct debug_image {
    const char *path; /* of the image, for messages */
    int fd;           /* of its file; -1: it is not kept open */
    /* The file that holds the debug information: the image itself or, where it has none, a file
       that belongs to it by build id, by .gnu_debuglink or by its name; NULL: there is none.  */
    const char *debug_path;
    bool
        is_linked_elf; /* an ELF file that has been linked: debug information needs no relocation */
    struct text_ranges text;
    struct libbfd_files *files; /* for debug_bfd */
    struct text_symbols symbols;
    struct diagnostics *diagnostics; /* not owned */
    bool is_known_damaged;           /* a warning about damaged debug information was printed */
};

/* Warns, once per image, that its debug information is damaged.  MESSAGE is a format for the path
   of the image.  */
void debug_image_warn(struct debug_image *image, const char *message);

/* ---- Readers ---- */

/* The source position of an address.  */
struct source_pos {
    const char *file;     /* full path as known; valid until the next call */
    const char *function; /* raw name; valid until the next call */
    unsigned line;
};

/* A growing list of addresses.  Zeroed = empty; free `addrs' with free.  */
struct vma_list {
    vma *addrs;
    size_t count, capacity;
};
/* Adds ADDR if it is in [LOW, HIGH).  */
void vma_list_add(struct vma_list *list, vma addr, vma low, vma high);
/* Sorts LIST and keeps one of each address in TEXT, rounded up to whole instructions of STEP
   bytes.  */
void vma_list_unique(struct vma_list *list, const struct text_ranges *text, unsigned step);

enum position_parts { POSITION_LINE, POSITION_FUNCTION };

struct debug_reader {
    /* Reads enough of the debug information of IMAGE, which outlives the result, to answer
       questions.  NULL if this reader does not know its form.  */
    void *(*open)(struct debug_image *image);

    /* Whether file and line of ADDR are known and, for POSITION_FUNCTION, the function.  Sets *POS;
       what it points to lives until the next call.  */
    bool (*position)(void *info, vma addr, enum position_parts parts, struct source_pos *pos);

    /* Whether the code at ADDR was inlined, and from where: sets file and line of the call, in a
       function that was not inlined itself.  What POS points to lives as long as INFO.  NULL: the
       reader does not know.  */
    bool (*inline_site)(void *info, vma addr, struct source_pos *pos);

    /* Adds to LIST every address of [LOW, HIGH) where the answers of the others can change, and
       perhaps others.  */
    void (*boundaries)(void *info, vma low, vma high, struct vma_list *list);

    void (*close)(void *info);
};

/* DWARF of linked ELF files, by libdw, if it is there.  */
extern const struct debug_reader dwarf_reader;
/* All forms that libbfd knows.  It reads all of it for the first answer, and where the answers
   change is found by asking for every address.  */
extern const struct debug_reader debug_bfd;

/* For an image that is a list of functions: its information is the struct listed_code.  */
extern const struct debug_reader debug_list;

#endif
