# summary.m4 - what configure ends with.

# RP_SUMMARY
# Prints what will be built, and what is missing for the rest.  Use after all checks.
AC_DEFUN([RP_SUMMARY],
[AS_IF([test -n "$LIBDW_LIBS"], [rp_lines='by libdw'],
  [test "$with_libdw" = no], [rp_lines='by libbfd, libdw is declined'],
  [rp_lines='by libbfd, which is slower: libdw is missing (Debian: libdw-dev)'])
AS_IF([test -n "$JANSSON_LIBS"], [rp_json=yes],
  [test "$with_jansson" = no], [rp_json='no, declined'],
  [rp_json='no, libjansson is missing (Debian: libjansson-dev)'])
AS_IF([test -n "$OPCODES_LIBS"], [rp_code=yes],
  [test "$with_opcodes" = no], [rp_code='no, declined'],
  [rp_code='no, libopcodes is missing (Debian: binutils-dev)'])
AS_IF([test "$rp_zstd" = yes], [rp_compressed='gzip, zstd'],
  [test "$with_zstd" = no], [rp_compressed='gzip; zstd is declined'],
  [rp_compressed='gzip; libzstd is missing (Debian: libzstd-dev)'])
AS_IF([test "$rp_lzma" = yes], [rp_symbols=yes],
  [test "$with_lzma" = no], [rp_symbols='no, declined'],
  [rp_symbols='no, liblzma is missing (Debian: liblzma-dev)'])
AS_IF([test -n "$PYTHON"], [rp_tests=all], [rp_tests='only those in C: python3 is missing (Debian: python3)'])
rp_manual=$MANUAL
AS_IF([test "$MANUAL" != yes && test -f "$srcdir/doc/regprof.info"], [rp_manual='that of the release'],
  [test "$MANUAL" = 'no, makeinfo is missing'], [rp_manual="$MANUAL (Debian: texinfo)"])
rp_spanish=$rp_languages
AS_IF([test "$rp_languages" = 'no, msgfmt is missing'], [rp_spanish="$rp_languages (Debian: gettext)"])
AC_MSG_NOTICE([$PACKAGE_STRING:
    libregmon, regmon             $rp_runtime
    source lines                  $rp_lines
    machine code (--asm)          $rp_code
    reading JSON                  $rp_json
    compressed profiles           $rp_compressed
    compressed symbols            $rp_symbols
    manual                        $rp_manual
    messages in Spanish           $rp_spanish
    tests (make check)            $rp_tests])])
