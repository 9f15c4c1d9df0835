/* help.c - prints the help, which is made from the rows of options, and the version.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "options/help.h"

#include <string.h>

#include "base/message.h"
#include "options/option_rows.h"

enum { HELP_COLUMN = 36, EXAMPLE_COLUMN = 36 };

/* Returns the number of columns printed.  */
static int print_argument(FILE *out, const char *before, const struct option_row *row,
                          const char *after)
{
    const char *name = _(row->argument_name);
    fprintf(out, "%s%s%s", before, name, after);
    return (int)(strlen(before) + i18n_columns(name) + strlen(after));
}

/* Prints the letter, the long name and the argument of ROW, with those of the rows behind it that
   share its help, letters first; returns the number of columns printed.  END is behind the last
   row.  */
static int print_row(FILE *out, const struct option_row *row, const struct option_row *end)
{
    int used = row->id < 256 ? fprintf(out, "  -%c", row->id) : fprintf(out, "    ");
    bool is_long = row->long_name != NULL, is_optional = row->argument == OPTIONAL;
    const struct option_row *next = row + 1;
    for (; next < end && next->help == NULL && next->long_name == NULL; next++)
        used += fprintf(out, ", -%c", next->id);
    if (is_long)
        used += fprintf(out, "%s--%s", row->id < 256 ? ", " : "  ", row->long_name);
    for (; next < end && next->help == NULL; next++)
        used += fprintf(out, ", --%s", next->long_name);
    if (row->argument == NONE)
        return used;
    const char *open = is_long ? (is_optional ? "[=" : "=") : is_optional ? "[" : " ";
    return used + print_argument(out, open, row, is_optional ? "]" : "");
}

static void print_example(FILE *out, const char *arguments, const char *what)
{
    int used = fprintf(out, "  %s %s", program_name(), arguments);
    fprintf(out, "%*s  %s\n", used < EXAMPLE_COLUMN ? EXAMPLE_COLUMN - used : 0, "", what);
}

void help_print(FILE *out)
{
    size_t count;
    fprintf(out, _("Usage: %s [OPTION]... [@FILE]... [IMAGE [PROFILE]...]\n"), program_name());
    fputs(_("Report where a program (a.out) spent its time, by its profiles (gmon.out).\n"
            "Examples, after gcc -g -pg -o prog prog.c; regmon ./prog:\n"),
          out);
    print_example(out, "--top prog", _("what takes the time, in one table"));
    print_example(out, "-o prog.html prog", _("all of it, as a page for a browser"));
    print_example(out, "--base=old.json prog", _("what has become slower (in CI: gprof-gate)"));
    const struct option_row *rows = option_rows(&count);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].id == 0)
            fprintf(out, "\n%s:\n", _(rows[i].help));
        if (rows[i].id == 0 || rows[i].help == NULL)
            continue;
        int used = print_row(out, &rows[i], rows + count);
        if (used >= HELP_COLUMN)
            used = 0, fputc('\n', out);
        fprintf(out, "%*s%s\n", HELP_COLUMN - used, "", _(rows[i].help));
    }
    fputs(_("\n"
            "FORMAT is text, tsv, csv, markdown, json, html, benchmark, callgrind, dot,\n"
            "folded, speedscope, pprof, call-graph-order, symbol-order or section-order.\n"),
          out);
}

void help_print_version(void)
{
    puts("gprof (" PACKAGE_NAME ") " PACKAGE_VERSION " (compatible with GNU gprof 2.40)");
    puts(_("License GPLv3+: GNU GPL version 3 or later <https://gnu.org/licenses/gpl.html>.\n"
           "This is free software: you are free to change and redistribute it.\n"
           "There is NO WARRANTY, to the extent permitted by law."));
}
