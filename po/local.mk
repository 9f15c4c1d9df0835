# Messages in other languages.  Included by the top Makefile.am, so paths are relative to the top.
#
#     make po/regprof.pot   collects the messages
#     make update-po        updates the catalogues in the sources

ALL_CATALOGUES = po/es.gmo

# Files in which every string is translated, files in which translated strings are marked, and scripts.
POT_ALL = include/base/messages.h src/report/blurbs.c
POT_MARKED = src/base/message.c src/compare/compare_lines.c src/compare/compare_table.c src/input/profile_load.c src/options/help.c \
	src/options/option_rows.c src/options/parse_options.c src/program/explain_tables.c src/report/table_text.c src/tables/code_tables.c \
	runtime/check.c runtime/collector.c runtime/options.c runtime/regmon.c runtime/run.c

POT_SHELL = contrib/ci/gprof-gate

EXTRA_DIST += po/es.po $(ALL_CATALOGUES) po/regprof.pot
MAINTAINERCLEANFILES += $(ALL_CATALOGUES) po/regprof.pot

all-local: $(CATALOGUES)

SUFFIXES = .po .gmo

# Without msgfmt, the built catalogues of a release are installed.
if HAVE_MSGFMT
.po.gmo:
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(MSGFMT) -c -o $@-t $< && mv $@-t $@
endif

if HAVE_XGETTEXT
po/regprof.pot: $(POT_ALL) $(POT_MARKED) $(POT_SHELL) po/local.mk
	$(AM_V_GEN)$(MKDIR_P) po && $(MAKE) -s collect-messages POT="$(abs_builddir)/$@-t" && mv $@-t $@

# Writes the file POT, with file names relative to the top.
collect-messages:
	@cd $(srcdir) && \
	collect () { \
	  $(XGETTEXT) --from-code=UTF-8 --add-location=file --no-wrap --package-name=$(PACKAGE) \
	    --package-version=$(VERSION) -o "$(POT)" "$$@"; \
	} && \
	collect --extract-all $(POT_ALL) && \
	sed 's/charset=CHARSET/charset=UTF-8/' "$(POT)" >"$(POT)-u" && mv "$(POT)-u" "$(POT)" && \
	collect --join-existing --keyword=_ --keyword=N_ $(POT_MARKED) && \
	collect --join-existing --language=Shell --keyword --keyword=text --keyword=say --keyword=fail \
	  --keyword=fail_with:2 $(POT_SHELL)
endif
.PHONY: collect-messages

update-po: po/regprof.pot
	for catalogue in $(ALL_CATALOGUES); do \
	  language=`basename $$catalogue .gmo` && \
	  msgmerge --update --backup=off --no-wrap --add-location=file \
	    $(srcdir)/po/$$language.po po/regprof.pot || exit; \
	done
.PHONY: update-po

# A catalogue has the name of the package, even if the program is renamed.
install-catalogues: $(CATALOGUES)
	@for catalogue in $(CATALOGUES); do \
	  test -f $$catalogue && from=. || from=$(srcdir); \
	  dir="$(DESTDIR)$(localedir)/`basename $$catalogue .gmo`/LC_MESSAGES"; \
	  $(MKDIR_P) "$$dir" && $(INSTALL_DATA) $$from/$$catalogue "$$dir/$(PACKAGE).mo" || exit; \
	done

uninstall-catalogues:
	@for catalogue in $(ALL_CATALOGUES); do \
	  rm -f "$(DESTDIR)$(localedir)/`basename $$catalogue .gmo`/LC_MESSAGES/$(PACKAGE).mo"; \
	done
.PHONY: install-catalogues uninstall-catalogues
