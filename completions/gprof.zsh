#compdef @COMMAND@
# Completion of @COMMAND@ for zsh.  The texts are those of `@COMMAND@ --help'.

local -a formats styles
formats=(auto magic bsd 4.4bsd)
styles=(auto gnu-v3 java gnat dlang rust none)

_arguments -s -S \
  '(-p --flat-profile)'{-p-,--flat-profile=-}'[print the flat profile]::spec' \
  '(-P --no-flat-profile)'{-P-,--no-flat-profile=-}'[print no flat profile, or one without this]::spec' \
  '*'{-q-,--graph=-}'[print the call graph]::spec' \
  '*'{-Q-,--no-graph=-}'[print no call graph, or one without this]::spec' \
  '-B[print the call graph]' \
  '(-r --function-ordering)'{-r,--function-ordering}'[suggest an order to link functions in]' \
  '(-R --file-ordering)'{-R+,--file-ordering=}'[suggest an order to link object files in]:map:_files' \
  '(-s --sum)'{-s,--sum}'[add the profiles up]' \
  '*'{-C-,--exec-counts=-}'[print execution counts]::spec' \
  '*'{-Z-,--no-exec-counts=-}'[print no execution counts, or those without this]::spec' \
  '*'{-A-,--annotated-source=-}'[print sources with execution counts]::spec' \
  '*'{-J-,--no-annotated-source=-}'[print no sources, or those without this]::spec' \
  '(-i --file-info)'{-i,--file-info}'[print what each profile holds]' \
  '(-l --line)'{-l,--line}'[count source lines instead of functions]' \
  '(-a --no-static)'{-a,--no-static}'[leave out static functions]' \
  '(-D --ignore-non-functions)'{-D,--ignore-non-functions}'[leave out symbols not known as functions]' \
  '(-c --static-call-graph)'{-c,--static-call-graph}'[find calls that were never made, too]' \
  '*-k+[leave out calls]:from/to' \
  '*'{-n+,--time=}'[propagate only the time of this]:spec' \
  '*'{-N+,--no-time=}'[do not propagate the time of this]:spec' \
  '*-e+[leave this out of the call graph]:function' \
  '*-E+[leave this and its time out of the call graph]:function' \
  '*-f+[print the call graph of this]:function' \
  '*-F+[print the call graph of this and count its time only]:function' \
  '(-z --display-unused-functions)'{-z,--display-unused-functions}'[list unused functions, too]' \
  '(-b --brief)'{-b,--brief}'[print no explanations]' \
  '(-T --traditional)'{-T,--traditional}'[use the layout of BSD gprof]' \
  '(-L --print-path)'{-L,--print-path}'[print whole paths of source files]' \
  '--inline-file-names[print file and line after each function]' \
  '(-w --width)'{-w+,--width=}'[width of the function index]:columns' \
  '*'{-I+,--directory-path=}'[look for sources there]:directories:_dir_list' \
  '(-x --all-lines)'{-x,--all-lines}'[annotated source: counts on all lines with code]' \
  '(-y --separate-files)'{-y,--separate-files}'[annotated source: a file for each]' \
  '(-t --table-length)'{-t+,--table-length=}'[annotated source: rows of the table]:number' \
  '(-m --min-count)'{-m+,--min-count=}'[annotated source: fewer are shown as #####]:number' \
  '--demangle=-[print names as they are written]::style:($styles)' \
  '--no-demangle[print names as the linker sees them]' \
  '--per-file[compare the profiles with each other]' \
  '(-o --output)'{-o+,--output=}'[name of the sum]:file:_files' \
  '--files-from=[read the names of profiles from a file]:file:_files' \
  '--null[these names end in NUL]' \
  '--skip-bad[leave out profiles that cannot be used]' \
  '--jobs=[read with so many processes]:number' \
  '--quiet[show no progress]' \
  '(-S --external-symbol-table)'{-S+,--external-symbol-table=}'[take symbols from a file]:file:_files' \
  '(-O --file-format)'{-O+,--file-format=}'[format of profiles]:format:($formats)' \
  '(-d --debug)'{-d-,--debug=-}'[trace what is worked out]::number' \
  '(-h --help)'{-h,--help}'[print a summary of the options]' \
  '(-v --version)'{-v,--version}'[print the version]' \
  '1:image:_files' \
  '*:profile:_files'
