/* i18n.h - translates texts into the user's language, if po/ has a catalogue for it.

   `_' marks a text for translation and translates it; `N_' only marks a text, in a table.  The
   strings of base/messages.h and report/blurbs.c are translated without marks.  Reports, except for
   their explanations, are not translated, because other programs read them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_I18N_H
#define REGPROF_BASE_I18N_H

#include <stddef.h>

#if defined(__GNUC__)
#define FORMAT_LIKE(argument) __attribute__((format_arg(argument)))
#else
#define FORMAT_LIKE(argument)
#endif

/* TEXT in the user's language; TEXT itself if there is no catalogue.  Valid until the program ends.
   The first call sets the locale, except LC_NUMERIC: decimal points are the same in all
   languages.  */
const char *i18n_text(const char *text) FORMAT_LIKE(1);

#define _(text) i18n_text(text)
#define N_(text) text

/* The width of TEXT in characters of the locale.  */
size_t i18n_columns(const char *text);

#endif
