#!/bin/sh
# embed.sh - prints a C file with the page as an array: the template with its style, script and policy.
# SPDX-License-Identifier: GPL-3.0-or-later
#
#     embed.sh DIRECTORY            the C file
#     embed.sh DIRECTORY --script   only the script
#
# The modules, each after those that it imports, become one script: each is a function of its own, its
# exports are members of an object, and its imports are taken from such objects.  An import is one line.
# Lines that are only a comment are left out, and so is indentation (no text goes over several lines).
# The policy allows only the style and the script with these hashes.
set -eu
dir=$1
modules='data format dom app rows stacks icicle compare overview table flame threads graph source main'

module() { # NAME
    awk -v name="$1" '
        BEGIN { print "(() => {" }
        is_comment || /^ *\/\*/ && !/\*\// { is_comment = !/\*\/$/; next }
        /^ *(\/\/|\/\*.*\*\/$|$)/ { next }
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
        { sub(/^ +/, ""); print }
        END { print "modules." name " = {" exports " };\n})();" }' "$dir/$1.js"
}

script() {
    echo '// The script of a page by regprof; its sources, with comments, are in src/export/html.'
    echo '// SPDX-License-Identifier: GPL-3.0-or-later'
    echo "'use strict';"
    echo 'const modules = {};'
    for name in $modules; do
        module "$name"
    done
}

# Without indentation and empty lines.
style() {
    sed 's/^ *//; /^$/d' "$dir/style.css"
}

# The SHA-256 of standard input in base64.
hash() {
    if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | awk '
        function digit(i) { return index("0123456789abcdef", substr($1, i, 1)) - 1 }
        function letter(bits) { return substr(letters, bits + 1, 1) }
        BEGIN {
            letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
            size = 64 # digits
        }
        length($1) == size {
            for (i = 1; i < size; i += 3) {
                bits = digit(i) * 256 + digit(i + 1) * 16 + digit(i + 2)
                printf "%s%s", letter(int(bits / 64)), letter(bits % 64)
            }
            printf "%s=", letter(digit(size) * 4)
            is_done = 1
        }
        END { exit !is_done }'
}

# What stands for @NAME@ in the template; a NUL byte for the data.
part() { # NAME
    case $1 in
    POLICY)
        printf "default-src 'none'; script-src 'sha256-%s'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'" \
            "$script_hash" "$style_hash"
        ;;
    STYLE) style ;;
    SCRIPT) script ;;
    DATA) printf '\000' ;;
    esac
}

page() {
    while IFS= read -r line; do
        case $line in
        *@*@*)
            rest=${line#*@}
            printf '%s' "${line%%@*}"
            part "${rest%%@*}"
            printf '%s\n' "${rest#*@}"
            ;;
        *) printf '%s\n' "$line" ;;
        esac
    done <"$dir/page.html"
}

if [ "${2:-}" = --script ]; then
    script
    exit
fi
script_hash=$(script | hash)
style_hash=$(style | hash)
echo '/* page_files.c - the page; made from the files of src/export/html by embed.sh.  */'
echo '/* SPDX-License-Identifier: GPL-3.0-or-later */'
echo
echo '#include "export/page.h"'
echo
echo 'const unsigned char page_template[] = {'
page | od -A n -v -t u1 | sed 's/[0-9][0-9]*/&,/g'
echo '0};'
