/* frameless_none.h - machines on which callers are found only by call frame information.
   Included by stack.c.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_FRAMELESS_NONE_H
#define REGMON_FRAMELESS_NONE_H

static bool leave_without_frame(struct window *window, struct frame *frame)
{
    (void)window;
    (void)frame;
    return false;
}

static void pass_pushed(struct frame *frame)
{
    (void)frame;
}

#endif
