/* messages.h - the text of every message, in one place.

   Each is a printf format for `problem' or `warning', which look for it in the user's language.
   A file name comes first.  All strings in this file, and nothing else, are texts to
   translate (po/local.mk).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_MESSAGES_H
#define REGPROF_BASE_MESSAGES_H

/* Limits of this program.  */
#define MSG_NO_MEMORY "memory exhausted: cannot allocate %zu objects of %zu bytes"
#define MSG_NO_MEMORY_IN "%s: memory exhausted while reading %s"
#define MSG_READ_FAILED "%s: cannot read %s: %s"
#define MSG_NO_STACK "memory exhausted: the stack cannot grow"
#define MSG_TOO_MANY_ARCS "too many arcs: more than %lu"
#define MSG_TOO_MANY_BLOCKS "too many basic blocks: more than %lu"
#define MSG_TOO_MANY_NAMES "too many names: more than %lu"
#define MSG_TOO_MANY_SYMBOLS "too many symbols: more than %lu"

/* The part that is read: stands in MSG_NO_MEMORY_IN and MSG_READ_FAILED.  */
#define READING_ALL "the file"
#define READING_TEXT "the text section"
#define READING_SYMBOLS "the symbol table"
#define READING_DEBUG "debug information"
#define READING_NAME "a symbol name"

/* Pieces of a profile: stand in MSG_UNEXPECTED_END.  */
#define PIECE_HEADER "header"
#define PIECE_HISTOGRAM_HEADER "histogram header"
#define PIECE_HISTOGRAM "histogram"
#define PIECE_ARC "call-graph record"
#define PIECE_BLOCK_HEADER "basic-block header"
#define PIECE_BLOCK "basic-block record"

/* Profiles of other profilers.  */
#define MSG_BAD_LINE "%s: line %llu: %s"
#define LINE_WITHOUT_COUNT "no count at the end of the stack"
#define LINE_WITH_NUL "a NUL byte"
#define LINE_OF_CALLGRIND "not a line of a callgrind profile"
#define NO_SAMPLE_OF_PERF "neither a perf sample nor a frame"
#define MSG_BAD_FIELD "%s: byte %llu: damaged, or not a pprof profile"
#define MSG_BAD_BYTE "%s: byte %llu: %s"
#define MSG_NO_FRAMES                                                                              \
    "%s: its samples name no functions: record with `perf record --call-graph dwarf', and print "  \
    "ip and sym, as `perf script' does without -F"
#define MSG_FRAME_POINTERS                                                                         \
    "%s: frame pointers told the callers (perf record -g): where gcc leaves them out of leaf "     \
    "functions, the callers of these are missing; perf record --call-graph dwarf finds them"
#define NO_HEADER_OF_GPERFTOOLS "no gperftools profile header"
#define ENDS_IN_RECORD "the file ends inside of this record"
#define RECORD_OF_NOTHING "a record without samples or without frames"
#define SAMPLES_TOO_MANY "more samples than can be counted"
#define NO_MAPPING "not a line of /proc/self/maps"
#define NO_MAPPINGS "no list of mappings that ends with a whole line"
#define MSG_GIVE_IMAGE                                                                             \
    "%s: has no names, and its program, %s, is not there: name the executable before the profile"
#define MSG_IMAGE_LEFT_OUT                                                                         \
    "%s: is a profile that names its functions itself: leave out the executable %s"
#define MSG_OTHER_IMAGE "%s: was recorded from %s, but its addresses are looked up in %s"
#define MSG_TOO_MANY_FRAMES "%s: has so many frames that only a crafted file can explain it"
#define MSG_TWO_PROFILES                                                                           \
    "%s: has two counts for each stack: split them, and compare the files with --base"
#define MSG_BAD_WEIGHTS "%s: has samples with weights that are too large or too small"
#define MSG_BAD_PATTERN "%s: its pattern of frames to drop is not understood: %s"
#define MSG_CROSSED                                                                                \
    "%s: profiles[%zu].events[%zu]: closes a frame that is not open, or in which another one is"
#define MSG_OLD_V8 "%s: is a tree of node 10 or older: record it with node 12 or later"
#define MSG_NEGATIVE                                                                               \
    "%s: has negative weights, as a difference of two profiles has, which this output cannot "     \
    "show; --top can, --tree where there are stacks, and csv, tsv, markdown, json; --base "        \
    "compares two profiles"
#define MSG_TAKEN_AS_SAMPLES "%s: its counts are taken as samples; if they are exact, add --exact"
#define MSG_EMPTY_PROFILE "%s: has no samples"
#define MSG_OTHER_EVENT "%s: counts %s, but the profiles before it %s"
#define MSG_OTHER_KIND                                                                             \
    "%s: cannot be added to the profiles before it: one kind has stacks, the other calls or "      \
    "exact counts"
#define MSG_LABELS "%s: samples have labels: %s; --program=LABEL=VALUE chooses"
#define MSG_NO_VALUE "%s: has no value %s (known: %s)"
#define MSG_NO_VALUES "%s: has no value %s: a file in this format has only one"
#define MSG_VALUE_CHOSEN "%s: shows %s; --value chooses among %s"
#define MSG_UNKNOWN_PROFILE "%s: not a profile in a known format (known: %s)"
#define MSG_UNKNOWN_FOREIGN "--from: no format %s (known: %s)"
#define MSG_NO_PROGRAM "%s: cannot run %s, which reads it: %s"
#define MSG_PROGRAM_FAILED "%s: perf cannot read it"
#define MSG_NO_PROGRAM_OF "%s: has no samples from %s (known: %s)"
#define MSG_NO_PROGRAMS "%s: has no samples from %s: it has no names of programs, threads or labels"
#define MSG_ONLY_LABELS "%s: has no samples from %s: --program=LABEL=VALUE chooses (known: %s)"
#define MSG_PROGRAM_CHOSEN "%s: shows %s; --program chooses among it and %s"
#define MSG_PERF_PACKED "%s: perf reads no compressed files: unpack it first"
#define MSG_PERF_FROM_PIPE "%s: perf reads no pipes, only files by name: save it first"
#define MSG_NEEDS_IMAGE                                                                            \
    "%s needs an executable, and %s is a profile that names its functions itself"
#define MSG_NEEDS_OTHER "%s needs a profile from another profiler, and %s is none"
#define MSG_NEEDS_STACKS "%s: --thread needs the stacks file beside it, %s"
#define MSG_NEEDS_OWN "%s needs a -pg profile, and %s is from another profiler"

/* The image.  */
#define MSG_FILE_REASON "%s: %s"
#define MSG_SIMILAR_FILE "%s: %s: did you mean %s?"
#define MSG_NO_IMAGE "%s: %s: the first argument must be the profiled executable"
#define MSG_LOOKS_DAMAGED "%s: file appears to be damaged: %s"
#define MSG_NOT_EXECUTABLE "%s: not in executable format: %s"
#define MSG_PROFILE_AS_IMAGE                                                                       \
    "%s: is a profile, not an executable: the first argument must be the profiled executable"
#define MSG_NO_TEXT "%s: has no section with code"
#define MSG_NO_SYMBOLS                                                                             \
    "%s: has no symbols: if it was stripped into a debug file, put that where it is searched for " \
    "(%s); or else link without -s, and do not strip the executable"
#define MSG_NO_SYMBOLS_LEFT "%s: has no symbols that the options accept"
#define MSG_NO_LISTED_SYMBOLS                                                                      \
    "%s: has no symbols: no line has the form `address T name' or `address t name'"
#define MSG_SYMBOLS_UNREADABLE "%s: cannot read the symbol table: %s"
#define MSG_COMPRESSED_SYMBOLS                                                                     \
    "%s: cannot read the compressed symbols (.gnu_debugdata), so some functions have no name"
#define MSG_NAMES_UNREADABLE                                                                       \
    "%s: cannot read its symbol names: the string table is damaged or missing"
#define MSG_LONG_NAME                                                                              \
    "%s: demangled names longer than 64 kB stay as they are in the file; the first one is `%.80s'"
#define MSG_STRIPPED                                                                               \
    "%s: is stripped: only its dynamic symbols are available; if it was stripped into a debug "    \
    "file, "                                                                                       \
    "put that where it is searched for (%s); or else link without -s, and do not strip the "       \
    "executable"
#define MSG_TEXT_UNREADABLE "%s: cannot read the text section: %s"
#define MSG_TEXT_NOT_THERE "%s: cannot read the text section: the file does not contain it"
#define MSG_DAMAGED_DEBUG                                                                          \
    "%s: debug information is damaged or not supported: source lines may be missing"
#define MSG_DEBUG_TOO_LARGE                                                                        \
    "%s: debug information needs too much memory and is probably damaged: source lines are "       \
    "missing"

/* Profiles in JSON.  */
#define MSG_NO_JSON "%s: cannot read JSON: this program was built without libjansson"
#define MSG_BAD_JSON "%s:%d: not valid JSON: %s"
#define MSG_OTHER_JSON "%s: is not a profile in JSON: its schema is not `regprof/1'"
#define MSG_OTHER_SCHEMA "%s: its schema is `%s', but this program reads only `regprof/1'"
#define MSG_JSON_LARGE "%s: needs far more memory than JSON of its size does"
#define MSG_JSON_MEMBER "%s: member `%s' is missing or wrong"
#define MSG_JSON_ITEM "%s: %s[%zu]: member `%s' is missing or wrong"

/* Comparisons.  */
#define MSG_BASE_PROFILE_NEEDED                                                                    \
    "%s: is not a profile in JSON; if it is an executable, name its profiles with --base-profile"
#define MSG_NOTHING_TO_COMPARE "%s: nothing to compare: its profiles have neither samples nor calls"
#define MSG_BASE_EXACT                                                                             \
    "--base=%s: cannot be compared with %s: one of them was counted exactly, the other sampled"
#define MSG_BASE_UNIT "%s: cannot be compared: its times are in `%s', the others in `%s'"
#define MSG_BASE_VALUE "%s: cannot be compared: shows %s, the others %s (--value chooses)"
#define MSG_BASE_OPTIONS                                                                           \
    "%s: cannot be compared: counted with other options: %s in the base, %s now"
#define MSG_BASE_SYMBOLS                                                                           \
    "%s: cannot be compared: the -S symbols belong to one executable; save the base with "         \
    "--format=json"
#define NO_OPTIONS "none"
#define MSG_BASE_STACKS                                                                            \
    "%s: its stacks cannot be compared: it has no %s, from which they would be estimated"
#define STACKS_NEED_CALLS "calls"
#define STACKS_NEED_SAMPLES "samples"
#define MSG_BASE_UNMEASURED "%s: has no recorded stacks: inclusive times are not compared"
#define MSG_BASE_UNJUDGED "%s: has no recorded stacks: inclusive times cannot be judged"
#define STACKS_NEED_ESTIMATES "times by calls (--no-stacks)"
#define MSG_BASE_OTHER_PROGRAM "%s: cannot be compared: has no function in common with %s"
#define MSG_BASE_FEW_IN_COMMON                                                                     \
    "%s: only %zu of %zu functions are also in %s: is it another program?"
#define MSG_BASE_CHOICE "%s: samples were chosen by other options: %s in the base, %s now"
#define MSG_BASE_RATE "%s: sampled at %g per unit of time, the others at %g"
#define MSG_BASE_RANGE                                                                             \
    "%s: samples cover 0x%llx bytes of code, the others 0x%llx: are parts of a program missing?"
#define MSG_BASE_MACHINE "%s: is from another kind of machine: %s, not %s"

/* The verdict of a gate.  VISIBLE_*: the change that it could see.  */
#define MSG_REGRESSION "regression: %s: %s -> %s (%s); %zu of %zu functions"
#define MSG_REGRESSION_GONE                                                                        \
    "regression: %s: %s -> %s (%s); %zu of %zu functions; it called %s, which is gone: inlined?"
#define MSG_REGRESSION_INCLUSIVE                                                                   \
    "regression: %s with its callees: %s -> %s (%s); %zu of %zu functions"
#define MSG_REGRESSION_CALLS "regression: %s: %s calls -> %s calls (%s); %zu of %zu functions"
#define MSG_NO_MORE_CALLS "no regression: no calls grew by more than %g %%"
#define MSG_NO_MORE_CALLS_OF                                                                       \
    "no regression: no calls grew by more than %g %%; inconclusive for %zu of %zu functions, "     \
    "whose calls vary too much between runs"
#define MSG_NO_REGRESSION "no regression above %g %% (could see %s)"
#define MSG_BELOW_FLOOR                                                                            \
    "no regression above %g %%: %s: %s -> %s (%s) grew by less than %s (could see %s)"
#define MSG_TOOK_OVER                                                                              \
    "no regression above %g %%: %s took over %s: %s -> %s (%s), with all that it calls no more "   \
    "than before (could see %s)"
#define MSG_BLIND "too few samples to see a regression of %g %% (could see %s)"
#define MSG_BLIND_FLOOR                                                                            \
    "a regression of %g %% is less than %s, which the gate allows (could see %s); "                \
    "--fail-above=%g,SECONDS sets another floor"
#define MSG_BLIND_RUNS                                                                             \
    "runs differ too much to see a regression of %g %% (could see %s); more runs help "            \
    "(gprof-gate --most-runs=N)"
#define MSG_ONE_RUN                                                                                \
    "differs: %s: %s -> %s (%s); one run on each side says not whether that is chance: make "      \
    "several (as gprof-gate --runs=5 does), or judge by chance of sampling alone (--one-run)"
#define MSG_ONE_RUN_BLIND                                                                          \
    "one run on each side is too little to judge times: make several (as gprof-gate --runs=5 "     \
    "does), or judge by chance of sampling alone (--one-run)"
#define MSG_BLIND_SPREAD                                                                           \
    "%s: how inclusive times vary between its runs is not known: a regression cannot be seen"
#define MSG_BLIND_STATED                                                                           \
    "%s: one run, and it does not say how its times were measured: a regression cannot be seen; "  \
    "several runs show how they vary"
#define VISIBLE_CHANGE "%.0f %% of %s"
#define VISIBLE_ANY "any growth of %s"
#define VISIBLE_NONE "nothing of %s"
#define VISIBLE_UNKNOWN "a growth that is not known of %s"
#define VISIBLE_BY_CHANCE ", if runs do not vary"
#define VISIBLE_NO_FLOOR ", with --fail-above=%g,0, as all of the base is less than the floor of %s"
#define VISIBLE_TOTAL "the total"
#define VISIBLE_FUNCTION "any function"

/* Profiles.  */
#define MSG_NO_PROFILE                                                                             \
    "%s: %s: run %s first; it writes gmon.out in its current directory when it exits normally, "   \
    "and under regmon also when it crashes"
#define MSG_UNWRITTEN                                                                              \
    "%s: %s: the profile of %s is still in memory: run `regmon --finish', which writes it"
#define MSG_RUNNING                                                                                \
    "%s: %s: %s runs under regmon, which has written no profile yet; `regmon --wait' waits for it"
#define MSG_NOT_PROFILED                                                                           \
    "%s: %s: %s writes no profile because it was not linked with -pg; run it with regmon"
#define MSG_NOT_LINKED                                                                             \
    "%s: %s: %s was compiled with -pg, but writes no profile because it was not linked with -pg"
#define MSG_INSTRUMENTED                                                                           \
    "%s: %s: %s writes no profile by itself because it was compiled with "                         \
    "-finstrument-functions; link it with -lregmon, or run it with regmon"
#define MSG_MUSL_PROFILE                                                                           \
    "%s: %s: %s writes no profile because its C library, musl, does not know -pg; link it with "   \
    "-lregmon, or run it with regmon"
#define MSG_ALL_ZERO                                                                               \
    "%s: not a gmon file: all its bytes are zero; was the machine stopped while writing it?"
#define MSG_TOO_SHORT "%s: file too short to be a gmon file"
#define MSG_IMAGE_AS_PROFILE                                                                       \
    "%s: is an executable, not a profile: the first argument is the executable (now %s), "         \
    "profiles "                                                                                    \
    "follow"
#define MSG_OBJECT_AS_PROFILE "%s: is an object file, not a profile"
#define MSG_CORE_FILE                                                                              \
    "%s: is a core file, neither an executable nor a profile: name the executable that wrote it, " \
    "and the profile that it writes"
#define MSG_OBJECT_AS_IMAGE                                                                        \
    "%s: is an object file, which does not run: name the executable that was linked from it"
#define MSG_MAY_SKIP "%zu profiles were found: --skip-bad leaves out unusable profiles"
#define MSG_OTHER_PROFILER "%s: is a file from %s, which gprof does not read"
#define MSG_OTHER_TEXT                                                                             \
    "%s: is text, but of none of the profilers that gprof reads (perf script, callgrind, "         \
    "speedscope, .cpuprofile, folded stacks; gprof's own JSON)"
#define MSG_IS_EMPTY "%s: is empty; was the program killed while writing it?"
#define MSG_CONVERT_PROFILE                                                                        \
    "%s: is a file from %s: `%s' converts it into a profile that gprof reads"
#define MSG_MIXED_PROFILERS "%s: is a profile from %s, and cannot be added to -pg profiles"
#define MSG_JSON_AS_PROFILE "%s: is JSON, not a profile; --base=%s compares with it"
#define MSG_BAD_MAGIC "%s: not a gmon file: bad magic number (offset 0)"
#define MSG_BAD_VERSION "%s: file has unsupported version %lu (offset %zu)"
#define MSG_UNEXPECTED_END                                                                         \
    "%s: unexpected end of file: %s at offset %zu needs %llu bytes, %zu are left"
#define MSG_BAD_TAG "%s: found bad tag %u at offset %zu: file is corrupt"
#define MSG_NO_BINS "%s: histogram at offset %zu has no bins"
#define MSG_EMPTY_RANGE                                                                            \
    "%s: histogram at offset %zu covers no addresses: low 0x%llx is not below high 0x%llx"
#define MSG_BAD_BSD_SIZE                                                                           \
    "%s: header claims %lu bytes of histogram, but the file has %zu (offset %zu)"
#define MSG_OTHER_DIMENSION                                                                        \
    "%s: histogram at offset %zu: incompatible with the first file: dimension is `%s', not `%s'"
#define MSG_OTHER_SCALE                                                                            \
    "%s: histogram at offset %zu: incompatible with the first file: different bin size"
#define MSG_OVERLAP                                                                                \
    "%s: histogram at offset %zu: incompatible with the first file: overlaps another histogram"
#define MSG_TOO_MANY_HISTOGRAMS "%s: histogram at offset %zu: too many histograms: the limit is %zu"
#define MSG_FILE_SHRANK "a file was truncated while it was being read"
#define MSG_IS_DIRECTORY "%s: is a directory"
#define MSG_IS_DEVICE "%s: is a device, not a regular file"
#define MSG_COMPRESSED_SHORT "%s: unexpected end of compressed file"
#define MSG_COMPRESSED_DAMAGED "%s: compressed file is damaged"
#define MSG_COMPRESSED_LARGE                                                                       \
    "%s: decompresses to more than %zu bytes, from %zu: if this is intended, decompress it first"
#define MSG_COMPRESSED_WINDOW                                                                      \
    "%s: decompressing it needs more than 128 MB of memory: decompress it first, with zstd -d "    \
    "--long=31"
#define MSG_COMPRESSION                                                                            \
    "%s: is compressed with %s, which is not supported: decompress it first, with %s -d"
#define MSG_NO_PROFILES "%s: directory contains no profiles"
#define MSG_EMPTY_LIST "%s: lists no profiles"
#define MSG_NUL_IN_LIST "%s: names in this list end in NUL bytes: use --null"
#define MSG_STDIN_TWICE "standard input (`-') can be read only once"

#define MSG_SKIPPED "skipped %zu of %zu profiles because they could not be used"

/* Profiles that can be used all the same.  */
#define MSG_SUM_LEFT_OUT "%s: skipped: it is the output of --sum; name it explicitly to include it"
#define MSG_LEFT_OUT "%s: files skipped because they are not profiles: %zu (for example %s)"
#define MSG_LINKS_LEFT_OUT                                                                         \
    "%s: symbolic links to directories skipped: %zu (for example %s); name them to read them"
#define MSG_FOREIGN_ARCS                                                                           \
    "%s: no recorded call is to an address in the text of %s: is the profile from another "        \
    "program?"
#define MSG_OTHER_BUILD                                                                            \
    "%s: %s is not the executable that wrote this profile: only %zu of %zu calls that "            \
    "were checked lead to its functions; use that executable, or run the program again"
#define MSG_OTHER_PROGRAM                                                                          \
    "%s: %s is not the executable that wrote this profile: none of the profile's functions exist " \
    "in this program; use that executable, or run the program again"
#define MSG_IMAGE_NOT_PROFILED                                                                     \
    "%s: %s is not the executable that wrote this profile: the profile has calls, and the "        \
    "executable was not built with -pg"
#define MSG_REFUSED_BUILD                                                                          \
    "%s: %s is not the executable that wrote this profile: only %zu of %zu calls that "            \
    "were checked lead to its functions; use that executable, run the program again, or print it " \
    "with --force"
#define MSG_REFUSED_PROGRAM                                                                        \
    "%s: %s is not the executable that wrote this profile: none of the profile's functions exist " \
    "in this program; use that executable, run the program again, or print it with --force"
#define MSG_REFUSED_NOT_PROFILED                                                                   \
    "%s: %s is not the executable that wrote this profile: the profile has calls, and the "        \
    "executable was not built with -pg; print it with --force"
#define MSG_PICTURE                                                                                \
    "%s: other programs draw pictures: `gprof --format=dot ... | dot -Tsvg' draws the call "       \
    "graph, flamegraph.pl draws --format=folded output; --format=html is a page with both"
#define MSG_PACKED_OUTPUT                                                                          \
    "%s: only --format=pprof output is compressed: write a file without this ending, and "         \
    "compress it"
#define MSG_OTHER_BUILD_ID                                                                         \
    "%s: %s is not the executable that wrote this profile: it has another build id; use that "     \
    "executable, or run the program again"
#define MSG_REFUSED_BUILD_ID                                                                       \
    "%s: %s is not the executable that wrote this profile: it has another build id; use that "     \
    "executable, run the program again, or print it with --force"
#define MSG_MORE_OTHER_BUILDS "%zu more profiles were not written by %s"
#define MSG_NO_RECORDS "%s: file contains no records"
#define MSG_OTHER_RATE                                                                             \
    "%s: histogram at offset %zu has rate %lu, the first one has %lu: the first rate is used for " \
    "all times"
#define MSG_SUM_RATE                                                                               \
    "%s: histogram at offset %zu has rate %lu, the others %lu: no sum holds both, because "        \
    "neither "                                                                                     \
    "is a multiple of the other"
#define MSG_SEVERAL_AT_ONCE                                                                        \
    "%s: samples come %llu at a time, because its timer was faster than the kernel's ticks: "      \
    "errors "                                                                                      \
    "count them as one"
#define MSG_OUTSIDE_TEXT                                                                           \
    "%s: histogram at offset %zu covers 0x%llx to 0x%llx, outside the text of %s: is the profile " \
    "from another program?"
#define MSG_SLIDE                                                                                  \
    "%s: all addresses are %s0x%llx higher than in %s, and are moved back; --slide=0 leaves them"
#define MSG_RATE_ZERO "%s: histogram at offset %zu has rate 0: times are in ticks"
#define MSG_NO_HISTOGRAM "gmon.out file is missing histogram"
#define MSG_OBJECTS "%s; --top lists all functions"
#define MSG_NOT_COUNTED "calls were not counted: %s was built without -pg"
#define MSG_CALLS_OF_OTHER_RUN                                                                     \
    "%s was not written with %s, so the calls in it are not known to be of this run"
#define MSG_COUNTED_IN_OBJECTS                                                                     \
    "calls were counted in shared libraries only: %s was built without -pg"
#define MSG_CALLS_UNJUDGED                                                                         \
    "--fail-calls: %s has no call counts: without -pg, or only its stacks were read"
#define MSG_NO_ARCS "gmon.out file is missing call-graph data"
#define MSG_NO_COUNTED_CALLS                                                                       \
    "%s: has no counted calls; if it has samples, --stacks measures the call graph by their "      \
    "stacks"
#define MSG_BLOCKS_IGNORED "ignoring basic-block execution counts (use -l or --line)"

/* Why a report looks empty.  */
#define MSG_NO_REPORT "nothing to print: the options switch off every report"
#define MSG_NO_SAMPLES                                                                             \
    "no samples: sampling was off (regmon -r 0), or the code of the program itself, without that " \
    "of libraries and plugins, took less than %g %s: run it on larger input, or add up several "   \
    "runs"
#define MSG_PARTLY_OUTSIDE "%.1f%% of the samples are outside every function of %s"
#define MSG_MOSTLY_OUTSIDE                                                                         \
    "%.1f%% of the samples are outside every function of %s: is the profile from another program?"
#define MSG_CALLS_OUTSIDE                                                                          \
    "%llu of %llu calls are left out: the caller or the callee is outside every function of %s"
#define MSG_BLOCKS_OUTSIDE                                                                         \
    "basic-block counts left out because they are outside every function of %s: %zu"
#define MSG_EMPTY_FLAT "flat profile is empty: no function has samples or calls"
#define MSG_NO_FLAT_LEFT "flat profile is empty: the options exclude every function"
#define MSG_EMPTY_GRAPH "call graph is empty: no function has samples or calls"
#define MSG_NO_GRAPH_LEFT "call graph is empty: the options exclude every function"
#define MSG_NO_COUNTS_LEFT "execution counts are empty: the options exclude every function"
#define MSG_ARCS_OUTSIDE "call graph: no recorded call is from one function of %s to another"
#define MSG_NO_ARCS_LEFT "call graph: the options exclude every call between functions of %s"
#define MSG_EMPTY_COUNTS                                                                           \
    "execution counts are empty: no calls were recorded; use -pg for compiling, not only for "     \
    "linking"
#define MSG_ONLY_LINKED "%s: counts no calls: it was linked with -pg, but not compiled with -pg"
#define MSG_NOT_BUILT_PG "%s: counts no calls: it was neither compiled nor linked with -pg"
#define MSG_EMPTY_SOURCES                                                                          \
    "annotated source is empty: no function of %s with a known source file was called; use -z to " \
    "include the others"
#define MSG_EMPTY_TOP "table of functions is empty: no function has samples or calls"
#define MSG_NO_TOP_LEFT "table of functions is empty: the options exclude every row"
#define MSG_EMPTY_ORDER                                                                            \
    "order of functions is empty: no function of the program has samples or calls"
#define MSG_NO_ORDERED_CALLS                                                                       \
    "the order is empty: no call of one function by another is known; --format=symbol-order "      \
    "needs "                                                                                       \
    "none"
#define MSG_NOT_ORDERED                                                                            \
    "%s: %zu names, such as `%s', are not in the order: linkers know no such symbols"
#define MSG_NO_LINES "%s: has no line numbers: compile with -g"
#define MSG_PROFILE_NO_LINES "%s: the profile has no source lines"
#define MSG_NO_LINES_STRIPPED                                                                      \
    "%s: has no line numbers and is stripped: put its debug file where it is searched for (%s), "  \
    "or "                                                                                          \
    "else compile with -g and do not strip the executable"

/* Specs that match nothing.  %c is the letter of an option.  */
#define MSG_SPEC_NOT_FOUND "option %s: `%.*s' matches nothing"
#define MSG_SPEC_NEAREST "option %s: `%.*s' matches nothing; similar names: %s"
#define MSG_SPEC_NOT_A_PAIR                                                                        \
    "option %s: `%.*s' matches nothing: calls are FROM/TO; `%.*s/' is all calls from it, "         \
    "`/%.*s' "                                                                                     \
    "all calls to it"
#define MSG_SPEC_HAS_SLASH                                                                         \
    "option %s: `%.*s' matches nothing: a slash precedes the called function; write file names "   \
    "without directories"
#define MSG_SPEC_NO_FILES                                                                          \
    "option %s: `%.*s' matches nothing: the source files of %s are not known; compile with -g"

/* Notes.  */
#define MSG_IMAGE_NEWER "%s: is newer than %s; if it was rebuilt and not only copied, run it again"
#define MSG_THREADS                                                                                \
    "%s: can start threads: call counts from the time when several threads ran are too low; for "  \
    "exact counts, run it under regmon, or with one thread"
#define PLAIN_SAMPLES "%.0f samples" /* what the next messages say first */
#define EFFECTIVE_SAMPLES "%.1f effective samples"
#define MSG_FEW_SAMPLES                                                                            \
    "only %s: percentages are uncertain by up to %.0f points; run the program on "                 \
    "larger "                                                                                      \
    "input, or add up several runs"
#define MSG_RECORD_LONGER                                                                          \
    "only %s: their sum is uncertain by %.0f%%; %.0f are enough for 5%%: record "                  \
    "longer, "                                                                                     \
    "or more runs"
#define MSG_RUN_LONGER                                                                             \
    "only %s: their sum is uncertain by %.0f%%; %.0f are enough for 5%%: run the "                 \
    "program longer, under regmon -r %.0f, or add up several runs"
#define MSG_ONE_SAMPLE                                                                             \
    "only one sample, which shows hardly anything: record longer, or add up several runs"

/* Notes below the table of functions.  */
#define NOTE_SELF "self is the time in the code of each row, in %s"
#define NOTE_TOTAL "self is the time in a function itself, total with all that it calls, in %s"
#define NOTE_CODE_SELF "self is the time in the code of a line, in %s"
#define NOTE_CODE_TOTAL "self is the time in the code of a line, total with its callees, in %s"
#define NOTE_LATE                                                                                  \
    "* marks calls and jumps with much time: a sample stands one instruction behind its cause"
#define NOTE_COUNTING "%.2f s in counting calls are left out: time small functions without -pg"
#define NOTE_SAMPLING "profiling took %.1f %% more CPU time; these times exclude it"
#define NOTE_CUT "%.1f %% of the stacks are cut: they begin with %s"
#define NOTE_FRAME_POINTERS                                                                        \
    "callers of leaf functions may be missing (perf record -g); --call-graph dwarf records them"
#define NOTE_UNSAMPLED "%.2f of %.2f s of the run (%.0f %%) have no samples: regmon(1) lists causes"
#define NOTE_NO_STACKS                                                                             \
    "the samples have no call stacks, and total is self; perf record --call-graph dwarf records "  \
    "them"
#define NOTE_LEFT_OUT "left out: %.250s (--value chooses)"
#define NOTE_OTHER_PROGRAMS "left out: samples of other programs: %llu (--program chooses)"
#define NOTE_ERROR                                                                                 \
    "error is one standard error of sampling, and runs differ by more (--per-file); ? marks "      \
    "fewer "                                                                                       \
    "than 10 samples"
#define NOTE_EFFECTIVE                                                                             \
    "samples are effective ones, (sum of weights)^2 / (sum of squares), because weights differ"
#define NOTE_STATED                                                                                \
    "the profile does not say how these figures were measured: they have no known error"
#define NOTE_SIGNED                                                                                \
    "some are negative: %.2f less %.2f are %+.2f %s; 100 %% is the sum of absolute values"
#define NOTE_BOUNDS "total assumes that calls cost the same; where not, least and most bound it"
#define NOTE_MEASURED "total is measured by recorded call stacks, and total-error is its error"
#define NOTE_STACKS_USED "times are measured by the %.0f call stacks in %s (--no-stacks: estimated)"
#define NOTE_OBJECTS "%.2f of %.2f %s are in this program"
#define NOTE_OBJECT ", %.2f %s in %.*s (%.0f %%)" /* follows it */
#define NOTE_STACKS_DIFFER                                                                         \
    "times are measured by the %.0f call stacks in %s (--no-stacks: estimated); the profile has "  \
    "only the %.0f samples in this program"
#define NOTE_UNCOUNTED "least and most lack the callers of %.1f %% of the time; regmon records them"
#define NOTE_THREADS "--tree --by=thread prints a tree for each thread"
#define NOTE_IMBALANCE "imbalance of %s: %.2f (the most of %.0f threads, divided by their mean)"
#define NOTE_SHARED_CALLS                                                                          \
    "* marks the calls of this pair of functions on all paths, not on this one alone"
#define NOTE_RECURSION "%s%u: the function calls itself, up to %u deep, and is one row"
#define NOTE_PROGRAM_ONLY "time in shared libraries is not included"

/* Objects.  */
#define MSG_OBJECT_PROFILES                                                                        \
    "shared library profiles that are left out: %zu (for example %s); each is reported with its "  \
    "library in place of the program"
#define MSG_OTHER_OBJECT "%s: is not the build that ran, so its function names are not used"

/* Stacks.  */
#define MSG_NOT_STACKS "%s: is not a libregmon file with call stacks"
#define MSG_BAD_STACK_LINE "%s:%zu: cannot parse line"
#define MSG_NO_STACKS "%s: has no stacks"
#define MSG_NO_RUN                                                                                 \
    "%s: %s: name the profiled executable; `regmon PROGRAM' profiles one without -pg, too"
#define MSG_RECORD_PROGRAMS "%.0f %% of %.2f s is in %s; --program=NAME shows another program: %s"
#define MSG_NO_SUCH_PROGRAM "%s: %s; %s has samples of: %s"
#define MSG_SEVERAL_BUILDS "%s: several programs are called %s: %s"
#define MSG_STACKS_LACK_BUILD                                                                      \
    "%s: has no samples from this build of %s, but from %s; --format=json keeps a build's names"
#define MSG_NO_OBJECTS "%s: --by=object: does not say which objects the stacks are of"
#define MSG_NO_THREADS "%s: --by=thread: does not say which threads the stacks are of"
#define PROCESSES_OF "%s (%zu processes)"
#define MSG_NO_PROCESSES "%s: --by=%s: not the record of one run of regmon"
#define MSG_STACKS_END "%s: ends before the line that says how many samples there are"
#define STACKS_BESIDE_PROFILES "files beside the profiles"
#define MSG_STACKS_NOWHERE "%s: has no call stacks beside it; regmon records them"
#define MSG_STACKS_UNUSED "%s: these call stacks are not used: %s does not go with --stacks"
#define MSG_STACKS_MISSING                                                                         \
    "%s: has no call stacks beside it, so the other profiles' call stacks are not used"
#define MSG_STACKS_OF_PROFILE                                                                      \
    "%s: these call stacks are not used: they were not written with %s, but for another run"
#define MSG_STACKS_OF_PROGRAM                                                                      \
    "%s: these call stacks are not used: they are of another build than %s"
#define MSG_STACKS_LARGE "%s: needs far more memory than call stacks in a file of its size do"
#define MSG_REFUSED_STACKS                                                                         \
    "%s: these call stacks, and the profile beside them, are of another build than %s; run the "   \
    "program again, or print it with --force"
#define MSG_STACKS_FEW                                                                             \
    "%s: has stacks for only %llu of the %llu samples in the profile: times that they measure "    \
    "are too small (--no-stacks: estimated)"
#define MSG_STACKS_DAMAGED "%s: these call stacks are not used"
#define MSG_STACKS_OF_OTHERS                                                                       \
    "%s: these call stacks are of another run, or of another program, than the profiles"
#define MSG_FOREIGN_STACKS                                                                         \
    "%s: most addresses are in no function of %s; is that the program that was sampled?"
#define MSG_CUT_STACKS                                                                             \
    "%s: of %.1f%% of the samples, the outermost callers are not known (<unknown>)"

/* Sources.  */
#define MSG_NO_SOURCE "could not locate `%s'"
#define MSG_SOURCE_NO_TEXT "%s: is not a text file: it has NUL bytes"
#define MSG_SOURCES_MISSING                                                                        \
    "source files that were not found: %zu; if they have moved, name their directory with -I, or " \
    "their old and new places with --source-map=OLD=NEW"
#define MSG_SOURCE_NEWER "%s: is newer than %s: its counts may be on the wrong lines"
#define MSG_SOURCES_NEWER                                                                          \
    "%zu source files, such as %s, are newer than %s: their counts may be on the wrong lines"
#define MSG_NOT_OVERWRITTEN                                                                        \
    "%s: is not a regular file, or has other hard links; refusing to overwrite it"
#define MSG_SOURCE_MISSING                                                                         \
    "there is no `%s': its lines have no text; if it has moved, say so with "                      \
    "--source-map=OLD=NEW"
#define MSG_SOURCES_ABSENT                                                                         \
    "%zu source files, such as `%s', were not found: their lines have no text; if they have "      \
    "moved, say so with --source-map=OLD=NEW"
#define MSG_NO_CODE "no sample is in the functions that options select"
#define MSG_CODE_CLOSED "the code of `%s' and %zu other functions is not known, so it is not shown"
#define MSG_HAS_NO_LINES                                                                           \
    "%s: neither lines nor instructions are known of `%s' and %zu other functions; compile with "  \
    "-g"
#define MSG_STATES_NO_LINES "%s: the profile has no source lines of `%s' and %zu other functions"
#define MSG_STATES_NO_CODE "%s: the profile has no machine code, so there are no instructions"
#define MSG_NO_DISASSEMBLER "%s: the code cannot be disassembled: no disassembler for %s"
#define MSG_NO_OPCODES "option --%s: this program was built without libopcodes"
#define MSG_UNKNOWN_DISASSEMBLY "option --%s: `%s': no disassembler has these options"
#define MSG_SAME_NAME "%s: several source files have this name; only the last listing is kept"

/* The command line.  */
#define MSG_UNKNOWN_OPTION "unrecognized option `%s'"
#define MSG_FORMAT_OPTION "unrecognized option `%s'; did you mean --format=%s?"
#define MSG_SIMILAR_OPTIONS "unrecognized option `%s'; similar options: %s"
#define MSG_AMBIGUOUS_OPTION "option `%s' is ambiguous; possibilities: %s"
#define MSG_INVALID_OPTION "invalid option `%s'"
#define MSG_NO_ARGUMENT "option `%s' requires an argument"
#define MSG_DETACHED "%s: %s: if it is the argument of %s, attach it: %s%s"
#define MSG_HAS_ARGUMENT "option `%s' takes no argument"
#define MSG_UNKNOWN_COLUMN "`%.*s' is not a column; columns are: %s"
#define MSG_UNKNOWN_CHOICE "option --%s: unknown value `%s'; possible values: %s"
#define MSG_BAD_EXPRESSION "option --%s: `%s' is not a regular expression: %s"
#define MSG_BAD_SHARE "option --%s: `%s' is not a percentage (0 to 100)"
#define MSG_BAD_RUNS "option --%s: `%s' is not a number of runs"
#define MSG_BAD_THRESHOLD "option --%s: `%s' is not a threshold"
#define MSG_BAD_ALPHA "option --%s: `%s' is not a probability (above 0, at most 0.5)"
#define MSG_BINARY_FORMAT                                                                          \
    "format %s is binary and is not written to a terminal; use -o FILE, or redirect the output"
#define MSG_NO_BROWSER                                                                             \
    "%s: no browser could be started: %s; $BROWSER names one, or open the file in yours"
#define MSG_PAGE_ON_TERMINAL                                                                       \
    "format %s is a page for a browser and is not written to a terminal; use -o %s.%s"
#define MSG_UNKNOWN_STYLE "unknown demangling style `%s'"
#define MSG_UNKNOWN_FORMAT "%s: unknown file format"
#define MSG_PROF_FORMAT "file format `prof' is not yet supported"
#define MSG_BAD_SOURCE_MAP "option --source-map: `%s' is not OLD=NEW"
#define MSG_BAD_SLIDE "option --%s: `%s' is not a decimal or hexadecimal number"
#define MSG_BAD_NUMBER "option %s: `%s' is not a number"
#define MSG_NEEDS "option %s requires %s"
#define EITHER_OPTION "%s or %s"
#define MSG_NOT_TOGETHER "%s and %s cannot be used together"

#define MSG_STRICT "no output because of --strict: warnings: %zu"

/* Files that name symbols.  */
#define MSG_BAD_MAP_LINE "%s:%zu: cannot parse line: expected `object:address type name'"
#define MSG_NO_STATIC_CALLS "-c is not supported on architecture %s"
#define MSG_EMPTY_MAP "%s: lists no object files"

/* Output.  */
#define MSG_CANNOT_WRITE "%s: cannot write: %s"
#define MSG_NOTHING_TO_ADD "%s: not written: no profile could be used"
#define MSG_NOT_REPLACED "%s: is not a regular file; refusing to replace it"
#define MSG_OUTPUT_IS_INPUT "%s: is an input of this run; refusing to replace it"
#define MSG_LINK_ELSEWHERE "%s: is a symbolic link to another directory (%s); refusing to follow it"
#define MSG_INTERRUPTED "%s: not written: interrupted by a signal"
#define MSG_BSD_ONE_HISTOGRAM "%s: a bsd profile can hold only one histogram, not %zu; use -O magic"
#define MSG_BSD_BINS "%s: a bsd profile can hold at most 65535 samples per bin; use -O magic"
#define MSG_BSD_SIZE "%s: a bsd profile can hold at most 2^30 bins; use -O magic"
#define MSG_BSD_DIMENSION "%s: a bsd profile can hold only seconds, not `%s'; use -O magic"
#define MSG_BSD_RATE "%s: this format cannot hold a rate of %lu samples per second; use -O magic"
#define MSG_COUNT_TOO_LARGE                                                                        \
    "%s: %llu calls from 0x%llx to 0x%llx are too many for this format; use -O bsd"
#define MSG_BSD_BLOCKS "%s: a bsd profile cannot hold basic-block counts; use -O magic"
#define MSG_OUTPUT_FAILED "standard output: %s"
#define MSG_OUTPUT_LOST "standard output: some output could not be written"

#endif
