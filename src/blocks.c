#include "blocks.h"

#include <stdlib.h>

#include "symtab.h"

void blocks_record(struct block_table *table, const struct symtab *symtab, vma addr, uint64_t count)
{
    uint32_t symbol = symtab_find(symtab, addr);
    if (symbol == NO_ID)
        return;
    table->blocks = mem_grow(table->blocks, &table->room, table->count + 1, sizeof *table->blocks);
    table->blocks[table->count++] = (struct block){symbol, addr, count};
}

static int compare_blocks(const void *context, uint32_t a, uint32_t b)
{
    const struct block *blocks = context;
    return blocks[a].addr < blocks[b].addr ? -1 : blocks[a].addr > blocks[b].addr;
}

void blocks_finish(struct block_table *table)
{
    uint32_t *order = ids_upto(table->count);
    sort_ids_alone(order, table->count, compare_blocks, table->blocks);
    struct block *sorted = mem_array(table->count, sizeof *sorted);
    size_t kept = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct block *block = &table->blocks[order[i]];
        if (kept > 0 && sorted[kept - 1].addr == block->addr)
            sorted[kept - 1].count = sum_u64(sorted[kept - 1].count, block->count);
        else
            sorted[kept++] = *block;
    }
    free(order);
    free(table->blocks);
    table->blocks = sorted;
    table->room = table->count;
    table->count = kept;
}

void blocks_free(struct block_table *table)
{
    free(table->blocks);
    *table = (struct block_table){0};
}
