/* test_call_sites.c - whether an address is behind a call, one processor after the other; samples
   of callees.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "code_case.h"

/* What is expected: the addresses behind calls, as offsets from START in hexadecimal.  What
   compilers make of -pg comes first, then the other forms.  */
static const struct code_case cases[] = {
    {"x86-64: call mcount", "i386", 8, LITTLE, "55 4889e5 e800000000 90 90 90 c3", "9"},
    {"x86-64: call *mcount@GOTPCREL(%rip)", "i386", 8, LITTLE, "90 90 ff15 00000000 c3", "8"},
    {"x86-64: call *%rax, call *%r10", "i386", 8, LITTLE, "ffd0 90 41ffd2 c3", "2 6"},
    {"x86-64: call *(%rbx,%rax,1), with displacements", "i386", 8, LITTLE,
     "ff1403 90909090 ff540310 90909090 ff940300000000 90", "3 b 16"},
    {"x86-64: call *8(%rax), *0x100(%rax), *0(,%rax,8)", "i386", 8, LITTLE,
     "ff5008 90909090 ff9000010000 90909090 ff14c500000000", "3 d 18"},
    {"x86-64: no calls: jmp *, push", "i386", 8, LITTLE,
     "ff25 00000000 ffe0 ff35 00000000 e9 00000000 90909090 90", ""},
    {"AArch64: bl, blr, blraaz, b, br", "aarch64", 8, LITTLE,
     "00000094 20003fd6 1f083fd6 00000014 20001fd6", "4 8 c"},
    {"AArch64: big-endian data", "aarch64", 8, BIG, "00000094 00000000", "4"},
    {"MIPS: jal, jalr, bal, j", "mips", 4, BIG,
     "0c000400 00000000 0320f809 00000000 04110005 00000000 08000400 00000000", "8 10 18"},
    {"MIPS: little-endian", "mips", 4, LITTLE, "0004000c 00000000", "8"},
    {"SPARC: at the call, and behind its delay slot", "sparc", 8, BIG,
     "40000004 01000000 01000000 9fc04000 01000000 01000000", "0 8 c 14"},
    {"Alpha: jsr, bsr, br", "alpha", 8, LITTLE, "0040 5b6b 030040d3 0000e0c3", "4 8"},
    {"VAX: jsb", "vax", 4, LITTLE, "50 16ef00000000 50", "7"},
    {"VAX: calls", "vax", 4, LITTLE, "50 fb00ef00000000 50", "8"},
    {"ARM (an odd address is in T32): bl, blx, blx r3, b", "arm", 4, LITTLE,
     "000000eb 000000fa 33ff2fe1 000000ea", "4 5 8 9 c d"},
    {"Thumb: bl, blx r3", "arm", 4, LITTLE, "00b5 00f000f8 9847 0000", "6 7 8 9"},
    {"PowerPC: bl, bla, bctrl, blrl, b, bctr", "powerpc", 4, BIG,
     "48000001 48001003 4e800421 4e800021 48000004 4e800420", "4 8 c 10"},
    {"PowerPC: little-endian", "powerpc", 8, LITTLE, "01000048 00000060", "4"},
    {"RISC-V: jal, jalr, c.jalr, j, c.jr", "riscv", 8, LITTLE,
     "ef000000 e7800000 0295 6f000000 0285", "4 8 a"},
    {"RISC-V: c.jal in 32 bits", "riscv", 4, LITTLE, "0128 0100", "2"},
    {"s390x: brasl, bras, basr, brcl", "s390", 8, BIG,
     "c0e500000000 a7e50000 0de1 c0f400000000 07fe", "6 a c"},
    {"another processor", "m68k", 8, LITTLE, "e800000000", ""},
};

static void check(const struct code_case *c)
{
    char found[256] = "";
    size_t used = 0;
    struct code code = code_of(c);
    for (size_t i = 0; i <= code.size; i++)
        if (is_behind_call(&code, START + i))
            used += (size_t)snprintf(found + used, sizeof found - used, "%s%zx",
                                     used > 0 ? " " : "", i);
    is_same_text(found, c->expected, c->what);
    is_true(!is_behind_call(&code, START - 1) && !is_behind_call(&code, START + code.size + 1) &&
                !is_behind_call(&code, 0) && !is_behind_call(&code, UINT64_MAX),
            "nothing outside of the text");
    free_code(&code);
}

static void check_samples(void)
{
    struct callee_sample sample = {.count = 0};
    for (vma i = 0; i < 10; i++)
        callee_sample_add(&sample, i);
    is_true(sample.count == 10 && sample.addrs[9] == 9, "few: all");
    callee_sample_clear(&sample);
    for (vma i = 0; i < 5 * CALLEE_SAMPLE; i++)
        callee_sample_add(&sample, i);
    bool is_even = true;
    for (size_t i = 0; i < sample.count; i++)
        is_even &= sample.addrs[i] == 8 * i;
    is_true(sample.count == 5 * CALLEE_SAMPLE / 8 && is_even, "many: every eighth, to the end");
}

int main(void)
{
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++)
        check(&cases[i]);
    check_samples();
    return tap_done();
}
