# manual.m4 - the programs that make the manual.  It is optional.

# RP_MANUAL
# Finds python3, which the tests need, too.  Sets MANUAL to yes if the manual can be made here, and MANUAL_PROGRAMS to the programs that its
# examples run.  If not, sets MAKEINFO so that the build continues without it.
AC_DEFUN([RP_MANUAL],
[AC_CHECK_PROG([PYTHON], [python3], [python3])
AM_CONDITIONAL([HAVE_PYTHON], [test -n "$PYTHON"])
AC_MSG_CHECKING([whether the manual can be made])
MANUAL=yes
AS_IF([test -z "$PYTHON"], [MANUAL='no, python3 is missing'],
  [test "$cross_compiling" = yes], [MANUAL='no, gprof does not run here'],
  [(eval "$MAKEINFO --version") >/dev/null 2>&1], [],
  [MANUAL='no, makeinfo is missing'])
AC_MSG_RESULT([$MANUAL])
AS_CASE([$MANUAL],
  [yes], [MANUAL_PROGRAMS='src/gprof$(EXEEXT) tests/mkgmon$(EXEEXT)'],
  [MANUAL_PROGRAMS=
   MAKEINFO="\${SHELL} \$(top_srcdir)/scripts/no-makeinfo"])
# Files that the manual includes are in the sources and in the build.
AC_SUBST([TEXI2DVI], ['texi2dvi -I $(abs_srcdir)/doc -I $(abs_builddir)/doc'])
AC_SUBST([MANUAL])
AC_SUBST([MANUAL_PROGRAMS])])
