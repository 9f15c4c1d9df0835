/* demangling.c - the demangler of an image.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/demangling.h"

static bool may_be_mangled(const void *context, const char *name)
{
    const struct demangling *demangling = context;
    return image_may_be_mangled(name, demangling->style);
}

static char *demangle(const void *context, const char *name)
{
    const struct demangling *demangling = context;
    return image_demangle(demangling->image, name, demangling->style);
}

struct demangler demangler_of(const struct demangling *demangling)
{
    return (struct demangler){demangling, may_be_mangled, demangle};
}
