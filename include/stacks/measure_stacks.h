/* measure_stacks.h - names recorded stacks, and measures inclusive times by them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_STACKS_MEASURE_STACKS_H
#define REGPROF_STACKS_MEASURE_STACKS_H

#include "model/model.h"
#include "model/recorded_stacks.h"

/* Makes the tree of STACKS by functions, with the ids of SYMTAB for functions of the program, in
   place of the tree by addresses.  CODE has the functions of each object, by object; code in none
   of them, and all if CODE is NULL, has one name for each object.  Neighbouring frames of one such
   name become one.  Leaves out the frames that start the program or a thread, those of libregmon,
   and samples that were taken while it counted a call, which a program without it does not do.
   Returns the samples of stacks that have a frame of the program which no symbol covers.  */
double stacks_name(struct recorded_stacks *stacks, const struct symtab *symtab,
                   struct object_code *code);

/* Puts the trees of threads, which stacks_name has made, in place of the tree of all STACKS, whose
   columns go with it.  */
void stacks_keep_threads(struct recorded_stacks *stacks);

/* The id of CODE, of OBJECT, by which STACKS were named, in no stack until now perhaps.  */
uint32_t stacks_id_of_code(struct recorded_stacks *stacks, uint32_t object,
                           struct named_range *code);

/* Measures the samples of STACKS by label, of LABEL_COUNT; all labels that number no frame are the
   one after these.  A function that is several times in a stack counts once, so its callers' lines
   add up to its total, and so do its callees' lines and its own time, however functions recur.
   Takes time linear in the nodes of the tree.  Free with measured_free.  */
struct measured stacks_measure(const struct stacks *stacks, size_t label_count);

/* Measures named STACKS.  */
void recorded_measure(struct recorded_stacks *stacks);

#endif
