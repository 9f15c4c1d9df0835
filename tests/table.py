#!/usr/bin/env python3
"""--top on a terminal: no line is longer than the terminal, and nothing else changes."""

import sys

sys.dont_write_bytecode = True

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

from lib import elf, harness
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, write

ENV = {name: value for name, value in harness.ENV.items() if name != "COLUMNS"}
START = 0x1000
SIZE = 0x40
NAMES = [
    "main",
    "_ZNSt6vectorIiSaIiEE9push_backERKi",
    "_Z5scaleI6squareEvRT_d",
    '"Stra\\xc3\\x9fenbahnverbindungen_und_noch_viel_mehr_\\xc3\\xa4\\xc3\\xb6\\xc3\\xbc"',
    "x" * 300,
    "short",
]
SAMPLES = [2000, 700, 60, 41, 7, 0]


def make():
    lines = ["text %#x" % START] + ["function %s %#x" % (name, SIZE) for name in NAMES]
    write(os.path.join(TEMP, "image"), elf.parse("\n".join(lines) + "\n").bytes())
    bins = {i * SIZE // 4 + 1: count for i, count in enumerate(SAMPLES)}
    histogram = Histogram(START, START + len(NAMES) * SIZE, len(NAMES) * SIZE // 4, bins)
    arcs = [("arc", START + 8, START + i * SIZE, 10 * i) for i in range(1, len(NAMES))]
    write(os.path.join(TEMP, "gmon.out"), Profile(Layout(64, "little"), [histogram] + arcs).bytes())


def run(words, **environment):
    command = [harness.GPROF] + words + ["image", "gmon.out"]
    return harness.run(command, TEMP, dict(ENV, **environment))


def run_on_terminal(words, width, **environment):
    """What a terminal of that width shows, as text."""
    master, slave = pty.openpty()
    settings = termios.tcgetattr(slave)
    settings[1] &= ~termios.OPOST
    termios.tcsetattr(slave, termios.TCSANOW, settings)
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    command = [harness.GPROF] + words + ["image", "gmon.out"]
    process = subprocess.Popen(command, cwd=TEMP, env=dict(ENV, **environment), stdout=slave, stderr=subprocess.PIPE)
    os.close(slave)
    out = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        out += part
    os.close(master)
    process.communicate()
    return out.decode()


def widest(text):
    return max(len(line) for line in text.splitlines())


def main():
    tap = harness.Tap()
    make()
    whole = run(["--top"])[1].decode()
    tap.ok("x" * 300 in whole and "push_back(int const&)" in whole, "names are whole in a file", whole)

    lists = [
        "self%,self,error,total,least,most,calls,name",
        "name,self",
        "raw,name",
        "name,raw,calls,raw",
        "self,name,file",
    ]
    too_wide, cut = [], 0
    for columns in lists:
        for width in list(range(59, 100)) + [200, 330]:
            text = run_on_terminal(["--top", "--columns=" + columns], width)
            cut += "..." in text
            if widest(text) > width:
                too_wide.append("%d: %s" % (width, columns))
    tap.ok(not too_wide, "no line is longer than the terminal", "\n".join(too_wide))
    tap.ok(cut > 100, "since names are cut")

    text = run_on_terminal(["--top", "--columns=name,self"], 30)
    tap.ok(re.search(r"^x{10}\.\.\.x{10}   0\.07$", text, re.M), "in the middle", text)
    tap.ok("Straßenba...mehr_äöü" in run_on_terminal(["--top", "--columns=self,name"], 27), "by characters, not by bytes")
    narrow = run_on_terminal(["--top"], 20)
    numbers = [line[:47] for line in whole.splitlines()[:7]]
    tap.ok([line[:47] for line in narrow.splitlines()[:7]] == numbers, "numbers are never cut", narrow)
    for words, what in (
        (["--top", "--names=full"], "--names=full never cuts"),
        (["--top", "--columns=self,calls"], "a table without names does not change"),
    ):
        text = run_on_terminal(words, 60)
        tap.ok(text == run(words)[1].decode(), what, text)
    tap.ok(run_on_terminal(["--top"], 400) == whole, "a wide terminal shows what a file has")
    tap.ok(widest(run_on_terminal(["--top"], 100, COLUMNS="70")) <= 70, "COLUMNS counts more than the terminal's own width")
    tap.ok(run_on_terminal(["--top"], 0) == whole, "a terminal without a width")
    tap.ok(run_on_terminal(["--top"], 80, COLUMNS="wide") == run_on_terminal(["--top"], 80), "COLUMNS that is no number")
    tap.ok(run(["--top"], COLUMNS="40")[1].decode() == whole, "COLUMNS does not count in a file")
    flat = run(["-b", "-p"])[1].decode()
    tap.ok(run_on_terminal(["-b", "-p"], 40) == flat, "other reports do not depend on the terminal")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
