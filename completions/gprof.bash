# Completion of @COMMAND@ for bash.  The options are those of `@COMMAND@ --help'.

_regprof_options='
    -A --annotated-source -a --no-static -B -b --brief --by -C --exec-counts -c --static-call-graph
    --columns -D --ignore-non-functions -d --debug --demangle -E -e -F -f --files-from --focus
    --format -h --help --hide
    -I --directory-path -i --file-info --inline-file-names -J --no-annotated-source --jobs -k
    -L --print-path -l --line -m --min-count --min-share -N --no-time -n --time --names
    --no-demangle --null
    -O --file-format -o --output -P --no-flat-profile -p --flat-profile --per-file
    -Q --no-graph -q --graph --quiet -R --file-ordering -r --function-ordering
    -S --external-symbol-table -s --sum --skip-bad --sort --strict -T --traditional
    -t --table-length --top
    -v --version -w --width -x --all-lines -y --separate-files -Z --no-exec-counts
    -z --display-unused-functions'

_regprof_columns='
    self self% cumulative% total total% least most calls self/call total/call samples error callers
    callees cycle file line address name raw'

# Completes the last column of a list separated by commas; a hyphen before it is kept.
_regprof_list() {
    local last=${1##*,} hyphen=
    local before=${1%"$last"}
    [[ $last == -* ]] && hyphen=- last=${last#-}
    compopt -o nospace
    mapfile -t COMPREPLY < <(compgen -P "$before$hyphen" -W "$_regprof_columns" -- "$last")
}

_regprof() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} option
    COMPREPLY=()
    # bash divides --option=word into three.
    if [[ $word == = ]]; then
        option=$before word=
    elif [[ $before == = ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    else
        option=$before
    fi
    case $option in
    -O | --file-format)
        mapfile -t COMPREPLY < <(compgen -W 'auto magic bsd 4.4bsd' -- "$word")
        return
        ;;
    --demangle)
        if [[ $before == = || ${COMP_WORDS[COMP_CWORD]} == = ]]; then
            mapfile -t COMPREPLY < <(compgen -W 'auto gnu-v3 java gnat dlang rust none' -- "$word")
            return
        fi
        ;;
    --columns | --sort)
        _regprof_list "$word"
        return
        ;;
    --by)
        mapfile -t COMPREPLY < <(compgen -W 'function line file' -- "$word")
        return
        ;;
    --format)
        mapfile -t COMPREPLY < <(compgen -W 'text tsv csv markdown json' -- "$word")
        return
        ;;
    --names)
        mapfile -t COMPREPLY < <(compgen -W 'full short raw' -- "$word")
        return
        ;;
    -I | --directory-path)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -d -- "$word")
        return
        ;;
    -e | -E | -f | -F | -k | -n | --time | -N | --no-time | -m | --min-count | -t | --table-length | \
        -w | --width | --jobs | --min-share | --focus | --hide)
        return
        ;;
    esac
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$_regprof_options" -- "$word")
    else
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}

complete -F _regprof @COMMAND@
