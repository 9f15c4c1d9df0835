#!/bin/sh
# slowest.sh LOG... - the tests that took most processor time, by the last lines of their output.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
costs=$(cat -- "$@" /dev/null | sed -n -E 's/^# ([^ ]+: [0-9]+ checks, [0-9.]+ s)$/\1/p' | sort -t, -k2,2nr)
[ -n "$costs" ] || exit 0
echo "$costs" | awk '{ all += $(NF - 1) } END { printf "%d tests, %.0f s of processor time; most of it:\n", NR, all }'
echo "$costs" | head -n 10
