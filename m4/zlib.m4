# zlib.m4 - zlib, for compressed profiles and for compressed debug sections inside libbfd.

# RP_ZLIB
# Sets ZLIB_LIBS.
AC_DEFUN([RP_ZLIB],
[AC_CHECK_HEADER([zlib.h], [rp_zlib=yes], [rp_zlib=no])
AS_IF([test $rp_zlib = yes],
  [AC_CHECK_LIB([z], [inflateReset], [:], [rp_zlib=no])])
AS_IF([test $rp_zlib = yes], [ZLIB_LIBS=-lz], [RP_MISSING([zlib], [zlib1g-dev])])
AC_SUBST([ZLIB_LIBS])])
