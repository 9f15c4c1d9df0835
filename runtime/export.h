/* export.h - the names that programs see.  All others are hidden by -fvisibility=hidden.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_EXPORT_H
#define REGMON_EXPORT_H

#define REGMON_EXPORT __attribute__((visibility("default")))

#endif
