# The library that counts calls in profiled programs: included by the top Makefile.am, so every path is
# from the top.  runtime/README explains it.

RUNTIME_SOURCES = \
	runtime/actions.c \
	runtime/actions.h \
	runtime/clock.c \
	runtime/clock.h \
	runtime/config.c \
	runtime/config.h \
	runtime/confined.c \
	runtime/confined.h \
	runtime/entries.c \
	runtime/entries.h \
	runtime/exec.c \
	runtime/exit.c \
	runtime/export.h \
	runtime/frameless_aarch64.h \
	runtime/frameless_link.h \
	runtime/frameless_x86_64.h \
	runtime/generated.c \
	runtime/generated.h \
	runtime/gmon_file.c \
	runtime/gmon_file.h \
	runtime/kernel_time.h \
	runtime/layout.h \
	runtime/machine.h \
	runtime/machine_aarch64.h \
	runtime/machine_powerpc64le.h \
	runtime/machine_riscv64.h \
	runtime/machine_s390x.h \
	runtime/machine_x86_64.h \
	runtime/memory.c \
	runtime/memory.h \
	runtime/next.c \
	runtime/next.h \
	runtime/objects.c \
	runtime/objects.h \
	runtime/out_file.c \
	runtime/out_file.h \
	runtime/perf_clock.c \
	runtime/perf_clock.h \
	runtime/process.c \
	runtime/process.h \
	runtime/program.c \
	runtime/retire.c \
	runtime/retire.h \
	runtime/rules.c \
	runtime/rules.h \
	runtime/sample.c \
	runtime/sample.h \
	runtime/signal.c \
	runtime/pool.c \
	runtime/pool.h \
	runtime/profile.c \
	runtime/profile.h \
	runtime/message.c \
	runtime/note.c \
	runtime/snapshot.c \
	runtime/snapshot.h \
	runtime/stack.c \
	runtime/stack.h \
	runtime/stacks_file.c \
	runtime/stacks_file.h \
	runtime/state.h \
	runtime/sys.h \
	runtime/table.c \
	runtime/table.h \
	runtime/text.c \
	runtime/text.h \
	runtime/thread.c \
	runtime/thread.h \
	runtime/unwind.c \
	runtime/unwind.h \
	runtime/workspace.c \
	runtime/workspace.h

# One of them is compiled.
RUNTIME_ENTRIES = \
	runtime/entry_aarch64.S \
	runtime/entry_powerpc64le.S \
	runtime/entry_riscv64.S \
	runtime/entry_s390x.S \
	runtime/entry_x86_64.S

EXTRA_DIST += \
	runtime/README \
	runtime/regmon-config-version.cmake.in \
	runtime/regmon-config.cmake.in \
	runtime/regmon.1 \
	runtime/regmon.h \
	runtime/regmon.pc.in \
	$(RUNTIME_ENTRIES) \
	$(RUNTIME_SOURCES) \
	runtime/create.c \
	runtime/dlclose.c \
	runtime/nonshared.c

# For programs of boards, which are built elsewhere: installed as sources.
boardsdir = $(pkgdatadir)/boards
dist_boards_DATA = \
	runtime/boards/README \
	runtime/boards/entry_arm.S \
	runtime/boards/entry_riscv.S \
	runtime/boards/regmon_board.c \
	runtime/boards/regmon_board.h

if RUNTIME

# What the two libraries share, and what only the shared one has.  No sanitizer and no option of
# the rest of the build gets in.
noinst_LIBRARIES += runtime/libparts.a runtime/libshared.a
runtime_libparts_a_SOURCES = $(RUNTIME_SOURCES)
EXTRA_runtime_libparts_a_SOURCES = $(RUNTIME_ENTRIES)
runtime_libparts_a_LIBADD = runtime/libparts_a-entry_$(RUNTIME_CPU).$(OBJEXT)
runtime_libparts_a_CPPFLAGS = -D_GNU_SOURCE
runtime_libparts_a_CFLAGS = $(WARN_CFLAGS) $(RUNTIME_CFLAGS)
runtime_libparts_a_CCASFLAGS = $(RUNTIME_CFLAGS)
runtime_libshared_a_SOURCES = runtime/create.c runtime/dlclose.c runtime/nonshared.c
runtime_libshared_a_CPPFLAGS = $(runtime_libparts_a_CPPFLAGS)
runtime_libshared_a_CFLAGS = $(runtime_libparts_a_CFLAGS)

RUNTIME_WHOLE = -Wl,--whole-archive runtime/libparts.a
# For build systems of programs: pkg-config, Meson and CMake.
RUNTIME_PACKAGES = runtime/regmon-config-version.cmake runtime/regmon-config.cmake runtime/regmon.pc
RUNTIME_FILES = runtime/libregmon.a runtime/libregmon.so $(RUNTIME_PACKAGES)

# One object, so that the names that its parts share are not names of the programs that link it.
runtime/libregmon.a: runtime/libparts.a
	$(AM_V_AR)rm -f $@ runtime/regmon.o && \
	$(CC) $(CFLAGS) -r -nostdlib -o runtime/regmon.o $(RUNTIME_WHOLE) && \
	$(OBJCOPY) --localize-hidden runtime/regmon.o && \
	$(AR) $(ARFLAGS) $@ runtime/regmon.o && $(RANLIB) $@

# Its constructor comes before those of other libraries, whose calls are counted, too.
runtime/libregmon.so: runtime/libparts.a runtime/libshared.a
	$(AM_V_CCLD)$(CC) $(CFLAGS) $(LDFLAGS) -shared -o $@ -Wl,-soname,libregmon.so -Wl,-z,initfirst \
		-Wl,-z,now -Wl,-z,relro -Wl,-z,defs $(RUNTIME_WHOLE) runtime/libshared.a -Wl,--no-whole-archive

RUNTIME_SED = sed -e 's|[@]prefix@|$(prefix)|g' -e 's|[@]exec_prefix@|$(exec_prefix)|g' \
	-e 's|[@]includedir@|$(includedir)|g' -e 's|[@]libdir@|$(libdir)|g' -e 's|[@]VERSION@|$(VERSION)|g'

# What these files say must be where they are installed, also with `make install prefix=...'.
runtime/directories: FORCE
	@echo '$(prefix) $(exec_prefix) $(bindir) $(includedir) $(libdir)' >$@.tmp && \
	if cmp -s $@.tmp $@; then rm $@.tmp; else mv $@.tmp $@; fi
FORCE:

# The command, which writes files as the library does.  It finds the library beside itself, or as far
# away as these directories are, also with `make install prefix=...': it is not linked again then, while
# tests run it.
noinst_PROGRAMS = runtime/regmon
runtime_regmon_SOURCES = \
	runtime/check.c \
	runtime/check.h \
	runtime/collector.c \
	runtime/collector.h \
	runtime/trusted.c \
	runtime/trusted.h \
	runtime/worker.c \
	runtime/worker.h \
	runtime/record.c \
	runtime/record.h \
	runtime/descriptors.c \
	runtime/descriptors.h \
	runtime/options.c \
	runtime/options.h \
	runtime/regmon.c \
	runtime/run.c \
	runtime/run.h \
	runtime/say.c \
	runtime/say.h \
	runtime/config.c \
	runtime/entries.c \
	runtime/generated.c \
	runtime/gmon_file.c \
	runtime/objects.c \
	runtime/out_file.c \
	runtime/perf_clock.c \
	runtime/pool.c \
	runtime/profile.c \
	runtime/stacks_file.c \
	runtime/text.c \
	runtime/workspace.c
runtime_regmon_CPPFLAGS = -D_GNU_SOURCE -DLOCALEDIR='"$(localedir)"' -DREGMON_BINDIR='"$(bindir)"' \
	-DREGMON_LIBDIR='"$(libdir)"' -DREGMON_VERSION='"$(VERSION)"' \
	-DREGMON_GPROF=\"`echo gprof | sed '$(transform)'`\"
runtime_regmon_CFLAGS = -std=gnu11 $(AM_CFLAGS)
runtime_regmon_LDADD =

runtime/regmon.pc: $(srcdir)/runtime/regmon.pc.in Makefile runtime/directories
	$(AM_V_GEN)$(RUNTIME_SED) $(srcdir)/runtime/regmon.pc.in >$@.tmp && mv $@.tmp $@

runtime/regmon-config.cmake: $(srcdir)/runtime/regmon-config.cmake.in Makefile runtime/directories
	$(AM_V_GEN)$(RUNTIME_SED) $(srcdir)/runtime/regmon-config.cmake.in >$@.tmp && mv $@.tmp $@

runtime/regmon-config-version.cmake: $(srcdir)/runtime/regmon-config-version.cmake.in Makefile
	$(AM_V_GEN)$(RUNTIME_SED) $(srcdir)/runtime/regmon-config-version.cmake.in >$@.tmp && mv $@.tmp $@

# Installed as data, because the names of programs and manual pages change with --program-prefix, and
# these are not programs that stand beside another one's.
regmonlibdir = $(libdir)
regmonlib_DATA = runtime/libregmon.a runtime/libregmon.so
regmonexecdir = $(bindir)
regmonexec_DATA = runtime/regmon
regmonmandir = $(man1dir)
regmonman_DATA = runtime/regmon.1
include_HEADERS = runtime/regmon.h
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = runtime/regmon.pc
regmoncmakedir = $(libdir)/cmake/regmon
regmoncmake_DATA = runtime/regmon-config-version.cmake runtime/regmon-config.cmake

install-exec-hook:
	chmod 755 "$(DESTDIR)$(regmonexecdir)/regmon"

CLEANFILES += $(RUNTIME_FILES) runtime/directories runtime/regmon.o

endif
