#compdef @COMMAND@
# Completion of @COMMAND@ for zsh.  The texts follow `@COMMAND@ --help'.

local -a formats styles table_columns
formats=(auto magic bsd 4.4bsd)
styles=(auto gnu-v3 java gnat dlang rust none)
table_columns=(self self% cumulative% total total% total-error least most calls self/call total/call samples error
  callers callees cycle file line address name raw
  before after after-error change change% p total-before total-after total-change total-change% total-p
  calls-before calls% self-calls-before self-calls kind moved-from took-over)

# The functions of the image on the command line, or of a.out; of C++ functions, the names without
# parameters.  Of a pair, the side behind the slash.
(( $+functions[_regprof_functions] )) || _regprof_functions() {
  local image=a.out word
  local -a names
  for word in $words[2,-1]; do
    if [[ $word != -* && -f $word && -x $word ]]; then
      image=$word
      break
    fi
  done
  names=(${(f)"$(nm --defined-only --demangle -- $image 2>/dev/null |
    sed -n 's/^[0-9a-f]* [TtWw] //; s/(.*//; /^[A-Za-z0-9_.:~]*$/p' | sort -u)"})
  compset -P '*/'
  _wanted functions expl function compadd -a names
}

_arguments -s -S \
  '(-p --flat-profile)'{-p-,--flat-profile=-}'[print the flat profile]::spec:_regprof_functions' \
  '(-P --no-flat-profile)'{-P-,--no-flat-profile=-}'[no flat profile, or exclude this]::spec:_regprof_functions' \
  '*'{-q-,--graph=-}'[print the call graph]::spec:_regprof_functions' \
  '*'{-Q-,--no-graph=-}'[no call graph, or exclude this]::spec:_regprof_functions' \
  '-B[print the call graph]' \
  '(-r --function-ordering)'{-r,--function-ordering}'[suggest a link order for functions]' \
  '(-R --file-ordering)'{-R+,--file-ordering=}'[suggest a link order for object files]:map:_files' \
  '(-s --sum)'{-s,--sum}'[write the sum of the profiles]' \
  '*'{-C-,--exec-counts=-}'[print execution counts]::spec:_regprof_functions' \
  '*'{-Z-,--no-exec-counts=-}'[no execution counts, or exclude this]::spec:_regprof_functions' \
  '*'{-A-,--annotated-source=-}'[print annotated source]::spec:_regprof_functions' \
  '*'{-J-,--no-annotated-source=-}'[no annotated source, or exclude this]::spec:_regprof_functions' \
  '(-i --file-info)'{-i,--file-info}'[list what each profile contains]' \
  '(-l --line)'{-l,--line}'[report source lines instead of functions]' \
  '(-a --no-static)'{-a,--no-static}'[ignore symbols of static functions]' \
  '(-D --ignore-non-functions)'{-D,--ignore-non-functions}'[ignore local symbols that are not functions]' \
  '(-c --static-call-graph)'{-c,--static-call-graph}'[include calls found in the code but never executed]' \
  '*-k+[exclude calls]:from/to:_regprof_functions' \
  '*'{-n+,--time=}'[count only the time of this and its callees]:spec:_regprof_functions' \
  '*'{-N+,--no-time=}'[do not count the time of this]:spec:_regprof_functions' \
  '*-e+[exclude this from the call graph]:function:_regprof_functions' \
  '*-E+[exclude this and its time from the call graph]:function:_regprof_functions' \
  '*-f+[print only this and its descendants]:function:_regprof_functions' \
  '*-F+[print only this and its descendants, and count only their time]:function:_regprof_functions' \
  '(-z --display-unused-functions)'{-z,--display-unused-functions}'[include functions with no calls and no time]' \
  '(-b --brief)'{-b,--brief}'[print no explanations]' \
  '(-T --traditional)'{-T,--traditional}'[use the layout of BSD gprof]' \
  '(-L --print-path)'{-L,--print-path}'[print full paths of source files]' \
  '--inline-file-names[print file and line after each function]' \
  '(-w --width)'{-w+,--width=}'[width of the function index]:columns' \
  '*'{-I+,--directory-path=}'[search these directories for sources]:directories:_dir_list' \
  '*--source-map=[search sources named OLD/... as NEW/...]:old=new' \
  '(-x --all-lines)'{-x,--all-lines}'[annotated source: annotate every line with code]' \
  '(-y --separate-files)'{-y,--separate-files}'[annotated source: write each file to NAME-ann]' \
  '(-t --table-length)'{-t+,--table-length=}'[annotated source: length of the table of lines]:number' \
  '(-m --min-count)'{-m+,--min-count=}'[annotated source: print ##### for counts below this]:number' \
  '--demangle=-[demangle names]::style:($styles)' \
  '--no-demangle[print mangled names]' \
  '--top=-[print the table of functions]::number of rows' \
  '--columns=[print these columns]:columns:_values -s , column $table_columns' \
  '--sort=[sort by these columns]:columns:_values -s , column $table_columns -$^table_columns' \
  '--by=[one row per function, line, file, object, thread, program or process]:unit:(function line file object thread program process)' \
  '--min-share=[omit rows with a smaller share of the time]:percent' \
  '--focus=[print only rows whose name matches]:regular expression' \
  '--hide=[omit rows whose name matches]:regular expression' \
  '--color=-[colour rows]::when:(auto always never)' \
  '--names=[print names in this style]:style:(full short raw)' \
  '--stacks=-[measure times by call stacks]::file:_files' \
  '--force[use profiles of another build]' \
  '--open[show the page in a browser]' \
  '--explain[explain tables, also on a terminal]' \
  '--no-stacks[estimate times from calls]' \
  '--fold-libraries[fold the functions of each library]' \
  '*--callers=[print the tree of the callers of a function]:spec:_regprof_functions' \
  '*--callees=[print the tree of what a function calls]:spec:_regprof_functions' \
  '*--tree=-[print the tree of calls, or of callers of a function]::spec:_regprof_functions' \
  '*--code=-[print source with time, of a function or as many]::spec:_regprof_functions' \
  '--asm[print machine code below source lines]' \
  '--disassembler-options=[how to disassemble]:list' \
  '--depth=[print only this many levels of the tree]:number' \
  '--format=[format]:format:(text tsv csv markdown json html benchmark callgrind dot folded speedscope pprof call-graph-order symbol-order section-order)' \
  '(-o --output)'{-o+,--output=}'[write the reports, or the sum, to this file]:file:_files' \
  '--per-file[compare the profiles with each other]' \
  '--files-from=[read names of profiles from a file]:file:_files' \
  '--null[these names end in NUL, not newline]' \
  '--no-recurse[skip directories in directories]' \
  '--objects=[look for shared objects in these places first]:paths:_dir_list' \
  '--skip-bad[skip profiles that cannot be used]' \
  '--base=[compare with this file]:JSON, or an executable:_files' \
  '*--base-profile=[a profile of that executable]:profile:_files' \
  '--base-runs=[the base is the sum of so many runs]:number' \
  '--fail-above=[exit with 3 if slower by more]:percent' \
  '--fail-calls=[exit with 3 if calls grow by more]:percent' \
  '--fail-scope=[what is judged]:scope:(total function both inclusive)' \
  '--fail-inconclusive[exit with 4 if samples are too few to judge]' \
  '--one-run[judge one run a side, by chance of sampling]' \
  '--alpha=[changes are significant below this p]:probability' \
  '*--allow=[functions that may get slower]:regular expression' \
  '--from=[read this format: perf, pprof, callgrind ...]:format:(perf perf-script gperftools pprof speedscope cpuprofile callgrind json folded)' \
  '--event=[read this event or value of samples]:name' \
  '--value=[read this event or value of samples]:name' \
  '--program=[read only this program, thread or LABEL=V]:name' \
  '--thread=[read only threads of this name]:name' \
  '--exact[read exact counts, not samples: no errors]' \
  '--quiet[show no progress and no notes]' \
  '--strict[treat warnings as errors: print no reports]' \
  '(-S --external-symbol-table)'{-S+,--external-symbol-table=}'[read symbols from a file, the output of nm]:file:_files' \
  '--slide=[addresses of profiles are higher by this]:number:' \
  '(-O --file-format)'{-O+,--file-format=}'[profile format]:format:($formats)' \
  '(-d --debug)'{-d-,--debug=-}'[print debug traces]::number' \
  '(-h --help)'{-h,--help}'[print the help]' \
  '(-v -V --version)'{-v,-V,--version}'[print the version]' \
  '1:image, or a profile of another profiler:_files' \
  '*:profile:_files'
