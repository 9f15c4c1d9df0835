# stderr.m4 - whether `stderr' can be redirected while a library runs (src/debug/libbfd_files.c).

# RP_ASSIGNABLE_STDERR
AC_DEFUN([RP_ASSIGNABLE_STDERR],
[AC_MSG_CHECKING([whether stderr is a variable])
AC_LINK_IFELSE(
  [AC_LANG_PROGRAM([[#include <stdio.h>]],
     [[static char text[9]; stderr = fmemopen (text, sizeof text, "w"); return stderr == NULL;]])],
  [AC_MSG_RESULT([yes])
   AC_DEFINE([HAVE_ASSIGNABLE_STDERR], [1], [Define to 1 if stderr is a variable.])],
  [AC_MSG_RESULT([no])])])
