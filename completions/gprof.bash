# Completion of @COMMAND@ for bash.  The options are those of `@COMMAND@ --help'.

_regprof_options='
    -A --annotated-source -a --no-static --allow --alpha --asm -B -b --base --base-profile --base-runs
    --brief --by -C --exact --exec-counts -c --static-call-graph
    --code --color --columns -D --ignore-non-functions -d --debug --demangle --depth
    --disassembler-options -E -e --explain -F -f --fail-above
    --fail-inconclusive --fail-calls --fail-scope --files-from --focus
    --force --format --from -h --help --hide
    -I --directory-path -i --file-info --inline-file-names -J --no-annotated-source -k
    -L --print-path -l --line -m --min-count --min-share -N --no-time -n --time --names
    --no-demangle --no-recurse --no-stacks --null
    --fold-libraries --one-run --open -O --file-format --objects -o --output -P --no-flat-profile -p --flat-profile --per-file --program
    -Q --no-graph -q --graph --quiet -R --file-ordering -r --function-ordering
    -S --external-symbol-table -s --sum --skip-bad --slide --sort --source-map --stacks --strict
    -T --traditional
    -t --table-length --top --tree
    --callees --callers --thread --event --value -v -V --version -w --width -x --all-lines -y --separate-files -Z --no-exec-counts
    -z --display-unused-functions'

_regprof_columns='
    self self% cumulative% total total% total-error least most calls self/call total/call samples error callers
    callees cycle file line address name raw
    before after after-error change change% p total-before total-after total-change total-change% total-p
    calls-before calls% self-calls-before self-calls kind moved-from took-over'

# Completes the last column of a list separated by commas; a hyphen before it is kept.
_regprof_list() {
    local last=${1##*,} hyphen=
    local before=${1%"$last"}
    [[ $last == -* ]] && hyphen=- last=${last#-}
    compopt -o nospace
    mapfile -t COMPREPLY < <(compgen -P "$before$hyphen" -W "$_regprof_columns" -- "$last")
}

# Prints the functions of the image on the command line, or of a.out, by nm.
_regprof_functions() {
    local word image=a.out
    for word in "${COMP_WORDS[@]:1}"; do
        if [[ $word != -* && -f $word && -x $word ]]; then
            image=$word
            break
        fi
    done
    # Of C++ functions, the names without parameters.
    nm --defined-only --demangle -- "$image" 2>/dev/null |
        sed -n 's/^[0-9a-f]* [TtWw] //; s/(.*//; /^[A-Za-z0-9_.:~]*$/p' | sort -u
}

# Completes the function at the end of a spec, or of a pair, that follows the word's first bytes ($2).
_regprof_spec() {
    local word=$1 head=$2 name
    local spec=${word#"$head"}
    [[ $spec == */* ]] && head+=${spec%"${spec##*/}"}
    while IFS= read -r name; do
        # A colon divides words, and only what follows the last one is replaced.
        [[ $head$name == "$word"* ]] && name=$head$name && COMPREPLY+=("${name#"${word%"${word##*:}"}"}")
    done < <(_regprof_functions)
}

# The current word with the colons, at which bash divides words.
_regprof_whole_word() {
    local i=$COMP_CWORD word=${COMP_WORDS[COMP_CWORD]}
    while [[ $i -gt 1 && (${COMP_WORDS[i]} == :* || ${COMP_WORDS[i - 1]} == *:) ]]; do
        i=$((i - 1))
        word=${COMP_WORDS[i]}$word
    done
    printf '%s' "$word"
}

_regprof() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} option whole
    COMPREPLY=()
    whole=$(_regprof_whole_word)
    if [[ $whole == -[pPqQCZAJkeEfFnN]?* ]]; then
        _regprof_spec "$whole" "${whole:0:2}"
        return
    fi
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
        mapfile -t COMPREPLY < <(compgen -W 'function line file object thread program process' -- "$word")
        return
        ;;
    --format)
        mapfile -t COMPREPLY < <(compgen -W 'text tsv csv markdown json html benchmark callgrind dot folded speedscope pprof call-graph-order symbol-order section-order' -- "$word")
        return
        ;;
    --from)
        mapfile -t COMPREPLY < <(compgen -W 'perf perf-script gperftools pprof speedscope cpuprofile callgrind json folded' -- "$word")
        return
        ;;
    --fail-scope)
        mapfile -t COMPREPLY < <(compgen -W 'total function both inclusive' -- "$word")
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
    -e | -E | -f | -F | -k | -n | --time | -N | --no-time | --flat-profile | --no-flat-profile | \
        --graph | --no-graph | --callers | --callees | --tree | --code | --exec-counts | --no-exec-counts | --annotated-source | \
        --no-annotated-source)
        if [[ $option == -? || $option == --*time || $before == = || ${COMP_WORDS[COMP_CWORD]} == = ]]; then
            _regprof_spec "$word" ''
            return
        fi
        ;;
    -m | --min-count | -t | --table-length | \
        -w | --width | --source-map | --min-share | --depth | --focus | --hide | \
        --base-runs | --fail-above | --fail-calls | --alpha | --allow | \
        --disassembler-options | --event | --value | --program | --thread)
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
