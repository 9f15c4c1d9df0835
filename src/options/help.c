/* help.c - prints the help and the version.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "options/help.h"

#include <string.h>

#include "base/i18n.h"
#include "base/message.h"
#include "options/option_rows.h"

enum { HELP_COLUMN = 36 };

/* Returns the number of columns printed.  */
static int print_argument(FILE *out, const char *before, const struct option_row *row,
                          const char *after)
{
    const char *name = _(row->argument_name);
    fprintf(out, "%s%s%s", before, name, after);
    return (int)(strlen(before) + i18n_columns(name) + strlen(after));
}

/* Prints the letter, the long name and the argument; returns the number of columns printed.  */
static int print_row(FILE *out, const struct option_row *row)
{
    int used = row->id < 256 ? fprintf(out, "  -%c", row->id) : fprintf(out, "    ");
    const char *close = row->argument == OPTIONAL ? "]" : "";
    if (row->long_name == NULL && row->argument != NONE)
        used += print_argument(out, row->argument == OPTIONAL ? "[" : " ", row, close);
    if (row->long_name != NULL) {
        used += fprintf(out, "%s--%s", row->id < 256 ? ", " : "  ", row->long_name);
        if (row->argument != NONE)
            used += print_argument(out, row->argument == OPTIONAL ? "[=" : "=", row, close);
    }
    return used;
}

void help_print(FILE *out)
{
    size_t count;
    const struct option_row *rows = option_rows(&count);
    fprintf(out, _("Usage: %s [OPTION]... [IMAGE [PROFILE]...]\n"), program_name());
    fputs(_("Report where a program spent its time and which functions called which.\n"
            "IMAGE is an executable built with -pg (default a.out), PROFILE a file that it\n"
            "wrote (default gmon.out), a directory of such files, or - for standard input.\n"),
          out);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].id == 0) {
            fprintf(out, "\n%s:\n", _(rows[i].help));
            continue;
        }
        int used = print_row(out, &rows[i]);
        if (used >= HELP_COLUMN)
            used = 0, fputc('\n', out);
        fprintf(out, "%*s%s\n", HELP_COLUMN - used, "", _(rows[i].help));
    }
    fputs(_("\n"
            "Without options, the flat profile and the call graph are printed.  SPEC is\n"
            "FILE:FUNCTION, FILE:LINE, FILE:, :FUNCTION, :LINE, FILE.C, FUNCTION or LINE.\n"
            "@FILE is replaced by the arguments in FILE.  Manual: info regprof.\n"),
          out);
}

void help_print_version(void)
{
    puts("gprof (" PACKAGE_NAME ") " PACKAGE_VERSION);
    puts(_("License GPLv3+: GNU GPL version 3 or later <https://gnu.org/licenses/gpl.html>.\n"
           "This is free software: you are free to change and redistribute it.\n"
           "There is NO WARRANTY, to the extent permitted by law."));
}
