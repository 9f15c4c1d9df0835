#!/bin/sh
# analysis.sh - what gcc -fanalyzer, clang-tidy and cppcheck say about the sources: nothing, but what
# analysis.txt explains.  Prints TAP; tools that are not there are skipped, and one that could not do
# its work has found nothing out.
#
# Run from the top of a build tree, with SRCDIR in the environment unless that is where this file lies.
set -eu
LC_ALL=C
export LC_ALL
source=$(cd "${SRCDIR:-$(dirname "$0")/..}" && pwd)
flags="-std=gnu11 -I. -I$source/include -DHAVE_CONFIG_H -DLOCALEDIR=\"x\" $(sed -n 's/^LIBIBERTY_CPPFLAGS = //p;s/^BFD_CPPFLAGS = //p' Makefile | tr '\n' ' ')"
count=0

# Prints the test result for a tool, whose words are in the file $words.
judge() { # TOOL STATUS: 0 unless it could not do its work
    count=$((count + 1))
    said=$(findings | grep -v -F -f "$known" || :)
    if [ "$2" != 0 ]; then
        echo "not ok $count - $1"
        echo "# could not run: status $2"
        tail -n 10 "$words" | sed 's/^/# /'
    elif [ -z "$said" ]; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
    fi
    [ -z "$said" ] || echo "$said" | sed 's/^/# /'
}

# What was found in our sources, once each, without the numbers of lines.
findings() {
    sed -E "s|^$source/||; s/:[0-9]+:[0-9]+:/:/" "$words" |
        grep -E '^(src|include)/.*(warning|error|performance|portability):' | sort -u
}

skip() { # TOOL WHY
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
}

known=$(mktemp)
words=$(mktemp)
trap 'rm -f "$known" "$words"' EXIT
sed -n -E 's/^((src|include)[^|]*[^| ]) *\|.*/\1/p' "$source/tests/analysis.txt" >"$known"

compiles_nothing() { # FLAG...
    gcc "$@" -x c -c -o /dev/null /dev/null 2>/dev/null
}

if ! command -v gcc >/dev/null; then
    skip "gcc -fanalyzer" "not installed"
elif compiles_nothing && ! compiles_nothing -fanalyzer; then
    skip "gcc -fanalyzer" "this gcc has none"
else
    status=0
    # shellcheck disable=SC2086 # one word for each flag
    for file in "$source"/src/*/*.c; do
        gcc -O1 -fanalyzer $flags -c -o /dev/null "$file" 2>&1 || status=$?
    done >"$words"
    judge "gcc -fanalyzer" $status
fi
if command -v clang-tidy >/dev/null; then
    status=0
    # shellcheck disable=SC2086
    clang-tidy --quiet --config-file="$source/.clang-tidy" "$source"/src/*/*.c -- $flags >"$words" 2>&1 || status=$?
    # With status 1 it has found something, or has not begun.
    if [ $status = 1 ] && [ -n "$(findings)" ]; then
        status=0
    fi
    judge clang-tidy $status
else
    skip clang-tidy "not installed"
fi
if command -v cppcheck >/dev/null; then
    status=0
    cppcheck -q --enable=warning,performance,portability --std=c11 -I "$source/include" \
        -DHAVE_CONFIG_H -DHAVE_LIBDW -DHAVE_WRAP "$source/src" >"$words" 2>&1 || status=$?
    judge cppcheck $status
else
    skip cppcheck "not installed"
fi
echo "1..$count"
