/* read_code.h - reads source lines and instructions of the functions that --code shows.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_READ_CODE_H
#define REGPROF_PROGRAM_READ_CODE_H

#include "analysis/make_code.h"
#include "input/disassemble.h"
#include "program/request.h"

/* The program, or another object with functions that are shown.  */
struct code_object {
    struct image *image;
    size_t function_count;            /* that are shown */
    struct vma_list addrs;            /* where lines may change, if they were read for all code */
    struct instructions instructions; /* owns their texts */
    const char *bare;                 /* the first function with neither lines nor instructions */
    size_t bare_count;                /* of these */
    bool lacks_disassembler;
};

/* Zeroed = nothing is read; see code_listing_free.  */
struct code_listing {
    struct code_view view;
    struct code_range *functions;
    struct code_piece *pieces;
    size_t piece_count, piece_capacity;
    struct code_object *objects; /* as recorded stacks number them; 0: the program */
    size_t object_count;
    struct annotation sources; /* the files of the view's lines that were found */
    struct top top;            /* all functions, the most time first; owns their names */
    struct arena arena;        /* owns the lines */
    const char *closed;        /* the first function whose object's file was not read */
    size_t closed_count;       /* of these */
};

/* Makes the view of the functions that the options select.  Requires the snapshot.  */
void read_code(struct code_listing *listing, const struct request *request,
               struct analysis *analysis);
void code_listing_free(struct code_listing *listing);

#endif
