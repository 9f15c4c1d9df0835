/* check_specs.c - warns of specs that match nothing.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/check_specs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/messages.h"

/* The similar names, separated by commas; on the heap.  */
static char *list_names(const struct symspec_miss *miss)
{
    size_t size = 1;
    for (size_t i = 0; i < miss->nearest_count; i++)
        size += strlen(miss->nearest[i]) + 2;
    char *list = mem_array(size, 1);
    for (size_t i = 0; i < miss->nearest_count; i++) {
        if (i > 0)
            strcat(list, ", ");
        strcat(list, miss->nearest[i]);
    }
    return list;
}

static void warn(const struct symspec_miss *miss, const char *image,
                 struct diagnostics *diagnostics)
{
    const char *text = miss->text;
    int size = miss->size < INT_MAX ? (int)miss->size : INT_MAX;
    char *names = list_names(miss);
    if (miss->reason == SPEC_NOT_A_PAIR)
        warning(diagnostics, MSG_SPEC_NOT_A_PAIR, miss->option, size, text, size, text, size, text);
    else if (miss->reason == SPEC_HAS_SLASH)
        warning(diagnostics, MSG_SPEC_HAS_SLASH, miss->option, size, text);
    else if (miss->reason == SPEC_NO_FILES)
        warning(diagnostics, MSG_SPEC_NO_FILES, miss->option, size, text, image);
    else if (miss->nearest_count > 0)
        warning(diagnostics, MSG_SPEC_NEAREST, miss->option, size, text, names);
    else
        warning(diagnostics, MSG_SPEC_NOT_FOUND, miss->option, size, text);
    free(names);
}

void check_specs(const struct symspec_misses *misses, const char *image,
                 struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < misses->count; i++)
        warn(&misses->misses[i], image, diagnostics);
}
