/* builder.h - makes functions, places and stacks of what a reader finds, one sample at a time.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_FOREIGN_BUILDER_H
#define REGPROF_FOREIGN_BUILDER_H

#include <stdbool.h>

#include "base/hash.h"
#include "base/memory.h"
#include "model/foreign.h"

/* The code that samples are in.  */
struct foreign_code {
    struct string_map texts;   /* names, objects and files */
    struct pair_map homes;     /* (object + 1, or 0; file + 1, or 0) */
    struct pair_map functions; /* (name; home) */
    struct pair_map places;    /* (function; (file + 1, or 0) << 32 | line) */
};

/* What weights count.  */
struct foreign_event {
    char *name;         /* of the first file; NULL: not known yet */
    const char *value;  /* which of several values in that unit; NULL: not known */
    double unit_size;   /* weights in one of it, which times are shown in; 0: as units are known */
    struct weights all; /* absolute ones */
    enum figures figures;
    bool counts_weights; /* one sample is a weight of 1, whatever a reader says */
};

struct foreign_builder {
    struct recorded_stacks stacks; /* until the end, addresses are places of `code', samples of ends
                                      weights, and those of places of the input that is read */
    struct foreign_code code;
    struct foreign_event event;
    struct foreign_stated stated; /* until the end, weights in place of samples */
    struct {
        struct string_map keys, values; /* all keys; `KEY=VALUE' of that of --program, or of all */
    } labels;
    struct {
        struct string_map names;
        struct pair_map ids; /* (name << 32 | process; number) */
        uint32_t current;    /* whose samples are added: a number of `ids' plus 1; 0: not known */
    } threads;
    struct arena arena;
    /* Frames looked up in the input that is read, and those that are new, and calls: a crafted file
       could make very many of few bytes.  */
    struct {
        const uint64_t *size; /* bytes of the input so far, as they are stored */
        uint64_t visited, added;
        bool is_full; /* there were too many, and the last ones are missing */
    } budget;
    /* Samples that are not added, by event.  */
    struct {
        struct string_map events;
        uint64_t *counts;
        size_t capacity;
    } left_out;
    struct {
        bool *are; /* by frame */
        size_t capacity;
    } inlined;
    struct {
        struct foreign_input *list;
        size_t count, capacity;
    } inputs;
};

/* What tells a function from others of its name; NULL: not known.  */
struct function_home {
    const char *object; /* base name */
    const char *file;   /* path */
};

/* The place LINE (0: not known) of FILE (NULL: not known) in the function NAME of HOME.  A file
   that our own outputs put behind the name, which is that of HOME, is no part of it.  Copies all
   texts.  */
uint32_t builder_place(struct foreign_builder *builder, const char *name, struct function_home home,
                       const char *file, uint32_t line);

/* The place of code without a symbol in OBJECT: `[libfoo.so]'.  */
uint32_t builder_object(struct foreign_builder *builder, const char *object);

/* The frame PLACE of a stack below ABOVE, which is a frame plus 1, or 0 for none.  */
uint32_t builder_frame(struct foreign_builder *builder, uint64_t above, uint32_t place);

/* The same, of a function that was inlined: who records at most so many frames does not count it.
 */
uint32_t builder_inlined(struct foreign_builder *builder, uint32_t above, uint32_t place);

/* The frame that begins a stack whose outermost frames are not known.  */
uint32_t builder_cut(struct foreign_builder *builder);

/* Begins an input.  *SIZE is how many of its bytes have been read.  */
void builder_begin_input(struct foreign_builder *builder, const uint64_t *size);

/* The thread NAME with this NUMBER, by which it is told from others of the name in PROCESS or, if
   that is 0, its file; for `threads.current'.  It is noted with the first of its samples.  */
uint32_t builder_thread(struct foreign_builder *builder, const char *name, uint32_t process,
                        uint64_t number);

/* Adds COUNT samples of one weight, which have WEIGHT together, that end in FRAME.  If it is no
   whole number, they are effective ones, and how many were recorded is not known.  */
void builder_add(struct foreign_builder *builder, uint32_t frame, double weight, double count);
/* Adds samples of several weights, none of them negative.  */
void builder_add_weights(struct foreign_builder *builder, uint32_t frame,
                         const struct weights *weights);

/* Notes that COUNT samples of the file, which are of EVENT, are not added.  */
void builder_leave_out(struct foreign_builder *builder, uint64_t count, const char *event);

/* Adds CALLS from one place to another, of which the callee's own code has a weight of SELF (NaN:
   not known), and that with all it calls one of TOTAL.  */
void builder_call(struct foreign_builder *builder, uint32_t caller, uint32_t callee, uint64_t calls,
                  double self, double total);

/* Adds WEIGHT to the inclusive weight of the function that has PLACE.  */
void builder_total(struct foreign_builder *builder, uint32_t place, double weight);

/* Whether the samples so far can be counted: their weights are neither too large nor too small to
   be added up, or there are only calls.  */
bool builder_can_count(const struct foreign_builder *builder);

/* Whether the input that is read has neither samples nor calls so far.  */
bool builder_is_empty(const struct foreign_builder *builder);

/* Ends the file at PATH.  */
void builder_end_input(struct foreign_builder *builder, const char *path);

/* Moves everything to FOREIGN, which RULES say how to show.  */
void builder_finish(struct foreign_builder *builder, struct foreign *foreign,
                    const struct foreign_rules *rules);

/* Whether EVENT is, or has, a unit of time or memory: `ns', `cpu(ms)'.  */
bool builder_is_unit(const char *event);

/* Whether EVENT, or the name of a unit, is a time, in known units or not.  */
bool builder_is_time(const char *event);

/* Whether EVENT is one that callgrind or cachegrind counts.  */
bool builder_is_of_valgrind(const char *event);

void builder_free(struct foreign_builder *builder);

#endif
