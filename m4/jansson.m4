# jansson.m4 - libjansson, which reads JSON.  The program works without; it then cannot read JSON.

# RP_JANSSON_TRY
# Sets JANSSON_LIBS to a library that links, the archive preferred.
AC_DEFUN([RP_JANSSON_TRY],
[RP_FIND_SMALL_ARCHIVE([rp_jansson], [jansson])
AC_MSG_CHECKING([for libjansson])
for rp_jansson_try in $rp_jansson -ljansson; do
  AS_IF([test -z "$JANSSON_LIBS"],
    [LIBS="$rp_jansson_try $rp_save_LIBS"
     AC_LINK_IFELSE(
       [AC_LANG_PROGRAM([[#include <jansson.h>]],
          [[json_error_t error;
            return json_loadb ("{}", 2, JSON_REJECT_DUPLICATES, &error) == NULL;]])],
       [JANSSON_LIBS=$rp_jansson_try])])
done
AC_MSG_RESULT([${JANSSON_LIBS:-no}])])

# RP_JANSSON
# Use after RP_LIBBFD.  Sets JANSSON_LIBS and defines HAVE_JANSSON if libjansson is available and not
# disabled.
AC_DEFUN([RP_JANSSON],
[AC_ARG_WITH([jansson],
  [AS_HELP_STRING([--without-jansson], [do not use libjansson, even if it is there])],
  [], [with_jansson=auto])
JANSSON_LIBS=
rp_save_LIBS=$LIBS
AS_IF([test "$with_jansson" != no],
  [AC_CHECK_HEADER([jansson.h], [RP_JANSSON_TRY])
   LIBS=$rp_save_LIBS
   AS_IF([test -n "$JANSSON_LIBS"],
     [AC_DEFINE([HAVE_JANSSON], [1], [Define to 1 if libjansson is to be used.])],
     [test "$with_jansson" != auto],
     [RP_MISSING([libjansson], [libjansson-dev])])])
AC_SUBST([JANSSON_LIBS])])
