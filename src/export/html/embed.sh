#!/bin/sh
# embed.sh - prints a C file with the parts of the page as arrays: template, style and script.
# SPDX-License-Identifier: GPL-3.0-or-later
#
#     embed.sh DIRECTORY            the C file
#     embed.sh DIRECTORY --script   only the script
#
# The modules, each after those that it imports, become one script: each is a function of its own, its
# exports are members of an object, and its imports are taken from such objects.  An import is one line.
set -eu
dir=$1
modules='data format dom app rows overview table graph flame source compare main'

module() { # NAME
    awk -v name="$1" '
        BEGIN { print "(() => {" }
        /^import / {
            match($0, /\{.*\}/)
            names = substr($0, RSTART, RLENGTH)
            match($0, /\.\/[a-z]*\.js/)
            print "const " names " = modules." substr($0, RSTART + 2, RLENGTH - 5) ";"
            next
        }
        /^export / {
            sub(/^export /, "")
            match($0, /^(const|function|class) [A-Za-z_]+/)
            declared = substr($0, RSTART, RLENGTH)
            sub(/^[a-z]* /, "", declared)
            exports = exports " " declared ","
        }
        { print }
        END { print "modules." name " = {" exports " };\n})();" }' "$dir/$1.js"
}

script() {
    echo "'use strict';"
    echo 'const modules = {};'
    for name in $modules; do
        module "$name"
    done
}

array() { # NAME: of standard input
    echo
    echo "const unsigned char page_$1[] = {"
    od -A n -v -t u1 | sed 's/[0-9][0-9]*/&,/g'
    echo '};'
    echo "const size_t page_$1_size = sizeof page_$1;"
}

if [ "${2:-}" = --script ]; then
    script
    exit
fi
echo '/* page_files.c - the parts of the page; made from the files of src/export/html by embed.sh.  */'
echo '/* SPDX-License-Identifier: GPL-3.0-or-later */'
echo
echo '#include "export/page.h"'
array template <"$dir/page.html"
array style <"$dir/style.css"
script | array script
