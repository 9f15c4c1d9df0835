/* cut_text.c - cuts texts to the width of a terminal.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/cut_text.h"

#include <stdbool.h>

static const char dots[] = "...";
enum { DOTS = sizeof dots - 1 };

/* UTF-8 has several bytes for some characters.  */
static bool begins_character(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

size_t text_width(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += begins_character(*text);
    return count;
}

/* The first byte of character NUMBER of TEXT, from 0.  */
static const char *character_at(const char *text, size_t number)
{
    for (; *text != '\0'; text++)
        if (begins_character(*text) && number-- == 0)
            break;
    return text;
}

void out_cut(struct out *out, const char *text, size_t width)
{
    size_t length = text_width(text);
    if (length <= width) {
        out_text(out, text);
        return;
    }
    size_t kept = width - DOTS;
    const char *end = character_at(text, (kept + 1) / 2);
    out_bytes(out, text, (size_t)(end - text));
    out_bytes(out, dots, DOTS);
    out_text(out, character_at(text, length - kept / 2));
}

/* ---- Several names ---- */

void cut_names_add(struct cut_names *names, const char *before, const char *name)
{
    names->before[names->count] = before;
    names->names[names->count++] = name;
}

void cut_names_fit(const struct cut_names *names, size_t width, size_t widths[MOST_CUT_NAMES])
{
    size_t used = 0;
    for (size_t i = 0; i < names->count; i++) {
        widths[i] = text_width(names->names[i]);
        used += text_width(names->before[i]) + widths[i];
    }
    for (; used > width; used--) {
        size_t widest = 0;
        for (size_t i = 1; i < names->count; i++)
            if (widths[i] > widths[widest])
                widest = i;
        if (widths[widest] <= LEAST_CUT)
            return;
        widths[widest]--;
    }
}
