/* workspace.c - memory for writing files, mapped while it is in use.
   SPDX-License-Identifier: MIT */
#include "workspace.h"

#include "sys.h"

struct workspace *workspace_open(const struct pool *pool)
{
    struct workspace *w = sys_map(sizeof *w);

    if (!w)
        return NULL;
    w->pool = pool;
    w->objects.places = w->places;
    if (objects_read(&w->objects, pool))
        return w;
    sys_unmap(w, sizeof *w);
    return NULL;
}

void workspace_close(struct workspace *workspace)
{
    objects_close(&workspace->objects);
    sys_unmap(workspace, sizeof *workspace);
}
