/* spelling.h - names of C++ functions without what only compilers and demanglers change.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_COMPARE_SPELLING_H
#define REGPROF_COMPARE_SPELLING_H

#include <stddef.h>

/* Writes to TO, with a NUL, the first LENGTH bytes of NAME in a spelling that is the same for all
   that differ only in this; it is not longer:

     blanks                   `vector<A<int> >', `vector<A<int>>'
     integer types            `unsigned long', `long unsigned int'
     versions of libraries    `std::__cxx11::list<int>', `std::__1::list<int>', `std::list<int>';
                              `f[abi:cxx11]()', `f()'
     strings                  `std::string' and its long name
     unnamed namespaces       `(anonymous namespace)', `{anonymous}', `_GLOBAL__N_1'
     truth values             `(bool)1', `true'
     hashes of Rust           `f::h0123456789abcdef', `f'  */
void spell(char *to, const char *name, size_t length);

#endif
