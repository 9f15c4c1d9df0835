/* image.h - the executable: symbols, text bytes, layout of its profiles, debug information, names.

   Only input/image_bfd.c knows which library reads it.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_IMAGE_H
#define REGPROF_INPUT_IMAGE_H

#include "base/message.h"
#include "debug/debug_image.h"
#include "input/gmon.h"
#include "model/listed_code.h"
#include "model/model.h"

struct image; /* opaque */

/* Opens the executable at PATH, which is copied, and open as FD, which the image closes; -1: it is
   not.  NULL after a message if it cannot be read or has no section with code.  */
struct image *image_open_at(const char *path, int fd, struct diagnostics *diagnostics);

static inline struct image *image_open(const char *path, struct diagnostics *diagnostics)
{
    return image_open_at(path, -1, diagnostics);
}

/* An image of the functions in CODE, which outlives it.  PATH, which is copied, is that of the
   profile that names them.  It has symbols and lines, and nothing else: no bytes, no sections, no
   processor.  */
struct image *image_of_list(const char *path, const struct listed_code *code,
                            struct diagnostics *diagnostics);

void image_close(struct image *image);

const char *image_path(const struct image *image);

/* The time of the file's last change, in seconds since 1970.  */
int64_t image_modified(const struct image *image);

/* The sections with code, except those of the linker and the C library (.init, .plt); owned by
   IMAGE.  */
const struct text_ranges *image_text(const struct image *image);

/* Whether the text has bytes: a list has none.  */
bool image_has_code(const struct image *image);

/* Where range NUMBER of the text begins in the file of the image, which is no list.  */
uint64_t image_text_offset(const struct image *image, size_t number);

/* The bytes of range NUMBER of the text, read at the first call and owned by IMAGE; NULL after a
   message if they cannot be read.  */
const unsigned char *image_text_bytes(struct image *image, size_t number);

/* Reads SIZE bytes of the text at ADDR.  False if they are not in one range of the text or cannot
   be read.  */
bool image_read_text(struct image *image, vma addr, unsigned char *bytes, size_t size);

struct gmon_layout image_layout(const struct image *image);

/* The family of the processor, as libbfd calls it: `i386' for x86-64, too.  ARM and RISC-V are
   known even if libbfd does not support them.  */
const char *image_arch(const struct image *image);
/* The distance from a function's address to its first instruction, in 16-bit units.  */
unsigned image_entry_units(const struct image *image);

/* The address of the code that ADDR refers to: on ARM, without bit 0, which is set in pointers to
   functions of the instruction set T32 (Thumb).  */
vma image_code_address(const struct image *image, vma addr);

/* The address where the program begins; 0: not known.  */
vma image_entry(const struct image *image);

/* Whether the image is an object file, which was not linked.  */
bool image_is_object_file(const struct image *image);

/* The address of the image that is ADDR in a profile whose addresses are SLIDE higher.  */
vma image_slid(const struct image *image, vma addr, vma slide);

/* Whether the image has no symbols of its own, except those that the dynamic loader needs.  */
bool image_is_stripped(struct image *image);

/* Whether it is stripped, and neither a file with its symbols is found nor are they compressed in
   it.  */
bool image_lacks_symbols(struct image *image);

/* Warns that it is; image_symbols does so if it finds symbols that the loader needs.  */
void image_warn_of_strip(struct image *image);

/* Where a file with the symbols and lines that were split off is searched for: paths separated by
   commas, on the heap.  */
char *image_debug_places(struct image *image);

/* The build id that the linker stored, in hexadecimal; NULL if there is none.  Free with free.  */
char *image_build_id(struct image *image);

/* A copy of the section NAME, of *SIZE bytes at *ADDR and followed by a NUL; NULL if the image has
   none or it cannot be read.  Free with free.  */
char *image_section(struct image *image, const char *name, size_t *size, vma *addr);

/* The code of the linker that jumps to functions of other objects, `puts@plt', ascending; *COUNT
   of them.  Free with free; IMAGE owns the names.  */
struct named_range *image_stubs(struct image *image, size_t *count);

/* The object that the code at ADDR is in, without its directory: the image, but of a list of
   functions what it says of each; NULL: not known.  */
const char *image_object_at(const struct image *image, vma addr);

const char *image_arch_name(const struct image *image);

/* The character that this image's symbol table adds before each C name; 0 for none.  */
char image_leading_char(const struct image *image);

/* The symbols that may be functions (types T and W of nm; t: static), in the order of the image's
   symbol table, then the synthetic symbols (PowerPC function entries).  For a stripped image: those
   of its debug file or, if there is none, those that are compressed in it (.gnu_debugdata) and
   those that the dynamic loader needs; if there are only these, after a warning.  NULL after a
   message if their names cannot be read.  Free with free; IMAGE owns the names.  */
struct raw_symbol *image_symbols(struct image *image, size_t *count);

/* The name of symbol NUMBER of the image's table, or NULL if there are not so many.  An optional
   symbol is imported and may be missing at run time.  */
enum symbol_kind { SYMBOL_DEFINED, SYMBOL_IMPORTED, SYMBOL_OPTIONAL };
const char *image_symbol_name(struct image *image, size_t number, enum symbol_kind *kind);

/* Whether image_line or image_position has warned that source lines may be missing.  */
bool image_has_damaged_lines(const struct image *image);

/* Whether the debug information knows file, function and a line for ADDR.  */
bool image_line(struct image *image, vma addr, struct source_pos *pos);

/* Whether the debug information knows file and a line for ADDR.  Much faster than image_line; does
   not set pos->function.  */
bool image_position(struct image *image, vma addr, struct source_pos *pos);

/* Whether the debug information knows that the code at ADDR was inlined, and file and line of the
   call, in the function of which it is a part now; does not set pos->function.  */
bool image_inline_site(struct image *image, vma addr, struct source_pos *pos);

/* The addresses of the text in [LOW, HIGH) at which the answers of these can change: rows of the
   line table, starts and ends of units, functions and inlined functions, symbols.  Ascending, each
   once, perhaps with some at which nothing changes; free with free.  */
vma *image_line_addresses(struct image *image, vma low, vma high, size_t *count);

/* Finds the style of mangled names called NAME (`auto', `gnu-v3', `rust', ...); false if there is
   none.  */
enum { DEMANGLE_AUTO = 0 };
bool image_find_demangling_style(const char *name, int *style);

/* False if NAME cannot be a mangled name.  */
bool image_may_be_mangled(const char *name, int style);

/* The demangled form of a raw symbol name, on the heap, or NULL if it is not mangled.  NULL, too,
   if it is longer than 64 kB: each level of a mangled name can double it.  Then warns, once.  After
   64 names that need more than 1 MB, demangles no more.  */
char *image_demangle(struct image *image, const char *name, int style);

#endif
