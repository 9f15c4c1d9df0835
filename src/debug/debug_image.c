/* debug_image.c - symbols by address, lists of addresses, and the warning of damage.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "debug/debug_image.h"

#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

/* ---- Symbols of the text ---- */

void text_symbols_add(struct text_symbols *symbols, struct text_symbol symbol)
{
    symbols->symbols =
        mem_grow(symbols->symbols, &symbols->capacity, symbols->count + 1, sizeof symbol);
    symbols->symbols[symbols->count++] = symbol;
    symbols->is_sorted = false;
}

static uint64_t addr_of(const void *context, uint32_t id, unsigned level)
{
    (void)level;
    const struct text_symbol *symbols = context;
    return symbols[id].addr;
}

void text_symbols_sort(struct text_symbols *symbols)
{
    static const struct id_order by_addr = {.key = addr_of, .levels = 1};
    if (symbols->is_sorted || symbols->count == 0)
        return;
    uint32_t *order = identity_ids(symbols->count);
    sort_by_order(order, symbols->count, &by_addr, symbols->symbols);
    symbols->symbols =
        mem_reorder(symbols->symbols, order, symbols->count, sizeof *symbols->symbols);
    symbols->capacity = symbols->count;
    symbols->is_sorted = true;
}

size_t text_symbols_upto(struct text_symbols *symbols, vma addr)
{
    enum { NEAR = 8 };
    text_symbols_sort(symbols);
    const struct text_symbol *all = symbols->symbols;
    size_t low = symbols->last, high = symbols->count;
    if (low > 0 && all[low - 1].addr > addr)
        low = 0;
    else if (low + NEAR < high && all[low + NEAR].addr > addr)
        high = low + NEAR;
    return symbols->last = low + count_at_most(all + low, high - low, sizeof *all,
                                               offsetof(struct text_symbol, addr), addr);
}

const char *text_symbols_function(struct text_symbols *symbols, vma addr, const char *preferred)
{
    const char *found = NULL;
    for (size_t i = text_symbols_upto(symbols, addr); i > 0; i--) {
        const struct text_symbol *symbol = &symbols->symbols[i - 1];
        if (symbol->addr != addr)
            break;
        if (symbol->function == NULL)
            continue;
        found = symbol->function;
        if (preferred != NULL && strcmp(found, preferred) == 0)
            break;
    }
    return found;
}

const char *text_symbols_shown(struct text_symbols *symbols, vma addr)
{
    size_t end = text_symbols_upto(symbols, addr), first = end, count = 0;
    struct symbol shown = {0};
    while (first > 0 && symbols->symbols[first - 1].addr == addr)
        first--;
    for (size_t i = first; i < end; i++) {
        const struct text_symbol *symbol = &symbols->symbols[i];
        if (symbol->function == NULL)
            continue;
        struct symbol next = {
            .name = symbol->function, .is_static = symbol->is_static, .is_func = true};
        if (count++ == 0 || is_preferred_symbol(&next, &shown))
            shown = next;
    }
    return count > 1 ? shown.name : NULL;
}

/* ---- The image ---- */

void debug_image_warn(struct debug_image *image, const char *message)
{
    if (!image->is_known_damaged)
        warning(image->diagnostics, message, image->path);
    image->is_known_damaged = true;
}

/* ---- Lists of addresses ---- */

void vma_list_add(struct vma_list *list, vma addr, vma low, vma high)
{
    if (addr < low || addr >= high)
        return;
    list->addrs = mem_grow(list->addrs, &list->capacity, list->count + 1, sizeof *list->addrs);
    list->addrs[list->count++] = addr;
}

void vma_list_unique(struct vma_list *list, const struct text_ranges *text, unsigned step)
{
    const vma start = text->all.start;
    size_t kept = 0;
    sort_numbers(list->addrs, list->count);
    for (size_t i = 0; i < list->count; i++) {
        vma addr = start + (list->addrs[i] - start + step - 1) / step * step;
        if (text_range_at(text, addr) != NULL && (kept == 0 || list->addrs[kept - 1] != addr))
            list->addrs[kept++] = addr;
    }
    list->count = kept;
}
