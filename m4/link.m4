# link.m4 - linker flags for as few shared libraries and relocations as possible, because each takes
# time to load.

# RP_AS_NEEDED
# Adds to LINK_LDFLAGS, so that only shared libraries that are used are loaded.
AC_DEFUN([RP_AS_NEEDED],
[AC_MSG_CHECKING([whether the linker knows --as-needed])
rp_save_LDFLAGS=$LDFLAGS
LDFLAGS="$LDFLAGS -Wl,--as-needed"
AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
  [AC_MSG_RESULT([yes])
   LINK_LDFLAGS="$LINK_LDFLAGS -Wl,--as-needed"],
  [AC_MSG_RESULT([no])])
LDFLAGS=$rp_save_LDFLAGS
AC_SUBST([LINK_LDFLAGS])])

# RP_PACKED_RELOCS
# Adds to LINK_LDFLAGS, so that libbfd's 8,000 relative relocations take 1 KB instead of 200, if the C
# library supports that, which can only be found out by running a program.
AC_DEFUN([RP_PACKED_RELOCS],
[AC_MSG_CHECKING([whether relative relocations can be packed])
rp_save_LDFLAGS=$LDFLAGS
LDFLAGS="$LDFLAGS -Wl,-z,pack-relative-relocs -Wl,--fatal-warnings"
AC_RUN_IFELSE(
  [AC_LANG_PROGRAM([[int number; int *volatile const pointer = &number;]], [[return pointer != &number;]])],
  [AC_MSG_RESULT([yes])
   LINK_LDFLAGS="$LINK_LDFLAGS -Wl,-z,pack-relative-relocs"],
  [AC_MSG_RESULT([no])],
  [AC_MSG_RESULT([not asked, since nothing can be run])])
LDFLAGS=$rp_save_LDFLAGS
AC_SUBST([LINK_LDFLAGS])])

# RP_NO_MATH_ERRNO
# Sets MATH_CFLAGS, so that a square root is an instruction and needs no library.
AC_DEFUN([RP_NO_MATH_ERRNO],
[AC_MSG_CHECKING([whether $CC accepts -fno-math-errno])
rp_save_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS -Werror -fno-math-errno"
AC_COMPILE_IFELSE([AC_LANG_SOURCE([[int main (void) { return 0; }]])],
  [AC_MSG_RESULT([yes])
   MATH_CFLAGS=-fno-math-errno],
  [AC_MSG_RESULT([no])
   MATH_CFLAGS=])
CFLAGS=$rp_save_CFLAGS
AC_SUBST([MATH_CFLAGS])])

# RP_LIBM
# Use after RP_NO_MATH_ERRNO.  Adds the mathematical library to LIBS if it is still needed.
AC_DEFUN([RP_LIBM],
[AC_MSG_CHECKING([for a library with frexp and sqrt])
rp_save_LIBS=$LIBS
rp_save_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS $MATH_CFLAGS"
rp_libm=no
for rp_try in '' -lm; do
  AS_IF([test "$rp_libm" = no],
    [LIBS="$rp_try $rp_save_LIBS"
     AC_LINK_IFELSE(
       [AC_LANG_PROGRAM([[#include <math.h>
volatile double number = 2;]], [[int e; return frexp (sqrt (number), &e) > 2;]])],
       [rp_libm=${rp_try:-none}])])
done
CFLAGS=$rp_save_CFLAGS
AS_CASE([$rp_libm], [-lm], [LIBS="-lm $rp_save_LIBS"], [LIBS=$rp_save_LIBS])
AC_MSG_RESULT([$rp_libm])])
