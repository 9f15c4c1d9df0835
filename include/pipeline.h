/* pipeline.h - the stages of a run, each over the profile the one before left.  */

#ifndef REGPROF_PIPELINE_H
#define REGPROF_PIPELINE_H

#include "image.h"
#include "options.h"
#include "sum.h"

/* Symbols and filters.  False after a message.  */
bool pipeline_symbols(struct profile *profile, struct image *image, const struct options *options);

/* Adds the profiles up by address and writes the sum (-s); histograms and file infos stay in
   PROFILE, the rest in SUM (empty before).  Symbols are needed only if some arcs are to be left
   out.  False after a message.  */
bool pipeline_sum(struct profile *profile, struct sum *sum, const struct image *image,
                  const struct options *options);

/* The profiles' records, from the files, or from SUM if that is not NULL.  False after a message.
 */
bool pipeline_read(struct profile *profile, struct image *image, const struct options *options,
                   const struct sum *sum);

/* Times, graph and views.  */
void pipeline_analyse(struct profile *profile, const struct image *image,
                      const struct options *options);

/* Names and source positions for the reports of the set KINDS.  */
void pipeline_name(struct profile *profile, struct image *image, const struct options *options,
                   unsigned kinds);

/* Writes the annotated sources, each to a file of its own (-y).  False after a message.  */
bool pipeline_write_sources(const struct profile *profile, const struct style *style);

#endif
