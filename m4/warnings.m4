# warnings.m4 - the warnings that the sources are free of, with gcc and with clang.

# RP_WARNINGS
# Sets WARN_CFLAGS to the options that the compiler accepts; with --enable-werror, warnings are errors, and
# assertions are checked: else ASSERT_CPPFLAGS turns them off.
AC_DEFUN([RP_WARNINGS],
[AC_ARG_ENABLE([werror],
  [AS_HELP_STRING([--enable-werror], [treat warnings of the compiler as errors, and check assertions])],
  [], [enable_werror=no])
WARN_CFLAGS=
rp_save_CFLAGS=$CFLAGS
for rp_flag in -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
               -Wpointer-arith; do
  AC_MSG_CHECKING([whether $CC accepts $rp_flag])
  CFLAGS="$rp_save_CFLAGS -Werror $rp_flag"
  AC_COMPILE_IFELSE([AC_LANG_SOURCE([[int main (void) { return 0; }]])],
    [AC_MSG_RESULT([yes])
     WARN_CFLAGS="${WARN_CFLAGS:+$WARN_CFLAGS }$rp_flag"],
    [AC_MSG_RESULT([no])])
done
CFLAGS=$rp_save_CFLAGS
AS_IF([test "$enable_werror" != no],
  [WARN_CFLAGS="$WARN_CFLAGS -Werror"
   ASSERT_CPPFLAGS=],
  [ASSERT_CPPFLAGS=-DNDEBUG])
AC_SUBST([WARN_CFLAGS])
AC_SUBST([ASSERT_CPPFLAGS])])
