#!/usr/bin/env python3
"""Checks the walls between the layers.

Reads the sources, and the objects of the archive and of main if the build has made them (ARCHIVE
and MAIN_OBJECT in
the environment).  HACKING explains the layers.
"""

import sys

sys.dont_write_bytecode = True

import collections
import glob
import os
import re

from lib import harness, runtime_build

INCLUDE = ["-I", os.path.join(harness.SRCDIR, "include"), "-I", os.path.join(harness.SRCDIR, "src")]

LAYERS = (
    "base model debug input foreign symbols analysis compare stacks tables report export options"
    " program"
).split()  # bottom up
# A layer includes itself and layers below it, except these.
APART = {
    "symbols": ["debug", "input", "foreign"],
    "analysis": ["debug", "input", "foreign"],
    "compare": ["debug", "input", "foreign", "analysis"],
    "stacks": ["debug", "input", "foreign", "compare"],
    "tables": ["debug", "input", "foreign", "symbols", "analysis", "compare", "stacks"],
    "report": ["debug", "input", "foreign", "analysis", "compare", "stacks", "tables"],
    "export": ["debug", "input", "foreign", "analysis", "compare", "stacks", "tables"],
}
MAY_EXIT = ["main", "message"]
VARIABLES = {
    "memory_limit.o": ["limit_in_force"],  # a limit of malloc, which has no argument for it
    "json_members.o": ["memory"],  # a limit of libjansson, whose functions have no argument for it
    "files.o": ["temporary_in_use"],  # for the end of the program, which has none either
}
# Files of more than MOST_LINES lines, each with its reason.
MOST_LINES = 700
LONG_FILES = {}
FILE_CALLS = (
    r"f?open|freopen|fdopen|f?close|f?read|f?write|fopen64|[v]?f?printf|f?putc|f?puts|putchar|f?getc|f?gets|getchar"
    r"|getline|exit|_exit|_Exit|quick_exit|abort|perror|system|popen"
)


def without_comments(text):
    """C without comments and without the contents of strings and characters; line numbers are
    unchanged."""
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
        self.layer = os.path.basename(os.path.dirname(path))
        self.stem, self.kind = os.path.splitext(os.path.basename(path))
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.text = text
        self.lines = text.count("\n")
        self.code = without_comments(text)
        # The names of included files are removed above; take them from the text without comments.
        bare = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        self.includes = re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', bare, re.M)

    def is_printer(self):
        return self.stem.startswith("print_")


def read_all():
    found = []
    for top in ("src", "include"):
        for path in sorted(glob.glob(os.path.join(harness.SRCDIR, top, "*", "*.[ch]"))):
            found.append(Source(path))
    return found


# ---- Walls.  Each yields the violations. ----


# A library's headers, and ours that show its types; who may include them; its types.
LIBRARIES = {
    "libbfd": (
        r"(?:.*/)?(bfd|bfdlink|libbfd|elf-bfd|libbfd_files)\.h",
        [
            "src/input/image_bfd.c",
            "src/debug/libbfd_files.c",
            "src/debug/debug_bfd.c",
            "include/debug/libbfd_files.h",
            "src/input/image_files.h",
            "src/input/disassemble.c",
        ],
        r"\b(bfd|asymbol|asection|bfd_vma)\b",
    ),
    "zlib": (r"zlib\.h", ["src/base/compress.c"], r"\bz_stream\b"),
    "libzstd": (r"zstd\w*\.h", ["src/base/compress.c"], r"\bZSTD_\w+\b"),
    "liblzma": (r"lzma\.h", ["src/base/compress.c"], r"\blzma_\w+\b"),
    "libdw": (
        r"elfutils/.*|(g?elf|libelf|dwarf|.*/dwarf_(unit|symbols))\.h",
        [
            "src/debug/dwarf%s" % name
            for name in (".c", "_symbols.c", "_symbols.h", "_unit.c", "_unit.h")
        ],
        r"\b(Dwarf|Elf)_?\w*\b",
    ),
    "libjansson": (
        r"(?:.*/)?(jansson|json_members)\.h",
        ["include/input/json_members.h", "src/input/json_members.c", "src/input/json_read.c"]
        + [
            "src/foreign/%s" % name
            for name in ("cpuprofile.c", "json_profile.c", "json_profile.h", "speedscope.c")
        ],
        r"\bjson_(t|int_t|error_t)\b",
    ),
}


def libraries_are_hidden(sources):
    for library, (headers, users, types) in LIBRARIES.items():
        for s in sources:
            hidden = [h for h in s.includes if re.fullmatch(headers, h)]
            if hidden and s.path not in users:
                yield "%s includes %s" % (s.path, hidden[0])
            if s.kind == ".h" and s.path not in users and re.search(types, s.code):
                yield "%s names a type of %s" % (s.path, library)


LICENCE = "/* SPDX-License-Identifier: GPL-3.0-or-later */"


def files_say_what_they_are(sources):
    """The first comment names and describes the file; the licence line follows."""
    for s in sources:
        name = os.path.basename(s.path)
        first = re.match(r"/\* %s - \S.*?\*/\n" % re.escape(name), s.text, re.S)
        if not first:
            yield "%s does not begin with `/* %s - WHAT IT IS.  */'" % (s.path, name)
        elif not s.text.startswith(LICENCE + "\n", first.end()):
            yield "%s: no line `%s' behind the first comment" % (s.path, LICENCE)


def files_are_in_layers(sources):
    for s in sources:
        if s.layer not in LAYERS:
            yield "%s is in no layer" % s.path


def layers_include_what_is_below(sources):
    for s in sources:
        if s.layer not in LAYERS:
            continue
        below = LAYERS[: LAYERS.index(s.layer) + 1]
        for header in s.includes:
            layer = os.path.dirname(header)
            if layer in LAYERS and (layer not in below or layer in APART.get(s.layer, [])):
                yield "%s includes %s" % (s.path, header)


def analysis_is_pure(sources):
    for s in sources:
        if s.layer not in ("symbols", "analysis", "compare", "stacks", "tables"):
            continue
        for header in s.includes:
            if header in ("unistd.h", "fcntl.h", "errno.h"):
                yield "%s includes %s" % (s.path, header)
        for call in re.findall(r"\b(%s)\s*\(" % FILE_CALLS, s.code):
            yield "%s calls %s" % (s.path, call)


def profiles_end_in_snapshots(sources):
    for s in sources:
        found = re.search(r"\bstruct\s+(profile|graph|arc_table)\b", s.code)
        if s.layer in ("compare", "stacks", "tables") and found:
            yield "%s mentions struct %s" % (s.path, found.group(1))


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
    headers = {"%s/%s.h" % (s.layer, s.stem): s.includes for s in sources if s.kind == ".h"}
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


def modules_have_no_cycles(sources):
    """A module is a header and its C file.  No module includes another that includes it, directly
    or not."""
    graph = {}
    for s in sources:
        module = "%s/%s" % (s.layer, s.stem)
        graph.setdefault(module, set()).update(
            h[:-2] for h in s.includes if "/" in h and h[:-2] != module
        )
    finished = set()

    def walk(name, path):
        if name in path:
            yield " -> ".join(path[path.index(name) :] + [name])
        elif name in graph and name not in finished:
            for other in sorted(graph[name]):
                yield from walk(other, path + [name])
            finished.add(name)

    for name in sorted(graph):
        yield from walk(name, [])


def every_header_stands_alone(sources):
    """Each header compiles alone."""
    compiler = harness.tool("CC", "cc")
    if not compiler:
        return
    for s in sources:
        if s.kind != ".h":
            continue
        command = compiler + ["-std=gnu11", "-fsyntax-only"] + INCLUDE + ["-I", harness.BUILDDIR]
        status, _, err = harness.run(command + ["-x", "c", os.path.join(harness.SRCDIR, s.path)])
        if status != 0:
            yield "%s: %s" % (s.path, err.decode("utf-8", "replace").splitlines()[0])


def files_are_small(sources):
    for s in sources:
        if s.lines > MOST_LINES and s.path not in LONG_FILES:
            yield "%s has %d lines: divide it, or say in LONG_FILES why not" % (s.path, s.lines)


# What must not grow: parameters of type bool, and members of the largest structs; others have fewer
# than MOST_MEMBERS.
MOST_BOOLS, MOST_MEMBERS = 78, 24
LARGE_STRUCTS = {"snapshot": 30, "plan": 29, "reader": 26, "pprof": 24}
# Files outside of src/foreign that ask where a number came from.  Better: whoever fills the data
# says what is known, such as an error, bounds or stacks.
MOST_ASKING = {
    r"\borigin [=!]= ": 5,
    r"\bforeign [=!]= NULL\b": 1,
    r"\w(?:->|\.)is_foreign\b": 6,
    r"\bfigures [=!]= ": 0,
    r"\bis_exact\b": 0,
}


def structs_of(code):
    """Name and number of members of each struct, those of structs inside of it left out."""
    for name, body in re.findall(
        r"\bstruct (\w+) \{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}", code
    ):
        while "{" in body:
            body = re.sub(r"\{[^{}]*\}", "", body)
        yield name, sum(
            declaration.count(",") + 1 for declaration in body.split(";") if declaration.strip()
        )


def nothing_grows(sources):
    bools = 0
    for s in sources:
        for parameters in re.findall(r"^[a-z][\w \*]*?\b\w+\(([^;{}]*?)\)\s*\{", s.code, re.M):
            bools += len(re.findall(r"(?:^|,)\s*bool\s+\w+", parameters))
        for name, members in structs_of(s.code):
            if members > LARGE_STRUCTS.get(name, MOST_MEMBERS - 1):
                yield "%s: struct %s has %d members" % (s.path, name, members)
    for pattern, most in MOST_ASKING.items():
        asking = [s.path for s in sources if s.layer != "foreign" and re.search(pattern, s.code)]
        if len(asking) > most:
            yield "%d files, not %d, have %s: %s" % (len(asking), most, pattern, " ".join(asking))
    if bools > MOST_BOOLS:
        yield "%d parameters have the type bool, not %d" % (bools, MOST_BOOLS)


def hacking_is_true(sources):
    """What HACKING names is there, and all modules and variables are in it."""
    text = harness.read(os.path.join(harness.SRCDIR, "HACKING")).decode()
    table = text[text.index("    layer      what it is for") : text.index("\nWalls")]
    rows = dict(re.findall(r"^    (\w+) {2,}(\S.*(?:\n {15}.*)*)", table, re.M))
    for s in sources:
        words = re.findall(r"\w+", rows.get(s.layer, ""))
        if s.stem not in words:
            yield "HACKING: the layer %s lacks %s" % (s.layer, s.stem)
    modules = {s.stem for s in sources}
    for layer in LAYERS:
        for word in re.findall(r"[a-z]+(?:_[a-z]+)+", rows.get(layer, "")):
            if word not in modules:
                yield "HACKING: the layer %s has no %s" % (layer, word)
    for where, names in VARIABLES.items():
        if (
            not all("`%s'" % name in text for name in names)
            or where.replace(".o", ".c") not in text
        ):
            yield "HACKING: %s of %s" % (names, where)
    for path in re.findall(r"(?<![\w/.])(?:%s)/\w+\.[ch]\b" % "|".join(LAYERS), text):
        if not any(
            os.path.exists(os.path.join(harness.SRCDIR, top, path)) for top in ("src", "include")
        ):
            yield "HACKING: there is no %s" % path


def headers_are_doors(sources):
    """A header in include/ is for other rooms than its own; one in src/ is not."""
    users = {}
    for s in sources:
        for header in s.includes:
            users.setdefault(header, set()).add(s.layer)
    for s in sources:
        if s.kind != ".h":
            continue
        outside = users.get("%s/%s.h" % (s.layer, s.stem), set()) - {s.layer}
        is_door = s.path.startswith("include/")
        if is_door and not outside:
            yield "%s: no other room includes it; move it to src/%s" % (s.path, s.layer)
        if not is_door and outside:
            yield "%s: %s includes it; move it to include/%s" % (
                s.path,
                ", ".join(sorted(outside)),
                s.layer,
            )


def data_symbols(path):
    """(object, letter, symbol) of everything in the writable data of an object or archive."""
    output = harness.must_run(harness.tool("NM", "nm") + ["-A", path]).decode("utf-8", "replace")
    for line in output.splitlines():
        match = re.match(r"(.*?):[0-9a-fA-F]* +([bBdDCgGsS]) (.*)", line)
        if match:
            yield os.path.basename(match.group(1).replace(":", "/")), match.group(2), match.group(3)


def constant_after_relocation(path):
    """Symbols of tables that are const in C and contain addresses, which the loader fills in.  They
    are in
    .data.rel.ro and count as constant, although nm classifies them as data."""
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
            is_exception = name in VARIABLES.get(where, [])
            if name not in constant and not is_sanitizer and not is_exception:
                yield "%s: `%s' is a variable (%s)" % (where, name, letter)


# ---- The library that counts: runtime/README explains its rules ----


RUNTIME_LICENCE = "SPDX-License-Identifier: MIT */"
# Functions of the C library that it calls where that is safe: at the start, in dlclose, exec and
# sigwait.
RUNTIME_CALLS = (
    "__cxa_at_quick_exit __dso_handle __errno_location __register_atfork at_quick_exit"
    " dl_iterate_phdr dlerror dlsym environ getauxval gnu_get_libc_version pthread_atfork"
    " pthread_attr_destroy pthread_attr_getstacksize pthread_attr_init"
    " pthread_setcanceltype"
)
RUNTIME_VARIABLES = "starts regmon_process regmon_state regmon_thread regmon_no_table"
RUNTIME_HEADERS = (
    "dlfcn.h elf.h errno.h fcntl.h limits.h link.h pthread.h signal.h stdarg.h stdbool.h stddef.h"
    " stdint.h stdlib.h sys/auxv.h sys/mman.h sys/signalfd.h sys/stat.h sys/syscall.h sys/utsname.h"
    " time.h ucontext.h unistd.h"
)
# The command is a program like others.
COMMAND_HEADERS = (
    RUNTIME_HEADERS
    + " config.h ctype.h dirent.h getopt.h libintl.h locale.h poll.h stdio.h string.h sys/file.h"
    " sys/inotify.h sys/prctl.h sys/resource.h sys/socket.h sys/time.h sys/types.h sys/wait.h"
)


def read_runtime():
    folders = (
        os.path.join(harness.SRCDIR, "runtime", folder, "*.[ch]") for folder in ("", "boards")
    )
    return [Source(path) for folder in folders for path in sorted(glob.glob(folder))]


def system_headers(source):
    return (COMMAND_HEADERS if source.stem in runtime_build.COMMAND else RUNTIME_HEADERS).split()


def runtime_modules_have_no_cycles(sources):
    for s in sources:
        s.includes = [
            h if h in system_headers(s) else os.path.join(os.path.dirname(s.path), h)
            for h in s.includes
        ]
    yield from modules_have_no_cycles(sources)


def runtime_includes_only_its_own(sources):
    """The library includes nothing of the command."""
    names = {os.path.basename(s.path) for s in sources}
    of_command = {name + ".h" for name in runtime_build.COMMAND} - {
        "regmon.h"
    }  # which is for programs
    for s in sources:
        for header in s.includes:
            is_own = header in names and (
                header not in of_command or s.stem in runtime_build.COMMAND
            )
            if not is_own and header not in system_headers(s):
                yield "%s includes %s" % (s.path, header)


def runtime_files_say_what_they_are(sources):
    for s in sources:
        first = re.match(r"/\* %s - \S.*?\*/\n" % re.escape(os.path.basename(s.path)), s.text, re.S)
        if not first or RUNTIME_LICENCE.split()[0] not in first.group(0):
            yield "%s does not begin with what it is, and its licence" % s.path


RUNTIME_WALLS = [
    ("runtime: every file says what it is, and its licence", runtime_files_say_what_they_are),
    (
        "runtime: files include only their own headers and a few of the system",
        runtime_includes_only_its_own,
    ),
    ("runtime: no cycles among modules", runtime_modules_have_no_cycles),
    ("runtime: files are of readable size", files_are_small),
]


def runtime_symbols():
    """(letter, name) of all symbols in the archives of the runtime."""
    for archive in ("libparts.a", "libshared.a"):
        path = os.path.join(harness.BUILDDIR, "runtime", archive)
        output = harness.must_run(harness.tool("NM", "nm") + [path]).decode()
        yield from re.findall(r"^[0-9a-f ]{16} ([A-Za-z]) (\S+)$", output, re.M)


def runtime_objects():
    """Yields violations in the objects: calls of the C library, and variables."""
    symbols = set(runtime_symbols())
    defined = {name for letter, name in symbols if letter != "U"}
    constant = set()
    for archive in ("libparts.a", "libshared.a"):
        constant |= constant_after_relocation(os.path.join(harness.BUILDDIR, "runtime", archive))
    for letter, name in sorted(symbols):
        if (
            letter == "U"
            and name not in defined
            and name not in RUNTIME_CALLS.split()
            and name != "_GLOBAL_OFFSET_TABLE_"
        ):
            yield "`%s' is called" % name
        if letter in "bBdDcC" and name not in constant and name not in RUNTIME_VARIABLES.split():
            yield "`%s' is a variable" % name


WALLS = [
    ("libbfd, libdw and libjansson are known to their users only", libraries_are_hidden),
    ("every file is in a layer", files_are_in_layers),
    ("every file says what it is, and its licence", files_say_what_they_are),
    ("layers include only what is below them", layers_include_what_is_below),
    (
        "symbols, analysis, compare, stacks and tables have no files, no output, no exit",
        analysis_is_pure,
    ),
    (
        "compare, stacks and tables read snapshots, not struct profile, graph or arc_table",
        profiles_end_in_snapshots,
    ),
    ("printers neither sort nor allocate", printers_only_print),
    ("only main, its signal handlers and message exit", only_the_top_exits),
    ("no cycles among headers", headers_have_no_cycles),
    ("no cycles among modules", modules_have_no_cycles),
    ("every header compiles by itself", every_header_stands_alone),
    ("files are of readable size", files_are_small),
    ("include/ has what other rooms use, src/ what they do not", headers_are_doors),
    (
        "parameters of type bool, large structs, questions of origin only become fewer",
        nothing_grows,
    ),
    ("what HACKING names is there, and all modules are in it", hacking_is_true),
]


def check_runtime_objects(tap):
    name = "runtime: no functions of the C library, no variables except the five"
    if not harness.tool("NM", "nm") or not os.path.exists(
        os.path.join(harness.BUILDDIR, "runtime", "libshared.a")
    ):
        tap.skip(name, "no nm, or the runtime is not built")
        return
    complaints = list(runtime_objects())
    tap.ok(not complaints, name, complaints)


MOST_WIDE_LINES = 28  # in C, JavaScript and shell; may only fall


def check_scripts(tap):
    """No check of a test script was forgotten in its main."""
    text = b"\n".join(
        harness.read(path) for path in glob.glob(os.path.join(harness.TESTS, "*.py"))
    ).decode()
    words = collections.Counter(re.findall(r"\w+", text))
    unused = [
        name for name in re.findall(r"^def ((?:check|test)_\w+)", text, re.M) if words[name] < 2
    ]
    tap.ok(len(words) > 1000 and not unused, "all checks of test scripts are run", " ".join(unused))
    wide = sum(len(line) > 100 for line in text.splitlines())
    is_narrow = wide <= MOST_WIDE_LINES
    tap.ok(is_narrow, "test scripts have 100 columns, but for sources in other languages", wide)


def main():
    tap = harness.Tap()
    check_scripts(tap)
    sources = read_all()
    for name, wall in WALLS:
        complaints = list(wall(sources))
        tap.ok(not complaints, name, complaints)
    runtime = read_runtime()
    for name, wall in RUNTIME_WALLS:
        complaints = list(wall(runtime))
        tap.ok(not complaints and runtime, name, complaints)
    check_runtime_objects(tap)
    name = "no variables outside of functions"
    objects = [os.environ.get("ARCHIVE") or os.path.join(harness.BUILDDIR, "src", "libregprof.a")]
    objects.append(
        os.environ.get("MAIN_OBJECT") or os.path.join(harness.BUILDDIR, "src", "program", "main.o")
    )
    if not harness.tool("NM", "nm") or not all(os.path.exists(path) for path in objects):
        tap.skip(name, "no nm or no objects here")
    else:
        with open(objects[0], "rb") as file:
            is_sanitized = b"__asan_" in file.read()
        if is_sanitized:
            tap.skip(name, "sanitizers bring their own")
        else:
            complaints = list(no_variables(objects))
            tap.ok(not complaints, name, complaints)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
