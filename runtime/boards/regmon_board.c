/* regmon_board.c - counts calls and samples in memory that has the layout of a file.
   SPDX-License-Identifier: MIT

   It uses no function of the C library and allocates nothing.  The caller's memory holds

       struct header     as a 4.4BSD profile begins
       bins              samples
       struct arc []     in the order of their first calls; up to here, this is a 4.4BSD profile
       links             for each hash, the number of its newest arc; then, for each arc, the number
                         of the next one of its hash

   Arcs are numbered from the end of their room, where the links begin: N is the Nth before it, and
   0 is none.

   Every function may be interrupted at any place by code that counts, at any priority.  What two of
   them may change at once is one word, and changed by `begin' and `commit'.  An arc is complete
   before its number appears in `links'.  If an interrupt makes the same arc after the search for
   it, there are two, which readers add. */
#include "regmon_board.h"

#include <stdbool.h>

/* Also if all files are compiled with -pg: a function that counts must not be counted. */
#define PLAIN __attribute__((no_instrument_function))

#if defined __arm__ && !defined __clang__
#pragma GCC target("general-regs-only") /* the entry keeps no others */
#endif

enum { IS_BIG = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ };

#define BSD44_VERSION 0x00051879
#define WORD_BITS (8 * (unsigned)sizeof(uintptr_t))

/* With bins of 32 bits, which such a profile cannot hold, `size' is their number and `version' the
   rate: the order in the magic format. */
struct header {
    uintptr_t low, high;
    uint32_t size, version, rate;  /* size: bytes of the header and the bins */
    struct regmon_board_lost lost; /* readers ignore this */
};

/* Parts of the header in 32 bits. */
enum {
    LOST_CALLS = offsetof(struct header, lost.calls) / 4,
    LOST_SAMPLES = offsetof(struct header, lost.samples) / 4,
    LOST_OUTSIDE = offsetof(struct header, lost.outside) / 4
};

struct arc {
    uintptr_t from, self, count;
};

typedef volatile uintptr_t __attribute__((may_alias)) word;
typedef uint16_t __attribute__((may_alias)) half; /* part of a word */

static struct {
    half *volatile links; /* NULL while nothing is counted */
    uintptr_t mask;       /* the largest hash; `mask + n' is the link of arc N */
    half *table;          /* the links; NULL if counting has ended */
    struct header *header;
    struct arc *arcs, *limit; /* the room for arcs; the links are behind it */
    unsigned shift;           /* of a distance in the code, for the number of its bin */
    unsigned log2_bits;       /* of a bin */
} board;

uintptr_t regmon_board_file;
volatile uintptr_t regmon_board_end; /* where the next arc will be */

/* A word is changed by `begin', which returns its value, and `commit' with a new one, which returns
   whether no other code has changed it since; if not, both are repeated.  No memory is written
   between them, if the compiler optimises. */
#if defined __ARM_FEATURE_LDREX && __ARM_FEATURE_LDREX & 4
static inline PLAIN uintptr_t begin(word *at)
{
    uintptr_t value;
    __asm__ volatile("ldrex %0, %1" : "=r"(value) : "Q"(*at));
    return value;
}

static inline PLAIN bool commit(word *at, uintptr_t old, uintptr_t new)
{
    (void)old;
    uintptr_t has_failed;
    __asm__ volatile("strex %0, %2, %1" : "=&r"(has_failed), "=Q"(*at) : "r"(new));
    return !has_failed;
}
#else
static inline PLAIN uintptr_t begin(word *at)
{
    return *at;
}

static inline PLAIN bool commit(word *at, uintptr_t old, uintptr_t new)
{
#if defined __ARM_ARCH_6M__
    /* No LDREX: interrupts wait for at most 12 cycles.  OLD and NEW are computed before. */
    uint32_t mask;
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=&r"(mask) : "r"(old), "r"(new) : "memory");
    bool is_old = *at == old;
    if (is_old)
        *at = new;
    __asm__ volatile("msr primask, %0" ::"r"(mask) : "memory");
    return is_old;
#elif defined __riscv && !defined __riscv_atomic
    /* No LR: interrupts wait for at most 8 instructions.  csrrci STATUS, mstatus, 8 and csrs
       mstatus, STATUS & 8, in a form that assemblers take without Zicsr. */
    uintptr_t status;
    __asm__ volatile(".insn i 0x73, 7, %0, x8, 0x300"
                     : "=r"(status)
                     : "r"(old), "r"(new)
                     : "memory");
    bool is_old = *at == old;
    if (is_old)
        *at = new;
    __asm__ volatile(".insn i 0x73, 2, x0, %0, 0x300" ::"r"(status & 8) : "memory");
    return is_old;
#else
    return __atomic_compare_exchange_n(at, &old, new, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#endif
}
#endif

/* Part INDEX of the memory at BASE, in parts of 1 << LOG2_BITS bits: the word that contains it,
   and, in *SHIFT, its place there. */
static PLAIN word *find_part(void *base, uintptr_t index, unsigned log2_bits, unsigned *shift)
{
    uintptr_t bits = index << log2_bits;
    *shift = (unsigned)bits & (WORD_BITS - 1);
    if (IS_BIG)
        *shift = WORD_BITS - (1u << log2_bits) - *shift;
    return (word *)base + bits / WORD_BITS;
}

/* Adds 1 to that part, unless it has its largest value; returns whether it did. */
static PLAIN bool add(void *base, uintptr_t index, unsigned log2_bits)
{
    unsigned shift;
    word *at = find_part(base, index, log2_bits, &shift);
    uintptr_t most = ~(uintptr_t)0 >> (WORD_BITS - (1u << log2_bits)) << shift, old;
    do {
        old = begin(at);
        if ((old & most) == most)
            return false;
    } while (!commit(at, old, old + ((uintptr_t)1 << shift)));
    return true;
}

static PLAIN void lose(unsigned what)
{
    add(board.header, what, 5);
}

/* Counts the first call of an arc, which becomes the newest in its list. */
static PLAIN __attribute__((noinline)) void add_arc(uintptr_t from, uintptr_t self, uintptr_t list)
{
    uintptr_t end, old, now;
    do {
        end = begin(&regmon_board_end);
        if (end == (uintptr_t)board.limit) {
            lose(LOST_CALLS);
            return;
        }
    } while (!commit(&regmon_board_end, end, end + sizeof(struct arc)));
    struct arc *arc = (struct arc *)end;
    arc->from = from;
    arc->self = self;
    *(word *)&arc->count = 1;
    uintptr_t number = (uintptr_t)(board.limit - arc);
    unsigned shift;
    half *links = (half *)board.limit;
    word *at = find_part(links, list, 4, &shift);
    do {
        old = *at;
        links[board.mask + number] = (uint16_t)(old >> shift);
        __atomic_signal_fence(__ATOMIC_RELEASE); /* what is above comes before what is below */
        now = begin(at);
    } while (now != old ||
             !commit(at, old, (old & ~((uintptr_t)0xffff << shift)) | number << shift));
}

/* A call of the function at SELF by code at FROM; both are addresses behind a call. */
PLAIN __attribute__((used)) void regmon_board_call(uintptr_t from, uintptr_t self)
{
    const half *links = board.links;
    if (links == NULL)
        return;
#ifdef __arm__
    from &= ~(uintptr_t)1; /* says that the code there is Thumb */
    self &= ~(uintptr_t)1;
#endif
    uintptr_t list = from + 2 * self; /* both matter, also if they have equal distances */
    list += list >> 9;
    list = (list ^ self >> 3) >> 1 & board.mask;
    for (uintptr_t number = links[list]; number != 0; number = links[board.mask + number]) {
        struct arc *arc = board.limit - number;
        if (arc->self != self || arc->from != from)
            continue;
        word *at = &arc->count;
        uintptr_t count;
        do {
            count = begin(at) + 1;
            if (count == 0) {
                lose(LOST_CALLS);
                return;
            }
        } while (!commit(at, count - 1, count));
        return;
    }
    add_arc(from, self, list);
}

PLAIN void regmon_board_tick(uintptr_t pc)
{
    if (board.links == NULL)
        return;
    struct header *header = board.header;
    uintptr_t at = pc - header->low;
    if (at >= header->high - header->low)
        lose(LOST_OUTSIDE);
    else if (!add(header + 1, at >> board.shift, board.log2_bits))
        lose(LOST_SAMPLES);
}

/* The compiler must not make memset of it. */
static PLAIN void clear(void *from, void *end)
{
    for (volatile uint32_t *at = from; at != (volatile uint32_t *)end; at++)
        *at = 0;
}

PLAIN int regmon_board_start(const struct regmon_board *b)
{
    enum { ARC = sizeof(struct arc), LEAST_ARCS = 4, MOST_BYTES = 65535 * (ARC + 2) };
    regmon_board_stop();
    board.header = NULL;
    unsigned shift = 1, log2_bits = 3 + b->bin_bits / 16;
    while (shift < 16 && 1u << shift != b->bin_width)
        shift++;
    uintptr_t low = b->text_low, last = b->text_high - 1;
    if (shift == 16 || (log2_bits != 4 && log2_bits != 5) || low > last || b->rate == 0 ||
        (uintptr_t)b->ram % sizeof(uintptr_t) != 0)
        return REGMON_BOARD_WRONG;
    uintptr_t bin_count = ((last - low) >> shift | 3) + 1; /* what follows is aligned */
    struct header *header = b->ram;
    size_t size = b->ram_size - sizeof *header;
    if (size > b->ram_size || bin_count > size >> (log2_bits - 3))
        return REGMON_BOARD_TOO_SMALL;
    uintptr_t bins = (uintptr_t)(header + 1), arcs = bins + (bin_count << (log2_bits - 3));
    size -= arcs - bins;
    if (size < LEAST_ARCS * (ARC + 4))
        return REGMON_BOARD_TOO_SMALL;
    if (size > MOST_BYTES)
        size = MOST_BYTES;
    size_t heads = LEAST_ARCS; /* a power of two, and at most as many as arcs */
    while (2 * heads * (ARC + 4) <= size)
        heads *= 2;

    board.arcs = (struct arc *)arcs;
    half *table = (half *)((struct arc *)arcs + (size - 2 * heads) / (ARC + 2));
    board.limit = (struct arc *)table;
    clear(header, table + heads);
    header->low = low;
    header->high = low + (bin_count << shift);
    header->size = log2_bits == 4 ? (uint32_t)(arcs - (uintptr_t)header) : (uint32_t)bin_count;
    header->version = log2_bits == 4 ? BSD44_VERSION : b->rate;
    header->rate = b->rate;
    board.header = header;
    board.mask = heads - 1;
    board.shift = shift;
    board.log2_bits = log2_bits;
    regmon_board_end = arcs;
    regmon_board_file = log2_bits == 4 ? (uintptr_t)header : (uintptr_t)table;
    __asm__ volatile("" ::: "memory");
    board.links = board.table = table;
    return 0;
}

PLAIN void regmon_board_stop(void)
{
    board.links = board.table = NULL;
}

/* Arcs keep their places, because interrupted code may be about to count one. */
PLAIN void regmon_board_reset(void)
{
    if (board.header == NULL)
        return;
    clear(&board.header->lost, board.arcs);
    for (struct arc *arc = board.arcs; (uintptr_t)arc != regmon_board_end; arc++)
        *(word *)&arc->count = 0;
}

PLAIN const volatile struct regmon_board_lost *regmon_board_lost(void)
{
    return board.header != NULL ? &board.header->lost : NULL;
}

/* ---- Writing ---- */

/* In the magic format, a histogram has bins of 16 bits, so those of 32 are in as many histograms as
   it takes, which readers add. */
static PLAIN void write_histograms(regmon_board_put *put, void *context)
{
    static const char dimension[16] = {'s', 'e', 'c', 'o', 'n', 'd', 's', [15] = 's'};
    const struct header *header = board.header;
    const uint32_t *bins = (const uint32_t *)(header + 1);
    uint32_t written = 0;
    bool is_done;
    do {
        is_done = true;
        put(context, "", 1);
        put(context, header, offsetof(struct header, rate));
        put(context, dimension, sizeof dimension);
        for (uint32_t i = 0; i < header->size; i++) {
            uint32_t left = bins[i] > written ? bins[i] - written : 0;
            uint16_t bin = (uint16_t)left;
            if (left > UINT16_MAX) {
                bin = UINT16_MAX;
                is_done = false;
            }
            put(context, &bin, sizeof bin);
        }
        written += UINT16_MAX;
    } while (!is_done);
}

/* Likewise counts, which have 32 bits in the magic format. */
static PLAIN void write_arc(const struct arc *arc, bool is_magic, regmon_board_put *put,
                            void *context)
{
    uintptr_t left = arc->count;
    while (left != 0) {
        uintptr_t count = left;
        size_t size = sizeof count;
        if (is_magic) {
            put(context, "\1", 1);
            size = 4;
            if (count > UINT32_MAX)
                count = UINT32_MAX;
        }
        put(context, arc, offsetof(struct arc, count));
        put(context, (char *)&count + (IS_BIG ? sizeof count - size : 0), size);
        left -= count;
    }
}

/* Bins of 16 bits are written as they are in memory, those of 32 in the magic format. */
PLAIN __attribute__((noinline)) int regmon_board_write(regmon_board_put *put, void *context)
{
    static const char magic[20] = {'g', 'm', 'o', 'n', !IS_BIG, 0, 0, IS_BIG};
    if (board.header == NULL)
        return REGMON_BOARD_WRONG;
    board.links = NULL;
    bool is_magic = board.log2_bits == 5;
    if (is_magic) {
        put(context, magic, sizeof magic);
        write_histograms(put, context);
    } else {
        put(context, board.header, board.header->size);
    }
    for (const struct arc *arc = board.arcs; (uintptr_t)arc != regmon_board_end; arc++) {
        write_arc(arc, is_magic, put, context);
    }
    board.links = board.table;
    return 0;
}

/* A line is `regmon ', bytes in base64 without padding, a blank, and the CRC-32 of all bytes up to
   here as six digits of base64, so that a reader finds the first line that is damaged or missing.
 */
enum { LINE_START = 7, LINE_END = LINE_START + 64 };

struct printer {
    regmon_board_put *put;
    void *context;
    uint32_t crc, size;
    uint32_t bits;  /* of bytes that are not yet in the line */
    unsigned count; /* of those bits */
    unsigned used;  /* characters in the line */
    char line[LINE_END + 8];
};

static PLAIN __attribute__((noinline)) void print_char(struct printer *p, unsigned c)
{
    p->line[p->used++] = (char)c;
}

static PLAIN __attribute__((noinline)) void print_text(struct printer *p, const char *text)
{
    while (*text != 0)
        print_char(p, (unsigned char)*text++);
}

static PLAIN __attribute__((noinline)) void print_digit(struct printer *p, unsigned digit)
{
    digit &= 63;
    unsigned c = digit + 'A';
    if (digit >= 26)
        c = digit + 'a' - 26;
    if (digit >= 52)
        c = digit + '0' - 52;
    if (digit >= 62)
        c = digit == 62 ? '+' : '/';
    print_char(p, c);
}

/* Ends the line with a number, and begins the next one. */
static PLAIN void end_line(struct printer *p, uint32_t number)
{
    print_char(p, ' ');
    for (int shift = 30; shift >= 0; shift -= 6)
        print_digit(p, number >> shift);
    print_char(p, '\n');
    p->put(p->context, p->line, p->used);
    p->used = LINE_START;
}

static PLAIN void print_bytes(void *context, const void *data, size_t size)
{
    struct printer *p = context;
    p->size += (uint32_t)size;
    for (const unsigned char *byte = data; size-- != 0; byte++) {
        uint32_t crc = p->crc ^ *byte;
        for (unsigned i = 0; i < 8; i++)
            crc = crc >> 1 ^ (0xedb88320 & -(crc & 1));
        p->crc = crc;
        p->bits = p->bits << 8 | *byte;
        for (p->count += 8; p->count >= 6; p->count -= 6)
            print_digit(p, p->bits >> (p->count - 6));
        if (p->used == LINE_END)
            end_line(p, ~crc);
    }
}

PLAIN int regmon_board_print(regmon_board_put *put, void *context)
{
    struct printer p;
    p.put = put;
    p.context = context;
    p.crc = UINT32_MAX;
    p.size = p.count = p.used = 0;
    if (board.header == NULL)
        return REGMON_BOARD_WRONG;
    print_text(&p, "regmon begin:");
    end_line(&p, 0);
    regmon_board_write(print_bytes, &p);
    if (p.count != 0)
        print_digit(&p, p.bits << (6 - p.count));
    end_line(&p, ~p.crc);
    print_text(&p, "end:");
    end_line(&p, p.size);
    return 0;
}
