# manual.m4 - what making the manual needs.  The program is built and installed without.

# RP_MANUAL
# Sets MANUAL to yes if the manual can be made here, which runs the examples in it, and then
# MANUAL_PROGRAMS to what that runs.  If not, sets MAKEINFO to something that lets the build go on.
AC_DEFUN([RP_MANUAL],
[AC_CHECK_PROG([PYTHON], [python3], [python3])
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
# What the manual includes is in the sources and in the build.
AC_SUBST([TEXI2DVI], ['texi2dvi -I $(abs_srcdir)/doc -I $(abs_builddir)/doc'])
AC_SUBST([MANUAL])
AC_SUBST([MANUAL_PROGRAMS])])
