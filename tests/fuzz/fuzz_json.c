/* fuzz_json.c - documents in JSON: what is read can be written, and reads back as the same.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>
#include <string.h>

#include "export/exporters.h"
#include "fuzz.h"
#include "input/json_read.h"

/* What SNAPSHOT is as JSON, *SIZE bytes on the heap.  */
static char *write_again(const struct snapshot *snapshot, size_t *size)
{
    char *text;
    FILE *file = open_memstream(&text, size);
    struct out out;
    if (file == NULL)
        abort();
    out_begin(&out, file);
    export_json(snapshot, &out);
    out_end(&out);
    fclose(file);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct snapshot first, second;
    if (json_read_bytes(&first, (const char *)data, size, size, "input")) {
        size_t once, twice;
        char *one = write_again(&first, &once);
        FUZZ_CHECK(json_read_bytes(&second, one, once, once, "output"));
        char *two = write_again(&second, &twice);
        FUZZ_CHECK(once == twice && memcmp(one, two, once) == 0);
        free(one);
        free(two);
        snapshot_free(&second);
    }
    snapshot_free(&first);
    return 0;
}
