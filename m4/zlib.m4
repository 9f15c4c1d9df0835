# zlib.m4 - zlib, for compressed profiles and for compressed debug sections inside libbfd.
#
# Archives are preferred for this and other small libraries: loading several shared libraries takes
# longer than reporting on a small program.

# RP_ZLIB
# Sets ZLIB_LIBS.
AC_DEFUN([RP_ZLIB],
[AC_CHECK_HEADER([zlib.h], [rp_zlib=yes], [rp_zlib=no])
AS_IF([test $rp_zlib = yes],
  [AC_CHECK_LIB([z], [inflateReset], [:], [rp_zlib=no])])
RP_FIND_SMALL_ARCHIVE([ZLIB_LIBS], [z])
AS_IF([test $rp_zlib = no], [RP_MISSING([zlib], [zlib1g-dev])],
  [test -z "$ZLIB_LIBS"], [ZLIB_LIBS=-lz])
AC_SUBST([ZLIB_LIBS])])
