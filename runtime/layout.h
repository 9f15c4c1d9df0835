/* layout.h - what the assembly entry points and the C code agree on: the layout of arc tables.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_LAYOUT_H
#define REGMON_LAYOUT_H

/* A slot: caller, callee, calls, and the part of the calls that a reset or a dlclose has set aside.
 */
#define SLOT_FROM 0
#define SLOT_SELF 8
#define SLOT_COUNT 16
#define SLOT_SIZE 32

/* A table: a header with the mask at its start, then slots in groups.  The entry points look only
   at the slots of one group. */
#define TABLE_MASK 0
#define TABLE_SLOTS 128
#define GROUP_SLOTS 8
#define GROUP_SIZE 256

/* The group of an arc begins at ((from * HASH_FROM + self * HASH_SELF) >> HASH_SHIFT) & mask.  Of
   20,000 pairs of factors, these distribute callers and callees at equal distances best. */
#define HASH_FROM (-0x6d339681)
#define HASH_SELF (-0x40983569)
#define HASH_SHIFT 19

#endif
