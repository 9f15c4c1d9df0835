# gettext.m4 - messages in other languages: gettext in the C library, and the tools for catalogues.

# RP_GETTEXT
# Defines ENABLE_NLS if gettext is available and not disabled.  Sets CATALOGUES to the catalogues to
# build and install: none without gettext, or in a checkout without msgfmt, because only a release
# has built ones.
AC_DEFUN([RP_GETTEXT],
[AC_ARG_ENABLE([nls],
  [AS_HELP_STRING([--disable-nls], [know no language but English])],
  [], [enable_nls=yes])
AC_ARG_VAR([MSGFMT], [what compiles catalogues of messages])
AC_ARG_VAR([XGETTEXT], [what collects messages from the sources])
AC_CHECK_PROGS([MSGFMT], [msgfmt])
AC_CHECK_PROGS([XGETTEXT], [xgettext])
AS_IF([test "$MSGFMT" = no], [MSGFMT=])
AS_IF([test "$XGETTEXT" = no], [XGETTEXT=])
AM_CONDITIONAL([HAVE_MSGFMT], [test -n "$MSGFMT"])
AM_CONDITIONAL([HAVE_XGETTEXT], [test -n "$XGETTEXT"])
AC_MSG_CHECKING([for gettext in the C library])
AC_LINK_IFELSE(
  [AC_LANG_PROGRAM([[#include <libintl.h>
#include <locale.h>]],
     [[return !setlocale (LC_MESSAGES, "") || !bindtextdomain ("a", "b") || !*gettext ("c");]])],
  [rp_gettext=yes], [rp_gettext=no])
AC_MSG_RESULT([$rp_gettext])
AC_MSG_CHECKING([for languages other than English])
CATALOGUES=
AS_IF([test "$enable_nls" = no || test $rp_gettext = no], [rp_languages=no],
  [AC_DEFINE([ENABLE_NLS], [1], [Define to 1 if messages are to be in the language of the user.])
   AS_IF([test -n "$MSGFMT" || test -f "$srcdir/po/es.gmo"],
     [CATALOGUES='$(ALL_CATALOGUES)'
      rp_languages=yes],
     [rp_languages='no, msgfmt is missing'])])
AC_MSG_RESULT([$rp_languages])
AC_SUBST([CATALOGUES])])
