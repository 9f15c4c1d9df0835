"""Real programs for the comparing tests: compiled with -pg, run, and kept for the next run.

Images are prepared for a comparison byte by byte: names of compiler clones (f.isra.0) are replaced
by plain ones
(f_isra_0), and a function without samples is linked last.  See differences 13 and 9 in the manual.
"""

import hashlib
import os
import re
import shutil
import tempfile

from lib import elf, harness

SOURCES = os.path.join(harness.TESTS, "programs")
CACHE = os.path.join(harness.CACHE, "programs")

_LANGUAGES = {".c": ("CC", "cc"), ".cc": ("CXX", "c++"), ".f90": ("FC", "gfortran")}
_OWN_FLAGS = ("-strip", "-relative", "-nowhere", "-by-link", "-by-build-id")
_WITHOUT_PG = "without-pg"  # the next source is compiled without -pg


class Program:
    """FLAGS are the compiler's; besides, -strip drops statics, -relative compiles sources by
    relative paths,
    -nowhere says in the debug information that sources and directory of compilation have no
    directory, and -by-link
    and -by-build-id keep the debug information in a file that the image refers to in this way."""

    def __init__(self, name, sources, flags, compiler=None):
        self.name, self.flags = name, flags.split()
        self.sources = sources.split()
        self.compiler = compiler  # (variable, default) if not the compiler of the language

    def tool(self, source):
        return harness.tool(*(self.compiler or _LANGUAGES[os.path.splitext(source)[1]]))

    def commands(self):
        """(source, command) of every object, then (None, command) of the program; None: no
        compiler."""
        plain = [flag for flag in self.flags if flag not in _OWN_FLAGS]
        commands, objects, profiled = [], [], ["-pg"]
        for source in self.sources:
            if source == _WITHOUT_PG:
                profiled = []
                continue
            compiler = self.tool(source)
            if not compiler:
                return None
            objects.append(source.replace(".", "_") + ".o")
            path = os.path.join(SOURCES, source)
            if "-relative" in self.flags:
                path = os.path.relpath(path, os.path.join(CACHE, "new"))
            commands.append((source, compiler + plain + profiled + ["-c", "-o", objects[-1], path]))
        compiler = harness.tool("CC", "cc")
        if not compiler:
            return None
        padding = [flag for flag in plain if flag != "-flto"]
        commands.append(
            (
                "padding.c",
                compiler + padding + ["-c", "-o", "padding.o", os.path.join(SOURCES, "padding.c")],
            )
        )
        linker = self.tool(self.sources[0])
        commands.append((None, linker + plain + ["-pg", "-o", "image"] + objects + ["padding.o"]))
        return commands


PROGRAMS = [
    Program("mix-O0", "mix.c mix2.c", "-O0 -g"),
    Program("mix-O1", "mix.c mix2.c", "-O1 -g"),
    Program("mix-O2", "mix.c mix2.c", "-O2 -g"),
    Program("mix-O2-no-g", "mix.c mix2.c", "-O2"),
    Program("mix-static", "mix.c mix2.c", "-O1 -g -static"),
    Program("mix-no-pie", "mix.c mix2.c", "-O0 -g -fno-pie -no-pie"),
    Program("mix-partly", "mix.c without-pg mix2.c", "-O1 -g"),
    Program("mix-stripped", "mix.c mix2.c", "-O0 -g -strip"),
    Program("mix-dwarf4", "mix.c mix2.c", "-O2 -gdwarf-4 -gz"),
    Program("mix-relative", "mix.c mix2.c", "-O1 -g -relative"),
    Program("mix-relative-dwarf4", "mix.c mix2.c", "-O2 -gdwarf-4 -relative"),
    Program("mix-nowhere", "mix.c mix2.c", "-O1 -g -gdwarf-5 -nowhere"),
    Program("mix-nowhere-dwarf4", "mix.c mix2.c", "-O1 -gdwarf-4 -nowhere"),
    Program("mix-types-dwarf4", "mix.c mix2.c", "-O1 -gdwarf-4 -relative -fdebug-types-section"),
    Program("shapes-types", "shapes.cc", "-O0 -gdwarf-4 -relative -fdebug-types-section"),
    Program("mix-link", "mix.c mix2.c", "-O1 -g -by-link"),
    Program("mix-build-id", "mix.c mix2.c", "-O1 -g -Wl,--build-id=sha1 -by-build-id"),
    Program("mix-build-id-no-g", "mix.c mix2.c", "-O1 -Wl,--build-id=sha1"),
    Program("mix-lto", "mix.c mix2.c", "-O2 -gdwarf-4 -flto"),
    Program("mix-32", "mix.c mix2.c", "-O1 -g -m32"),
    Program("mix-clang", "mix.c mix2.c", "-O1 -gdwarf-4", ("CLANG", "clang")),
    Program("text-O2", "text.c", "-O2 -g"),
    Program("text-O3-no-g", "text.c", "-O3"),
    Program("text-static-no-pie", "text.c", "-O1 -g -static -fno-pie -no-pie"),
    Program("text-sections", "text.c", "-Os -g -ffunction-sections -Wl,--gc-sections"),
    Program("clones-O2", "clones.c", "-O2 -g"),
    Program("clones-O2-gnu99", "clones.c", "-O2 -g -std=gnu99"),
    Program("numbers-O0", "numbers.c", "-O0 -g"),
    Program("numbers-O2", "numbers.c", "-O2 -g"),
    Program("numbers-no-pie-no-g", "numbers.c", "-O1 -fno-pie -no-pie"),
    Program("inline-O0", "inline.c inline2.c", "-O0 -gdwarf-4"),
    Program("inline-O2", "inline.c inline2.c", "-O2 -gdwarf-4"),
    Program("inline-O1-no-pie", "inline.c inline2.c", "-O1 -gdwarf-4 -fno-pie -no-pie"),
    Program("count-O0", "count.c", "-O0 -g"),
    Program("count-static", "count.c", "-O0 -g -static"),
    Program("shapes-O0", "shapes.cc", "-O0 -gdwarf-4"),
    Program("shapes-O2", "shapes.cc", "-O2 -gdwarf-4"),
    Program("shapes-O1-no-g", "shapes.cc", "-O1"),
    Program("grid-O0", "grid.f90", "-O0 -g"),
    Program("grid-O2-no-g", "grid.f90", "-O2"),
]


def _key(program, commands):
    """A short name that depends on everything that the image depends on."""
    digest = hashlib.sha256(repr((commands, program.flags)).encode())
    for name in sorted(os.listdir(SOURCES)):
        with open(os.path.join(SOURCES, name), "rb") as file:
            digest.update(file.read())
    with open(__file__, "rb") as file:
        digest.update(file.read())
    for compiler in sorted({command[0] for _, command in commands}):
        digest.update(harness.run([compiler, "--version"])[1])
    return digest.hexdigest()[:16]


def _objcopy():
    objcopy = harness.tool("OBJCOPY", "objcopy")
    if not objcopy:
        raise RuntimeError("no objcopy")
    return objcopy


def build_id(image):
    """The build id, in hexadecimal, by the note that holds it: sizes of name and value, type 3,
    name, value."""
    found = re.search(
        rb"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0(.{20})", harness.read(image), re.DOTALL
    )
    if not found:
        raise RuntimeError("no build id")
    return found.group(1).hex()


def _separate(directory, by_link):
    """Moves the debug information of the image to a separate file."""
    image, debug = os.path.join(directory, "image"), os.path.join(directory, "image.debug")
    if not by_link:
        name = build_id(image)
        debug = os.path.join(directory, ".build-id", name[:2], name[2:] + ".debug")
        os.makedirs(os.path.dirname(debug))
    harness.must_run(_objcopy() + ["--only-keep-debug", image, debug])
    extra = ["--add-gnu-debuglink=" + debug] if by_link else []
    harness.must_run(_objcopy() + ["--strip-debug"] + extra + [image])


def _make_plain(directory, strip):
    """Replaces names that look like those of compiler clones."""
    objcopy = _objcopy()
    image = os.path.join(directory, "image")
    renamed = {n for n, _, _ in elf.symbols(image) if re.search(rb"[.$]", n)}
    table = os.path.join(directory, "names")
    with open(table, "wb") as file:
        for name in sorted(renamed):
            file.write(name + b" " + re.sub(rb"[.$]", b"_", name) + b"\n")
    extra = ["--discard-all"] if strip else []
    harness.must_run(objcopy + extra + ["--redefine-syms=" + table, image])
    os.unlink(table)


def _build_in(directory, program, commands):
    nowhere = (
        ["-ffile-prefix-map=%s/=" % SOURCES, "-ffile-prefix-map=%s=" % directory]
        if "-nowhere" in program.flags
        else []
    )
    for _, command in commands:
        harness.must_run(command + nowhere, directory)
    harness.must_run([os.path.join(directory, "image")], directory)
    _make_plain(directory, "-strip" in program.flags)
    if "-by-link" in program.flags or "-by-build-id" in program.flags:
        _separate(directory, "-by-link" in program.flags)
    for name in os.listdir(directory):
        if name.endswith(".o"):
            os.unlink(os.path.join(directory, name))


def build(program):
    """The directory with `image' and `gmon.out', and ""; or None and the reason."""
    commands = program.commands()
    if commands is None:
        return None, "a compiler is missing"
    target = os.path.join(CACHE, "%s-%s" % (program.name, _key(program, commands)))
    if os.path.isdir(target):
        return target, ""
    os.makedirs(CACHE, exist_ok=True)
    directory = tempfile.mkdtemp(prefix="new-", dir=CACHE)
    try:
        _build_in(directory, program, commands)
        os.rename(directory, target)
    except (OSError, RuntimeError) as error:
        shutil.rmtree(directory, ignore_errors=True)
        if os.path.isdir(target):  # another test has built it meanwhile
            return target, ""
        return None, "does not build here: " + str(error).splitlines()[-1]
    return target, ""


def own_functions(directory, sources):
    """Functions that occur in the program's sources, for use in specs."""
    text = b"".join(harness.read(os.path.join(SOURCES, name)) for name in sources)
    names = [name.decode() for name, _, _ in elf.symbols(os.path.join(directory, "image"))]
    return sorted({n for n in names if n.encode() in text and not set(n) & set(" .:/$@")})
