/* unwind.h - how to find a frame's caller, by the call frame information of its object.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_UNWIND_H
#define REGMON_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

#include "machine.h"
#include "memory.h"

enum rule_kind {
    RULE_NONE,   /* there is no information about the address */
    RULE_OTHER,  /* it is not supported, or damaged */
    RULE_FRAME,  /* the frame's address is `cfa' words above the register `base' */
    RULE_LOADED, /* it is what is stored there, plus `more' words */
    RULE_SIGNAL, /* the frame is a signal's: the stack pointer is at the kernel's record */
    RULE_END     /* there is no caller: a program or thread starts here */
};

/* How to find the caller of the frame that an address belongs to.  Distances are in words of 8
   bytes.  `cfa', `link' and `fp' have a sign: see rule_distance.  In one word, so that a cache can
   be read while another thread writes it. */
struct unwind_rule {
    uint64_t kind : 3;
    uint64_t base : 5;  /* the number of a register, as DWARF has it */
    uint64_t cfa : 20;  /* from the register to the frame's address */
    uint64_t more : 4;  /* RULE_LOADED */
    uint64_t link : 20; /* from the frame's address to the return address, or SAME: in its register,
                           or LINK_IN plus the number of another one */
    uint64_t fp : 8;    /* from there to the caller's frame pointer, or SAME, or FP_AT_FP */
    uint64_t rbx : 4;   /* down to the caller's rbx, or SAME, or RBX_LOST; 0 where it is not used */
};

#define SAME 0          /* the register still has the value */
#define LINK_IN 0x40000 /* no distance is as large */
#define FP_AT_FP 1      /* the frame pointer points to it */
#define RBX_LOST 15     /* it is not known */

/* The number, whose sign is the highest of so many bits. */
static inline int64_t rule_distance(uint64_t word, unsigned bits)
{
    return (int64_t)(word << (64 - bits)) >> (64 - bits);
}

/* The bytes of an expression. */
struct unwind_block {
    uintptr_t at;
    uintptr_t end;
};

/* Where a register is that the caller had. */
struct unwind_place {
    enum unwind_where { IN_REGISTER, IN_OTHER, AT_CFA, COMPUTED, NOWHERE, ELSEWHERE } where;
    int64_t distance;          /* AT_CFA: bytes; IN_OTHER: the number of the register */
    struct unwind_block block; /* COMPUTED: of its address */
};

/* A register plus an offset; if `is_loaded', what is stored there, plus `more'. */
struct unwind_value {
    int base; /* -1: none */
    bool is_loaded;
    int64_t offset;
    int64_t more;
};

/* A row of the table that call frame information stands for. */
struct unwind_row {
    uint64_t cfa_base;
    int64_t cfa_offset;
    struct unwind_block cfa_block; /* empty: the frame's address is base + offset */
    struct unwind_place link;
    struct unwind_place fp;
    struct unwind_place rbx;
};

#define MOST_KEPT_ROWS 4
#define MOST_VALUES 4

/* Memory to work in, which is too large for the stack of a signal handler. */
struct unwind {
    struct memory memory;
    uintptr_t at; /* what is read next, up to `end' */
    uintptr_t end;
    bool has_failed; /* something could not be read: everything is 0 since then */
    /* Of the entry that the function shares with others: */
    uint64_t code_factor;
    int64_t data_factor;
    uint64_t link;     /* the number of the column of the return address */
    unsigned encoding; /* of addresses */
    bool has_augmentation;
    bool is_of_signals;
    uintptr_t start; /* of the function */
    struct unwind_row row;
    struct unwind_row initial;
    struct unwind_place other; /* of registers that do not matter */
    struct unwind_row kept[MOST_KEPT_ROWS];
    unsigned kept_count;
    struct unwind_value values[MOST_VALUES];
};

/* The rule for an instruction, by the table (.eh_frame_hdr) of its object. */
struct unwind_rule unwind_rule_at(struct unwind *u, uintptr_t table, uintptr_t address);

#endif
