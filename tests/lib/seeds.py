#!/usr/bin/env python3
"""Writes the first inputs of the fuzzers: for each target, a directory of small inputs made from
texts.

Usage: seeds.py DIRECTORY

DIRECTORY/TARGET/NAME are the inputs, DIRECTORY/image the executable for fuzz_pipeline.
"""

import sys

sys.dont_write_bytecode = True

import gzip
import os
import struct

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from lib import elf
from lib.gmonfile import Histogram, Layout, Profile

IMAGE = """
text 0x10000
file "/src/a.c"
function main 0x20
lines 0 1 8 2 16 3
call 4 left
call 12 right
function left 0x30
lines 0 10 32 12
call 4 inner
local inner 0x20
lines 0 20
label right 0x10
file "/src/b.c"
function other 0x20
lines 0 1
function zz_last 0x100
"""
LOW, HIGH = 0x10000, 0x101A0
ARCS = [
    ("arc", 0x10004, 0x10020, 10),
    ("arc", 0x10024, 0x10050, 7),
    ("arc", 0x10050, 0x10020, 2),
    ("arc", 0x10050, 0x10050, 5),
    ("arc", 0, 0x10000, 1),
]
BLOCKS = ("blocks", [(0x10000, 1), (0x10008, 5), (0x10040, 9)])
LAYOUTS = [(bits, order) for bits in (32, 64) for order in ("little", "big")]


def histogram(bins=None, **more):
    return Histogram(LOW, HIGH, (HIGH - LOW) // 4, bins or {0: 3, 8: 20, 30: 1}, **more)


PROFILES = {
    "all": [histogram(), *ARCS, BLOCKS],
    "histogram": [histogram(rate=1000, dimension="hits", abbreviation="h")],
    "arcs": ARCS,
    "blocks": [BLOCKS],
    "twice": [histogram(), histogram()],
    "empty": [],
    "many": [Histogram(LOW + 16 * i, LOW + 16 * i + 8, 2, {0: i}) for i in range(5)],
    "most": [
        histogram({0: 65535}),
        ("arc", 0x10004, 0x10020, 2**32 - 1),
        ("arc", 0x10004, 0x10020, 2**32 - 1),
    ],
    "extremes": [Histogram(0, 2**32 - 1, 1, {0: 1})],
}


def gmon_seeds():
    for name, records in PROFILES.items():
        for bits, order in LAYOUTS:
            flags = (
                (4 if order == "big" else 0)
                | (16 if bits == 64 else 0)
                | (8 if name == "most" else 0)
            )
            profile = Profile(Layout(bits, order), records)
            yield "%s-%d-%s" % (name, bits, order), bytes([flags]) + profile.bytes()
            if name == "all":
                yield "v0-%d-%s" % (bits, order), bytes([flags]) + profile.bytes(version=0)
                yield "bsd-%d-%s" % (bits, order), bytes([flags | 2]) + profile.bytes("bsd")
                yield "bsd44-%d-%s" % (bits, order), bytes([flags | 3]) + profile.bytes("bsd44")


def pipeline_seeds():
    layout = Layout(64, "little")
    for choice in range(13):
        yield "options-%d" % choice, bytes([choice]) + Profile(layout, PROFILES["all"]).bytes()
    for name, records in PROFILES.items():
        yield name, b"\0" + Profile(layout, records).bytes()
    yield "bsd", b"\x08" + Profile(layout, PROFILES["all"]).bytes("bsd")
    yield "bsd44", b"\x09" + Profile(layout, PROFILES["all"]).bytes("bsd44")
    yield "compressed", b"\0" + gzip.compress(Profile(layout, PROFILES["all"]).bytes(), mtime=0)


SPECS = [
    "main",
    "a.c",
    "a.c:f",
    "a.c:12",
    "dir/a.c:",
    ":f",
    ":12",
    "12",
    "x:y:7",
    "",
    ":",
    "/",
    "main/f",
    "a.c:f/:12",
    "operator//main",
    "99999999999999999999",
    "a.c/",
]


def symspec_seeds():
    for number, spec in enumerate(SPECS):
        yield "spec-%d" % number, b"".join(b"%c%s\n" % (65 + t, spec.encode()) for t in range(12))
    yield "several", b"KIl\n".join(
        b"%c%s\n" % (70 + i % 12, s.encode()) for i, s in enumerate(SPECS)
    )


COMMANDS = [
    "-b",
    "-p -q image gmon.out",
    "-l -A -x -y -t 5 -m 3 -I a:b:",
    "-s -o x",
    "-R map",
    "-r",
    "-w abc",
    "-w -1",
    "--demangle=gnu-v3",
    "--demangle=no",
    "-O magic",
    "-O 4",
    "-Oprof",
    "-O x",
    "-pmain -Pf -qa/b -Qc/d",
    "-e f -E f -f f -F f -n f -N f -k a/b",
    "--file-info --brief -- -x",
    "-d -d64 -Cx -Zy -J -Jz",
    "--help",
    "-v",
    "--wid",
    "--width",
    "--brief=yes",
    "--no",
    "-S nm -c -a -D -z -T -L",
    "--files-from - --null",
    "-h",
    "--per-file --skip-bad --quiet",
    "--inline-file-names --no-demangle -i",
]


def options_seeds():
    for number, command in enumerate(COMMANDS):
        yield "command-%d" % number, b"\0".join(word.encode() for word in command.split())
    yield "empty-words", b"-I\0\0-p\0\0"


def map_seeds():
    yield "two", b"a.o:0000000000000000 T main\na.o:0000000000000010 t f\nb.o:0000000000000000 T g\n"
    yield "no-blank", b"a.o:main\n"
    yield "blanks", b"a.o: main \n\n  \na.o:  \n"
    yield "no-newline", b"lib.a:a.o:0 T f"
    yield "no-colon", b"main\n"
    yield "nul", b"a\0.o:0 T f\0g\n"
    yield "compressed", gzip.compress(b"a.o:0 T main\n", mtime=0)


def table_seeds():
    head = struct.pack(">QB", 0x20000, 0)
    yield "nm", head + b"0000000000010000 T main\n0000000000010020 t inner\n                 U puts\n0000000000010030 D data\n"
    yield "kallsyms", head + b"ffffffff81000000 T _text\nffffffff81000010 t f [module]\n"
    yield "prefixed", head + b"0x10 T a\n0X20 t b\n0x T c\n"
    yield "extremes", struct.pack(">QB", 2**64 - 1, 0) + b"ffffffffffffffff T last\n0 T first\n"
    yield "no-statics", struct.pack(">QB", 0, 1) + b"10 t a\n20 T b\n"
    yield "too-large", head + b"10000000000000000 T a\n1 T b"


TEXTS = {
    0: "00",
    1: "e80b00000090e8f5ffffff",
    2: "04000094ffffff97",
    3: "0c000408000000000320f809",
    4: "400000047fffffff",
    5: "030040d3feff5fd300405b6b",
    6: "fb00af0cfb02cff700fb03eff100000016effa0f0000",
    7: "040000eb040000fb00f032f8",
    8: "480000214bffffe148001003",
    9: "ef00c00097000000e7800000",
    10: "c0e500000008a7e50004",
}


def callscan_seeds():
    for arch, text in TEXTS.items():
        for flags in (0, 4, 5, 0x44):
            tail = bytes(range(64))
            yield "arch-%d-%d" % (arch, flags), bytes([arch, flags]) + bytes.fromhex(text) + tail
    end = struct.pack(">Q", 2**64 - 16)
    yield "at-the-end", bytes([1, 12]) + end + bytes.fromhex(TEXTS[1]) + bytes(80)
    yield "from-the-end", bytes([2, 60]) + end + struct.pack(
        ">QQ", 2**64 - 1, 2**64 - 1
    ) + bytes(90)


JSON = """{"schema":"regprof/1","tool":"t","image":{"path":"p","build_id":"00ff","arch":"a"},"unit":"seconds",
"totals":{"samples":3.5,"seconds":0.035,"outside":0,"calls":4},"range":["0x10","0x20"],"inputs":[{"path":"g","rate":100,"samples":3,"calls":4}],
"options":["-k a/b","-a"],"functions":[{"id":0,"name":"f","raw":"f","file":"a.c","line":1,"address":"0x10","samples":3,"runs":{"n":2,"mean":1.5,
"variance":1e-7,"calls":[0,2]},"self":0.03,"total":0.03,"least":null,"most":null,"calls":2,"self_calls":0,"cycle":1},
{"id":1,"name":"\\u0001","raw":"\\u00e9","file":null,"line":null,"address":null,"samples":0.5,"runs":{"n":1,"mean":0.5,
"variance":null,"calls":[2,2]},"self":0.005,"total":null,"least":0,"most":0.1,"calls":1,"self_calls":1,"cycle":1}],
"arcs":[{"from":0,"to":1,"calls":2,"self":0,"children":0.30000000000000004}],"cycles":[{"id":1,"members":[1,0]}],
"idle":[{"file":null,"global":["g"],"static":[]},{"file":"a.c","global":[],"static":["h","i"]}]}
"""


def json_seeds():
    yield "whole", JSON.encode()
    yield "cut", JSON[:900].encode()
    for number, (old, new) in enumerate(JSON_DAMAGE):
        yield "damaged-%d" % number, JSON.replace(old, new, 1).encode()


# Stacks that JSON can have, and what they cannot be.
TREE = """"inclusive":"measured","stacks":{"samples":9,"rate":100,
"runs":{"n":1,"mean":9,"variance":null},
"tree":{"parent":[null,0,0],"function":[0,"others",1],"rates":[100],"samples":[[1,2,6]]}}"""
TREE_DAMAGE = [
    ("[null,0,0]", "[null,1,0]"),
    ("[null,0,0]", "[null,0]"),
    ("[null,0,0]", "[null,-1,0]"),
    ("[null,0,0]", '[null,"0",0]'),
    ("[0,", "[2,"),
    ('"others"', '"other"'),
    ('"rates":[100]', '"rates":[]'),
    ('"rates":[100]', '"rates":[0]'),
    ('"rates":[100]', '"rates":100'),
    ("[[1,2,6]]", "[[1,2]]"),
    ("[[1,2,6]]", "[]"),
    ("[[1,2,6]]", "[1,2,6]"),
    ("[[1,2,6]]", "[[1,2,6],[1,2,6]]"),
    ("[1,2,6]", "[1,null,6]"),
    ('"n":1', '"n":2'),
]

# Each is no longer a profile, by what json_read says of it.
JSON_DAMAGE = [
    ('"regprof/1"', '"regprof/2"'),
    ('"regprof/1"', '"other/1"'),
    ('"tool":"t"', '"tool":7'),
    ('"arch":"a"', '"arch":null'),
    ('"calls":4}', '"calls":-4}'),
    ('"rate":100', '"rate":0'),
    ('"id":1,"name"', '"id":2,"name"'),
    ('["0x10"', '["0x20"'),
    ('["0x10"', "[null"),
    ('"0x20"]', '"0x20","0x20"]'),
    ('["0x10","0x20"]', '"0x10"'),
    ('"calls":[0,2]', '"calls":[3,2]'),
    ('"calls":[0,2]', '"calls":[0]'),
    ('"calls":[0,2]', '"calls":[0,-2]'),
    (',"calls":[0,2]', ""),
    ('"address":"0x10"', '"address":"16"'),
    ('"address":"0x10"', '"address":"0x"'),
    ('"address":"0x10"', '"address":"0x11223344556677889"'),
    ('"line":1', '"line":1.5'),
    ('"n":2', '"n":"2"'),
    ('"mean":1.5', '"mean":[]'),
    ('"cycle":1}', '"cycle":2}'),
    ('"from":0', '"from":2'),
    ('"to":1', '"to":null'),
    ('"members":[1,0]', '"members":[1,2]'),
    ('"members":[1,0]', '"members":[]'),
    ('[{"id":1,"members"', '[{"id":2,"members"'),
    ('"arcs"', '"arc"'),
    ('"file":null', '"file":0'),
    ('"raw":"\\u00e9"', '"raw":"\\ud800"'),
    ('"raw":"f"', '"raw":"\\u0000"'),
    ('"self":0.03', '"self":NaN'),
    ('"self":0.03', '"self":1e999'),
    ('"inputs":[{"path":"g","rate":100,"samples":3,"calls":4}]', '"inputs":[]'),
    ('"options":[', '"options":{},"x":['),
    ('"-a"]', "1]"),
    ('"idle":[', '"idle":{},"x":['),
    ('{"file":null,"global"', '{"file":1,"global"'),
    ('"global":["g"]', '"global":[0]'),
    (',"static":[]', ""),
    ('"static":["h","i"]', '"static":"h"'),
    ('"name":"f"', '"name":"f","static":1'),
    ('"idle"', '"inclusive":"assumed","idle"'),
    ('"idle"', '"inclusive":"measured","idle"'),
    ('"idle"', '"inclusive":1,"idle"'),
    ('"idle"', '"inclusive":"measured","stacks":{"samples":0,"rate":1},"idle"'),
    ('"idle"', '"inclusive":"measured","stacks":{"samples":9,"rate":0},"idle"'),
    ('"self":0.03', '"self":0.03,"self":1'),
    ('"image":{', '"image":3,"x":{'),
    ('"calls":2,"self_calls"', '"calls":9223372036854775808,"self_calls"'),
] + [('"idle"', TREE.replace(old, new) + ',"idle"') for old, new in TREE_DAMAGE]

CALLGRIND = """# callgrind format
positions: instr line
events: Ir Dr

ob=(1) /bin/a
fl=(1) a.c
fn=(1) main
0x10 1 2 3
+4 +1 4
cfi=(2) b.h
cfn=(2) f
calls=3 0x40 9
* * 700 1
fn=(2)
fi=(2)
0x40 9 700 1
jcnd=1/2 +4 -2
+4 -2
cfn=(2)
calls=1 0x40 9
* 7 10
"""
SPEEDSCOPE = """{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"main"},{"name":"f","file":"a.py","line":3}]},
"profiles":[{"type":"sampled","name":"p","unit":"seconds","startValue":0,"endValue":3,"samples":[[0,1],[0]],"weights":[1,2]},
{"type":"evented","name":"q","unit":"seconds","startValue":0,"endValue":3,"events":[{"type":"O","frame":0,"at":0},{"type":"C","frame":0,"at":2.5}]}]}"""
CPUPROFILE = """{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"hitCount":0,"children":[2]},
{"id":2,"callFrame":{"functionName":"f","scriptId":"7","url":"file:///a.js","lineNumber":3,"columnNumber":5},"hitCount":2}],
"startTime":100,"endTime":400,"samples":[2,1,2],"timeDeltas":[10,100,100]}"""
PERF_SCRIPT = (
    "a b 7/8 [001] 1.5:  250000 cpu-clock:ppp: \n\t  10 f+0x1 (/bin/a)\n\t  20 main+0x9"
    " (/bin/a)\n\nc 9 2.0: 1 cycles:  ff g+0x1 ([kernel.kallsyms])\n"
)
# Two types, a sample with two locations and a label, two functions, six strings.
PPROF = (
    b"\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04\x12\x0e\x0a\x02\x01\x02\x12\x02\x03\x06\x1a\x04\x08\x05\x10\x01\x22\x06\x08\x01\x22\x02\x08\x01"
    b"\x22\x06\x08\x02\x22\x02\x08\x02\x2a\x04\x08\x01\x10\x05\x2a\x04\x08\x02\x10\x01\x32\x002\x01n2\x05count2\x03cpu2\x0bnanoseconds2\x04main"
)


def foreign_seeds():
    texts = {
        "folded": "main;f 3\nmain;g_[k] 2\n<unknown>;h 1\n",
        "callgrind": CALLGRIND,
        "speedscope": SPEEDSCOPE,
        "cpuprofile": CPUPROFILE,
        "perf-script": PERF_SCRIPT,
        "json": JSON,
    }
    formats = dict({name: text.encode() for name, text in texts.items()}, pprof=PPROF)
    maps = (
        b"00400000-00500000 r-xp 00000000 08:01 7 /bin/a\n7f0000000000-7f0000100000 r-xp 00001000"
        b" 08:01 8 /lib/b.so\n"
    )
    for width, order in (("I", "<"), ("I", ">"), ("Q", "<"), ("Q", ">")):
        words = [0, 3, 0, 10000, 0, 5, 2, 0x401000, 0x402000, 1, 1, 0x400010, 0, 1, 0]
        formats["gperftools-" + width + ("little" if order == "<" else "big")] = (
            struct.pack(order + width * len(words), *words) + maps
        )
    for number, (name, data) in enumerate(formats.items()):
        for options in (number, number + 3):
            yield "%s-%d" % (name, options), bytes([options]) + data
        yield name + "-compressed", b"\0" + gzip.compress(data, mtime=0)


SEEDS = {
    "json": json_seeds,
    "foreign": foreign_seeds,
    "gmon": gmon_seeds,
    "symspec": symspec_seeds,
    "options": options_seeds,
    "map": map_seeds,
    "table": table_seeds,
    "callscan": callscan_seeds,
    "pipeline": pipeline_seeds,
}


def write_all(directory):
    for target, seeds in SEEDS.items():
        os.makedirs(os.path.join(directory, target), exist_ok=True)
        for name, data in seeds():
            with open(os.path.join(directory, target, name), "wb") as file:
                file.write(data)
    with open(os.path.join(directory, "image"), "wb") as file:
        file.write(elf.parse(IMAGE).bytes())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    write_all(sys.argv[1])


# ---- Names that explode ----

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def doubling_name(number, levels):
    """A C++ name with two references to what came before at each of at most 34 levels, so that each
    doubles the length
    of the demangled name."""
    name = "_Z5f%04d1A1PIS_S_E" % number
    for level in range(levels):
        name += "S0_I%sE" % (2 * ("S%s_" % DIGITS[level + 1].upper()))
    return name


def doubling_rust_name(levels):
    """The same in Rust.  References are offsets in base 62, less one."""
    name, previous = "INvC1a1fTmmE", 8
    for _ in range(levels):
        start, rest, offset = len(name), previous - 1, ""
        while rest > 0 or not offset:
            rest, digit = divmod(rest, 62)
            offset = DIGITS[digit] + offset
        name += "T%sE" % (2 * ("B%s_" % offset))
        previous = start
    return "_R%sE" % name
