# runtime.m4 - the library that counts calls in profiled programs (runtime/).

# RP_RUNTIME_FLAG(FLAG)
# Adds FLAG to RUNTIME_CFLAGS if the compiler accepts it.
AC_DEFUN([RP_RUNTIME_FLAG],
[AC_MSG_CHECKING([whether $CC accepts $1])
rp_save_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS -Werror $1"
AC_COMPILE_IFELSE([AC_LANG_SOURCE([[int main (void) { return 0; }]])],
  [AC_MSG_RESULT([yes])
   RUNTIME_CFLAGS="$RUNTIME_CFLAGS $1"],
  [AC_MSG_RESULT([no])])
CFLAGS=$rp_save_CFLAGS])

# RP_RUNTIME
# Sets RUNTIME_CPU to the processor whose entry points the library has, empty if it is not built, and
# RUNTIME_CFLAGS.
AC_DEFUN([RP_RUNTIME],
[AC_REQUIRE([AC_CANONICAL_HOST])
AC_ARG_ENABLE([runtime],
  [AS_HELP_STRING([--disable-runtime], [do not build libregmon, which counts calls in programs])],
  [], [enable_runtime=auto])
AC_CHECK_TOOL([OBJCOPY], [objcopy])
AC_MSG_CHECKING([for the processor of libregmon])
RUNTIME_CPU=
AS_CASE([$host],
  [x86_64-*-linux-gnux32], [],
  [x86_64-*-linux*], [RUNTIME_CPU=x86_64],
  [aarch64-*-linux*], [RUNTIME_CPU=aarch64],
  [riscv64-*-linux*], [RUNTIME_CPU=riscv64],
  [powerpc64le-*-linux*], [RUNTIME_CPU=powerpc64le],
  [s390x-*-linux*], [RUNTIME_CPU=s390x])
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [[int is_64_bit[sizeof (void *) == 8 ? 1 : -1]; (void) is_64_bit;]])],
  [], [RUNTIME_CPU=])
AS_IF([test "$enable_runtime" = no], [RUNTIME_CPU=; rp_runtime=declined],
  [test -z "$RUNTIME_CPU"], [rp_runtime="none, it is for Linux on x86-64, AArch64, 64-bit RISC-V, little-endian 64-bit POWER, and s390x"],
  [test -z "$OBJCOPY"], [RUNTIME_CPU=; rp_runtime='none, objcopy is missing'],
  [rp_runtime=$RUNTIME_CPU])
AC_MSG_RESULT([$rp_runtime])
AS_IF([test "$enable_runtime" = yes && test -z "$RUNTIME_CPU"],
  [AC_MSG_ERROR([libregmon cannot be built: $rp_runtime])])
RUNTIME_CFLAGS="-std=gnu11 -fPIC -fvisibility=hidden -ftls-model=initial-exec -fno-builtin"
RUNTIME_CFLAGS="$RUNTIME_CFLAGS -fno-omit-frame-pointer"
AS_IF([test -n "$RUNTIME_CPU"],
  [RP_RUNTIME_FLAG([-fasynchronous-unwind-tables])
   RP_RUNTIME_FLAG([-mgeneral-regs-only])
   RP_RUNTIME_FLAG([-fno-tree-loop-distribute-patterns])
   RP_RUNTIME_FLAG([-mno-outline-atomics])])
dnl The compiler expects _mcount to change no floating-point register.
AS_IF([test "$RUNTIME_CPU" = s390x], [RP_RUNTIME_FLAG([-msoft-float])])
AC_SUBST([RUNTIME_CPU])
AC_SUBST([RUNTIME_CFLAGS])
AM_CONDITIONAL([RUNTIME], [test -n "$RUNTIME_CPU"])])
