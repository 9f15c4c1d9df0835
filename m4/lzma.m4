# lzma.m4 - liblzma, for symbols in the section .gnu_debugdata.  The program works without.

# RP_LZMA
# Use after RP_LIBBFD.  Adds liblzma to REGPROF_LIBS and defines HAVE_LZMA, if liblzma is available and not
# disabled.
AC_DEFUN([RP_LZMA],
[AC_ARG_WITH([lzma],
  [AS_HELP_STRING([--without-lzma], [do not read the compressed symbols of stripped files])],
  [], [with_lzma=auto])
rp_lzma=no
rp_save_LIBS=$LIBS
AS_IF([test "$with_lzma" != no],
  [AC_CHECK_HEADER([lzma.h],
     [RP_FIND_SMALL_ARCHIVE([rp_lzma_archive], [lzma])
      AC_MSG_CHECKING([for liblzma])
      for rp_try in '' $rp_lzma_archive -llzma; do
        AS_IF([test "$rp_lzma" = no],
          [LIBS="$REGPROF_LIBS $rp_try $rp_save_LIBS"
           AC_LINK_IFELSE(
             [AC_LANG_PROGRAM([[#include <lzma.h>]],
                [[lzma_stream stream = LZMA_STREAM_INIT;
                  return lzma_stream_decoder (&stream, UINT64_MAX, 0) != LZMA_OK;]])],
             [rp_lzma=yes
              REGPROF_LIBS="$REGPROF_LIBS $rp_try"])])
      done
      LIBS=$rp_save_LIBS
      AC_MSG_RESULT([$rp_lzma])])
   AS_IF([test $rp_lzma = yes],
     [AC_DEFINE([HAVE_LZMA], [1], [Define to 1 if liblzma is to be used.])],
     [test "$with_lzma" != auto],
     [RP_MISSING([liblzma], [liblzma-dev])])])
AC_SUBST([REGPROF_LIBS])])
