/* recorded_stacks.h - call stacks of samples, as libregmon records them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_RECORDED_STACKS_H
#define REGPROF_MODEL_RECORDED_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/sort.h"
#include "base/text.h"
#include "model/stacks.h"
#include "model/times.h"

/* A frame of a stack, before it is named.  */
struct recorded_frame {
    uint32_t object; /* its number; NO_OBJECT: not known */
    uint64_t addr;   /* where it was; of a caller, the last byte of its call instruction */
};
#define NO_OBJECT UINT32_MAX
#define LIBREGMON "libregmon.so"  /* its name begins so; its time is that of counting */
#define PROGRAM_SHOWN "[program]" /* code of the program that is in no function */
#define CUT_STACK "?" /* the object of a first frame that is not known; shown as CUT_SHOWN */
#define CUT_SHOWN "<unknown>"
#define GENERATED_CODE                                                                             \
    "[generated code]" /* the object of code that the program made while it ran: an address there  \
                          is a number in `generated' plus 1, or 0 */

/* The file of an object; NULL where it is not known.  */
struct object_file {
    const char *path, *build_id;
    bool is_mixed; /* inputs have several builds of the object, whose addresses differ */
};

/* The code of a function in an object's file.  */
struct named_range {
    uint64_t start, end; /* [start, end) */
    const char *name;    /* raw; NULL: it is known only where the function begins */
    uint32_t id;         /* of named_frames, once a stack goes through it; else 0 */
};

/* The functions of an object, ascending, none overlapping others.  */
struct object_code {
    struct named_range *ranges;
    size_t count;
};

/* The range of CODE that has ADDR, or NULL.  */
static inline struct named_range *object_code_find(const struct object_code *code, uint64_t addr)
{
    size_t upto = count_at_most(code->ranges, code->count, sizeof *code->ranges,
                                offsetof(struct named_range, start), addr);
    return upto > 0 && addr < code->ranges[upto - 1].end ? &code->ranges[upto - 1] : NULL;
}

/* Frames in other objects that have one name: those of a function, or of an object as a whole.  */
struct other_code {
    const char *name; /* `memcpy [libc.so.6]', `libc.so.6+0x8f3a0', `[libc.so.6]' */
    uint32_t object;
    uint64_t start, end; /* a function's code in the object's file: [start, end); else 0 */
    bool is_starter;     /* functions of other objects are below it where it begins a stack */
};

/* Samples of a function, or of a line of an entry of the call graph.  */
struct measured_times {
    double self;  /* that end in the function, or in the callee */
    double total; /* all */
};

/* Samples in which CALLER is the caller of the outermost CALLEE, and samples in which CALLEE is
   called by the innermost CALLER.  They differ where functions recur: the first are the callers'
   lines in the entry of the callee, the second the callees' lines in the entry of the caller.  */
struct measured_arc {
    uint32_t caller, callee; /* NO_ID: no caller; only `outer' is known then */
    struct measured_times outer, inner;
};

/* Inclusive times from stacks, in samples (stacks/measure_stacks.h).  Ids are those of nodes.  */
struct measured {
    struct measured_times *functions; /* by id */
    struct measured_arc *arcs;        /* in no particular order */
    size_t arc_count;
};

void measured_free(struct measured *measured);

/* Calls that were counted in an object, and are in a file beside the profile.  */
struct recorded_calls {
    const char *profile; /* the path of this profile, not owned; NULL: not known */
    uint32_t object;
    uint64_t total; /* of all of them */
};

#define NAMELESS_THREAD "[thread without name]"

/* Which threads stacks are of.  Trees have one root for the threads of one name.  */
struct recorded_threads {
    struct string_map names;   /* have the numbers 1, 2, ...; 0: the thread is not known */
    struct pair_map processes; /* (number; when it began), or (0; count so far): not known */
    uint32_t process;          /* of the threads that follow: a number of `processes' */
    struct pair_map numbers;   /* of threads: (name << 32 | process; number) */
    double *samples;           /* by number of the pair plus 1; 0: of threads that are not known */
    size_t samples_capacity;
    struct pair_sums ends; /* samples by where their stacks end: (name << 32; place) */
    uint32_t current;      /* whose samples are added: the number of its pair plus 1, or 0 */
    /* Computed by stacks_name, if there are `numbers': */
    struct stacks tree; /* like that of all stacks, but its roots are threads; has no columns */
    uint32_t first_id;  /* of thread 0; those of others follow */
};

/* The threads that follow are of PROCESS, which BEGAN then: several files can have parts of it.  0:
   of one that is not known, and is none of those before it.  */
void threads_begin_process(struct recorded_threads *threads, uint64_t process, uint64_t began);

/* The samples that are added from now on are of the thread with this NAME and NUMBER.  */
void threads_begin(struct recorded_threads *threads, const char *name, uint64_t number);

/* Adds SAMPLES of the current thread that end in PLACE.  Whether none of its name ended there
   before.  */
bool threads_add(struct recorded_threads *threads, uint32_t place, double samples);

/* Makes TIMES samples of PER.  */
void threads_scale(struct recorded_threads *threads, double times, double per);

/* The pairs of MAP, `numbers' or `ends.map', by the name of the thread.  Free with id_lists_free.
 */
struct id_lists threads_list(const struct recorded_threads *threads, const struct pair_map *map);

/* Whether an object of this NAME, which may be a path, is libregmon.  */
static inline bool recorded_is_library(const char *name)
{
    return strncmp(path_base(name), LIBREGMON, strlen(LIBREGMON)) == 0;
}

/* The objects that frames are in, and what files say of them.  */
struct recorded_objects {
    struct string_map names;   /* 0 is the program */
    struct object_file *files; /* by object: of the first `file_capacity' */
    size_t file_capacity;
    uint32_t library;             /* the number of libregmon; 0: none */
    struct string_map generated;  /* names of functions in generated code */
    struct recorded_calls *calls; /* file after file */
    size_t call_count, call_capacity;
};

/* The number of the object NAME, which is added if it is new.  */
uint32_t objects_number(struct recorded_objects *objects, const char *name);

/* The number of the object NAME; NO_OBJECT: there is none.  */
uint32_t objects_find(const struct recorded_objects *objects, const char *name);

/* How stacks are read and named.  */
struct stack_rules {
    bool is_foreign;      /* of another profiler: all frames are shown, also those that start the
                             program or count calls, and rates are per unit of the histogram, not
                             per second */
    bool is_stated;       /* there are no stacks: the profile states what they would measure */
    bool folds_libraries; /* other objects have one name each, and no row */
    bool is_by_line;      /* frames on one line of a file are the same */
    bool keeps_places;    /* when they are named */
    bool keeps_threads;   /* set before files are read */
    bool keeps_files;     /* set before files are read, so that the tree has a column for each */
};

/* Ids of frames that have names: of symbols, and then of what is in other objects.  */
struct named_frames {
    uint32_t symbol_count;     /* ids below are those of symbols; others this plus an index: */
    struct other_code *others; /* each object as a whole, then what is in none, then functions */
    size_t other_count, other_capacity;
    uint32_t *of_places; /* by place, if they are kept: of its function; NO_ID: it is in none */
};

static inline size_t frames_count(const struct named_frames *frames)
{
    return frames->symbol_count + frames->other_count;
}

/* The code that ID stands for if it is in another object; else NULL.  */
static inline const struct other_code *frames_other(const struct named_frames *frames, uint32_t id)
{
    bool is_other = id >= frames->symbol_count && id < frames_count(frames);
    return is_other ? &frames->others[id - frames->symbol_count] : NULL;
}

/* The stacks of some files.  Zeroed = empty; see recorded_stacks_free.  */
struct recorded_stacks {
    struct stack_rules rules;
    struct recorded_objects objects;
    /* All stacks as a tree, until they are named: a place is a frame with those above it, and comes
       after them.  Stacks share most of their frames, so this takes much less memory than a list of
       frames each.  */
    struct pair_sums places; /* (place of the caller + 1, or 0, plus object << 32; address), and
                                samples of the stacks that end there */
    struct recorded_threads threads; /* if they are kept */
    struct stacks tree; /* by functions: labels are ids of `frames'; until stacks_name makes it,
                           only columns, whose ends are places */
    double rate;        /* samples per second: the largest of the files */
    struct weights all; /* of the samples of all stacks, at this rate */
    bool has_weights;   /* that differ; a sample is one of the mean weight then */
    uint64_t stored;    /* bytes of the files, as they are on disk */
    /* What is not in the stacks.  */
    struct {
        enum {
            CALLERS_KNOWN,
            CALLERS_OF_LEAVES, /* frame pointers told them, which leaf functions may not have */
            CALLERS_OF_ALL     /* there are only samples, without stacks */
        } callers;
        double cut; /* samples whose outermost frames are not known; set by recorded_measure */
        uint64_t of_programs; /* samples of what is shown that are of other programs */
        const char *samples;  /* of the files, that are in none: `9765 of page-faults'; NULL: none;
                                 not owned */
        bool calls; /* the program has none, of which samples in libregmon could be the cost */
        double unsampled, run; /* seconds of the run without samples, if they are worth a line; of
                                  all of it */
    } missing;
    /* Computed by stacks_name: */
    struct named_frames frames;
    double counted; /* samples in nodes: all but those in which libregmon counted */
    /* Computed by recorded_measure: */
    struct measured measured;
};

/* The samples in nodes, as texts count them: those that were recorded.  Sets ARE_EFFECTIVE if their
   weights differ and only the effective ones are known, because the file has these alone, or some
   were left out.  */
double recorded_samples(const struct recorded_stacks *stacks, bool *are_effective);

/* Whether weights of samples differ.  */
bool recorded_are_unequal(const struct recorded_stacks *stacks);

/* Whether there are stacks, which have names by then: not if a profile only states times.  */
static inline bool recorded_has_stacks(const struct recorded_stacks *stacks)
{
    return stacks->counted > 0 && !stacks->rules.is_stated;
}

/* Makes TIMES samples of PER, and such a rate.  Columns stay as they are.  */
void recorded_stacks_scale(struct recorded_stacks *stacks, double times, double per);

void recorded_stacks_free(struct recorded_stacks *stacks);

#endif
