/* html.c - everything as a page for a browser, in one file.

   The page loads nothing from elsewhere, and may not: its policy (embed.sh) allows the one script
   and the one style that have the right hash.  What files say (names, messages, sources) is data of
   the script, never markup.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <string.h>

#include "export/formats.h"
#include "export/page.h"

void export_html(const struct snapshot *snapshot, struct out *out)
{
    const char *start = (const char *)page_template, *rest = start + strlen(start) + 1;
    out_text(out, start);
    page_write_data(snapshot, out);
    out_text(out, rest);
}

/* The page of what is compared with the base.  */
void export_html_comparison(const struct comparison *comparison, struct out *out)
{
    struct snapshot after = *comparison->sides[AFTER].snapshot;
    after.comparison = comparison;
    export_html(&after, out);
}
