# require.m4 - finds archives, and reports all missing packages at once.

# RP_MISSING(WHAT, PACKAGE)
# Records that WHAT was not found and that Debian's PACKAGE has it.
AC_DEFUN([RP_MISSING],
[rp_missing="${rp_missing:+$rp_missing, }$1"
rp_packages="${rp_packages:+$rp_packages }$2"])

# RP_REQUIRE_ALL
# Stops with one line if anything is missing.  Use after all checks, so that one run of configure names
# everything that has to be installed.
AC_DEFUN([RP_REQUIRE_ALL],
[AS_IF([test -n "$rp_missing"],
  [AC_MSG_ERROR([missing: $rp_missing; on Debian: apt-get install $rp_packages])])])

# RP_FIND_ARCHIVE(VARIABLE, NAME)
# Sets VARIABLE to the path of libNAME.a, empty if there is none.  It is searched for beside the libbfd
# that --with-bfd selects, then in the -L directories of LDFLAGS, then in those of the compiler.
AC_DEFUN([RP_FIND_ARCHIVE],
[$1=
for rp_dir in $rp_bfd_libdirs `AS_ECHO(["$LDFLAGS"]) | tr ' ' '\n' | sed -n 's/^-L//p'`; do
  AS_IF([test -z "[$]$1" && test -f "$rp_dir/lib$2.a"], [$1=$rp_dir/lib$2.a])
done
AS_IF([test -z "[$]$1"],
  [$1=`$CC $CFLAGS $LDFLAGS -print-file-name=lib$2.a 2>/dev/null`
   AS_IF([test -f "[$]$1"], [], [$1=])])])

# RP_FIND_SMALL_ARCHIVE(VARIABLE, NAME)
# The same for libraries other than libbfd and libiberty; empty with --with-shared-libs.
AC_DEFUN([RP_FIND_SMALL_ARCHIVE],
[AC_REQUIRE([RP_SHARED_LIBS])
RP_FIND_ARCHIVE([$1], [$2])
AS_IF([test "$with_shared_libs" != no], [$1=])])

AC_DEFUN([RP_SHARED_LIBS],
[AC_ARG_WITH([shared-libs],
  [AS_HELP_STRING([--with-shared-libs],
    [link shared zlib, libzstd, liblzma and libdw, as distributions want it])],
  [], [with_shared_libs=no])])
