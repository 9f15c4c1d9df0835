#!/bin/sh
# analysis.sh - checks that clang's warnings, clang-tidy and cppcheck report nothing that analysis.txt
# does not explain.  Prints TAP.  Tools that are not installed are skipped; a tool that could not run
# fails.
#
# Run it in the top of a build tree; SRCDIR in the environment overrides the sources of this file.  What
# clang-tidy says of a source is kept in TEST_CACHE (tests/cache) until it changes, or a header.  With
# CHECK_LONG=1, its analyzer follows eleven times as many paths, and gcc -fanalyzer runs, too.  Of 30
# mistakes that were planted in the sources (double free, leaks, variables without a value, conditions
# that were negated), the analyzer found 16, with nearly four times as many paths the same ones, in 2.3 times
# the time; gcc's found 12 of these.
# shellcheck disable=SC2089,SC2090 # flags are split into words wherever they stand
set -eu
LC_ALL=C
export LC_ALL
source=$(cd "${SRCDIR:-$(dirname "$0")/..}" && pwd)
flags="-std=gnu11 -D_GNU_SOURCE -I. -I$source/include -I$source/src -DHAVE_CONFIG_H -DLOCALEDIR=\"x\" -DREGMON_BINDIR=\"/x/bin\" -DREGMON_LIBDIR=\"/x/lib\" -DREGMON_VERSION=\"x\" -DREGMON_GPROF=\"x\" $(sed -n 's/^LIBIBERTY_CPPFLAGS = //p;s/^BFD_CPPFLAGS = //p' Makefile | tr '\n' ' ')"
warnings=$(sed -n 's/^WARN_CFLAGS = //p' Makefile | sed 's/-Werror//')
count=0
failed=0 # exit status

# Prints the test result for a tool, whose output is in the file $words.
judge() { # TOOL STATUS: 0 unless the tool could not run
    count=$((count + 1))
    said=$(findings | grep -v -F -f "$known" || :)
    if [ "$2" = 0 ] && [ -z "$said" ]; then
        echo "ok $count - $1"
        return
    fi
    failed=1
    echo "not ok $count - $1"
    if [ "$2" != 0 ]; then
        echo "# could not run: status $2"
        tail -n 10 "$words" | sed 's/^/# /'
    fi
    [ -z "$said" ] || echo "$said" | sed 's/^/# /'
}

# The findings in our sources, once each, without line numbers.
findings() {
    sed -E "s|^$source/||; s/:[0-9]+:[0-9]+:/:/" "$words" |
        grep -E '^(src|include|runtime)/.*(warning|error|performance|portability):' | sort -u
}

skip() { # TOOL WHY
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
}

depth="-Xclang -analyzer-config -Xclang max-nodes=20000"
[ -z "${CHECK_LONG:-}" ] || depth=
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
known=$(mktemp)
words=$(mktemp)
results=$words.d
kept=${TEST_CACHE:-tests/cache}/analysis
mkdir -p "$kept"
export source flags kept results
trap 'rm -rf "$known" "$words" "$results"' EXIT
sed -n -E 's/^((src|include|runtime)[^|]*[^| ]) *\|.*/\1/p' "$source/tests/analysis.txt" >"$known"

# Runs a command for each source, whose name replaces @SOURCE@, several at once.  Their output goes to
# the file $words, and the largest exit status to $status.  A command that ended with status 0 is not run
# again while it, its version, its configuration and the source with its headers are the same.
for_each_source() { # COMMAND...
    rm -rf "$results"
    mkdir "$results"
    # shellcheck disable=SC2016 # the inner shell expands these
    printf '%s\n' "$source"/src/*/*.c "$source"/runtime/*.c "$source"/runtime/boards/*.c | xargs -P "$jobs" -I @SOURCE@ sh -c '
        file=$1 name=$results/$(echo "$1" | tr / _)
        shift
        status=0 key=
        if gcc -E -C $flags "$file" >"$name.i" 2>/dev/null; then
            key=$({ echo "$@" && "$1" --version; } | cat - "$source/.clang-tidy" "$name.i" | sha256sum)
            key=$kept/${key%% *}
        fi
        if [ -f "$key" ]; then
            cat "$key" >"$name.words"
            touch "$key"
        else
            "$@" >"$name.words" 2>&1 || status=$?
            [ $status != 0 ] || [ -z "$key" ] || { cat "$name.words" >"$key.$$" && mv "$key.$$" "$key"; }
        fi
        rm -f "$name.i"
        echo "$status" >"$name.status"' sh @SOURCE@ "$@"
    cat "$results"/*.words >"$words"
    status=$(sort -n "$results"/*.status | tail -n 1)
}

compiles_nothing() { # FLAG...
    gcc "$@" -x c -c -o /dev/null /dev/null 2>/dev/null
}

if [ -z "${CHECK_LONG:-}" ] || ! command -v gcc >/dev/null; then
    skip "gcc -fanalyzer" "not installed, or without CHECK_LONG=1"
elif compiles_nothing && ! compiles_nothing -fanalyzer; then
    skip "gcc -fanalyzer" "this gcc has none"
else
    # shellcheck disable=SC2086 # one word for each flag
    for_each_source gcc -O1 -fanalyzer $flags -c -o /dev/null @SOURCE@
    judge "gcc -fanalyzer" $status
fi
if command -v clang-tidy >/dev/null; then
    # shellcheck disable=SC2086
    for_each_source clang-tidy --quiet --config-file="$source/.clang-tidy" @SOURCE@ -- $flags $warnings -Wno-unknown-warning-option $depth
    # With status 1 it has found something, or has not started.
    if [ $status = 1 ] && [ -n "$(findings)" ]; then
        status=0
    fi
    judge clang-tidy $status
else
    skip clang-tidy "not installed"
fi
if command -v cppcheck >/dev/null; then
    status=0
    cppcheck -q -j "$jobs" --enable=warning,performance,portability --std=c11 -I "$source/include" -I "$source/src" \
        -D__x86_64__ -DHAVE_CONFIG_H -DHAVE_LIBDW -DHAVE_WRAP "$source/src" "$source/runtime" >"$words" 2>&1 || status=$?
    judge cppcheck $status
else
    skip cppcheck "not installed"
fi
echo "1..$count"
exit $failed
