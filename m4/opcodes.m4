# opcodes.m4 - libopcodes, which disassembles.  It belongs to libbfd; the program works without.

# RP_OPCODES_TRY
# Sets OPCODES_LIBS to a library that links, and HAVE_STYLED_DISASSEMBLY if it is 2.39 or later.
AC_DEFUN([RP_OPCODES_TRY],
[AS_IF([test "$with_shared_bfd" != no],
  [rp_opcodes=-lopcodes
   for rp_dir in $rp_bfd_libdirs; do
     rp_opcodes="-L$rp_dir $rp_opcodes"
   done],
  [RP_FIND_ARCHIVE([rp_opcodes], [opcodes])])
AC_MSG_CHECKING([for libopcodes])
for rp_styled in '' ', 0'; do
  AS_IF([test -n "$rp_opcodes" && test -z "$OPCODES_LIBS"],
    [LIBS="$rp_opcodes $REGPROF_LIBS $rp_save_LIBS"
     AC_LINK_IFELSE(
       [AC_LANG_PROGRAM([[#include <stdio.h>
#include <dis-asm.h>]],
          [[struct disassemble_info info;
            init_disassemble_info (&info, stdout, 0$rp_styled);
            return disassembler (bfd_arch_i386, 0, 0, 0) == 0;]])],
       [OPCODES_LIBS=$rp_opcodes
        AS_IF([test -n "$rp_styled"],
          [AC_DEFINE([HAVE_STYLED_DISASSEMBLY], [1],
            [Define to 1 if disassemblers say what each piece of text is.])])])])
done
AC_MSG_RESULT([${OPCODES_LIBS:-no}])])

# RP_OPCODES
# Use after RP_LIBBFD.  Sets OPCODES_LIBS and defines HAVE_OPCODES if libopcodes is available and not
# disabled.
AC_DEFUN([RP_OPCODES],
[AC_ARG_WITH([opcodes],
  [AS_HELP_STRING([--without-opcodes], [do not use libopcodes, even if it is there])],
  [], [with_opcodes=auto])
OPCODES_LIBS=
rp_save_LIBS=$LIBS
rp_save_CPPFLAGS=$CPPFLAGS
CPPFLAGS="$CPPFLAGS $BFD_CPPFLAGS"
AS_IF([test "$with_opcodes" != no],
  [AC_CHECK_HEADER([dis-asm.h], [RP_OPCODES_TRY], [], [#include <stdio.h>])
   LIBS=$rp_save_LIBS
   AS_IF([test -n "$OPCODES_LIBS"],
     [AC_DEFINE([HAVE_OPCODES], [1], [Define to 1 if libopcodes is to be used.])],
     [test "$with_opcodes" != auto],
     [RP_MISSING([libopcodes], [binutils-dev])])])
CPPFLAGS=$rp_save_CPPFLAGS
AC_SUBST([OPCODES_LIBS])])
