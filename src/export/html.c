/* html.c - everything as a page for a browser, in one file.

   The page loads nothing from elsewhere, and may not: its policy allows the one script and the one
   style that have the right hash.  What files say (names, messages, sources) is data of the script,
   never markup.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <string.h>

#include "base/common.h"
#include "base/sha256.h"
#include "export/formats.h"
#include "export/page.h"

static void write_script(const struct snapshot *snapshot, struct out *out)
{
    out_bytes(out, (const char *)page_script, page_script_size);
    (void)snapshot;
}

static void write_style(const struct snapshot *snapshot, struct out *out)
{
    out_bytes(out, (const char *)page_style, page_style_size);
    (void)snapshot;
}

static void write_policy(const struct snapshot *snapshot, struct out *out)
{
    char script[SHA256_BASE64_SIZE], style[SHA256_BASE64_SIZE];
    sha256_base64(page_script, page_script_size, script);
    sha256_base64(page_style, page_style_size, style);
    out_text(out, "default-src 'none'; script-src 'sha256-");
    out_text(out, script);
    out_text(out, "'; style-src 'sha256-");
    out_text(out, style);
    out_text(out, "'; base-uri 'none'; form-action 'none'");
    (void)snapshot;
}

/* What stands for a part in the template.  */
static const struct part {
    const char *mark;
    void (*write)(const struct snapshot *snapshot, struct out *out);
} parts[] = {
    {"@POLICY@", write_policy},
    {"@STYLE@", write_style},
    {"@SCRIPT@", write_script},
    {"@DATA@", page_write_data},
};

static const struct part *part_at(const char *text, size_t size)
{
    for (size_t i = 0; i < ARRAY_LENGTH(parts); i++) {
        size_t length = strlen(parts[i].mark);
        if (length <= size && memcmp(text, parts[i].mark, length) == 0)
            return &parts[i];
    }
    return NULL;
}

void export_html(const struct snapshot *snapshot, struct out *out)
{
    const char *text = (const char *)page_template;
    for (size_t at = 0; at < page_template_size;) {
        const struct part *part = part_at(text + at, page_template_size - at);
        if (part != NULL) {
            part->write(snapshot, out);
            at += strlen(part->mark);
        } else {
            out_char(out, text[at++]);
        }
    }
}

/* The page of what is compared with the base.  */
void export_html_comparison(const struct comparison *comparison, struct out *out)
{
    struct snapshot after = *comparison->sides[AFTER].snapshot;
    after.comparison = comparison;
    export_html(&after, out);
}
