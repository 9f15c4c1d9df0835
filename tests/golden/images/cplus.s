# Names as C++ compilers make them.
        .include "macros.inc"
        .text
        function main, 0x20
        function _Z6squarei, 0x20
        function _ZN5shape4areaEv, 0x20
        function _ZN5shapeC1ERKS_, 0x20
        function _Z3maxIdET_S0_S0_, 0x20
        function _ZNSt6vectorIiSaIiEE9push_backERKi, 0x20
        function _ZL6hiddenPKc, 0x20, local
        function _Znot_really_mangled, 0x20
        padding
