# sanitizers.m4 - AddressSanitizer (with LeakSanitizer) and UndefinedBehaviorSanitizer.

# RP_SANITIZERS
# Sets SANITIZE_CFLAGS, for compiling and for linking, empty without --enable-sanitizers.
AC_DEFUN([RP_SANITIZERS],
[AC_ARG_ENABLE([sanitizers],
  [AS_HELP_STRING([--enable-sanitizers],
    [find memory errors, leaks and undefined behaviour at run time])],
  [], [enable_sanitizers=no])
SANITIZE_CFLAGS=
AS_IF([test "$enable_sanitizers" != no],
  [SANITIZE_CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
   AC_MSG_CHECKING([whether $CC has sanitizers])
   rp_save_CFLAGS=$CFLAGS
   CFLAGS="$CFLAGS $SANITIZE_CFLAGS"
   AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
     [AC_MSG_RESULT([yes])],
     [AC_MSG_RESULT([no])
      AC_MSG_ERROR([$CC cannot link with $SANITIZE_CFLAGS; on Debian: apt-get install gcc])])
   CFLAGS=$rp_save_CFLAGS])
AC_SUBST([SANITIZE_CFLAGS])
AM_CONDITIONAL([SANITIZERS], [test "$enable_sanitizers" != no])])
