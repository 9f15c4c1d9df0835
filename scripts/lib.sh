# shellcheck shell=sh
# lib.sh - what the scripts of this directory share.  To be sourced, by a script that has set `top' to
# the directory of the sources.

LC_ALL=C
export LC_ALL
unset MAKEFLAGS MFLAGS

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
script=${0##*/}

say() {
    printf '%s: %s\n' "$script" "$*" >&2
}

fail() {
    say "$@"
    exit 1
}

# ---- What has to be installed ----

has_command() {
    command -v "$1" >/dev/null 2>&1
}

has_header() {
    printf '#include <stdio.h>\n#include <%s>\n' "$1" |
        gcc -DPACKAGE -E -x c - >/dev/null 2>&1
}

has_library() { # FILE: one that gcc links with
    [ -f "$(gcc -print-file-name="$1" 2>/dev/null)" ]
}

need() { # PACKAGE TEST...: the package is missing unless the test succeeds
    package=$1
    shift
    "$@" || missing="$missing $package"
}

has_libiberty() {
    has_library libiberty.a && { has_header libiberty/demangle.h || has_header demangle.h; }
}

has_libzstd() { # for libbfd; not the shared one, which takes its time to load
    has_library libzstd.a
}

has_locale_sources() { # what localedef makes a Spanish locale from
    has_command localedef && [ -f /usr/share/i18n/locales/es_ES ]
}

need_for_building() {
    need gcc has_command gcc
    need libc6-dev has_header stdio.h
    need make has_command make
    need autoconf has_command autoconf
    need automake has_command automake
    need binutils-dev has_header bfd.h
    need libiberty-dev has_libiberty
    need zlib1g-dev has_header zlib.h
    need libzstd-dev has_libzstd
    need libdw-dev has_header elfutils/libdw.h
}

# Installs what the function NEEDS finds missing, or says what to install and ends.
install_missing() { # NEEDS
    missing=
    "$1"
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" != 0 ] || ! has_command apt-get; then
        fail "missing packages; as root: apt-get install$missing"
    fi
    say "installing:$missing"
    # shellcheck disable=SC2086 # one word for each package
    {
        apt-get update -qq &&
            DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
    } >&2 || fail "could not install:$missing"
    missing=
    "$1"
    [ -z "$missing" ] || fail "still missing after installing:$missing"
}

# ---- Building ----

quietly() { # COMMAND...: adds to the file $log; what it says is shown only if it fails
    "$@" >>"$log" 2>&1 || {
        tail -n 30 "$log" >&2
        fail "that failed; all of it is in $log"
    }
}

# Prints the directory to build from: the sources themselves, or a copy of them below DIR when they
# hold a build of their own, beside which no other can be made.
source_tree() { # DIR
    if [ ! -f "$top/config.status" ]; then
        echo "$top"
        return
    fi
    mkdir -p "$1/source"
    (cd "$top" && tar -cf - --exclude-from=/dev/stdin .) <<EOF | tar -xf - -C "$1/source"
./.git
./b
./build*
./regprof-*
./configure
./aclocal.m4
./autom4te.cache
./Makefile
./Makefile.in
./config.h
./config.h.in
./config.status
./doc/out
./doc/regprof.*
./po/*.gmo
./po/regprof.pot
./stamp-h1
./src/gprof
*.a
*.log
*.o
*.trs
.deps
.dirstamp
EOF
    echo "$1/source"
}

# Makes `configure' in SOURCE unless it is there and newer than what it is made from.
bootstrap() { # SOURCE
    if [ -f "$1/configure" ] && [ -f "$1/Makefile.in" ] &&
        [ -z "$(find "$1/configure.ac" "$1/Makefile.am" "$1/m4" "$1"/*/local.mk \
            -newer "$1/configure")" ]; then
        return 0
    fi
    "$1/bootstrap"
}

# Builds SOURCE in DIR.  A build that was configured otherwise makes room for this one.
build() { # SOURCE DIR CONFIGURE-ARGUMENT...
    source=$1
    dir=$2
    shift 2
    if [ "$(cat "$dir/configured" 2>/dev/null)" != "$source $*" ]; then
        rm -rf "$dir"
        mkdir -p "$dir"
        (cd "$dir" && "$source/configure" "$@") || return 1
        echo "$source $*" >"$dir/configured"
    fi
    make -C "$dir" -j "$jobs"
}
