/* rules.h - the rules by which the frames of all objects are unwound, and the last ones in use.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_RULES_H
#define REGMON_RULES_H

#include <dlfcn.h>
#include <link.h>

#include "unwind.h"

/* Memory to work in, which is too large for the stack of a signal handler. */
struct rules_space {
    struct unwind unwind;
#ifdef DLFO_STRUCT_HAS_EH_DBASE
    struct dl_find_object found;
#endif
};

/* At the start of the program, for each object that is in memory: the main program is the first. */
void rules_note_object(const struct dl_phdr_info *info);

/* The rule for an instruction; RULE_NONE if there is none.  Takes no lock, and calls nothing that
   does. */
struct unwind_rule rules_find(struct rules_space *space, uintptr_t address);

/* When objects have been unloaded: others may have their addresses next. */
void rules_forget(void);

#endif
