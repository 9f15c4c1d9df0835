# A single function: the last symbol's end is all there is.
        .include "macros.inc"
        .text
        function main, 0x20
        function last, 0x20
