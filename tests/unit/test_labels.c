/* test_labels.c - indexes in brackets.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/columns.h"

#include "tap.h"

static void test_index(void)
{
    char text[INDEX_SIZE];
    label_index(text, &(struct node){.index = 7, .is_shown = true});
    is_same_text(text, "[7]", "an index");
    label_index(text, &(struct node){.index = UINT32_MAX});
    is_same_text(text, "(4294967295)", "the largest, which has no entry");
}

int main(void)
{
    test_index();
    return tap_done();
}
