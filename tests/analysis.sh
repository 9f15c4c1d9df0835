#!/bin/sh
# analysis.sh - what gcc -fanalyzer, clang-tidy and cppcheck say about the sources: nothing, but what
# analysis.txt explains.  Prints TAP; tools that are not there are skipped.
#
# Run from the top of a build tree, with SRCDIR in the environment unless that is where this file lies.
set -eu
LC_ALL=C
export LC_ALL
source=${SRCDIR:-$(cd "$(dirname "$0")/.." && pwd)}
flags="-std=gnu11 -I. -I$source/include -DHAVE_CONFIG_H -DLOCALEDIR=\"x\" $(sed -n 's/^LIBIBERTY_CPPFLAGS = //p;s/^BFD_CPPFLAGS = //p' Makefile | tr '\n' ' ')"
count=0

# Prints the test result for a tool, whose words are in the file $words.
judge() { # TOOL
    count=$((count + 1))
    said=$(sed -E 's|^.*/src/|src/|; s/:[0-9]+:[0-9]+:/:/' "$words" | grep -E '^src/.*(warning|error|performance|portability):' | sort -u |
        grep -v -F -f "$known" || :)
    if [ -z "$said" ]; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        echo "$said" | sed 's/^/# /'
    fi
}

skip() { # TOOL
    count=$((count + 1))
    echo "ok $count - $1 # SKIP not installed"
}

known=$(mktemp)
words=$(mktemp)
trap 'rm -f "$known" "$words"' EXIT
sed -n 's/^\(src[^|]*[^| ]\) *|.*/\1/p' "$source/tests/analysis.txt" >"$known"

# shellcheck disable=SC2086 # one word for each flag
if gcc -fanalyzer -x c -c -o /dev/null /dev/null 2>/dev/null; then
    for file in "$source"/src/*.c; do
        gcc -O1 -fanalyzer $flags -c -o /dev/null "$file" 2>&1 || :
    done >"$words"
    judge "gcc -fanalyzer"
else
    skip "gcc -fanalyzer"
fi
# shellcheck disable=SC2086
if command -v clang-tidy >/dev/null; then
    clang-tidy --quiet --config-file="$source/.clang-tidy" "$source"/src/*.c -- $flags \
        >"$words" 2>/dev/null || :
    judge clang-tidy
else
    skip clang-tidy
fi
if command -v cppcheck >/dev/null; then
    cppcheck -q --enable=warning,performance,portability --std=c11 -I "$source/include" \
        -DHAVE_CONFIG_H -DHAVE_LIBDW -DHAVE_WRAP "$source/src" >"$words" 2>&1 || :
    judge cppcheck
else
    skip cppcheck
fi
echo "1..$count"
