/* listed_code.h - symbols and source lines of an image that consists of names (model).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_LISTED_CODE_H
#define REGPROF_INPUT_LISTED_CODE_H

#include "debug/debug_image.h"
#include "model/listed_code.h"
#include "model/model.h"

/* One symbol for each function.  Free with free; CODE owns the names.  */
struct raw_symbol *listed_symbols(const struct listed_code *code, size_t *count);

/* Answers from a struct listed_code, which is its info.  It is neither opened nor closed.  */
extern const struct debug_reader listed_reader;

#endif
