# Twenty functions of 0x20 bytes without line numbers: paper to draw call graphs on.
        .include "macros.inc"
        .text
        function main, 0x20
        .irp    letter, a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r
        function \letter, 0x20
        .endr
        function statically, 0x20, local
        padding
