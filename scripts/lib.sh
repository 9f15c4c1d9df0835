# shellcheck shell=sh
# lib.sh - functions for the scripts of this directory.  A script sources this file after it has set
# `top' to the directory of the sources.

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

# ---- Required packages ----

has_command() {
    command -v "$1" >/dev/null 2>&1
}

has_header() {
    printf '#include <stdio.h>\n#include <%s>\n' "$1" |
        gcc -DPACKAGE -E -x c - >/dev/null 2>&1
}

has_library() { # FILE: whether gcc can link with it
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

has_libzstd() { # for libbfd; the archive, because the shared one is slow to load
    has_library libzstd.a
}

has_locale_sources() { # the input of localedef for a Spanish locale
    has_command localedef && [ -f /usr/share/i18n/locales/es_ES ]
}

has_python_module() { # NAME
    python3 -c "import $1" >/dev/null 2>&1
}

need_for_building() {
    need gcc has_command gcc
    need libc6-dev has_header stdio.h
    need make has_command make
    if [ -f "$top/config.status" ] || ! is_bootstrapped "$top"; then
        need autoconf has_command autoconf
        need automake has_command automake
    fi
    need binutils-dev has_header bfd.h
    need libiberty-dev has_libiberty
    need zlib1g-dev has_header zlib.h
    need libzstd-dev has_libzstd
    need liblzma-dev has_header lzma.h
    need libdw-dev has_header elfutils/libdw.h
    need libjansson-dev has_header jansson.h
}

# Installs the packages that the function NEEDS finds missing; without root, prints them and exits.
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
        apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 update -qq &&
            DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends $missing
    } >&2 || fail "could not install:$missing"
    missing=
    "$1"
    [ -z "$missing" ] || fail "still missing after installing:$missing"
}

# ---- Building ----

quietly() { # COMMAND...: appends its output to the file $log, and shows it only if it fails
    "$@" >>"$log" 2>&1 || {
        tail -n 30 "$log" >&2
        fail "that failed; all of it is in $log"
    }
}

# Prints the directory to build from: the sources, or, if they contain a build, which prevents builds
# elsewhere, a copy of them below DIR.
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

# Whether there is a `configure' in SOURCE, as in a release, which is newer than its sources.
is_bootstrapped() { # SOURCE
    [ -f "$1/configure" ] && [ -f "$1/Makefile.in" ] &&
        [ -z "$(find "$1/configure.ac" "$1/Makefile.am" "$1/m4" "$1"/*/local.mk -type f \
            -newer "$1/configure")" ]
}

bootstrap() { # SOURCE
    is_bootstrapped "$1" || "$1/bootstrap"
}

# Builds SOURCE in DIR.  Removes a build there that was configured with other arguments.
build() { # SOURCE DIR CONFIGURE-ARGUMENT...
    source=$1
    dir=$2
    shift 2
    if [ "$(cat "$dir/configured" 2>/dev/null)" != "$source $*" ]; then
        rm -rf "$dir"
        mkdir -p "$dir"
        # It makes a file for each object, by make.
        (cd "$dir" && MAKEFLAGS=-j$jobs "$(realpath --relative-to=. "$source")/configure" "$@") || return 1
        echo "$source $*" >"$dir/configured"
    fi
    make -C "$dir" -j "$jobs"
}
