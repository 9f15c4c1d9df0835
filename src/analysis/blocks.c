/* blocks.c - execution counts of basic blocks, by symbol.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/blocks.h"

#include <stdlib.h>

#include "analysis/symtab.h"
#include "base/common.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"

void blocks_record(struct block_table *table, const struct symtab *symtab, vma addr, uint64_t count)
{
    uint32_t symbol = symtab_find(symtab, addr);
    if (symbol == NO_ID) {
        table->dropped++;
        return;
    }
    uint32_t number = pair_map_number(&table->addrs, addr, 0);
    if (number < table->count) {
        table->blocks[number].count = sum_u64(table->blocks[number].count, count);
        return;
    }
    table->blocks =
        mem_grow(table->blocks, &table->capacity, table->count + 1, sizeof *table->blocks);
    table->blocks[table->count++] = (struct block){symbol, addr, count};
}

static int compare_symbols(const void *context, uint32_t a, uint32_t b)
{
    const struct block *blocks = context;
    return blocks[a].symbol < blocks[b].symbol ? -1 : blocks[a].symbol > blocks[b].symbol;
}

void blocks_finish(struct block_table *table)
{
    uint32_t *order = identity_ids(table->count);
    sort_ids(order, table->count, compare_symbols, table->blocks);
    table->blocks = mem_reorder(table->blocks, order, table->count, sizeof *table->blocks);
    pair_map_free(&table->addrs);
    table->capacity = table->count;
}

void blocks_free(struct block_table *table)
{
    free(table->blocks);
    pair_map_free(&table->addrs);
    *table = (struct block_table){0};
}
