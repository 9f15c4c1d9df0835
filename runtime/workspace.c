/* workspace.c - memory for writing files, mapped while it is in use.
   SPDX-License-Identifier: MIT */
#include "workspace.h"

#include "sys.h"

struct workspace *workspace_open(void)
{
    struct workspace *w = sys_map(sizeof *w);

    if (!w)
        return NULL;
    w->objects.list = w->list;
    w->objects.capacity = MOST_OBJECTS;
    if (objects_read(&w->objects, w->lines, sizeof w->lines))
        return w;
    workspace_close(w);
    return NULL;
}

void workspace_close(struct workspace *workspace)
{
    sys_unmap(workspace, sizeof *workspace);
}
