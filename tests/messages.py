#!/usr/bin/env python3
"""Causes every message of include/base/messages.h, and compares the output of the program with its
formats.
Messages that are not in the header are errors.
"""

import sys

sys.dont_write_bytecode = True

import functools
import gzip
import lzma
import os
import pty
import re
import signal
import struct
import subprocess

from lib import elf, harness, seeds, zstd
from lib.gmonfile import Histogram, Layout, Profile, checksum
from lib.harness import TEMP, read, write


PLAIN = Layout(64, "little")
LOW, HIGH = seeds.LOW, seeds.HIGH

# ---- The catalogue ----


def macros():
    """{name: text}"""
    path = os.path.join(harness.SRCDIR, "include", "base", "messages.h")
    with open(path, encoding="utf-8") as file:
        text = file.read().replace("\\\n", " ")
    found = {}
    for name, value in re.findall(r"^#define (\w+) +(\".*\")\s*$", text, re.M):
        found[name] = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', value)).replace('\\"', '"')
    return found


def pattern(text):
    """A regular expression for a message of this format."""
    parts = re.split(r"(%%|%[-*0-9.]*(?:hh|h|ll|l|z|j)?[a-zA-Z])", text)
    kinds = {
        "s": ".*",
        "c": ".",
        "u": "[0-9]+",
        "x": "[0-9a-f]+",
        "f": "[0-9.]+",
        "g": "[-0-9.e]+",
        "d": "-?[0-9]+",
        "%": "%",
    }
    body = "".join(kinds[part[-1]] if part.startswith("%") else re.escape(part) for part in parts)
    return re.compile("gprof: (?:warning: |note: )?" + body)


# ---- How each message is caused: a shell command, run in a directory with the files of prepare();
# GPROF is the
#      program. ----

P = "$GPROF -b -p image "
# A file of stacks that belongs to the profile `calls'.
STACKS = (
    "# regmon stacks 3\n# rate 100\n# histogram %x %x %d\n%s\n# program 0 image\n0:%x 7\n#"
    " samples 7\n"
)
BESIDE = "cp beside calls.stacks; "
# A record of a run with two builds of one program.
RECORD = "".join(
    "# regmon stacks 3\\n# process %d 1 1 ended\\n# rate 100\\n# build-id 0%d\\n# program 0 p\\n#"
    " file 0 0%d /%d/p\\n0:1 %d\\n# samples %d\\n" % (n, n, n, n, n, n)
    for n in (1, 2)
)
RECORD = "printf '%s' >gmon.out.stacks; " % RECORD
# A profile of pprof with the values `n' and `m' of one sample.
PPROF = "".join(
    "\\%03o" % byte
    for byte in b"\n\4\10\1\20\1\n\4\10\2\20\1\22\6\12\0\22\2\1\1" + b"2\0002\1n2\1m"
)
# A profile of pprof whose sample has the label `n'.
LABELLED = "".join(
    "\\%03o" % byte
    for byte in b"\n\4\10\1\20\1\22\14\12\1\1\22\1\1\32\4\10\1\20\1\42\2\10\1" + b"2\0002\1n"
)
# A profile of gperftools with one record, of a program that is not there.
CPU_PROFILE = "".join(
    "\\%03o" % byte for byte in struct.pack("<11Q", 0, 3, 0, 10000, 0, 1, 1, LOW, 0, 1, 0)
)
CPU_PROFILE += "%x-%x r-xp 0 0:0 1 /nowhere/prog\\n" % (LOW & ~4095, HIGH + 4096)
UNCOUNTED = "echo 'int main(void) { return 0; }' >m.c; cc -no-pie -Wl,-Ttext=0x10000 -o m m.c; "
# Stacks that tell of so many calls in a shared object, and its profile.
COUNTED_OBJECT = (
    "cp calls hundred.image; printf '# regmon stacks 3\\n# rate 9\\n# program 0 x\\n# object 1"
    " image\\n# file 1 - image\\n# calls 1 %d\\n1:1 9\\n' >s; "
)
# `work', which `caller' called, is inlined after, and slower in another one.
INLINED = (
    "printf 'main;caller;work 100\\nmain 500\\n' > before; printf 'main;caller 100\\nmain 500\\n' >"
    " after; printf 'main;caller 300\\nmain 500\\n' > slower; "
)
FOLDED = "printf 'main;f 3\\n' > folded; "
SAMPLE = "p 1/1 1.0: 1 %s: \\n\\t 1 f+0x1 (/a)\\n\\n"
# A program called perf, which prints what it is told to.
PERF = (
    "mkdir -p bin; printf 'PERFILE2' > perfdata; printf '#!/bin/sh\\n%s\\n' > bin/perf; chmod +x"
    " bin/perf; PATH=$PWD/bin:$PATH; "
)
POOL = (
    "mkdir -p regmon-1; touch regmon-1/77; printf '%s\\0%s\\0' $PWD $(realpath profiled) >"
    " regmon-1/collector; TMPDIR=. "
)
PROVOKED = {
    "MSG_NO_BROWSER": "PATH=. $GPROF --quiet --open -o x.html image all",
    "MSG_NO_CODE": "$GPROF -b --code=other image calls",
    "MSG_SOURCE_MISSING": "$GPROF -b --code oneline calls",
    "MSG_SOURCES_ABSENT": "$GPROF -b --code image twofiles",
    "MSG_NO_DISASSEMBLER": "$GPROF -b --asm unknown calls",
    "MSG_UNKNOWN_DISASSEMBLY": "$GPROF --disassembler-options=no image calls",
    "MSG_HAS_NO_LINES": "$GPROF --code bare twofiles",
    "MSG_CODE_CLOSED": (
        "printf '# regmon stacks 3\\n# rate 9\\n# program 0 x\\n# object 1 y\\n1:1 9\\n' >s; $GPROF"
        " --code --stacks=s image all"
    ),
    "MSG_STATES_NO_CODE": FOLDED + "$GPROF --asm folded",
    "MSG_PROFILE_NO_LINES": FOLDED + "$GPROF --top --by=line folded",
    "MSG_STATES_NO_LINES": FOLDED + "$GPROF --code folded",
    "MSG_NO_ORDERED_CALLS": "$GPROF --format=call-graph-order image hundred",
    "MSG_BAD_LINE": "printf 'main;f 3\\nmain\\n' > bad; $GPROF bad",
    "MSG_BAD_FIELD": FOLDED + "$GPROF --from=pprof folded",
    "MSG_BAD_BYTE": (
        "printf '" + CPU_PROFILE[: 4 * 48] + "' > bad; $GPROF --from=gperftools image bad"
    ),
    "MSG_GIVE_IMAGE": "printf '" + CPU_PROFILE + "' > bad; $GPROF bad",
    "MSG_IMAGE_LEFT_OUT": FOLDED + "$GPROF image folded",
    "MSG_OTHER_IMAGE": "printf '" + CPU_PROFILE + "' > bad; $GPROF image bad",
    "MSG_NEEDS_OWN": FOLDED + "$GPROF -l image folded",
    "MSG_TWO_PROFILES": "printf 'main;f 3 4\\n' > bad; $GPROF bad",
    "MSG_BAD_WEIGHTS": 'python3 -c \'print("main " + "9" * 400)\' > heavy; $GPROF heavy',
    "MSG_TOO_MANY_FRAMES": (
        'python3 -c \'print("a;" * 3000000 + "a 1")\' | gzip > bomb.gz; $GPROF bomb.gz'
    ),
    "MSG_OTHER_TEXT": "echo hello, world > hello.txt; $GPROF hello.txt",
    "MSG_IS_EMPTY": ": > nothing; $GPROF nothing; $GPROF image nothing",
    "MSG_EMPTY_PROFILE": "printf 'main;f 0\\n' > bad; $GPROF bad",
    "MSG_OTHER_EVENT": FOLDED + "printf '" + SAMPLE % "cycles" + "' > bad; $GPROF folded bad",
    "MSG_JSON_LARGE": (
        'python3 -c \'print(chr(91) + "{}," * 1500000 + "{}" + chr(93))\' | gzip > large.json.gz;'
        " $GPROF --one-run --base=large.json.gz image all"
    ),
    "MSG_TAKEN_AS_SAMPLES": FOLDED + "$GPROF --top folded",
    "MSG_NEEDS_STACKS": "$GPROF --top --thread=main image all",
    "MSG_NEEDS_OTHER": "$GPROF --exact image all",
    "MSG_OTHER_KIND": (
        FOLDED
        + "printf 'events: samples\\nfn=f\\n1 2\\n' > exact; $GPROF --from=callgrind exact exact &&"
        " $GPROF --format=json -o s.json folded && $GPROF s.json folded"
    ),
    "MSG_LABELS": "printf '" + LABELLED + "' > pprof; $GPROF --top pprof",
    "MSG_BASE_VALUE": (
        FOLDED
        + "for v in a b; do $GPROF --quiet --format=json folded | sed"
        ' \'s/^"totals"/"value":"\'$v\'",&/\' > $v.json; done; $GPROF --base=a.json b.json'
    ),
    "MSG_BASE_EXACT": (
        FOLDED
        + "$GPROF --exact --format=json -o s.json folded && $GPROF --one-run --base=s.json folded"
    ),
    "MSG_NO_VALUE": "printf '" + PPROF + "' > pprof; $GPROF --value=wall pprof",
    "MSG_VALUE_CHOSEN": "printf '" + PPROF + "' > pprof; $GPROF --top pprof",
    "MSG_UNKNOWN_PROFILE": FOLDED + "$GPROF folded image",
    "MSG_UNKNOWN_FOREIGN": "$GPROF --from=perl image",
    "MSG_NO_PROGRAM": (
        "printf PERFILE2 > perfdata; program=$GPROF; PATH=/nowhere; $program perfdata"
    ),
    "MSG_PROGRAM_FAILED": PERF % "exit 3" + "$GPROF perfdata",
    "MSG_NO_VALUES": FOLDED + "$GPROF --value=x folded",
    "MSG_NO_PROGRAMS": FOLDED + "$GPROF --program=x folded",
    "MSG_ONLY_LABELS": "printf '" + LABELLED + "' > pprof; $GPROF --program=x --top pprof",
    "MSG_NO_PROGRAM_OF": PERF % "echo prog 1/1" + "$GPROF --program=other perfdata",
    "MSG_FRAME_POINTERS": (
        PERF
        % 'echo "# event : name = cycles, sample_type = IP|CALLCHAIN"; echo "p 1/1 1.0: 1 cycles:'
        ' "; echo "\\t 1 f+0x1 (/a)"'
        + "$GPROF --top perfdata"
    ),
    "MSG_PROGRAM_CHOSEN": PERF % "echo prog 1/1; echo other 2/2" + "$GPROF --top perfdata",
    "MSG_NEGATIVE": "printf 'events: ns\\nfn=f\\n1 -2\\n' > bad; $GPROF --per-file bad",
    "MSG_BAD_PATTERN": (
        "printf"
        " '\\012\\004\\010\\001\\020\\001\\022\\005\\012\\001\\001\\022\\000\\062\\000\\062\\001x\\062\\001{\\070\\002'"
        " > bad; $GPROF --from=pprof bad"
    ),
    "MSG_CROSSED": (
        "printf"
        ' \'{"shared":{"frames":[{"name":"f"}]},"profiles":[{"type":"evented","unit":"none","events":[{"type":"C","at":1,"frame":0}]}]}\''
        " > bad; $GPROF bad"
    ),
    "MSG_OLD_V8": 'printf \'{"head":{"functionName":"f"}}\' > bad; $GPROF bad',
    "MSG_NO_FRAMES": "printf 'p 1 1.0: x:y: z\\n' > bad; $GPROF bad",
    "MSG_PERF_PACKED": "printf PERFILE2 | gzip > perf.gz; $GPROF perf.gz",
    "MSG_PERF_FROM_PIPE": "printf PERFILE2 | $GPROF -",
    "MSG_NEEDS_IMAGE": FOLDED + "$GPROF -l folded",
    "MSG_RECORD_LONGER": FOLDED + "$GPROF --top folded",
    "MSG_FILE_REASON": P + "nowhere",
    "MSG_NO_IMAGE": "$GPROF nowhere all",
    "MSG_NO_PROFILE": "$GPROF profiled gmon.none",
    "MSG_UNWRITTEN": POOL + "$GPROF profiled gmon.none",
    "MSG_RUNNING": POOL + "flock regmon-1/collector $GPROF profiled gmon.none",
    "MSG_NOT_PROFILED": "$GPROF image gmon.none",
    "MSG_NOT_LINKED": "$GPROF counting gmon.none",
    "MSG_INSTRUMENTED": "$GPROF instrumented gmon.none",
    "MSG_MUSL_PROFILE": "$GPROF formusl gmon.none",
    "MSG_SIMILAR_FILE": "cp all gmon.all; chmod -x gmon.all; $GPROF image gmon.al; rm gmon.all",
    "MSG_OBJECT_AS_IMAGE": "$GPROF object gmon.of.that.object",
    "MSG_OBJECT_AS_PROFILE": "$GPROF image object",
    "MSG_CORE_FILE": "$GPROF core all; $GPROF image core",
    "MSG_MAY_SKIP": "mkdir some; cp all some/1; cp tag some/2; " + P + "some",
    "MSG_FORMAT_OPTION": "$GPROF --csv image all",
    "MSG_ONLY_LINKED": "$GPROF -b -q linked histogram",
    "MSG_NOT_BUILT_PG": "$GPROF -b -q uncounted histogram",
    "MSG_NOT_EXECUTABLE": "printf '\\001\\002\\003' > bytes; $GPROF bytes all",
    "MSG_PROFILE_AS_IMAGE": "$GPROF all image",
    "MSG_LOOKS_DAMAGED": "$GPROF -b damaged all",
    "MSG_NO_TEXT": "$GPROF -b textless all",
    "MSG_NO_SYMBOLS": "$GPROF -b stripped all",
    "MSG_NO_SYMBOLS_LEFT": "$GPROF -b -a static all",
    "MSG_NO_LINES_STRIPPED": "$GPROF -b -C dynamicplain all",
    "MSG_STRIPPED": "$GPROF -b dynamic all",
    "MSG_SYMBOLS_UNREADABLE": "$GPROF -b badsymbols all",
    "MSG_NO_LISTED_SYMBOLS": "echo nothing >table; $GPROF -b -S table image all",
    "MSG_LONG_NAME": "$GPROF -b longsymbol all",
    "MSG_NAMES_UNREADABLE": "$GPROF -b badnames all",
    "MSG_TEXT_UNREADABLE": "$GPROF -b -c damaged all",
    "MSG_TEXT_NOT_THERE": "$GPROF -b -c shorttext all",
    "MSG_DAMAGED_DEBUG": "$GPROF -b -l baddebug all",
    "MSG_TOO_SHORT": P + "-O magic tiny",
    "MSG_IMAGE_AS_PROFILE": P + "profiled",
    "MSG_DETACHED": "$GPROF -b -bp mid image all",
    "MSG_ALL_ZERO": P + "zeros",
    "MSG_BAD_MAGIC": P + "-O magic bsd",
    "MSG_BAD_VERSION": P + "version",
    "MSG_UNEXPECTED_END": P + "cut",
    "MSG_BAD_TAG": P + "tag",
    "MSG_NO_BINS": P + "nobins",
    "MSG_EMPTY_RANGE": P + "norange",
    "MSG_BAD_BSD_SIZE": P + "bsdsize",
    "MSG_OTHER_DIMENSION": P + "all hits",
    "MSG_OTHER_SCALE": P + "all coarse",
    "MSG_OVERLAP": P + "all overlap",
    "MSG_TOO_MANY_HISTOGRAMS": P + "manyhistograms",
    "MSG_FILE_SHRANK": "mkfifo pipe; $GPROF -b -p image pipe & exec 3>pipe; kill -BUS $!; wait $!",
    "MSG_IS_DIRECTORY": "$GPROF directory all",
    "MSG_IS_DEVICE": P + "/dev/null",
    "MSG_COMPRESSED_SHORT": P + "gzipcut",
    "MSG_COMPRESSED_DAMAGED": P + "gzipbad",
    "MSG_COMPRESSED_LARGE": P + "gziplarge",
    "MSG_COMPRESSION": P + "packed.xz",
    "MSG_NO_PROFILES": P + "directory",
    "MSG_NUL_IN_LIST": "printf 'all\\0all\\0' | " + P + "--files-from -",
    "MSG_EMPTY_LIST": P + "--files-from empty",
    "MSG_STDIN_TWICE": P + "- - <all",
    "MSG_SKIPPED": P + "--skip-bad all cut",
    "MSG_SUM_LEFT_OUT": (
        "mkdir sums; cp all sums/one; cp all sums/gmon.sum; $GPROF -s -o sums/gmon.sum image sums"
    ),
    "MSG_LEFT_OUT": "mkdir mixed; cp all mixed; echo words >mixed/words; " + P + "mixed",
    "MSG_LINKS_LEFT_OUT": "mkdir linking; cp all linking; ln -s . linking/self; " + P + "linking",
    "MSG_FOREIGN_ARCS": "$GPROF -b -q image foreign",
    "MSG_REFUSED_BUILD": "$GPROF -b --top counting all",
    "MSG_REFUSED_PROGRAM": "$GPROF -b --top sparse all",
    "MSG_REFUSED_NOT_PROFILED": "$GPROF -b --top uncounted all",
    "MSG_OTHER_BUILD": "$GPROF -b -q counting all",
    "MSG_OTHER_PROGRAM": "$GPROF -b -q sparse all",
    "MSG_IMAGE_NOT_PROFILED": "$GPROF -b -q uncounted all",
    "MSG_MORE_OTHER_BUILDS": "$GPROF -b -q counting all all",
    "MSG_NO_RECORDS": "$GPROF -b -i image norecords",
    "MSG_IMAGE_NEWER": "touch -d 2001-01-01 foreign; $GPROF -b -q image foreign",
    "MSG_OTHER_RATE": P + "all otherrate",
    "MSG_SUM_RATE": "$GPROF -s image all oddrate",
    "MSG_SEVERAL_AT_ONCE": "$GPROF --top image fours",
    "MSG_OUTSIDE_TEXT": P + "outside",
    "MSG_RATE_ZERO": P + "norate",
    "MSG_OTHER_PROFILER": "printf 'gcdaB22*' > c.gcda; " + P + "c.gcda",
    "MSG_CONVERT_PROFILE": "printf 'FLR\\0\\0\\2' > r.jfr; " + P + "r.jfr",
    "MSG_MIXED_PROFILERS": P + "all perf.data",
    "MSG_JSON_AS_PROFILE": P + "all report.json",
    "MSG_SLIDE": "$GPROF -b -p sliding slid",
    "MSG_BAD_SLIDE": "$GPROF --slide=1k",
    "MSG_NO_HISTOGRAM": P + "arcs",
    "MSG_NO_ARCS": "$GPROF -b -q image histogram",
    "MSG_NO_COUNTED_CALLS": "cp beside only.stacks; $GPROF -q image only.stacks",
    "MSG_BLOCKS_IGNORED": P + "all",
    "MSG_NO_REPORT": "$GPROF -b -P -Q image all",
    "MSG_NO_SAMPLES": P + "nosamples",
    "MSG_PARTLY_OUTSIDE": "printf '10020 T left\\n' >table; " + P + "-S table all",
    "MSG_MOSTLY_OUTSIDE": "printf '10060 T left\\n' >table; " + P + "-S table all",
    "MSG_EMPTY_FLAT": "printf '10190 T left\\n' >table; " + P + "-S table all",
    "MSG_NO_FLAT_LEFT": P + "-pzz_last all",
    "MSG_EMPTY_GRAPH": "$GPROF -b -q image zeroarc",
    "MSG_NO_GRAPH_LEFT": (
        "$GPROF -b -qnobody -e main -e left -e inner -e right -e other -e zz_last image all"
    ),
    "MSG_NO_COUNTS_LEFT": "$GPROF -b -Czz_last image all",
    "MSG_ARCS_OUTSIDE": "printf '10190 T left\\n' >table; $GPROF -b -q -S table image all",
    "MSG_NO_ARCS_LEFT": "$GPROF -b -qright/main image all",
    "MSG_EMPTY_COUNTS": "$GPROF -b -C image histogram",
    "MSG_EMPTY_SOURCES": "$GPROF -b -A image histogram",
    "MSG_EMPTY_ORDER": "$GPROF --format=symbol-order image nosamples",
    "MSG_NOT_ORDERED": (
        "printf 'main;f(int) 3\\n' > demangled; $GPROF --format=symbol-order demangled"
    ),
    "MSG_EMPTY_TOP": "$GPROF --top image nosamples",
    "MSG_SPEC_NOT_FOUND": P + "-pnobody all",
    "MSG_OBJECT_PROFILES": (
        "cp calls calls.libnone.so.1; $GPROF -b -q image calls calls.libnone.so.1"
    ),
    "MSG_NOT_COUNTED": UNCOUNTED + "$GPROF --top --force m hundred",
    "MSG_COUNTED_IN_OBJECTS": (
        UNCOUNTED
        + COUNTED_OBJECT % sum(arc[3] for arc in seeds.ARCS)
        + "$GPROF --top --force --stacks=s m hundred"
    ),
    "MSG_CALLS_OF_OTHER_RUN": (
        UNCOUNTED + COUNTED_OBJECT % 1 + "$GPROF --top --force --stacks=s m hundred"
    ),
    "MSG_CALLS_UNJUDGED": (
        UNCOUNTED
        + "$GPROF --format=json --force -o m.json m hundred; $GPROF --one-run --base=m.json"
        " --fail-calls=5 m.json"
    ),
    "MSG_OTHER_OBJECT": (
        "printf '# regmon stacks 3\\n# rate 9\\n# program 0 x\\n# object 1 y\\n# file 1 00"
        " image\\n1:1 9\\n' >s; $GPROF --top --stacks=s image all"
    ),
    "MSG_SPEC_NEAREST": "$GPROF -b -q -k main/lefd image all",
    "MSG_SPEC_NOT_A_PAIR": P + "-k main all",
    "MSG_SPEC_HAS_SLASH": P + "-psrc/a.c all",
    "MSG_SPEC_NO_FILES": "$GPROF -b -pa.c: lineless all",
    "MSG_NO_TOP_LEFT": "$GPROF --top --hide=. image all",
    "MSG_NO_LINES": "$GPROF -b -l lineless all",
    "MSG_STRICT": "$GPROF -b -q --strict image foreign",
    "MSG_RUN_LONGER": "$GPROF --top image all",
    "MSG_ONE_SAMPLE": "$GPROF --top image single",
    "MSG_CALLS_OUTSIDE": "$GPROF -b -q image beyond",
    "MSG_BLOCKS_OUTSIDE": "$GPROF -b -C -l image beyond",
    "MSG_THREADS": "$GPROF -b -q threads calls",
    "MSG_NOT_STACKS": "$GPROF --top --stacks=all image all",
    "MSG_BAD_STACK_LINE": (
        "printf '# regmon stacks 3\\n# program 0 image\\n0:1\\n' >s; $GPROF --top --stacks=s"
        " image all"
    ),
    "MSG_OBJECTS": (
        BESIDE
        + "sed -i 's/samples 7/samples 14/; /# program/a # object 1 y.so\\n1:1 7' calls.stacks;"
        " $GPROF -p image calls"
    ),
    "MSG_NO_RUN": "$GPROF --top",
    "MSG_NO_PROCESSES": BESIDE + "$GPROF --by=program --stacks image calls",
    "MSG_RECORD_PROGRAMS": RECORD + "$GPROF --top",
    "MSG_NO_SUCH_PROGRAM": RECORD + "$GPROF --top none.data",
    "MSG_SEVERAL_BUILDS": RECORD + "$GPROF --top p",
    "MSG_STACKS_LACK_BUILD": RECORD + "$GPROF --top image gmon.out.stacks",
    "MSG_STACKS_END": (
        "printf '# regmon stacks 3\\n# histogram 1 2 3\\n# program 0 image\\n' >s; $GPROF --top"
        " --stacks=s image all"
    ),
    "MSG_STACKS_LARGE": (
        'python3 -c \'print("# regmon stacks 3\\n# rate 1\\n# program 0 x\\n" + "0:1;" * 1100000 +'
        ' "0:1 1")\' | gzip >s.gz; $GPROF --top --stacks=s.gz image all'
    ),
    "MSG_NO_OBJECTS": FOLDED + "$GPROF --by=object folded",
    "MSG_NO_THREADS": (
        "printf '# regmon stacks 3\\n# rate 9\\n# program 0 x\\n0:1 9\\n' >s; $GPROF --top"
        " --by=thread --stacks=s image all"
    ),
    "MSG_STACKS_UNUSED": BESIDE + "$GPROF --top --columns=least,name image calls",
    "MSG_STACKS_NOWHERE": "$GPROF --top --stacks image all",
    "MSG_STACKS_MISSING": BESIDE + "$GPROF --top image calls all",
    "MSG_STACKS_OF_PROFILE": BESIDE + "cp calls.stacks hundred.stacks; $GPROF --top image hundred",
    "MSG_STACKS_FEW": BESIDE + "$GPROF --top image calls",
    "MSG_STACKS_OF_PROGRAM": (
        BESIDE
        + "sed -i '2i # build-id 00' calls.stacks; echo 'int main(void) { return 0; }' >m.c; "
        "cc -Wl,--build-id=0x11 -o m m.c; $GPROF --force --top m calls"
    ),
    "MSG_REFUSED_STACKS": (
        BESIDE
        + "sed -i '2i # build-id 00' calls.stacks; echo 'int main(void) { return 0; }' >m.c; "
        "cc -Wl,--build-id=0x11 -o m m.c; $GPROF --top m calls"
    ),
    "MSG_PACKED_OUTPUT": "$GPROF -o x.json.gz image all",
    "MSG_PICTURE": "$GPROF -o x.svg image all",
    "MSG_OTHER_BUILD_ID": (
        BESIDE
        + "sed -i '2i # build-id 00' calls.stacks; echo 'int main(void) { return 0; }' >m.c; "
        "cc -Wl,--build-id=0x11 -o m m.c; $GPROF -p m calls"
    ),
    "MSG_REFUSED_BUILD_ID": (
        "echo 'int main(void) { return 0; }' >m.c; cc -Wl,--build-id=0x11 -o m m.c; "
        "cp hundred hundred.so.12345678; $GPROF -p m hundred.so.12345678"
    ),
    "MSG_STACKS_DAMAGED": BESIDE + "echo more >>calls.stacks; $GPROF --top image calls",
    "MSG_STACKS_OF_OTHERS": BESIDE + "$GPROF --top --stacks=calls.stacks image hundred",
    "MSG_NO_STACKS": (
        "printf '# regmon stacks 3\\n# program 0 image\\n' >s; $GPROF --top --stacks=s image all"
    ),
    "MSG_FOREIGN_STACKS": (
        "printf '# regmon stacks 3\\n# rate 9\\n# program 0 x\\n0:1 9\\n' >s; $GPROF --top"
        " --stacks=s image all"
    ),
    "MSG_CUT_STACKS": (
        "printf '# regmon stacks 3\\n# rate 9\\n# program 0 x\\n# object 1 y\\n?;1:1 9\\n' >s;"
        " $GPROF --top --stacks=s image all"
    ),
    "MSG_NO_SOURCE": "$GPROF -b -A image all",
    "MSG_SOURCES_MISSING": "$GPROF -b -A -z image all",
    "MSG_SOURCE_NO_TEXT": (
        "mkdir binary; printf 'a\\0\\n' >binary/a.c; $GPROF -b -A -I binary image all"
    ),
    "MSG_SOURCE_NEWER": (
        "mkdir new; cp sources/a.c new; touch -d 2100-01-01 new/a.c; $GPROF -b -A -I new image all"
    ),
    "MSG_SOURCES_NEWER": (
        "touch -d 2100-01-01 sources/?.c; $GPROF -b -A -z --source-map=/src=sources image all"
    ),
    "MSG_NOT_OVERWRITTEN": "ln -s elsewhere a.c-ann; $GPROF -b -A -y -I sources image all",
    "MSG_SAME_NAME": "$GPROF -b -A -y -z -I sources samename all",
    "MSG_UNKNOWN_OPTION": "$GPROF --foo",
    "MSG_SIMILAR_OPTIONS": "$GPROF --colums=self",
    "MSG_AMBIGUOUS_OPTION": "$GPROF --no",
    "MSG_INVALID_OPTION": "$GPROF -W",
    "MSG_NO_ARGUMENT": "$GPROF --width",
    "MSG_HAS_ARGUMENT": "$GPROF --brief=yes",
    "MSG_UNKNOWN_COLUMN": "$GPROF --top --columns=self,selves,name image all",
    "MSG_UNKNOWN_CHOICE": "$GPROF --top --by=module image all",
    "MSG_BAD_EXPRESSION": "$GPROF --top --focus='a(' image all",
    "MSG_BASE_PROFILE_NEEDED": "$GPROF --one-run --base=image image all",
    "MSG_NOTHING_TO_COMPARE": "$GPROF --one-run --base=image --base-profile=nosamples image all",
    "MSG_BASE_UNIT": "$GPROF --one-run --base=image --base-profile=hits image all",
    "MSG_BASE_OPTIONS": (
        "$GPROF --format=json -a -o options.json image all && $GPROF --one-run --base=options.json"
        " image all"
    ),
    "MSG_BASE_SYMBOLS": "$GPROF --one-run --base=image --base-profile=all -S nm image all",
    "MSG_BASE_UNMEASURED": (
        "$GPROF --format=json -o s.json image thousand; cp thousand t; printf '# regmon stacks"
        " 3\\n# rate 100\\n# histogram 10000 101a0 1000\\n# program 0 x\\n0:10000 9\\n# samples"
        " 9\\n' >t.stacks; $GPROF --one-run --base=s.json image t"
    ),
    "MSG_BASE_UNJUDGED": (
        "$GPROF --one-run --base=image --base-profile=all --fail-above=10 --fail-scope=inclusive"
        " image all"
    ),
    "MSG_BLIND_STATED": (
        "printf 'events: ns\\nfn=f\\n1 900\\n' >t; $GPROF --base=t --fail-above=10 t"
    ),
    "MSG_BLIND_SPREAD": (
        "cp thousand t; printf '# regmon stacks 3\\n# rate 100\\n# histogram 10000 101a0 1000\\n#"
        " program 0 x\\n0:10000 9\\n# samples 9\\n' >t.stacks; $GPROF --one-run --base=image"
        " --base-profile=t --base-runs=2 --fail-above=10 --fail-scope=inclusive image t"
    ),
    "MSG_BASE_STACKS": (
        "$GPROF --one-run --base=image --base-profile=histogram --format=folded image all"
    ),
    "MSG_BASE_OTHER_PROGRAM": (
        "$GPROF --one-run --base=alien --base-profile=histogram image histogram"
    ),
    "MSG_BASE_FEW_IN_COMMON": "$GPROF --one-run --base=renamed --base-profile=all image all",
    "MSG_BASE_CHOICE": (
        "printf '"
        + SAMPLE % "cycles"
        + "' > perf; $GPROF --format=json --thread=p perf > thread.json;"
        " $GPROF --one-run --base=thread.json perf"
    ),
    "MSG_BASE_RATE": "$GPROF --one-run --base=image --base-profile=otherrate image all",
    "MSG_BASE_RANGE": "$GPROF --one-run --base=image --base-profile=half image all",
    "MSG_BASE_MACHINE": "$GPROF --one-run --base=unknown --base-profile=all image all",
    "MSG_ONE_RUN": "$GPROF --base=image --base-profile=hundred --fail-above=10 image thousand",
    "MSG_ONE_RUN_BLIND": (
        "$GPROF --base=image --base-profile=hundred --fail-above=10 --fail-inconclusive image"
        " hundred"
    ),
    "MSG_REGRESSION": (
        "$GPROF --one-run --base=image --base-profile=hundred --fail-above=10 image thousand"
    ),
    "MSG_REGRESSION_GONE": (
        INLINED + "$GPROF --one-run --base=before --fail-above=10 --fail-scope=function slower"
    ),
    "MSG_TOOK_OVER": (
        INLINED + "$GPROF --one-run --base=before --fail-above=10 --fail-scope=function after"
    ),
    "MSG_REGRESSION_CALLS": (
        "$GPROF --one-run --base=image --base-profile=arcs --fail-calls=0 image calls2"
    ),
    "MSG_NO_MORE_CALLS": (
        "$GPROF --one-run --base=image --base-profile=arcs --fail-calls=2.5 image arcs"
    ),
    "MSG_NO_MORE_CALLS_OF": (
        "$GPROF --one-run --base=image --base-profile=arcs --fail-calls=0 image arcs calls2"
    ),
    "MSG_REGRESSION_INCLUSIVE": (
        'for n in 100 200; do cp thousand t$n; printf "# regmon stacks 3\\n# rate 100\\n# histogram'
        ' 10000 101a0 1000\\n# program 0 x\\n0:10000 $n\\n# samples $n\\n" >t$n.stacks; done;'
        " $GPROF --one-run --base=image --base-profile=t100 --stacks --fail-above=10"
        " --fail-scope=inclusive image t200"
    ),
    "MSG_NO_REGRESSION": (
        "$GPROF --one-run --base=image --base-profile=thousand --fail-above=10 --fail-scope=total"
        " image thousand"
    ),
    "MSG_BELOW_FLOOR": (
        "$GPROF --one-run --base=image --base-runs=2 --base-profile=thousand --fail-above=10,60"
        " --fail-scope=total image thousand"
    ),
    "MSG_BLIND_RUNS": (
        "for i in 1 2 3 4 5; do cp hundred h$i; cp thousand t$i; done; $GPROF --base=image"
        " --base-profile=h1 --base-profile=h2 --base-profile=t3 --base-profile=t4 --fail-above=5"
        " --fail-inconclusive image h1 t2 h3 t4"
    ),
    "MSG_BLIND_FLOOR": (
        "$GPROF --one-run --base=image --base-profile=thousand --fail-above=90,1000"
        " --fail-inconclusive image thousand"
    ),
    "MSG_BLIND": (
        "$GPROF --one-run --base=image --base-profile=histogram --fail-above=5 --fail-inconclusive"
        " image histogram"
    ),
    "MSG_BAD_RUNS": "$GPROF --one-run --base=image --base-runs=0 image all",
    "MSG_BAD_THRESHOLD": "$GPROF --one-run --base=image --fail-above=10,x image all",
    "MSG_BAD_ALPHA": "$GPROF --one-run --base=image --alpha=0 image all",
    "MSG_BAD_SHARE": "$GPROF --top --min-share=101 image all",
    "MSG_BINARY_FORMAT": 'script -qec "$GPROF --format=pprof image all" /dev/null >&2',
    "MSG_PAGE_ON_TERMINAL": 'script -qec "$GPROF --format=html image all" /dev/null >&2',
    "MSG_UNKNOWN_STYLE": "$GPROF --demangle=latin",
    "MSG_UNKNOWN_FORMAT": "$GPROF -O x",
    "MSG_PROF_FORMAT": "$GPROF -O prof",
    "MSG_BAD_NUMBER": "$GPROF -w wide",
    "MSG_BAD_SOURCE_MAP": "$GPROF --source-map=/src image all",
    "MSG_NEEDS": "$GPROF --null image all",
    "MSG_NOT_TOGETHER": "$GPROF -s --per-file image all",
    "MSG_BAD_MAP_LINE": "$GPROF -R empty.map image all",
    "MSG_EMPTY_MAP": "$GPROF -R empty image all",
    "MSG_NO_STATIC_CALLS": "$GPROF -b -c unknown all",
    "MSG_CANNOT_WRITE": "$GPROF -s -o nowhere/sum image all",
    "MSG_NOTHING_TO_ADD": "$GPROF -s --skip-bad image cut",
    "MSG_OUTPUT_IS_INPUT": P + "-o all all",
    "MSG_NOT_REPLACED": "mkfifo sum.pipe; $GPROF -s -o sum.pipe image all",
    "MSG_LINK_ELSEWHERE": "ln -s /etc/hostname link; $GPROF -s -o link image all",
    "MSG_BSD_ONE_HISTOGRAM": "$GPROF -s -O bsd -o sum image bsd bsdbehind",
    "MSG_BSD_BINS": "$GPROF -s -O bsd -o sum image bsdmost bsdmost",
    "MSG_BSD_RATE": "$GPROF -s -O bsd -o sum image bsdrate",
    "MSG_COUNT_TOO_LARGE": "$GPROF -s -o sum image bsdlarge",
    "MSG_OUTPUT_FAILED": "$GPROF --help >/dev/full",
    "MSG_OUTPUT_LOST": (
        "ln -sf elsewhere a.c-ann; $GPROF -b -i -A -y -I sources image all >/dev/full"
    ),
}


SILENT = {  # commands that print no messages
    "sources that have moved": (
        "touch -d 2001-01-01 sources/?.c; $GPROF -b -A --source-map=/src=sources image calls"
    ),
    "an older profile, quietly": (
        "cp calls old; touch -d 2001-01-01 old; $GPROF -b -q --quiet image old"
    ),
    "threads, quietly": "$GPROF -b -q --quiet threads calls",
    "threads, and no calls": "$GPROF -b -p threads histogram",
    "threads, and no reports": "$GPROF -i threads calls",
    "calls from outside": "$GPROF -b -q image calls; $GPROF -b -C image calls",
    "few samples, not on a terminal": "$GPROF -b -q image calls",
    "each function is one line": "$GPROF -b -i -l oneline all",
    "counts by line": "$GPROF -b -C -l oneline all",
}


def elf_with(text, name):
    return write(os.path.join(TEMP, name), elf.parse(text).bytes())


def section_head(data, number):
    """Offset of a section's header in an ELF file of 64 bits, little-endian."""
    return struct.unpack_from("<Q", data, 40)[0] + 64 * number


def changed(name, number, **fields):
    """The image with changed fields in a section header: 1 is the text, 2 the symbols, 5 to 7 debug
    information."""
    where = {"flags": 8, "offset": 24, "size": 32, "link": 40}
    data = bytearray(read(os.path.join(TEMP, "image")))
    for field, value in fields.items():
        struct.pack_into(
            "<I" if field == "link" else "<Q",
            data,
            section_head(data, number) + where[field],
            value,
        )
    write(os.path.join(TEMP, name), bytes(data))


def prepare_images():
    elf_with(seeds.IMAGE, "image")
    elf_with(seeds.IMAGE.replace("function left", "function mcount 0x1\nfunction left"), "profiled")
    elf_with(
        seeds.IMAGE.replace(
            "function left", "function _start 0x1\nfunction mcount 0x1\nfunction left"
        ),
        "counting",
    )
    elf_with(
        "text 0xfff8\nfunction _start 0x6\nfunction mcount 0x1\nfunction alone 0x200\n", "sparse"
    )
    elf_with(
        seeds.IMAGE.replace("function left", "function _start 0x1\nfunction left"), "uncounted"
    )
    elf_with(
        seeds.IMAGE.replace(
            "function left",
            "function _start 0x1\nfunction __cyg_profile_func_enter 0x1\nfunction left",
        ),
        "instrumented",
    )
    elf_with(
        "loader /lib/ld-musl-x86_64.so.1\n"
        + seeds.IMAGE.replace("function left", "function _start 0x1\nfunction left"),
        "formusl",
    )
    elf_with(
        seeds.IMAGE.replace(
            "function left", "function _start 0x1\nfunction monstartup 0x1\nfunction left"
        ),
        "linked",
    )
    elf_with(
        seeds.IMAGE.replace("function left", "function pthread_create 0x1\nfunction left"),
        "threads",
    )
    elf_with("text 0x10000\nfunction alien 0x20\nfunction strange 0x200\n", "alien")
    elf_with(re.sub(r"\b(left|right|inner|other)\b", r"my_\1", seeds.IMAGE), "renamed")
    elf_with("section .plt\n" + seeds.IMAGE, "textless")
    elf_with("text 0x10000\n", "stripped")
    elf_with("text 0x10000\nlocal alone 0x100\n", "static")
    elf_with("machine 36864\n" + seeds.IMAGE, "unknown")
    elf_with(re.sub(r"(file|lines) .*", "", seeds.IMAGE), "lineless")
    elf_with("machine 36864\n" + re.sub(r"(file|lines) .*", "", seeds.IMAGE), "bare")
    elf_with(
        seeds.IMAGE.replace(
            "function left", "function %s 0x1\nfunction left" % seeds.doubling_name(1, 26)
        ),
        "longsymbol",
    )
    elf_with(
        (
            'text 0x10000\nfile "/src/a.c"\nfunction main 0x20\nlines 0 1\nfunction left'
            " 0x100\nlines 0 2\n"
        ),
        "oneline",
    )
    elf_with(seeds.IMAGE.replace('"/src/b.c"', '"/other/a.c"'), "samename")
    chain = ["function f%d 0x20\ncall 0 mcount\ncall 8 f%d\n" % (i, (i + 1) % 8) for i in range(8)]
    elf_with("text 0x10000\n" + "".join(chain) + "function mcount 0x20\n", "sliding")
    changed("badsymbols", 2, size=1 << 40)
    changed("badnames", 3, size=1 << 40)
    changed("shorttext", 1, size=1 << 40)
    changed("damaged", 1, offset=1 << 20)
    data = bytearray(read(os.path.join(TEMP, "image")))
    offset, size = struct.unpack_from("<QQ", data, section_head(data, 7) + 24)
    data[offset + 4 : offset + size] = b"\xff" * (size - 4)
    write(os.path.join(TEMP, "baddebug"), bytes(data))
    data = bytearray(read(os.path.join(TEMP, "image")))
    struct.pack_into("<H", data, 16, 1)
    write(os.path.join(TEMP, "object"), bytes(data))
    write(os.path.join(TEMP, "core"), bytes(data[:16] + b"\4\0" + data[18:]))
    # libbfd copies the name of the file for each row.  As an object file, it is read by libbfd.
    rows = " ".join("%d %d" % (4 * i, 1 + i) for i in range(10000))
    text = 'text 0x10000\nfile "/src/%s.c"\nfunction main 0x10000\nlines %s\n' % ("a" * 60000, rows)
    data = bytearray(elf.parse(text).bytes())
    struct.pack_into("<H", data, 16, 1)
    write(os.path.join(TEMP, "longname"), bytes(data))
    # A stripped program has another kind of symbol table, and other references to it.
    for name, source in (("dynamic", "image"), ("dynamicplain", "lineless")):
        data = bytearray(read(os.path.join(TEMP, source)))
        struct.pack_into("<I", data, section_head(data, 2) + 4, 11)
        write(os.path.join(TEMP, name), bytes(data))


def profile(name, records, format="magic"):
    return write(os.path.join(TEMP, name), Profile(PLAIN, records).bytes(format))


def prepare_profiles():
    histogram, path = seeds.histogram, lambda name: os.path.join(TEMP, name)
    whole = read(profile("all", seeds.PROFILES["all"]))
    profile("arcs", seeds.ARCS)
    profile("histogram", [histogram()])
    profile("calls", [histogram(), *seeds.ARCS])
    profile(
        "beyond",
        [
            histogram(),
            *seeds.ARCS,
            ("arc", 8, LOW, 4),
            ("arc", LOW, HIGH + 0x1000, 6),
            seeds.BLOCKS,
            ("blocks", [(HIGH + 0x1000, 1), (8, 1)]),
        ],
    )
    chain = [("arc", 0x1700D + 0x20 * i, 0x17005 + (0x20 * i + 0x20) % 0x100, 3) for i in range(8)]
    write(path("perf.data"), b"PERFILE2" + struct.pack("<QQ", 104, 144) + bytes(200))
    write(path("report.json"), b'{\n  "schema": "regprof/1"\n}\n')
    profile("slid", [Histogram(0x17000, 0x17120, 0x48, {1: 5}), *chain])
    profile("hundred", [histogram({0: 100})])
    profile("single", [histogram({0: 1})])
    profile("twofiles", [histogram({0: 1, 36: 1})])
    profile("thousand", [histogram({0: 1000})])
    profile("half", [Histogram(LOW, LOW + 0x40, 0x10, {0: 5})])
    profile("calls2", [*seeds.ARCS, *seeds.ARCS])
    profile("nosamples", [Histogram(LOW, HIGH, 8)])
    profile("norecords", [])
    profile("zeroarc", [("arc", LOW, LOW, 0)])
    profile("hits", [histogram(dimension="hits", abbreviation="h")])
    profile("otherrate", [histogram(rate=1000)])
    profile("oddrate", [histogram(rate=1001)])
    profile("fours", [histogram({i: 4 for i in range(20)}, rate=1000)])
    profile("norate", [histogram(rate=0)])
    profile("coarse", [Histogram(LOW, HIGH, 8, {0: 1})])
    profile("overlap", [Histogram(LOW + 4, HIGH + 4, (HIGH - LOW) // 4, {0: 1})])
    profile("manyhistograms", [Histogram(LOW + 16 * i, LOW + 16 * i + 8, 2) for i in range(16385)])
    profile("outside", [Histogram(0x900000, 0x900100, 8, {0: 1})])
    profile("foreign", [histogram(), ("arc", 1, 2, 3)])
    profile("nobins", [Histogram(LOW, HIGH, 0)])
    profile("norange", [Histogram(HIGH, LOW, 2)])
    profile("bsd", [histogram()], "bsd")
    profile("bsdbehind", [Histogram(HIGH, 2 * HIGH - LOW, (HIGH - LOW) // 4, {0: 1})], "bsd")
    profile("bsdmost", [histogram({0: 65535})], "bsd")
    profile("bsdrate", [histogram(rate=1000)], "bsd44")
    profile("bsdlarge", [histogram(), ("arc", LOW, LOW, 2**63)], "bsd")
    write(path("bsdsize"), struct.pack("<QQI", LOW, HIGH, 1 << 30) + bytes(60))
    write(path("version"), b"gmon" + struct.pack("<I", 7) + bytes(12))
    write(path("tag"), b"gmon" + struct.pack("<I", 1) + bytes(12) + b"\x09")
    write(path("cut"), whole[:-3])
    write(path("tiny"), b"gm")
    write(path("empty"), b"")
    write(path("zeros"), bytes(999))
    write(path("beside"), (STACKS % (LOW, HIGH, 24, checksum(histogram()), LOW + 1)).encode())
    write(path("empty.map"), b"a.o\n")
    write(path("packed.xz"), lzma.compress(whole))
    packed = gzip.compress(whole)
    write(path("gzipcut"), packed[: len(packed) // 2])
    write(path("gzipbad"), packed[:10] + b"\xff" * 20)
    write(path("gziplarge"), 280 * gzip.compress(bytes(1 << 20)))


def prepare():
    prepare_images()
    prepare_profiles()
    for name in ("directory", "sources"):
        os.mkdir(os.path.join(TEMP, name))
    for name in ("a.c", "b.c"):
        write(os.path.join(TEMP, "sources", name), b"a line\n" * 30)
    write(os.path.join(TEMP, "map"), b"a.o:0 T main\n")


# ---- Messages that need more than a command ----


def starved():
    faulty = os.path.join(harness.BUILDDIR, "tests", "faulty")
    if not os.access(faulty, os.X_OK):
        return None
    return harness.run(
        [faulty, "-b", "image", "all"], TEMP, dict(harness.ENV, SHIM_FAIL="20"), name="gprof"
    )[2]


def starved_elsewhere():
    """The C library's own requests for memory are seen by a shim alone."""
    shim = harness.shim("shim")
    if harness.is_sanitized() or not shim:
        return None
    said = b""
    for number in range(1, 60):
        env = dict(harness.ENV, LD_PRELOAD=shim, SHIM_FAIL="%d" % number)
        said += harness.run([harness.GPROF, "-b", "image", "all"], TEMP, env)[2]
    return said


def unreadable():
    """The executable is on a disk that fails."""
    shim = harness.shim("shim")
    if harness.is_sanitized() or not shim:
        return None
    said = b""
    for number in range(1, 30):
        env = dict(
            harness.ENV, LD_PRELOAD=shim, SHIM_EIO="%d:%s" % (number, os.path.join(TEMP, "image"))
        )
        said += harness.run([harness.GPROF, "-b", "image", "all"], TEMP, env)[2]
    return said


def without_stack():
    """The compiler decides how much stack the program needs before the first message.  The kernel
    decides, at random,
    where the stack begins, and with it whether a size is too small for the message or large enough
    for all.
    """
    if harness.is_sanitized():
        return None
    script = (
        "for size in 18 19 20 21 22 23 24 25 26 28 32 48 64 96 128; do ulimit -S -s $size; $GPROF"
        " -b -l image all; done"
    )
    for _ in range(20):
        said = harness.run(["/bin/sh", "-c", script], TEMP, dict(harness.ENV, GPROF=harness.GPROF))[
            2
        ]
        if said:
            break
    return said


def beyond_limit():
    """The memory limit exists only where libbfd's allocations are redirected."""
    if not harness.wraps_libbfd():
        return None
    return harness.run([harness.GPROF, "-b", "-l", "longname", "all"], TEMP)[2]


def interrupted():
    """A signal that has come by the time the sum is complete: it is blocked and pending from the
    start."""

    def signal_itself():
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
        signal.raise_signal(signal.SIGTERM)

    command = [harness.GPROF, "-s", "-o", "sum", "image", "all"]
    return subprocess.run(
        command, cwd=TEMP, env=harness.ENV, stderr=subprocess.PIPE, preexec_fn=signal_itself
    ).stderr


def limits():
    """Limits that no file can reach, from a unit test."""
    program = os.path.join(harness.BUILDDIR, "tests", "unit", "test_limits")
    return harness.run([program, "speak"], name="gprof")[2] if os.access(program, os.X_OK) else None


def on_terminal(*words):
    """What a run of the program prints on standard error if that is a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [harness.GPROF, *words], cwd=TEMP, env=harness.ENV, stdout=subprocess.DEVNULL, stderr=theirs
    )
    return harness.read_terminal(ours, theirs, process).replace(b"\r\n", b"\n")


def large_window():
    """Only libzstd knows how much memory a file needs."""
    write(
        os.path.join(TEMP, "window.zst"),
        zstd.frame(read(os.path.join(TEMP, "all")), window_bits=31),
    )
    return (
        harness.run([harness.GPROF, "-b", "image", "window.zst"], TEMP)[2]
        if harness.reads_zstd()
        else None
    )


def damaged_symbols():
    """Only liblzma knows whether symbols are damaged."""
    tool = harness.tool("OBJCOPY", "objcopy")
    if not tool or not harness.has_library("LZMA"):
        return None
    harness.must_run(
        tool + ["--strip-all", "--add-section=.gnu_debugdata=all", "image", "packed"], TEMP
    )
    return harness.run([harness.GPROF, "-b", "packed", "all"], TEMP)[2]


def few_samples():
    return on_terminal("-p", "image", "calls")


def of_json(old, new, is_built_without=False):
    """Returns a function: what the reader of JSON says of a document in which OLD is replaced by
    NEW."""

    def read_json():
        program = os.path.join(harness.BUILDDIR, "tests", "rejson")
        if not os.access(program, os.X_OK):
            return None
        write(os.path.join(TEMP, "json"), seeds.JSON.replace(old, new, 1).encode())
        said = harness.run([program, "json"], TEMP, name="gprof")[2]
        return said if (b"built without libjansson" in said) == is_built_without else None

    return read_json


SPECIAL = {
    "MSG_FEW_SAMPLES": few_samples,
    "MSG_NO_MEMORY": starved,
    "MSG_NO_MEMORY_IN": starved_elsewhere,
    "MSG_READ_FAILED": unreadable,
    "MSG_NO_STACK": without_stack,
    "MSG_DEBUG_TOO_LARGE": beyond_limit,
    "MSG_INTERRUPTED": interrupted,
    "MSG_COMPRESSED_WINDOW": large_window,
    "MSG_COMPRESSED_SYMBOLS": damaged_symbols,
}


def without_opcodes():
    """Only a program without libopcodes says so; what others do is tested elsewhere."""
    return (
        None
        if harness.has_library("OPCODES")
        else harness.run([harness.GPROF, "--asm", "image"], TEMP)[2]
    )


SPECIAL["MSG_NO_OPCODES"] = without_opcodes
SPECIAL.update(
    {
        "MSG_NO_JSON": of_json("", "", True),
        "MSG_BAD_JSON": of_json("{", "["),
        "MSG_OTHER_JSON": of_json("regprof/1", "other"),
        "MSG_OTHER_SCHEMA": of_json("regprof/1", "regprof/2"),
        "MSG_JSON_MEMBER": of_json('"arcs"', '"arc"'),
        "MSG_JSON_ITEM": of_json('"from":0', '"from":2'),
    }
)
SPECIAL.update(
    (name, limits)
    for name in (
        "MSG_TOO_MANY_ARCS",
        "MSG_TOO_MANY_NAMES",
        "MSG_TOO_MANY_BLOCKS",
        "MSG_TOO_MANY_SYMBOLS",
        "MSG_BSD_SIZE",
        "MSG_BSD_DIMENSION",
        "MSG_BSD_BLOCKS",
    )
)

# What stands in messages: all of them with figures, and the one whose format any message with a
# colon would
# have.  An offset of 20 is that of the first record.
MOST = 2**32 - 2
ARGUMENTS = {
    "MSG_OBJECT_PROFILES": (1, "calls.libnone.so.1"),
    "MSG_STACKS_FEW": ("calls.stacks", 7, 24),
    "MSG_RECORD_PROGRAMS": (67, 0.03, "/2/p", "/1/p"),
    "MSG_SOURCES_ABSENT": (2, "/src/a.c"),
    "MSG_HAS_NO_LINES": ("bare", "main", 1),
    "MSG_CODE_CLOSED": ("[y]", 0),
    "MSG_STATES_NO_LINES": ("folded", "f", 0),
    "MSG_BAD_LINE": ("bad", 2, "no count at the end of the stack"),
    "MSG_BAD_FIELD": ("folded", 5),
    "MSG_CROSSED": ("bad", 0, 0),
    "MSG_BAD_BYTE": ("bad", 40, "the file ends inside of this record"),
    "MSG_NOT_ORDERED": ("demangled", 1, "f(int)"),
    "MSG_RECORD_LONGER": ("3 samples", 58, 400),
    "MSG_FILE_REASON": ("nowhere", "No such file or directory"),
    "MSG_TOO_MANY_ARCS": (MOST,),
    "MSG_TOO_MANY_BLOCKS": (MOST,),
    "MSG_TOO_MANY_NAMES": (MOST,),
    "MSG_TOO_MANY_SYMBOLS": (MOST,),
    "MSG_BAD_VERSION": ("version", 7, 4),
    "MSG_UNEXPECTED_END": ("cut", "basic-block record", 419, 8, 5),
    "MSG_BAD_TAG": ("tag", 9, 20),
    "MSG_NO_BINS": ("nobins", 20),
    "MSG_EMPTY_RANGE": ("norange", 20, HIGH, LOW),
    "MSG_BAD_BSD_SIZE": ("bsdsize", 1 << 30, 80, 16),
    "MSG_OTHER_DIMENSION": ("hits", 20, "hits", "seconds"),
    "MSG_OTHER_SCALE": ("coarse", 20),
    "MSG_OVERLAP": ("overlap", 20),
    "MSG_TOO_MANY_HISTOGRAMS": ("manyhistograms", 20 + 16384 * 45, 16384),
    "MSG_SKIPPED": (1, 2),
    "MSG_LEFT_OUT": ("mixed", 1, "mixed/words"),
    "MSG_LINKS_LEFT_OUT": ("linking", 1, "linking/self"),
    "MSG_COMPRESSION": ("packed.xz", "xz", "xz"),
    "MSG_COMPRESSED_WINDOW": ("window.zst",),
    "MSG_COMPRESSED_SYMBOLS": ("packed",),
    "MSG_OBJECTS": ("0.07 of 0.14 s are in this program, 0.07 s in y.so (50 %)",),
    "MSG_OTHER_RATE": ("otherrate", 20, 1000, 100),
    "MSG_SUM_RATE": ("oddrate", 20, 1001, 100),
    "MSG_SEVERAL_AT_ONCE": ("fours", 4),
    "MSG_OUTSIDE_TEXT": ("outside", 20, 0x900000, 0x900100, "image"),
    "MSG_RATE_ZERO": ("norate", 20),
    "MSG_OTHER_PROFILER": ("c.gcda", "gcov"),
    "MSG_CONVERT_PROFILE": ("r.jfr", "Java Flight Recorder", "jfrconv -o collapsed"),
    "MSG_MIXED_PROFILERS": ("perf.data", "perf"),
    "MSG_JSON_AS_PROFILE": ("report.json", "report.json"),
    "MSG_SLIDE": ("slid", "", 0x7000, "sliding"),
    "MSG_BAD_SLIDE": ("slide", "1k"),
    "MSG_NO_SAMPLES": (0.01, "seconds"),
    "MSG_PARTLY_OUTSIDE": (100 * 3 / 24, "image"),
    "MSG_MOSTLY_OUTSIDE": (100 * 23 / 24, "image"),
    "MSG_BAD_MAP_LINE": ("empty.map", 1),
    "MSG_BAD_STACK_LINE": ("s", 3),
    "MSG_MAY_SKIP": (2,),
    "MSG_BSD_ONE_HISTOGRAM": ("sum", 2),
    "MSG_BSD_RATE": ("sum", 1000),
    "MSG_FEW_SAMPLES": ("24 samples", 10),
    "MSG_BASE_FEW_IN_COMMON": ("renamed", 1, 4, "image"),
    "MSG_BASE_RANGE": ("image", 0x40, HIGH - LOW),
    "MSG_BASE_RATE": ("image", 1000, 100),
    "MSG_REGRESSION": ("main", "1.00 s", "10.00 s", "+900 % ± 33, p < 1e-9", 1, 1),
    "MSG_REGRESSION_INCLUSIVE": ("main", "1.00 s", "2.00 s", "+100 % ± 17, p = 8e-09", 1, 1),
    "MSG_REGRESSION_CALLS": ("inner", "7+5", "14+10", "+100 %", 3, 3),
    "MSG_REGRESSION_GONE": ("caller", "0.00 samples", "300.00 samples", "p < 1e-9", 1, 2, "work"),
    "MSG_TOOK_OVER": (
        10,
        "caller",
        "work",
        "0.00 samples",
        "100.00 samples",
        "p < 1e-9",
        "21 % of main, if runs do not vary",
    ),
    "MSG_NO_MORE_CALLS": (2.5,),
    "MSG_NO_MORE_CALLS_OF": (0, 3, 3),
    "MSG_NO_REGRESSION": (10, "13 % of the total, if runs do not vary"),
    "MSG_BELOW_FLOOR": (
        10,
        "total",
        "5.000 s",
        "10.000 s",
        "+100 % ± 7, p < 1e-9",
        "60 s",
        (
            "14 % of the total, if runs do not vary, with --fail-above=10,0, as all of the base is"
            " less than the floor of 60 s"
        ),
    ),
    "MSG_ONE_RUN": ("main", "1.00 s", "10.00 s", "+900 %"),
    "MSG_BLIND_RUNS": (5, "nothing of the total, nothing of main"),
    "MSG_BLIND_FLOOR": (
        90,
        "1000 s",
        (
            "13 % of the total, 13 % of main, if runs do not vary, with --fail-above=90,0, as all"
            " of the base is less than the floor of 1000 s"
        ),
        90,
    ),
    "MSG_BLIND": (5, "109 % of the total, nothing of any function, if runs do not vary"),
    "MSG_OTHER_SCHEMA": ("json", "regprof/2"),
    "MSG_JSON_ITEM": ("json", "arcs", 0, "from"),
    "MSG_STRICT": (2,),
    "MSG_SHORTFALL": (0, 25, 15),
    "MSG_SOURCES_MISSING": (2,),
    "MSG_SOURCES_NEWER": (2, "/src/b.c", "image"),
    "MSG_CUT_STACKS": ("s", 100),
    "MSG_RUN_LONGER": ("24 samples", 100 / 24**0.5, 400, 1700),
    "MSG_CALLS_OUTSIDE": (10, 35, "image"),
    "MSG_BLOCKS_OUTSIDE": ("image", 2),
    "MSG_REFUSED_BUILD": ("all", "counting", 3, 5),
    "MSG_OTHER_BUILD": ("all", "counting", 3, 5),
    "MSG_MORE_OTHER_BUILDS": (1, "counting"),
    "MSG_COUNT_TOO_LARGE": ("sum", 2**63, LOW, LOW),
}
# Which request for memory fails is chance; zlib has a say in the size, jansson in the words.
NOT_EXACT = {"MSG_NO_MEMORY", "MSG_COMPRESSED_LARGE", "MSG_BAD_JSON"}

_FIGURE = r"%[-0-9.]*(?:hh|h|ll|l|z|j)?[uxfgd]"


def with_arguments(text, arguments):
    """The line of a message with these arguments, in any of its kinds."""
    body = (
        re.sub(
            r"%([-0-9.]*)(?:hh|h|ll|l|z|j)?([a-zA-Z])",
            lambda m: "%" + m[1] + m[2].replace("u", "d"),
            text,
        )
        % arguments
    )
    return ["gprof: " + kind + body for kind in ("", "warning: ", "note: ")]


@functools.lru_cache(maxsize=None)
def provoke(name):
    """The result of a command of PROVOKED, which runs once."""
    return harness.run(
        ["/bin/sh", "-c", PROVOKED[name]], TEMP, dict(harness.ENV, GPROF=harness.GPROF)
    )


# Files that messages name, and commands do not.
UNNAMED = {
    "MSG_NO_RUN": "a.out",
    "MSG_SOURCE_NO_TEXT": "/src/a.c",
    "MSG_SOURCE_NEWER": "/src/a.c",
    "MSG_SAME_NAME": "a.c",
    "MSG_NOTHING_TO_ADD": "gmon.sum",
}


def names_file(name, text, lines):
    """Whether a message that begins with the name of a file names one of its command."""
    known = UNNAMED.get(name) or PROVOKED.get(name) or ("json" if "JSON" in name else None)
    if known is None or not text.startswith("%s:"):
        return True
    form = re.compile(pattern(text).pattern.replace(".*", "(.*?)", 1))
    return any(match[1] and match[1] in known for match in map(form.fullmatch, lines) if match)


def check_message(tap, name, text):
    if name in SPECIAL:
        said = SPECIAL[name]()
        if said is None:
            return tap.skip(name, "a program for it is not built")
    elif name in PROVOKED:
        said = provoke(name)[2]
    else:
        return tap.ok(False, name, "nothing here provokes it: %s" % text)
    lines = said.decode("utf-8", "backslashreplace").splitlines()
    if name in ARGUMENTS:
        found = set(lines) & set(with_arguments(text, ARGUMENTS[name]))
    else:
        found = any(pattern(text).fullmatch(line) for line in lines)
        found = found and names_file(name, text, lines)
    tap.ok(found, name, "wanted: %s\nsaid: %s" % (text, "\n".join(lines[:10])))


def check_large(tap):
    """How many bytes is not exact, but more than what is allowed."""
    said = provoke("MSG_COMPRESSED_LARGE")[2].decode()
    found = re.search(r"more than (\d+) bytes, from (\d+):", said)
    size = os.path.getsize(os.path.join(TEMP, "gziplarge"))
    tap.ok(
        found and 256 << 20 < int(found[1]) <= 280 << 20 and int(found[2]) == size,
        "how large a compressed file is",
        said,
    )


# ---- Warnings as errors ----


def run_strictly(command):
    """(status, standard output, standard error, sums written) of a command of PROVOKED with
    --strict."""
    before = set(os.listdir(TEMP))
    env = dict(harness.ENV, GPROF=harness.GPROF + " --strict")
    result = harness.run(["/bin/sh", "-c", command], TEMP, env)
    return (*result, (set(os.listdir(TEMP)) - before) & {"gmon.sum", "sum"})


def check_strict(tap):
    """Whatever causes a warning: --strict makes it an error, and there is no output."""
    for name, command in PROVOKED.items():
        caused = provoke(name)
        if caused[0] != 0 or b"gprof: warning: " not in caused[2]:
            continue
        for path in ("gmon.sum", "sum"):
            if os.path.isfile(os.path.join(TEMP, path)):
                os.unlink(os.path.join(TEMP, path))
        status, out, err, sums = run_strictly(command)
        is_so = status == 1 and out == b"" and b"because of --strict" in err and not sums
        tap.ok(
            is_so,
            "strict: " + name,
            "status %d, %s\n%s" % (status, sorted(sums), (out[:300] + err).decode()),
        )
    status, out, err, _ = run_strictly("$GPROF -b -p image histogram")
    tap.ok(status == 0 and out and not err, "strict, without a warning", err)


# ---- Messages that are not in the catalogue ----


def strangers():
    for name in harness.sources():
        with open(name, encoding="utf-8") as file:
            text = file.read()
        for word in re.findall(
            r"\b(?:(?:problem|die)\s*\(|(?:warning|note)\s*\([^,;\"]*,)\s*(\"[^\"]*\")", text
        ):
            yield "%s: %s" % (name, word)


def main():
    if harness.is_reference():
        harness.skip_all("the reference has messages of its own")
    tap = harness.Tap()
    catalogue = {name: text for name, text in macros().items() if name.startswith("MSG_")}
    prepare()
    for name, text in catalogue.items():
        check_message(tap, name, text)
    for name, command in SILENT.items():
        said = harness.run(["/bin/sh", "-c", command], TEMP, dict(harness.ENV, GPROF=harness.GPROF))
        tap.ok(
            said[0] == 0 and not said[2], "not a word: " + name, said[2].decode("utf-8", "replace")
        )
    check_large(tap)
    check_strict(tap)
    few = [
        on_terminal("-b", "-p", *words)
        for words in (["--quiet", "image", "calls"], ["image", "hundred"])
    ]
    tap.ok(few == [b"", b""], "not a word: few samples, quietly; a hundred", few)
    vague = (
        {name for name, text in catalogue.items() if re.search(_FIGURE, text)}
        - set(ARGUMENTS)
        - NOT_EXACT
    )
    tap.ok(not vague, "figures in messages are tested", " ".join(sorted(vague)))
    past = list(strangers())
    tap.ok(not past, "all messages are in the catalogue", past)
    unknown = (set(PROVOKED) | set(SPECIAL)) - set(catalogue)
    tap.ok(not unknown, "and the catalogue has all that are provoked", " ".join(sorted(unknown)))
    used = "".join(open(name, encoding="utf-8").read() for name in harness.sources())
    idle = set(catalogue) - set(re.findall(r"\w+", used))
    tap.ok(not idle, "none is idle", " ".join(sorted(idle)))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
