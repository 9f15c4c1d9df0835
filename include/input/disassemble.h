/* disassemble.h - machine code of the image as text, by libopcodes.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_DISASSEMBLE_H
#define REGPROF_INPUT_DISASSEMBLE_H

#include <stdbool.h>

#include "base/memory.h"
#include "input/image.h"

struct instruction {
    vma addr;
    const char *text; /* `mov    %rsp,%rbp', without tabs */
    bool is_jump;     /* a call, a jump or a return, as far as libopcodes says it */
};

/* Ascending by address.  Zeroed = empty; see instructions_free.  */
struct instructions {
    struct instruction *list;
    size_t count, capacity;
    struct arena arena; /* owns the texts */
    void *symbols;      /* of libopcodes */
    size_t symbol_count;
};

struct disassembly_rules {
    const char *options; /* of the disassembler, as objdump -M has them; or NULL */
    /* The name to print for ADDR, and how far behind its start that is; NULL: none.  */
    const char *(*name_at)(const void *context, vma addr, vma *offset);
    const void *context;
};

/* Whether this program can disassemble at all.  */
bool can_disassemble(void);

/* Whether some disassembler has all OPTIONS, separated by commas: most ignore what they do not
   know.  */
bool knows_disassembler_options(const char *options);

/* Adds the instructions of all code in [LOW, HIGH), in the order of sections; what the file lacks
   is left out.  Names of symbols must have been read.  False if there is no disassembler for the
   processor.  */
bool disassemble(struct instructions *instructions, struct image *image, vma low, vma high,
                 const struct disassembly_rules *rules);

void instructions_free(struct instructions *instructions);

#endif
