# Completion of @COMMAND@ for fish.  The texts follow `@COMMAND@ --help'.

# The functions of the image on the command line, or of a.out; of C++ functions, the names without
# parameters.
function __regprof_functions
    set -l image a.out
    for word in (commandline -opc)[2..-1]
        if not string match -q -- '-*' $word; and test -f $word -a -x $word
            set image $word
            break
        end
    end
    nm --defined-only --demangle -- $image 2>/dev/null |
        sed -n 's/^[0-9a-f]* [TtWw] //; s/(.*//; /^[A-Za-z0-9_.:~]*$/p' | sort -u
end

# Both sides of a pair.
function __regprof_pairs
    set -l caller (string match -r -- '[^/=]*/' (commandline -ct) | string replace -r '^-k' '')
    __regprof_functions | string replace -r '^' "$caller"
end

complete -c @COMMAND@ -s p -l flat-profile -a '(__regprof_functions)' -d 'print the flat profile'
complete -c @COMMAND@ -s P -l no-flat-profile -a '(__regprof_functions)' -d 'no flat profile'
complete -c @COMMAND@ -s q -l graph -a '(__regprof_functions)' -d 'print the call graph'
complete -c @COMMAND@ -s Q -l no-graph -a '(__regprof_functions)' -d 'no call graph'
complete -c @COMMAND@ -s B -d 'print the call graph'
complete -c @COMMAND@ -s r -l function-ordering -d 'suggest a link order for functions'
complete -c @COMMAND@ -s R -l file-ordering -r -F -d 'suggest a link order for object files'
complete -c @COMMAND@ -s s -l sum -d 'write the sum of the profiles'
complete -c @COMMAND@ -s C -l exec-counts -a '(__regprof_functions)' -d 'print execution counts'
complete -c @COMMAND@ -s Z -l no-exec-counts -a '(__regprof_functions)' -d 'no execution counts'
complete -c @COMMAND@ -s A -l annotated-source -a '(__regprof_functions)' -d 'print annotated source'
complete -c @COMMAND@ -s J -l no-annotated-source -a '(__regprof_functions)' -d 'no annotated source'
complete -c @COMMAND@ -s i -l file-info -d 'list what each profile contains'

complete -c @COMMAND@ -s l -l line -d 'report source lines instead of functions'
complete -c @COMMAND@ -s a -l no-static -d 'ignore symbols of static functions'
complete -c @COMMAND@ -s D -l ignore-non-functions -d 'ignore local symbols that are not functions'
complete -c @COMMAND@ -s c -l static-call-graph -d 'include calls found in the code but never executed'
complete -c @COMMAND@ -s k -x -a '(__regprof_pairs)' -d 'exclude calls from/to'
complete -c @COMMAND@ -s n -l time -x -a '(__regprof_functions)' -d 'count only the time of this and its callees'
complete -c @COMMAND@ -s N -l no-time -x -a '(__regprof_functions)' -d 'do not count the time of this'
complete -c @COMMAND@ -s e -x -a '(__regprof_functions)' -d 'exclude this from the call graph'
complete -c @COMMAND@ -s E -x -a '(__regprof_functions)' -d 'exclude this and its time from the call graph'
complete -c @COMMAND@ -s f -x -a '(__regprof_functions)' -d 'print only this and its descendants'
complete -c @COMMAND@ -s F -x -a '(__regprof_functions)' -d 'print only this and its descendants, and count only their time'
complete -c @COMMAND@ -s z -l display-unused-functions -d 'include functions with no calls and no time'

complete -c @COMMAND@ -s b -l brief -d 'print no explanations'
complete -c @COMMAND@ -s T -l traditional -d 'use the layout of BSD gprof'
complete -c @COMMAND@ -s L -l print-path -d 'print full paths of source files'
complete -c @COMMAND@ -l inline-file-names -d 'print file and line after each function'
complete -c @COMMAND@ -s w -l width -x -d 'width of the function index'
complete -c @COMMAND@ -s I -l directory-path -x -a '(__fish_complete_directories)' -d 'search these directories for sources'
complete -c @COMMAND@ -l source-map -x -d 'search sources named OLD/... as NEW/...'
complete -c @COMMAND@ -s x -l all-lines -d 'annotated source: annotate every line with code'
complete -c @COMMAND@ -s y -l separate-files -d 'annotated source: write each file to NAME-ann'
complete -c @COMMAND@ -s t -l table-length -x -d 'annotated source: length of the table of lines'
complete -c @COMMAND@ -s m -l min-count -x -d 'annotated source: print ##### for counts below this'
complete -c @COMMAND@ -l demangle -a 'auto gnu-v3 java gnat dlang rust none' -d 'demangle names'
complete -c @COMMAND@ -l no-demangle -d 'print mangled names'

complete -c @COMMAND@ -l top -d 'print the table of functions'
complete -c @COMMAND@ -l columns -x -a '(__fish_append , self self% cumulative% total total% total-error least most calls self/call total/call samples error callers callees cycle file line address name raw before after after-error change change% p total-before total-after total-change total-change% total-p calls-before calls% self-calls-before self-calls kind moved-from took-over)' -d 'print these columns'
complete -c @COMMAND@ -l sort -x -a '(__fish_append , self self% cumulative% total total% total-error least most calls self/call total/call samples error callers callees cycle file line address name raw before after after-error change change% p total-before total-after total-change total-change% total-p calls-before calls% self-calls-before self-calls kind moved-from took-over)' -d 'sort by these columns'
complete -c @COMMAND@ -l stacks -d 'measure times by call stacks'
complete -c @COMMAND@ -l force -d 'use profiles of another build'
complete -c @COMMAND@ -l open -d 'show the page in a browser'
complete -c @COMMAND@ -l explain -d 'explain tables, also on a terminal'
complete -c @COMMAND@ -l no-stacks -d 'estimate times from calls'
complete -c @COMMAND@ -l fold-libraries -d 'fold the functions of each library'
complete -c @COMMAND@ -l by -x -a 'function line file object thread program process' -d 'one row per function, line, file, object, thread, program or process'
complete -c @COMMAND@ -l min-share -x -d 'omit rows with a smaller share of the time'
complete -c @COMMAND@ -l focus -x -d 'print only rows whose name matches'
complete -c @COMMAND@ -l hide -x -d 'omit rows whose name matches'
complete -c @COMMAND@ -l color -a 'auto always never' -d 'colour rows'
complete -c @COMMAND@ -l names -x -a 'full short raw' -d 'print names in this style'
complete -c @COMMAND@ -l callers -x -a '(__regprof_functions)' -d 'print the tree of the callers of a function'
complete -c @COMMAND@ -l callees -x -a '(__regprof_functions)' -d 'print the tree of what a function calls'
complete -c @COMMAND@ -l tree -a '(__regprof_functions)' -d 'print the tree of calls, or of callers of a function'
complete -c @COMMAND@ -l code -a '(__regprof_functions)' -d 'print source with time, of a function or as many'
complete -c @COMMAND@ -l asm -d 'print machine code below source lines'
complete -c @COMMAND@ -l disassembler-options -x -d 'how to disassemble'
complete -c @COMMAND@ -l depth -x -d 'print only this many levels of the tree'

complete -c @COMMAND@ -l format -x -a 'text tsv csv markdown json html benchmark callgrind dot folded speedscope pprof call-graph-order symbol-order section-order' -d 'format'
complete -c @COMMAND@ -s o -l output -r -F -d 'write the reports, or the sum, to this file'

complete -c @COMMAND@ -l per-file -d 'compare the profiles with each other'
complete -c @COMMAND@ -l files-from -r -F -d 'read names of profiles from a file'
complete -c @COMMAND@ -l null -d 'these names end in NUL, not newline'
complete -c @COMMAND@ -l no-recurse -d 'skip directories in directories'
complete -c @COMMAND@ -l objects -r -d 'look for shared objects in these places first'
complete -c @COMMAND@ -l skip-bad -d 'skip profiles that cannot be used'

complete -c @COMMAND@ -l base -r -F -d 'compare with this file: JSON, or an executable'
complete -c @COMMAND@ -l base-profile -r -F -d 'a profile of that executable'
complete -c @COMMAND@ -l base-runs -x -d 'the base is the sum of so many runs'
complete -c @COMMAND@ -l fail-above -x -d 'exit with 3 if slower by more percent'
complete -c @COMMAND@ -l fail-calls -x -d 'exit with 3 if calls grow by more percent'
complete -c @COMMAND@ -l fail-scope -x -a 'total function both inclusive' -d 'what is judged'
complete -c @COMMAND@ -l fail-inconclusive -d 'exit with 4 if samples are too few to judge'
complete -c @COMMAND@ -l one-run -d 'judge one run a side, by chance of sampling'
complete -c @COMMAND@ -l alpha -x -d 'changes are significant below this p'
complete -c @COMMAND@ -l allow -x -d 'functions that may get slower'

complete -c @COMMAND@ -l from -x -a 'perf perf-script gperftools pprof speedscope cpuprofile callgrind json folded' -d 'read this format: perf, pprof, callgrind ...'
complete -c @COMMAND@ -l event -x -d 'read this event or value of samples'
complete -c @COMMAND@ -l value -x -d 'read this event or value of samples'
complete -c @COMMAND@ -l program -x -d 'read only this program, thread or LABEL=V'
complete -c @COMMAND@ -l thread -x -d 'read only threads of this name'
complete -c @COMMAND@ -l exact -d 'read exact counts, not samples: no errors'

complete -c @COMMAND@ -l quiet -d 'show no progress and no notes'
complete -c @COMMAND@ -l strict -d 'treat warnings as errors: print no reports'

complete -c @COMMAND@ -s S -l external-symbol-table -r -F -d 'read symbols from a file, the output of nm'
complete -c @COMMAND@ -l slide -x -d 'addresses of profiles are higher by this'
complete -c @COMMAND@ -s O -l file-format -x -a 'auto magic bsd 4.4bsd' -d 'profile format'
complete -c @COMMAND@ -s d -l debug -d 'print debug traces'
complete -c @COMMAND@ -s h -l help -d 'print the help'
complete -c @COMMAND@ -s v -s V -l version -d 'print the version'
