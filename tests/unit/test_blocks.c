/* test_blocks.c - execution counts of basic blocks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/arcs.h"

#include "analysis/free_profile.h"
#include "program.h"
#include "tap.h"

int main(void)
{
    struct profile p = {0};
    program_symbols(&p, 2, NULL);
    struct block_table *table = &p.blocks;
    blocks_record(table, &p.symtab, TEXT + FUNCTION_SIZE + 4, 5);
    blocks_record(table, &p.symtab, TEXT, 1);
    blocks_record(table, &p.symtab, TEXT + FUNCTION_SIZE + 4, 2);
    blocks_record(table, &p.symtab, TEXT + 8, UINT64_MAX);
    blocks_record(table, &p.symtab, TEXT + 8, 1);
    blocks_record(table, &p.symtab, TEXT - 1, 9);
    blocks_record(table, &p.symtab, TEXT + 2 * FUNCTION_SIZE, 9);
    blocks_finish(table);
    is_equal(table->count, 3, "one per address; what no symbol covers is dropped");
    is_equal(table->blocks[0].addr, TEXT, "by address");
    is_equal(table->blocks[2].count, 7, "counts add up");
    is_equal(table->blocks[1].count, UINT64_MAX, "up to the largest");
    is_equal(table->blocks[2].symbol, 1, "each knows its symbol");
    profile_free(&p);
    return tap_done();
}
