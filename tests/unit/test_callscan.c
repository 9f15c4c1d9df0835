/* test_callscan.c - calls in text bytes, for each processor.  The bytes are the assembled
   instructions that the name of a case lists.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>

#include "code_case.h"

/* What is expected: targets and indirect calls (*), in order.  */
static const struct code_case cases[] = {
    {"x86-64: forward and backward", "i386", 8, LITTLE, "e8 0b000000 90 e8 f5ffffff e9 00000000 c3",
     "1010 1000"},
    {"x86: at any byte, one in another", "i386", 8, LITTLE, "e8 e8 00000000 00 90 c3", "10ed 1006"},
    {"x86: out of 32 bits", "i386", 4, LITTLE, "e8 fbeeffff e8 f6eeffff", "ffffff00 ffffff00"},
    {"x86: cut by the end", "i386", 8, LITTLE, "90 e8 000000", ""},
    {"AArch64: bl, bl back, b; bl of another word", "aarch64", 8, LITTLE,
     "04000094 ffffff97 08000014 00000054", "1010 1000 1028"},
    {"AArch64: big-endian data", "aarch64", 8, BIG, "04000094", "1010"},
    {"AArch64: cut", "aarch64", 8, LITTLE, "1f2003d5 040000", ""},
    {"MIPS: jal, jalr, jalr to a0, jr", "mips", 4, BIG,
     "0c000408 00000000 0320f809 03202009 03e00008", "1020 *"},
    {"MIPS: little-endian", "mips", 4, LITTLE, "0804000c 09f82003 08002003", "1020 *"},
    {"SPARC: call, call back, sethi", "sparc", 8, BIG, "40000004 7fffffff 03000004", "1010 1000"},
    {"Alpha: bsr, bsr back, br", "alpha", 8, LITTLE, "030040d3 feff5fd3 0000e0c3", "1010 1000"},
    {"Alpha: jsr, jmp, ret, jsr_coroutine", "alpha", 8, LITTLE,
     "00405b6b 0000fb6b 0180fa6b 00c05b6b", "* *"},
    {"VAX: calls and its ways to say where", "vax", 4, LITTLE,
     "fb00af0c fb02cff700 fb03eff1000000 fb009f00100000 fb0063 fb00ac04 d0 00000000",
     "1010 1100 1101 1000 * *"},
    {"VAX: jsb", "vax", 4, LITTLE, "16effa0f0000 16af00000000 1664 0000000000", "2000 1009 *"},
    {"VAX: no call: a register, a number, arguments in memory", "vax", 4, LITTLE,
     "fb0053000000 1654000000 fb63640000 168f00000000", ""},
    {"VAX: cut", "vax", 4, LITTLE, "fb00af00", ""},
    {"ARM: bl, blx, bleq, bl back, b", "arm", 4, LITTLE,
     "040000eb 040000fb 0000000b fcffffeb 040000ea", "1018 101e 1010 1004"},
    {"ARM: big-endian", "arm", 4, BIG, "eb000004", "1018"},
    {"Thumb: bl, bl back, blx", "arm", 4, LITTLE, "00f032f8 fff7ceff 00bf 00f032e8",
     "1068 fa4 1070"},
    {"Thumb: far", "arm", 4, LITTLE, "00bf 23f12bfa 43f509d9 f0f700e8", "12445c ff54421c ffff100c"},
    {"Thumb: read as ARM too", "arm", 4, LITTLE, "23f12bfa", "afd494 12445a"},
    {"PowerPC: bl, bl back, bla, b", "powerpc", 4, BIG, "48000021 4bffffe1 48001003 48000004",
     "1020 fe4 1000"},
    {"PowerPC: little-endian", "powerpc", 8, LITTLE, "21000048", "1020"},
    {"RISC-V: jal, jal back, j, jal to t0", "riscv", 8, LITTLE,
     "ef00c000 efe0dfdc 6f000001 ef020001", "100c fffffffffffffdd0"},
    {"RISC-V: far jal", "riscv", 8, LITTLE, "efb0fa4d", "accde"},
    {"RISC-V: auipc and jalr", "riscv", 8, LITTLE,
     "97100000 e7800001 17f3ffff e700c3fe 97100000 e7004501", "2010 fffffffffffffff4"},
    {"RISC-V: c.jal in 32 bits", "riscv", 4, LITTLE, "0128 d93f d52f", "1010 fd8 17f8"},
    {"RISC-V: c.addiw in 64", "riscv", 8, LITTLE, "0128 d93f d52f", ""},
    {"RISC-V: cut", "riscv", 8, LITTLE, "97100000 e78000", ""},
    {"s390x: brasl, brasl back, brcl", "s390", 8, BIG, "c0e500000008 c0e5fffffffd c0f400000008",
     "1010 1000"},
    {"s390x: bras", "s390", 8, BIG, "a7e50020 a7d5ffdf", "1040 fc2"},
    {"s390x: cut", "s390", 8, BIG, "c0e500000000 c0e50000", "1000"},
    {"another processor", "m68k", 8, LITTLE, "e800000000", ""},
};

struct answer {
    char text[256];
    size_t size;
};

static void note(void *context, const struct call *call)
{
    struct answer *answer = context;
    char *end = answer->text + answer->size;
    size_t capacity = sizeof answer->text - answer->size;
    const char *gap = answer->size > 0 ? " " : "";
    int made = call->is_indirect
                   ? snprintf(end, capacity, "%s*", gap)
                   : snprintf(end, capacity, "%s%llx", gap, (unsigned long long)call->target);
    answer->size += (size_t)made;
}

static void check(const struct code_case *c)
{
    struct answer answer = {.size = 0};
    struct code code = code_of(c);
    callscan(&code, 0, UINT64_MAX, note, &answer);
    is_same_text(answer.text, c->expected, c->what);
    free_code(&code);
}

static void check_range(vma from, vma end, const char *calls, const char *what)
{
    static const unsigned char bytes[] = {0xe8, 0, 0, 0, 0, 0xe8, 0, 0, 0, 0};
    const struct code code = {
        .arch = "i386", .pointer_size = 8, .start = START, .bytes = bytes, .size = sizeof bytes};
    struct answer answer = {.size = 0};
    callscan(&code, from, end, note, &answer);
    is_same_text(answer.text, calls, what);
}

static void ignore(void *context, const struct call *call)
{
    (void)context;
    (void)call;
}

/* Only the text is read, whatever its bytes and its size.  */
static void check_anything(const char *arch)
{
    uint32_t state = 1;
    for (size_t round = 0; round < 400; round++) {
        struct code code = {.arch = arch,
                            .is_big_endian = round % 2 != 0,
                            .pointer_size = round % 3 == 0 ? 4 : 8,
                            .start = START,
                            .size = round % 40};
        unsigned char *bytes = malloc(code.size > 0 ? code.size : 1);
        for (size_t i = 0; i < code.size; i++) {
            state = state * 1664525 + 1013904223;
            bytes[i] = (unsigned char)(state >> 24);
        }
        code.bytes = bytes;
        callscan(&code, START, START + 64, ignore, NULL);
        free(bytes);
    }
}

int main(void)
{
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++)
        check(&cases[i]);
    check_range(START, START + 5, "1005", "the end is not looked at");
    check_range(START, START + 6, "1005 100a", "an instruction may reach behind the end");
    check_range(START + 1, START + 10, "100a", "from the middle");
    check_range(START + 10, START + 20, "", "behind the text");
    check_range(START + 5, START + 5, "", "nowhere");
    static const char *const all[] = {"i386", "aarch64", "mips",    "sparc", "alpha", "vax",
                                      "arm",  "riscv",   "powerpc", "s390",  "m68k"};
    for (size_t i = 0; i < ARRAY_LENGTH(all); i++)
        check_anything(all[i]);
    is_true(callscan_is_known("s390") && !callscan_is_known("m68k"), "known processors");
    is_true(callscan_has_indirect("mips") && !callscan_has_indirect("i386"),
            "processors with indirect calls");
    return tap_done();
}
