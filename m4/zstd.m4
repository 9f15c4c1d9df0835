# zstd.m4 - libzstd, for compressed profiles.  The program works without.  (libbfd may need it, too, for
# compressed debug sections: see libbfd.m4.)

# RP_ZSTD
# Use after RP_LIBBFD.  Adds libzstd to REGPROF_LIBS, unless libbfd has brought it along, and defines
# HAVE_ZSTD, if libzstd is available and not disabled.
AC_DEFUN([RP_ZSTD],
[AC_ARG_WITH([zstd],
  [AS_HELP_STRING([--without-zstd], [do not read profiles that are compressed with zstd])],
  [], [with_zstd=auto])
rp_zstd=no
rp_save_LIBS=$LIBS
AS_IF([test "$with_zstd" != no],
  [AC_CHECK_HEADER([zstd.h],
     [RP_FIND_SMALL_ARCHIVE([rp_zstd_archive], [zstd])
      AC_MSG_CHECKING([for libzstd])
      for rp_try in '' $rp_zstd_archive -lzstd; do
        AS_IF([test "$rp_zstd" = no],
          [LIBS="$REGPROF_LIBS $rp_try $rp_save_LIBS"
           AC_LINK_IFELSE(
             [AC_LANG_PROGRAM([[#include <zstd.h>
#include <zstd_errors.h>]],
                [[return ZSTD_getErrorCode (ZSTD_freeDStream (ZSTD_createDStream ())) != 0;]])],
             [rp_zstd=yes
              REGPROF_LIBS="$REGPROF_LIBS $rp_try"])])
      done
      LIBS=$rp_save_LIBS
      AC_MSG_RESULT([$rp_zstd])])
   AS_IF([test $rp_zstd = yes],
     [AC_DEFINE([HAVE_ZSTD], [1], [Define to 1 if libzstd is to be used.])],
     [test "$with_zstd" != auto],
     [RP_MISSING([libzstd], [libzstd-dev])])])
AC_SUBST([REGPROF_LIBS])])
