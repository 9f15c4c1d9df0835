/* base.h - what every other part stands on: messages, memory, sorting, a hash map of pairs.

   Nothing here knows what a profile is.

   Four voices.  `warning' says something and the program goes on.  `problem' says what is wrong
   with what the user gave us and returns false, so that inner code can write `return problem (...)'
   and the top decides to exit.  `die' and `bug' are for what no caller can mend: memory that is not
   to be had, and a mistake of ours.  */

#ifndef REGPROF_BASE_BASE_H
#define REGPROF_BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define PRINTF_LIKE(fmt, args)
#endif

/* Asks for the memory at P, which will be read soon.  */
#if defined(__GNUC__)
#define PREFETCH(p) __builtin_prefetch(p)
#else
#define PREFETCH(p) ((void)(p))
#endif

#define ARRAY_LENGTH(a) (sizeof(a) / sizeof((a)[0]))

/* ---- Messages: one line each on standard error, `gprof: ' before and a newline after. ---- */

/* Says something the user should know; the run goes on.  */
void warning(const char *format, ...) PRINTF_LIKE(1, 2);

/* Says what makes it impossible to go on; always returns false.  */
bool problem(const char *format, ...) PRINTF_LIKE(1, 2);

/* Says so and exits with status 1.  Only for exhausted memory and limits nobody can be told about.
 */
_Noreturn void die(const char *format, ...) PRINTF_LIKE(1, 2);

/* A mistake in this program: names the place and aborts.  */
#define bug(what) bug_at(__FILE__, __LINE__, (what))
_Noreturn void bug_at(const char *file, int line, const char *what);

/* ---- Memory.  The functions return memory or die; sizes are checked for overflow. ---- */

/* For main: large arrays, which grow and go, get memory that is theirs alone.  Otherwise, where the
   C library takes a large one that is freed for a sign that all are short-lived, they would be
   copied from place to place.  What small ones leave is kept for the next.  */
void mem_begin(void);

/* N objects of SIZE bytes, all zero.  Never NULL, also for N = 0.  Free with free.  */
void *mem_array(size_t n, size_t size);

/* The same, with anything in them: for what is written before it is read.  SIZE is not 0.  */
void *mem_room(size_t n, size_t size);

/* An array of the N objects of SIZE bytes at BASE, the one with the number ORDER[0] first.  Frees
   BASE and ORDER; free with free.  */
void *mem_reorder(void *base, uint32_t *order, size_t n, size_t size);

/* A copy of the N bytes at P, with a NUL behind them.  Free with free.  */
char *mem_copy(const char *p, size_t n);

/* Makes room for at least NEED objects of SIZE bytes in the array BASE, whose room is *CAPACITY
   objects (BASE may be NULL with 0).  Returns the array, which may have moved; it grows by half its
   room at least, so that adding one by one stays linear.  New room is not cleared.  */
void *mem_grow(void *base, size_t *capacity, size_t need, size_t size);

/* An arena: memory that dies together.  Start with a zeroed struct; `arena_free' ends it.  */
struct arena {
    struct arena_chunk *chunks;
};
void *arena_alloc(struct arena *arena, size_t size);
char *arena_copy(struct arena *arena, const char *p, size_t n);
void arena_free(struct arena *arena);

/* ---- Numbers ---- */

static inline uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}
static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}
/* Saturating: what does not fit stays at the largest value instead of wrapping.  */
static inline uint64_t sum_u64(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* ---- Sorting (src/sort.c) ---- */

/* For orders in which the larger comes first; numbers that are none tie with all.  */
static inline int larger_first(double a, double b)
{
    return a > b ? -1 : a < b ? 1 : 0;
}
static inline int more_first(uint64_t a, uint64_t b)
{
    return a > b ? -1 : a < b ? 1 : 0;
}

/* Compares the objects numbered A and B: negative when A comes first, 0 for a tie.  */
typedef int compare_ids(const void *context, uint32_t a, uint32_t b);

/* Sorts IDS stably.  COMPARE is consistent: what comes before something comes before all that comes
   after that.  SCRATCH has room for N ids.  */
void sort_ids(uint32_t *ids, size_t n, uint32_t *scratch, compare_ids *compare,
              const void *context);

/* Sorts IDS with the stable top-down merge sort of the behaviour the reports are defined by: the
   first half has n/2 elements and wins ties.  The result is defined even where COMPARE is not
   consistent, so do not put another algorithm here.  */
void sort_ids_by_merging(uint32_t *ids, size_t n, compare_ids *compare, const void *context);

/* As `sort_ids', with scratch memory of its own.  */
void sort_ids_alone(uint32_t *ids, size_t n, compare_ids *compare, const void *context);

/* The same where numbers decide between most.  KEY gives those of an id, one for each level from 0
   to LEVELS - 1, and the smallest comes first; each level decides between what is the same on those
   before.  COMPARE, which sees it likewise, decides between the rest.  Linear but for these.  */
typedef uint64_t key_of_id(const void *context, uint32_t id, unsigned level);
void sort_ids_by_key(uint32_t *ids, size_t n, key_of_id *key, unsigned levels, compare_ids *compare,
                     const void *context);

/* Sorts IDS stably by the NUMBER of each, the smallest first; linear.  */
typedef uint64_t number_of_id(const void *context, uint32_t id);
void sort_ids_by_number(uint32_t *ids, size_t n, number_of_id *number, const void *context);

/* Sorts NUMBERS, the smallest first; linear.  */
void sort_numbers(uint64_t *numbers, size_t n);
/* The same, stably by their upper 32 bits.  */
void sort_by_upper_halves(uint64_t *numbers, size_t n);

/* Keys of numbers, the largest of which is to come first, and of texts in the order of strcmp.  */
uint64_t key_descending(double number);
uint64_t key_of_text(const char *text);

/* An array of the N ids 0, 1, ... N-1.  Free with free.  */
uint32_t *ids_upto(size_t n);

/* ---- A hash map of pairs ---- */

/* Numbers distinct pairs (a, b) 0, 1, 2, ... in order of first appearance.  Start with a zeroed
   struct; `pair_map_free' ends it.

   Where a pair goes depends on a random key as well: nobody can prepare a file whose pairs all go
   to one place, which would take quadratic time.  */
struct pair_map {
    struct pair {
        uint64_t a, b;
    } * pairs;    /* by number */
    size_t count; /* pairs numbered so far */
    size_t room;  /* of `pairs' */
    struct pair_slot {
        uint32_t number; /* of the pair, plus 1; 0 = empty */
        uint32_t tag;    /* of its hash: most pairs need not be looked at to see that they differ */
    } * slots;           /* open addressing */
    size_t slot_mask;
    uint64_t key; /* drawn with the first slots; 0 = not yet */
};

/* The number of the pair, which it gets now if it is new.  At most 2^32 - 2 pairs.  */
uint32_t pair_map_number(struct pair_map *map, uint64_t a, uint64_t b);
/* Forgets all pairs, to begin anew with no more than MOST; memory that fits these is kept.  */
void pair_map_clear(struct pair_map *map, size_t most);
/* No pair will be numbered any more: frees all but the pairs.  */
void pair_map_close(struct pair_map *map);
void pair_map_free(struct pair_map *map);

/* ---- Strings ---- */

/* Numbers distinct strings 0, 1, 2, ... in order of first appearance, and keeps a copy of each.
   Start with a zeroed struct; `string_map_free' ends it and the copies.  */
struct string_map {
    const char **strings; /* by number */
    size_t count, room;
    uint32_t *slots; /* open addressing: number + 1, 0 = empty */
    size_t slot_mask;
    uint64_t key; /* as that of pairs */
    struct arena arena;
};

/* The number of S, which it gets now if it is new.  */
uint32_t string_map_number(struct string_map *map, const char *s);
void string_map_free(struct string_map *map);

/* Whether S has no control characters.  */
bool is_visible(const char *s);

/* A copy of S in ARENA in which control characters, which could drive a terminal, stand as `\xNN'.
   Names that come from files are shown in this form.  */
const char *arena_visible(struct arena *arena, const char *s);

#endif
