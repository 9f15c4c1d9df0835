/* rejson.c - reads a profile in JSON and writes it again.

   Usage: rejson FILE  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "export/exporters.h"
#include "input/json_read.h"

int main(int argc, char **argv)
{
    struct snapshot read;
    struct out out;
    bool ok = argc == 2 && json_read(&read, argv[1]);
    if (ok) {
        out_begin(&out, stdout);
        export_json(&read, &out);
        out_end(&out);
    }
    if (argc == 2)
        snapshot_free(&read);
    return ok ? 0 : 1;
}
