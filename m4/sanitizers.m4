# sanitizers.m4 - AddressSanitizer (with LeakSanitizer) and UndefinedBehaviorSanitizer.

# RP_SANITIZERS
# Sets SANITIZE_CFLAGS, for compiling and for linking, and SANITIZE_LDFLAGS, for linking; both are empty without
# --enable-sanitizers.  Programs have the runtime of gcc's sanitizers as an archive, where there is one: tests start
# many thousand of them, and half of the time of a start is for loading it.
AC_DEFUN([RP_SANITIZERS],
[AC_ARG_ENABLE([sanitizers],
  [AS_HELP_STRING([--enable-sanitizers],
    [find memory errors, leaks and undefined behaviour at run time])],
  [], [enable_sanitizers=no])
SANITIZE_CFLAGS=
SANITIZE_LDFLAGS=
AS_IF([test "$enable_sanitizers" != no],
  [SANITIZE_CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
   AC_MSG_CHECKING([whether $CC has sanitizers])
   rp_save_CFLAGS=$CFLAGS
   CFLAGS="$CFLAGS $SANITIZE_CFLAGS"
   AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
     [AC_MSG_RESULT([yes])],
     [AC_MSG_RESULT([no])
      AC_MSG_ERROR([$CC cannot link with $SANITIZE_CFLAGS; on Debian: apt-get install gcc])])
   AC_MSG_CHECKING([whether their runtime is an archive])
   CFLAGS="$CFLAGS -Werror -static-libasan -static-libubsan"
   AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
     [AC_MSG_RESULT([yes])
      SANITIZE_LDFLAGS="-static-libasan -static-libubsan"],
     [AC_MSG_RESULT([no])])
   CFLAGS=$rp_save_CFLAGS])
AC_SUBST([SANITIZE_CFLAGS])
AC_SUBST([SANITIZE_LDFLAGS])
AM_CONDITIONAL([SANITIZERS], [test "$enable_sanitizers" != no])])
