/* messages.h - the text of every message, in one place.

   Each is a printf format for `problem' or `warning', which look for it in the user's language.
   What names a file comes first.  All strings in this file, and nothing else, are texts to
   translate (po/local.mk).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_MESSAGES_H
#define REGPROF_BASE_MESSAGES_H

/* Limits of this program.  */
#define MSG_NO_MEMORY "memory exhausted: no room for %zu objects of %zu bytes"
#define MSG_NO_MEMORY_IN "%s: memory exhausted while %s was read"
#define MSG_TOO_MANY_ARCS "too many arcs: more than %lu"
#define MSG_TOO_MANY_BLOCKS "too many basic blocks: more than %lu"
#define MSG_TOO_MANY_NAMES "too many names: more than %lu"
#define MSG_TOO_MANY_SYMBOLS "too many symbols: more than %lu"

/* What is read: stands in MSG_NO_MEMORY_IN.  */
#define READING_ALL "it"
#define READING_TEXT "its text"
#define READING_SYMBOLS "its symbol table"
#define READING_DEBUG "its debug information"
#define READING_NAME "a name"

/* Pieces of a profile: stand in MSG_UNEXPECTED_END.  */
#define PIECE_HEADER "header"
#define PIECE_HISTOGRAM_HEADER "histogram header"
#define PIECE_HISTOGRAM "histogram"
#define PIECE_ARC "call-graph record"
#define PIECE_BLOCK_HEADER "basic-block header"
#define PIECE_BLOCK "basic-block record"

/* The image.  */
#define MSG_FILE_REASON "%s: %s"
#define MSG_NO_IMAGE "%s: %s: the first operand names the executable that was profiled"
#define MSG_LOOKS_DAMAGED "%s: looks damaged: %s"
#define MSG_NOT_EXECUTABLE "%s: not in executable format: %s"
#define MSG_NO_TEXT "%s: has no text section (.text)"
#define MSG_NO_SYMBOLS "%s: has no symbols: build it again, without -s and strip"
#define MSG_NO_LISTED_SYMBOLS "%s: has no symbols: no line is `address T name' or `address t name'"
#define MSG_SYMBOLS_UNREADABLE "%s: cannot read the symbol table: %s"
#define MSG_STRIPPED                                                                               \
    "%s: is stripped: only the functions that the loader knows stand for what ran; build it "      \
    "without -s and strip"
#define MSG_TEXT_UNREADABLE "%s: cannot read the text section: %s"
#define MSG_TEXT_NOT_THERE "%s: cannot read the text section: it is not in the file"
#define MSG_DAMAGED_DEBUG                                                                          \
    "%s: its debug information is damaged or of a kind unknown here: source lines may be missing"

/* Profiles.  */
#define MSG_NO_PROFILE                                                                             \
    "%s: %s: run %s; it writes one where it ends by exit, and not by a signal or _exit"
#define MSG_NOT_PROFILED "%s: %s: %s writes none: it was not linked with -pg"
#define MSG_EMPTY_FILE                                                                             \
    "%s: file too short to be a gmon file: it is empty: was the program ended while it wrote it?"
#define MSG_TOO_SHORT "%s: file too short to be a gmon file"
#define MSG_BAD_MAGIC "%s: file has no gmon magic (offset 0)"
#define MSG_BAD_VERSION "%s: file has unsupported version %lu (offset %zu)"
#define MSG_UNEXPECTED_END                                                                         \
    "%s: unexpected end of file: %s at offset %zu needs %llu bytes, %zu are left"
#define MSG_BAD_TAG "%s: found bad tag %u at offset %zu: file is corrupt"
#define MSG_NO_BINS "%s: histogram at offset %zu has no bins"
#define MSG_EMPTY_RANGE                                                                            \
    "%s: histogram at offset %zu covers no addresses: low 0x%llx is not below high 0x%llx"
#define MSG_BAD_BSD_SIZE "%s: header claims %lu bytes of histogram, the file has %zu (offset %zu)"
#define MSG_OTHER_DIMENSION                                                                        \
    "%s: histogram at offset %zu counts `%s', earlier ones `%s': incompatible with the first file"
#define MSG_OTHER_SCALE                                                                            \
    "%s: histogram at offset %zu: incompatible with the first file: other addresses per bin"
#define MSG_OVERLAP                                                                                \
    "%s: histogram at offset %zu: incompatible with the first file: it overlaps another one"
#define MSG_TOO_MANY_HISTOGRAMS                                                                    \
    "%s: histogram at offset %zu: there are %zu others already, which is more than can be"
#define MSG_FILE_SHRANK "a file became shorter while it was read"
#define MSG_IS_DIRECTORY "%s: is a directory"
#define MSG_IS_DEVICE "%s: is a device, not a file"
#define MSG_GZIP_SHORT "%s: compressed file ends too early"
#define MSG_GZIP_DAMAGED "%s: compressed file is damaged"
#define MSG_GZIP_LARGE                                                                             \
    "%s: compressed file holds more than %zu bytes in %zu: decompress it first if that is right"
#define MSG_NO_PROFILES "%s: no profile in this directory"
#define MSG_EMPTY_LIST "%s: names no profile"
#define MSG_STDIN_TWICE "standard input (`-') can be read only once"

#define MSG_SKIPPED "%zu of %zu profiles could not be used and were left out"

/* Profiles that can be used all the same.  */
#define MSG_SUM_LEFT_OUT                                                                           \
    "%s: is where the sum goes, and is not added to itself; name the file to have it added"
#define MSG_LEFT_OUT "%s: %zu files in it that are no profiles are left out (%s)"
#define MSG_FOREIGN_ARCS                                                                           \
    "%s: none of its calls enters the text of %s: is it the program that wrote it?"
#define MSG_NO_RECORDS "%s: file has no records"
#define MSG_IMAGE_NEWER "%s: is newer than %s, and may have been built again since"
#define MSG_OTHER_RATE                                                                             \
    "%s: histogram at offset %zu has %lu samples a unit, the first one %lu: times are in the "     \
    "first"
#define MSG_OUTSIDE_TEXT                                                                           \
    "%s: histogram at offset %zu covers 0x%llx to 0x%llx, outside the text of %s: is it the "      \
    "program that wrote it?"
#define MSG_RATE_ZERO "%s: histogram at offset %zu has rate 0: times are in ticks"
#define MSG_NO_HISTOGRAM "gmon.out file is missing histogram"
#define MSG_NO_ARCS "gmon.out file is missing call-graph data"
#define MSG_BLOCKS_IGNORED "ignoring basic-block execution counts (use -l or --line)"

/* Why a report looks empty.  */
#define MSG_NO_REPORT "no report is left: the options switch all of them off"
#define MSG_NO_SAMPLES                                                                             \
    "no samples: the program ran for less than %g %s in what is profiled; let it do more, or add " \
    "runs up"
#define MSG_PARTLY_OUTSIDE "%.1f%% of the samples lie outside of any function of %s"
#define MSG_MOSTLY_OUTSIDE                                                                         \
    "%.1f%% of the samples lie outside of any function of %s: is it the program that wrote them?"
#define MSG_EMPTY_FLAT "flat profile: empty: no function has samples or calls"
#define MSG_NO_FLAT_LEFT "flat profile: empty: the options leave nothing of it"
#define MSG_EMPTY_GRAPH "call graph: empty: no function has samples or calls"
#define MSG_NO_GRAPH_LEFT "call graph: empty: the options leave nothing of it"
#define MSG_NO_COUNTS_LEFT "execution counts: empty: the options leave nothing of them"
#define MSG_ARCS_OUTSIDE "call graph: no recorded call leads from one function of %s to another"
#define MSG_NO_ARCS_LEFT "call graph: the options leave no call between functions of %s"
#define MSG_EMPTY_COUNTS                                                                           \
    "execution counts: empty: no calls are recorded; compile with -pg, and not only link"
#define MSG_EMPTY_SOURCES                                                                          \
    "annotated source: empty: no function of %s with a source that can be read was called; -z "    \
    "shows the others"
#define MSG_NO_LINES "%s: has no source lines for what it holds: compile with -g"

/* Sources.  */
#define MSG_NO_SOURCE "could not locate `%s'"
#define MSG_NOT_OVERWRITTEN "%s: is no regular file with this name alone, and is not overwritten"
#define MSG_SAME_NAME "%s: several sources have this name, and only the last one is kept"

/* The command line.  */
#define MSG_UNKNOWN_OPTION "unrecognized option `%s'"
#define MSG_AMBIGUOUS_OPTION "option `%s' is ambiguous"
#define MSG_INVALID_OPTION "invalid option `%s'"
#define MSG_NO_ARGUMENT "option `%s' requires an argument"
#define MSG_HAS_ARGUMENT "option `%s' takes no argument"
#define MSG_UNKNOWN_STYLE "unknown demangling style `%s'"
#define MSG_UNKNOWN_FORMAT "%s: unknown file format"
#define MSG_PROF_FORMAT "sorry, file format `prof' is not yet supported"
#define MSG_BAD_NUMBER "option %s: `%s' is not a number"
#define MSG_NEEDS "option %s makes sense only with %s"
#define MSG_NOT_TOGETHER "%s and %s cannot be had in one run"
#define MSG_NOT_WITH_REPORTS "%s and reports cannot be had in one run"
#define MSG_BOTH_ORDERINGS "only one of --function-ordering and --file-ordering may be given"

/* Files that name symbols.  */
#define MSG_BAD_MAP_LINE "%s:%zu: unable to parse: not `object:address type name'"
#define MSG_NO_STATIC_CALLS "-c is not supported on architecture %s"
#define MSG_EMPTY_MAP "%s: names no object files"

/* Output.  */
#define MSG_CANNOT_WRITE "%s: cannot write: %s"
#define MSG_NOTHING_TO_ADD "%s: not written: there is nothing to add up"
#define MSG_NOT_REPLACED "%s: is no regular file and is not replaced"
#define MSG_LINK_ELSEWHERE "%s: is a link out of its directory, to %s, and is not followed"
#define MSG_INTERRUPTED "%s: not written: interrupted by a signal"
#define MSG_BSD_ONE_HISTOGRAM "%s: a bsd profile holds one histogram, not %zu; use -O magic"
#define MSG_BSD_BINS "%s: a bsd profile holds 65535 samples a bin, and there are more; use -O magic"
#define MSG_BSD_SIZE "%s: a bsd profile holds 2^30 bins, and there are more; use -O magic"
#define MSG_BSD_DIMENSION "%s: a bsd profile counts seconds, not `%s'; use -O magic"
#define MSG_BSD_RATE                                                                               \
    "%s: a profile of this format cannot say that there are %lu samples a second; use -O magic"
#define MSG_COUNT_TOO_LARGE                                                                        \
    "%s: %llu calls from 0x%llx to 0x%llx are too many for this format; use -O bsd"
#define MSG_BSD_BLOCKS "%s: a bsd profile holds no basic-block counts; use -O magic"
#define MSG_OUTPUT_FAILED "standard output: %s"
#define MSG_OUTPUT_LOST "standard output: not all could be written"

#endif
