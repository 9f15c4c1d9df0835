# The functions that do the profiling are left out of the flat profile and the call graph.
        .include "macros.inc"
        .text
        function main, 0x20
        function work, 0x20
        function mcount, 0x20
        function _mcount, 0x20
        function __mcount, 0x20
        function _gprof_mcount, 0x20
        function __mcount_internal, 0x20
        function __mcleanup, 0x20
        padding
