#!/usr/bin/env python3
"""What counting costs on boards: bytes of code, instructions of a call, bytes of memory.

Usage: bench/boards.py, in a build directory

It needs what tests/boards.py needs.  Instructions are those of calls of arcs that were called before, one after
the other, in examples/boards: each step is counted by gdb.
"""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests"))

import boards
from lib import harness

CALLS = 60
FLAGS = [
    ("mps2-an385", "ARMv7-M", ["-mcpu=cortex-m3", "-mthumb"]),
    ("mps2-an505", "ARMv8-M", ["-mcpu=cortex-m33", "-mthumb"]),
    ("microbit", "ARMv6-M", ["-mcpu=cortex-m0", "-mthumb"]),
    ("rv32", "RISC-V 32", ["-march=rv32imac", "-mabi=ilp32"]),
    ("rv64", "RISC-V 64", ["-march=rv64imac", "-mabi=lp64", "-mcmodel=medany"]),
]


def ram(pointer, text, width, bits, arcs):
    """REGMON_BOARD_RAM."""
    return 24 + 2 * pointer + (-(-text // width) + 3) // 4 * 4 * bits // 8 + arcs * (3 * pointer + 4)


def main():
    print("%-10s %10s   %s" % ("", "code, -Os", "instructions of %d calls, -Os: least, mean, most; -O2" % CALLS))
    for board, name, flags in FLAGS:
        try:
            boards.need_tools(board)
        except boards.Missing as reason:
            print("%-10s skipped: %s" % (name, reason))
            continue
        columns = []
        for level in ("-Os", "-O2"):
            steps = boards.steps_of_calls(board, boards.build(board, "bench" + level, "OPTIMIZE=" + level), CALLS)
            columns.append("%d, %.1f, %d" % (min(steps), sum(steps) / len(steps), max(steps)))
        print("%-10s %10d   %s" % (name, boards.code_size(board, flags), "; ".join(columns)))
    for text, width, arcs in ((16, 16, 300), (32, 32, 900), (64, 32, 2000)):
        size = ram(4, text * 1024, width, 16, arcs)
        print("%d kB of code, bins of %d bytes, %d arcs: %d bytes of memory" % (text, width, arcs, size))


if __name__ == "__main__":
    sys.exit(main())
