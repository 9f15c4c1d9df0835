/* libbfd_files.h - the files that libbfd has open for an image: the image itself and, for a
   stripped one, the file that its symbols and debug information were split off into.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_DEBUG_LIBBFD_FILES_H
#define REGPROF_DEBUG_LIBBFD_FILES_H

#include "config.h"

#include <bfd.h>

#include "base/compress.h"
#include "base/memory_limit.h"
#include "debug/debug_image.h"
#include "model/model.h"

/* Zeroed but for `path' = nothing is open.  */
struct libbfd_files {
    char *path;
    uint64_t size; /* of the image's file, in bytes */
    bfd *bfd;
    asection **code; /* the sections with code; parallel to the ranges of debug_image.text */
    asection *text;  /* that one of them which has the name for it, else the first */
    asymbol **table; /* NULL until it is read */
    size_t table_count;
    bfd *separate;                /* the file that has the symbols of a stripped image; or NULL */
    struct decompressed unpacked; /* see libbfd_compressed_open */
    char *separate_path;          /* of the file with what was split off; NULL if there is none */
    bool has_separate_path;       /* `separate_path' is set */
    bool is_separate_beside;      /* it was found by its name: libbfd does not look for it there */
    bool is_broken;               /* passed `line_memory': not for lines, not to be closed */
    asymbol *stubs;               /* see libbfd_stubs; NULL: not read, or none */
    size_t stub_count;
    struct arena stub_names;         /* those that are not of libbfd */
    struct memory_limit line_memory; /* for all calls of libbfd's line reader */
};

/* Prepares libbfd; called before the other functions.  */
void libbfd_files_begin(void);

void libbfd_files_close(struct libbfd_files *files);

/* Call these before and after a call of libbfd, which sets errno in case of trouble and leaves it
   alone otherwise.  */
void libbfd_call_begin(void);
/* Whether libbfd complained of the file.  If memory was exhausted, or a read failed, ends the
   program with a message that says WHAT was being read from the file at PATH.  */
bool libbfd_call_end(const char *path, const char *what);

/* Whether FILE is an object file, which is then read decompressed.  The SIZE bytes at SAID get the
   first line that libbfd writes to `stderr' past its error handler, or nothing where `stderr'
   cannot be redirected.  */
bool libbfd_is_object(bfd *file, char *said, size_t size);

/* Finds the sections with code and fills TEXT; false if there are none.  The array of ranges is on
   the heap.  */
bool libbfd_find_code(struct libbfd_files *files, struct text_ranges *text);

/* The number of bytes that a section of the image can have, whatever the headers say.  */
uint64_t libbfd_section_limit(const struct libbfd_files *files, asection *section);

/* A copy of the section NAME of the image, of *SIZE bytes at *ADDR and followed by a NUL; NULL if
   there is none or it cannot be read.  Free with free.  */
char *libbfd_read_section(const struct libbfd_files *files, const char *name, size_t *size,
                          vma *addr);

/* Adds the table of all symbols in FILE or, if IS_DYNAMIC, of those that the loader needs, to
   `table'.  False if libbfd cannot read it.  */
bool libbfd_add_table(struct libbfd_files *files, bfd *file, bool is_dynamic);

/* The code of the linker that jumps to functions, of other objects, `puts@plt', or those of this
   one that are chosen when it is loaded: `[plt]' if these have no dynamic name.  Ascending; *COUNT
   of them, on the heap.  FILES owns the names.  */
struct named_range *libbfd_stubs(struct libbfd_files *files, size_t *count);

/* ---- The separate file ---- */

/* Opens the separate file as `separate': it has what was split off the image, and is found by its
   build id, by .gnu_debuglink, or because it is NAME.debug beside the image NAME and has the same
   build id or, if neither has one, the same text section.  False if there is none, or if it is no
   object file.  */
bool libbfd_separate_open(struct libbfd_files *files);

/* Opens as `separate', unless another one is open, what the image has in .gnu_debugdata: an object
   file with the symbols that are not dynamic, compressed by xz.  False if there is none, if the
   program was built without liblzma, or, *IS_DAMAGED, if it cannot be read.  */
bool libbfd_compressed_open(struct libbfd_files *files, bool *is_damaged);

/* The section of `separate' with the name and the addresses of SECTION of the image, or NULL.  */
asection *libbfd_separate_section(const struct libbfd_files *files, asection *section);

/* The file that holds the image's debug information, which may be the image; or NULL.  */
const char *libbfd_debug_path(struct libbfd_files *files);

/* Where a separate file is searched for: paths separated by commas, on the heap.  */
char *libbfd_debug_places(const struct libbfd_files *files);

/* The build id that the linker stored, in hexadecimal; NULL if there is none.  Free with free.  */
char *libbfd_build_id(const struct libbfd_files *files);

#endif
