#!/usr/bin/env python3
"""Profiles without stacks that state calls and inclusive times: those of callgrind, and our own in
JSON.  Counts that
nobody sampled, which have no errors.

Figures are compared with those that are computed here from drawn calls, in several ways of writing
them, and with
what callgrind_annotate says of a real program.  With CHECK_LONG=1, more calls and damaged files are
drawn.
"""

import sys

sys.dont_write_bytecode = True

import json
import os
import random
import re
import statistics

from foreign import PROGRAM, check_damaged, check_rows, difference, gprof, place
from lib import elf, harness, seeds
from lib.gmonfile import Layout, Profile
from lib.harness import TEMP, write


def profile_of(*words):
    return json.loads(gprof("--quiet", "--format=json", *words)[0])


def figures(*words):
    """{name: (self, total, error, total error, calls)} of all functions with time, from JSON."""
    found = profile_of(*words)["functions"]
    return {
        f["name"]: (f["self"], f["total"], f.get("error"), f.get("total_error"), f["calls"])
        for f in found
        if f["total"]
    }


# ---- Drawn calls ----


class Drawn:
    """Functions that call only those after them: own costs by line, and calls with their costs."""

    def __init__(self, rng):
        self.names = ["main"] + ["f%d(int, char)" % i for i in range(rng.randint(1, 8))]
        count = len(self.names)
        self.own = [
            {rng.randint(1, 99): rng.randint(0, 5000) for _ in range(rng.randint(1, 4))}
            for _ in range(count)
        ]
        self.calls = {}  # (caller, line, callee): (count, cost)
        self.total = [sum(lines.values()) for lines in self.own]
        shares = [[] for _ in range(count)]  # (caller, line) of each function
        for callee in range(1, count):
            for _ in range(rng.randint(1, 3)):
                shares[callee].append((rng.randrange(callee), rng.randint(1, 99)))
        for callee in range(count - 1, 0, -1):
            left = self.total[callee]
            for i, (caller, line) in enumerate(shares[callee]):
                cost = left if i == len(shares[callee]) - 1 else rng.randint(0, left)
                left -= cost
                calls, before = self.calls.get((caller, line, callee), (0, 0))
                self.calls[caller, line, callee] = (calls + rng.randint(1, 50), before + cost)
                self.total[caller] += cost

    def model(self):
        """What figures() should find."""
        calls = [0] * len(self.names)
        for (_, _, callee), (count, _) in self.calls.items():
            calls[callee] += count
        return {
            name: (sum(self.own[i].values()) / 1e6, self.total[i] / 1e6, 0, 0, calls[i])
            for i, name in enumerate(self.names)
            if self.total[i]
        }


def callgrind(drawn, rng, compressed=True, positions="line", events="Ir", parts=1, end="\n"):
    """The same in callgrind's format."""
    text = ["# callgrind format", "version: 1", "creator: a test"]
    numbers, width, column = {}, len(events.split()), events.split().index("Ir")

    def name(kind, value):
        if not compressed:
            return value
        if (kind, value) in numbers:
            return "(%d)" % numbers[kind, value]
        numbers[kind, value] = len(numbers) + 1
        return "(%d) %s" % (numbers[kind, value], value)

    last = [0, 0]

    def position(line):
        found = []
        for i, kind in enumerate(positions.split()):
            value = line if kind == "line" else 4096 + 4 * line
            step = value - last[i]
            how = rng.choice(["whole", "step"]) if compressed else "whole"
            whole = "0x%x" % value if kind == "instr" else "%d" % value
            found.append(
                "*" if step == 0 and how == "step" else "%+d" % step if how == "step" else whole
            )
            last[i] = value
        return " ".join(found)

    def costs(cost):
        return " ".join(str(cost) if i == column else "77" for i in range(width))

    for part in range(parts):
        share = lambda cost: cost // parts + (cost % parts if part == 0 else 0)
        text += ["", "part: %d" % (part + 1), "positions: " + positions, "events: " + events, ""]
        for i, function in enumerate(drawn.names):
            text += [
                "ob=" + name("ob", "/bin/a b"),
                "fl=" + name("fl", "a.c"),
                "fn=" + name("fn", function),
            ]
            for line, cost in drawn.own[i].items():
                text.append("%s %s" % (position(line), costs(share(cost))))
            for (caller, line, callee), (count, cost) in drawn.calls.items():
                if caller == i:
                    text += ["cfi=" + name("fl", "a.c"), "cfn=" + name("fn", drawn.names[callee])]
                    text += [
                        "calls=%d %s" % (share(count), position(5)),
                        "%s %s" % (position(line), costs(share(cost))),
                    ]
            text += ["jcnd=3/4 +5", position(7)] if rng.random() < 0.3 else []
    return (end.join(text) + end).encode()


def check_figures(tap):
    rng = random.Random(3)
    for what, more, words in [
        ("compressed", {}, []),
        ("whole names and positions", {"compressed": False}, []),
        ("addresses and lines", {"positions": "instr line"}, []),
        ("the second of three events", {"events": "Dr Ir Dw"}, ["--value=Ir"]),
        ("two parts", {"parts": 2}, []),
        ("CR LF", {"end": "\r\n"}, []),
    ]:
        wrong = ""
        for _ in range(harness.sized(8, 200)):
            drawn = Drawn(rng)
            write(place("drawn"), callgrind(drawn, rng, **more))
            wrong = wrong or difference(figures(*words, "drawn"), drawn.model())
        tap.ok(not wrong, "callgrind, %s: drawn calls" % what, wrong)
    drawn = Drawn(rng)
    write(place("drawn"), callgrind(drawn, rng))
    double = {name: tuple(2 * x for x in numbers) for name, numbers in drawn.model().items()}
    wrong = difference(figures("drawn", "drawn"), double)
    tap.ok(not wrong, "two files", wrong)
    lines = profile_of("drawn")["arcs"]
    charged = sum(arc["self"] + arc["children"] for arc in lines)
    expected = sum(cost for _, cost in drawn.calls.values()) / 1e6
    tap.ok(
        abs(charged - expected) < 1e-9, "what arcs are charged", "%g, not %g" % (charged, expected)
    )


HEAD = "# callgrind format\nevents: Ir Dr\n"
# (what, contents, {name: (self, total)} in single events, words)
TRAPS = [
    (
        "a function that calls itself",
        "fn=main\n1 2\ncfn=f\ncalls=1 5\n1 100\nfn=f\n5 40\ncfn=f\ncalls=3 5\n6 180\n",
        {"main": (2, 102), "f": (40, 40)},
        [],
    ),
    (
        "a cycle",
        (
            "fn=main\n1 2\ncfn=f\ncalls=1 5\n1 100\nfn=f\n5 40\ncfn=g\ncalls=9 7\n6 400\nfn=g\n7"
            " 60\ncfn=f\ncalls=9 5\n7 300\n"
        ),
        {"main": (2, 102), "f": (40, 100), "g": (60, 100)},
        [],
    ),
    ("costs that are missing", "fn=main\n1 2 3\n2\n3 4\n", {"main": (3, 3)}, ["--value=Dr"]),
    (
        "inlined lines of other files",
        "fl=a.c\nfn=main\n1 2\nfi=b.h\n9 5\nfe=a.c\n2 1\n",
        {"main": (8, 8)},
        [],
    ),
    (
        "a name that is defined anew",
        "fn=(1) main\n1 2\nfn=(1) other\n1 5\nfn=(1)\n1 1\n",
        {"main": (2, 2), "other": (6, 6)},
        [],
    ),
    (
        "one name in two objects",
        "ob=/bin/a\nfn=(1) f\n1 2\nob=/lib/b\nfn=(1)\n1 3\n",
        {"f (a)": (2, 2), "f (b)": (3, 3)},
        [],
    ),
    (
        "static functions of two files",
        "fl=a.c\nfn=(1) f\n1 2\nfl=b.c\nfn=(2) f\n1 3\ncfi=a.c\ncfn=(1)\ncalls=1 1\n2 2\n",
        {"f (a.c)": (2, 2), "f (b.c)": (3, 5)},
        [],
    ),
    (
        "names that jumps define",
        "fl=(1) a.c\nfn=(1) f\n1 2\njfi=(2) b.c\njfn=(2) g\njump=1 +3\n1\nfl=(2)\nfn=(2)\n1 3\n",
        {"f": (2, 2), "g": (3, 3)},
        [],
    ),
    ("blocks as positions", "positions: bb line\nfn=f\n0x10 1 2\n", {"f": (2, 2)}, []),
    ("a negative cost that is not read", "fn=f\n1 2 -3\n", {"f": (2, 2)}, []),
    (
        "a negative cost of a call",
        "fn=main\n1 5\ncfn=f\ncalls=1 0\n1 -500\nfn=f\n1 3\n",
        {"f": (3, 3), "main": (5, -495)},
        [],
    ),
    (
        "memory that is freed",
        "fn=main\n1 5\ncfn=f\ncalls=1 0\n1 -2\nfn=f\n1 -4\ncfn=g\ncalls=1 0\n1 2\nfn=g\n1 2\n",
        {"g": (2, 2), "f": (-4, -2), "main": (5, 3)},
        [],
    ),
    (
        "another object is called",
        "ob=/bin/a\nfn=(1) f\n1 2\ncob=/lib/b\ncfn=g\ncalls=1 1\n1 9\nob=/lib/b\nfn=g\n1 9\n",
        {"f": (2, 11), "g": (9, 9)},
        [],
    ),
    (
        "empty names of files and objects",
        "ob=\nfl=\nfn=g\n1 14\nfl=a.rb\nfn=f\n5 84\ncfl=\ncfn=g\ncalls=25 5\n5 14\n",
        {"f": (84, 98), "g": (14, 14)},
        [],
    ),
    (
        "an empty file of a call is not the one before",
        (
            "fl=a.rb\nfn=f\n5 84\ncfl=b.rb\ncfn=g\ncalls=1 1\n5 1\ncfl=\ncfn=h\ncalls=2 5\n5"
            " 14\nfl=b.rb\nfn=g\n1 1\nfl=\nfn=h\n0 14\n"
        ),
        {"f": (84, 99), "g": (1, 1), "h": (14, 14)},
        [],
    ),
    ("totals and summaries", "fn=main\n1 2\n\ntotals: 2 0\nsummary: 2 0\n", {"main": (2, 2)}, []),
]
BAD = [
    ("costs before a function", HEAD + "1 2\n", "line 3: not a line of a callgrind profile", []),
    ("a call of nothing", HEAD + "fn=main\ncalls=1 1\n1 2\n", "line 4: not a line", []),
    (
        "a call without costs",
        HEAD + "fn=main\ncfn=f\ncalls=1 1\nfn=f\n1 2\n",
        "line 6: not a line",
        [],
    ),
    ("no events", "# callgrind format\nfn=main\n1 2\n", "line 3: not a line", []),
    ("no number", HEAD + "fn=main\n1 x\n", "line 4: not a line", []),
    ("an unknown key", HEAD + "fn=main\nxy=1\n", "line 4: not a line", []),
    ("an unknown event", HEAD + "fn=main\n1 2\n", "has no value Dw (known: Ir Dr)", ["--value=Dw"]),
    (
        "a tree of negative costs of calls",
        HEAD + "fn=main\n1 5\n2 -3\n",
        "has negative weights",
        ["--tree"],
    ),
    ("no costs", HEAD + "fn=main\n1 0\n", "has no samples", []),
    ("a NUL", HEAD + "fn=main\n1 2\0\n", "line 4: a NUL byte", []),
    ("a reference to no name", HEAD + "fn=(7)\n1 2\n", "line 3: not a line", []),
    ("JSON that is cut", '{"schema":"regprof/1",\n"tool":', "bad:2: not valid JSON", []),
    ("JSON without functions", '{"schema":"regprof/1"}', "member `image' is missing or wrong", []),
]


def check_cycles(tap):
    """Calls into a cycle and out of it keep the times that the file states."""
    rng = random.Random(5)
    wrong = []
    for _ in range(harness.sized(8, 200)):
        own = {name: rng.randint(1, 999) for name in ("main", "a", "b")}
        leaf = {name: rng.randint(1, 999) for name in ("main", "a", "b")}
        inside = sum(own[name] + leaf[name] for name in "ab")
        calls = [(name, "leaf", cost) for name, cost in leaf.items()]
        calls += [("main", "a", inside), ("a", "b", rng.randint(1, inside)), ("b", "a", inside)]
        rng.shuffle(calls)
        text = HEAD + "fn=leaf\n1 %d 0\n" % sum(leaf.values())
        for name, cost in own.items():
            text += "fn=%s\n1 %d 0\n" % (name, cost)
            for caller, callee, cost in calls:
                text += "cfn=%s\ncalls=1 1\n1 %d 0\n" % (callee, cost) if caller == name else ""
        write(place("cycle"), text.encode())
        expected = {"main": own["main"], "main;leaf": leaf["main"]}
        for name in "ab":
            expected["main;[cycle 1];" + name] = own[name]
            expected["main;[cycle 1];%s;leaf" % name] = leaf[name]
        found = {}
        for line in gprof("--quiet", "--format=folded", "cycle")[0].splitlines():
            stack, samples = line.rsplit(" ", 1)
            found[stack.partition(";")[2]] = int(samples)
        if found != expected:
            wrong.append("%s, not %s" % (found, expected))
    tap.ok(not wrong, "a cycle in stacks", wrong[:2])


def check_traps(tap):
    for row in TRAPS:
        millions = {name: (own / 1e6, total / 1e6) for name, (own, total) in row[2].items()}
        check_rows(tap, [(row[0], HEAD + row[1], millions, row[3])], [], str.encode)
    check_rows(tap, [], BAD, str.encode)


# ---- Round trips ----

FOLDED = b"main;f;g;f 40\nmain;f;g 30\nmain;f 20\nmain;h 100\nmain 2\n"


def check_round_trips(tap):
    rng = random.Random(9)
    write(place("folded"), FOLDED)
    write(place("cg"), callgrind(Drawn(rng), rng))
    write(place("image"), elf.parse(seeds.IMAGE).bytes())
    for name, records in (("gmon", [seeds.histogram(), *seeds.ARCS]), ("calls", seeds.ARCS)):
        write(place(name), Profile(Layout(64, "little"), records).bytes())
    sources = {
        "stacks": ["folded"],
        "exact calls": ["cg"],
        "estimated times": ["image", "gmon"],
        "calls alone": ["image", "calls"],
    }
    for what, words in sources.items():
        first = profile_of(*words)
        for format in ("json",) if what == "calls alone" else ("json", "callgrind"):
            gprof("--quiet", "--format=" + format, "-o", "again", *words)
            again = profile_of("again")
            same = (
                first["inclusive"] == again["inclusive"]
                and first["unit"] == again["unit"]
                and first.get("exact") == again.get("exact")
            )
            wrong = (
                near_difference(first, again)
                if same
                else "%s" % [again[key] for key in ("inclusive", "unit")]
            )
            tap.ok(not wrong, "%s to %s and back" % (what, format), wrong)
    out = gprof("-b", "cg")[0]
    tap.ok(
        "Flat profile" in out and "as the profile states it" in out, "reports by default", out[:300]
    )


def near_difference(first, again):
    """Own times of -pg are those of bins that functions share: whole samples in what is read
    back."""
    sides = [{f["name"]: f for f in side["functions"] if f["total"]} for side in (first, again)]
    if set(sides[0]) != set(sides[1]):
        return "functions: %s" % sorted(set(sides[0]) ^ set(sides[1]))
    slack = 0.01 if first["inclusive"] == "estimated" else 1e-9
    for name, function in sides[0].items():
        other = sides[1][name]
        for key in ("self", "total", "error", "total_error", "calls", "self_calls"):
            a, b = function.get(key), other.get(key)
            if (a is None) != (b is None) or (a is not None and abs(a - b) > slack):
                return "%s: %s: %s, not %s" % (name, key, b, a)
    return ""


# ---- Exact counts, sums, comparisons ----


def check_exact(tap):
    write(place("a"), b"main;f 300\nmain;g 200\n")
    write(place("b"), b"main;f 301\nmain;g 200\n")
    write(place("c"), b"main;f 300\nmain;g 200\n")
    found = figures("--exact", "a")
    tap.ok(found["f"][:4] == (300, 300, 0, 0), "--exact: no errors", found)
    out = gprof("--exact", "--top", "a")[0]
    tap.ok("error" not in out and "100.00  500.00" in out, "--exact: a table without errors", out)
    out, err = gprof("--exact", "--one-run", "--base=a", "--fail-above=0", "b", status=3)
    tap.ok(
        "regression: f: 300.00 samples -> 301.00 samples (+0.333 %)" in err,
        "a changed count is a change",
        err,
    )
    out, err = gprof("--exact", "--one-run", "--base=a", "--fail-above=0", "c")
    tap.ok("could see any growth" in err, "equal counts are none", err)
    out = gprof(
        "--exact",
        "--one-run",
        "--base=a",
        "--fail-above=0",
        "--fail-scope=inclusive",
        "b",
        status=3,
    )[1]
    tap.ok("regression" in out, "inclusive counts", out)
    gprof("--one-run", "--base=a", "--fail-above=0", "b")
    gprof("--quiet", "--exact", "--format=json", "-o", "exact.json", "a")
    out = gprof("--one-run", "--base=exact.json", "b", status=1)[1]
    tap.ok("one of them was counted exactly" in out, "exact counts and samples", out)
    out = gprof("--exact", "--per-file", "a", "b", "c")[0]
    tap.ok("f in b, a" in out, "--per-file: any difference", out)
    out = gprof("exact.json", "a", status=1)[1]
    tap.ok("cannot be added to the profiles before it" in out, "kinds are not mixed", out)


# (creator, event, whether its counts are exact): a time never is
EXACT = [
    ("callgrind-3.19.0", "Ir", True),
    ("cachegrind-3.19.0", "DLmr", True),
    ("callgrind-3.19.0", "sysTime", False),
    ("a test", "Ir", True),
    ("pyprof2calltree", "ns", False),
    ("yappi", "Ticks", False),
    ("ruby_prof", "wall_time", False),
    ("go tool pprof", "cpu(ms)", False),
    ("xdebug 3.1.0", "Time_(10ns)", False),
    ("xdebug 3.1.0", "Memory_(bytes)", False),
]


def timed_run(rng, leaf, spread=0.01):
    """What cProfile says of a run that takes about LEAF seconds in `leaf' and 2 in `main'."""
    times = {
        name: round(1e9 * mean * rng.gauss(1, spread))
        for name, mean in (("leaf", leaf), ("main", 2))
    }
    text = (
        "creator: pyprof2calltree\nevents: ns\nfn=main\n1 %(main)d\ncfn=leaf\ncalls=24 5\n2"
        " %(leaf)d\n"
    )
    return (text + "\nfn=leaf\n5 %(leaf)d\n") % times


def time_of(text):
    """The seconds of all functions together in what timed_run() says."""
    return (
        sum(
            int(line.split()[1])
            for line in re.findall(r"fn=.*\n(\d+ \d+)", text.replace("cfn=", "="))
        )
        / 1e9
    )


def check_stated(tap):
    """Times that were neither sampled nor counted have no error, and one run of them no p: several
    runs show how they vary."""
    rng = random.Random(61)
    runs = {}
    for side, leaf in (("before", 7), ("same", 7), ("slower", 7.7)):
        runs[side] = [timed_run(rng, leaf) for _ in range(5)]
        for i, text in enumerate(runs[side]):
            os.makedirs(place(side), exist_ok=True)
            write(place(side + "/%d" % i), text.encode())
    out = gprof("--top", "--explain", "before/0")[0]
    tap.ok("error" not in out.splitlines()[0] and "no known error" in out, "stated: the table", out)
    for slower, status in ((["--fail-inconclusive"], 4), ([], 0)):
        out, err = gprof("--base=before/0", "--fail-above=5", *slower, "slower/0", status=status)
        good = "does not say how its times were measured" in err and " p" not in out.splitlines()[2]
        good = good and "±" not in out and re.search(r"slower: leaf .* \(\+\d+ %\);", out)
        tap.ok(good, "stated: one run has no p: %s" % status, out + err)
    gprof("--exact", "--base=before/0", "--fail-above=5", "slower/0", status=3)
    for side, status in (("same", 0), ("slower", 3)):
        out, err = gprof("--base=before", "--fail-above=5", side, status=status)
        total = [line.split() for line in out.splitlines() if line.endswith(" total")][0]
        means = [statistics.mean(time_of(text) for text in runs[s]) for s in ("before", side)]
        good = all(abs(float(a) - b) < 1e-6 for a, b in zip(total, means))
        tap.ok(good and "can detect" in out, "stated: five runs: %s" % side, out + err)
    for side in ("rough", "rough-after"):
        os.makedirs(place(side), exist_ok=True)
        for i in range(5):
            write(place(side + "/%d" % i), timed_run(rng, 7, 0.1).encode())
    out = gprof("--base=rough", "--fail-above=5", "rough-after")[0]
    tap.ok(
        "can detect" in out and "detecting 5 %" not in out,
        "stated: more samples are no advice",
        out,
    )
    for form, unit in (
        ("callgrind", "desc: Inclusive times: stated by the profile"),
        ("dot", "times of callees: stated by"),
    ):
        out = gprof("--quiet", "--format=" + form, "before/0")[0]
        tap.ok(unit in out and "sampled" not in out, "stated: %s says so" % form, out)
    for form in ("speedscope", "folded"):
        out = gprof("--quiet", "--format=" + form, "before/0")[0]
        good = "estimated from times of calls" in out and "call counts" not in out
        tap.ok(good, "stated: %s says so" % form, out)
    write(place("again"), out.encode())
    gprof("--top", "again")
    tap.ok("[" not in gprof("--quiet", "--tree", "again")[0], "stated: folded and back", out)
    for words, title in (("-bp", "As stated, in seconds."), ("-bq", "\ntotal: ")):
        out = gprof(words, "before/0")[0]
        tap.ok(title in out and "sample" not in out, "stated: " + words, out)
    out = gprof("--base=before", "same")[0]
    tap.ok("2 could be tested" in out and "sample" not in out, "stated: below a comparison", out)
    out = gprof("--base=before/0", "slower/0", "slower/1")[0]
    tap.ok(
        "with callees" not in out.splitlines()[0], "stated: the headline is of what was tested", out
    )
    write(place("counted"), b"creator: callgrind-3.19\nevents: Ir\nfn=main\n1 9\n")
    out = gprof("--quiet", "--format=callgrind", "counted")[0]
    tap.ok("desc: Inclusive times: counted" in out, "counts: callgrind says so", out)
    out = gprof("-bp", "counted")[0]
    tap.ok("Counted in Ir." in out and "sample" not in out, "counts: the flat profile", out)
    gprof("--quiet", "--format=json", "-o", "stated.json", "before/0")
    tap.ok(figures("stated.json") == figures("before/0"), "stated: JSON and back", "")
    out = gprof("--base=stated.json", "--fail-above=5", "slower/0")[1]
    tap.ok("does not say how its times" in out, "stated: JSON as a base", out)


# (event, unit, 3,000,000 of it)
UNITS = [
    ("ns", "seconds", 0.003),
    ("us", "seconds", 3),
    ("ms", "seconds", 3000),
    ("s", "seconds", 3e6),
    ("kB", "MB", 3000),
    ("MB", "MB", 3e6),
    ("cpu(ms)", "seconds", 3000),
    ("Time_(10ns)", "seconds", 0.03),
    ("Memory_(bytes)", "MB", 3),
    ("Ir", "M Ir", 3),
    ("wall_time", "wall_time", 3e6),
    ("L1-dcache-load-misses", "M L1-dcache-load-misses", 3),
]


def check_parts(tap):
    """Counts that are no whole numbers, such as seconds, keep their parts."""
    write(place("parts"), b"main;a 0.3\nmain;b 0.5\nmain 0.2\n")
    gprof("--quiet", "--exact", "--format=json", "-o", "parts.json", "parts")
    wanted = {"a": (0.3, 0.3), "b": (0.5, 0.5), "main": (0.2, 1)}
    for words in (["--exact", "parts"], ["parts.json"]):
        found = {name: row[:2] for name, row in figures(*words).items()}
        near = set(found) == set(wanted) and all(
            abs(a - b) < 1e-6 for name in found for a, b in zip(found[name], wanted[name])
        )
        tap.ok(near, "parts of counts: " + words[-1], found)
    out = gprof("--quiet", "--exact", "--base=parts", "--fail-above=1", "parts")[0]
    tap.ok("no significant change" in out, "parts of counts: equal", out)
    write(place("more"), b"main;a 0.3\nmain;b 0.51\nmain 0.2\n")
    out = gprof("--quiet", "--exact", "--base=parts", "--fail-above=1", "more", status=3)[0]
    tap.ok("b 0.50 -> 0.51" in out, "parts of counts: larger by a hundredth", out)


def check_separate_threads(tap):
    """Valgrind leaves a file without the number of a thread empty beside those with one."""
    rng = random.Random(5)
    for thread in ("01", "02"):
        text = "events: Ir\n\nfn=f%s\n%d %d\n" % (thread, 1, rng.randrange(1, 99))
        write(place("threads.out-" + thread), text.encode())
    write(place("threads.out"), b"")
    parts = ["threads.out-01", "threads.out-02"]
    out = gprof("--top", *parts)[0]
    for words in (["threads.out", *parts], [*parts, "threads.out"]):
        tap.ok(gprof("--top", *words)[0] == out, "an empty file: " + words[0], out)
    said = gprof("--top", parts[0], "threads.out-03", status=1)[1]
    write(place("threads.out-03"), b"")
    said += gprof("--top", parts[0], "threads.out-03", status=1)[1]
    tap.ok("threads.out-03" in said and "known format" in said, "another empty file", said)


def check_equal(tap):
    """What is equal stays equal however it was written and read."""
    rng = random.Random(12)
    write(place("once"), callgrind(Drawn(rng), rng))
    gprof("--quiet", "--format=json", "-o", "once.json", "once")
    gprof("--quiet", "-s", "-o", "twice.json", "once.json", "once.json")
    for what, words in {
        "a file and its JSON": ["--one-run", "--base=once", "once.json"],
        "JSON and a sum": ["--one-run", "--base=once.json", "twice.json"],
        "a page of both": ["--one-run", "--base=once.json", "--format=html", "once.json"],
        "three runs and one": [
            "--one-run",
            "--base=once",
            "--base-profile=once",
            "--base-profile=once",
            "once",
        ],
        "inclusive times": [
            "--one-run",
            "--base=once",
            "--base-profile=once",
            "--base-profile=once",
            "--fail-scope=inclusive",
            "once",
        ],
    }.items():
        out, err = gprof("--quiet", "--fail-above=0", *words)
        tap.ok("no regression" in err, "equal: " + what, err)
    write(place("timed"), b"events: Time_(10ns)\nfn=f\n1 900000\n2 100000\n")
    error = figures("timed")["f"][2]
    tap.ok(error is None, "times of others have no known error", error)
    for creator, event, is_exact in EXACT:
        write(
            place("made"),
            ("creator: %s\nevents: %s\nfn=f\n1 900000\n2 100000\n" % (creator, event)).encode(),
        )
        error = figures("made")["f"][2]
        tap.ok(error == (0 if is_exact else None), "%s of %s" % (event, creator), error)
    for event, unit, total in UNITS:
        write(place("made"), ("events: %s\nfn=f\n1 3000000\n" % event).encode())
        found = profile_of("made")
        good = found["unit"] == unit and abs(found["functions"][0]["total"] - total) < 1e-9 * total
        tap.ok(good, "the unit of %s" % event, "%s: %s" % (found["unit"], found["functions"][0]))
    tap.ok(figures("--exact", "once.json") == figures("once.json"), "--exact of exact counts")


def check_sums(tap):
    write(place("one"), FOLDED)
    write(place("two"), b"main;f 8\nmain;i 4\n")
    both = {name: tuple(numbers) for name, numbers in figures("one", "two").items()}
    gprof("--quiet", "-s", "one", "two")
    wrong = difference(figures("gmon.sum.json"), both)
    tap.ok(not wrong, "-s", wrong)
    gprof("--quiet", "-s", "--format=pprof", "-o", "sum.pb", "one", "two")
    wrong = difference(figures("sum.pb"), both)
    tap.ok(not wrong, "-s --format=pprof", wrong)
    for name, count in (("r1", 1000), ("r2", 1400), ("r3", 600)):
        write(place(name), b"main;f %d\nmain;g 500\n" % count)
        write(place(name + "-after"), b"main;f %d\nmain;g 520\n" % (count + 50))
    before, after = ["r1", "r2", "r3"], ["r1-after", "r2-after", "r3-after"]
    gprof("--quiet", "--format=json", "-o", "before.json", *before)
    gprof("--quiet", "--format=json", "-o", "after.json", *after)
    base = ["--one-run", "--base=" + before[0]] + ["--base-profile=" + name for name in before[1:]]
    whole = json.loads(gprof("--quiet", "--format=json", *base, *after)[0])
    read = json.loads(
        gprof("--quiet", "--format=json", "--one-run", "--base=before.json", "after.json")[0]
    )
    wrong = [
        (a, b)
        for a, b in zip(whole["rows"], read["rows"])
        if any(
            abs((a[key] or 0) - (b[key] or 0)) > 1e-6 for key in ("before", "after", "error", "p")
        )
    ]
    tap.ok(not wrong, "the spread of runs is that in JSON", str(wrong)[:500])


def check_callgrind(tap):
    what = "valgrind --tool=callgrind"
    write(place("work.c"), PROGRAM.replace("000)", ")").encode())  # a thousandth of the work
    built = harness.run(["gcc", "-O1", "-g", "-o", "work", "work.c"], cwd=TEMP)
    if built[0] != 0 or harness.run(["valgrind", "--version"], cwd=TEMP)[0] != 0:
        return tap.skip(what, "no valgrind here")
    harness.must_run(
        ["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=real", "./work"], cwd=TEMP
    )
    found = figures("real")
    whole = found["main"][1]
    for name, share in (("heavy", 0.72), ("light", 0.18), ("deep", 0.08), ("rest", 0.02)):
        tap.ok(
            abs(found[name][1] / whole - share) < 0.01,
            "%s: %s" % (what, name),
            "%s of %g" % (found[name], whole),
        )
    listed = harness.run(
        ["callgrind_annotate", "--threshold=100", "--inclusive=yes", "real"], cwd=TEMP
    )[1].decode()
    theirs = {}
    for line in listed.splitlines():
        words = line.split()
        if "work.c:" in line:
            theirs.setdefault(re.search(r"work\.c:(\S+)", line)[1], words[0])
    wrong = [
        n
        for n in ("main", "heavy", "light", "rest", "spin")
        if theirs.get(n) != "{:,}".format(round(found[n][1] * 1e6))
    ]
    tap.ok(not wrong, "the figures of callgrind_annotate", "%s\n%s" % (wrong, listed[-3000:]))
    out = gprof("--quiet", "--one-run", "--base=real", "--fail-above=0", "real")
    tap.ok(out[0] != "", "a program against itself")


def check_damage(tap):
    rng = random.Random(6)
    write(place("folded"), FOLDED)
    seeds = {
        "callgrind": callgrind(Drawn(rng), rng),
        "json": gprof("--quiet", "--format=json", "folded")[0].encode(),
    }
    choices = [0, 10, 32, 34, 40, 41, 45, 48, 57, 58, 61, 255]
    for form, seed in seeds.items():
        check_damaged(
            tap,
            rng,
            form,
            seed,
            harness.sized(30, 5000),
            choices,
            [["--from=" + form, "--top", "--tree"]],
        )


def main():
    tap = harness.Tap()
    check_figures(tap)
    check_traps(tap)
    check_cycles(tap)
    check_round_trips(tap)
    check_exact(tap)
    check_parts(tap)
    check_separate_threads(tap)
    check_equal(tap)
    check_stated(tap)
    check_sums(tap)
    check_callgrind(tap)
    check_damage(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
