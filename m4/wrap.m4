# wrap.m4 - redirects calls of libraries to the C library to src/base/memory_limit.c.

# RP_WRAP
# Use after RP_LIBBFD and RP_LIBDW.  If the linker supports it, adds to REGPROF_LIBS options that
# redirect calls in everything that is linked statically to __wrap_NAME, and defines HAVE_WRAP.
AC_DEFUN([RP_WRAP],
[AC_MSG_CHECKING([whether the linker can wrap malloc])
rp_wrap=
for rp_name in malloc calloc realloc posix_memalign strdup strndup tsearch fopen fopen64; do
  rp_wrap="$rp_wrap -Wl,--wrap=$rp_name"
done
rp_save_LIBS=$LIBS
LIBS="$rp_wrap $rp_save_LIBS"
AC_LINK_IFELSE(
  [AC_LANG_PROGRAM([[#include <stdlib.h>
void *__real_malloc (size_t);
void *__wrap_malloc (size_t);
void *__wrap_malloc (size_t n) { return __real_malloc (n); }]], [[return malloc (1) == 0;]])],
  [rp_can_wrap=yes], [rp_can_wrap=no])
LIBS=$rp_save_LIBS
AC_MSG_RESULT([$rp_can_wrap])
AS_IF([test $rp_can_wrap = yes],
  [REGPROF_LIBS="$rp_wrap $REGPROF_LIBS"
   AC_DEFINE([HAVE_WRAP], [1], [Define to 1 if calls of malloc can be wrapped by the linker.])])])
