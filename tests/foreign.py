#!/usr/bin/env python3
"""Profiles of other profilers: folded stacks, perf, pprof.

Figures are compared with those that are computed here from the same stacks, in each format, and
with what real
profilers say of programs whose shares are known.  Files that cannot be used are refused with their
name and place.

With CHECK_LONG=1, more stacks and damaged files are drawn, and 200 pairs of recordings compared.
"""

import sys

sys.dont_write_bytecode = True

import bz2
import gzip
import itertools
import json
import lzma
import math
import os
import random
import re
import shutil
import subprocess

from lib import harness, stack_model
from lib.harness import TEMP, write

TRUTH = {"heavy": 0.72, "light": 0.18, "deep": 0.08, "main": 1.0}
PROGRAM = r"""
volatile double sink;
#define KEEP __attribute__((noinline, noclone))
KEEP void spin(long n) { for (long i = 0; i < n; i++) sink += i * 0.5; }
KEEP void heavy(void) { spin(3600000); sink++; }
KEEP void light(void) { spin(900000); sink++; }
KEEP void deep(int d) { if (d > 0) deep(d - 1); else spin(400000); sink++; }
KEEP void rest(void) { spin(100000); sink++; }
int main(void) { for (int i = 0; i < 50; i++) { heavy(); light(); deep(5); rest(); } return 0; }
"""
GO = r"""package main
import ("os"; "runtime/pprof")
var sink float64
//go:noinline
func spin(n int) { for i := 0; i < n; i++ { sink += float64(i) * 0.5 } }
//go:noinline
func heavy() { spin(3600000) }
//go:noinline
func light() { spin(900000) }
//go:noinline
func deep(d int) { if d > 0 { deep(d - 1) } else { spin(400000) } }
//go:noinline
func rest() { spin(100000) }
func main() {
	f, _ := os.Create(os.Args[1])
	pprof.StartCPUProfile(f)
	for i := 0; i < 75; i++ { heavy(); light(); deep(5); rest() }
	pprof.StopCPUProfile()
	f.Close()
}
"""


def place(name):
    return os.path.join(TEMP, name)


def gprof(*words, status=0, stdin=None):
    """Standard output and messages of a run that ends with this status.  STDIN: the bytes of
    standard input."""
    if stdin is not None:
        write(place("stdin"), stdin)
    with open(os.devnull if stdin is None else place("stdin"), "rb") as file:
        result = harness.run([harness.GPROF] + list(words), cwd=TEMP, stdin=file)
    if result[0] != status:
        raise RuntimeError("gprof %s: %s" % (" ".join(words), harness.said(result)))
    return result[1].decode(), result[2].decode()


def figures(*words, stdin=None):
    """{name: (self, total, error, total error)} of all functions with time, from JSON."""
    found = json.loads(gprof("--quiet", "--format=json", *words, stdin=stdin)[0])
    return {
        f["name"]: (f["self"], f["total"], f.get("error"), f.get("total_error"))
        for f in found["functions"]
        if f["total"]
    }


# ---- Stacks, and what they say ----


def draw_stacks(rng):
    """{stack: samples}; stacks are tuples of names, outermost first."""
    names = ["main", "operator() (int)", "a b", "f", "g", "std::vector<int, long>::at", "h", "k 12"]
    stacks = {}
    for _ in range(rng.randint(1, 40)):
        stack = tuple(rng.choice(names) for _ in range(rng.randint(1, 12)))
        stacks[stack] = stacks.get(stack, 0) + rng.randint(1, 400)
    return stacks


def model(stacks, rate=1.0):
    """What figures() should find of samples."""
    return {
        name: (own, total, math.sqrt(own / rate), math.sqrt(total / rate))
        for name, (own, total) in stack_model.figures(stacks.items(), rate).items()
    }


def difference(found, expected):
    """The first difference, or an empty text."""
    if set(found) != set(expected):
        return "functions: %s" % sorted(set(found) ^ set(expected))
    for name, numbers in expected.items():
        for a, b in zip(found[name], numbers):
            if (a is None) != (b is None) or (a is not None and abs(a - b) > 1e-9 * max(1, abs(b))):
                return "%s: %s, not %s" % (name, found[name], numbers)
    return ""


# ---- Writers ----


def folded(stacks, end="\n"):
    return "".join(
        "%s %d%s" % (";".join(stack), count, end) for stack, count in stacks.items()
    ).encode()


def perf_script(stacks, period=250000, event="cpu-clock:ppp"):
    text = ["# ========\n# captured by a test\n# ========\n#\n"]
    for stack, count in stacks.items():
        for i in range(count):
            text.append("my prog: x 17 [001] 12.%06d:     %d %s: \n" % (i, period, event))
            for depth, name in enumerate(reversed(stack)):
                text.append(
                    "\t%16x %s+0x%x (/usr/lib/a (deleted).so)\n" % (0x1000 + depth, name, 16 + i)
                )
            text.append("\n")
    return "".join(text).encode()


# (fields that -F selects, the header, the form of a frame: its address, symbol, offset and object)
PERF_FORMS = [
    ("comm,tid,ip,sym,dso", "my prog: x  4892 ", "full"),
    ("comm,pid,tid,event,ip,sym,dso", "tc  4892/4892  cpu-clock:ppp: ", "full"),
    ("perf 3.2", "java 19983 cycles: ", "full"),
    ("-time", "V8 Worker 1  4892    2004008 cpu-clock:ppp: ", "full"),
    ("-event", "tc  4892   880.185962:    2004008 ", "full"),
    ("-pid,-tid", "tc   880.185962:    2004008 cpu-clock:ppp: ", "full"),
    ("time,event,ip,sym,dso", "  880.185962: cpu-clock:ppp: ", "full"),
    ("comm,period,event,ip,sym", "tc    2004008 cpu-clock:ppp: ", "bare"),
    ("comm,pid,tid,time,ip,sym", "tc  4892/4892    880.185962: ", "bare"),
    ("-dso", "tc  4892   880.185962:    2004008 cpu-clock:ppp: ", "offset"),
    ("+misc", "tc  4892 U       880.185962:    2004008 cpu-clock:ppp: ", "full"),
    ("+cpu,+misc", "tc  4892 [003] Sp  880.185962:    2004008 cpu-clock:ppp: ", "full"),
    ("+srcline", "tc  4892   880.185962:    2004008 cpu-clock:ppp: ", "source"),
    ("comm,ip,sym", "a name: 3 ", "bare"),
    ("ip,sym,dso", "", "full"),
    ("ip,sym", "", "bare"),
    ("without tabs", "tc  4892 cycles: ", "left"),
    ("a thread like a header", "a 1 2.0: 5 x: 17 [001] 12.000001:     5 cycles: ", "full"),
]


def perf_form(stacks, header, form):
    forms = {
        "full": "\t%16x %s+0x%x (/usr/lib/a.so)\n",
        "left": "%x %s+0x%x (/usr/lib/a.so)\n",
        "source": "\t%16x %s+0x%x (/usr/lib/a.so)\n  main.c:12\n",
        "offset": "\t%16x %s+0x%x\n",
        "bare": "\t%16x %s\n",
    }
    text = []
    for stack, count in stacks.items():
        frames = [(0x1000 + depth, name, 16 + depth) for depth, name in enumerate(reversed(stack))]
        sample = (
            header
            + "\n"
            + "".join(forms[form] % frame[: forms[form].count("%")] for frame in frames)
        )
        text += [sample + "\n"] * count
    return "".join(text).encode()


def varint(number):
    found = b""
    number &= (1 << 64) - 1
    while number > 127:
        found += bytes([number & 127 | 128])
        number >>= 7
    return found + bytes([number])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def pprof(
    stacks,
    packed=True,
    inlined=False,
    values=lambda count: (count, count * 10000000),
    types=None,
    period=10000000,
    last=b"",
    measure=("cpu", None),
):
    """A profile in the format of pprof; with `inlined', two frames share each location."""
    strings, functions, locations, parts = {"": 0}, {}, {}, []

    def text(s):
        return strings.setdefault(s, len(strings))

    types = types or [("samples", "count"), ("cpu", "nanoseconds")]
    for kind, unit in types:
        parts.append(field(1, field(1, text(kind)) + field(2, text(unit))))
    for stack, count in stacks.items():
        width = 2 if inlined else 1
        groups = [
            stack[max(0, i - width) : i] for i in range(len(stack), 0, -width)
        ]  # innermost first
        ids = []
        for group in groups:
            for name in group:
                functions.setdefault(name, len(functions) + 7)
            ids.append(locations.setdefault(group, 3 * len(locations) + 1))
        numbers = values(count)
        if packed:
            body = field(1, b"".join(map(varint, ids))) + field(2, b"".join(map(varint, numbers)))
        else:
            body = b"".join(field(1, i) for i in ids) + b"".join(field(2, n) for n in numbers)
        parts.append(field(2, body))
    for group, number in locations.items():
        lines = b"".join(
            field(4, field(1, functions[name]) + field(2, 5)) for name in reversed(group)
        )
        parts.append(field(4, field(1, number) + lines))
    for name, number in functions.items():
        parts.append(field(5, field(1, number) + field(2, text(name)) + field(4, text("a.go"))))
    if period:
        parts.append(
            field(11, field(1, text(measure[0])) + field(2, text(measure[1] or types[-1][1])))
            + field(12, period)
        )
    parts.append(field(15, b"of a later version"))
    return b"".join(parts) + b"".join(field(6, s.encode()) for s in strings) + last


# ---- Checks ----


def check_figures(tap):
    """Drawn stacks in each format."""
    rng = random.Random(5)
    forms = [
        ("folded", folded, 1),
        ("folded, CR LF", lambda stacks: folded(stacks, "\r\n"), 1),
        ("perf script", perf_script, 4000),
        ("pprof", pprof, 100),
        ("pprof, unpacked", lambda stacks: pprof(stacks, packed=False), 100),
        ("pprof, inlined", lambda stacks: pprof(stacks, inlined=True), 100),
    ]
    for what, writer, rate in forms:
        wrong = ""
        for draw in range(harness.sized(8, 300)):
            stacks = draw_stacks(rng)
            stacks[("main",)] = (
                1  # if all names ended in a number, folded stacks would seem to have two counts
            )
            write(place("drawn"), writer(stacks))
            wrong = wrong or difference(figures("drawn"), model(stacks, rate))
        tap.ok(not wrong, "%s: drawn stacks" % what, wrong)


def check_perf_forms(tap):
    """Whatever -F leaves out or adds: each text has the names of all functions."""
    rng = random.Random(7)
    for fields, header, form in PERF_FORMS:
        wrong = ""
        for draw in range(harness.sized(3, 100)):
            stacks = draw_stacks(rng)
            if form in (
                "bare",
                "offset",
            ):  # (int) could be an object, and is never written behind a blank
                stacks = {
                    tuple(n.replace(") (", ")(") for n in stack): count
                    for stack, count in stacks.items()
                }
            write(place("drawn"), perf_form(stacks, header, form))
            found = figures("drawn")
            rate = found[next(iter(stacks))[0]][1] / model(stacks)[next(iter(stacks))[0]][1]
            wrong = wrong or difference(found, model(stacks, 1 / rate))
        tap.ok(not wrong, "perf script, %s" % fields, wrong)


def check_weights(tap):
    """Samples with unequal weights have the error of (sum)^2 / (sum of squares) samples."""
    stacks = {("main", "f"): 300, ("main", "g"): 500, ("main", "g", "f"): 200}
    weights = {
        300: 2.0,
        500: 1.0,
        200: 7.0,
    }  # of each sample, by the number of samples of its stack
    body = pprof(
        stacks,
        values=lambda n: (n, int(n * weights[n])),
        types=[("n", "count"), ("cycles", "cycles")],
        period=0,
    )
    write(place("weights"), body)
    total = sum(n * weights[n] for n in stacks.values())
    squares = sum(n * weights[n] ** 2 for n in stacks.values())
    found = figures("weights")
    for name, own in (("f", 300 * 2 + 200 * 7), ("g", 500)):
        error = math.sqrt(own * squares / total) / 1e6
        tap.ok(
            abs(found[name][0] * 1e6 - own) <= squares / total / 500
            and abs(found[name][2] - error) < 1e-3 * error,
            "weights of %s" % name,
            "%s, not %g +- %g" % (found[name], own / 1e6, error),
        )
    tap.ok(
        abs(sum(numbers[0] for numbers in found.values()) - total / 1e6) < 1e-9,
        "the sum of all weights",
        found,
    )
    page = gprof("--quiet", "--one-run", "--base=weights", "--format=html", "weights")[0]
    tree = page[page.index('"tree":{') :]
    own, before = (
        json.loads(re.search('"%s":(\\[[^]]*\\])' % name, tree)[1]) for name in ("self", "before")
    )
    tap.ok(
        abs(sum(own) - before[0]) < 1e-3 * sum(own),
        "a page that compares weights",
        "%s, %s" % (own, before),
    )
    few = {("main", "f"): 1, ("main", "g"): 3}
    write(
        place("few"), pprof(few, values=lambda n: (n * 1000,), types=[("space", "bytes")], period=0)
    )
    wrong = difference(
        figures("few"),
        {
            "f": (0.001, 0.001, math.sqrt(1 * 2.5) / 1e3, math.sqrt(1 * 2.5) / 1e3),
            "g": (0.003, 0.003, math.sqrt(3 * 2.5) / 1e3, math.sqrt(3 * 2.5) / 1e3),
            "main": (0, 0.004, 0, math.sqrt(4 * 2.5) / 1e3),
        },
    )
    tap.ok(not wrong, "shares of few weights", wrong)
    unit = json.loads(gprof("--quiet", "--format=json", "weights")[0])["unit"]
    tap.ok(unit == "M cycles", "events are shown by the million", unit)


def check_effective(tap):
    """Titles count the samples that were recorded, where the file says how many; notes, and the
    column `samples', effective ones."""
    rng, wrong = random.Random(47), []
    drawn = [[100000, 900000, 1000], [7] * 5, [1, 1, 4]]
    drawn += [[rng.choice((1, 1, 30, 900)) for _ in range(rng.randint(2, 60))] for _ in range(12)]
    for weights in drawn:
        names = [rng.choice("fgh") for _ in weights]
        event = "p 1 %d.5: %d cycles:\n\t9 %s (/p)\n\t5 main (/p)\n\n"
        text = "".join(event % (i, w, n) for i, (w, n) in enumerate(zip(weights, names)))
        write(place("effective"), text.encode())
        effective = sum(weights) ** 2 / sum(w * w for w in weights)
        table, notes = gprof("--top", "--columns=samples,name", "effective")
        is_equal = len(set(weights)) == 1
        said = "%.0f samples" % effective if is_equal else "%.1f effective samples" % effective
        recorded = ", measured by %d stacks\n" % len(weights)
        folded = gprof("--quiet", "--format=folded", "effective")[0].encode()
        read_back = gprof("--quiet", "--tree", "-", stdin=folded)[0].split("\n")[0]
        for what, is_right in (
            ("tree", recorded in gprof("--quiet", "--tree", "effective")[0]),
            ("graph", recorded in gprof("--quiet", "-b", "-q", "effective")[0]),
            ("note: " + notes, "only %s: " % said in notes),
            ("column: " + table, ("samples are effective ones" in table) == (not is_equal)),
            ("folded: " + read_back, is_equal or " effective stacks" in read_back),
        ):
            if not is_right:
                wrong.append((weights, what))
    tap.ok(not wrong, "recorded samples and effective ones", wrong[:3])


def check_no_stacks(tap):
    """perf record without -g: nothing is measured by call stacks."""
    write(
        place("flat"),
        b"".join(
            b"p 1 1.%06d: 7 cycles:  ff %s+0x1 (/a)\n" % (i, b"fg"[i % 2 : i % 2 + 1])
            for i in range(40)
        ),
    )
    write(place("deep"), (SIMPLE * 9).encode())
    said = (
        "the samples have no call stacks, and total is self; perf record --call-graph dwarf records"
        " them"
    )
    for words in (["--top"], ["--tree"], ["-b", "-q"], ["-q"]):
        out = gprof("--quiet", *words, "flat")[0]
        is_said = said in out and "recorded call stacks" not in out and " 40 stacks" not in out
        tap.ok(is_said and "each stack" not in out, "no stacks: %s" % " ".join(words), out)
        for names in (["deep"], ["flat", "deep"], ["deep", "flat"]):
            out = gprof("--quiet", *words, *names)[0]
            tap.ok(said not in out, "stacks: %s %s" % (" ".join(words), names), out)


def check_no_stacks_compared(tap):
    """What a comparison says of inclusive times where samples have no stacks."""
    bare = "p 7 %d.0: 1 cpu-clock: 1 f+0x1 (/p)\n"
    full = "p 7 %d.0: 1 cpu-clock:\n\t1 f+0x1 (/p)\n\t2 main+0x2 (/p)\n\n"
    for name, form in (("bare", bare), ("bare2", bare), ("full", full), ("full2", full)):
        write(place(name), "".join(form % i for i in range(90)).encode())
    sides = {
        "bare bare2": (True, ""),
        "bare full": (False, "before"),
        "full bare": (False, "after"),
    }
    sides["full full2"] = (False, "")
    for names, (is_bare, side) in sides.items():
        base, after = names.split()
        out = gprof("--base=" + base, after)[0]
        lacking = re.findall(r"samples (\w+) have no call stacks", out)
        good = ("samples without call stacks" in out) == is_bare and lacking == side.split()
        tap.ok(good, "compared: " + names, out)


def check_whole_names(tap):
    """Events that differ in what is counted are never compared, whichever format has them."""
    names = ("cycles:u", "cycles:k", "cycles", "task-clock:u", "task-clock:k")
    for name in names:
        sample = "p 7 %%d.0: 1000003 %s:\n\t1 f+0x1 (/p)\n\t2 main+0x2 (/p)\n\n" % name
        write(place("event-" + name), "".join(sample % i for i in range(90)).encode())
    for form in ("pprof", "callgrind", "json"):
        for name in names:
            gprof("--quiet", "--format=" + form, "-o", "%s-%s" % (form, name), "event-" + name)
        for base, after in itertools.permutations(names, 2):
            if base[0] == after[0]:
                words = ["--base=%s-%s" % (form, base), "%s-%s" % (form, after)]
                err = gprof("--quiet", *words, status=1)[1]
                shown = [name.replace("task-clock", "cpu") for name in (base, after)]
                said = "shows %s, the others %s" % tuple(shown)
                tap.ok(said in err, "%s: %s is not %s" % (form, base, after), err)
        for name in names:
            gprof("--quiet", "--base=%s-%s" % (form, name), "event-" + name)
            gprof("--quiet", "--base=event-" + name, "%s-%s" % (form, name))
    write(place("few"), harness.read(place("event-cycles:u")).replace(b"1000003", b"1003"))
    gprof("--quiet", "--format=json", "-o", "few.json", "few")
    for words in (["--top"], ["--tree"], ["-bp"]):
        out = gprof("--quiet", *words, "few.json")[0]
        tap.ok("90270.00" in out and "M c" not in out, "fewer than a million: %s" % words, out)


def check_few_events(tap):
    """Less than a million events are shown as they are; in what is compared, all are in
    millions."""
    for count, unit, shown in (
        (65, "cycles", "65.00"),
        (999999, "cycles", "999999.00"),
        (1000000, "M cycles", "1.00"),
    ):
        write(place("few"), SIMPLE.replace("1 cycles", "%d cycles" % count).encode())
        out = gprof("--quiet", "--top", "few")[0]
        tap.ok(" 100.0 %% of %s %s\n" % (shown, unit) in out, "%d cycles" % count, out)
        found = json.loads(gprof("--quiet", "--format=json", "few")[0])
        tap.ok(
            found["unit"] == "M cycles" and found["totals"]["seconds"] == count / 1e6,
            "in JSON",
            found["totals"],
        )
        gprof("--quiet", "--one-run", "--base=weights", "few")


FRAMES = "\t 1 f+0x1 (/a)\n\t 2 main+0x2 (/a)\n\n"
SIMPLE = "p 1 1.0: 1 cycles: \n" + FRAMES

# A sample in `main' with the labels cpu=count and samples=9.
LABELLED = field(
    2,
    field(1, 4)
    + field(2, 7)
    + field(2, 70000000)
    + field(3, field(1, 3) + field(2, 2))
    + field(3, field(1, 1) + field(3, 9)),
)

# (what, contents, {name: (self, total)}, words)
TRAPS = [
    (
        "marks of folded stacks",
        b"main;read_[k] 3\nmain;f_[i];g_[j] 4\n",
        {"main": (0, 7), "read": (3, 3), "f": (0, 4), "g": (4, 4)},
        [],
    ),
    (
        "one name in two objects",
        b"main;read_[k] 3\nmain;read 4\n",
        {"main": (0, 7), "read ([kernel])": (3, 3), "read": (4, 4)},
        [],
    ),
    (
        "empty lines, tabs, fractions",
        b"\nmain\t2.0\n\nmain;f   3\n",
        {"main": (2, 5), "f": (3, 3)},
        [],
    ),
    (
        "bytes that are not UTF-8",
        b"main;\xff\xc3 3\n",
        {"main": (0, 3), "\u00ff\u00c3": (3, 3)},
        [],
    ),
    ("no newline at the end", b"main;f 3", {"main": (0, 3), "f": (3, 3)}, []),
    (
        "a name that ends in a number",
        b"main;thread 12 3\nmain 1\n",
        {"main": (1, 4), "thread 12": (3, 3)},
        [],
    ),
    ("our own root", b"[sampled stacks];main;f 3\n", {"main": (0, 3), "f": (3, 3)}, []),
    ("no sample with a name", b"<unknown> 3\n", {"<unknown>": (3, 3)}, []),
    ("no frame with a name", b"<unknown>;<unknown> 3\n<unknown> 2\n", {"<unknown>": (5, 5)}, []),
    (
        "no name in perf",
        b"p 1 1.0: 7 cycles: \n\t 1 [unknown] ([unknown])\n\t 2 [unknown] ([unknown])\n\n",
        {"<unknown>": (7e-6, 7e-6)},
        [],
    ),
    (
        "a cut stack",
        b"<unknown>;f 3\nmain;f 1\n",
        {"<unknown>": (0, 3), "main": (0, 1), "f": (4, 4)},
        [],
    ),
    (
        "lines of keys and values",
        b"# austin: 3.6.0\n# interval: 100\n\nmain;f 3\n# duration: 77\n",
        {"main": (0, 3), "f": (3, 3)},
        [],
    ),
    ("a function like a comment", b"main;# a: b 3\n", {"main": (0, 3), "# a: b": (3, 3)}, []),
    (
        "UTF-16",
        "main;f\u00e9\U0001f600 3\r\n".encode("utf-16"),
        {"main": (0, 3), "f\u00e9\U0001f600": (3, 3)},
        [],
    ),
    (
        "UTF-16, high bytes first",
        b"\xfe\xff" + "main;f 3\n".encode("utf-16-be"),
        {"main": (0, 3), "f": (3, 3)},
        [],
    ),
    (
        "perf script in UTF-16",
        (SIMPLE * 2000).encode("utf-16"),
        {"f": (2e-3, 2e-3), "main": (0, 2e-3)},
        [],
    ),
    (
        "a long head in UTF-16",
        ("# cpu: x\n" * 9000 + SIMPLE).encode("utf-16"),
        {"f": (1e-6, 1e-6), "main": (0, 1e-6)},
        [],
    ),
    (
        "the address of data, before the frames",
        b"p 1 1.0: 5 cycles:  7ffe12345678 g+0x0 (/b)\n" + FRAMES.encode(),
        {"f": (5e-6, 5e-6), "main": (0, 5e-6)},
        [],
    ),
    (
        "the address of data in no symbol",
        b"p 1 1.0: 5 cycles:                0\n" + FRAMES.encode(),
        {"f": (5e-6, 5e-6), "main": (0, 5e-6)},
        [],
    ),
    (
        "where data was found",
        b"p 1 1.0: 5 cycles:     7ffe12345678     5080022 |OP LOAD|LVL L1 hit|SNP None|BLK  N/A\n"
        + FRAMES.encode(),
        {"f": (5e-6, 5e-6), "main": (0, 5e-6)},
        [],
    ),
    (
        "names like headers, without times",
        ("p 1/1 \n" + FRAMES + "my 12 1.5: x: 1/7 \n" + FRAMES).encode(),
        {"f": (2, 2), "main": (0, 2)},
        [],
    ),
    ("the mark of UTF-8", b"\xef\xbb\xbfmain;f 6\nmain 5\n", {"f": (6, 6), "main": (5, 11)}, []),
    (
        "the mark of UTF-8 before comments",
        b"\xef\xbb\xbf# interval: 100\nmain;f 6\n",
        {"f": (6, 6), "main": (0, 6)},
        [],
    ),
    (
        "a period without an event",
        b"p 1 1.0:     250 \n\t 1 f+0x1 (/a)\n\n",
        {"f": (250, 250)},
        ["--from=perf-script"],
    ),
    (
        "a parenthesis in an object",
        b"p 1 1.0: 1 cycles: \n\t 1 foo(int) (/tmp/a)b)\n\n",
        {"foo(int)": (1e-6, 1e-6)},
        [],
    ),
    (
        "a semicolon that we wrote",
        b"[sampled stacks];main;L\\x3b::f\\x3b 3\n",
        {"main": (0, 3), "L;::f;": (3, 3)},
        [],
    ),
    (
        "no call chains",
        b"p: q 1 [000] 1.0: 5 cycles:  ff f+0x1 (/a)\n   p 1/2 1.5: 5 cycles:  ff g+0x1 (/b)\n",
        {"f": (5e-6, 5e-6), "g": (5e-6, 5e-6)},
        [],
    ),
    ("no period", b"p 1 1.0: cpu-clock: \n\t 1 f+0x1 (/a)\n\n", {"f": (1, 1)}, []),
    (
        "an object in two directories",
        b"p 1 1.0: 1 cycles: \n\t 1 f+0x1 (/a/x)\n\np 1 1.0: 1 cycles: \n\t 1 f+0x1 (/b/x)\n\n",
        {"f": (2e-6, 2e-6)},
        [],
    ),
    (
        "names with parentheses",
        b"p 1 1.0: 1 cycles: \n\t 1 f(int (*)(long))+0x1 ([JIT app cache])\n\n",
        {"f(int (*)(long))": (1e-6, 1e-6)},
        [],
    ),
    (
        "inlined frames",
        b"p 1 1.0: 1 cycles: \n\t 1 g (inlined)\n\t 1 f+0x1 (/a)\n\n",
        {"g": (1e-6, 1e-6), "f": (0, 1e-6)},
        [],
    ),
    (
        "unknown callers",
        b"p 1 1.0: 1 cycles: \n\t 1 f+0x1 (/a)\n\t 0 [unknown] ([unknown])\n\n",
        {"f": (1e-6, 1e-6), "<unknown>": (0, 1e-6)},
        [],
    ),
    (
        "an object without symbols",
        b"p 1 1.0: 1 cycles: \n\t 1 [unknown] (/usr/lib/x.so)\n\t 1 f+0x1 (/a)\n\n",
        {"[x.so]": (1e-6, 1e-6), "f": (0, 1e-6)},
        [],
    ),
    (
        "source lines",
        b"p 1 1.0: 1 cycles: \n\t 1 f+0x1 (/a)\n  a.c:12\n\t 2 main+0x1 (/a)\n  a.c:30\n\n",
        {"f": (1e-6, 1e-6), "main": (0, 1e-6)},
        [],
    ),
    (
        "the event with most samples",
        (SIMPLE.replace("cycles", "faults") + 2 * SIMPLE.replace("cycles", "moves")).encode(),
        {"f": (2, 2), "main": (0, 2)},
        [],
    ),
    (
        "cycles before other events",
        (2 * SIMPLE.replace("cycles", "faults") + SIMPLE.replace("f+", "g+")).encode(),
        {"g": (1e-6, 1e-6), "main": (0, 1e-6)},
        [],
    ),
    (
        "cycles of two kinds of cores",
        (
            SIMPLE.replace("cycles", "cpu_core/cycles/Pu")
            + SIMPLE.replace("cycles", "cpu_atom/cycles/u")
        ).encode(),
        {"f": (2e-6, 2e-6), "main": (0, 2e-6)},
        [],
    ),
    (
        "cycles of the kernel and of user space",
        (
            2 * SIMPLE.replace("cycles", "cycles:kpp")
            + SIMPLE.replace("cycles", "cycles:u").replace("f+", "g+")
        ).encode(),
        {"f": (2e-6, 2e-6), "main": (0, 2e-6)},
        [],
    ),
    (
        "--value with modifiers",
        (
            SIMPLE.replace("cycles", "cycles:k")
            + SIMPLE.replace("cycles", "cycles:Pu").replace("f+", "g+")
        ).encode(),
        {"g": (1e-6, 1e-6), "main": (0, 1e-6)},
        ["--value=cycles:uppp"],
    ),
    (
        "--value without modifiers",
        (SIMPLE.replace("cycles", "cycles:u") + SIMPLE.replace("1 cycles", "9 faults")).encode(),
        {"f": (1e-6, 1e-6), "main": (0, 1e-6)},
        ["--value=cycles"],
    ),
    (
        "the more frequent one of two clocks",
        (
            SIMPLE.replace("cycles", "task-clock:u")
            + 2 * SIMPLE.replace("cycles", "cpu-clock:u").replace("f+", "g+")
        ).encode(),
        {"g": (2e-9, 2e-9), "main": (0, 2e-9)},
        [],
    ),
    (
        "threads like comments and records",
        (
            "# hostname : x\n"
            + SIMPLE.replace("p 1", "# x 12/13")
            + SIMPLE.replace("p 1", "PERF_RECORD_X 12/13")
            + "p 1/1 1.0: PERF_RECORD_COMM: x:1/1\n"
            + SIMPLE.replace("p 1", "# x 12/13")
        ).encode(),
        {"f": (3e-6, 3e-6), "main": (0, 3e-6)},
        [],
    ),
    (
        "a thread like a comment first",
        SIMPLE.replace("p 1", "# x 12/13").encode(),
        {"f": (1e-6, 1e-6), "main": (0, 1e-6)},
        [],
    ),
    (
        "records among samples",
        b"swapper     0     0.000000: PERF_RECORD_MMAP -1/0: [0xff(0x1) @ 0]: x"
        b" [kernel.kallsyms]_text\np 1 1.0: PERF_RECORD_NAMESPACES 1/1 - nr_namespaces:"
        b" 7\n\t\t[0/net: 4/0xf0000075, 1/uts: 4/0xeffffffe]\n"
        + SIMPLE.encode()
        + b"p 1 2.0: PERF_RECORD_EXIT(1:1):(1:1)\n",
        {"f": (1e-6, 1e-6), "main": (0, 1e-6)},
        [],
    ),
    (
        "errors among samples",
        b" instruction trace error type 1 time 880.1 cpu 0 pid 1 tid 1 ip 0x0 code 6:"
        b" x\nWarning:\nProcessed 5 events and lost 1 chunks!\n"
        + SIMPLE.encode(),
        {"f": (1e-6, 1e-6), "main": (0, 1e-6)},
        [],
    ),
    (
        "source code",
        SIMPLE.encode() + b"|2        int f(int a) { return a; }\n" + SIMPLE.encode(),
        {"f": (2e-6, 2e-6), "main": (0, 2e-6)},
        [],
    ),
    (
        "a long head",
        b"# cpu: x\n" * 9000 + SIMPLE.encode(),
        {"f": (1e-6, 1e-6), "main": (0, 1e-6)},
        [],
    ),
    (
        "a long head, packed",
        gzip.compress(b"# cpu: x\n" * 9000 + SIMPLE.encode()),
        {"f": (1e-6, 1e-6), "main": (0, 1e-6)},
        [],
    ),
    (
        "no call chains, no header",
        b"     55ee4be16159 f (/a)\n ffffffff8158c3e1 g ([k])\n",
        {"f": (1, 1), "g": (1, 1)},
        [],
    ),
    (
        "objects of the kernel",
        "".join(
            "p 1 1.0: 1 cycles: \n\t 1 [unknown] (%s)\n\n" % o
            for o in (
                "[kernel.kallsyms]",
                "/boot/vmlinux-6.1",
                "[nf_nat]",
                "/m/ext4.ko.xz",
                "/proc/kcore",
                "[guest.kernel.kallsyms]",
            )
        ).encode(),
        {"[kernel]": (6e-6, 6e-6)},
        [],
    ),
    (
        "objects that are not the kernel",
        "".join(
            "p 1 1.0: 1 cycles: \n\t 1 [unknown] (%s)\n\n" % o
            for o in ("[vdso]", "[heap]", "/lib/a.komodo")
        ).encode(),
        {"[vdso]": (1e-6, 1e-6), "[heap]": (1e-6, 1e-6), "[a.komodo]": (1e-6, 1e-6)},
        [],
    ),
    (
        "numbers of processes",
        "".join(
            "p 1 1.0: 1 cycles: \n\t 1 [unknown] (%s)\n\n" % o
            for o in ("/tmp/perf-12.map", "/tmp/perf-99.map", "/tmp/jitted-12-4.so")
        ).encode(),
        {"[perf.map]": (2e-6, 2e-6), "[jitted.so]": (1e-6, 1e-6)},
        [],
    ),
    (
        "numbers of stacks",
        (
            b"p 1 1.0: 1 cycles: \n\t 1 [unknown] ([stack:4711])\n\np 1 1.0: 1 cycles: \n\t 1"
            b" [unknown] ([stack:99])\n\n"
        ),
        {"[stack]": (2e-6, 2e-6)},
        [],
    ),
    (
        "numbers of stacks, folded",
        b"main;[stack:4711] 2\nmain;[stack:12];f 3\n",
        {"[stack]": (2, 5), "f": (3, 3), "main": (0, 5)},
        [],
    ),
    (
        "numbers of threads",
        b"srv-4711/4711;f 2\nsrv-4711/4712;f 3\nmain 4\n",
        {"srv": (0, 5), "f": (5, 5), "main": (4, 4)},
        [],
    ),
    (
        "numbers of processes, folded",
        b"# a: b\nsrv-4711;f 2\nsrv-99;f 3\nidle-0;f 1\n",
        {"srv": (0, 5), "f": (6, 6), "idle": (0, 1)},
        [],
    ),
    (
        "numbers of threads of a pool",
        b"pool-1;f 2\npool-2;f 3\n",
        {"pool-1": (0, 2), "f": (5, 5), "pool-2": (0, 3)},
        [],
    ),
    (
        "functions with numbers",
        b"lambda-4711;f 2\nmain;lambda-4712 3\n",
        {"lambda-4711": (0, 2), "f": (2, 2), "main": (0, 3), "lambda-4712": (3, 3)},
        [],
    ),
    (
        "processes of py-spy",
        (
            b'process 12:"a b.py";thread (0x7F0A): pool;f 2\nprocess 99:"a b.py";thread (13):'
            b" pool;f 3\n"
        ),
        {'process "a b.py"': (0, 5), "thread: pool": (0, 5), "f": (5, 5)},
        [],
    ),
    (
        "processes of austin",
        b"P12;T0:13;f 2\nP14;T15;f 3\nP1;f 4\n",
        {"P": (0, 5), "T": (0, 5), "P1": (0, 4), "f": (9, 9)},
        [],
    ),
    (
        "--value of perf",
        (SIMPLE + SIMPLE.replace("1 cycles", "9 faults")).encode(),
        {"f": (9, 9), "main": (0, 9)},
        ["--value=faults"],
    ),
    (
        "--event of perf",
        (SIMPLE + SIMPLE.replace("1 cycles", "9 faults")).encode(),
        {"f": (9, 9), "main": (0, 9)},
        ["--event=faults"],
    ),
    (
        "--program",
        (SIMPLE + SIMPLE.replace("p 1", "q r 2").replace("main", "other")).encode(),
        {"f": (1e-6, 1e-6), "other": (0, 1e-6)},
        ["--program=q r"],
    ),
    (
        "a thread by its name",
        (SIMPLE + SIMPLE.replace("p 1", "q r 2").replace("main", "other")).encode(),
        {"f": (1e-6, 1e-6), "other": (0, 1e-6)},
        ["--thread=q r"],
    ),
    (
        "a thread by its number",
        (SIMPLE + SIMPLE.replace("p 1", "p 1/2").replace("main", "other")).encode(),
        {"f": (1e-6, 1e-6), "other": (0, 1e-6)},
        ["--program=tid=2"],
    ),
    (
        "a label of pprof",
        pprof({("main", "f"): 4}, last=LABELLED),
        {"main": (0.07, 0.07)},
        ["--program=cpu=count"],
    ),
    (
        "a number as a label",
        pprof({("main", "f"): 4}, last=LABELLED),
        {"main": (0.07, 0.07)},
        ["--program=samples=9"],
    ),
    (
        "all labels",
        pprof({("main", "f"): 4}, last=LABELLED),
        {"f": (0.04, 0.04), "main": (0.07, 0.11)},
        [],
    ),
    (
        "--value of pprof",
        pprof({("main", "f"): 4}),
        {"f": (4, 4), "main": (0, 4)},
        ["--value=samples"],
    ),
    (
        "the default value of pprof",
        pprof({("main", "f"): 4}, last=field(14, 1)),
        {"f": (4, 4), "main": (0, 4)},
        [],
    ),
    (
        "bytes of pprof",
        pprof(
            {("main", "f"): 4},
            values=lambda n: (n, 1000000 * n),
            types=[("objects", "count"), ("space", "bytes")],
            period=0,
        ),
        {"f": (4, 4), "main": (0, 4)},
        [],
    ),
]

# (what, contents, part of the message, words)
BAD = [
    ("a line without a count", b"main;f 3\n\nmain;g\n", "line 3: no count", []),
    ("a NUL", b"main;f 3\nmain\0;g 1\n", "line 2: a NUL byte", []),
    ("two counts", b"main;f 3 4\nmain;g 5 6\n", "two counts for each stack", []),
    (
        "a sum that is too large",
        b"main;f " + 400 * b"9" + b"\nmain;g 1\n",
        "too large or too small",
        [],
    ),
    (
        "weights that are too small",
        b"main;f 0." + 200 * b"0" + b"1\n",
        "too large or too small",
        [],
    ),
    ("no samples", b"main;f 0\n", "has no samples", []),
    ("text behind perf's", (SIMPLE + "hello\n").encode(), "line 5: neither a perf sample", []),
    (
        "an unknown value",
        pprof({("main",): 1}),
        "has no value wall (known: samples cpu)",
        ["--value=wall"],
    ),
    (
        "a value that is two",
        (SIMPLE.replace("cycles", "cycles:k") + SIMPLE.replace("cycles", "cycles:u")).encode(),
        "has no value cycles (known: cycles:k cycles:u)",
        ["--value=cycles"],
    ),
    ("an unknown program", SIMPLE.encode(), "has no samples from q (known: p)", ["--program=q"]),
    (
        "an unknown thread",
        SIMPLE.encode(),
        "has no samples from thread=q (known: p)",
        ["--program=thread=q"],
    ),
    (
        "events without functions",
        (
            b" z 1 [004] 4.3: syscalls:sys_enter_brk: brk: 0x0\n z 1 [004] 4.4:"
            b" syscalls:sys_enter_brk: brk: 0x1\n"
        ),
        "perf record --call-graph dwarf",
        [],
    ),
    ("names of threads alone", 3 * b"               w \n", "print ip and sym", []),
    ("threads without frames", 3 * b"               w  9012 \n", "print ip and sym", []),
    ("events without frames", 3 * b"cpu-clock:u: \n", "print ip and sym", []),
    (
        "addresses without names",
        3 * b"w \n\t           14645\n\t               0\n\n",
        "print ip and sym",
        [],
    ),
    ("what xz compressed", lzma.compress(b"main;f 3\n"), "decompress it first, with xz -d", []),
    (
        "what bzip2 compressed",
        bz2.compress(b"main;f 3\n"),
        "decompress it first, with bzip2 -d",
        [],
    ),
    ("the smallest JSON", b"{}", "is text, but of none of the profilers", []),
    ("empty lines", 99 * b"\n", "is text, but of none of the profilers", []),
    (
        "a program of folded stacks",
        b"main;f 3\n",
        "has no samples from q: it has no names of programs, threads or labels",
        ["--program=q"],
    ),
    (
        "a program of pprof",
        pprof({("main",): 1}),
        "has no samples from q: it has no names of programs",
        ["--program=q"],
    ),
    (
        "a value of folded stacks",
        b"main;f 3\n",
        "has no value q: a file in this format has only one",
        ["--value=q"],
    ),
    (
        "an unknown label",
        pprof({("main",): 1}, last=LABELLED),
        "has no samples from cpu=none (known: cpu=count)",
        ["--program=cpu=none"],
    ),
    (
        "a value of a label that is a number",
        pprof({("main",): 1}, last=LABELLED),
        "has no samples from samples=8 (known: samples=9)",
        ["--program=samples=8"],
    ),
    (
        "a label that is not there",
        pprof({("main",): 1}, last=LABELLED),
        "has no samples from x=y: --program=LABEL=VALUE chooses (known: cpu samples)",
        ["--program=x=y"],
    ),
    (
        "a program where there are labels",
        pprof({("main", "f"): 1}, last=LABELLED),
        "has no samples from q: --program=LABEL=VALUE chooses (known: cpu=count samples=9)",
        ["--program=q"],
    ),
    (
        "a label without any",
        pprof({("main",): 1}),
        "has no samples from x=y: it has no names of programs",
        ["--program=x=y"],
    ),
    (
        "two threads",
        SIMPLE.encode(),
        "--thread=p and --thread=q cannot be used together",
        ["--thread=p", "--thread=q"],
    ),
    (
        "an unknown number of a thread",
        SIMPLE.encode(),
        "has no samples from tid=9 (known: tid=1)",
        ["--program=tid=9"],
    ),
    (
        "very many values",
        pprof(
            {("main",): 1},
            types=[("value%d" % i, "count") for i in range(100)],
            values=lambda n: (n,) * 100,
            period=0,
        ),
        "value1 value2",
        ["--value=wall"],
    ),
    (
        "a value too few",
        pprof({("main",): 1}, values=lambda n: (n,)),
        "damaged, or not a pprof profile",
        [],
    ),
    (
        "a location that is not there",
        pprof({("main",): 1}, last=field(2, field(1, 99) + field(2, 1) + field(2, 1))),
        "damaged",
        [],
    ),
    (
        "another message of protobuf",
        field(1, field(1, 1))
        + field(1, field(1, 2))
        + field(2, field(1, 1) + field(2, 1))
        + field(6, b"a"),
        "damaged, or not a pprof profile",
        [],
    ),
    (
        "a profile without values",
        field(6, b"") + field(2, field(1, 1)),
        "damaged, or not a pprof profile",
        ["--from=pprof"],
    ),
    ("the wrong format", b"main;f 3\n", "damaged, or not a pprof profile", ["--from=pprof"]),
    ("no such format", b"main;f 3\n", "no format perl (known: perf", ["--from=perl"]),
]


def check_rows(tap, traps, bad, data=lambda contents: contents):
    """TRAPS: what, contents, {name: (own, total)}, options; BAD, which are refused: what, contents,
    the message, options.  DATA makes the bytes of a file from contents."""
    for what, contents, expected, words in traps:
        write(place("trap"), data(contents))
        try:
            found = {name: numbers[:2] for name, numbers in figures(*words, "trap").items()}
        except RuntimeError as error:
            tap.ok(False, what, error)
            continue
        wrong = difference(found, expected)
        tap.ok(not wrong, what, wrong)
    for what, contents, message, words in bad:
        write(place("bad"), data(contents))
        result = harness.run([harness.GPROF, "--top", *words, "bad"], cwd=TEMP)
        err = result[2].decode()
        count = err.count("\n") - err.count("gprof: note: ")
        good = result[0] == 1 and not result[1] and message in err and count == 1
        good = good and ("bad:" in err or words) and "shows ;" not in err
        tap.ok(good, "refused: " + what, result)


def check_traps(tap):
    check_rows(tap, TRAPS, BAD)


def pruned(stack, drop, keep):
    """What pprof leaves of a stack, by names: below the first function that is not dropped, the
    first one that is ends it."""
    found = False
    for i, name in enumerate(stack):
        if not re.fullmatch(drop, name) or re.fullmatch(keep, name):
            found = True
        elif found:
            return stack[:i]
    return stack


def check_dropped(tap):
    """drop_frames and keep_frames of profile.proto, with each frame in a location of its own."""
    drop, keep = "f|g|a b|h.*", "h"
    rng = random.Random(13)
    wrong = ""
    for _ in range(harness.sized(6, 100)):
        stacks = draw_stacks(rng)
        body = pprof(stacks)
        count = sum(1 for _ in strings_of(body))
        more = (
            field(6, drop.encode())
            + field(6, keep.encode())
            + field(7, count)
            + field(8, count + 1)
        )
        write(place("dropped"), body + more)
        expected = {}
        for stack, samples in stacks.items():
            short = pruned(stack, drop, keep)
            expected[short] = expected.get(short, 0) + samples
        wrong = wrong or difference(figures("dropped"), model(expected, 100))
    tap.ok(not wrong, "frames that are dropped", wrong)
    body = pprof({("main", "malloc", "f"): 4})
    count = sum(1 for _ in strings_of(body))
    whole = {"main": (0, 0.04), "malloc": (0, 0.04), "f": (0.04, 0.04)}
    short = {"main": (0.04, 0.04)}
    for drop, keep, expected in (
        ("(m|x)?alloc|mall.*?", "", short),
        ("malloc", "(?:f)", whole),
        ("((((m+)+)+)+)+alloc", "", whole),
        ("((m)*)*alloc", "", whole),
        (r"(m)alloc\1", "", whole),
        ("mal{2}oc", "", whole),
        ("*", "", whole),
        (5000 * "(" + "malloc" + 5000 * ")", "", whole),
        (5000 * "m", "", whole),
    ):
        more = (
            field(6, drop.encode())
            + field(6, keep.encode())
            + field(7, count)
            + field(8, count + 1)
        )
        write(place("dropped"), body + more)
        found = {name: numbers[:2] for name, numbers in figures("dropped").items()}
        tap.ok(found == expected, "frames to drop: %.30s" % drop, found)


# (what, contents, part of the message)
OTHERS = [
    ("Java Flight Recorder", b"FLR\0\0\2\0\1", "is a file from Java Flight Recorder: `jfrconv"),
    ("uftrace", b"Ftrace!\0\4\0\0\0", "is a file from uftrace: `uftrace dump"),
    ("Chrome's tracing", b'{"traceEvents":[]}', "which gprof does not read"),
    ("jemalloc", b"heap_v2/524288\n t*: 22: 9366 [0: 0]\n", "`jeprof --collapsed'"),
    (
        "heap profiles as text",
        b"heap profile: 1: 98304 [200: 20480000] @ heap/1048576\n",
        "`go tool pprof -proto",
    ),
    ("goroutines as text", b"goroutine profile: total 3\n2 @ 0x1 0x2\n", "`go tool pprof -proto"),
    (
        "Java's heap dumps, compressed",
        gzip.compress(b"JAVA PROFILE 1.0.2\0" + bytes(100)),
        "is a file from Java's heap dumps",
    ),
    (
        "Chrome's tracing, a list",
        b'[ {"name": "a", "ph": "X", "ts": 1, "dur": 2}]',
        "is a file from Chrome's tracing",
    ),
    (
        "Chrome's tracing, units first",
        b'{"displayTimeUnit": "ns",\n "traceEvents": []}',
        "is a file from Chrome's tracing",
    ),
    (
        "Java's hprof as text",
        b"JAVA PROFILE 1.0.1, created Tue Jan 2 10:00:00 2024\n\nCPU SAMPLES BEGIN\n",
        "is a file from Java's hprof, a profile as text: `stackcollapse-hprof",
    ),
    ("Java's heap dumps", b"JAVA PROFILE 1.0.1\0" + bytes(99), "is a file from Java's heap dumps"),
    ("JSON", b'{"nodes": 3}', "is text, but of none of the profilers"),
    ("a page", b"<!DOCTYPE html>\n<html></html>\n", "is text, but of none of the profilers"),
    (
        "text in UTF-8",
        "informe de funci\u00f3n\n".encode(),
        "is text, but of none of the profilers",
    ),
    ("an empty file", b"", "other: is empty"),
    ("an empty file, compressed", gzip.compress(b""), "other: is empty"),
]


def check_others(tap):
    """What is neither an executable nor a profile that is read is named, also as the first
    operand."""
    for what, contents, message in OTHERS:
        write(place("other"), contents)
        err = gprof("--top", "other", status=1)[1]
        tap.ok(message in err and "executable format" not in err, "named: " + what, err)
        for name in ("-", "/dev/stdin"):
            with subprocess.Popen(["cat", place("other")], stdout=subprocess.PIPE) as cat:
                said = harness.run([harness.GPROF, "--top", name], TEMP, stdin=cat.stdout)[
                    2
                ].decode()
            tap.ok(
                message.replace("other: ", name + ": ") in said, "named, in a pipe: " + what, said
            )
        err = gprof("--top", harness.GPROF, "other", status=1)[1]
        tap.ok(message in err, "named, behind an executable: " + what, err)
    for name, contents in (("info", b"Ftrace!\0\4\0\0\0"), ("1.dat", bytes(16))):
        os.makedirs(place("uftrace.data"), exist_ok=True)
        write(place("uftrace.data/" + name), contents)
    err = gprof("--top", "uftrace.data", status=1)[1]
    tap.ok("is a file from uftrace: `uftrace dump" in err, "named: the directory of uftrace", err)


def check_pipes(tap):
    """What can be opened only once, by whatever name."""
    write(place("once"), folded({("main", "f"): 3}))
    for name in ("-", "/dev/stdin", "/proc/self/fd/0", "/dev/fd/0"):
        for is_pipe in (False, True):
            shell = "cat once | $G --quiet --top %s" if is_pipe else "$G --quiet --top %s < once"
            result = harness.run(
                ["sh", "-c", shell % name], TEMP, dict(harness.ENV, G=harness.GPROF)
            )
            tap.ok(
                result[0] == 0 and b"main" in result[1],
                "%s: %s" % ("a pipe" if is_pipe else "a file", name),
                result,
            )


def strings_of(body):
    """The strings of a profile."""
    at = 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = body[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(body):
        key = number()
        size = number()
        if key & 7 == 2:
            at += size
            if key >> 3 == 6:
                yield body[at - size : at]


def check_inputs(tap):
    stacks = {("main", "f"): 30, ("main", "g"): 10}
    double = {stack: 2 * count for stack, count in stacks.items()}
    data = folded(stacks)
    write(place("one"), data)
    write(place("packed"), gzip.compress(data))
    os.makedirs(place("runs"), exist_ok=True)
    write(place("runs/a"), data)
    write(place("runs/b.gz"), gzip.compress(data))
    write(place("list"), b"one\n")
    for what, words, expected, stdin in [
        ("gzip", ["packed"], stacks, None),
        ("standard input", ["-"], stacks, data),
        ("gzip on standard input", ["-"], stacks, gzip.compress(data)),
        ("two files", ["one", "packed"], double, None),
        ("a directory", ["runs"], double, None),
        ("--files-from", ["--files-from=list", "one"], double, None),
        ("--from", ["--from=folded", "one"], stacks, None),
    ]:
        wrong = difference(figures(*words, stdin=stdin), model(expected))
        tap.ok(not wrong, what, wrong)
    out = gprof("--quiet", "--format=json", "one", "packed")[0]
    inputs = [item["samples"] for item in json.loads(out)["inputs"]]
    tap.ok(inputs == [40, 40], "the inputs of JSON", inputs)
    out = gprof("-b", "--per-file", "one", "packed")[0]
    tap.ok(" 50.00           40       40.00                0  one" in out, "--per-file", out)
    found = json.loads(gprof("--quiet", "--per-file", "--format=speedscope", "one", "packed")[0])
    wanted = [("one, sampled stacks", [30, 10]), ("packed, sampled stacks", [30, 10])]
    tap.ok(
        [(item["name"], item["weights"]) for item in found["profiles"]] == wanted,
        "stacks of each profile",
        found,
    )
    write(place("mixed"), perf_script(stacks))
    tap.ok(
        "counts nanoseconds, but" in gprof("--top", "one", "mixed", status=1)[1],
        "units are not mixed",
    )
    for words in (
        ["-l"],
        ["-A"],
        ["-c"],
        ["--objects=."],
        ["--stacks"],
        ["-k", "main/f"],
        ["--slide=16"],
    ):
        err = gprof(*(words + ["one"]), status=1)[1]
        tap.ok("needs an executable" in err and "one" in err, "refused: " + words[0], err)
    out = gprof("-b", "one")[0]
    tap.ok(
        "Flat profile" in out and "measured by 40 stacks" in out, "reports by default", out[:500]
    )
    out = gprof("-b", "--no-stacks", "-p", "one")[0]
    tap.ok(" 75.00" in out, "--no-stacks", out)
    write(place("lines"), pprof({("main", "f"): 400}))
    lines = gprof(
        "--quiet",
        "--top",
        "--by=line",
        "--format=csv",
        "--columns=self,total,file,line,name",
        "lines",
    )[0]
    tap.ok("4,4,a.go,5,main" in lines.replace('"', ""), "--by=line", lines)


def check_cut_stacks(tap):
    """Who records at most so many frames leaves the outermost ones out, without a mark: Go 64,
    others 32 or 128."""
    rng = random.Random(13)
    names = ["f%d" % i for i in range(9)]
    lengths = rng.sample(range(2, 25), 9) + [rng.randrange(50, 90) for _ in range(8)]
    whole = {
        ("main", "run", *rng.choices(names, k=length)): rng.randrange(1, 20) for length in lengths
    }
    for most in (32, 64):
        cut, marked = {}, {}
        for stack, count in whole.items():
            kept = stack[-most:]
            cut[kept] = cut.get(kept, 0) + count
            shown = kept if kept == stack else ("<unknown>", *kept)
            marked[shown] = marked.get(shown, 0) + count
        missing = sum(count for stack, count in marked.items() if stack[0] == "<unknown>")
        for form, writer, rate in (("folded", folded, 1), ("pprof", pprof, 100)):
            write(place("cut"), writer(cut))
            wrong = difference(figures("cut"), model(marked, rate))
            tap.ok(not wrong, "%s: stacks of %d frames are cut" % (form, most), wrong)
            said = gprof("--top", "cut")[1]
            tap.ok(
                "of %.1f%% of the samples, the outermost callers are not known"
                % (100 * missing / sum(whole.values()))
                in said,
                "and that is said",
                said,
            )
            write(place("whole"), writer(whole))
            wrong = difference(figures("whole"), model(whole, rate))
            tap.ok(not wrong, "%s: whole stacks are not" % form, wrong)
    check_deep_perf(tap)
    for depth in (16, 22):
        calls = {("main", "worker", "f"): 9, ("main", "f", "g"): 5}
        starts = {
            ("worker", *rng.choices("fgh", k=depth - 1)): rng.randrange(1, 9) for _ in range(9)
        }
        write(place("starts"), folded({**calls, **starts}))
        wrong = difference(figures("starts"), model({**calls, **starts}))
        tap.ok(not wrong, "threads that begin with one function, %d frames deep" % depth, wrong)
    few = {("main", *["f"] * i): 1 for i in range(1, 40)}
    write(place("few"), folded({**few, ("f", *["f"] * 39): 5}))
    tap.ok("<unknown>" not in figures("few"), "a function that calls itself, and begins a thread")


def perf_of_frames(stacks):
    """What perf prints of stacks of frames, of which those that are called `inlined' are."""
    text = []
    for stack, count in stacks.items():
        frames = [
            "\t%16x %s\n" % (i, n + (" (inlined)" if n == "inlined" else "+0x1 (/a)"))
            for i, n in enumerate(reversed(stack))
        ]
        text += ["p 1 1.0: 1000000 cycles: \n" + "".join(frames) + "\n"] * count
    return "".join(text).encode()


def check_deep_perf(tap):
    """Linux records 127 frames unless it is told otherwise; inlined functions are no frames of
    it."""
    rng = random.Random(31)
    names = ["f%d" % i for i in range(9)]
    whole = {
        ("_start", "main", *rng.choices(names, k=n)): rng.randrange(1, 5)
        for n in (5, 9, 150, 180, 200)
    }
    write(place("deep"), perf_of_frames(whole))
    wrong = difference(figures("deep"), model(whole))
    tap.ok(not wrong, "perf: whole stacks of more than 127 frames", wrong)
    for inlined in (0, 3):
        cut, marked = {}, {}
        for stack, count in whole.items():
            kept = stack[-127:]
            for _ in range(inlined):
                at = rng.randrange(1, len(kept))
                kept = (*kept[:at], "inlined", *kept[at:])
            cut[kept] = count
            marked[kept if len(stack) <= 127 else ("<unknown>", *kept)] = count
        write(place("deep"), perf_of_frames(cut))
        wrong = difference(figures("deep"), model(marked))
        tap.ok(not wrong, "perf: stacks cut at 127 frames, %d inlined" % inlined, wrong)
    one = {("_start", "main", "f"): 3, ("f", *["g", "f"] * 63): 1}
    write(place("deep"), perf_of_frames(one))
    marked = {
        stack if stack[0] == "_start" else ("<unknown>", *stack): count
        for stack, count in one.items()
    }
    wrong = difference(figures("deep"), model(marked))
    tap.ok(not wrong, "perf: one stack cut at 127 frames", wrong)


def check_perf_objects(tap):
    """An inlined function is in the object of the function that has its address, which can stand
    before it; --fold-libraries makes one function of those of a library, also on stacks."""
    frames = [
        ("inlined", 1, "in", "inlined"),
        ("leaf", 1, "leaf", "/lib/libx.so.1 (deleted)"),
        ("middle", 2, "middle", "/lib/libx.so.1 (deleted)"),
        ("main", 3, "main", "/bin/a"),
        ("wrapper", 3, "wrapper", "inlined"),
        ("outer", 3, "outer", "inlined"),
    ]
    text = ""
    for _, address, name, path in frames:
        text += "\t%16x %s+0x1 (%s)\n" % (address, name, path)
    alias = "\t%16x alias (inlined)\n\t%16x main+0x3 (/bin/a)\n" % (7, 3)
    header = "p 1 1.0: 1000000 cycles: \n"
    write(place("objects"), (3 * (header + text + "\n") + header + alias + "\n").encode())
    out = gprof("--quiet", "--by=object", "--format=csv", "--columns=self,total,name", "objects")[0]
    rows = {name: (float(own), float(total)) for own, total, name in csv_rows(out)}
    expected = {"libx.so.1 (deleted)": (3, 3), "<unknown>": (1, 1), "a": (0, 4)}
    tap.ok(rows == expected, "objects of inlined functions", out)
    tap.ok("in this program" not in gprof("--top", "objects")[0], "no program is known")
    cut = header + "\t%16x [unknown] ([unknown])\n\n" % 9
    write(place("cut objects"), (SIMPLE + cut).encode())
    out = gprof("--top", "cut objects")[0]
    tap.ok("are cut" in out and "in this program" not in out, "nor of cut stacks", out)
    out, said = gprof("--top", "--by=line", "objects")
    tap.ok(
        "objects: the profile has no source lines" in said and "compile" not in said,
        "no lines",
        said,
    )
    tap.ok(" functions, " in out and " lines, " not in out, "rows without lines are functions", out)
    out = gprof("--quiet", "--fold-libraries", "--format=folded", "objects")[0]
    stacks = {line.rsplit(" ", 1)[0] for line in out.splitlines()}
    expected = {"outer;wrapper;main;[libx.so.1 (deleted)]", "main;alias"}
    tap.ok({s.split(";", 1)[1] for s in stacks} == expected, "folded libraries", out)
    write(place("folded.json"), gprof("--fold-libraries", "--format=json", "objects")[0].encode())
    said = gprof("--one-run", "--base=folded.json", "objects", status=1)[1]
    tap.ok("cannot be compared" in said, "are not compared with functions", said)
    # A stack of as many frames as Linux records is cut, however few names it has.
    deep = 63 * [frames[3]] + 64 * [(9, 9, "f", "/lib/lib.solver.so")]
    text = "".join("\t%16x %s+0x1 (%s)\n" % frame[1:] for frame in reversed(deep))
    called = "".join("\t%16x %s+0x1 (%s)\n" % frame[1:] for frame in (frames[3], (1, 8, "g", "b")))
    write(place("deep"), (3 * (header + text + "\n") + header + called + "\n").encode())
    out = gprof("--quiet", "--top", "--fold-libraries", "deep")[0]
    tap.ok("are cut" in out and "[lib.solver.so]" in out, "deep stacks in folded libraries", out)


def check_files(tap):
    """The cost of an inlined line is in the file of the line, as --by=line shows it."""
    calls = "events: Ir\nfl=b.c\nfn=outer\n4 100\nfi=a.h\n3 50\n4 7\nfe=b.c\n7 1\nfn=main\n9 20\n"
    write(place("files"), calls.encode())
    words = ["--quiet", "--exact", "--format=csv", "files"]
    files = {
        name: float(own)
        for own, name in (
            line.split(",")
            for line in gprof("--by=file", "--columns=self,name", *words)[0].split()[1:]
        )
    }
    lines = gprof("--by=line", "--columns=self,file,line", *words)[0].split()[1:]
    sums = {}
    for own, file, _ in (line.split(",") for line in lines):
        sums[file] = sums.get(file, 0) + float(own)
    scale = sum(files.values()) / 178
    expected = {"a.h": 57 * scale, "b.c": 121 * scale}
    close = lambda found: found.keys() == expected.keys() and all(
        math.isclose(found[file], expected[file]) for file in found
    )
    tap.ok(close(files) and close(sums), "files of inlined lines", "%s %s" % (files, sums))


def csv_rows(text):
    return [line.split(",", 2) for line in text.splitlines()[1:]]


def check_events(tap):
    """What is counted in the kernel and in user space is not compared; how exactly it is, does not
    matter."""
    for one, other, is_same in (
        ("cycles:u", "cycles:k", False),
        ("cycles", "cycles:u", False),
        ("cpu-clock:u", "cpu-clock", False),
        ("cycles:ku", "cycles:ukP", True),
        ("cycles:ppp", "cycles", True),
        ("cpu_core/cycles/", "cycles:P", True),
        ("cpu-clock:ppp", "cpu-clock", True),
    ):
        for name, event in (("one", one), ("other", other)):
            write(place(name), (SIMPLE * 9).replace("cycles", event).encode())
            gprof("--quiet", "--format=json", "-o", name + ".json", name)
        for base in ("one", "one.json"):
            err = gprof(
                "--quiet", "--one-run", "--base=" + base, "other", status=0 if is_same else 1
            )[1]
            tap.ok(is_same or "cannot be compared: shows" in err, "%s and %s" % (one, other), err)
        err = gprof("--quiet", "--top", "one", "other", status=0 if is_same else 1)[1]
        tap.ok(is_same or "but the profiles before it" in err, "their sum", err)


def check_round_trips(tap):
    stacks = draw_stacks(random.Random(8))
    write(place("first"), folded(stacks))
    write(place("timed"), pprof(stacks))
    for source, rate in (("first", 1), ("timed", 100)):
        for format in ("folded", "pprof"):
            gprof("--quiet", "--format=" + format, "-o", "second", source)
            again = rate if format == "pprof" else 1
            wrong = difference(figures("second"), model(stacks, again))
            tap.ok(not wrong, "%s to %s and back" % (source, format), wrong)
    escaped = {("main", r"a\x3bb", "c;d", r"e\x5cx3b"): 3, (r"\x5c", "\\", r"\x5"): 2}
    write(place("again"), pprof(escaped))
    for i in range(3):
        gprof("--quiet", "--format=folded", "-o", "next", "again")
        os.rename(place("next"), place("again"))
        wrong = difference(figures("again"), model(escaped))
        tap.ok(not wrong, "names like escapes, written for the %d. time" % (i + 1), wrong)
    write(place("again"), folded({("main", r"a\x3bb"): 3}))
    wrong = difference(figures("again"), model({("main", r"a\x3bb"): 3}))
    tap.ok(not wrong, "a name like an escape in a file of others", wrong)


def check_damaged(tap, rng, what, seed, draws, choices, commands, most=6):
    """Whatever is cut, or damaged in up to MOST bytes, by CHOICES or any byte, is refused without
    output, or read, and nothing crashes."""
    worst = None
    damaged = [
        seed[:cut] for cut in range(0, len(seed), max(1, len(seed) // harness.sized(30, 2000)))
    ]
    for _ in range(draws):
        data = bytearray(seed)
        for _ in range(rng.randint(1, most)):
            data[rng.randrange(len(data))] = rng.choice(choices + [rng.randrange(256)])
        damaged.append(bytes(data))
    for data in damaged:
        write(place("damaged"), data)
        for words in commands:
            result = harness.run([harness.GPROF] + words + ["damaged"], cwd=TEMP)
            if result[0] not in (0, 1) or (result[0] == 1 and (not result[2] or result[1])):
                worst = harness.said(result)
                write(os.path.join(harness.BUILDDIR, "tests", "failures-foreign"), data)
    tap.ok(worst is None, "damaged %s: %d files" % (what, len(damaged)), worst)


def check_damage(tap):
    rng = random.Random(6)
    stacks = {("main", "f"): 2, ("main", "g", "f"): 3, ("main", "<a>"): 1}
    choices = [0, 10, 32, 40, 41, 58, 59, 127, 128, 255]
    for form, seed in (
        ("folded", folded(stacks)),
        ("perf-script", perf_script(stacks)),
        ("pprof", pprof(stacks)),
        ("pprof", pprof(stacks, packed=False, inlined=True)),
        ("pprof", gzip.compress(pprof(stacks))),
    ):
        check_damaged(
            tap, rng, form, seed, harness.sized(30, 5000), choices, [["--from=" + form, "--top"]]
        )


def check_gate(tap):
    """Pairs drawn from one recording are equal; one slower by 20 % is not."""
    rng = random.Random(4)
    pairs = harness.sized(20, 200)
    shares = {("main", "heavy"): 0.5, ("main", "light"): 0.3, ("main", "rest", "deep"): 0.2}

    def recording(factor):
        """20,000 samples, or more if `heavy' got slower."""
        drawn = {}
        for stack, share in shares.items():
            mean = 20000 * share * (factor if stack[1] == "heavy" else 1)
            drawn[stack] = max(1, round(rng.gauss(mean, math.sqrt(mean))))
        return folded(drawn)

    alarms = found = 0
    for _ in range(pairs):
        for name, factor in (("before", 1), ("after", 1), ("slower", 1.2)):
            write(place(name), recording(factor))
        alarms += (
            harness.run(
                [harness.GPROF, "--one-run", "--base=before", "--fail-above=5", "after"], cwd=TEMP
            )[0]
            == 3
        )
        found += (
            harness.run(
                [harness.GPROF, "--one-run", "--base=before", "--fail-above=5", "slower"], cwd=TEMP
            )[0]
            == 3
        )
    tap.ok(
        alarms <= 0.05 * pairs + 2 * math.sqrt(0.05 * pairs),
        "%d equal pairs" % pairs,
        "%d alarms" % alarms,
    )
    tap.ok(found >= 0.9 * pairs, "%d slower ones" % pairs, "%d found" % found)


def nameless(rng, factor):
    """(A recording with unequal periods of which a part has no name, {row: seconds})."""
    text, known = [], {"f": 0, "g": 0, "<unknown>": 0}
    for i in range(600):
        name = rng.choice(sorted(known))
        period = rng.choice((250000, 1000000)) * (factor if name == "<unknown>" else 1)
        known[name] += period / 1e9
        frame = "7f00 [unknown] ([unknown])" if name == "<unknown>" else "10 %s+0x1 (/bin/t)" % name
        text.append("p 1 1.%06d: %d cpu-clock: \n\t%s\n\n" % (i, period, frame))
    return "".join(text).encode(), known


def check_nameless(tap):
    """Samples without a name are in the total of a comparison, in a row, and judged."""
    rng = random.Random(9)
    sides = []
    for name, factor in (("named", 1), ("slow", 4)):
        text, known = nameless(rng, factor)
        write(place(name), text)
        sides.append(known)
    gprof("--quiet", "--format=json", "-o", "named.json", "named")
    for base in ("named", "named.json"):
        words = [
            "--quiet",
            "--one-run",
            "--base=" + base,
            "--fail-above=10",
            "--format=json",
            "slow",
        ]
        out, err = gprof(*words, status=3)
        rows = {row["name"]: (row["before"], row["after"]) for row in json.loads(out)["rows"]}
        expected = {name: tuple(side[name] for side in sides) for name in sides[0]}
        expected["total"] = tuple(sum(side.values()) for side in sides)
        near = {
            name: all(abs(a - b) < 1e-3 * b for a, b in zip(rows.get(name, ()), times))
            for name, times in expected.items()
        }
        tap.ok(
            set(rows) == set(expected) and all(near.values()),
            "samples without a name: " + base,
            "%s, not %s" % (rows, expected),
        )
        tap.ok("regression: <unknown>" in err, "and they are judged: " + base, err)


def wrong_shares(found, known, prefix=""):
    """The functions of PROGRAM whose inclusive time, as a share of main's, is not that of KNOWN
    ({name: inclusive time} of another reader of the recording).  With CHECK_LONG=1, also those
    which are further from the truth than four errors: that depends on the samples taken."""
    whole = found[prefix + "main"][1]
    wrong = []
    for name, truth in TRUTH.items():
        _, total, _, error = found.get(prefix + name, (0, 0, 0, 0))
        share = known.get(prefix + name, 0) / known[prefix + "main"]
        if abs(total - share * whole) > 1e-6 * whole:
            wrong.append("%s: %.6f of %.6f, not %.6f" % (name, total, whole, share))
        if harness.IS_LONG and abs(total - truth * whole) > 4 * error + 0.02 * whole:
            wrong.append("%s: %.3f of %.3f, not %.2f" % (name, total, whole, truth))
    return "\n".join(wrong)


def inclusive(path, has_periods=True):
    """{function: the weight of the samples it is in}, as perf script prints them; without periods,
    each sample has the weight 1."""
    result = harness.run(["perf", "script", "-i", path, "-F", "period,ip,sym"], cwd=TEMP)
    known = {}
    for sample in result[1].decode().split("\n\n"):
        period, *frames = sample.strip().splitlines() or [""]
        for name in {frame.split(None, 1)[-1] for frame in frames}:
            known[name] = known.get(name, 0) + (int(period) if has_periods else 1)
    return known


def check_values(tap):
    """Two values of pprof in one unit are never compared or added up, however they were written."""
    stacks = {("main", "f"): 40, ("main",): 20}
    allocated, live = [("alloc_space", "bytes"), ("inuse_space", "bytes")], [
        ("inuse_space", "bytes"),
        ("alloc_space", "bytes"),
    ]
    for name, types in (("allocated", live), ("live", allocated)):  # the last value is shown
        write(
            place(name + ".pb"),
            pprof(stacks, types=types, values=lambda count: (count << 20, count << 20), period=0),
        )
        gprof("--quiet", "--format=json", "-o", name + ".json", name + ".pb")
        gprof("--quiet", "--format=pprof", "-o", name + ".again.pb.gz", name + ".pb")
    for form in ("pb", "json", "again.pb.gz"):
        said = gprof("--base=live.pb", "allocated." + form, status=1)[1]
        tap.ok(
            "shows inuse_space, the others alloc_space" in said,
            "two values in one unit: " + form,
            said,
        )
        gprof("--base=live.pb", "live." + form)
        said = gprof("-s", "live." + form, "allocated." + form, status=1)[1]
        tap.ok(
            "counts alloc_space, but the profiles before it inuse_space" in said,
            "their sum: " + form,
            said,
        )
    out = gprof("--base=live.pb", "--value=inuse_space", "allocated.pb")[0]
    tap.ok("no significant change" in out, "--value chooses the same", out)
    write(place("old.folded"), b"main;f 500\nmain;[perf-4711.map] 500\n")
    write(place("new.folded"), b"main;f 500\nmain;[perf-88123.map] 2000\n")
    said = gprof(
        "--one-run",
        "--base=old.folded",
        "--fail-above=10",
        "--fail-scope=function",
        "new.folded",
        status=3,
    )[1]
    tap.ok("regression: [perf.map]" in said, "code made at run time in two processes", said)


def check_stopped(tap):
    """Where the reader stops, it is not perf that failed."""
    os.makedirs(place("stopped"), exist_ok=True)
    write(place("stopped/perf"), b"#!/bin/sh\nexec yes garbage\n")
    os.chmod(place("stopped/perf"), 0o755)
    write(place("stopped/data"), b"PERFILE2")
    env = dict(harness.ENV, PATH=place("stopped") + ":" + os.environ["PATH"])
    result = harness.run([harness.GPROF, "--top", "stopped/data"], TEMP, env)
    said = result[2].decode()
    tap.ok(
        result[0] == 1 and "neither a perf sample" in said and "cannot read" not in said,
        "a reader that stops",
        said,
    )


def check_left_out(tap):
    """Samples of other events are named below the figures, also where nobody sees notes."""
    text = SIMPLE + 3 * SIMPLE.replace("cycles", "faults") + 2 * SIMPLE.replace("cycles", "moves")
    write(place("events"), text.encode())
    for words in (["--top"], ["--tree"], ["-b"]):
        out = gprof("--quiet", *words, "events")[0]
        tap.ok(
            "\nleft out: 3 of faults, 2 of moves (--value chooses)\n" in out,
            "samples left out: %s" % words[0],
            out,
        )
    out = gprof("--quiet", "--top", "--value=faults", "events")[0]
    tap.ok("left out: 1 of cycles, 2 of moves " in out, "samples left out: --value", out)
    out = gprof("--quiet", "--top", "events", "events")[0]
    tap.ok(
        "\nleft out: 6 of faults, 4 of moves (" in out,
        "samples left out: the sum of two files",
        out,
    )
    write(place("events"), SIMPLE.encode())
    out = gprof("--quiet", "--top", "events")[0]
    tap.ok("left out" not in out, "no samples left out", out)


# What perf prints of a recording: with -F comm,pid,tid, and else.  A process is forked by `make',
# has a thread, calls exec twice (once under a name with a colon) and renames itself.
SAMPLES_OF_RUNS = [
    ("perf-exec", 8, 8, 1),
    ("", 8, "make", 0),
    ("make", 8, 8, 4),
    ("make", 9, 9, 8),
    ("worker", 9, 10, 16),
    ("", 9, "a: 9/9", 0),
    ("a: 9/9", 9, 9, 32),
    ("worker", 9, 11, 64),
    ("", 9, "sh", 0),
    ("sh", 9, 9, 128),
    ("renamed", 9, 9, 256),
]
RUNS = {"make": 1 + 4 + 8 + 16, "a: 9/9": 32 + 64, "renamed": 128 + 256}


def printed_runs(fields):
    text = []
    for name, process, thread, count in SAMPLES_OF_RUNS:
        times = "" if fields else "  7.000001: "
        if count == 0:
            record = (thread, process, process, times, thread, process, process)
            text.append("%16s %6d/%-6d %sPERF_RECORD_COMM exec: %s:%d/%d\n" % record)
        elif fields:
            text.append(("%16s %6d/%-6d \n" % (name, process, thread)) * count)
        else:
            header = "%s %6d/%-6d %s    250000 cpu-clock: \n" % (name, process, thread, times)
            text.append((header + "\t            1145 f+0x5 (/bin/a)\n\n") * count)
    return "".join(text)


def check_exec(tap):
    """Samples before an exec are of the program before it; others are counted below the figures."""
    os.makedirs(place("execs"), exist_ok=True)
    write(place("execs/names"), printed_runs(True).encode())
    write(place("execs/samples"), printed_runs(False).encode())
    perf = '#!/bin/sh\ncase $* in *-F\\ comm*) cat "$0/../names";; *) cat "$0/../samples";; esac\n'
    write(place("execs/perf"), perf.replace("$0/..", place("execs")).encode())
    os.chmod(place("execs/perf"), 0o755)
    write(place("execs/data"), b"PERFILE2")
    env = dict(harness.ENV, PATH=place("execs") + ":" + os.environ["PATH"])
    for program, count in [(None, RUNS["renamed"])] + list(RUNS.items()):
        words = ["--program=" + program] if program else []
        result = harness.run([harness.GPROF, "--top"] + words + ["execs/data"], TEMP, env)
        out = result[1].decode()
        expected = "left out: samples of other programs: %d (--program" % (
            sum(RUNS.values()) - count
        )
        tap.ok(
            result[0] == 0 and " %.2f seconds" % (count * 0.00025) in out and expected in out,
            "exec: the samples of %s" % program,
            harness.said(result),
        )
    text = SIMPLE + 3 * SIMPLE.replace("p 1", "q 2")
    write(place("two programs"), text.encode())
    out = gprof("--quiet", "--top", "--program=q", "two programs")[0]
    tap.ok("left out: samples of other programs: 1 (" in out, "other programs of a text", out)
    faults = SIMPLE + 2 * SIMPLE.replace("p 1", "q 2")
    write(place("two events"), (text + faults.replace("cycles", "faults")).encode())
    for event, count in (("cycles", 3), ("faults", 2)):
        out = gprof("--quiet", "--top", "--program=p", "--value=" + event, "two events")[0]
        expected = "left out: samples of other programs: %d (" % count
        tap.ok(expected in out, "other programs: samples of %s" % event, out)
    out = gprof("--quiet", "--top", "two programs")[0]
    tap.ok("left out" not in out, "all programs of a text", out)


def check_aliases(tap):
    """Of a function that the debug information calls by another name, perf prints only that; in
    which object it is, perf says without inlined functions."""
    os.makedirs(place("aliases"), exist_ok=True)
    frames = ["45 __GI_free+0x5 (inlined)", "88 both+0x8 (inlined)", "99 main+0x9 (/bin/a)"]
    text = "p 1/1 1.0: 1000000 cpu-clock: \n" + "".join("\t%16s\n" % f for f in frames) + "\n"
    write(place("aliases/samples"), text.encode())
    write(place("aliases/names"), b"               p      1/1      \n")
    objects = ["45 free+0x5 (/lib/libc.so.6)", "45 other+0x15 (/lib/libz.so)"]
    objects += ["88 both+0x8 (/lib/%s)" % name for name in ("libx.so", "liby.so")]
    write(place("aliases/objects"), "".join("\t%16s\n" % f for f in objects).encode())
    perf = """#!/bin/sh
echo "Warning: lost" >&2
case $* in
*broken*) exit 1 ;;
*--no-inline*) cat "$0/../objects" ;;
*-F\\ comm*) cat "$0/../names" ;;
*) cat "$0/../samples" ;;
esac
"""
    write(place("aliases/perf"), perf.replace("$0/..", place("aliases")).encode())
    os.chmod(place("aliases/perf"), 0o755)
    write(place("aliases/data"), b"PERFILE2")
    env = dict(harness.ENV, PATH=place("aliases") + ":" + os.environ["PATH"])
    command = ["--quiet", "--by=object", "--format=csv", "--columns=self,total,name"]
    result = harness.run([harness.GPROF] + command + ["aliases/data"], TEMP, env)
    rows = sorted(csv_rows(result[1].decode()))
    expected = [["0", "0.001", "<unknown>"], ["0", "0.001", "a"], ["0.001", "0.001", "libc.so.6"]]
    tap.ok(rows == expected, "objects of aliases", harness.said(result))
    tap.ok(result[2] == b"Warning: lost\n", "warnings of perf once", harness.said(result))
    write(place("aliases/broken"), b"PERFILE2")
    result = harness.run([harness.GPROF, "--top", "aliases/broken"], TEMP, env)
    said = harness.said(result)
    tap.ok(result[0] == 1 and result[2].count(b"lost") == 1, "perf says why it fails", said)


def check_parts(tap):
    """A thread is one in all parts of a recording; its number in another process is another."""
    for header, alike, other in (
        ("worker %d 1.0: 1 cycles: \n", 17, 18),
        ("worker %s 1.0: 1 cycles: \n", "7/17", "8/17"),
    ):
        for name, threads in (("part 1", [alike, other, other]), ("part 2", [alike])):
            write(place(name), "".join(header % n + FRAMES for n in threads).encode())
        out = gprof(
            "--quiet", "--by=thread", "--format=csv", "--columns=samples,name", "part 1", "part 2"
        )[0]
        counts = [line.split(",")[0] for line in out.splitlines()[1:]]
        tap.ok(counts == ["2", "2"], "threads of two parts: %s" % header, out)


def check_threads(tap):
    """Threads that only have samples of other events are none of the event that is shown."""
    text = ""
    for thread, event in ((101, "cpu-clock"), (102, "cpu-clock"), (103, "faults")):
        text += "p 100/%d 1.0: 1000000 %s: \n" % (thread, event) + FRAMES
    write(place("threads"), text.encode())
    words = ["--quiet", "--by=thread", "--format=csv", "--columns=samples,name", "threads"]
    rows = csv_rows(gprof(*words)[0])
    tap.ok(sorted(rows) == [["1", "p 101"], ["1", "p 102"]], "threads of an event", rows)
    rows = csv_rows(gprof("--value=faults", *words)[0])
    tap.ok(rows == [["1", "p"]], "the thread of another event", rows)


def check_perf(tap):
    what = "perf record"
    write(place("work.c"), PROGRAM.encode())
    built = harness.run(
        ["gcc", "-O0", "-g", "-fno-omit-frame-pointer", "-o", "work", "work.c"], cwd=TEMP
    )
    if (
        built[0] != 0
        or harness.run(["perf", "record", "-q", "-o", "probe", "true"], cwd=TEMP)[0] != 0
    ):
        return tap.skip(what, "perf may not record here")
    for how, options in (("frame pointers", ["-g"]), ("DWARF", ["--call-graph", "dwarf,4096"])):
        harness.must_run(
            ["perf", "record", "-q", "-F", "499"] + options + ["-o", "perf.data", "./work"],
            cwd=TEMP,
        )
        out, said = gprof("--top", "--program=work", "perf.data")
        tap.ok(
            ("callers of leaf functions may be missing" in out) == (how == "frame pointers"),
            "%s: %s: the footer" % (what, how),
            out,
        )
        tap.ok(
            ("frame pointers told the callers" in said) == (how == "frame pointers"),
            "%s: %s: the note" % (what, how),
            said,
        )
        wrong = wrong_shares(figures("--program=work", "perf.data"), inclusive("perf.data"))
        tap.ok(not wrong, "%s: %s" % (what, how), wrong)
    ways = {
        "a pipe": ["-g", "-o", "-"],
        "--threads": ["--threads", "-g", "-o", "dir.data"],
        "--per-thread": ["-i", "--per-thread", "-g", "-o", "one.data"],
    }
    for how, options in ways.items():
        out = harness.run(
            ["perf", "record", "-q", "-e", "cpu-clock", "-F", "499"] + options + ["./work"],
            cwd=TEMP,
        )[1]
        path = options[-1]
        if path == "-":
            path = "pipe.data"
            write(place(path), out)
        known = inclusive(path)
        if "main" not in known:
            tap.skip("%s: %s" % (what, how), "this perf has it not")
            continue
        wrong = wrong_shares(figures(path), known)
        tap.ok(not wrong, "%s: %s" % (what, how), wrong)
    whole, counted = inclusive("perf.data"), inclusive("perf.data", has_periods=False)
    for fields in (
        "comm,ip,sym",
        "ip,sym,dso",
        "comm,tid,time,ip,sym",
        "+misc",
        "+srccode",
        "-dso",
        "-time",
        "-event",
        "-period",
    ):
        text = harness.must_run(["perf", "script", "-i", "perf.data", "-F", fields], cwd=TEMP)
        write(place("script"), text[1] if isinstance(text, tuple) else text)
        has_periods = fields[0] in "+-" and fields != "-period"
        wrong = wrong_shares(figures("script"), whole if has_periods else counted)
        tap.ok(not wrong, "perf script -F %s" % fields, wrong)
    script = harness.must_run(["perf", "script", "-i", "perf.data"], cwd=TEMP)
    text = script[1] if isinstance(script, tuple) else script
    write(place("script"), text)
    wrong = wrong_shares(figures("script"), whole)
    tap.ok(not wrong, "perf script", wrong)
    tap.ok(
        "by name: save it first"
        in gprof("--top", "-", status=1, stdin=harness.read(place("perf.data")))[1],
        "perf.data on standard input",
    )
    env = dict(harness.ENV, PATH="/nowhere")
    result = harness.run([harness.GPROF, "--top", "perf.data"], cwd=TEMP, env=env)
    tap.ok(result[0] == 1 and b"cannot run perf" in result[2], "without perf", result)


def draw_signed(rng):
    """{stack: nanoseconds} of one profile less another; no function is on a stack twice."""
    names = ["main", "f", "g", "h", "k", "m"]
    stacks = {}
    for _ in range(rng.randint(2, 30)):
        stack = ("main",) + tuple(rng.sample(names[1:], rng.randint(0, 5)))
        stacks[stack] = rng.randint(-90, 90) * 10000000
    stacks["main", "f"] = -400000000
    return {stack: weight for stack, weight in stacks.items() if weight}


def rows_of_tree(*words):
    """[(total, self)] of all rows, sorted."""
    out = gprof("--quiet", "--tree", *words)[0]
    rows = re.findall(r"^ *-?[\d.]+ +(-?\d+\.\d\d) +(-?\d+\.\d\d) ", out, re.M)
    return sorted((float(total), float(own)) for total, own in rows)


def check_signed(tap):
    """Differences of two profiles: all figures have their signs, and shares are of the sum of
    absolute values."""
    rng = random.Random(62)
    wrong = shares = tree = again = ""
    for _ in range(harness.sized(12, 300)):
        stacks = draw_signed(rng)
        write(place("signed.pb"), pprof(stacks, values=lambda ns: (ns // 10000000, ns)))
        known = stack_model.figures(stacks.items(), 1e9)
        expected = {name: numbers + (None, None) for name, numbers in known.items()}
        known = {name: numbers for name, numbers in expected.items() if abs(numbers[1]) > 1e-6}
        wrong = wrong or difference(figures("signed.pb"), known)
        gprof("--quiet", "--format=pprof", "-o", "again.pb.gz", "signed.pb")
        found = {
            name: numbers
            for name, numbers in figures("again.pb.gz").items()
            if abs(numbers[1]) > 1e-6
        }
        again = again or difference(found, known)
        whole = sum(abs(weight) for weight in stacks.values()) / 1e9
        out = gprof(
            "--quiet", "--top=0", "--format=csv", "--columns=self%,total%,name", "signed.pb"
        )[0]
        for own, total, name in (line.split(",") for line in out.splitlines()[1:]):
            if (
                abs(float(own) - 100 * expected[name][0] / whole)
                + abs(float(total) - 100 * expected[name][1] / whole)
                > 1e-6
            ):
                shares = shares or "%s: %s %s" % (name, own, total)
        nodes = stack_model.tree(stacks.items()).values()
        nodes = sorted((round(total / 1e9, 2), round(own / 1e9, 2)) for own, total in nodes)
        found = rows_of_tree("--min-share=0", "signed.pb")
        tree = tree or (found != nodes and "%s, not %s" % (found, nodes)) or ""
    tap.ok(not wrong, "signed: drawn stacks", wrong)
    tap.ok(not again, "signed: pprof and back", again)
    write(place("signed.json"), gprof("--quiet", "--format=json", "signed.pb")[0].encode())
    write(place("unsigned"), b"main;f 5\n")
    said = gprof("--one-run", "--base=signed.json", "unsigned", status=1)[1]
    tap.ok("negative weights" in said, "signed: no base of a comparison", said)
    tap.ok(not shares, "signed: shares of the absolute values", shares)
    tap.ok(not tree, "signed: the tree", tree)
    write(
        place("moved.pb"),
        pprof({("main", "f"): 500000000, ("main", "g"): -500000000}, values=lambda ns: (1, ns)),
    )
    found = rows_of_tree("moved.pb")
    tap.ok(
        found == [(-0.5, -0.5), (0, 0), (0.5, 0.5)],
        "signed: what moved is seen below a sum of 0",
        found,
    )
    out = gprof("--top", "moved.pb")[0]
    tap.ok("0.50 less 0.50 are +0.00 s" in out and "error" not in out, "signed: the table", out)
    out = gprof("--tree=f", "moved.pb")[0]
    tap.ok(
        re.search(r"50.00 +0.50 +0.50 +f\n 50.00 +0.50 +0.50 +\S+ main", out),
        "signed: callers",
        out,
    )
    for words in (
        ["--format=folded"],
        ["--format=speedscope"],
        ["--format=html"],
        ["--format=dot"],
        ["--format=callgrind"],
        ["--per-file"],
        ["--base=moved.pb"],
    ):
        err = gprof(*words, "moved.pb", status=1)[1]
        tap.ok("moved.pb: has negative weights" in err, "signed: refused: %s" % words[0], err)


def check_unsampled(tap):
    """What a profile says it did not sample: Go's goroutines are counted, its delays measured."""
    stacks = {("main", "f"): 3, ("main", "g"): 9, ("main",): 1}
    one = lambda count: (count,)
    for kind in ("goroutine", "threadcreate"):
        data = pprof(stacks, values=one, types=[(kind, "count")], period=1, measure=(kind, "count"))
        write(place("unsampled"), data)
        found = figures("unsampled")
        wanted = {"f": (3, 3, 0, 0), "g": (9, 9, 0, 0), "main": (1, 13, 0, 0)}
        out, err = gprof("--top", "unsampled")
        good = found == wanted and "error" not in out + err and "sample" not in out + err
        tap.ok(good, "counted: " + kind, "%s\n%s" % (found, out + err))
    types = [("contentions", "count"), ("delay", "nanoseconds")]
    delays = lambda count: (count, count * 123456789)
    measure = ("contentions", "count")
    write(place("unsampled"), pprof(stacks, values=delays, types=types, period=1, measure=measure))
    wanted = {
        name: (own * 0.123456789, total * 0.123456789, None, None)
        for name, (own, total) in {"f": (3, 3), "g": (9, 9), "main": (1, 13)}.items()
    }
    for name in ("unsampled", "unsampled.json"):
        if name != "unsampled":
            gprof("--quiet", "--format=json", "-o", name, "unsampled")
        wrong = difference(figures(name), wanted)
        out = gprof("--top", name)[0]
        good = "no known error" in out and "±" not in out and "total-error" not in out
        tap.ok(not wrong and good, "measured: delays of " + name, wrong + out)
    write(
        place("unsampled"),
        pprof(
            stacks, values=one, types=[("samples", "count")], period=1, measure=("samples", "count")
        ),
    )
    tap.ok(figures("unsampled")["f"][2] > 0, "samples of a period of 1 are samples")


def check_go(tap):
    write(place("work.go"), GO.encode())
    env = dict(
        harness.ENV,
        GOCACHE=os.path.join(harness.CACHE, "go"),
        HOME=TEMP,
        GOFLAGS="-mod=mod",
        GO111MODULE="off",
    )
    if (
        shutil.which("go") is None
        or harness.run(["go", "build", "-o", "gowork", "work.go"], cwd=TEMP, env=env)[0] != 0
    ):
        return tap.skip("Go", "no go here")
    harness.must_run(["./gowork", "cpu.pb"], cwd=TEMP)
    found = figures("cpu.pb")
    result = harness.run(
        ["go", "tool", "pprof", "-top", "-nodecount=1000", "-nodefraction=0", "-unit=ms", "cpu.pb"],
        cwd=TEMP,
        env=env,
    )
    theirs = {}
    for line in result[1].decode().splitlines()[5:]:
        words = line.split()
        if len(words) >= 6 and words[0].replace("ms", "").replace(".", "").isdigit():
            theirs[" ".join(words[5:]).replace(" (inline)", "")] = [
                float(words[i].replace("ms", "")) for i in (0, 3)
            ]
    ours = {name: [1000 * numbers[0], 1000 * numbers[1]] for name, numbers in found.items()}
    wrong = [
        n
        for n in theirs
        if n not in ours or any(abs(a - b) > 0.51 for a, b in zip(ours[n], theirs[n]))
    ]
    tap.ok(
        theirs and not wrong, "Go: the figures of pprof", "%s\n%s" % (wrong, harness.said(result))
    )
    wrong = wrong_shares(found, {name: total for name, (_, total) in theirs.items()}, "main.")
    tap.ok(not wrong, "Go: shares", wrong)


def main():
    tap = harness.Tap()
    check_figures(tap)
    check_signed(tap)
    check_unsampled(tap)
    check_left_out(tap)
    check_values(tap)
    check_stopped(tap)
    check_exec(tap)
    check_aliases(tap)
    check_parts(tap)
    check_threads(tap)
    check_perf_forms(tap)
    check_weights(tap)
    check_effective(tap)
    check_few_events(tap)
    check_no_stacks(tap)
    check_no_stacks_compared(tap)
    check_whole_names(tap)
    check_traps(tap)
    check_dropped(tap)
    check_others(tap)
    check_inputs(tap)
    check_pipes(tap)
    check_round_trips(tap)
    check_damage(tap)
    check_gate(tap)
    check_nameless(tap)
    check_cut_stacks(tap)
    check_events(tap)
    check_perf_objects(tap)
    check_files(tap)
    if harness.is_sanitized():
        tap.skip("perf record, Go", "the other builds compare what real profilers say")
    else:
        check_perf(tap)
        check_go(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
