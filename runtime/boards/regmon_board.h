/* regmon_board.h - counts calls and samples on boards without an operating system.
   SPDX-License-Identifier: MIT

   Code compiled with -pg calls the entry of entry_arm.S or entry_riscv.S, which counts the call; a
   timer's interrupt calls regmon_board_tick; regmon_board_write gives the profile (gmon.out) away.
   README has an example.  Linker scripts may include this header, too, for the sizes (gcc -E -P -x
   assembler-with-cpp). */
#ifndef REGMON_BOARD_H
#define REGMON_BOARD_H

/* Bytes of memory that a profile needs: TEXT bytes of code, one bin of BITS bits (16 or 32) for
   each WIDTH bytes, room for ARCS pairs of caller and callee. */
#define REGMON_BOARD_RAM(text, width, bits, arcs)                                                  \
    (REGMON_BOARD_HEADER + REGMON_BOARD_BINS(text, width, bits) +                                  \
     (arcs) * (3 * __SIZEOF_POINTER__ + 4))
#define REGMON_BOARD_HEADER (24 + 2 * __SIZEOF_POINTER__)
#define REGMON_BOARD_BINS(text, width, bits)                                                       \
    ((((text) + (width)-1) / (width) + 3) / 4 * 4 * ((bits) / 8))

#ifndef __ASSEMBLER__
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is to be counted.  The memory stays the caller's, and must stay where it is. */
struct regmon_board {
    uintptr_t text_low, text_high; /* the code: its first address, and the one behind it */
    void *ram;                     /* aligned like uintptr_t; its contents are overwritten */
    size_t ram_size;               /* bytes; what the bins leave is for arcs, at most 65,535 */
    unsigned bin_width;            /* bytes of code for each bin, a power of two */
    unsigned bin_bits;             /* 16 or 32 */
    unsigned rate;                 /* calls of regmon_board_tick in a second */
};

enum {
    REGMON_BOARD_WRONG = -1,    /* a member makes no sense, or the memory is not aligned */
    REGMON_BOARD_TOO_SMALL = -2 /* the memory has no room for the bins and four arcs */
};

/* What the profile lacks.  Each number stays at its largest value. */
struct regmon_board_lost {
    uint32_t calls;   /* of arcs that had no room, or whose count was at its largest value */
    uint32_t samples; /* in bins that were at their largest value */
    uint32_t outside; /* samples outside of the code */
};

/* Begins to count.  Returns 0, or one of the values above: then nothing is counted.  Call it once,
   before the interrupts that count are enabled; calls before it are not counted, as soon as .bss is
   cleared. */
int regmon_board_start(const struct regmon_board *board);

/* Counts a sample at the address PC, which the timer has interrupted. */
void regmon_board_tick(uintptr_t pc);

/* Ends counting. */
void regmon_board_stop(void);

/* Discards all calls and samples up to now. */
void regmon_board_reset(void);

/* The numbers so far, which go on; NULL if there is no profile. */
const volatile struct regmon_board_lost *regmon_board_lost(void);

/* Takes SIZE bytes of a profile.  What went wrong, it notes in CONTEXT. */
typedef void regmon_board_put(void *context, const void *data, size_t size);

/* Gives the profile, the bytes of a file gmon.out, to PUT, piece by piece.  Nothing is counted
   meanwhile.  Returns 0, or REGMON_BOARD_WRONG if there is no profile. */
int regmon_board_write(regmon_board_put *put, void *context);

/* The same in lines of text for a serial line: contrib/boards/regmon-serial finds them in a log. */
int regmon_board_print(regmon_board_put *put, void *context);

/* For debuggers: where the file begins and ends in memory, if bins have 16 bits.  (Else it does not
   begin before its end, and a debugger refuses.) dump binary memory gmon.out regmon_board_file
   regmon_board_end */
extern uintptr_t regmon_board_file;
extern volatile uintptr_t regmon_board_end;

/* What the entry calls. */
void regmon_board_call(uintptr_t from, uintptr_t self);

#ifdef __cplusplus
}
#endif

#endif
#endif
