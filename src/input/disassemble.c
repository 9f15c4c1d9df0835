/* disassemble.c - machine code of the image as text, by libopcodes.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "input/disassemble.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Whether some disassembler has all OPTIONS, separated by commas: most ignore what they do not
   know.  */
static bool are_known(const char *options)
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

/* ---- Code ---- */

/* Prepares INFO for the range of the text that has LOW, and for SESSION.  The disassembler, or NULL
   if there is none for the processor.  */
static disassembler_ftype prepare(struct disassemble_info *info, struct image *image, vma low,
                                  struct session *session)
{
    struct bfd_files *files = image_files(image);
    const struct text_ranges *text = image_text(image);
    const struct text_range *range = text_range_at(text, low);
    if (files == NULL || range == NULL)
        return NULL;
    size_t number = (size_t)(range - text->ranges);
    const unsigned char *bytes = image_text_bytes(image, number);
    disassembler_ftype function = disassembler(bfd_get_arch(files->bfd), bfd_big_endian(files->bfd),
                                               bfd_get_mach(files->bfd), files->bfd);
    if (bytes == NULL || function == NULL)
        return NULL;
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
    info->buffer = (bfd_byte *)bytes;
    info->buffer_vma = range->start;
    info->buffer_length = bfd_section_size(files->code[number]);
    info->section = files->code[number];
    info->print_address_func = add_address;
    info->disassembler_options = session->rules->options;
    disassemble_init_for_target(info);
    return function;
}

static void add_instruction(struct instructions *instructions, vma addr, struct written *written)
{
    while (written->size > 0 && written->text[written->size - 1] == ' ')
        written->size--;
    instructions->list = mem_grow(instructions->list, &instructions->capacity,
                                  instructions->count + 1, sizeof *instructions->list);
    instructions->list[instructions->count++] =
        (struct instruction){addr, arena_copy(&instructions->arena, written->text, written->size)};
}

bool can_disassemble(void)
{
    return true;
}

bool disassemble(struct instructions *instructions, struct image *image, vma low, vma high,
                 const struct disassembly_rules *rules)
{
    struct session session = {.rules = rules};
    struct disassemble_info info;
    bool is_known = rules->options == NULL || are_known(rules->options);
    if (!is_known)
        return problem(MSG_BAD_DISASSEMBLER_OPTIONS, rules->options);
    disassembler_ftype function = prepare(&info, image, low, &session);
    if (function == NULL)
        return true;
    bfd_call_begin();
    for (vma addr = low; addr < high && is_known;) {
        session.written.size = 0;
        int size = function(addr, &info);
        is_known = errno != EBADMSG; /* it complained of the options */
        if (size <= 0)
            add_text(&session.written, "(bad)");
        add_instruction(instructions, addr, &session.written);
        addr += size > 0 ? (vma)size : 1;
    }
    disassemble_free_target(&info);
    return is_known || problem(MSG_BAD_DISASSEMBLER_OPTIONS, rules->options);
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
    return true;
}

#endif

void instructions_free(struct instructions *instructions)
{
    free(instructions->list);
    arena_free(&instructions->arena);
    *instructions = (struct instructions){0};
}
