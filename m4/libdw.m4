# libdw.m4 - elfutils' libdw, which reads DWARF.  The program works without.

# RP_LIBDW_TRY
# Sets LIBDW_LIBS to libraries that link, archives preferred.
AC_DEFUN([RP_LIBDW_TRY],
[RP_FIND_SMALL_ARCHIVE([rp_dw], [dw])
RP_FIND_SMALL_ARCHIVE([rp_elf], [elf])
AC_MSG_CHECKING([for libdw])
for rp_dw_try in "$rp_dw $rp_elf" "-ldw -lelf"; do
  AS_IF([test -z "$LIBDW_LIBS"],
    [LIBS="$rp_dw_try $REGPROF_LIBS $rp_save_LIBS"
     AC_LINK_IFELSE(
       [AC_LANG_PROGRAM([[#include <elfutils/libdw.h>
#include <gelf.h>]],
          [[Dwarf *dwarf = dwarf_begin (0, DWARF_C_READ);
            Dwarf_CU *unit = NULL;
            Dwarf_Die entry;
            GElf_Shdr header;
            if (dwarf_get_units (dwarf, unit, &unit, 0, 0, &entry, 0) == 0)
              return gelf_getshdr (elf_nextscn (dwarf_getelf (dwarf), NULL), &header) == NULL;
            return dwarf_end (dwarf);]])],
       [LIBDW_LIBS=$rp_dw_try])])
done
AC_MSG_RESULT([${LIBDW_LIBS:-no}])])

# RP_LIBDW
# Use after RP_LIBBFD.  Sets LIBDW_LIBS and defines HAVE_LIBDW if libdw is available and not disabled.
AC_DEFUN([RP_LIBDW],
[AC_ARG_WITH([libdw],
  [AS_HELP_STRING([--without-libdw], [do not use elfutils' libdw, even if it is there])],
  [], [with_libdw=auto])
LIBDW_LIBS=
rp_save_LIBS=$LIBS
AS_IF([test "$with_libdw" != no],
  [AC_CHECK_HEADER([elfutils/libdw.h], [RP_LIBDW_TRY])
   LIBS=$rp_save_LIBS
   AS_IF([test -n "$LIBDW_LIBS"],
     [AC_DEFINE([HAVE_LIBDW], [1], [Define to 1 if elfutils' libdw is to be used.])],
     [test "$with_libdw" != auto],
     [RP_MISSING([libdw], [libdw-dev])])])
AC_SUBST([LIBDW_LIBS])])
