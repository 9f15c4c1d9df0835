/* read_profiles.h - lists profiles, and reads them into arcs and blocks of symbols.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_READ_PROFILES_H
#define REGPROF_PROGRAM_READ_PROFILES_H

#include "input/profile_load.h"
#include "program/request.h"

/* What is named on the command line.  */
struct operands {
    const char *const *paths;
    size_t count;
    const char *list;     /* a file that lists more; or NULL */
    const char *sum_path; /* is left out; or NULL */
    bool is_foreign;      /* they are profiles of another profiler */
};

/* Makes LIST, the profiles of OPERANDS, as the options of REQUEST say.  False after a message.  */
bool list_profiles(struct profile_list *list, const struct request *request,
                   const struct operands *operands);

/* Takes those that another executable than IMAGE wrote out of LIST, if the options of REQUEST say
   to skip what cannot be used.  */
void skip_others(struct profile_list *list, const struct request *request, struct image *image);

/* Reads the profiles of another profiler that OPERANDS names into FOREIGN, perhaps behind an
   executable that names their addresses (foreign->image), and makes an image of them.  NULL after a
   message.  */
struct image *read_foreign(struct foreign *foreign, struct profile_list *list,
                           const struct request *request, const struct operands *operands);

/* Reads the profiles of REQUEST and passes their records to SINK, without their slide or, if
   KEEPS_ADDRESSES, with the addresses as they were recorded; histograms are added up by RATES.
   PROFILE gets what is known of each file.  False after a message.  */
bool read_inputs(const struct request *request, struct profile *profile,
                 const struct profile_sink *sink, bool keeps_addresses, enum rate_rule rates);

/* Whether all profiles have the calls of all threads: these were counted exactly.  */
bool counts_all_threads(const struct profile *profile);

/* Reads the profiles of REQUEST (with -s, analysis->sum) into histograms, arcs and blocks, and adds
   the calls found in the text (-c).  False after a message.  */
bool read_profiles(const struct request *request, struct analysis *analysis);

#endif
