/* perf_objects.c - has perf tell the objects of functions that it prints without one.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "foreign/perf_objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "foreign/perf_line.h"
#include "foreign/stream.h"

/* Notes the object in LINE, a frame, if it is one of the first COUNT.  */
static void read_frame(struct perf_objects *objects, const char *line, char *name, size_t count)
{
    char *unused, *offset = perf_offset_in(name, &unused), *object = perf_object_in(name);
    uint32_t frame = pair_map_number(&objects->frames, strtoull(line, NULL, 16),
                                     offset != NULL ? strtoull(offset, NULL, 16) : 0);
    if (frame >= count || object == NULL)
        return;
    uint32_t found = string_map_number(&objects->objects, object) + 1, *of = &objects->of[frame];
    *of = *of == 0 || *of == found ? found : NO_ID;
}

bool perf_objects_find(struct perf_objects *objects, const char *path)
{
    size_t count = objects->frames.count, length;
    char *copy = mem_copy(path, strlen(path)), *line;
    char *const arguments[] = {
        "perf", "script", "-i", copy, "--no-inline", "-F", "ip,sym,symoff,dso", NULL};
    struct stream printed;
    const char *name;
    objects->of = mem_array(count, sizeof *objects->of);
    bool ok = stream_open_program(&printed, path, arguments, tmpfile());
    while (ok && (line = stream_line(&printed, &length)) != NULL)
        if (perf_is_frame(line, PERF_ADDRESS_WIDTH, &name))
            read_frame(objects, line, line + (name - line), count);
    ok = stream_close(&printed) && ok;
    free(copy);
    return ok;
}

const char *perf_objects_of(const struct perf_objects *objects, uint32_t frame,
                            const char *otherwise)
{
    uint32_t object = objects->of[frame];
    return object != 0 && object != NO_ID ? objects->objects.strings[object - 1] : otherwise;
}

void perf_objects_free(struct perf_objects *objects)
{
    pair_map_free(&objects->frames);
    string_map_free(&objects->objects);
    free(objects->of);
}
