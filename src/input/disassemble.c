/* disassemble.c - machine code of the image as text, by libopcodes.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "input/disassemble.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/messages.h"

#ifdef HAVE_OPCODES

#include <dis-asm.h>

#include "input/image_files.h"

enum { TEXT_SIZE = 4096, TAB = 8 };

/* The instruction that libopcodes writes.  */
struct written {
    char text[TEXT_SIZE];
    size_t size;
};

/* What the functions that libopcodes calls get.  */
struct session {
    struct written written;
    const struct disassembly_rules *rules;
};

/* ---- Text ---- */

static void add_text(struct written *written, const char *text)
{
    for (; *text != '\0' && written->size + TAB < TEXT_SIZE; text++) {
        size_t blanks = *text != '\t' ? 0 : TAB - written->size % TAB;
        memset(written->text + written->size, ' ', blanks);
        if (blanks == 0)
            written->text[written->size] = *text;
        written->size += blanks > 0 ? blanks : 1;
    }
}

__attribute__((format(printf, 2, 0))) static int add_formatted(struct written *written,
                                                               const char *format, va_list args)
{
    char text[TEXT_SIZE];
    int length = vsnprintf(text, sizeof text, format, args);
    if (length > 0)
        add_text(written, text);
    return length;
}

__attribute__((format(printf, 2, 3))) static int add_plain(void *session, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = add_formatted(&((struct session *)session)->written, format, args);
    va_end(args);
    return length;
}

#ifdef HAVE_STYLED_DISASSEMBLY
__attribute__((format(printf, 3, 4))) static int
add_styled(void *session, enum disassembler_style style, const char *format, ...)
{
    va_list args;
    (void)style;
    va_start(args, format);
    int length = add_formatted(&((struct session *)session)->written, format, args);
    va_end(args);
    return length;
}
#endif

/* `4011d6 <work+0x10>', as objdump has it.  */
static void add_address(bfd_vma addr, struct disassemble_info *info)
{
    struct session *session = info->stream;
    vma offset = 0;
    const char *name = session->rules->name_at(session->rules->context, addr, &offset);
    add_plain(session, "%llx", (unsigned long long)addr);
    if (name == NULL)
        return;
    add_text(&session->written, " <");
    add_text(&session->written, name);
    if (offset != 0)
        add_plain(session, "+0x%llx", (unsigned long long)offset);
    add_text(&session->written, ">");
}

/* ---- Options ---- */

/* Whether a line of USAGE, which libopcodes prints, begins with the option of LENGTH bytes at NAME;
   what follows a `=' does not matter.  */
static bool is_listed(const char *usage, const char *name, size_t length)
{
    const char *sign = memchr(name, '=', length);
    length = sign != NULL ? (size_t)(sign - name) : length;
    for (const char *line = usage; line != NULL; line = strchr(line, '\n')) {
        line += strspn(line, " \t\n");
        if (length > 0 && strncmp(line, name, length) == 0 &&
            strchr(" \t\n=", line[length]) != NULL)
            return true;
    }
    return false;
}

bool knows_disassembler_options(const char *options)
{
    char *usage = NULL;
    size_t size;
    FILE *stream = open_memstream(&usage, &size);
    if (stream == NULL)
        die(MSG_NO_MEMORY, (size_t)1, (size_t)1);
    disassembler_usage(stream);
    fclose(stream);
    bool ok = true;
    for (const char *at = options; ok; at++) {
        size_t length = strcspn(at, ",");
        ok = is_listed(usage, at, length);
        at += length;
        if (*at == '\0')
            break;
    }
    free(usage);
    return ok;
}

/* ---- Symbols ----

   In code of ARM, symbols such as `$t' say where which instruction set begins, and where data.  */

static bool has_mapping_symbols(const bfd *file)
{
    enum bfd_architecture arch = bfd_get_arch(file);
    return arch == bfd_arch_arm || arch == bfd_arch_aarch64;
}

static int compare_symbols(const void *a, const void *b)
{
    bfd_vma left = bfd_asymbol_value(*(asymbol *const *)a);
    bfd_vma right = bfd_asymbol_value(*(asymbol *const *)b);
    return left < right ? -1 : left > right;
}

/* Gives INFO the mapping symbols, which are kept for the next calls.  */
static void give_symbols(struct disassemble_info *info, struct instructions *instructions,
                         struct libbfd_files *files)
{
    if (!has_mapping_symbols(files->bfd))
        return;
    if (instructions->symbols == NULL) {
        asymbol **symbols = mem_array(files->table_count + 1, sizeof *symbols);
        for (size_t i = 0; i < files->table_count; i++)
            if (bfd_asymbol_name(files->table[i])[0] == '$')
                symbols[instructions->symbol_count++] = files->table[i];
        if (instructions->symbol_count > 0)
            qsort(symbols, instructions->symbol_count, sizeof *symbols, compare_symbols);
        instructions->symbols = symbols;
    }
    info->symtab = instructions->symbols;
    info->symtab_size = (int)instructions->symbol_count;
    info->symtab_pos = -1;
}

/* ---- Code ---- */

/* What of a section is disassembled: [low, high).  `bytes' has some more.  */
struct part {
    asection *section;
    vma low, high;
    bfd_byte *bytes;
    size_t size;
};

/* Reads the bytes of PART.  False if SECTION has no code in it, or the file lacks it.  */
static bool read_part(struct part *part, const struct libbfd_files *files, asection *section,
                      vma low, vma high)
{
    enum { LONGEST = 64 }; /* bytes of an instruction */
    const flagword wanted = SEC_CODE | SEC_HAS_CONTENTS;
    vma start = bfd_section_vma(section);
    uint64_t size = libbfd_section_limit(files, section);
    if ((bfd_section_flags(section) & wanted) != wanted || start >= high || low >= start + size)
        return false;
    *part = (struct part){.section = section,
                          .low = low > start ? low : start,
                          .high = high < start + size ? high : start + size};
    uint64_t rest = start + size - part->low;
    part->size = part->high - part->low + LONGEST < rest ? part->high - part->low + LONGEST : rest;
    part->bytes = mem_uninitialised(part->size, 1);
    libbfd_call_begin();
    bool is_read = bfd_get_section_contents(files->bfd, section, part->bytes,
                                            (file_ptr)(part->low - start), part->size);
    libbfd_call_end(files->path, READING_TEXT);
    if (!is_read)
        free(part->bytes);
    return is_read;
}

static void prepare(struct disassemble_info *info, const struct libbfd_files *files,
                    const struct part *part, struct session *session)
{
#ifdef HAVE_STYLED_DISASSEMBLY
    init_disassemble_info(info, session, add_plain, add_styled);
#else
    init_disassemble_info(info, session, add_plain);
#endif
    info->flavour = bfd_get_flavour(files->bfd);
    info->arch = bfd_get_arch(files->bfd);
    info->mach = bfd_get_mach(files->bfd);
    info->octets_per_byte = bfd_octets_per_byte(files->bfd, NULL);
    info->endian = bfd_big_endian(files->bfd) ? BFD_ENDIAN_BIG : BFD_ENDIAN_LITTLE;
    info->endian_code = info->endian;
    info->buffer = part->bytes;
    info->buffer_vma = part->low;
    info->buffer_length = part->size;
    info->section = part->section;
    info->print_address_func = add_address;
    info->disassembler_options = session->rules->options;
}

/* Whether INFO says that the instruction at TEXT, which was just decoded, is a call, a jump or a
   return.  Of x86 libopcodes says nothing but the text: `bnd jmp', `repz ret'.  */
static bool is_jump(const struct disassemble_info *info, const char *text)
{
    static const char *const prefixes[] = {"bnd ", "notrack ", "repz ", "repnz ", "data16 ", "cs "};
    static const char *const words[] = {"j", "call", "ret", "loop", "lcall", "ljmp", "lret"};
    bool is_found = false;
    if (info->insn_info_valid)
        return info->insn_type == dis_branch || info->insn_type == dis_condbranch ||
               info->insn_type == dis_jsr || info->insn_type == dis_condjsr;
    if (info->arch != bfd_arch_i386)
        return false;
    for (size_t i = 0; i < ARRAY_LENGTH(prefixes); i++)
        if (strncmp(text, prefixes[i], strlen(prefixes[i])) == 0)
            text += strlen(prefixes[i]) + strspn(text + strlen(prefixes[i]), " ");
    for (size_t i = 0; i < ARRAY_LENGTH(words); i++)
        is_found |= strncmp(text, words[i], strlen(words[i])) == 0;
    return is_found;
}

static void add_instruction(struct instructions *instructions, vma addr, struct written *written,
                            const struct disassemble_info *info)
{
    while (written->size > 0 && written->text[written->size - 1] == ' ')
        written->size--;
    instructions->list = mem_grow(instructions->list, &instructions->capacity,
                                  instructions->count + 1, sizeof *instructions->list);
    instructions->list[instructions->count++] =
        (struct instruction){addr, arena_copy(&instructions->arena, written->text, written->size),
                             is_jump(info, written->text)};
}

static void add_part(struct instructions *instructions, struct libbfd_files *files,
                     const struct part *part, disassembler_ftype function,
                     const struct disassembly_rules *rules)
{
    struct session session = {.rules = rules};
    struct disassemble_info info;
    prepare(&info, files, part, &session);
    give_symbols(&info, instructions, files);
    disassemble_init_for_target(&info);
    for (vma addr = part->low; addr < part->high;) {
        session.written.size = 0;
        info.insn_info_valid = 0;
        int size = function(addr, &info);
        if (size <= 0)
            add_text(&session.written, "(bad)");
        add_instruction(instructions, addr, &session.written, &info);
        addr += size > 0 ? (vma)size : 1;
    }
    disassemble_free_target(&info);
}

bool can_disassemble(void)
{
    return true;
}

bool disassemble(struct instructions *instructions, struct image *image, vma low, vma high,
                 const struct disassembly_rules *rules)
{
    struct libbfd_files *files = image_files(image);
    struct part part;
    if (files == NULL)
        return false;
    disassembler_ftype function = disassembler(bfd_get_arch(files->bfd), bfd_big_endian(files->bfd),
                                               bfd_get_mach(files->bfd), files->bfd);
    if (function == NULL)
        return false;
    for (asection *section = files->bfd->sections; section != NULL; section = section->next)
        if (read_part(&part, files, section, low, high)) {
            add_part(instructions, files, &part, function, rules);
            free(part.bytes);
        }
    return true;
}

#else

bool can_disassemble(void)
{
    return false;
}

bool disassemble(struct instructions *instructions, struct image *image, vma low, vma high,
                 const struct disassembly_rules *rules)
{
    (void)instructions, (void)image, (void)low, (void)high, (void)rules;
    return false;
}

bool knows_disassembler_options(const char *options)
{
    (void)options;
    return true;
}

#endif

void instructions_free(struct instructions *instructions)
{
    free(instructions->list);
    free(instructions->symbols);
    arena_free(&instructions->arena);
    *instructions = (struct instructions){0};
}
