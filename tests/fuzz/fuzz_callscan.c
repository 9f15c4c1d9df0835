/* fuzz_callscan.c - text of any processor at any address, with symbols and histograms at any of its
   addresses.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>
#include <string.h>

#include "analysis/callscan.h"
#include "analysis/hist.h"
#include "base/common.h"
#include "base/memory.h"
#include "fuzz.h"
#include "model/hist_set.h"
#include "symbols/symtab.h"

enum { SYMBOLS = 6, HISTOGRAMS = 3 };

struct scan_limits {
    vma from, end;
    size_t calls, most;
};

static void count_call(void *context, const struct call *call)
{
    struct scan_limits *limits = context;
    (void)call;
    limits->calls++;
    FUZZ_CHECK(limits->calls <= limits->most);
}

static void build_symbols(struct symtab *symtab, struct input *input, const struct code *code)
{
    struct symbol *symbols = mem_array(SYMBOLS, sizeof *symbols);
    for (size_t i = 0; i < SYMBOLS; i++) {
        symbols[i].addr =
            input_byte(input) & 1 ? input_number(input, 8) : code->start + input_byte(input);
        symbols[i].name = "f";
        symbols[i].file = NO_ID;
        symbols[i].is_func = true;
    }
    symtab_build_from(symtab, symbols, SYMBOLS, sum_u64(code->start, code->size));
}

static void build_histograms(struct hist_set *set, struct input *input, const struct code *code)
{
    for (size_t i = 0; i < HISTOGRAMS; i++) {
        struct hist_header header = {.bin_count = 1 + input_byte(input), .dimension = "seconds"};
        header.low = input_byte(input) & 1 ? input_number(input, 8) : code->start + 64 * i;
        header.high = input_byte(input) & 1 ? input_number(input, 8) : header.low + 64;
        if (header.low < header.high && hist_check(set, &header) == HIST_OK)
            hist_add(hist_find_or_add(set, &header), 0, 1);
    }
}

static void check_arcs(struct input *input, const struct code *code)
{
    struct symtab symtab = {0};
    struct hist_set hist = {0};
    struct filters filters = {0};
    struct arc_table table = {0};
    struct arc_builder builder = {.symtab = &symtab, .filters = &filters, .table = &table};
    build_symbols(&symtab, input, code);
    build_histograms(&hist, input, code);
    uint32_t indirect = symtab_add_indirect_target(&symtab, "indirect");
    callscan_add_arcs(&builder, code, &hist, indirect);
    arcs_finish(&builder);
    FUZZ_CHECK(table.count <= symtab.count * symtab.count);
    symtab.entry_units = strcmp(code->arch, "vax") == 0;
    hist_assign(&hist, &symtab, &filters.flat);
    arcs_free(&table);
    hist_free(&hist);
    symtab_free(&symtab);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    static const char *const all[] = {"m68k", "i386", "aarch64", "mips",  "sparc", "alpha",
                                      "vax",  "arm",  "powerpc", "riscv", "s390"};
    struct code code = {.arch = all[input_byte(&input) % ARRAY_LENGTH(all)]};
    unsigned flags = input_byte(&input);
    code.is_big_endian = flags & 1;
    code.sign_extends = (flags & 2) != 0;
    code.pointer_size = flags & 4 ? 8 : 4;
    code.start = flags & 8 ? input_number(&input, 8) : 0x1000;
    struct scan_limits limits = {.from = code.start, .end = UINT64_MAX, .most = 3 * size};
    if (flags & 16)
        limits.from = input_number(&input, 8);
    if (flags & 32)
        limits.end = input_number(&input, 8);
    struct input bytes = input;
    if (flags & 64) /* read the other values after the first bytes of the text */
        bytes.left = bytes.left > 64 ? bytes.left - 64 : bytes.left;
    code.size = bytes.left;
    if (code.size > UINT64_MAX - code.start)
        code.size = (size_t)(UINT64_MAX - code.start);
    unsigned char *text = mem_array(code.size, 1);
    if (code.size > 0)
        memcpy(text, bytes.at, code.size);
    code.bytes = text;
    callscan(&code, limits.from, limits.end, count_call, &limits);
    input.at += input.left - (input.left > 64 ? 64 : input.left);
    input.left = input.left > 64 ? 64 : input.left;
    check_arcs(&input, &code);
    free(text);
    return 0;
}
