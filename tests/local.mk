# Tests.  Included by the top Makefile.am, so paths are relative to the top.
#
# Every test prints TAP.  `make check' runs the short ones; `make check-all' all; `make check TESTS=tests/golden.py' one.
# Scripts can be run by hand from the top of a build tree: see tests/lib/harness.py.

# Each is made of the source of its name.
UNIT_TESTS = \
	tests/unit/test_address_totals \
	tests/unit/test_annotate \
	tests/unit/test_arcs \
	tests/unit/test_base \
	tests/unit/test_blocks \
	tests/unit/test_boards \
	tests/unit/test_call_sites \
	tests/unit/test_bounds \
	tests/unit/test_callscan \
	tests/unit/test_combinations \
	tests/unit/test_compare \
	tests/unit/test_counts \
	tests/unit/test_cycles \
	tests/unit/test_dwarf \
	tests/unit/test_dominators \
	tests/unit/test_gmon \
	tests/unit/test_hist \
	tests/unit/test_inclusive \
	tests/unit/test_interval_map \
	tests/unit/test_kernel_time \
	tests/unit/test_labels \
	tests/unit/test_limits \
	tests/unit/test_line_costs \
	tests/unit/test_line_symbols \
	tests/unit/test_dwarf_line_table \
	tests/unit/test_link_chains \
	tests/unit/test_link_order \
	tests/unit/test_out \
	tests/unit/test_measure_stacks \
	tests/unit/test_memory_limit \
	tests/unit/test_page_parts \
	tests/unit/test_per_file \
	tests/unit/test_text_symbols \
	tests/unit/test_propagate \
	tests/unit/test_reach \
	tests/unit/test_homonyms \
	tests/unit/test_short_names \
	tests/unit/test_statistics \
	tests/unit/test_stack_tree \
	tests/unit/test_source_map \
	tests/unit/test_symspec \
	tests/unit/test_symtab \
	tests/unit/test_text_match \
	tests/unit/test_top \
	tests/unit/test_views

FUZZ_REPLAYS = \
	tests/fuzz/replay_callscan \
	tests/fuzz/replay_foreign \
	tests/fuzz/replay_gmon \
	tests/fuzz/replay_json \
	tests/fuzz/replay_map \
	tests/fuzz/replay_options \
	tests/fuzz/replay_pipeline \
	tests/fuzz/replay_symspec \
	tests/fuzz/replay_table

check_PROGRAMS = tests/mkgmon tests/faulty tests/rejson $(UNIT_TESTS) $(FUZZ_REPLAYS)

tests_mkgmon_SOURCES = tests/lib/mkgmon.c
tests_mkgmon_LDADD = # it shares no code with the program

# Reads a profile in JSON and writes it again.
tests_rejson_SOURCES = tests/lib/rejson.c

# gprof with an allocator that fails on request (tests/lib/inject.c).
tests_faulty_SOURCES = src/program/main.c src/base/memory_limit.c tests/lib/inject.c
tests_faulty_CPPFLAGS = $(AM_CPPFLAGS) \
	-D__real_malloc=inject_malloc -D__real_calloc=inject_calloc -D__real_realloc=inject_realloc \
	-D__real_posix_memalign=inject_posix_memalign -D__real_strdup=inject_strdup \
	-D__real_strndup=inject_strndup -D__real_tsearch=inject_tsearch

# It includes the source that it tests, to interrupt it.
tests_unit_test_kernel_time_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/runtime
tests_unit_test_kernel_time_LDADD = -lm
tests_unit_test_boards_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/runtime/boards
tests_unit_test_boards_LDADD = -lpthread

# It reads its own debug information, and has it whatever CFLAGS are.
tests_unit_test_dwarf_SOURCES = tests/unit/test_dwarf.c \
	src/base/compress.c \
	src/base/files.c \
	src/base/hash.c \
	src/base/interval_map.c \
	src/base/memory.c \
	src/base/memory_limit.c \
	src/base/message.c \
	src/base/out.c \
	src/base/narrow_names.c \
	src/base/short_names.c \
	src/base/sort.c \
	src/base/text.c \
	src/model/hist_set.c \
	src/model/model.c \
	src/debug/libbfd_files.c \
	src/debug/debug_bfd.c \
	src/debug/debug_image.c \
	src/debug/dwarf.c \
	src/debug/dwarf_line_table.c \
	src/debug/dwarf_symbols.c \
	src/debug/dwarf_unit.c
tests_unit_test_dwarf_CFLAGS = $(AM_CFLAGS) -g

noinst_HEADERS += tests/fuzz/fuzz.h tests/unit/code_case.h tests/unit/made_snapshot.h \
	tests/unit/program.h tests/unit/tap.h

replay = tests/fuzz/common.c tests/fuzz/replay.c
tests_fuzz_replay_callscan_SOURCES = tests/fuzz/fuzz_callscan.c $(replay)
tests_fuzz_replay_foreign_SOURCES = tests/fuzz/fuzz_foreign.c $(replay)
tests_fuzz_replay_gmon_SOURCES = tests/fuzz/fuzz_gmon.c $(replay)
tests_fuzz_replay_json_SOURCES = tests/fuzz/fuzz_json.c $(replay)
tests_fuzz_replay_map_SOURCES = tests/fuzz/fuzz_map.c $(replay)
tests_fuzz_replay_options_SOURCES = tests/fuzz/fuzz_options.c $(replay)
tests_fuzz_replay_pipeline_SOURCES = tests/fuzz/fuzz_pipeline.c $(replay)
tests_fuzz_replay_symspec_SOURCES = tests/fuzz/fuzz_symspec.c $(replay)
tests_fuzz_replay_table_SOURCES = tests/fuzz/fuzz_table.c $(replay)

# Tests that run the program on all kinds of input.
SHORT_PROGRAM_TESTS = \
	tests/golden.py \
	tests/differences.py \
	tests/directories.py \
	tests/debug_files.py \
	tests/foreign.py \
	tests/code.py \
	tests/foreign_addresses.py \
	tests/foreign_calls.py \
	tests/foreign_json.py \
	tests/json_format.py \
	tests/messages.py \
	tests/notes.py \
	tests/all_objects.py \
	tests/objects.py \
	tests/orders.py \
	tests/other_builds.py \
	tests/other_profilers.py \
	tests/errors.py \
	tests/per_file.py \
	tests/tree.py \
	tests/narrow.py \
	tests/profiling_flags.py \
	tests/table.py \
	tests/fuzz.py \
	tests/random_counts.py \
	tests/random_order.py \
	tests/merge_faults.py

LONG_PROGRAM_TESTS = \
	tests/exports.py \
	tests/slide.py \
	tests/stacks.py \
	tests/differential.py \
	tests/line_truth.py \
	tests/random_options.py \
	tests/merge.py \
	tests/faults.py \
	tests/limits.py

# Tests of sources, documents, scripts, the runtime and installed files.
SHORT_OTHER_TESTS = \
	tests/layers.py \
	tests/documents.py \
	tests/kept_results.py \
	tests/languages.py \
	tests/clients.py \
	tests/compare.py \
	tests/pairs.py \
	tests/bbconv.py \
	tests/gcov2bb.py \
	tests/collector.py \
	tests/regmon.py \
	tests/without_pg.py \
	tests/runtime_confined.py \
	tests/runtime_other.py \
	tests/manual.py \
	tests/bench.py

# Those that need more than about ten seconds of processor time, a browser, cross compilers, or programs that few have.
LONG_OTHER_TESTS = \
	tests/workflows.py \
	tests/page.py \
	tests/gate_rates.py \
	tests/boards.py \
	tests/runtime.py \
	tests/runtime_settings.py \
	tests/runtime_signals.py \
	tests/runtime_record.py \
	tests/runtime_stacks.py \
	tests/install.py \
	tests/recipes.py \
	tests/ci_gate.py \
	tests/ci_bisect.py \
	tests/ci_services.py \
	tests/cross.py

PROGRAM_TESTS = $(SHORT_PROGRAM_TESTS) $(LONG_PROGRAM_TESTS)
SCRIPTED_TESTS = $(PROGRAM_TESTS) $(SHORT_OTHER_TESTS) $(LONG_OTHER_TESTS)

# The fastest first.  Without python3, only those in C; configure says so.
TEST_EXTENSIONS = .py
if HAVE_PYTHON
TESTS = $(UNIT_TESTS) $(SHORT_PROGRAM_TESTS) $(SHORT_OTHER_TESTS)
ALL_TESTS = $(UNIT_TESTS) $(SCRIPTED_TESTS)
else
TESTS = $(UNIT_TESTS)
ALL_TESTS = $(UNIT_TESTS)
endif

# `make check-memory': for a build with sanitizers, whose programs take ten times as long to start, the tests that
# read input of all kinds, and fail where memory does.  With CHECK_LONG=1, all of the program, at their usual sizes.
MEMORY_TESTS = $(UNIT_TESTS) \
	tests/golden.py \
	tests/fuzz.py \
	tests/messages.py \
	tests/foreign.py \
	tests/foreign_calls.py \
	tests/foreign_json.py \
	tests/json_format.py \
	tests/merge_faults.py \
	tests/faults.py

.PHONY: check-all check-memory
check-all:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(ALL_TESTS)'
check-memory:
	tests='$(MEMORY_TESTS)'; test -z "$$CHECK_LONG" || tests='$(UNIT_TESTS) $(PROGRAM_TESTS)'; \
	CHECK_LONG= $(MAKE) $(AM_MAKEFLAGS) check TESTS="$$tests"

# After the tests, what they cost.
check-local: check-TESTS
	@$(SHELL) $(srcdir)/tests/slowest.sh $(TEST_LOGS)

AM_TESTS_ENVIRONMENT = \
	UNDER_DRIVER=1; export UNDER_DRIVER; \
	GPROF='$(abs_top_builddir)/src/gprof$(EXEEXT)'; export GPROF; \
	MKGMON='$(abs_top_builddir)/tests/mkgmon$(EXEEXT)'; export MKGMON; \
	ARCHIVE='$(abs_top_builddir)/src/libregprof.a'; export ARCHIVE; \
	MAIN_OBJECT='$(abs_top_builddir)/src/program/main.$(OBJEXT)'; export MAIN_OBJECT; \
	SRCDIR='$(abs_top_srcdir)'; export SRCDIR; \
	BUILDDIR='$(abs_top_builddir)'; export BUILDDIR; \
	REFERENCE="$${REFERENCE-/usr/bin/gprof}"; export REFERENCE;

EXTRA_DIST += \
	$(SCRIPTED_TESTS) \
	tests/analysis.sh \
	tests/analysis.txt \
	tests/boards \
	tests/ci \
	tests/fuzz/dictionaries \
	tests/fuzz/images.py \
	tests/fuzz/inputs.py \
	tests/fuzz/regressions \
	tests/golden \
	tests/lib/ci_project.py \
	tests/lib/devtools.py \
	tests/lib/drawing.py \
	tests/lib/draws.py \
	tests/lib/elf.py \
	tests/lib/forward.py \
	tests/lib/gmonfile.py \
	tests/lib/harness.py \
	tests/lib/opened.c \
	tests/lib/optionsets.py \
	tests/lib/programs.py \
	tests/lib/reference.py \
	tests/lib/runtime_build.py \
	tests/lib/runtime_jobs.py \
	tests/lib/seeds.py \
	tests/lib/shim.c \
	tests/lib/stack_model.py \
	tests/lib/subjects.py \
	tests/lib/zstd.py \
	tests/lines \
	tests/page/eslint.config.mjs \
	tests/page/package.json \
	tests/page/tsconfig.json \
	tests/programs \
	tests/gcov \
	tests/runtime \
	tests/slowest.sh

# Files that the scripts keep in the build tree: compiled programs, and the files of failures.
clean-local: clean-tests
.PHONY: clean-tests
clean-tests:
	-rm -rf tests/cache tests/failures tests/tmp-*

# For scripts/fuzz: the libraries of programs that use the archive.
.PHONY: print-libraries
print-libraries:
	@echo $(LDADD) $(LIBS)
