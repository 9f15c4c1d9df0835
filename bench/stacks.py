#!/usr/bin/env python3
"""Measures how many call stacks of real programs are cut.

    stacks.py SOURCES [--build DIR]... [--work DIR] [PROGRAM]...

SOURCES is a directory with unpacked sources: gzip-*, bzip2-*, lua5.4-*, sqlite3-* and ninja-build-*, as `apt-get source gzip
bzip2 lua5.4 sqlite3 ninja-build' leaves them; sqlite3 needs tclsh, ninja's tests need googletest in /usr/src.  They
are compiled with -O2 -pg in a copy (--work keeps it).  Each program runs under each build tree's regmon at 1,000
samples a second.  A stack is cut if neither main nor _start is in it.
"""

import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOP, "tests"))

from lib.runtime_build import read_stacks

FLAGS = "-g -O2 -pg"


def shell(directory, *commands):
    for command in commands:
        subprocess.run(command, cwd=directory, shell=True, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def make_gzip(directory):
    shell(directory, "./configure CFLAGS='%s'" % FLAGS, "make")
    return "gzip"


def make_bzip2(directory):
    objects = "blocksort huffman crctable randtable compress decompress bzlib bzip2"
    shell(directory, "gcc %s -o bzip2 $(printf '%%s.c ' %s)" % (FLAGS, objects))
    return "bzip2"


def make_lua(directory):
    shell(directory, "echo '#define DEB_HOST_MULTIARCH \"\"' >src/lua5.4-deb-multiarch.h")
    shell(directory, "gcc %s -DLUA_USE_POSIX -o lua $(ls src/*.c | grep -v luac) -lm" % FLAGS)
    return "lua"


def make_sqlite(directory):
    shell(directory, "./configure --disable-tcl", "make sqlite3.c shell.c", "gcc %s -o shell shell.c sqlite3.c -lm -ldl -lpthread" % FLAGS)
    return "shell"


def make_ninja(directory):
    tests = "g++ %s -std=c++14 -w -Isrc -I/usr/src/googletest/googletest/include -I/usr/src/googletest/googletest" % FLAGS
    left_out = "-e win32 -e browse -e perftest -e /ninja.cc -e hash_collision -e getopt -e msvc -e includes_normalize -e in.cc"
    sources = "$(ls src/*.cc | grep -v %s)" % left_out
    shell(directory, "for f in %s; do %s -c $f || exit; done" % (sources, tests))
    shell(directory, tests + " -o ninja_test *.o /usr/src/googletest/googletest/src/gtest-all.cc -lpthread")
    return "ninja_test"


def make_words(directory):
    shell(directory, "g++ %s -o words %s" % (FLAGS, os.path.join(TOP, "bench", "words.cpp")))
    return "words"


SQL = """create table t(a integer primary key, b text, c real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 400000)
  insert into t select i, printf('%d %x', i * 7919 % 100003, i), i * 1.5 from n;
create index ib on t(b);
select count(*), sum(c), avg(length(b)) from t where b like '%9%';
select b, count(*) from t group by substr(b, 1, 2) order by 2 desc limit 5;
"""
LUA = """local t = {}
for i = 1, 300000 do t[i] = string.format("%d %s", i * 7919 % 100003, tostring(i)) end
table.sort(t)
local n = 0
for _, s in ipairs(t) do for w in s:gmatch("%d+") do n = n + #w end end
local s = table.concat(t, ","):gsub("9", "nine")
print(n, #s)
"""

# Name: how it is made, arguments, input: `text' or what is written there.
PROGRAMS = {
    "gzip": (make_gzip, ["-9"], "text"),
    "bzip2": (make_bzip2, ["-9"], "text"),
    "sqlite3": (make_sqlite, [":memory:"], SQL),
    "lua5.4": (make_lua, ["-"], LUA),
    "words": (make_words, [], "text"),
    "ninja-build": (make_ninja, [], ""),
}


def prepared(name, sources, work):
    """The path of the compiled program."""
    directory, done = os.path.join(work, name), os.path.join(work, name + ".done")
    if not os.path.exists(done):
        found = sorted(glob.glob(os.path.join(sources, name + "-*/")))
        if found:
            shutil.copytree(found[0], directory)
        else:
            os.mkdir(directory)
        program = PROGRAMS[name][0](directory)
        with open(done, "w", encoding="ascii") as file:
            file.write(program)
    with open(done, encoding="ascii") as file:
        return os.path.join(directory, file.read())


def text_input():
    """Some 20 MB, which are the sources of this project, repeated."""
    files = sorted(glob.glob(os.path.join(TOP, "src", "*", "*.c")) + glob.glob(os.path.join(TOP, "doc", "*.texi")))
    text = b"".join(open(path, "rb").read() for path in files)
    return text * (20_000_000 // len(text) + 1)


def share_cut(build, program, arguments, given):
    """Samples of three runs, and how many of them have a stack that is cut."""
    with tempfile.TemporaryDirectory() as directory:
        environment = dict(os.environ, REGMON_STACKS="1", REGMON_HZ="1000", REGMON_OBJECTS="all")
        environment["GMON_OUT_PREFIX"] = os.path.join(directory, "out")
        command = [os.path.join(build, "runtime", "regmon"), program] + arguments
        for _ in range(3):
            subprocess.run(command, cwd=directory, env=environment, input=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        files = glob.glob(os.path.join(directory, "out.*.stacks"))
        stacks = [stack for path in files for stack in read_stacks(program, path)]
    cut = sum(n for frames, n in stacks if "main" not in frames and "_start" not in frames)
    return sum(n for _, n in stacks), cut


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources")
    parser.add_argument("programs", nargs="*", default=list(PROGRAMS))
    parser.add_argument("--build", action="append", help="a build tree (the current directory)")
    parser.add_argument("--work", help="where the programs are compiled, and stay")
    options = parser.parse_args()
    builds = [os.path.abspath(build) for build in options.build or [os.getcwd()]]
    for build in builds:
        if not os.path.exists(os.path.join(build, "runtime", "libregmon.so")):
            sys.exit("stacks.py: %s has no runtime/libregmon.so" % build)
    text = text_input()
    with tempfile.TemporaryDirectory() as temporary:
        work = os.path.abspath(options.work or temporary)
        os.makedirs(work, exist_ok=True)
        print("%-12s" % "" + "".join("  %16s" % os.path.basename(build) for build in builds) + "   share of samples whose stack is cut")
        for name in options.programs:
            program = prepared(name, os.path.abspath(options.sources), work)
            _, arguments, given = PROGRAMS[name]
            given = text if given == "text" else given.encode()
            found = [share_cut(build, program, arguments, given) for build in builds]
            print("%-12s" % name + "".join("  %6d %7.2f %%" % (total, 100 * cut / total) for total, cut in found), flush=True)


if __name__ == "__main__":
    main()
