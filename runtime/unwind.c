/* unwind.c - reads call frame information (.eh_frame), as the LSB and DWARF describe it.
   SPDX-License-Identifier: MIT

   .eh_frame_hdr is a sorted table of functions, with the entry (FDE) of each.  It refers to one
   that several functions share (CIE).  Both have instructions, which make a table: for each
   address, where the registers are that the caller had.  Only the row of one address is made, with
   the registers that matter: return address, frame pointer, and rbx, which code that aligns the
   stack uses in place of the frame pointer. */
#include "unwind.h"

#include "text.h"

#define LARGEST_ENTRY 65536 /* bytes of what is read of a function */
#define LARGEST_HEAD 20     /* bytes of .eh_frame_hdr before its sorted table */

/* Formats of addresses, and instructions, by their names in the LSB and in DWARF. */
enum {
    DW_EH_PE_absptr = 0x00,
    DW_EH_PE_uleb128 = 0x01,
    DW_EH_PE_udata2 = 0x02,
    DW_EH_PE_udata4 = 0x03,
    DW_EH_PE_udata8 = 0x04,
    DW_EH_PE_sleb128 = 0x09,
    DW_EH_PE_sdata2 = 0x0a,
    DW_EH_PE_sdata4 = 0x0b,
    DW_EH_PE_sdata8 = 0x0c,
    DW_EH_PE_pcrel = 0x10,
    DW_EH_PE_datarel = 0x30
};
enum {
    DW_OP_deref = 0x06,
    DW_OP_and = 0x1a,
    DW_OP_plus = 0x22,
    DW_OP_plus_uconst = 0x23,
    DW_OP_shl = 0x24,
    DW_OP_ge = 0x2a,
    DW_OP_lit0 = 0x30,
    DW_OP_breg0 = 0x70,
    DW_OP_breg31 = 0x8f
};
enum {
    DW_CFA_nop = 0x00,
    DW_CFA_advance_loc1 = 0x02,
    DW_CFA_advance_loc4 = 0x04,
    DW_CFA_offset_extended = 0x05,
    DW_CFA_restore_extended = 0x06,
    DW_CFA_undefined = 0x07,
    DW_CFA_same_value = 0x08,
    DW_CFA_register = 0x09,
    DW_CFA_remember_state = 0x0a,
    DW_CFA_restore_state = 0x0b,
    DW_CFA_def_cfa = 0x0c,
    DW_CFA_def_cfa_register = 0x0d,
    DW_CFA_def_cfa_offset = 0x0e,
    DW_CFA_def_cfa_expression = 0x0f,
    DW_CFA_expression = 0x10,
    DW_CFA_offset_extended_sf = 0x11,
    DW_CFA_def_cfa_sf = 0x12,
    DW_CFA_def_cfa_offset_sf = 0x13,
    DW_CFA_val_offset = 0x14,
    DW_CFA_val_offset_sf = 0x15,
    DW_CFA_val_expression = 0x16,
    DW_CFA_AARCH64_negate_ra_state = 0x2d,
    DW_CFA_GNU_args_size = 0x2e,
    DW_CFA_GNU_negative_offset_extended = 0x2f,
    DW_CFA_advance_loc = 0x40, /* these three have an operand in their lower six bits */
    DW_CFA_offset = 0x80,
    DW_CFA_restore = 0xc0
};

/* ---- Bytes ---- */

static void fail(struct unwind *u)
{
    u->has_failed = true;
    u->at = u->end;
}

/* Everything up to the end can be read. */
static uint64_t take(struct unwind *u, size_t bytes)
{
    uint64_t value = 0;

    if (u->end - u->at < bytes) {
        fail(u);
        return 0;
    }
    for (size_t i = 0; i < bytes; i++) {
        const size_t place = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? bytes - 1 - i : i;

        value |= (uint64_t) * (const unsigned char *)(u->at + i) << 8 * place;
    }
    u->at += bytes;
    return value;
}

static int64_t take_signed(struct unwind *u, size_t bytes)
{
    const unsigned unused = 64 - 8 * (unsigned)bytes;

    return (int64_t)(take(u, bytes) << unused) >> unused;
}

/* A number in LEB128, with its sign or without. */
static uint64_t take_leb(struct unwind *u, bool is_signed)
{
    uint64_t value = 0, byte;
    unsigned shift = 0;

    do {
        byte = take(u, 1);
        value |= shift < 64 ? (byte & 0x7f) << shift : 0;
        shift += 7;
    } while (byte & 0x80);
    return is_signed && byte & 0x40 && shift < 64 ? value | ~(uint64_t)0 << shift : value;
}

static int64_t take_sleb(struct unwind *u)
{
    return (int64_t)take_leb(u, true);
}

static uint64_t take_uleb(struct unwind *u)
{
    return take_leb(u, false);
}

/* A number in one of the formats that the lower half of an encoding stands for. */
static uint64_t take_encoded(struct unwind *u, uint64_t encoding)
{
    switch (encoding & 0x0f) {
    case DW_EH_PE_absptr:
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8:
        return take(u, 8);
    case DW_EH_PE_uleb128:
        return take_uleb(u);
    case DW_EH_PE_udata2:
        return take(u, 2);
    case DW_EH_PE_udata4:
        return take(u, 4);
    case DW_EH_PE_sleb128:
        return (uint64_t)take_sleb(u);
    case DW_EH_PE_sdata2:
        return (uint64_t)take_signed(u, 2);
    case DW_EH_PE_sdata4:
        return (uint64_t)take_signed(u, 4);
    default:
        fail(u);
        return 0;
    }
}

/* An address, absolute or relative to its own place. */
static uintptr_t take_address(struct unwind *u, uint64_t encoding)
{
    const uintptr_t place = u->at;
    const uintptr_t value = take_encoded(u, encoding);

    if ((encoding & 0xf0) == DW_EH_PE_pcrel)
        return place + value;
    if (encoding & 0xf0)
        fail(u);
    return value;
}

/* Passes over the block, which begins with its size. */
static struct unwind_block take_block(struct unwind *u)
{
    const uint64_t bytes = take_uleb(u);
    struct unwind_block block = {u->at, u->at};

    if (bytes > u->end - u->at)
        fail(u);
    else
        u->at = block.end = block.at + bytes;
    return block;
}

/* ---- Expressions ---- */

static void add_to(struct unwind_value *value, uint64_t n)
{
    int64_t *sum = value->is_loaded ? &value->more : &value->offset;

    *sum = (int64_t)((uint64_t)*sum + n);
}

/* Of the two topmost values; false if it is not supported. */
static bool combine(uint64_t operation, struct unwind_value *a, const struct unwind_value *b)
{
    const uint64_t n = (uint64_t)b->offset;

    if (b->base >= 0 || (a->base >= 0 && operation != DW_OP_plus))
        return false;
    if (operation == DW_OP_plus)
        add_to(a, n);
    else if (operation == DW_OP_and)
        a->offset = (int64_t)((uint64_t)a->offset & n);
    else if (operation == DW_OP_shl && n < 64)
        a->offset = (int64_t)((uint64_t)a->offset << n);
    else if (operation == DW_OP_ge)
        a->offset = a->offset >= b->offset;
    else
        return false;
    return true;
}

/* A literal, or a register and an offset; the address itself is known. */
static void push(struct unwind *u, struct unwind_value *value, uint64_t operation,
                 uintptr_t address)
{
    value->base = operation < DW_OP_breg0 ? -1 : (int)operation - DW_OP_breg0;
    value->is_loaded = false;
    value->offset = operation < DW_OP_breg0 ? (int64_t)operation - DW_OP_lit0 : take_sleb(u);
    value->more = 0;
    if (REGISTER_PC >= 0 && value->base == REGISTER_PC) {
        value->base = -1;
        add_to(value, address);
    }
}

/* Sets the first value to the result.  Knows what procedure linkage tables, code that aligns the
   stack, and that of OpenSSL need: registers and small numbers, their sums, and one access of
   memory.  False for anything else. */
static bool evaluate(struct unwind *u, const struct unwind_block *block, uintptr_t address)
{
    size_t count = 0;

    u->at = block->at;
    u->end = block->end;
    while (u->at < u->end) {
        const uint64_t operation = take(u, 1);
        struct unwind_value *top = &u->values[count > 0 ? count - 1 : 0];

        if (operation >= DW_OP_lit0 && operation <= DW_OP_breg31 && count < MOST_VALUES) {
            push(u, &u->values[count++], operation, address);
        } else if (operation == DW_OP_plus_uconst && count > 0) {
            add_to(top, take_uleb(u));
        } else if (operation == DW_OP_deref && count > 0 && top->base >= 0 && !top->is_loaded) {
            top->is_loaded = true;
        } else {
            if (count < 2 || !combine(operation, top - 1, top))
                return false;
            count--;
        }
    }
    return count == 1 && u->values[0].base >= 0 && !u->has_failed;
}

/* ---- Instructions ---- */

/* Where the register of this number is, in the row. */
static struct unwind_place *place_of(struct unwind *u, struct unwind_row *row, uint64_t number)
{
    if (number == u->link)
        return &row->link;
    if (number == REGISTER_FP)
        return &row->fp;
    return REGISTER_RBX >= 0 && number == (uint64_t)REGISTER_RBX ? &row->rbx : &u->other;
}

static void set_place(struct unwind *u, uint64_t number, enum unwind_where where)
{
    place_of(u, &u->row, number)->where = where;
}

static void set_saved(struct unwind *u, uint64_t number, int64_t factored)
{
    set_place(u, number, AT_CFA);
    place_of(u, &u->row, number)->distance = factored * u->data_factor;
}

static void set_computed(struct unwind *u, uint64_t number, struct unwind_block block)
{
    set_place(u, number, COMPUTED);
    place_of(u, &u->row, number)->block = block;
}

static void restore(struct unwind *u, uint64_t number)
{
    copy_bytes(place_of(u, &u->row, number), place_of(u, &u->initial, number),
               sizeof(struct unwind_place));
}

static void set_cfa_offset(struct unwind *u, int64_t offset)
{
    u->row.cfa_offset = offset;
    u->row.cfa_block.end = u->row.cfa_block.at;
}

/* The instructions of which the first byte says only what they are.  False if it is not known. */
static bool run_long(struct unwind *u, uint64_t code)
{
    uint64_t number = 0;

    if ((code >= DW_CFA_offset_extended && code <= DW_CFA_register) || code == DW_CFA_def_cfa ||
        code == DW_CFA_def_cfa_register ||
        (code >= DW_CFA_expression && code <= DW_CFA_def_cfa_sf) ||
        (code >= DW_CFA_val_offset && code <= DW_CFA_val_expression) ||
        code == DW_CFA_GNU_negative_offset_extended)
        number = take_uleb(u);
    switch (code) {
    case DW_CFA_nop:
    case DW_CFA_AARCH64_negate_ra_state: /* whether the return address is signed */
        return true;
    case DW_CFA_offset_extended:
        set_saved(u, number, (int64_t)take_uleb(u));
        return true;
    case DW_CFA_restore_extended:
        restore(u, number);
        return true;
    case DW_CFA_undefined:
        set_place(u, number, NOWHERE);
        return true;
    case DW_CFA_same_value:
        set_place(u, number, IN_REGISTER);
        return true;
    case DW_CFA_remember_state:
        if (u->kept_count == MOST_KEPT_ROWS)
            return false;
        copy_bytes(&u->kept[u->kept_count++], &u->row, sizeof u->row);
        return true;
    case DW_CFA_restore_state:
        if (u->kept_count == 0)
            return false;
        copy_bytes(&u->row, &u->kept[--u->kept_count], sizeof u->row);
        return true;
    case DW_CFA_def_cfa:
        u->row.cfa_base = number;
        set_cfa_offset(u, (int64_t)take_uleb(u));
        return true;
    case DW_CFA_def_cfa_register:
        u->row.cfa_base = number;
        set_cfa_offset(u, u->row.cfa_offset);
        return true;
    case DW_CFA_def_cfa_offset:
        set_cfa_offset(u, (int64_t)take_uleb(u));
        return true;
    case DW_CFA_def_cfa_expression:
        u->row.cfa_block = take_block(u);
        return true;
    case DW_CFA_expression:
        set_computed(u, number, take_block(u));
        return true;
    case DW_CFA_offset_extended_sf:
        set_saved(u, number, take_sleb(u));
        return true;
    case DW_CFA_def_cfa_sf:
        u->row.cfa_base = number;
        set_cfa_offset(u, take_sleb(u) * u->data_factor);
        return true;
    case DW_CFA_def_cfa_offset_sf:
        set_cfa_offset(u, take_sleb(u) * u->data_factor);
        return true;
    case DW_CFA_register:
        set_place(u, number, IN_OTHER);
        place_of(u, &u->row, number)->distance = (int64_t)take_uleb(u);
        return true;
    case DW_CFA_val_offset:
    case DW_CFA_val_offset_sf:
        set_place(u, number, ELSEWHERE);
        (void)take_uleb(u);
        return true;
    case DW_CFA_val_expression:
        set_place(u, number, ELSEWHERE);
        (void)take_block(u);
        return true;
    case DW_CFA_GNU_args_size:
        (void)take_uleb(u);
        return true;
    case DW_CFA_GNU_negative_offset_extended:
        set_saved(u, number, -(int64_t)take_uleb(u));
        return true;
    default:
        return false;
    }
}

/* Runs the instructions of a function, or those that functions share, up to those for code behind
   the address.  False if one is not known. */
static bool run(struct unwind *u, uintptr_t address)
{
    uintptr_t now = u->start;

    u->kept_count = 0;
    while (u->at < u->end && now <= address) {
        const uint64_t code = take(u, 1), high = code & 0xc0, low = code & 0x3f;

        if (high == DW_CFA_advance_loc)
            now += low * u->code_factor;
        else if (high == DW_CFA_offset)
            set_saved(u, low, (int64_t)take_uleb(u));
        else if (high == DW_CFA_restore)
            restore(u, low);
        else if (code >= DW_CFA_advance_loc1 && code <= DW_CFA_advance_loc4)
            now += take(u, (size_t)1 << (code - DW_CFA_advance_loc1)) * u->code_factor;
        else if (!run_long(u, code))
            return false;
    }
    return !u->has_failed;
}

/* ---- Functions ---- */

/* Goes to what is behind the size of the entry.  False if not all of it can be read. */
static bool go_to(struct unwind *u, uintptr_t at)
{
    uint64_t bytes;

    if (!memory_has(&u->memory, at, 4))
        return false;
    u->at = at;
    u->end = at + 4;
    bytes = take(u, 4);
    u->end = u->at + bytes;
    if (bytes > LARGEST_ENTRY)
        return false;
    for (at = u->at; at < u->end; at += PAGE)
        if (!memory_has(&u->memory, at, 1))
            return false;
    return memory_has(&u->memory, u->end - 1, 1);
}

/* Reads what the letters of the augmentation stand for; false if one is not known. */
static bool read_augmentation(struct unwind *u, const char *letter)
{
    struct unwind_block block;

    u->encoding = 0;
    u->has_augmentation = *letter == 'z';
    u->is_of_signals = false;
    if (!*letter)
        return true;
    if (*letter++ != 'z')
        return false;
    block = take_block(u);
    u->at = block.at;
    for (; *letter; letter++)
        if (*letter == 'R')
            u->encoding = (unsigned)take(u, 1);
        else if (*letter == 'P')
            (void)take_encoded(u, take(u, 1));
        else if (*letter == 'L')
            (void)take(u, 1);
        else if (*letter == 'S')
            u->is_of_signals = true;
        else if (*letter != 'B' && *letter != 'G')
            return false;
    u->at = block.end;
    return true;
}

/* Reads the entry that functions share, up to its instructions. */
static bool read_shared(struct unwind *u, uintptr_t at)
{
    uint64_t version;
    const char *letters;

    if (!go_to(u, at) || take(u, 4) != 0)
        return false;
    version = take(u, 1);
    letters = (const char *)u->at;
    while (take(u, 1))
        ;
    u->code_factor = take_uleb(u);
    u->data_factor = take_sleb(u);
    u->link = version == 1 ? take(u, 1) : take_uleb(u);
    return (version == 1 || version == 3) && !u->has_failed && read_augmentation(u, letters) &&
           !u->has_failed;
}

/* Reads a number of the sorted table, which is relative to the start of .eh_frame_hdr. */
static uintptr_t number_at(struct unwind *u, uintptr_t table, uintptr_t at)
{
    int32_t number;

    if (!memory_has(&u->memory, at, sizeof number)) {
        u->has_failed = true;
        return 0;
    }
    copy_bytes(&number, (const void *)at, sizeof number);
    return table + (uintptr_t)(intptr_t)number;
}

/* The entry of the last function that begins at the address or before it; 0 if there is none. */
static uintptr_t find_function(struct unwind *u, uintptr_t table, uintptr_t address)
{
    uintptr_t low = 0, high, first;
    uint64_t version, of_start, of_count, of_table; /* encodings */

    if (!memory_has(&u->memory, table, LARGEST_HEAD))
        return 0;
    u->at = table;
    u->end = table + LARGEST_HEAD;
    version = take(u, 1);
    of_start = take(u, 1);
    of_count = take(u, 1);
    of_table = take(u, 1);
    (void)take_encoded(u, of_start);
    high = take_encoded(u, of_count);
    first = u->at;
    if (version != 1 || of_table != (DW_EH_PE_datarel | DW_EH_PE_sdata4))
        return 0;
    while (low < high && !u->has_failed) {
        const uintptr_t middle = low + (high - low) / 2;

        if (number_at(u, table, first + 8 * middle) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && !u->has_failed ? number_at(u, table, first + 8 * low - 4) : 0;
}

/* Goes to the instructions of the entry, if the address is in the function; reads the shared entry,
   and sets the initial row. */
static bool enter_function(struct unwind *u, uintptr_t entry, uintptr_t address)
{
    struct unwind_block rest;
    uintptr_t shared;

    if (!entry || !go_to(u, entry))
        return false;
    shared = u->at;
    shared -= take(u, 4);
    rest = (struct unwind_block){u->at, u->end};
    if (u->has_failed || !read_shared(u, shared))
        return false;
    u->start = address; /* shared instructions are run to their end */
    clear_bytes(&u->row, sizeof u->row);
    if (!run(u, address))
        return false;
    copy_bytes(&u->initial, &u->row, sizeof u->row);
    u->at = rest.at;
    u->end = rest.end;
    u->start = take_address(u, u->encoding);
    if (address - u->start >= take_encoded(u, u->encoding))
        return false;
    if (u->has_augmentation)
        (void)take_block(u);
    return !u->has_failed;
}

/* ---- Rules ---- */

/* The number of words; false if it is none, or does not fit into so many bits. */
static bool to_words(int64_t bytes, unsigned bits, int64_t *words)
{
    *words = bytes / 8;
    return bytes % 8 == 0 && *words >= -((int64_t)1 << (bits - 1)) &&
           *words < (int64_t)1 << (bits - 1);
}

/* Whether the register is where the frame pointer points to. */
static bool is_at_fp(struct unwind *u, const struct unwind_place *place, uintptr_t address)
{
    return evaluate(u, &place->block, address) && !u->values[0].is_loaded &&
           u->values[0].base == REGISTER_FP && u->values[0].offset == 0;
}

/* The words for the places of the return address and of the frame pointer.  Those above
   MOST_LINK are of code that changes to another stack. */
static bool to_places(struct unwind *u, uintptr_t address, int64_t *link, int64_t *fp)
{
    const struct unwind_place *place = &u->row.link;

    *link = *fp = SAME;
    if (place->where == IN_OTHER && place->distance >= 0 && place->distance < 32)
        *link = LINK_IN + place->distance;
    else if (place->where == AT_CFA ? !to_words(place->distance, 20, link) || *link > MOST_LINK
                                    : place->where != IN_REGISTER)
        return false;
    place = &u->row.fp;
    if (place->where == AT_CFA)
        return to_words(place->distance - *link * 8, 8, fp) && *fp != SAME && *fp != FP_AT_FP;
    if (place->where == COMPUTED && is_at_fp(u, place, address))
        *fp = FP_AT_FP;
    return place->where == IN_REGISTER || *fp == FP_AT_FP;
}

static uint64_t rbx_of(const struct unwind_place *place)
{
    int64_t words;

    if (place->where == IN_REGISTER)
        return SAME;
    if (place->where != AT_CFA || !to_words(-place->distance, 5, &words) || words <= SAME ||
        words >= RBX_LOST)
        return RBX_LOST;
    return (uint64_t)words;
}

static bool evaluate_cfa(struct unwind *u, uintptr_t address)
{
    struct unwind_value *value = &u->values[0];

    if (u->row.cfa_block.at < u->row.cfa_block.end)
        return evaluate(u, &u->row.cfa_block, address);
    *value = (struct unwind_value){(int)(u->row.cfa_base & 0xff), false, u->row.cfa_offset, 0};
    return true;
}

static void set_rule(struct unwind *u, uintptr_t address, struct unwind_rule *rule)
{
    const struct unwind_value *cfa = &u->values[0];
    int64_t offset, more, link, fp;

    if (u->row.link.where == NOWHERE) {
        rule->kind = RULE_END;
        return;
    }
    if (!to_places(u, address, &link, &fp) || !evaluate_cfa(u, address) || cfa->base > 31 ||
        !to_words(cfa->offset, 20, &offset) || !to_words(cfa->more, 5, &more) || more < 0)
        return;
    rule->kind = cfa->is_loaded ? RULE_LOADED : RULE_FRAME;
    rule->base = (uint64_t)cfa->base & 31;
    rule->more = (uint64_t)more & 15;
    rule->rbx = rbx_of(&u->row.rbx) & 15;
    rule->cfa = (uint64_t)offset & 0xfffff;
    rule->link = (uint64_t)link & 0xfffff;
    rule->fp = (uint64_t)fp & 0xff;
}

struct unwind_rule unwind_rule_at(struct unwind *u, uintptr_t table, uintptr_t address)
{
    struct unwind_rule rule = {.kind = RULE_NONE};

    u->memory.page = 0;
    u->has_failed = false;
    if (!enter_function(u, find_function(u, table, address), address))
        return rule;
    rule.kind = u->is_of_signals ? RULE_SIGNAL : RULE_OTHER;
    if (!u->is_of_signals && run(u, address))
        set_rule(u, address, &rule);
    return rule;
}
