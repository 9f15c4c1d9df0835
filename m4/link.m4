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

# RP_LIBM
# Use after RP_LIBBFD.  Adds the mathematical library to REGPROF_LIBS; the library for profiled programs
# does without it.
AC_DEFUN([RP_LIBM],
[rp_save_LIBS=$LIBS
AC_SEARCH_LIBS([erfc], [m])
LIBS=$rp_save_LIBS
AS_CASE([$ac_cv_search_erfc], [-l*], [REGPROF_LIBS="$REGPROF_LIBS $ac_cv_search_erfc"])])
