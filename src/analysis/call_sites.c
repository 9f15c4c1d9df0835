/* call_sites.c - whether recorded callees are where the code of an image counts calls.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/call_sites.h"

#include "base/common.h"

/* ---- Reading around an address ---- */

struct site {
    const struct code *code;
    size_t offset; /* of the address, from the start of the text */
};

/* The byte that is BACK bytes before the address, or after it if BACK is negative; outside of the
   text 0, which begins no call.  */
static unsigned char byte(const struct site *site, int back)
{
    const struct code *code = site->code;
    size_t offset = site->offset - (size_t)(ptrdiff_t)back; /* wraps before the text */
    return offset < code->size ? code->bytes[offset] : 0;
}

static uint32_t little(const struct site *site, int back, int size)
{
    uint32_t value = 0;
    for (int i = size; i-- > 0;)
        value = value << 8 | byte(site, back - i);
    return value;
}

/* The instruction of SIZE bytes that begins BACK bytes before the address, in the image's byte
   order.  */
static uint32_t word(const struct site *site, int back, int size)
{
    uint32_t value = 0;
    if (!site->code->is_big_endian)
        return little(site, back, size);
    for (int i = 0; i < size; i++)
        value = value << 8 | byte(site, back - i);
    return value;
}

/* ---- Processors: whether a call ends at the address.  An encoding is given by mask and value.
   ---- */

/* Bytes of an x86 instruction with a ModRM byte and no immediate: opcode, ModRM, SIB, displacement.
 */
static int modrm_length(unsigned char modrm, unsigned char sib)
{
    unsigned mod = modrm >> 6, rm = modrm & 7;
    if (mod == 3)
        return 2;
    int length = rm == 4 ? 3 : 2;
    if (mod == 1)
        return length + 1;
    bool is_far = mod == 2 || (mod == 0 && (rm == 5 || (rm == 4 && (sib & 7) == 5)));
    return is_far ? length + 4 : length;
}

/* e8 and four bytes; ff /2: by a register, by memory, by the global offset table.  */
static bool x86_follows(const struct site *site)
{
    enum { SHORTEST = 2, LONGEST = 7 };
    if (byte(site, 5) == 0xe8)
        return true;
    for (int length = SHORTEST; length <= LONGEST; length++) {
        unsigned char modrm = byte(site, length - 1);
        if (byte(site, length) == 0xff && (modrm & 0x38) == 0x10 &&
            modrm_length(modrm, length > 2 ? byte(site, length - 2) : 0) == length)
            return true;
    }
    return false;
}

/* bl; blr; blraa and blrab.  */
static bool aarch64_follows(const struct site *site)
{
    uint32_t w = little(site, 4, 4);
    return (w & 0xfc000000) == 0x94000000 || (w & 0xfffffc1f) == 0xd63f0000 ||
           (w & 0xfefff800) == 0xd63f0800;
}

/* jal, jalr, bal; the address is behind the delay slot.  */
static bool mips_follows(const struct site *site)
{
    uint32_t w = word(site, 8, 4);
    return (w & 0xfc000000) == 0x0c000000 || (w & 0xfc00f83f) == 0x0000f809 || w >> 16 == 0x0411;
}

/* call; jmpl that links o7, the register that holds the address of the call itself.  */
static bool sparc_follows(const struct site *site)
{
    uint32_t at = word(site, 0, 4), before = word(site, 8, 4);
    return at >> 30 == 1 || (at & 0xfff80000) == 0x9fc00000 || before >> 30 == 1 ||
           (before & 0xfff80000) == 0x9fc00000;
}

/* bsr; jsr.  */
static bool alpha_follows(const struct site *site)
{
    uint32_t w = word(site, 4, 4);
    return w >> 26 == 0x34 || (w & 0xfc00c000) == 0x68004000;
}

/* jsb, calls with a literal number of arguments; the operand is in a register, or is a displacement
   of a byte, a word or a longword, perhaps indirect, or an absolute address.  */
static bool vax_follows(const struct site *site)
{
    static const struct {
        unsigned char operand;
        int length;
    } operands[] = {{0x60, 1}, {0xa0, 2}, {0xb0, 2}, {0xc0, 3},
                    {0xd0, 3}, {0xe0, 5}, {0xf0, 5}, {0x90, 5}};
    for (size_t i = 0; i < ARRAY_LENGTH(operands); i++) {
        int length = operands[i].length;
        if ((byte(site, length) & 0xf0) == operands[i].operand &&
            (byte(site, length + 1) == 0x16 ||
             (byte(site, length + 1) < 0x40 && byte(site, length + 2) == 0xfb)))
            return true;
    }
    return false;
}

/* A32, at multiples of 4: bl and blx; T32: bl and blx of two halves, blx by a register.  */
static bool arm_follows(const struct site *site)
{
    uint32_t w = word(site, 4, 4), first = word(site, 4, 2), second = word(site, 2, 2);
    bool is_a32 = (w >> 24 & 0xf) == 0xb || w >> 25 == 0x7d || (w & 0x0ffffff0) == 0x012fff30;
    return (is_a32 && (site->code->start + site->offset) % 4 == 0) ||
           ((first & 0xf800) == 0xf000 && (second & 0xc000) == 0xc000) ||
           (second & 0xff87) == 0x4780;
}

/* bl, bla; bctrl, blrl.  */
static bool powerpc_follows(const struct site *site)
{
    uint32_t w = word(site, 4, 4);
    return (w & 0xfc000001) == 0x48000001 || w == 0x4e800421 || w == 0x4e800021;
}

/* jal and jalr that link ra; c.jalr; in 32 bits c.jal.  */
static bool riscv_follows(const struct site *site)
{
    uint32_t w = little(site, 4, 4), half = little(site, 2, 2);
    return (w & 0xfff) == 0x0ef || (w & 0x7fff) == 0x00e7 ||
           ((half & 0xf07f) == 0x9002 && (half & 0x0f80) != 0) ||
           (site->code->pointer_size == 4 && (half & 0xe003) == 0x2001);
}

/* brasl; bras; basr.  */
static bool s390_follows(const struct site *site)
{
    return (byte(site, 6) == 0xc0 && (byte(site, 5) & 0x0f) == 5) ||
           (byte(site, 4) == 0xa7 && (byte(site, 3) & 0x0f) == 5) || byte(site, 2) == 0x0d;
}

static const struct {
    enum image_arch arch;
    unsigned step; /* bytes from one place where an instruction may begin to the next */
    bool (*follows)(const struct site *site);
} processors[] = {
    {ARCH_X86, 1, x86_follows},     {ARCH_AARCH64, 4, aarch64_follows},
    {ARCH_MIPS, 4, mips_follows},   {ARCH_SPARC, 4, sparc_follows},
    {ARCH_ALPHA, 4, alpha_follows}, {ARCH_VAX, 1, vax_follows},
    {ARCH_ARM, 2, arm_follows},     {ARCH_POWERPC, 4, powerpc_follows},
    {ARCH_RISCV, 2, riscv_follows}, {ARCH_S390, 2, s390_follows},
};

bool is_behind_call(const struct code *code, vma addr)
{
    if (code->arch == ARCH_ARM)
        addr &= ~(vma)1; /* set in the return addresses of T32 */
    if (addr < code->start || addr - code->start > code->size)
        return false;
    const struct site site = {code, (size_t)(addr - code->start)};
    for (size_t i = 0; i < ARRAY_LENGTH(processors); i++)
        if (processors[i].arch == code->arch)
            return addr % processors[i].step == 0 && processors[i].follows(&site);
    return false;
}

/* ---- Samples ---- */

/* Keeps every second of the sample: that is every 2 * STEP-th callee.  */
static void halve(struct callee_sample *sample)
{
    for (size_t i = 0; i < CALLEE_SAMPLE / 2; i++)
        sample->addrs[i] = sample->addrs[2 * i];
    sample->count = CALLEE_SAMPLE / 2;
    sample->step *= 2;
}

void callee_sample_add(struct callee_sample *sample, vma addr)
{
    if (sample->step == 0)
        sample->step = 1;
    if ((sample->seen++ & (sample->step - 1)) != 0)
        return;
    if (sample->count == CALLEE_SAMPLE)
        halve(sample);
    /* After halving, the number of this one is a multiple of the new step.  */
    sample->addrs[sample->count++] = addr;
}

void callee_sample_clear(struct callee_sample *sample)
{
    sample->count = 0;
    sample->step = sample->seen = 0;
}
