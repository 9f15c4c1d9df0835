/* message_list.c - keeps the notes and warnings that are printed.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/message_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void keep(void *keeper, bool is_warning, const char *text)
{
    struct message_list *list = keeper;
    list->messages =
        mem_grow(list->messages, &list->capacity, list->count + 1, sizeof *list->messages);
    list->messages[list->count++] =
        (struct kept_message){.is_warning = is_warning, .text = mem_copy(text, strlen(text))};
}

void message_list_attach(struct message_list *list, struct diagnostics *diagnostics)
{
    diagnostics->keep = keep;
    diagnostics->keeper = list;
}

void message_list_free(struct message_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->messages[i].text);
    free(list->messages);
    *list = (struct message_list){0};
}
