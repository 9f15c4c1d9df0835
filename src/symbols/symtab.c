/* symtab.c - sorts and thins out the symbols of the image, and finds them by address.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "symbols/symtab.h"

#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/sort.h"

/* ---- Wanted symbols ---- */

static size_t digits_at(const char *s)
{
    return strspn(s, "0123456789");
}

/* Whether a name, from its first dot on, has only suffixes that compilers give to clones and nested
   functions: `.5', `.clone.5', `.constprop.5', repeated.  A dot at the end is allowed.  */
static bool is_clone_suffix(const char *s)
{
    while (s[0] == '.' && s[1] != '\0') {
        s++;
        if (strncmp(s, "clone.", 6) == 0)
            s += 6;
        else if (strncmp(s, "constprop.", 10) == 0)
            s += 10;
        size_t digits = digits_at(s);
        if (digits == 0)
            return false;
        s += digits;
    }
    return s[0] == '\0' || s[0] == '.';
}

static bool has_function_name(const char *name, char leading_char)
{
    const char *dot = strchr(name, '.');
    if (name[0] == '\0' || strchr(name, '$') != NULL)
        return false;
    if (dot != NULL && !is_clone_suffix(dot))
        return false;
    if (leading_char != 0 && name[0] != leading_char)
        return false;
    return strncmp(name, "__gnu_compiled", 14) != 0 && strncmp(name, "___gnu_compiled", 15) != 0;
}

/* The name of a symbol in the source.  */
static const char *source_name(const struct raw_symbol *raw, const struct symtab_rules *rules)
{
    return raw->name + (rules->leading_char != 0 && raw->name[0] == rules->leading_char);
}

/* The entry of a symbol in the map of object files, or NULL.  */
static const struct object_entry *find_object(const struct raw_symbol *raw,
                                              const struct symtab_rules *rules)
{
    return rules->objects != NULL ? object_map_find(rules->objects, source_name(raw, rules)) : NULL;
}

bool symtab_is_wanted(const struct raw_symbol *raw, const struct symtab_rules *rules)
{
    const struct object_entry *object = find_object(raw, rules);
    if (object != NULL && !object->is_first)
        return false;
    if (!raw->is_static)
        return true;
    if (rules->no_static)
        return false;
    if (raw->has_function_mark)
        return true;
    return !rules->functions_only && has_function_name(raw->name, rules->leading_char);
}

/* ---- Order and duplicates ---- */

/* The order of symbols: by address; at one address functions first, then globals.  */
static uint64_t key_of_symbol(const void *context, uint32_t id, unsigned level)
{
    const struct symbol *symbol = (const struct symbol *)context + id;
    return level == 0 ? symbol->addr : (symbol->is_func ? 0u : 2u) + symbol->is_static;
}

static const struct id_order symbol_order = {.key = key_of_symbol, .levels = 2};

static bool are_in_order(const struct symbol *symbols, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (compare_by_order(&symbol_order, symbols, (uint32_t)i - 1, (uint32_t)i) > 0)
            return false;
    return true;
}

static struct symbol *sort_symbols(struct symbol *symbols, size_t count)
{
    uint32_t *order = identity_ids(count);
    sort_by_order(order, count, &symbol_order, symbols);
    return mem_reorder(symbols, order, count, sizeof *symbols);
}

static size_t thin(struct symbol *symbols, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || symbols[kept - 1].addr != symbols[i].addr)
            symbols[kept++] = symbols[i];
        else if (is_preferred_symbol(&symbols[i], &symbols[kept - 1]))
            symbols[kept - 1] = symbols[i];
    }
    return kept;
}

static void set_ends(struct symbol *symbols, size_t count, vma text_end)
{
    for (size_t i = 0; i < count; i++) {
        vma next = i + 1 < count ? symbols[i + 1].addr : text_end;
        symbols[i].end = next > 0 ? next - 1 : 0;
        symbols[i].reach = symbols[i].end;
    }
}

/* ---- Look-up ---- */

/* Makes the buckets of struct symtab, about as many as there are symbols.  */
static void build_buckets(struct symtab *table)
{
    vma span = table->starts[table->count - 1] - table->starts[0];
    unsigned shift = 0;
    while ((span >> shift) / 2 > table->count)
        shift++;
    table->bucket_shift = shift;
    table->bucket_count = (size_t)(span >> shift) + 1;
    table->buckets = mem_array(table->bucket_count + 1, sizeof *table->buckets);
    size_t next = 0;
    for (size_t i = 0; i <= table->bucket_count; i++) {
        struct symtab_bucket *bucket = &table->buckets[i];
        vma offset = 0, first = ((vma)i << shift) + table->starts[0];
        bool is_last = i == table->bucket_count;
        while (next < table->count && (is_last || table->starts[next] <= first))
            next++;
        bucket->before = (uint32_t)next;
        if (next < table->count)
            offset = table->starts[next] - first;
        bucket->offset = offset <= UINT32_MAX ? (uint32_t)offset : 0;
        if (i > 0 && next - bucket[-1].before > 1)
            bucket[-1].offset = 0;
    }
}

/* Makes the tables for look-ups.  There are no gaps between symbols.  */
static void build_index(struct symtab *table)
{
    uint32_t function = NO_ID;
    table->found = table->count;
    table->starts = mem_array(table->count, sizeof *table->starts);
    table->functions = mem_array(table->count, sizeof *table->functions);
    table->is_label = mem_array(table->count / 8 + 1, 1);
    for (size_t i = 0; i < table->count; i++) {
        const struct symbol *symbol = &table->symbols[i];
        if (symbol->is_func)
            function = (uint32_t)i;
        else
            table->is_label[i / 8] |= (uint8_t)(1 << i % 8);
        table->functions[i] = function;
        table->starts[i] = symbol->addr;
        table->covered = symbol->end < symbol->addr ? symbol->addr - 1 : symbol->end;
    }
    if (table->count > 0)
        build_buckets(table);
}

/* The bucket of ADDR: bucket_count or more if it is in no bucket.  */
static vma bucket_of(const struct symtab *table, vma addr)
{
    return (addr - table->starts[0]) >> table->bucket_shift;
}

void symtab_prefetch(const struct symtab *table, vma addr)
{
    vma bucket = table->count > 0 ? bucket_of(table, addr) : 0;
    if (bucket < table->bucket_count)
        PREFETCH(&table->buckets[bucket]);
}

/* The number of symbols that begin at or below ADDR.  */
static size_t count_upto(const struct symtab *table, vma addr)
{
    if (table->count == 0 || addr < table->starts[0])
        return 0;
    vma at = bucket_of(table, addr);
    if (at >= table->bucket_count)
        return table->found;
    const struct symtab_bucket *bucket = &table->buckets[at];
    if (bucket->offset == 0)
        return bucket->before + count_at_most(table->starts + bucket->before,
                                              bucket[1].before - bucket->before,
                                              sizeof *table->starts, 0, addr);
    vma into = (addr - table->starts[0]) & (((vma)1 << table->bucket_shift) - 1);
    return bucket->before + (into >= bucket->offset);
}

uint32_t symtab_find(const struct symtab *table, vma addr)
{
    size_t upto = count_upto(table, addr);
    return upto == 0 || addr > table->covered ? NO_ID : (uint32_t)upto - 1;
}

uint32_t symtab_function(const struct symtab *table, uint32_t symbol)
{
    bool is_label = (table->is_label[symbol / 8] >> symbol % 8 & 1) != 0;
    return is_label ? table->functions[symbol] : symbol;
}

/* ---- Building ---- */

void symtab_build_from(struct symtab *table, struct symbol *symbols, size_t count, vma text_end)
{
    if (count >= NO_ID)
        die(MSG_TOO_MANY_SYMBOLS, (unsigned long)NO_ID - 1);
    table->symbols = are_in_order(symbols, count) ? symbols : sort_symbols(symbols, count);
    table->count = table->capacity = thin(table->symbols, count);
    table->text_end = text_end;
    set_ends(table->symbols, table->count, text_end);
    build_index(table);
}

void symtab_build(struct symtab *table, const struct raw_symbol *raw, size_t count,
                  const struct raw_source *sources, const struct symtab_rules *rules)
{
    struct symbol *symbols = mem_array(count, sizeof *symbols);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!symtab_is_wanted(&raw[i], rules))
            continue;
        struct symbol *symbol = &symbols[kept++];
        symbol->addr = raw[i].addr;
        const struct object_entry *object = find_object(&raw[i], rules);
        symbol->name = object != NULL ? object->object : source_name(&raw[i], rules);
        symbol->is_object = object != NULL;
        symbol->is_static = raw[i].is_static;
        symbol->is_func = raw[i].is_func;
        symbol->is_stub = raw[i].is_stub;
        symbol->file = sources != NULL ? sources[i].file : NO_ID;
        symbol->line = sources != NULL ? sources[i].line : 0;
    }
    table->entry_units = rules->entry_units;
    symtab_build_from(table, symbols, kept, rules->text_end);
}

/* Makes room for another symbol.  Grows by little, because most tables get few.  */
static void extend(struct symtab *table)
{
    const size_t least = 64;
    if (table->count < table->capacity)
        return;
    size_t capacity = table->capacity = table->count + table->count / 8 + least;
    table->symbols = mem_resize(table->symbols, capacity, sizeof *table->symbols);
    table->starts = mem_resize(table->starts, capacity, sizeof *table->starts);
    table->functions = mem_resize(table->functions, capacity, sizeof *table->functions);
    table->is_label = mem_resize(table->is_label, capacity / 8 + 1, 1);
}

/* Adds PSEUDO, with an address after all others.  The tables for look-ups need not change: a symbol
   that covers no address is never found.  */
static uint32_t add_pseudo(struct symtab *table, struct symbol pseudo)
{
    extend(table);
    uint32_t id = (uint32_t)table->count++;
    const struct symbol *last = &table->symbols[id - 1];
    vma addr = sum_u64(max_u64(last->addr, last->end), 1);
    pseudo.addr = sum_u64(addr, addr % 2); /* the last one keeps its last unit of 16 bits */
    pseudo.end = pseudo.addr - 1;
    pseudo.reach =
        pseudo.is_indirect_target ? pseudo.end : pseudo.addr; /* specs can name the others */
    pseudo.file = NO_ID;
    pseudo.is_func = true;
    table->symbols[id] = pseudo;
    table->starts[id] = pseudo.addr;
    table->functions[id] = id;
    if (id % 8 == 7)
        table->is_label[table->count / 8] = 0; /* a new byte */
    return id;
}

void symtab_add_object(struct symtab *table, const char *name)
{
    add_pseudo(table, (struct symbol){.name = name, .is_other_object = true});
}

uint32_t symtab_add_indirect_target(struct symtab *table, const char *name)
{
    return add_pseudo(table, (struct symbol){.name = name, .is_indirect_target = true});
}

void symtab_add_outside(struct symtab *table)
{
    add_pseudo(table, (struct symbol){.name = "<outside>", .is_outside = true});
}

uint32_t symtab_outside(const struct symtab *table)
{
    size_t count = table->count;
    return count > 0 && table->symbols[count - 1].is_outside ? (uint32_t)count - 1 : NO_ID;
}

uint32_t symtab_indirect_target(const struct symtab *table)
{
    size_t count = table->count - (symtab_outside(table) != NO_ID);
    return count > 0 && table->symbols[count - 1].is_indirect_target ? (uint32_t)count - 1 : NO_ID;
}

void symtab_free(struct symtab *table)
{
    free(table->symbols);
    free(table->starts);
    free(table->functions);
    free(table->is_label);
    free(table->buckets);
    *table = (struct symtab){0};
}
