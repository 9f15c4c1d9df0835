/* callscan.c - finds call instructions in the code (-c), and the calls before return addresses.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/callscan.h"

#include <string.h>

#include "base/common.h"
#include "model/hist_set.h"
#include "symbols/symtab.h"

/* A position in the text.  */
struct cursor {
    const struct code *code;
    vma pc;
    const unsigned char *bytes; /* at pc */
    size_t left;                /* bytes of text from pc on */
};

/* ---- Reading code ---- */

static uint32_t little(const unsigned char *p, unsigned size)
{
    uint32_t value = 0;
    while (size > 0)
        value = value << 8 | p[--size];
    return value;
}

static uint32_t big(const unsigned char *p, unsigned size)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value = value << 8 | p[i];
    return value;
}

/* The instruction word of SIZE bytes at OFFSET from the cursor, which has them.  */
static uint32_t word(const struct cursor *at, size_t offset, unsigned size)
{
    return at->code->is_big_endian ? big(at->bytes + offset, size)
                                   : little(at->bytes + offset, size);
}

/* The low BITS bits of VALUE as a signed number.  */
static int64_t signed_bits(uint32_t value, unsigned bits)
{
    uint64_t sign = (uint64_t)1 << (bits - 1);
    uint64_t low = value & ((sign << 1) - 1);
    return (int64_t)(low ^ sign) - (int64_t)sign;
}

static uint32_t bits(uint32_t value, unsigned lowest, unsigned count)
{
    return value >> lowest & (uint32_t)(((uint64_t)1 << count) - 1);
}

/* A call whose target is DISTANCE bytes from pc.  */
static bool call_near(const struct cursor *at, int64_t distance, struct call *call)
{
    call->target = at->pc + (vma)distance;
    return true;
}

static bool call_indirect(struct call *call)
{
    call->is_indirect = true;
    return true;
}

/* ---- Call instructions by processor ----

   Each function returns whether a call begins at the cursor, which has at least `shortest' bytes
   (`processors').  */

static bool x86_call(const struct cursor *at, struct call *call)
{
    return at->bytes[0] == 0xe8 &&
           call_near(at, 5 + signed_bits(little(at->bytes + 1, 4), 32), call);
}

/* bl, and b, which tail calls use; little-endian on machines of either order.  */
static bool aarch64_call(const struct cursor *at, struct call *call)
{
    uint32_t w = little(at->bytes, 4);
    return (w & 0x7c000000) == 0x14000000 && call_near(at, 4 * signed_bits(w, 26), call);
}

/* jal, which replaces the low 28 bits of the address after it; jalr that links ra.  */
static bool mips_call(const struct cursor *at, struct call *call)
{
    uint32_t w = word(at, 0, 4);
    if ((w & 0xfc00f83f) == 0x0000f809)
        return call_indirect(call);
    call->target = ((at->pc + 4) & ~(vma)0x0fffffff) | (vma)bits(w, 0, 26) << 2;
    return (w & 0xfc000000) == 0x0c000000;
}

static bool sparc_call(const struct cursor *at, struct call *call)
{
    uint32_t w = word(at, 0, 4);
    return w >> 30 == 1 && call_near(at, 4 * signed_bits(w, 30), call);
}

/* bsr, which may enter after the instructions that set up the global pointer; jsr and
 * jsr_coroutine.  */
static bool alpha_call(const struct cursor *at, struct call *call)
{
    uint32_t w = word(at, 0, 4);
    if ((w & 0xfc004000) == 0x68004000)
        return call_indirect(call);
    call->entry = 8;
    return w >> 26 == 0x34 && call_near(at, 4 + 4 * signed_bits(w, 21), call);
}

/* bl and blx of A32.  Symbols do not record which of the two instruction sets a function is in, so
   all text is read as both.  A call read in the wrong one is dropped, because its target is almost
   never the start of a symbol.
 */
static bool a32_call(const struct cursor *at, struct call *call)
{
    uint32_t w = word(at, 0, 4);
    int64_t distance = 8 + 4 * signed_bits(w, 24);
    if (w >> 28 == 15)
        return bits(w, 25, 3) == 5 && call_near(at, distance + 2 * bits(w, 24, 1), call);
    return bits(w, 24, 4) == 11 && call_near(at, distance, call);
}

/* bl and blx of T32, whose distance is put together from five pieces.  */
static bool t32_call(const struct cursor *at, struct call *call)
{
    uint32_t first = word(at, 0, 2), second = word(at, 2, 2);
    if ((first & 0xf800) != 0xf000 || (second & 0xc000) != 0xc000)
        return false;
    bool is_blx = bits(second, 12, 1) == 0;
    if (is_blx && bits(second, 0, 1) != 0)
        return false;
    uint32_t s = bits(first, 10, 1);
    uint32_t i1 = bits(second, 13, 1) == s, i2 = bits(second, 11, 1) == s;
    uint32_t low = bits(first, 0, 10) << 12 | bits(second, 0, 11) << 1;
    int64_t distance = 4 + signed_bits(s << 24 | i1 << 23 | i2 << 22 | low, 25);
    return call_near(at, distance - (is_blx ? (int64_t)(at->pc & 2) : 0), call);
}

/* bl; bla.  In 64 bits calls from the same module may enter after the instructions
   that set up the table of contents.  */
static bool powerpc_call(const struct cursor *at, struct call *call)
{
    uint32_t w = word(at, 0, 4);
    vma base = bits(w, 1, 1) != 0 ? 0 : at->pc;
    call->target = base + (vma)signed_bits(w & ~(uint32_t)3, 26);
    call->entry = at->code->pointer_size == 8 ? 8 : 0;
    return w >> 26 == 18 && bits(w, 0, 1) != 0;
}

/* jal to ra; in 32 bits c.jal; auipc and jalr to ra, together.  Little-endian always.  */
static bool riscv_call(const struct cursor *at, struct call *call)
{
    uint32_t w = little(at->bytes, at->left < 4 ? 2 : 4);
    if (at->code->pointer_size == 4 && (w & 0xe003) == 0x2001) {
        uint32_t distance = bits(w, 12, 1) << 11 | bits(w, 8, 1) << 10 | bits(w, 9, 2) << 8 |
                            bits(w, 6, 1) << 7 | bits(w, 7, 1) << 6 | bits(w, 2, 1) << 5 |
                            bits(w, 11, 1) << 4 | bits(w, 3, 3) << 1;
        return call_near(at, signed_bits(distance, 12), call);
    }
    if (at->left >= 4 && (w & 0xfff) == 0x0ef) {
        uint32_t distance = bits(w, 31, 1) << 20 | bits(w, 12, 8) << 12 | bits(w, 20, 1) << 11 |
                            bits(w, 21, 10) << 1;
        return call_near(at, signed_bits(distance, 21), call);
    }
    if (at->left < 8 || (w & 0x7f) != 0x17)
        return false;
    uint32_t jalr = little(at->bytes + 4, 4);
    return (jalr & 0x7fff) == 0x00e7 && bits(jalr, 15, 5) == bits(w, 7, 5) &&
           call_near(at, signed_bits(w & ~(uint32_t)0xfff, 32) + signed_bits(jalr >> 20, 12), call);
}

/* brasl; bras.  */
static bool s390_call(const struct cursor *at, struct call *call)
{
    if ((at->bytes[1] & 0x0f) != 5)
        return false;
    if (at->bytes[0] == 0xa7)
        return call_near(at, 2 * signed_bits(big(at->bytes + 2, 2), 16), call);
    return at->bytes[0] == 0xc0 && at->left >= 6 &&
           call_near(at, 2 * signed_bits(big(at->bytes + 2, 4), 32), call);
}

/* The operand of a VAX call that is its target, OFFSET bytes from the cursor.  */
static bool vax_operand(const struct cursor *at, size_t offset, struct call *call)
{
    enum { LONGEST_OPERAND = 5 };
    if (at->left < offset + LONGEST_OPERAND)
        return false;
    const unsigned char *p = at->bytes + offset;
    switch (p[0]) {
    case 0x9f: /* absolute */
        call->target = little(p + 1, 4);
        return true;
    case 0xaf: /* a byte's, a word's, a longword's distance from what follows */
        return call_near(at, (int64_t)offset + 2 + signed_bits(p[1], 8), call);
    case 0xcf:
        return call_near(at, (int64_t)offset + 3 + signed_bits(little(p + 1, 2), 16), call);
    case 0xef:
        return call_near(at, (int64_t)offset + 5 + signed_bits(little(p + 1, 4), 32), call);
    default: /* by a register, or by memory at a register's */
        return p[0] >= 0x60 && p[0] != 0x8f && call_indirect(call);
    }
}

/* calls with a literal number of arguments; jsb.  */
static bool vax_call(const struct cursor *at, struct call *call)
{
    const unsigned char *p = at->bytes;
    if (p[0] == 0xfb && p[1] < 0x40)
        return vax_operand(at, 2, call);
    return p[0] == 0x16 && vax_operand(at, 1, call);
}

/* ---- Code around an address ---- */

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

static uint32_t site_little(const struct site *site, int back, int size)
{
    uint32_t value = 0;
    for (int i = size; i-- > 0;)
        value = value << 8 | byte(site, back - i);
    return value;
}

/* The instruction of SIZE bytes that begins BACK bytes before the address, in the image's byte
   order.  */
static uint32_t site_word(const struct site *site, int back, int size)
{
    uint32_t value = 0;
    if (!site->code->is_big_endian)
        return site_little(site, back, size);
    for (int i = 0; i < size; i++)
        value = value << 8 | byte(site, back - i);
    return value;
}

/* ---- Return addresses by processor ----

   Each function returns whether a call ends at the address.  Encodings are given by mask and
   value.  */

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
    uint32_t w = site_little(site, 4, 4);
    return (w & 0xfc000000) == 0x94000000 || (w & 0xfffffc1f) == 0xd63f0000 ||
           (w & 0xfefff800) == 0xd63f0800;
}

/* jal, jalr, bal; the address is behind the delay slot.  */
static bool mips_follows(const struct site *site)
{
    uint32_t w = site_word(site, 8, 4);
    return (w & 0xfc000000) == 0x0c000000 || (w & 0xfc00f83f) == 0x0000f809 || w >> 16 == 0x0411;
}

/* call; jmpl that links o7, the register that holds the address of the call itself.  */
static bool sparc_follows(const struct site *site)
{
    uint32_t at = site_word(site, 0, 4), before = site_word(site, 8, 4);
    return at >> 30 == 1 || (at & 0xfff80000) == 0x9fc00000 || before >> 30 == 1 ||
           (before & 0xfff80000) == 0x9fc00000;
}

/* bsr; jsr.  */
static bool alpha_follows(const struct site *site)
{
    uint32_t w = site_word(site, 4, 4);
    return w >> 26 == 0x34 || (w & 0xfc00c000) == 0x68004000;
}

/* jsb, calls with a literal number of arguments; the operand is in a register, or is a displacement
   of a byte, a site_word or a longword, perhaps indirect, or an absolute address.  */
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
    uint32_t w = site_word(site, 4, 4), first = site_word(site, 4, 2),
             second = site_word(site, 2, 2);
    bool is_a32 = (w >> 24 & 0xf) == 0xb || w >> 25 == 0x7d || (w & 0x0ffffff0) == 0x012fff30;
    return (is_a32 && (site->code->start + site->offset) % 4 == 0) ||
           ((first & 0xf800) == 0xf000 && (second & 0xc000) == 0xc000) ||
           (second & 0xff87) == 0x4780;
}

/* bl, bla; bctrl, blrl.  */
static bool powerpc_follows(const struct site *site)
{
    uint32_t w = site_word(site, 4, 4);
    return (w & 0xfc000001) == 0x48000001 || w == 0x4e800421 || w == 0x4e800021;
}

/* jal and jalr that link ra; c.jalr; in 32 bits c.jal.  */
static bool riscv_follows(const struct site *site)
{
    uint32_t w = site_little(site, 4, 4), half = site_little(site, 2, 2);
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

/* ---- Table of processors ---- */

/* A processor, or one of its instruction sets.  */
static const struct processor {
    const char *arch;  /* see struct code */
    bool has_indirect; /* indirect calls are found, too */
    unsigned step;     /* alignment of instructions, in bytes */
    unsigned shortest; /* bytes of the shortest call; is_call gets no less */
    bool (*is_call)(const struct cursor *at, struct call *call);
    bool (*follows)(const struct site *site); /* NULL: another row of the processor has it */
} processors[] = {
    {"i386", false, 1, 5, x86_call, x86_follows},
    {"aarch64", false, 4, 4, aarch64_call, aarch64_follows},
    {"mips", true, 4, 4, mips_call, mips_follows},
    {"sparc", false, 4, 4, sparc_call, sparc_follows},
    {"alpha", true, 4, 4, alpha_call, alpha_follows},
    {"vax", true, 1, 2, vax_call, vax_follows},
    {"arm", false, 4, 4, a32_call, NULL},
    {"arm", false, 2, 4, t32_call, arm_follows},
    {"riscv", false, 2, 2, riscv_call, riscv_follows},
    {"powerpc", false, 4, 4, powerpc_call, powerpc_follows},
    {"s390", false, 2, 4, s390_call, s390_follows},
};

/* The first row of ARCH from FROM on, or NULL.  */
static const struct processor *find_processor(const char *arch, const struct processor *from)
{
    for (; from < processors + ARRAY_LENGTH(processors); from++)
        if (strcmp(from->arch, arch) == 0)
            return from;
    return NULL;
}

bool callscan_is_known(const char *arch)
{
    return find_processor(arch, processors) != NULL;
}

bool callscan_has_indirect(const char *arch)
{
    const struct processor *processor = find_processor(arch, processors);
    return processor != NULL && processor->has_indirect;
}

/* ---- Search of the text ---- */

/* TARGET as an address of the image: reduced to 32 bits for an image of 32 bits.  */
static vma wrap(const struct code *code, vma target)
{
    if (code->pointer_size != 4)
        return target;
    return code->sign_extends ? (vma)(int64_t)(int32_t)(uint32_t)target : (uint32_t)target;
}

static void walk(const struct code *code, const struct processor *processor, vma from, vma end,
                 callscan_found *found, void *context)
{
    vma skipped = (processor->step - from % processor->step) % processor->step;
    if (from >= end || end - from <= skipped)
        return;
    for (vma pc = from + skipped;; pc += processor->step) {
        vma offset = pc - code->start;
        const struct cursor at = {code, pc, code->bytes + offset, code->size - (size_t)offset};
        struct call call = {0};
        if (at.left < processor->shortest)
            break;
        if (processor->is_call(&at, &call)) {
            call.target = wrap(code, call.target);
            found(context, &call);
        }
        if (end - pc <= processor->step)
            break;
    }
}

void callscan(const struct code *code, vma from, vma end, callscan_found *found, void *context)
{
    vma text_end = sum_u64(code->start, code->size);
    const struct processor *processor = find_processor(code->arch, processors);
    for (; processor != NULL; processor = find_processor(code->arch, processor + 1))
        walk(code, processor, max_u64(from, code->start), min_u64(end, text_end), found, context);
}

/* ---- Arcs ---- */

struct scan {
    struct arc_builder *arcs;
    const struct hist_set *hist;
    uint32_t caller, indirect;
};

/* The symbol that begins at ADDR, or NO_ID.  */
static uint32_t symbol_at(const struct symtab *symtab, vma addr)
{
    uint32_t symbol = symtab_find(symtab, addr);
    return symbol != NO_ID && symtab->symbols[symbol].addr == addr ? symbol : NO_ID;
}

static void add_call(void *context, const struct call *call)
{
    const struct scan *scan = context;
    uint32_t callee = scan->indirect;
    if (!call->is_indirect) {
        callee = symbol_at(scan->arcs->symtab, call->target);
        if (callee == NO_ID)
            callee = symbol_at(scan->arcs->symtab, call->target - call->entry);
        if (callee == NO_ID || hist_covering(scan->hist, call->target) == NULL)
            return;
    }
    arcs_add(scan->arcs, scan->caller, callee, 0);
}

/* The histogram that was read first of those from number FIRST on that overlap SYMBOL, or NULL.  */
static const struct histogram *choose_histogram(const struct hist_set *set, size_t first,
                                                const struct symbol *symbol)
{
    const struct histogram *chosen = NULL;
    for (size_t i = first; i < set->count && set->hists[i].low <= symbol->end; i++)
        if (chosen == NULL || set->hists[i].order < chosen->order)
            chosen = &set->hists[i];
    return chosen;
}

void callscan_add_arcs(struct arc_builder *arcs, const struct code *code,
                       const struct hist_set *hist, uint32_t indirect)
{
    const struct symtab *symtab = arcs->symtab;
    size_t first = 0;
    uint32_t start = symtab_find(symtab, code->start);
    for (uint32_t s = start != NO_ID ? start : 0; s < symtab->count; s++) {
        const struct symbol *symbol = &symtab->symbols[s];
        if (symbol->addr >= sum_u64(code->start, code->size))
            break;
        struct scan scan = {arcs, hist, s, indirect};
        while (first < hist->count && hist->hists[first].high <= symbol->addr)
            first++;
        const struct histogram *within = choose_histogram(hist, first, symbol);
        if (within != NULL)
            callscan(code, max_u64(symbol->addr, within->low),
                     min_u64(sum_u64(symbol->end, 1), within->high), add_call, &scan);
    }
}

/* ---- Return addresses ---- */

bool is_behind_call(const struct code *code, vma addr)
{
    const struct processor *processor = find_processor(code->arch, processors);
    while (processor != NULL && processor->follows == NULL)
        processor = find_processor(code->arch, processor + 1);
    if (processor != NULL && processor->follows == arm_follows)
        addr &= ~(vma)1; /* set in the return addresses of T32 */
    if (processor == NULL || addr < code->start || addr - code->start > code->size)
        return false;
    const struct site site = {code, (size_t)(addr - code->start)};
    return addr % processor->step == 0 && processor->follows(&site);
}

/* ---- Samples of callees ---- */

/* Keeps every second callee of the sample, and doubles `step'.  */
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
