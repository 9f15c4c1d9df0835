/* test_source_map.c - where sources have moved (--source-map).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "input/source_files.h"

#include <stdlib.h>

#include "tap.h"

static void check(const struct source_map *map, const char *name, const char *expected)
{
    char *path = source_map_apply(map, name);
    is_same_text(path != NULL ? path : "none", expected, name);
    free(path);
}

int main(void)
{
    struct source_map map = {0};
    check(&map, "/old/a.c", "none");
    is_true(source_map_add(&map, "/old=/new"), "a move");
    is_true(source_map_add(&map, "/old/lib=lib"), "to a relative path");
    is_true(source_map_add(&map, "/build/=/"), "from a name that ends in a slash");
    is_true(source_map_add(&map, "src/a.c=b=c.c"), "of one file, to a name with a sign");
    is_true(source_map_add(&map, "./gone="), "to nothing");
    is_true(!source_map_add(&map, "/old"), "no sign is an error");
    is_true(!source_map_add(&map, "=/new"), "and so is no old place");
    check(&map, "/old/a.c", "/new/a.c");
    check(&map, "/old", "/new");
    check(&map, "/older/a.c", "none");
    check(&map, "/old/lib/a.c", "lib/a.c");
    check(&map, "/old/library/a.c", "/new/library/a.c");
    check(&map, "/build/a.c", "/a.c");
    check(&map, "/workshop/a.c", "none");
    check(&map, "src/a.c", "b=c.c");
    check(&map, "./gone/a.c", "/a.c");
    check(&map, "b/old/a.c", "none");
    is_true(source_map_add(&map, "/old=/newest"), "a place that moves twice");
    check(&map, "/old/a.c", "/newest/a.c");
    source_map_free(&map);
    return tap_done();
}
