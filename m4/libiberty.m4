# libiberty.m4 - libiberty, for demangling and for @file arguments.  It exists as an archive only.

# RP_LIBIBERTY
# Sets LIBIBERTY_LIBS, and LIBIBERTY_CPPFLAGS so that <demangle.h> and <libiberty.h> are found
# whether they are installed in the include directory or in libiberty/ below it.
AC_DEFUN([RP_LIBIBERTY],
[AC_REQUIRE([RP_LIBBFD_CHOICE])
AC_CHECK_DECLS([basename], [], [], [[#include <string.h>]])
RP_FIND_ARCHIVE([LIBIBERTY_LIBS], [iberty])
AC_MSG_CHECKING([for libiberty's headers])
rp_save_CPPFLAGS=$CPPFLAGS
rp_iberty_headers=no
for rp_dir in '' $rp_bfd_incdirs /usr/include /usr/local/include; do
  AS_IF([test $rp_iberty_headers = no],
    [LIBIBERTY_CPPFLAGS=${rp_dir:+-isystem $rp_dir/libiberty}
     CPPFLAGS="$rp_save_CPPFLAGS $BFD_CPPFLAGS $LIBIBERTY_CPPFLAGS"
     AC_COMPILE_IFELSE(
       [AC_LANG_PROGRAM([[#include <stdlib.h>
#include <demangle.h>
#include <libiberty.h>]], [[return cplus_demangle ("f", DMGL_PARAMS) != 0;]])],
       [rp_iberty_headers=yes])])
done
CPPFLAGS=$rp_save_CPPFLAGS
AC_MSG_RESULT([$rp_iberty_headers${LIBIBERTY_CPPFLAGS:+ ($LIBIBERTY_CPPFLAGS)}])
AC_MSG_CHECKING([for libiberty.a])
AC_MSG_RESULT([${LIBIBERTY_LIBS:-no}])
AS_IF([test -z "$LIBIBERTY_LIBS" || test $rp_iberty_headers = no],
  [RP_MISSING([libiberty], [libiberty-dev])])
AC_SUBST([LIBIBERTY_CPPFLAGS])
AC_SUBST([LIBIBERTY_LIBS])])
