#!/usr/bin/env python3
"""Checks that tools that parse gprof's output can parse ours: parses the call graph by the rules of
drawing tools
and converters, and compares the result with the profile.

Such a reader
  * skips everything up to the line that begins with `index % time', including explanations;
  * reads entries up to the form feed before the index, each ended by a line of dashes;
  * recognises the primary line of an entry by its number in brackets; callers are before, callees
  after it;
  * expects a caller, or <spontaneous>, before every function's primary line;
  * splits lines at blanks: at most two times, calls, name, number;
  * expects a flat profile with two heading lines, then columns of fixed width.

Usage: clients.py
"""

import sys

sys.dont_write_bytecode = True

import os
import re
import shutil

from lib import elf, harness

EXAMPLE = os.path.join(harness.SRCDIR, "doc", "example")


class Unreadable(Exception):
    pass


# ---- A reader of call graphs ----

_TIME = r"(?P<self>\d+\.\d+)\s+(?P<children>\d+\.\d+)"
_NAME = r"(?P<name>\S.*?)(?: <cycle (?P<cycle>\d+)>)? [\[(](?P<index>\d+)[\])]"
_PRIMARY = re.compile(
    r"\[(?P<number>\d+)\]\s+(?P<percent>\d+\.\d+)\s+"
    + _TIME
    + r"(?:\s+(?P<called>\d+)(?:\+(?P<itself>\d+))?)?\s+"
    + _NAME
)
_OTHER = re.compile(r"\s+(?:" + _TIME + r"\s+)?(?P<called>\d+)(?:/(?P<total>\d+))?\s+" + _NAME)
_CYCLE = re.compile(
    r"\[(?P<number>\d+)\]\s+(?P<percent>\d+\.\d+)\s+"
    + _TIME
    + r"\s+(?P<called>\d+)(?:\+(?P<itself>\d+))?\s+"
    r"<cycle (?P<cycle>\d+) as a whole> \[(?P<index>\d+)\]"
)


def graph_lines(text):
    """The lines between the heading of the call graph and the form feed."""
    lines = text.split("\n")
    starts = [i for i, line in enumerate(lines) if re.match(r"index +% ?time\s", line)]
    if len(starts) != 1:
        raise Unreadable("%d headings that begin with `index %% time'" % len(starts))
    after = lines[starts[0] + 1 :]
    if "\f" not in after:
        raise Unreadable("no line with a form feed before the index")
    return after[: after.index("\f")]


def entries(lines):
    """Lists of lines, one for each entry, without the other lines of the traditional heading and
    the explanations
    after the last line of dashes."""
    entry = []
    for line in lines:
        if re.fullmatch(r"-{20,}", line):
            if not entry:
                raise Unreadable("an entry without lines")
            yield entry
            entry = []
        elif line.strip() and not re.match(r"\s+called/total\s+(parents|children)\s*$", line):
            entry.append(line)


def take(pattern, line):
    match = pattern.fullmatch(line.rstrip())
    if not match:
        raise Unreadable("cannot be read: " + line)
    return match.groupdict()


def parse_entry(lines):
    """(kind, primary, callers, callees) of an entry."""
    primaries = [i for i, line in enumerate(lines) if line.startswith("[")]
    if len(primaries) != 1:
        raise Unreadable("%d primary lines in: %s" % (len(primaries), "\n".join(lines)))
    at = primaries[0]
    callees = [take(_OTHER, line) for line in lines[at + 1 :]]
    if "as a whole" in lines[at]:
        callers = [take(_OTHER, line) for line in lines[:at]]
        return "cycle", take(_CYCLE, lines[at]), callers, callees
    if at == 0:
        raise Unreadable("neither caller nor <spontaneous> before: " + lines[at])
    callers = [take(_OTHER, line) for line in lines[:at] if line.strip() != "<spontaneous>"]
    return "function", take(_PRIMARY, lines[at]), callers, callees


def parse_graph(text):
    return [parse_entry(lines) for lines in entries(graph_lines(text))]


# ---- A reader of flat profiles ----

_ROW = re.compile(
    r"\s*(\d+\.\d+)\s+(\d+\.\d+)\s+(\d+\.\d+)(?:\s+(\d+)\s+(\d+\.\d+)\s+(\d+\.\d+))?\s\s+(\S.*)"
)


def parse_flat(text):
    """(percent, cumulative, self, calls, self a call, total a call, name) of every row."""
    lines = text.split("\n")
    heads = [i for i, line in enumerate(lines) if re.match(r" time +seconds +seconds", line)]
    if len(heads) != 1 or not re.match(r"  %   cumulative   self", lines[heads[0] - 1]):
        raise Unreadable("%d headings of a flat profile" % len(heads))
    rows = []
    for line in lines[heads[0] + 1 :]:
        if not line.strip():
            return rows
        match = _ROW.fullmatch(line)
        if not match:
            raise Unreadable("cannot be read: " + line)
        rows.append(match.groups())
    return rows


# ---- Expected results ----

CALC = {
    ("main", "statement"): 1000,
    ("statement", "find"): 1000,
    ("statement", "expression"): 1000,
    ("expression", "term"): 3000,
    ("term", "factor"): 6000,
    ("factor", "number"): 2500,
    ("factor", "find"): 3000,
    ("factor", "expression"): 500,
    ("find", "add"): 20,
}
SHAPES = {
    ("main", "circle::area()"): 500,
    ("main", "square::area()"): 300,
    ("main", "void scale<square>(square&, double)"): 100,
    ("circle::area()", "round(double)"): 500,
    ("square::area()", "round(double)"): 300,
}


def arcs_of(graph, by_line):
    """The calls in the entries of callers and in those of callees.  Both must be equal, unless
    callers are lines,
    which have no entries."""
    down, up = {}, {}
    for kind, primary, callers, callees in graph:
        if kind != "function":
            continue
        for other in callees:
            down[plain(primary["name"]), plain(other["name"])] = int(other["called"])
        for other in callers:
            arc = plain(other["name"]), plain(primary["name"])
            up[arc] = up.get(arc, 0) + int(other["called"])
    if by_line:
        return up
    if down != up:
        raise Unreadable("callers' entries and callees' disagree: %s, %s" % (down, up))
    return down


def plain(name):
    """A name without the position that -l and --inline-file-names add."""
    return re.sub(r" \(\S+:\d+(?: @ [0-9a-f]+)?\)$", "", name)


def check_numbers(graph):
    """Checks that every index belongs to the entry of that name."""
    names = {int(primary["number"]): primary.get("name") for kind, primary, _, _ in graph}
    if sorted(names) != list(range(1, len(names) + 1)):
        raise Unreadable("numbers of entries: %s" % sorted(names))
    for _, primary, callers, callees in graph:
        if primary["number"] != primary["index"]:
            raise Unreadable("two numbers for one entry: %s" % primary)
        for other in callers + callees:
            if names[int(other["index"])] != other["name"]:
                raise Unreadable("no. %s is not %s" % (other["index"], other["name"]))


def check_sums(graph, tolerance=0.021):
    """Checks that the times of the callers' lines add up to a function's time, and those of the
    callees' lines to
    its inherited time."""
    for kind, primary, callers, callees in graph:
        timed = [other for other in callers if other["self"] is not None]
        if timed and primary["cycle"] is None:
            for column in ("self", "children"):
                if abs(sum(float(o[column]) for o in timed) - float(primary[column])) > tolerance:
                    raise Unreadable("%s of the callers of %s" % (column, primary["name"]))
        if kind == "function":
            below = sum(
                float(o["self"]) + float(o["children"]) for o in callees if o["self"] is not None
            )
            if abs(below - float(primary["children"])) > tolerance:
                raise Unreadable("what the callees of %s hand on" % primary["name"])


def check_graph(text, arcs, by_line):
    graph = parse_graph(text)
    found = arcs_of(graph, by_line)
    if found != arcs:
        raise Unreadable("calls: %s instead of %s" % (found, arcs))
    if not by_line:
        check_numbers(graph)
        check_sums(graph)


def check_flat(text, arcs, total):
    rows = parse_flat(text)
    seconds = sum(float(row[2]) for row in rows)
    if abs(seconds - total) > 0.01 * len(rows):
        raise Unreadable("%s seconds instead of %s" % (seconds, total))
    calls = {}
    for (_, callee), count in arcs.items():
        calls[callee] = calls.get(callee, 0) + count
    found = {}
    for row in rows:
        if row[3] is not None:
            name = re.sub(r"(?: <cycle \d+>)? \[\d+\]$", "", row[6])
            found[plain(name)] = found.get(plain(name), 0) + int(row[3])
    if found != calls:
        raise Unreadable("calls: %s instead of %s" % (found, calls))


def mangled(arcs, image):
    """The arcs with the names that -T prints."""
    demangler = harness.tool("CXXFILT", "c++filt")
    if not demangler:
        return None
    names = [name.decode() for name, _, _ in elf.symbols(image)]
    shown = harness.must_run(demangler + names).decode().split("\n")
    raw = dict(zip(shown, names))
    return {(raw[a], raw[b]): count for (a, b), count in arcs.items()}


# ---- The material ----


def build(directory):
    os.mkdir(directory)
    for name, profile in (("calc", "gmon.out"), ("shapes", "shapes.gmon")):
        image = os.path.join(directory, name)
        with open(os.path.join(EXAMPLE, name + ".elf"), encoding="ascii") as file:
            content = elf.parse(file.read()).bytes()
        with open(image, "wb") as file:
            file.write(content)
        names = os.path.join(harness.TEMP, "names")
        with open(names, "wb") as file:
            for symbol, address, _ in elf.symbols(image):
                file.write(b"symbol %s %#x\n" % (symbol, address))
        source = os.path.join(EXAMPLE, "%s-%s.gm" % (name, profile))
        harness.must_run([harness.mkgmon(), "-o", os.path.join(directory, profile), names, source])


SETS = [
    [],
    ["-b"],
    ["-l"],
    ["-b", "-l"],
    ["-T"],
    ["-b", "-T"],
    ["-b", "-z"],
    ["-b", "-c", "-z"],
    ["-b", "--inline-file-names"],
]


def check(tap, directory, options, image, profile, arcs, total):
    name = "gprof %s of %s" % (" ".join(options) or "without options", image)
    if arcs is None:
        tap.skip(name, "no c++filt")
        return
    status, out, err = harness.run([harness.GPROF] + options + [image, profile], directory)
    text = out.decode("utf-8", "backslashreplace")
    try:
        allowed = rb"gprof: warning: \S+: has no line numbers.*" if "-l" in options else rb"(?!)"
        if status != 0 or not all(re.fullmatch(allowed, line) for line in err.splitlines()):
            raise Unreadable("status %d: %s" % (status, err.decode("utf-8", "replace")))
        never = {("main", "usage"): 0} if "-c" in options else {}
        check_graph(text, {**arcs, **never}, "-l" in options)
        check_flat(text, arcs, total)
    except Unreadable as why:
        tap.ok(False, name, why)
        return
    tap.ok(True, name)


def main():
    directory = os.path.join(harness.TEMP, "clients")
    build(directory)
    tap = harness.Tap()
    for options in SETS:
        check(tap, directory, options, "calc", "gmon.out", CALC, 2.0)
    for options in SETS:
        if "-c" in options:
            continue  # it prints no calls
        traditional = "-T" in options
        arcs = mangled(SHAPES, os.path.join(directory, "shapes")) if traditional else SHAPES
        check(tap, directory, options, "shapes", "shapes.gmon", arcs, 1.0)
    shutil.rmtree(directory)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
