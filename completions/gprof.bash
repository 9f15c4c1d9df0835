# Completion of @COMMAND@ for bash.  The options are those of `@COMMAND@ --help'.

_regprof_options='
    -A --annotated-source -a --no-static -B -b --brief -C --exec-counts -c --static-call-graph
    -D --ignore-non-functions -d --debug --demangle -E -e -F -f --files-from -h --help
    -I --directory-path -i --file-info --inline-file-names -J --no-annotated-source --jobs -k
    -L --print-path -l --line -m --min-count -N --no-time -n --time --no-demangle --null
    -O --file-format -o --output -P --no-flat-profile -p --flat-profile --per-file
    -Q --no-graph -q --graph --quiet -R --file-ordering -r --function-ordering
    -S --external-symbol-table -s --sum --skip-bad --strict -T --traditional -t --table-length
    -v --version -w --width -x --all-lines -y --separate-files -Z --no-exec-counts
    -z --display-unused-functions'

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
    -I | --directory-path)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -d -- "$word")
        return
        ;;
    -e | -E | -f | -F | -k | -n | --time | -N | --no-time | -m | --min-count | -t | --table-length | \
        -w | --width | --jobs)
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
