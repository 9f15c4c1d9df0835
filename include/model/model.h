/* model.h - what is known about a profiled program: plain data, no behaviour.

   The input layer fills it, the analysis layer computes on it, the output layer prints it.  They
   share no other data.

     image ----> symtab --+--> hist ----+
                          |             +--> graph (cycles, propagation) --> views --> reports
     profiles ------------+--> arcs ----+
                          +--> blocks

   Everything refers to everything else by index, so that arrays may move and be sorted:

     symbol id   index into symtab.symbols, ascending by address
     node id     a symbol id, or symtab.count + (cycle number - 1) for a cycle as a whole
     arc id      index into arcs.arcs, by caller, then in order of first appearance
     file id     index into files.paths, in order of first mention  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_MODEL_H
#define REGPROF_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/common.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/recorded_stacks.h"
#include "model/table.h"
#include "model/times.h"

/* An address in the image.  Images of 32 bits are held in the low half, sign-extended where the
   target asks for it.  */
typedef uint64_t vma;

/* ---- Text ---- */

struct text_range {
    vma start, end; /* [start, end) */
};

/* The sections with code, ascending by address, none empty unless it is the only one; they do not
   overlap.  */
struct text_ranges {
    struct text_range *ranges;
    size_t count;
    struct text_range all; /* from the start of the first to the end of the last */
};

/* The range that has the address ADDR, or NULL.  */
const struct text_range *text_range_at(const struct text_ranges *text, vma addr);

/* Whether some range has an address in [LOW, HIGH).  */
bool text_overlaps(const struct text_ranges *text, vma low, vma high);

/* ---- Source files ---- */

struct files {
    const char **paths; /* by file id, as the debug information names them */
    size_t count;
    struct string_map map; /* owns the paths */
    const char **labels;   /* by file id: as they are shown; NULL until resolved */
};

/* ---- Symbols ---- */

/* A symbol of the image, before duplicates are removed.  */
struct raw_symbol {
    vma addr;
    const char *name;       /* as in the image, leading character included; owned by the image */
    bool is_static;         /* local to its object file */
    bool is_weak;           /* several object files may define it */
    bool is_func;           /* counts as a function */
    bool has_function_mark; /* the image itself marks it as a function */
    bool is_stub;           /* code of the linker that jumps to another object: `puts@plt' */
};

/* The place in the source of a raw symbol.  */
struct raw_source {
    uint32_t file; /* file id or NO_ID */
    uint32_t line;
};

/* What the debug information says about one address.  */
struct line_row {
    vma addr;
    uint32_t file;        /* file id */
    uint32_t line;        /* > 0 */
    const char *function; /* raw name */
};

struct symbol {
    vma addr;
    vma end;             /* last byte; below addr for a symbol that covers nothing */
    vma reach;           /* `end'; of a function that -l has split, the function's last byte */
    const char *name;    /* raw (mangled), without the image's leading character */
    const char *label;   /* as it is printed, demangled or not; NULL until resolved */
    uint32_t file;       /* file id or NO_ID */
    uint32_t line;       /* 0 when unknown */
    uint32_t label_size; /* bytes of the label */
    bool is_static;
    bool is_func;
    bool is_line;            /* represents a source line (-l) */
    bool is_object;          /* represents an object file and has its name (-R) */
    bool is_indirect_target; /* callee of all indirect calls (-c); printed only as a callee */
    bool is_outside;         /* caller of all calls from address 0; printed only as a caller */
    bool is_other_object;    /* frames of recorded stacks that are in another object */
    bool is_stub;            /* as of raw symbols; listed only with time */
};

/* Whether a symbol stands for no code of the image: it has no row in any report, and an entry in
   the call graph only if it stands for an object.  */
static inline bool is_pseudo(const struct symbol *symbol)
{
    return symbol->is_indirect_target || symbol->is_outside || symbol->is_other_object;
}

/* Whether a symbol stands for code, of the image or of another object: it may have a row of a
   table, or an entry.  */
static inline bool stands_for_code(const struct symbol *symbol)
{
    return symbol->is_other_object || !is_pseudo(symbol);
}

/* Whether LATER and not KEPT, which comes before it in the image, is the symbol of the address that
   they share.  */
bool is_preferred_symbol(const struct symbol *later, const struct symbol *kept);

/* The label of a symbol, or its raw name if it has none.  */
static inline const char *label_of_symbol(const struct symbol *symbol)
{
    return symbol->label != NULL ? symbol->label : symbol->name;
}

struct symtab {
    struct symbol *symbols; /* ascending by address, no two at one address */
    size_t count, capacity; /* of this array and the others by symbol id */
    size_t found;           /* look-ups find only the first ones: those after them cover nothing */
    /* Look-up by address.  The text from the first symbol on is cut into buckets of 2^bucket_shift
       bytes, about one for each symbol, so a look-up reads one bucket and, in most cases, nothing
       else.  `before' counts the symbols that begin at or below the first byte of the bucket;
       `offset' is the distance from there to the next symbol, or 0 if several symbols begin inside
       the bucket, if the next one is too far away, or if there is none.  With buckets of 16 bytes:

           address   0x00      0x10      0x20      0x30      0x40
           bucket    |    0    |    1    |    2    |    3    |    4    |
           symbols   A       B           C     D E                    (0x00 0x0c 0x24 0x2d 0x30)
           before    1         2         2         5         5
           offset    0x0c      0x14      0         0         0

       An address in bucket 0 belongs to A if it is less than 0x0c bytes into the bucket, else to B;
       in bucket 1 it belongs to B.  In bucket 2, C and D begin: the symbols from number before[2]
       up to before[3] are searched.  There is one bucket more than bucket_count, for `before'.  */
    struct symtab_bucket {
        uint32_t before, offset;
    } * buckets;
    size_t bucket_count;
    unsigned bucket_shift;
    vma text_end; /* the first address after the text */
    unsigned
        entry_units; /* from the address of a function to its code, in 16-bit units: VAX has 1 */
    vma covered;     /* last address that a symbol covers */
    vma *starts;     /* by symbol id: its address */
    uint32_t *functions; /* by symbol id: nearest function at or before, or itself; or NO_ID */
    uint8_t *is_label;   /* one bit for each symbol: it is not a function */
};

/* The object file of each function, and the function that represents the file (-R).  */
struct object_map {
    struct object_entry {
        const char *function; /* as in the image */
        const char *object;
        bool is_first; /* of the file's functions in the map: it represents the file */
    } * entries;       /* by function, stable from the order of the map */
    size_t count, capacity;
};

/* A set of symbols, as symspecs name it.  Empty if HAS is NULL.  */
struct sym_set {
    bool *has;     /* by symbol id */
    bool is_given; /* some spec matched; an include set that is not given includes all symbols */
};

/* A set of arcs: the union of the products callers x callees.  */
struct arc_set {
    struct arc_product {
        struct sym_set callers, callees;
    } * products;
    size_t count;
};

/* The symbols a report includes and excludes.  */
struct filter {
    struct sym_set include, exclude;
};
struct filters {
    struct filter flat, graph, time, counts, annotate;
    struct sym_set tree; /* whose callers the tree of calls shows */
    struct sym_set code; /* whose code --code shows */
    struct arc_set include_arcs, exclude_arcs;
};

static inline bool is_in(const struct sym_set *set, uint32_t symbol)
{
    return set->has != NULL && set->has[symbol];
}

/* Whether SYMBOL passes FILTER: it is in the include set or, if none is given, not in the exclude
   set.  */
static inline bool is_accepted(const struct filter *filter, uint32_t symbol)
{
    if (filter->include.is_given)
        return is_in(&filter->include, symbol);
    return !is_in(&filter->exclude, symbol);
}

bool is_arc_accepted(const struct filters *filters, uint32_t caller, uint32_t callee);

/* ---- Profile data ---- */

struct histogram {
    vma low, high; /* the bins share [low, high) evenly */
    uint32_t bin_count;
    uint32_t order; /* of first appearance, from 0 */
    uint64_t most;  /* upper bound on the samples of any bin */
    uint32_t *bins; /* samples by bin; NULL if `most' needs more than 32 bits */
    uint64_t *wide; /* samples by bin if `bins' is NULL, else NULL */
};

static inline uint64_t bin_of(const struct histogram *histogram, uint32_t i)
{
    return histogram->wide != NULL ? histogram->wide[i] : histogram->bins[i];
}

struct hist_set {
    struct histogram *hists; /* ascending by low, no overlap */
    size_t count, capacity;
    double rate; /* samples per unit of `dimension' (seconds, mostly); of the first histogram */
    char dimension[UNIT_SIZE]; /* "seconds"; NUL-terminated */
    char abbreviation;         /* 's' */
    const char *value;         /* which of several values in that unit; NULL: not known */
    double scale;              /* 16-bit units per bin, of the first histogram */
    enum figures figures;
    /* What the bins count is one of so many parts of a sample: ticks that are counted several at
       once, or fractions of a foreign sample, where weights differ.  0 or 1: a sample.  Example: a
       rate of 100 and a fineness of 4: a tick is 1/400 s.  */
    double fineness;
    /* Computed by hist_assign, in samples: */
    double *time; /* by symbol id: credited */
    double samples;
    double total;   /* without those of excluded symbols */
    double outside; /* credited to no symbol, except for rounding */
};

/* Whether bin I of a histogram of SET is negative: as an int64_t, then.  */
static inline bool bin_is_negative(const struct hist_set *set, const struct histogram *histogram,
                                   uint32_t i)
{
    return figures_traits(set->figures)->has_signs && (int64_t)bin_of(histogram, i) < 0;
}

/* If no selected report needs arcs, only `calls' and `self_calls' are there.  */
struct arc_table {
    struct arc *arcs; /* by caller, those of one caller in order of first appearance */
    size_t count;
    uint32_t *by_age; /* arc ids in order of first appearance; or NULL */
    /* The arcs from s to its callees are those from callee_start[s] up to, not including,
       callee_start[s + 1].  */
    uint32_t *callee_start;
    struct id_lists callers; /* arcs to each symbol, newest first, until times are known; `start'
                                also for the call graph, where the ids move to views.callers */
    uint64_t *calls;         /* by symbol id: calls from other functions */
    uint64_t *self_calls;    /* by symbol id: calls to itself */
    bool *has_other_callers; /* by symbol id: called through arcs that are not in the table, since
                                no symbol covers the caller or a filter excludes the arc; NULL
                                where no report is about arcs */
    uint64_t recorded;       /* calls in the profiles, those that filters exclude included */
    uint64_t dropped;        /* calls in `recorded' whose caller or callee no symbol covers */
};

/* A basic block's execution count.  */
struct block {
    uint32_t symbol; /* the symbol that covers it */
    vma addr;
    uint64_t count;
};

struct block_table {
    struct block *blocks; /* by symbol, those of one symbol in order of first appearance */
    size_t count, capacity;
    size_t dropped;        /* records of blocks that no symbol covers */
    struct pair_map addrs; /* numbers the blocks while they are read */
};

/* The blocks of SYMBOL in a finished table, *COUNT of them.  */
const struct block *blocks_of(const struct block_table *table, uint32_t symbol, size_t *count);

/* What was read, for the file info report, one per file.  */
struct file_info {
    const char *path;
    int version;             /* of the magic format, or of the BSD format */
    bool counts_all_threads; /* marked as written by a library that counts calls of all threads */
    bool is_bsd;             /* a BSD format: has a call section even when it is empty */
    bool is_outside;         /* all its histograms are outside the text: a warning was printed */
    unsigned long histograms, arcs, blocks; /* records */
};

/* ---- The call graph ---- */

struct node {
    uint64_t calls;      /* a cycle: from outside */
    uint64_t self_calls; /* a cycle: between different members */
    double time;         /* samples of its own; a cycle: of the members whose fraction is not 0 */
    double fraction;     /* the part of `time' that is in the graph */
    uint32_t index;      /* 1..: rank in the call graph report, printed or not */
    bool is_shown;       /* the print flag */
};

struct graph {
    struct node *nodes; /* by node id: symbols, then cycles */
    uint32_t *cycle;    /* by node id: the number of the cycle it is in, or is; 0 = none */
    size_t count;       /* symtab.count + cycle_count */
    size_t symbol_count;
    size_t cycle_count;
    uint32_t *members;      /* symbol ids, cycle after cycle, each in member order (head first) */
    uint32_t *member_start; /* cycle_count + 1 entries */
    bool *is_entered;       /* by symbol id: in a cycle, and called from outside of it */
    uint8_t *is_internal;   /* bits by arc id, for is_internal_arc */
    uint32_t *number;       /* by symbol id: topological number, callees before callers */
};

/* Sorted views, ready for printing: printers walk them and never sort.  */
struct views {
    uint32_t
        *flat; /* symbol ids: rows of the flat profile in order, rows without content included */
    size_t flat_count;
    /* The next ones are NULL if no report needs them.  */
    uint32_t *graph;   /* node ids by index, all of them */
    uint32_t *by_name; /* symbol ids of the function index, then the cycles' node ids by number */
    size_t by_name_count;
    uint32_t *callers, *callees; /* arc ids, in lists as arc_table's, each in printed order */
    uint32_t *members;           /* as in graph, each cycle in printed order */
    uint32_t *counts; /* symbol ids: the execution counts in order, those without any included */
    size_t counts_count;
    uint32_t *functions; /* symbol ids, as -r suggests; NULL without -r */
    size_t function_count;
    const char **objects; /* names of object files, as -R suggests; NULL without -R */
    size_t object_count;
};

/* ---- Printed rows ---- */

/* A prefix of a unit and its factor: {'m', 1000}, since 1000 ms are a second.  */
struct si_prefix {
    char letter; /* blank for none */
    double factor;
};

struct selection {
    struct flat_row {
        uint32_t symbol;
        double cumulative; /* samples of this row and those before it */
    } * flat;              /* rows of the flat profile */
    size_t flat_count;
    struct si_prefix per_call; /* unit of the times per call */
    uint32_t *entries;         /* node ids: entries of the call graph */
    size_t entry_count;
    struct count_row {
        uint32_t symbol;
        vma addr; /* of the symbol, or of a basic block in it */
        uint64_t count;
    } * counts; /* rows of the execution counts */
    size_t count_count;
};

/* The least and the most inclusive time that each node can have (analysis/bounds.h).  */
struct bounds {
    double *least, *most; /* by node id, in samples; NaN where they are not known; members of a
                             cycle have the values of the cycle */
    bool is_known;        /* false: all are NaN, because filters leave out time */
};

/* ---- Annotated source ---- */

/* A source line with code.  */
struct source_line {
    uint32_t line;
    uint32_t symbol;                 /* the first symbol of the line */
    bool has_several;                /* the line has more than one symbol */
    uint64_t calls;                  /* of the functions that begin on it */
    double samples;                  /* in its code; 0 where no report is about samples */
    uint32_t count_start, count_end; /* the counts shown before it: [start, end) in `counts' */
    uint64_t shown;                  /* sum of the counts, dropped repetitions included */
};

struct source {
    uint32_t file;
    uint64_t device, inode;        /* of the file that was read */
    uint32_t line_start, line_end; /* its lines: [start, end) in `lines', ascending */
    uint32_t top_start, top_end; /* its lines with calls, most calls first: [start, end) in `top' */
    uint64_t calls;              /* of all its lines */
    char *text;                  /* on the heap, followed by a NUL; NULL until read */
    size_t size;                 /* bytes of text */
    uint64_t text_lines;
    /* The execution summary: */
    uint32_t code_lines;     /* lines with code */
    uint32_t executed_lines; /* lines of code with counts */
    double executed_percent;
    double mean_executions; /* per line of code */
};

struct annotation {
    struct source *sources; /* in the order they are printed */
    size_t count;
    size_t missing;            /* sources that were not found */
    struct source_line *lines; /* of all sources */
    size_t line_count;
    uint64_t *counts;
    size_t count_count, count_capacity;
    uint32_t *top; /* indexes into `lines' */
};

/* ---- Profile by profile (--per-file) ---- */

struct file_figures {
    uint64_t samples; /* all, inside the text or not */
    uint64_t calls;   /* all */
    double rate;      /* samples per unit of time; 0: none */
    double weight;    /* ticks of a sample; 0: none */
};

/* How a time of a symbol varies over the profiles; in ticks, or in samples of stacks.  */
struct variation {
    uint32_t symbol;
    const char *name;                   /* its label; set by per_file_name, like `paths' below */
    uint32_t lowest_file, highest_file; /* the first profiles with lowest, highest */
    double lowest, mean, highest, deviation;
    double chance; /* the deviation that chance alone gives */
};

/* How the weights of samples vary between profiles, in what they are counted in.  */
struct sample_weights {
    double mean;
    double evenness; /* its square, divided by the mean of the squares: 1 if all are the same */
    double chance;   /* 0: nothing varies by chance; else 1 (struct figures_traits) */
};

/* The functions of which one kind of time varies by more than chance.  */
struct varying {
    struct variation *functions; /* the largest deviation first */
    size_t count, capacity;
    double rate; /* of ticks or samples, per unit of time */
    struct sample_weights weights;
    struct table table; /* a row for each that is shown */
    const char **paths; /* those of struct per_file */
};

/* Calls of a symbol in a profile, its calls of itself included.  */
struct call_range {
    uint64_t lowest, highest;
};

/* Columns of the table of profiles, and of the table of functions that vary most.  */
enum {
    PER_FILE_SHARE,
    PER_FILE_SAMPLES,
    PER_FILE_TIME,
    PER_FILE_CALLS,
    PER_FILE_DEVIATIONS, /* distance from the mean number of samples, in standard deviations */
    PER_FILE_PROFILE,
    PER_FILE_COLUMNS
};
enum {
    VARYING_DEVIATION,
    VARYING_CHANCE,
    VARYING_LOWEST,
    VARYING_MEAN,
    VARYING_HIGHEST,
    VARYING_NAME,
    VARYING_HIGHEST_IN,
    VARYING_LOWEST_IN,
    VARYING_COLUMNS
};

/* One figure of all profiles.  */
struct file_total {
    uint64_t sum;
    uint64_t lowest, highest;
    uint32_t lowest_in, highest_in; /* the first profiles with these: indexes of file infos; NO_ID
                                       where all profiles have the same */
    double mean, deviation;         /* standard deviation over the profiles */
    double chance;                  /* the deviation that chance alone gives; 0 of calls */
};

/* A profile further than this from the mean, in standard deviations, is an outlier.  */
enum { OUTLIER_DEVIATIONS = 3 };

struct per_file {
    struct file_figures *files; /* parallel to the file infos */
    size_t count, capacity;
    size_t expected; /* profiles that are to be read */
    struct file_total all_samples, all_calls;
    bool is_beyond_chance;         /* samples vary more than chance explains */
    struct varying own, inclusive; /* inclusive times are those of recorded stacks */
    struct spread *spreads;        /* by symbol id: of its own time, in samples */
    struct call_range *calls;      /* by symbol id; NULL unless several profiles have calls */
    size_t outlier_count;
    uint32_t *order;      /* the profiles that are shown, in this order: file infos */
    struct table by_file; /* a row for each profile that is shown: all, or as many of both ends */
    const char **paths;   /* of the profiles, escaped */
};

/* Everything known about a run of the program.  Zeroed = empty; see profile_free.  */
struct profile {
    struct files files;
    struct object_map objects;
    struct symtab symtab;
    struct filters filters;
    struct hist_set hist;
    struct arc_table arcs;
    struct block_table blocks;
    struct graph graph;
    struct times times;
    struct views views;
    struct selection selection;
    struct bounds bounds;
    struct annotation annotation;
    struct per_file per_file;
    struct recorded_stacks recorded;
    struct file_info *infos;
    size_t info_count, info_capacity;
    bool is_uncounted;            /* the program counts no calls */
    bool by_line;                 /* -l: functions are split into lines where these are known */
    size_t bad_count;             /* profiles and directories that could not be used */
    struct string_map line_names; /* owns the names of line symbols */
    struct arena names;           /* owns labels and what else is made of names */
};

static inline bool is_cycle(const struct graph *graph, uint32_t node)
{
    return node >= graph->symbol_count;
}

/* Whether a node has calls or time to show in an entry of the call graph.  */
static inline bool has_content(const struct node *node, const struct line_times *times)
{
    return (node->calls | node->self_calls) != 0 || line_total(times) != 0;
}

/* Whether an arc is a call of a symbol to itself, or both its ends are in one cycle.  No time is
   passed along such arcs.  */
static inline bool is_internal_arc(const struct graph *graph, uint32_t arc)
{
    return (graph->is_internal[arc / 8] >> arc % 8 & 1) != 0;
}

/* The node that calls from outside lead to: the cycle of a symbol, or the symbol itself.  */
static inline uint32_t node_of_symbol(const struct graph *graph, uint32_t symbol)
{
    uint32_t cycle = graph->cycle[symbol];
    return cycle ? (uint32_t)(graph->symbol_count + cycle - 1) : symbol;
}

/* Whether the files have histograms; whether they have arcs; whether they have these, or a format
   with a list of arcs.  */
bool has_histograms(const struct profile *profile);
bool has_recorded_arcs(const struct profile *profile);
bool has_arcs(const struct profile *profile);

/* Copies the paths of the file infos, which belong to others until then, into the profile.  */
void profile_own_paths(struct profile *profile);

/* The id of PATH, which gets one if it is new.  */
uint32_t files_intern(struct files *files, const char *path);

/* The entry of the function NAME, or NULL.  If there are several, the choice is arbitrary and
   always the same.  */
const struct object_entry *object_map_find(const struct object_map *map, const char *name);
void object_map_free(struct object_map *map);

void per_file_free(struct per_file *table);

/* TICKS as samples of WEIGHT, rounded.  */
static inline uint64_t per_file_samples(double weight, uint64_t ticks)
{
    return weight != 1 && weight != 0 ? (uint64_t)((double)ticks / weight + 0.5) : ticks;
}

/* How far the number of samples of a profile is from their mean, in standard deviations; and
   whether that is further than OUTLIER_DEVIATIONS.  */
double per_file_distance(const struct per_file *table, size_t file);
bool per_file_is_outlier(const struct per_file *table, size_t file);

#endif
