#!/usr/bin/env python3
"""--tree: the tree of calls, and of callers, of drawn stacks against their definitions; estimated
trees against the
stacks of --format=folded."""

import sys

sys.dont_write_bytecode = True

import os
import random
import re

import stacks
from lib import elf, harness
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, write
from lib.stack_model import read_folded

CALLS = {("main", "work"): 9, ("work", "leaf"): 9}  # of stacks.make
RATE = 100  # a sample has one of the last printed digits
FOUND = [*stacks.NAMES, "[libc.so.6]", "<unknown>"]


def tree(*words, env=None):
    command = [harness.GPROF, "--quiet"] + list(words) + ["image", "gmon.out"]
    status, out, err = harness.run(command, TEMP, dict(harness.ENV, **(env or {})))
    return status, out.decode(), err.decode()


def recorded(drawn, *words, env=None):
    write(os.path.join(TEMP, "stacks"), stacks.lines_of(drawn, RATE).encode())
    return tree("--stacks=stacks", *words, env=env)


# ---- By definition ----


class Node:
    def __init__(self):
        self.total, self.self, self.levels, self.below = 0, 0, 1, {}

    def label(self, name):
        return name if self.levels == 1 else "%s x%d" % (name, self.levels)


def runs(path, is_folded):
    """The names of PATH with the number of neighbouring functions that each stands for."""
    found = []
    for name in path:
        if is_folded and found and found[-1][0] == name and name in stacks.ADDRESS:
            found[-1][1] += 1
        else:
            found.append([name, 1])
    return found


def add(root, path, is_self_last, samples, is_folded):
    """Adds a stack below ROOT.  The sample ends in the last node of PATH, or, of callers, in all of
    them or none."""
    node = root
    folded = runs(path, is_folded)
    for at, (name, levels) in enumerate(folded):
        node = node.below.setdefault(name, Node())
        node.total += samples
        node.levels = max(node.levels, levels)
        if is_self_last is None and at + 1 == len(folded) or is_self_last:
            node.self += samples


def from_roots(weighted, is_folded=True):
    root = Node()
    for frames, samples in weighted:
        if samples > 0:
            add(root, frames, None, samples, is_folded)
    return root


def callers(weighted, wanted, is_folded=True):
    """From the outermost call of a function up; `<spontaneous>' where both callers and the starts
    of stacks are above."""
    root, starts = Node(), []
    for frames, samples in weighted:
        for name in set(frames) & set(wanted):
            if samples > 0:
                path = frames[frames.index(name) :: -1]
                add(root, path, frames[-1] == name, samples, is_folded)
                starts.append((path, frames[-1] == name, samples))
    for path, is_self, samples in starts:
        node = root
        for name, _ in runs(path, is_folded):
            node = node.below[name]
        if node.below:
            start = node.below.setdefault("<spontaneous>", Node())
            start.total += samples
            start.self += samples * is_self
    return root


def chain_of(name, node, least, hidden, is_up):
    """The last node in one row with NODE, and the name of the row: functions without time of their
    own that call one
    other function, (nearly) alone; callers with one caller."""
    names = [node.label(name)]
    while (is_up or node.self == 0) and node.below:
        last, child = max(node.below.items(), key=lambda item: item[1].total)
        others = [other.total for other in node.below.values() if other is not child]
        if (
            child.total < 0.99 * node.total
            or child.total < least
            or others
            and sum(others) >= least
            or last == "<spontaneous>"
        ):
            break
        hidden[0] += len(others)
        hidden[1] += sum(others)
        name, node = last, child
        names.append(node.label(name))
    if len(names) > 4:
        names[2:-1] = ["(%d)" % (len(names) - 3)]
    return (" < " if is_up else " > ").join(names), node


def rows_of(root, whole, share, depth, is_up, folds=False):
    """Rows as (depth, share, total, self, name), sorted by time, and what is not shown: nodes,
    samples, deeper nodes."""
    rows, hidden = [], [0, 0, 0]

    def visit(node, level, least):
        known = sorted(node.below.items(), key=lambda item: -item[1].total)
        if depth and level >= depth:
            hidden[2] += len(known)
            return
        small = [child.total for _, child in known if child.total < least]
        for name, child in known:
            if child.total >= least:
                label, child = (
                    chain_of(name, child, least, hidden, is_up)
                    if folds and not (is_up and level == 0)
                    else (child.label(name), child)
                )
                rows.append((level, 100 * child.total / whole, child.total, child.self, label))
                visit(
                    child, level + 1, share / 100 * child.total if is_up and level == 0 else least
                )
        if small and sum(small) >= least:
            rows.append(
                (level, 100 * sum(small) / whole, sum(small), None, "[%d others]" % len(small))
            )
        else:
            hidden[0] += len(small)
            hidden[1] += sum(small)

    visit(root, 0, 0 if is_up else share / 100 * whole)
    return rows, hidden


# ---- As printed ----


def parse(text):
    """(title, rows, notes); a row is (depth, share, total, self, name, calls, mark), times in
    samples."""
    title, _, rest = text.partition("\n\n")
    heading, _, rest = rest.partition("\n")
    body, _, notes = ("", "", rest) if rest.startswith("\n") else rest.partition("\n\n")
    at = heading.index("name")
    rows = []
    for line in body.splitlines():
        lines, name = re.match(r"((?:[|`]- |\|  |   )*)(.*)", line[at:]).groups()
        cells = [
            line[
                heading.index(before) + len(before) if before else 0 : heading.index(column)
                + len(column)
            ].strip()
            for before, column in (
                ("", "total%"),
                ("total%", " total "),
                (" total", "self"),
                ("self", "calls"),
            )
        ]
        cells[3], mark = cells[3].rstrip("*"), cells[3][-1:] == "*"
        share, total, self, calls = (float(cell) if cell else None for cell in cells)
        hundredths = lambda time: None if time is None else round(time * RATE)
        rows.append(
            (len(lines) // 3, share, hundredths(total), hundredths(self), name, calls, mark)
        )
    return title, rows, notes


def is_same(found, expected):
    """Rows of equal time may be in any order among themselves."""
    if len(found) != len(expected):
        return False
    near = all(
        abs(f[1] - e[1]) <= 0.0051 and f[0] == e[0] and f[2] == e[2]
        for f, e in zip(found, expected)
    )
    return near and sorted(map(paths, [found])) == sorted(map(paths, [expected]))


def paths(rows):
    """Each row with the names above it."""
    above, found = [], []
    for row in rows:
        above[row[0] :] = [row[4]]
        found.append((tuple(above), row[2], -1 if row[3] is None else row[3]))
    return sorted(found)


def adds_up(rows, is_up):
    """Own time and the nodes below are the time of each node; callers are all of it."""
    for i, row in enumerate(rows):
        below = []
        for other in rows[i + 1 :]:
            if other[0] <= row[0]:
                break
            if other[0] == row[0] + 1:
                below.append(other[2])
        if (is_up and below and sum(below) != row[2]) or (
            not is_up and sum(below) + row[3] != row[2]
        ):
            return False
    return True


def has_calls(rows, is_up):
    """Numbers of calls are those that were counted, by the caller of each row."""
    above = []
    for row in rows:
        row = row[:4] + (re.sub(" x[0-9]+$", "", row[4]),) + row[5:]
        above[row[0] :] = [row[4]]
        pair = tuple(above[:-3:-1] if is_up else above[-2:])
        expected = (
            CALLS.get(pair, None)
            if row[0] > 0
            else sum(n for p, n in CALLS.items() if p[1] == row[4]) or None if is_up else None
        )
        if row[5] != expected:
            return False
    return True


# ---- Tests ----


def weighted_of(drawn):
    merged = [(stacks.merged(frames), n) for frames, n in drawn]
    return [(frames, n) for frames, n in merged if frames is not None]


def check_chains(tap):
    """Calls that branch nowhere are one row, with short names; on a terminal as many of them as
    fit."""
    names = ["main", "run", "step", "loop", "visit", "work"]
    lines = [
        ";".join(names) + " 990",
        ";".join(names + ["leaf"]) + " 1000",
        "main;run;other 9",
        "main;quit;wait;sleep 1",
    ]
    write(os.path.join(TEMP, "chains"), "".join(line + "\n" for line in lines).encode())
    command = [harness.GPROF, "-b", "--quiet", "--tree", "chains"]
    for words, expected in (
        (["--names=short"], ["main > run > (3) > work", "`- leaf"]),
        (["--names=short", "--depth=1"], ["main > run > (3) > work"]),
        (
            ["--names=short", "--min-share=0"],
            [
                "main",
                "|- run",
                "|  |- step > loop > visit > work",
                "|  |  `- leaf",
                "|  `- other",
                "`- quit > wait > sleep",
            ],
        ),
        (
            [],
            [
                "main",
                "`- run",
                "   `- step",
                "      `- loop",
                "         `- visit",
                "            `- work",
                "               `- leaf",
            ],
        ),
    ):
        out = harness.run(command[:-1] + words + command[-1:], TEMP)[1].decode()
        lines = out.split("\n\n")[1].splitlines()
        rows = [line[lines[0].index("name") :] for line in lines[1:]]
        tap.ok(rows == expected, "chains: " + " ".join(words), out)
    out = harness.run(command[:-1] + ["--names=short", "chains"], TEMP)[1].decode()
    tap.ok(
        "\nnot shown: 2 with less than 1 % each, 0.50 % together\n" in out,
        "what is beside a chain is counted",
        out,
    )
    for width, expected in (
        (60, "main > run > (3) > work"),
        (39, "main > (4) > work"),
        (33, "(5) > work"),
    ):
        out = harness.run_on_terminal(command, width, TEMP, dict(harness.ENV, COLUMNS=""))
        tap.ok(("  " + expected + "\n") in out, "chains, %d columns" % width, out)


def check_caller_chains(tap):
    """Of callers, the nearest stays."""
    lines = ["main;run;step;loop;visit_far_away;work_far_away;leaf 900", "main;leaf 100"]
    write(os.path.join(TEMP, "callers"), "".join(line + "\n" for line in lines).encode())
    command = [harness.GPROF, "-b", "--quiet", "--tree=leaf", "callers"]
    for width, expected in (
        (90, "work_far_away < visit_far_away < (3) < main"),
        (71, "work_far_away < visit_far_away < (4)"),
        (60, "work_far_away < (5)"),
    ):
        out = harness.run_on_terminal(command, width, TEMP, dict(harness.ENV, COLUMNS=""))
        tap.ok(
            re.search(r"\|[- ]*%s\n" % re.escape(expected), out), "callers, %d columns" % width, out
        )


def check_height(tap):
    """On a terminal, rows need a larger share until they fit, unless an option says which there
    are."""
    sizes = {"f%d" % n: n for n in range(1, 41)}
    write(
        os.path.join(TEMP, "many"),
        "".join("main;%s %d\n" % item for item in sizes.items()).encode(),
    )
    whole = sum(sizes.values())

    def rows_with(share):
        small = [n for n in sizes.values() if n < share / 100 * whole]
        return 1 + len(sizes) - len(small) + (sum(small) >= share / 100 * whole)

    for height in 24, 40, 60:
        share = next(
            s
            for s in (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20)
            if rows_with(s) <= max(10, height - 10)
        )
        for words, expected in (
            ([], rows_with(share)),
            (["--min-share=1"], rows_with(1)),
            (["--depth=2"], rows_with(1)),
        ):
            command = [harness.GPROF, "--quiet", "--color=never", "--tree", *words, "many"]
            text = harness.run_on_terminal(command, 80, TEMP, harness.ENV, height)
            found = len(re.findall(r"^ *\d+\.\d\d +\d", text, re.M))
            tap.ok(
                found == expected, "rows that fit %d lines: %s" % (height, " ".join(words)), text
            )
            tap.ok(words or len(text.splitlines()) < height, "with what is around them", text)


def check_drawn(tap):
    random_numbers, wrong, folded = random.Random(5), None, [0, 0]
    for turn in range(harness.sized(60, 2000)):
        drawn = stacks.draw(random_numbers)
        weighted = weighted_of(drawn)
        whole = sum(n for _, n in weighted)
        if whole == 0:
            continue
        share = 0 if turn % 2 == 0 else random_numbers.choice([1, 5, 10, 30])
        depth = random_numbers.choice([0, 0, 1, 2, 3])
        wanted = random_numbers.choice(FOUND) if turn % 3 else None
        words = ["--min-share=%g" % share] + (["--depth=%d" % depth] if depth else [])
        folds = random_numbers.random() < 0.5
        words += ["--names=short"] if folds else []
        root = callers(weighted, [wanted], not depth) if wanted else from_roots(weighted, not depth)
        expected, hidden = rows_of(root, whole, share, depth, wanted is not None, folds)
        folded[wanted is not None] += any(" > " in row[4] or " < " in row[4] for row in expected)
        status, out, err = recorded(drawn, "--tree=" + wanted if wanted else "--tree", *words)
        if (
            status == 1
            and "matches nothing" in err
            and not any(wanted in frames for frames, _ in weighted)
        ):
            continue
        title, rows, notes = parse(out)
        subject = "Callers of " + wanted if wanted else "Call tree"
        good = (
            title == "%s, measured by %d stacks" % (subject, whole)
            and is_same(rows, expected)
            and (folds or has_calls(rows, wanted))
        )
        if hidden[0]:
            good = (
                good
                and "%d with less than %g %% each, %.2f %% together"
                % (hidden[0], share, 100 * hidden[1] / whole)
                in notes
            )
        if hidden[2]:
            good = good and "%d deeper than %d levels" % (hidden[2], depth) in notes
        if share == 0 and depth == 0 and not folds:
            good = good and adds_up(rows, wanted is not None)
        if not good:
            wrong = wrong or "%r\n%r\n%r %r\n%s%s%s" % (
                words,
                wanted,
                expected,
                hidden,
                stacks.lines_of(drawn, RATE),
                out,
                err,
            )
    tap.ok(
        wrong is None and min(folded) > 5,
        "drawn stacks: every row by definition",
        wrong or str(folded),
    )
    check_chains(tap)
    check_height(tap)
    check_caller_chains(tap)


def check_several(tap):
    root = callers(weighted_of(stacks.STACKS), ["work", "leaf"])
    status, out, err = recorded(stacks.STACKS, "--tree=work", "--tree=le*", "--min-share=0")
    expected, _ = rows_of(root, 54, 0, 0, True)
    title, rows, _ = parse(out)
    tap.ok(
        title == "Callers of work, le*, measured by 54 stacks" and is_same(rows, expected),
        "several functions, wildcards",
        out + err,
    )


def below(weighted, wanted):
    """Stacks from the outermost call of a function down."""
    return [
        (frames[min(frames.index(name) for name in wanted if name in frames) :], samples)
        for frames, samples in weighted
        if set(frames) & set(wanted)
    ]


def check_callees(tap):
    """--callees prints the tree below the outermost calls of a function, --callers what --tree=F
    does."""
    weighted = weighted_of(stacks.STACKS)
    for wanted in (["work"], ["main"], ["work", "leaf"]):
        status, out, err = recorded(
            stacks.STACKS, *("--callees=" + name for name in wanted), "--min-share=0"
        )
        expected, _ = rows_of(from_roots(below(weighted, wanted)), 54, 0, 0, False)
        title, rows, _ = parse(out)
        good = title == "Callees of %s, measured by 54 stacks" % ", ".join(wanted) and is_same(
            rows, expected
        )
        tap.ok(status == 0 and expected and good, "--callees: " + " ".join(wanted), out + err)
    up = recorded(stacks.STACKS, "--callers=work", "--min-share=0")
    tap.ok(
        up == recorded(stacks.STACKS, "--tree=work", "--min-share=0"),
        "--callers is --tree=FUNCTION",
        up,
    )
    status, out, err = recorded(stacks.STACKS, "--tree=work", "--callees=main")
    tap.ok(
        status == 1 and "--callees and --tree cannot be used together" in err, "not both", out + err
    )


def check_names(tap):
    status, out, err = tree("--tree=wrok")
    tap.ok(
        (status, out, err)
        == (1, "", "gprof: option --tree: `wrok' matches nothing; similar names: work\n"),
        "similar names",
        out + err,
    )
    for option in ("--callers", "--callees"):
        status, out, err = tree(option + "=wrok")
        tap.ok(
            err == "gprof: option %s: `wrok' matches nothing; similar names: work\n" % option,
            "the option that was typed: " + option,
            out + err,
        )
    status, out, err = tree("--tree", "--focus=^Work$")
    tap.ok(
        (status, out, err)
        == (1, "", "gprof: option --focus: `^Work$' matches nothing; similar names: work\n"),
        "similar names of --focus",
        out + err,
    )
    status, out, err = tree("--tree=work", "--tree=zzzzzzz")
    tap.ok(
        (status, out, err) == (1, "", "gprof: option --tree: `zzzzzzz' matches nothing\n"),
        "one of two matches nothing",
        out + err,
    )
    status, out, err = tree("--tree=")
    tap.ok(
        (status, out, err) == (1, "", "gprof: option --tree: `' matches nothing\n"),
        "an empty name",
        out + err,
    )
    copies = b"main;f.isra.0 5\nmain;g;f.part.0.cold 3\nmain;f.lto_priv.0 1\n"
    copies += b"main;f.constprop.0 1\n"
    for name, more in (("copies", b""), ("original", b"main;f 2\n")):
        write(os.path.join(TEMP, name), copies + more)
        for option in ("--tree=f", "--callers=f", "--callees=f"):
            out, err = harness.run([harness.GPROF, "-b", "--quiet", option, name], TEMP)[1:]
            found = sorted(re.findall(r"^ *[0-9.]+ +[0-9.]+ +[0-9.]+ +(f\S*)$", out.decode(), re.M))
            wanted = ["f"] * bool(more) + ["f.constprop.0", "f.isra.0", "f.part.0.cold"]
            what = "%s: %s, by the name of the original" % (option, name)
            tap.ok(found == wanted, what, out)
    status, out, err = tree("--format=folded", "--focus=zzzzzzz")
    tap.ok((status, out, err) == (0, "", ""), "no stacks for a program", out + err)
    status, out, err = recorded(stacks.STACKS, "--tree", env={"LC_ALL": "C.UTF-8"})
    tap.ok(
        "9  ├─ work ×3\n" in out and "│  └─ leaf\n" in out and "`" not in out,
        "lines in UTF-8",
        out + err,
    )
    status, out, err = recorded(stacks.STACKS, "--tree", "--hide=^work$", "--min-share=0")
    hidden = from_roots(
        [([f for f in frames if f != "work"], n) for frames, n in weighted_of(stacks.STACKS)]
    )
    tap.ok(
        is_same(parse(out)[1], rows_of(hidden, 54, 0, 0, False)[0]),
        "--hide: time goes to the callers",
        out + err,
    )
    status, out, err = recorded(stacks.STACKS, "--tree", "--focus=leaf", "--min-share=0")
    focused = from_roots(
        [(frames, n) for frames, n in weighted_of(stacks.STACKS) if "leaf" in frames]
    )
    tap.ok(
        is_same(parse(out)[1], rows_of(focused, 54, 0, 0, False)[0]),
        "--focus: stacks with the function",
        out + err,
    )


def check_large(tap):
    """Rows are indented by at most 4,000,000 levels together, whatever is asked for."""
    count, size, most = 3000, 16, 4000000
    write(
        os.path.join(TEMP, "large"),
        elf.parse(
            "text 0x1000\n" + "".join("function f%d %d\n" % (i, size) for i in range(count))
        ).bytes(),
    )
    frames = ";".join("0:%x" % (0x1000 + i * size + (i + 1 < count)) for i in range(count))
    write(
        os.path.join(TEMP, "stacks"),
        ("# regmon stacks 3\n# rate 100\n# program 0 large\n%s 7\n" % frames).encode(),
    )
    profile = Profile(
        Layout(64, "little"), [Histogram(0x1000, 0x1000 + count * size, count, {1: 7}, RATE)]
    )
    write(os.path.join(TEMP, "large.gmon"), profile.bytes())
    for words, level in (["--tree"], lambda depth: 1), (["--tree=f*"], lambda depth: count - depth):
        depth = next(d for d in range(count) if sum(at * level(at) for at in range(d + 1)) > most)
        for more, shown in ([], depth), (["--depth=%d" % count], depth), (["--depth=7"], 7):
            command = [
                harness.GPROF,
                "--quiet",
                "--stacks=stacks",
                *words,
                *more,
                "large",
                "large.gmon",
            ]
            status, out, err = harness.run(command, TEMP)
            note = "not shown: %d deeper than %d levels\n" % (level(shown), shown)
            good = (
                status == 0
                and note.encode() in out
                and out.count(b"100.00 ") == sum(level(at) for at in range(shown))
            )
            tap.ok(
                good,
                "a large tree: %s" % " ".join(words + more),
                "%s\n%r\n%r" % (note, out[-300:], err),
            )


def check_recursion(tap):
    """Direct recursion is one row, unless --depth is given: the total of the outermost call, own
    times of all."""
    paths = [
        ("main work", 1),
        ("main work work", 2),
        ("main work work leaf", 4),
        ("main work leaf", 8),
        ("main work leaf leaf work", 16),
    ]
    drawn = [([(name, 1) for name in path.split()], samples) for path, samples in paths]
    status, out, err = recorded(drawn, "--tree", "--min-share=0")
    rows = [(row[0],) + row[2:5] for row in parse(out)[1]]
    wanted = [
        (0, 31, 0, "main"),
        (1, 31, 3, "work x2"),
        (2, 28, 12, "leaf x2"),
        (3, 16, 16, "work"),
    ]
    tap.ok(rows == wanted, "direct recursion is one row", out + err)
    out = recorded(drawn, "--tree", "--min-share=0", env={"LC_ALL": "C.UTF-8"})[1]
    tap.ok("work \u00d72\n" in out, "in UTF-8", out)
    status, out, err = recorded(drawn, "--tree", "--min-share=0", "--depth=9")
    tap.ok(
        " x" not in out and [row[4] for row in parse(out)[1]].count("work") == 3,
        "--depth shows all levels",
        out + err,
    )
    status, out, err = recorded(drawn, "--tree=leaf", "--min-share=0")
    rows = [(row[0],) + row[2:5] for row in parse(out)[1]]
    tap.ok(
        rows == [(0, 28, 12, "leaf"), (1, 28, 12, "work x2"), (2, 28, 12, "main")],
        "of callers, too",
        out + err,
    )
    count = harness.sized(100000, 1000000)
    frames = ";".join(["0:%x" % (stacks.ADDRESS["work"] + 1)] * count)
    write(
        os.path.join(TEMP, "stacks"),
        ("# regmon stacks 3\n# rate 100\n# program 0 image\n%s 7\n" % frames).encode(),
    )
    for words in ["--tree"], ["--tree=work"]:
        status, out, err = tree("--stacks=stacks", "-b", *words)
        tap.ok(
            status == 0 and len(parse(out)[1]) == 1,
            "a very deep recursion: " + words[0],
            out[-500:] + err,
        )


def check_calls(tap):
    """Numbers of calls are of the path if each function of it has one caller; else they are
    marked."""
    names, size = ["main", "a", "b", "c", "d"], 0x40
    address = {name: 0x1000 + i * size for i, name in enumerate(names)}
    write(
        os.path.join(TEMP, "calls"),
        elf.parse(
            "text 0x1000\n" + "".join("function %s %d\n" % (name, size) for name in names)
        ).bytes(),
    )
    calls = {
        ("main", "a"): 2,
        ("main", "b"): 3,
        ("a", "c"): 5,
        ("b", "c"): 7,
        ("c", "d"): 1100000,
        ("d", "d"): 13,
    }
    arcs = [("arc", 0, address["main"], 1)] + [
        ("arc", address[f] + 8, address[t], n) for (f, t), n in calls.items()
    ]
    histogram = Histogram(
        0x1000, 0x1000 + len(names) * size, len(names), {i: 100 for i in range(len(names))}, RATE
    )
    write(
        os.path.join(TEMP, "calls.gmon"), Profile(Layout(64, "little"), [histogram] + arcs).bytes()
    )

    def rows(*words):
        status, out, err = harness.run(
            [harness.GPROF, "--quiet", *words, "calls", "calls.gmon"], TEMP
        )
        return (
            re.findall(r"(\d+\*?|) +[|`\- ]*([a-z]+)$", out.decode().partition("name\n")[2], re.M),
            out.decode() + err.decode(),
        )

    found, text = rows("--tree", "--min-share=0")
    down = {("1", "main"), ("2", "a"), ("3", "b"), ("5", "c"), ("7", "c"), ("1100000*", "d")}
    tap.ok(
        {row for row in found if row[1] in names} == down and "\n* marks the calls" in text,
        "calls of a path, and of a pair",
        text,
    )
    found, text = rows("--tree=d", "--min-share=0")
    up = {
        ("1100000", "d"),
        ("1100000", "c"),
        ("5*", "a"),
        ("7*", "b"),
        ("2*", "main"),
        ("3*", "main"),
    }
    tap.ok({row for row in found if row[1] in names} >= up, "and of callers", text)
    tap.ok(
        "marks" not in rows("-b", "--tree")[1] and "*" not in rows("--tree", "--depth=2")[1],
        "no explanation of no mark, or with -b",
        text,
    )


def check_estimated(tap):
    random_numbers, wrong = random.Random(6), None
    size = stacks.SIZE
    for _ in range(20):
        bins = {
            size * at // 2 + 4: random_numbers.randrange(1, 2000) for at in range(len(stacks.NAMES))
        }
        histogram = Histogram(
            stacks.START,
            stacks.START + len(stacks.NAMES) * size,
            len(stacks.NAMES) * size // 2,
            bins,
            RATE,
        )
        arcs = [
            (
                "arc",
                stacks.ADDRESS[random_numbers.choice(stacks.NAMES)] + 8,
                stacks.ADDRESS[random_numbers.choice(stacks.NAMES)],
                random_numbers.randrange(1, 50),
            )
            for _ in range(6)
        ]
        write(
            os.path.join(TEMP, "gmon.out"),
            Profile(Layout(64, "little"), [histogram] + arcs).bytes(),
        )
        folded = tree("--format=folded")[1]
        weighted = read_folded(folded)
        for wanted in (None, random_numbers.choice(stacks.NAMES)):
            root = callers(weighted, [wanted]) if wanted else from_roots(weighted)
            expected, _ = rows_of(root, sum(bins.values()), 0, 0, wanted is not None)
            status, out, err = tree("--tree=" + wanted if wanted else "--tree", "--min-share=0")
            title, rows, _ = parse(out)
            if (
                not title.endswith(", estimated from numbers of calls")
                or not is_same(rows, expected)
                or err
            ):
                wrong = wrong or "%r\n%s%s%s" % (expected, folded, out, err)
    tap.ok(wrong is None, "without stacks: the estimated ones", wrong)
    stacks.make()


def check_found(tap):
    """Beside the profile, unless options do not go with stacks."""
    write(
        os.path.join(TEMP, "gmon.out.stacks"),
        stacks.lines_of(stacks.STACKS, RATE, origin=(4, None)).encode(),
    )
    for words, says in (
        ((), "measured by 54 stacks"),
        (["--no-stacks"], "estimated"),
        (["-k", "main/work"], "estimated"),
    ):
        status, out, err = tree("--tree", *words)
        tap.ok(
            status == 0 and out.startswith("Call tree, " + says),
            "stacks beside the profile, %s" % " ".join(words),
            out + err,
        )
    os.remove(os.path.join(TEMP, "gmon.out.stacks"))


def check_colours(tap):
    """Rows have the colour of their share: ten percent, two, and less than a half."""
    paths = [
        ("main", 11),
        ("main work", 160),
        ("main work leaf", 800),
        ("main leaf", 25),
        ("main never", 4),
    ]
    drawn = [([(name, 1) for name in path.split()], samples) for path, samples in paths]
    plain = recorded(drawn, "--tree", "--min-share=0")[1]
    status, out, err = recorded(drawn, "--tree", "--min-share=0", "--color")
    lines = [
        re.fullmatch(r"(?:\033\[([0-9;]*)m(.*)\033\[0m|(.*))", line).groups("")
        for line in out.splitlines()
    ]
    colours = [colour for colour, _, _ in lines]
    shares = [row[1] for row in parse(plain)[1]]
    tap.ok(
        shares == [100, 96, 80, 2.5, 0.4]
        and colours == ["", "", ""] + 3 * ["1;31"] + ["33", "2"] + (len(lines) - 8) * [""]
        and [coloured + bare for _, coloured, bare in lines] == plain.splitlines(),
        "colours by share, and nothing else changes",
        out + err,
    )


def check_others(tap):
    for words in (
        ["-k", "main/work"],
        ["-n", "work"],
        ["-N", "leaf"],
        ["-E", "leaf"],
        ["-F", "work"],
        ["--top"],
        ["-q"],
        ["-p"],
    ):
        status, out, err = tree("--tree", *words)
        tap.ok(
            status == 0 and "Call tree, " in out and err == "", "with " + " ".join(words), out + err
        )


def main():
    tap = harness.Tap()
    stacks.make()
    tests = [
        check_drawn,
        check_several,
        check_callees,
        check_names,
        check_large,
        check_recursion,
        check_calls,
        check_estimated,
        check_found,
        check_colours,
        check_others,
    ]
    for test in tests:
        test(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
