# libbfd.m4 - libbfd 2.34 or later, and the libraries that its archive needs.
#
# The archive is preferred, because the name of the shared library changes with every release of
# binutils.

# RP_LIBBFD_CHOICE
# Options that select a libbfd.  Sets rp_bfd_libdirs and rp_bfd_incdirs, rp_bfd_file if a file was
# named, and BFD_CPPFLAGS.
AC_DEFUN([RP_LIBBFD_CHOICE],
[AC_ARG_WITH([shared-bfd],
  [AS_HELP_STRING([--with-shared-bfd], [link the shared libbfd instead of its archive])],
  [], [with_shared_bfd=no])
AC_ARG_WITH([bfd],
  [AS_HELP_STRING([--with-bfd=WHERE],
    [use this libbfd: the prefix it is installed under, or the file libbfd*.a or libbfd*.so])],
  [], [with_bfd=yes])
rp_bfd_libdirs=
rp_bfd_incdirs=
rp_bfd_file=
BFD_CPPFLAGS=
AS_CASE([$with_bfd],
  [yes], [],
  [no], [AC_MSG_ERROR([libbfd cannot be done without])],
  [AS_IF([test -d "$with_bfd"],
     [for rp_dir in "$with_bfd"/lib/`$CC -print-multiarch 2>/dev/null` "$with_bfd"/lib64 \
                    "$with_bfd"/lib; do
        AS_IF([test -d "$rp_dir"], [rp_bfd_libdirs="$rp_bfd_libdirs $rp_dir"])
      done
      rp_bfd_incdirs=$with_bfd/include],
     [test -f "$with_bfd"],
     [rp_bfd_file=$with_bfd
      rp_bfd_libdirs=`AS_DIRNAME(["$with_bfd"])`
      AS_IF([test -f "$rp_bfd_libdirs/../include/bfd.h"],
        [rp_bfd_incdirs=$rp_bfd_libdirs/../include])],
     [AC_MSG_ERROR([--with-bfd=$with_bfd: no such file or directory])])])
AS_IF([test -n "$rp_bfd_incdirs" && test "$rp_bfd_incdirs" != /usr/include],
  [BFD_CPPFLAGS="-isystem $rp_bfd_incdirs"])
AC_SUBST([BFD_CPPFLAGS])])

# RP_LIBBFD_PROGRAM
# A program that links all targets of libbfd, and uses bfd_section_vma with one argument, as it is
# since 2.34.
m4_define([RP_LIBBFD_PROGRAM],
[AC_LANG_PROGRAM([[#include <bfd.h>]],
  [[bfd_init ();
    bfd *image = bfd_openr ("a.out", 0);
    if (!image || !bfd_check_format (image, bfd_object))
      return 1;
    asection *text = bfd_get_section_by_name (image, ".text");
    return text && bfd_section_vma (text) != 0;]])])

# RP_LIBBFD_TRY(BFD)
# Finds other libraries with which the library BFD links.  Sets BFD_LIBS, empty if none works.  Nothing
# is linked of an archive that is not needed.  On Debian, programs with libbfd have libzstd.so.1, but
# the link libzstd.so is in libzstd-dev.
AC_DEFUN([RP_LIBBFD_TRY],
[RP_FIND_ARCHIVE([rp_sframe], [sframe])
RP_FIND_SMALL_ARCHIVE([rp_zstd], [zstd])
rp_try="$1${rp_sframe:+ $rp_sframe}"
for rp_zstd_try in $rp_zstd '' -lzstd -l:libzstd.so.1; do
  for rp_dl_try in '' -ldl; do
    AS_IF([test -z "$BFD_LIBS"],
      [rp_after="$ZLIB_LIBS${rp_zstd_try:+ $rp_zstd_try}${rp_dl_try:+ $rp_dl_try}"
       LIBS="$rp_try $LIBIBERTY_LIBS $rp_after $rp_save_LIBS"
       AC_LINK_IFELSE([RP_LIBBFD_PROGRAM], [BFD_LIBS=$rp_try; BFD_LIBS_AFTER=$rp_after])])
  done
done])

# RP_LIBBFD
# Use after RP_LIBIBERTY and RP_ZLIB.  Sets BFD_CPPFLAGS, and REGPROF_LIBS to all libraries to link
# with, in the order that archives need.
AC_DEFUN([RP_LIBBFD],
[AC_REQUIRE([RP_LIBBFD_CHOICE])
BFD_LIBS=
rp_save_CPPFLAGS=$CPPFLAGS
rp_save_LIBS=$LIBS
CPPFLAGS="$CPPFLAGS $BFD_CPPFLAGS"
AC_CHECK_HEADER([bfd.h], [rp_bfd=yes], [rp_bfd=no])
AS_IF([test $rp_bfd = yes],
  [AC_MSG_CHECKING([for libbfd 2.34 or later and what it needs])
   AS_IF([test -n "$rp_bfd_file"], [rp_bfd_lib=$rp_bfd_file],
     [test "$with_shared_bfd" != no],
     [rp_bfd_lib=-lbfd
      for rp_dir in $rp_bfd_libdirs; do
        rp_bfd_lib="-L$rp_dir $rp_bfd_lib"
      done],
     [RP_FIND_ARCHIVE([rp_bfd_lib], [bfd])])
   AS_IF([test -n "$rp_bfd_lib"], [RP_LIBBFD_TRY([$rp_bfd_lib])])
   AC_MSG_RESULT([${BFD_LIBS:-no}${BFD_LIBS_AFTER:+ $BFD_LIBS_AFTER}])])
CPPFLAGS=$rp_save_CPPFLAGS
LIBS=$rp_save_LIBS
# Without libiberty and zlib, the link fails even if libbfd is there: do not report libbfd.
AS_IF([test $rp_bfd = no || { test -z "$BFD_LIBS" && test -z "$rp_missing"; }],
  [AS_IF([test "$with_bfd" != yes],
     [RP_MISSING([libbfd 2.34 or later at $with_bfd], [binutils-dev libzstd-dev])],
     [test $rp_bfd = yes && test -z "$rp_bfd_lib"],
     [RP_MISSING([libbfd.a (or configure --with-shared-bfd)], [binutils-dev])],
     [RP_MISSING([libbfd 2.34 or later], [binutils-dev libzstd-dev])])])
REGPROF_LIBS="$BFD_LIBS $LIBIBERTY_LIBS $BFD_LIBS_AFTER"
AC_SUBST([REGPROF_LIBS])])
