#!/usr/bin/env python3
"""The walls between the layers stand.

Looks at the sources, and at the objects of the archive and of main where the build has made them
(ARCHIVE and MAIN_OBJECT in the environment).  HACKING explains the layers.
"""

import sys

sys.dont_write_bytecode = True

import os
import re

import harness

SRC = os.path.join(harness.SRCDIR, "src")
INCLUDE = os.path.join(harness.SRCDIR, "include")

ANALYSIS = "symtab hist arc_log arcs blocks callscan cycles propagate views rows lines ordering chains annotate counts perfile sum".split()
OUTPUT = ["format", "blurbs", "report", "reference", "expect"]  # and print_*
MAY_EXIT = ["main", "base", "merge"]  # merge: the processes it starts
LINES = {"analysis": 350, "printer": 200, "any": 600}
OUTPUT_HEADERS = {"report.h", "format.h", "blurbs.h", "printers.h", "reference.h", "expect.h"}
FILE_CALLS = (
    r"f?open|freopen|fdopen|f?close|f?read|f?write|fopen64|[v]?f?printf|f?putc|f?puts|putchar|f?getc|f?gets|getchar"
    r"|getline|exit|_exit|_Exit|quick_exit|abort|perror|assert|system|popen"
)


def without_comments(text):
    """C without comments; strings and characters are emptied; lines stay where they are."""
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''

    def blank(match):
        piece = match.group(0)
        if piece[0] in "\"'":
            return piece[0] * 2
        return "\n" * piece.count("\n") + " "

    return re.sub(pattern, blank, text, flags=re.S)


class Source:
    def __init__(self, path):
        self.path = os.path.relpath(path, harness.SRCDIR)
        self.stem, self.kind = os.path.splitext(os.path.basename(path))
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.lines = text.count("\n")
        self.code = without_comments(text)
        # Names in quotes are lost above; take them from the text, comments apart.
        bare = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        self.includes = re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', bare, re.M)

    def is_analysis(self):
        return self.stem in ANALYSIS

    def is_printer(self):
        return self.stem.startswith("print_")

    def is_output(self):
        return self.stem in OUTPUT or self.is_printer()


def read_all():
    found = []
    for directory in (SRC, INCLUDE):
        for name in sorted(os.listdir(directory)):
            if name.endswith((".c", ".h")):
                found.append(Source(os.path.join(directory, name)))
    return found


# ---- Walls.  Each yields complaints. ----


def only_one_file_knows_bfd(sources):
    for s in sources:
        hidden = [h for h in s.includes if re.fullmatch(r"(?:.*/)?(bfd|bfdlink|libbfd|elf-bfd)\.h", h)]
        if hidden and s.path != "src/image_bfd.c":
            yield "%s includes %s" % (s.path, hidden[0])
        if s.kind == ".h" and re.search(r"\b(bfd|asymbol|asection|bfd_vma)\b", s.code):
            yield "%s names a type of libbfd" % s.path


def analysis_is_pure(sources):
    for s in sources:
        if not s.is_analysis():
            continue
        for header in s.includes:
            if header in ("stdio.h", "unistd.h", "fcntl.h", "image.h", "assert.h", "errno.h"):
                yield "%s includes %s" % (s.path, header)
        for call in re.findall(r"\b(%s)\s*\(" % FILE_CALLS, s.code):
            yield "%s calls %s" % (s.path, call)


def analysis_and_output_do_not_meet(sources):
    analysis_headers = {name + ".h" for name in ANALYSIS}
    for s in sources:
        if s.is_analysis():
            wrong = OUTPUT_HEADERS & set(s.includes)
        elif s.is_output():
            wrong = analysis_headers & set(s.includes)
        else:
            continue
        for header in sorted(wrong):
            yield "%s includes %s" % (s.path, header)


def printers_only_print(sources):
    for s in sources:
        if not s.is_printer():
            continue
        pattern = r"\b(qsort|sort_ids\w*|malloc|calloc|realloc|free|mem_\w+|arena_\w+)\s*\("
        for call in re.findall(pattern, s.code):
            yield "%s calls %s" % (s.path, call)


def only_the_top_exits(sources):
    for s in sources:
        if s.stem in MAY_EXIT:
            continue
        for call in re.findall(r"\b(exit|_exit|_Exit|quick_exit|abort)\s*\(", s.code):
            yield "%s calls %s" % (s.path, call)


def headers_have_no_cycles(sources):
    headers = {os.path.basename(s.path): s.includes for s in sources if s.kind == ".h"}
    finished = set()

    def walk(name, path):
        if name in path:
            yield " -> ".join(path[path.index(name) :] + [name])
        elif name in headers and name not in finished:
            for other in headers[name]:
                yield from walk(other, path + [name])
            finished.add(name)

    for name in sorted(headers):
        yield from walk(name, [])


def every_header_stands_alone(sources):
    """Compiled by itself, nothing is missing."""
    compiler = harness.tool("CC", "cc")
    if not compiler:
        return
    for s in sources:
        if s.kind != ".h":
            continue
        command = compiler + ["-std=gnu11", "-fsyntax-only", "-I", INCLUDE, "-I", harness.BUILDDIR]
        status, _, err = harness.run(command + ["-x", "c", os.path.join(harness.SRCDIR, s.path)])
        if status != 0:
            yield "%s: %s" % (s.path, err.decode("utf-8", "replace").splitlines()[0])


def files_are_small(sources):
    for s in sources:
        kind = "analysis" if s.is_analysis() else "printer" if s.is_printer() else "any"
        if s.lines > LINES[kind]:
            yield "%s has %d lines; at most %d (%s)" % (s.path, s.lines, LINES[kind], kind)


def data_symbols(path):
    """(object, letter, symbol) of everything in the writable data of an object or archive."""
    output = harness.must_run(harness.tool("NM", "nm") + ["-A", path]).decode("utf-8", "replace")
    for line in output.splitlines():
        match = re.match(r"(.*?):[0-9a-fA-F]* +([bBdDCgGsS]) (.*)", line)
        if match:
            yield os.path.basename(match.group(1).replace(":", "/")), match.group(2), match.group(3)


def constant_after_relocation(path):
    """Symbols of tables that are const in C but hold addresses, which the loader fills in: they live in
    .data.rel.ro and count as constant, though nm calls them data."""
    objdump = harness.tool("OBJDUMP", "objdump")
    if not objdump:
        return set()
    output = harness.run(objdump + ["-t", path])[1].decode("utf-8", "replace")
    return set(re.findall(r"\.data\.rel\.ro\S*\s+[0-9a-f]+\s+(?:\.\w+\s+)?(\S+)$", output, re.M))


def no_variables(objects):
    for path in objects:
        constant = constant_after_relocation(path)
        for where, letter, name in data_symbols(path):
            is_sanitizer = re.search(r"asan|ubsan|__odr|__sanitizer|^\.L", name)
            if name not in constant and not is_sanitizer:
                yield "%s: `%s' is a variable (%s)" % (where, name, letter)


WALLS = [
    ("only image_bfd.c knows libbfd", only_one_file_knows_bfd),
    ("analysis has no files, no output, no exit", analysis_is_pure),
    ("analysis and output do not include each other", analysis_and_output_do_not_meet),
    ("printers neither sort nor allocate", printers_only_print),
    ("only main and base exit", only_the_top_exits),
    ("no cycles among headers", headers_have_no_cycles),
    ("every header compiles by itself", every_header_stands_alone),
    ("files are of readable size", files_are_small),
]


def main():
    tap = harness.Tap()
    sources = read_all()
    for name, wall in WALLS:
        complaints = list(wall(sources))
        tap.ok(not complaints, name, "\n".join(complaints))
    name = "no variables outside of functions"
    objects = [os.environ.get("ARCHIVE") or os.path.join(harness.BUILDDIR, "src", "libregprof.a")]
    objects.append(os.environ.get("MAIN_OBJECT") or os.path.join(harness.BUILDDIR, "src", "main.o"))
    if not harness.tool("NM", "nm") or not all(os.path.exists(path) for path in objects):
        tap.skip(name, "no nm or no objects here")
    else:
        with open(objects[0], "rb") as file:
            is_sanitized = b"__asan_" in file.read()
        if is_sanitized:
            tap.skip(name, "sanitizers bring their own")
        else:
            complaints = list(no_variables(objects))
            tap.ok(not complaints, name, "\n".join(complaints))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
