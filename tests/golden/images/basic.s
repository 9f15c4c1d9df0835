# A program of two files with what a symbol table can hold.
        .include "macros.inc"
        .file   1 "/src/a.c"
        .file   2 "/src/sub/b.c"
        .text
.Llow:
        lined   main, 0x10, 1, 10
        lined   alpha, 0x18, 1, 20
# Odd sizes and addresses.
        lined   beta, 9, 1, 30
        .skip   1, 0x90
        lined   gamma, 0x10, 1, 40, local
        .skip   14, 0x90
        lined   helper, 0x10, 1, 50, local
        lined   shared, 0x10, 2, 10, local
        lined   delta, 0x10, 2, 20
# One address, two names.
        symbol_here twin_b
        symbol_here twin_a
        line_of 2, 30, 0x20
        symbol_here _under
        symbol_here under
        line_of 2, 34, 0x20
        symbol_here __two
        symbol_here _one
        line_of 2, 38, 0x20
        symbol_here local_twin, local
        symbol_here global_twin
        line_of 2, 42, 0x20
        symbol_here plain_label, globl, STT_NOTYPE
        symbol_here function_twin
        line_of 2, 46, 0x20
# Not functions.
        symbol_here global_label, globl, STT_NOTYPE
        line_of 2, 50, 0x20
        symbol_here local_label, local, STT_NOTYPE
        line_of 2, 54, 0x20
        symbol_here name.with.dots, local, STT_NOTYPE
        line_of 2, 58, 0x10
        symbol_here name$with$dollars, local, STT_NOTYPE
        line_of 2, 60, 0x10
        lined   mcount, 0x10, 2, 70
        lined   leaf, 0x10, 2, 80
        lined   never, 0x10, 2, 90
        lined   weak_one, 0x10, 2, 100
        .weak   weak_one
        lined   _lead, 0x10, 2, 110
.Lhigh:
        padding
        debug_unit .Llow, .Lhigh
