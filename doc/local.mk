# The manual, the completions, and other installed files.  Included by the top Makefile.am, so paths
# are relative to the top.

# ---- The manual ----

# Making it runs its examples and includes their output (tests/manual.py).  If makeinfo or python3 is
# missing, or the program is for another machine and cannot run, the manual of a release is installed,
# and a checkout has no manual: MAKEINFO is then scripts/no-makeinfo.
info_TEXINFOS = doc/gprof.texi
doc_gprof_TEXINFOS = $(MANUAL_OUTPUT)

# All documents are named regprof, so that they can be installed beside those of another gprof;
# automake does this only for the info manual.
HTMLS = doc/regprof.html
DVIS = doc/regprof.dvi
PDFS = doc/regprof.pdf
PSS = doc/regprof.ps

AM_MAKEINFOFLAGS = -I $(srcdir)/doc -I doc --no-split
# With pictures of the page if a browser can make them (doc/pictures.py).
AM_MAKEINFOHTMLFLAGS = $(AM_MAKEINFOFLAGS) \
	`$(MKDIR_P) doc/out && $(AM_TESTS_ENVIRONMENT) test '$(MANUAL)' != yes || $(PYTHON) $(srcdir)/doc/pictures.py doc/out`

MANUAL_OUTPUT = \
	doc/out/flat.txt \
	doc/out/graph.txt \
	doc/out/perfile.txt \
	doc/out/source.txt \
	doc/out/traditional.txt

# IMAGE-NAME.gm is a profile of IMAGE.elf.
MANUAL_EXAMPLE = \
	doc/example/calc-blocks.gmon.gm \
	doc/example/calc-bsd.gmon.gm \
	doc/example/calc-damaged.gmon.gm \
	doc/example/calc-full.gmon.gm \
	doc/example/calc-gmon.out.gm \
	doc/example/calc-rate0.gmon.gm \
	doc/example/calc-slow.gmon.gm \
	doc/example/calc.c \
	doc/example/calc.elf \
	doc/example/names-names.gmon.gm \
	doc/example/names.elf \
	doc/example/objects.map \
	doc/example/ranks/calc-run.4711.gm \
	doc/example/ranks/calc-run.4712.gm \
	doc/example/ranks/calc-run.4713.gm \
	doc/example/shapes-shapes.gmon.gm \
	doc/example/shapes.elf \
	doc/example/start-start.gmon.gm \
	doc/example/start.elf \
	doc/example/statements \
	doc/example/table.c \
	doc/example/table.h \
	doc/example/costs.c \
	doc/example/foo.c \
	doc/example/loops.c \
	doc/example/main.c \
	doc/example/workers.c

# An order-only dependency: the program must exist, but the manual is not made again for a newer one,
# because tests check the output.  The stamp has the time before the output is written: an archive keeps
# whole seconds, and for a stamp newer than the output the manual of a release would be made again.
doc/out/stamp: doc/gprof.texi $(MANUAL_EXAMPLE) tests/manual.py tests/lib/elf.py tests/lib/harness.py | $(MANUAL_PROGRAMS)
	$(AM_V_GEN)$(MKDIR_P) doc/out tests
	$(AM_V_at)if test '$(MANUAL)' = yes; then \
	  touch $@-t && $(AM_TESTS_ENVIRONMENT) \
	  $(PYTHON) $(srcdir)/tests/manual.py --generate doc/out && mv -f $@-t $@; \
	fi

$(MANUAL_OUTPUT): doc/out/stamp
	@:

EXTRA_DIST += $(MANUAL_EXAMPLE) doc/out/stamp doc/pictures.py scripts/no-makeinfo
# A link to README.md; a release has a copy.
EXTRA_DIST += README

# The pictures are beside the manual in HTML.
CLEANFILES += $(PICTURES) doc/out/stamp-t
PICTURES = doc/out/page-flame.png doc/out/page-graph.png doc/out/page-overview.png

install-html-local:
	@for picture in $(PICTURES); do \
	  test ! -f $$picture || { \
	    $(MKDIR_P) "$(DESTDIR)$(htmldir)/out" && \
	    $(INSTALL_DATA) $$picture "$(DESTDIR)$(htmldir)/out"; \
	  } || exit 1; \
	done
MAINTAINERCLEANFILES = $(MANUAL_OUTPUT) doc/out/stamp

mostlyclean-local:
	-rm -rf doc/regprof.t2d doc/regprof.t2p
	-test -f $(srcdir)/doc/local.mk && test '$(srcdir)' = . || rm -f doc/graph.svg

# The picture of the HTML manual, which README.md shows.  It is kept, since graphviz draws it.
html-local:
	@test -f doc/graph.svg || { $(MKDIR_P) doc && cp $(srcdir)/doc/graph.svg doc/graph.svg; }

update-picture: src/gprof$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) $(PYTHON) $(srcdir)/tests/manual.py --picture $(srcdir)/doc/graph.svg
	$(AM_TESTS_ENVIRONMENT) $(PYTHON) $(srcdir)/doc/pictures.py --readme $(srcdir)/doc/overview.png
.PHONY: update-picture

# Otherwise `make distcheck' would need TeX.
AM_DISTCHECK_DVI_TARGET = html

# ---- Other texts, and scripts for CI services, clusters and old files ----

# Every file that README.md and INSTALL name is installed with them.
dist_doc_DATA = \
	CONTRIBUTING \
	COPYING \
	HACKING \
	INSTALL \
	NEWS \
	README.md \
	SECURITY.md \
	doc/CI \
	doc/CLUSTERS \
	doc/comparison.schema.json \
	doc/graph.svg \
	doc/overview.png \
	doc/profile.schema.json

decisionsdir = $(docdir)/decisions
dist_decisions_DATA = \
	doc/decisions/0001-libdw-for-line-numbers.txt \
	doc/decisions/0002-merge-sort.txt \
	doc/decisions/0003-one-arc-array.txt \
	doc/decisions/0004-one-process.txt \
	doc/decisions/0005-differences-from-gnu-gprof.txt \
	doc/decisions/0006-layers-and-doors.txt \
	doc/decisions/0007-tricks-that-stay.txt \
	doc/decisions/README

sheetdir = $(docdir)/examples/sheet
dist_sheet_DATA = \
	examples/sheet/formula.c \
	examples/sheet/main.c \
	examples/sheet/sheet.c \
	examples/sheet/sheet.h

boardsexampledir = $(docdir)/examples/boards
dist_boardsexample_DATA = \
	examples/boards/Makefile \
	examples/boards/board.h \
	examples/boards/common.c \
	examples/boards/cortex-m.c \
	examples/boards/cortex-m.ld \
	examples/boards/main.c \
	examples/boards/riscv.c \
	examples/boards/riscv.ld \
	examples/boards/tasks.c

runtimedocdir = $(docdir)/runtime
dist_runtimedoc_DATA = runtime/README

# The gate is a command of its own.
dist_bin_SCRIPTS = contrib/ci/gprof-gate

contribdir = $(docdir)
nobase_dist_contrib_DATA = \
	contrib/bbconv \
	contrib/boards/regmon-serial \
	contrib/ci/github.yml \
	contrib/ci/gitlab.yml \
	contrib/gcov2bb \
	contrib/gprof-merge-tree \
	contrib/mpi/gprof-merge-mpi \
	contrib/slurm/gprof-merge.sbatch

# ---- Completions ----

# Their names and contents use the name of the command, which --program-prefix may change.
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
fishcompletiondir = $(datadir)/fish/vendor_completions.d

EXTRA_DIST += \
	completions/gprof.bash \
	completions/gprof.fish \
	completions/gprof.zsh

COMMAND_NAME = `echo gprof | sed '$(transform)'`

install-data-local: install-catalogues
	@name=$(COMMAND_NAME); \
	install_completion () { \
	  $(MKDIR_P) "$(DESTDIR)$$2" && \
	  sed "s/@COMMAND@/$$name/g" $(srcdir)/completions/$$1 >"$(DESTDIR)$$2/$$3" && \
	  chmod 644 "$(DESTDIR)$$2/$$3"; \
	}; \
	install_completion gprof.bash $(bashcompletiondir) $$name && \
	install_completion gprof.zsh $(zshcompletiondir) _$$name && \
	install_completion gprof.fish $(fishcompletiondir) $$name.fish

# The manual pages name the commands as well.  Other programs keep their names.
install-data-hook:
	@test -f doc/regprof.info || test -f $(srcdir)/doc/regprof.info || \
	  echo 'the manual (info regprof) is not installed: making it needs makeinfo (texinfo) and python3' >&2
	@name=$(COMMAND_NAME); \
	if test "$$name" != gprof; then \
	  title=`echo $$name | tr abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ`; \
	  for page in "$(DESTDIR)$(man1dir)/$$name.1" "$(DESTDIR)$(man1dir)/$$name-gate.1"; do \
	    sed -e "s/^\.TH GPROF/.TH $$title/" -e 's/regprof/@R@/g' -e 's/gprof2dot/@D@/g' \
	      -e 's/GNU gprof/GNU @G@/g' -e 's/BSD gprof/BSD @G@/g' -e "s/gprof/$$name/g" -e 's/@G@/gprof/g' \
	      -e 's/@D@/gprof2dot/g' -e 's/@R@/regprof/g' "$$page" >"$$page-t" && \
	    chmod 644 "$$page-t" && mv "$$page-t" "$$page" || exit 1; \
	  done; \
	fi
	@cd "$(DESTDIR)$(contribdir)" && chmod 755 $(nobase_dist_contrib_DATA) && chmod 644 contrib/ci/*.yml

uninstall-local: uninstall-catalogues
	-@for picture in $(PICTURES); do rm -f "$(DESTDIR)$(htmldir)/out/$${picture##*/}"; done
	@name=$(COMMAND_NAME); \
	rm -f "$(DESTDIR)$(bashcompletiondir)/$$name" "$(DESTDIR)$(zshcompletiondir)/_$$name" \
	  "$(DESTDIR)$(fishcompletiondir)/$$name.fish"

# Removes the directories of this package, and an empty index of info manuals.
uninstall-hook:
	@rmdir "$(DESTDIR)$(boardsdir)" "$(DESTDIR)$(pkgdatadir)" 2>/dev/null || :
	@if test -d "$(DESTDIR)$(docdir)"; then \
	  find "$(DESTDIR)$(docdir)" -depth -type d -exec rmdir {} \; 2>/dev/null || :; \
	fi
	@dir="$(DESTDIR)$(infodir)/dir"; \
	if test -f "$$dir" && ! grep '^\* ' "$$dir" | grep -v '^\* Menu:' >/dev/null; then \
	  rm -f "$$dir"; \
	fi

# ---- Packages ----

EXTRA_DIST += \
	packaging/debian/README.Debian \
	packaging/debian/changelog \
	packaging/debian/control \
	packaging/debian/copyright \
	packaging/debian/libregmon.install \
	packaging/debian/libregmon.triggers \
	packaging/debian/regprof.install \
	packaging/debian/rules \
	packaging/debian/source/format \
	packaging/regprof.spec \
	scripts/package
