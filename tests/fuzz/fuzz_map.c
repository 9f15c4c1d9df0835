/* fuzz_map.c - the map of object files (-R), and decompression.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/memory.h"
#include "fuzz.h"
#include "input/symbol_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct object_map map = {0};
    struct arena names = {0};
    if (symbol_files_read_objects(&map, &names, fuzz_file(data, size))) {
        FUZZ_CHECK(map.count > 0);
        for (size_t i = 0; i < map.count; i++)
            FUZZ_CHECK(object_map_find(&map, map.entries[i].function) != NULL);
    }
    object_map_free(&map);
    arena_free(&names);
    return 0;
}
