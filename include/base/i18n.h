/* i18n.h - texts in the language of the user, where there is a catalogue of it (po/).

   A text is marked where it stands and looked up where it is written: `_' does both, and `N_' marks
   one that stands in a table.  The strings of base/messages.h and report/blurbs.c count as marked.
   Reports are for programs to read as well: what they hold besides explanations is no text in this
   sense.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_I18N_H
#define REGPROF_BASE_I18N_H

#include <stddef.h>

#if defined(__GNUC__)
#define FORMAT_LIKE(argument) __attribute__((format_arg(argument)))
#else
#define FORMAT_LIKE(argument)
#endif

/* TEXT in the user's language, which the first call finds out; itself if there is no catalogue of
   it.  Lives as long as the program.  Numbers keep their points in all languages.  */
const char *i18n_text(const char *text) FORMAT_LIKE(1);

#define _(text) i18n_text(text)
#define N_(text) text

/* How many columns TEXT takes on a terminal.  */
size_t i18n_columns(const char *text);

#endif
