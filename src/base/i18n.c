/* i18n.c - looks up texts in the catalogue of the user's language.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "base/i18n.h"

#include <stdlib.h>
#include <string.h>

#ifdef ENABLE_NLS

#include <libintl.h>
#include <locale.h>

/* Sets the locale and the text domain.  Done at the first text, because most runs print none.  The
   name of the text domain, which the C library keeps, shows whether it has been done.  */
static void set_locale(void)
{
    const char *directory = getenv("TEXTDOMAINDIR"); /* as for gettext(1) */
    const char *domain = textdomain(NULL);
    if (domain != NULL && strcmp(domain, PACKAGE) == 0)
        return;
    setlocale(LC_CTYPE, "");
    setlocale(LC_MESSAGES, "");
    bindtextdomain(PACKAGE, directory != NULL ? directory : LOCALEDIR);
    textdomain(PACKAGE);
}

const char *i18n_text(const char *text)
{
    set_locale();
    return text[0] == '\0' ? text : gettext(text); /* the empty text is the catalogue's header */
}

size_t i18n_columns(const char *text)
{
    size_t characters = mbstowcs(NULL, text, 0);
    return characters == (size_t)-1 ? strlen(text) : characters;
}

#else

const char *i18n_text(const char *text)
{
    return text;
}

size_t i18n_columns(const char *text)
{
    return strlen(text);
}

#endif
