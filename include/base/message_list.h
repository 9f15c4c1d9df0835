/* message_list.h - keeps the notes and warnings that are printed.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_MESSAGE_LIST_H
#define REGPROF_BASE_MESSAGE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/message.h"

struct kept_message {
    bool is_warning;
    char *text;
};

/* Start with a zeroed struct; free with message_list_free.  */
struct message_list {
    struct kept_message *messages;
    size_t count, capacity;
};

/* From now on, LIST gets the messages of DIAGNOSTICS.  */
void message_list_attach(struct message_list *list, struct diagnostics *diagnostics);

void message_list_free(struct message_list *list);

#endif
