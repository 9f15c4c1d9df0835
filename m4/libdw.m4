# libdw.m4 - elfutils' libdw, which lists line tables fast.  The program works without.

# RP_LIBDW
# Sets LIBDW_LIBS and defines HAVE_LIBDW if it is there and was not declined.
AC_DEFUN([RP_LIBDW],
[AC_ARG_WITH([libdw],
  [AS_HELP_STRING([--without-libdw], [do not use elfutils' libdw, even if it is there])],
  [], [with_libdw=auto])
LIBDW_LIBS=
AS_IF([test "$with_libdw" != no],
  [AC_CHECK_HEADER([elfutils/libdw.h],
     [AC_CHECK_LIB([dw], [dwarf_next_unit], [LIBDW_LIBS=-ldw])])
   AS_IF([test -n "$LIBDW_LIBS"],
     [AC_DEFINE([HAVE_LIBDW], [1], [Define to 1 if elfutils' libdw is to be used.])],
     [test "$with_libdw" != auto],
     [RP_MISSING([libdw], [libdw-dev])])])
AC_SUBST([LIBDW_LIBS])])
