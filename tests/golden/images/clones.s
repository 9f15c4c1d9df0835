# What compilers make of functions: clones and parts, and Rust's names.
        .include "macros.inc"
        .text
        function main, 0x20
        function sort, 0x20, local
        function sort.isra.0, 0x20, local
        function sort.part.0, 0x20, local
        function sort.constprop.0, 0x20, local
        function sort.cold, 0x20, local
        function sort.lto_priv.0, 0x20, local
        function drop$LT$u8$GT$, 0x20, local
        function after, 0x20
        padding
