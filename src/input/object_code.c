/* object_code.c - reads the functions of shared objects, stripped ones as well.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "input/object_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

/* ---- Functions at one address ---- */

/* Functions in no order, of which some may share an address.  */
struct functions {
    struct symbol *symbols;
    size_t count;
};

static int compare_symbols(const void *context, uint32_t a, uint32_t b)
{
    const struct symbol *symbols = context;
    return (symbols[a].addr > symbols[b].addr) - (symbols[a].addr < symbols[b].addr);
}

/* Sorts FUNCTIONS and keeps one at each address, with the largest end.  */
static void sort_functions(struct functions *functions)
{
    struct symbol *symbols = functions->symbols;
    size_t count = functions->count, kept = 0;
    uint32_t *order = identity_ids(count);
    sort_ids(order, count, compare_symbols, symbols);
    symbols = functions->symbols = mem_reorder(symbols, order, count, sizeof *symbols);
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || symbols[kept - 1].addr != symbols[i].addr) {
            symbols[kept++] = symbols[i];
            continue;
        }
        vma end = symbols[i].end > symbols[kept - 1].end ? symbols[i].end : symbols[kept - 1].end;
        if (is_preferred_symbol(&symbols[i], &symbols[kept - 1]))
            symbols[kept - 1] = symbols[i];
        symbols[kept - 1].end = end;
    }
    functions->count = kept;
}

/* ---- The symbol table ---- */

/* The functions of the symbol table, each up to the end of its section.  */
static struct functions read_symbols(struct image *image)
{
    size_t count;
    struct raw_symbol *raw = image_symbols(image, &count);
    struct functions functions = {mem_array(count, sizeof *functions.symbols), 0};
    for (size_t i = 0; raw != NULL && i < count; i++) {
        const struct text_range *range = text_range_at(image_text(image), raw[i].addr);
        if (range != NULL && (raw[i].is_func || !raw[i].is_static))
            functions.symbols[functions.count++] = (struct symbol){.addr = raw[i].addr,
                                                                   .end = range->end,
                                                                   .name = raw[i].name,
                                                                   .is_static = raw[i].is_static,
                                                                   .is_func = raw[i].is_func};
    }
    free(raw);
    return functions;
}

/* ---- Bytes ---- */

/* A section.  */
struct section {
    const unsigned char *bytes;
    size_t size;
    vma addr;
};

/* The number of SIZE bytes at AT, which are there.  */
static uint64_t number_at(const struct section *section, size_t at, size_t size,
                          const struct gmon_layout *layout)
{
    return number_of_bytes(section->bytes + at, size, layout->is_big_endian);
}

static struct section read_section(struct image *image, const char *name)
{
    struct section section = {0};
    section.bytes = (unsigned char *)image_section(image, name, &section.size, &section.addr);
    return section;
}

static void free_section(struct section *section)
{
    free((void *)section->bytes);
}

/* ---- The dynamic symbol table ---- */

enum { STT_FUNCTION = 2, STT_INDIRECT = 10, TYPE_MASK = 15, BIND_SHIFT = 4 };

/* Adds the entry at AT of TABLE if it is a function with a size.  */
static void add_entry(struct functions *functions, const struct section *table, size_t at,
                      const char *names, size_t names_size, const struct gmon_layout *layout)
{
    bool is_wide = layout->pointer_size == 8;
    uint64_t name = number_at(table, at, 4, layout);
    unsigned info = table->bytes[at + (is_wide ? 4 : 12)], type = info & TYPE_MASK;
    uint64_t section = number_at(table, at + (is_wide ? 6 : 14), 2, layout);
    vma value = number_at(table, at + (is_wide ? 8 : 4), is_wide ? 8 : 4, layout);
    uint64_t size = number_at(table, at + (is_wide ? 16 : 8), is_wide ? 8 : 4, layout);
    if ((type != STT_FUNCTION && type != STT_INDIRECT) || section == 0 || size == 0 ||
        name >= names_size || value + size < value)
        return;
    functions->symbols[functions->count++] = (struct symbol){.addr = value,
                                                             .end = value + size,
                                                             .name = names + name,
                                                             .is_func = true,
                                                             .is_static = info >> BIND_SHIFT == 0};
}

/* The functions that other objects may use; *NAMES has their names, which are on the heap.  */
static struct functions read_dynamic(struct image *image, char **names)
{
    enum { SIZE = 16, WIDE_SIZE = 24 }; /* of an entry */
    const struct gmon_layout layout = image_layout(image);
    struct section table = read_section(image, ".dynsym");
    size_t entry = layout.pointer_size == 8 ? WIDE_SIZE : SIZE, names_size = 0;
    vma addr;
    *names = image_section(image, ".dynstr", &names_size, &addr);
    size_t count = table.bytes != NULL && *names != NULL ? table.size / entry : 0;
    struct functions functions = {mem_array(count, sizeof *functions.symbols), 0};
    for (size_t i = 0; i < count; i++)
        add_entry(&functions, &table, i * entry, *names, names_size, &layout);
    free_section(&table);
    return functions;
}

/* ---- .eh_frame ---- */

/* Bytes of a record of .eh_frame.  */
struct record {
    const struct section *section;
    size_t at, end;
    bool is_bad;
};

static uint64_t take_number(struct record *record, size_t size, const struct gmon_layout *layout)
{
    record->is_bad |= record->at > record->end || size > record->end - record->at;
    if (record->is_bad)
        return 0;
    uint64_t number = number_at(record->section, record->at, size, layout);
    record->at += size;
    return number;
}

/* Passes over a number in the form LEB128.  */
static void pass_leb(struct record *record)
{
    while (record->at < record->end && (record->section->bytes[record->at] & 0x80) != 0)
        record->at++;
    record->is_bad |= record->at >= record->end;
    record->at++;
}

/* The record at AT of SECTION, behind its length; bad if it is not there.  */
static struct record record_at(const struct section *section, size_t at,
                               const struct gmon_layout *layout)
{
    struct record record = {section, at, section->size, false};
    uint64_t length = take_number(&record, 4, layout);
    record.is_bad |= length == 0 || length > section->size || record.at + length > section->size;
    record.end = record.is_bad ? record.at : record.at + (size_t)length;
    return record;
}

/* The size of a number in the encoding DW_EH_PE; 0: it varies.  */
static size_t encoded_size(unsigned encoding, const struct gmon_layout *layout)
{
    enum { DW_EH_PE_absptr, DW_EH_PE_udata2 = 2, DW_EH_PE_udata4, DW_EH_PE_udata8, MASK = 7 };
    switch (encoding & MASK) {
    case DW_EH_PE_absptr:
        return layout->pointer_size;
    case DW_EH_PE_udata2:
        return 2;
    case DW_EH_PE_udata4:
        return 4;
    case DW_EH_PE_udata8:
        return 8;
    default:
        return 0;
    }
}

/* The size of the addresses in records that refer to the common record CIE; 0: not known.  */
static size_t address_size(struct record cie, const struct gmon_layout *layout)
{
    take_number(&cie, 4, layout); /* of a common record: 0 */
    uint64_t version = take_number(&cie, 1, layout);
    const char *letters = (const char *)cie.section->bytes + cie.at;
    size_t length = cie.is_bad ? 0 : strnlen(letters, cie.end - cie.at);
    cie.at += length + 1;
    if (cie.is_bad || length == 0)
        return cie.is_bad ? 0 : layout->pointer_size;
    pass_leb(&cie); /* factors of code and data, and the register of the return address */
    pass_leb(&cie);
    if (version == 1)
        take_number(&cie, 1, layout);
    else
        pass_leb(&cie);
    for (size_t i = 0; i < length && !cie.is_bad; i++)
        if (letters[i] == 'z')
            pass_leb(&cie);
        else if (letters[i] == 'R')
            return encoded_size((unsigned)take_number(&cie, 1, layout), layout);
        else if (letters[i] == 'L')
            take_number(&cie, 1, layout);
        else if (letters[i] == 'P')
            take_number(&cie, encoded_size((unsigned)take_number(&cie, 1, layout), layout), layout);
    return cie.is_bad ? 0 : layout->pointer_size;
}

/* The size of the code of the record at AT of FRAMES; 0: not known.  */
static uint64_t code_size(const struct section *frames, size_t at, const struct gmon_layout *layout)
{
    struct record record = record_at(frames, at, layout);
    size_t back_from = record.at;
    uint64_t back = take_number(&record, 4, layout);
    if (record.is_bad || back == 0 || back > back_from)
        return 0;
    size_t size = address_size(record_at(frames, back_from - (size_t)back, layout), layout);
    take_number(&record, size, layout);
    return take_number(&record, size, layout);
}

/* The functions that .eh_frame_hdr lists, ascending, of which none have a name.  */
static struct functions read_frames(struct image *image)
{
    /* As all linkers write it: version 1, DW_EH_PE_pcrel | DW_EH_PE_sdata4, DW_EH_PE_udata4,
       DW_EH_PE_datarel | DW_EH_PE_sdata4.  */
    static const unsigned char start[] = {1, 0x1b, 0x03, 0x3b};
    enum { COUNT = 8, TABLE = 12, ENTRY = 8 };
    const struct gmon_layout layout = image_layout(image);
    struct section index = read_section(image, ".eh_frame_hdr");
    struct section frames = read_section(image, ".eh_frame");
    bool is_known = index.bytes != NULL && frames.bytes != NULL && index.size >= TABLE &&
                    memcmp(index.bytes, start, sizeof start) == 0;
    size_t count = is_known ? (size_t)number_at(&index, COUNT, 4, &layout) : 0;
    if (is_known && count > (index.size - TABLE) / ENTRY)
        count = 0;
    struct functions functions = {mem_array(count, sizeof *functions.symbols), 0};
    for (size_t i = 0; i < count; i++) {
        size_t at = TABLE + i * ENTRY;
        vma addr = index.addr + (vma)(int32_t)number_at(&index, at, 4, &layout);
        vma frame = index.addr + (vma)(int32_t)number_at(&index, at + 4, 4, &layout) - frames.addr;
        uint64_t size = frame < frames.size ? code_size(&frames, (size_t)frame, &layout) : 0;
        if (size > 0 && addr + size > addr)
            functions.symbols[functions.count++] =
                (struct symbol){.addr = addr, .end = addr + size, .name = ""};
    }
    free_section(&index);
    free_section(&frames);
    return functions;
}

/* ---- All functions ---- */

/* Adds to CODE the COUNT RANGES of another source, which give way to those in it: those that begin
   in one are left out, others end where one begins.  Both are ascending.  */
static void add_between(struct object_code *code, const struct named_range *ranges, size_t count)
{
    struct named_range *merged = mem_array(code->count + count, sizeof *merged);
    size_t made = 0, next = 0;
    for (size_t i = 0; i < count; i++) {
        while (next < code->count && code->ranges[next].start <= ranges[i].start)
            merged[made++] = code->ranges[next++];
        if (made > 0 && merged[made - 1].end > ranges[i].start)
            continue;
        merged[made] = ranges[i];
        if (next < code->count && code->ranges[next].start < ranges[i].end)
            merged[made].end = code->ranges[next].start;
        made++;
    }
    while (next < code->count)
        merged[made++] = code->ranges[next++];
    free(code->ranges);
    *code = (struct object_code){merged, made};
}

/* Adds FUNCTIONS, which are in order, to CODE, and frees them.  */
static void add_functions(struct object_code *code, struct functions *functions)
{
    struct named_range *ranges = mem_array(functions->count, sizeof *ranges);
    for (size_t i = 0; i < functions->count; i++) {
        const struct symbol *symbol = &functions->symbols[i];
        bool is_cut = i + 1 < functions->count && symbol[1].addr < symbol->end;
        ranges[i] = (struct named_range){symbol->addr, is_cut ? symbol[1].addr : symbol->end,
                                         symbol->name[0] != '\0' ? symbol->name : NULL, 0};
    }
    add_between(code, ranges, functions->count);
    free(ranges);
    free(functions->symbols);
}

struct object_code object_code_read(struct image *image, char **names)
{
    struct object_code code = {0};
    *names = NULL;
    code.ranges = image_stubs(image, &code.count);
    bool is_stripped = image_lacks_symbols(image);
    struct functions functions = is_stripped ? read_dynamic(image, names) : read_symbols(image);
    sort_functions(&functions);
    add_functions(&code, &functions);
    if (is_stripped) {
        functions = read_frames(image);
        sort_functions(&functions);
        add_functions(&code, &functions);
    }
    return code;
}
