#!/usr/bin/env python3
"""Checks that the program, --help, the man page, the manual and the completions have the same
options with the same
arguments; that the man page has no errors; that the patch in CONTRIBUTING adds the report that it
says; and that
files have what HACKING says.

Usage: documents.py
"""

import sys

sys.dont_write_bytecode = True

import glob
import os
import re
import shlex
import shutil
import string

from lib import elf, gmonfile, harness

DOC = os.path.join(harness.SRCDIR, "doc")
COMPLETIONS = os.path.join(harness.SRCDIR, "completions")
NONE, OPTIONAL, REQUIRED = "no argument", "an optional argument", "an argument"
MOST_COLUMNS, MOST_LINES = 80, 100  # of the help
MOST_SCREEN, MOST_INSTALL = 45, 70  # lines of README.md before its first picture, and of INSTALL

# Accepted, but not documented: the old abbreviation of --print-path, before --per-file was added.
UNTOLD = {"--p"}


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def option(words):
    """((names), argument) of an option in the form `-p[spec], --flat-profile[=spec]'."""
    names = re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", re.sub(r"(?<=-[A-Za-z])(?=\[)", " ", words))
    names = [name if name.startswith("--") else name[:2] for name in names]
    argument = OPTIONAL if "[" in words else REQUIRED if re.search(r"=|-\w \w", words) else NONE
    return tuple(names), argument


# ---- Each place as a list of options ----


def help_lines():
    status, out, err = harness.run([harness.GPROF, "--help"])
    return out.decode().splitlines()


def of_help():
    """Options of one name may share a line: `-e, -E FUNCTION', `--quiet, --strict'."""
    found = []
    for line in help_lines():
        if re.match(r"  +-", line):
            names, argument = option(re.split(r"\s{2,}(?!--)", line.strip())[0])
            share = len({name.startswith("--") for name in names}) == 1
            found += [((name,), argument) for name in names] if share else [(names, argument)]
    return found


def of_man_page():
    text = read(DOC, "gprof.1").split(".SH OPTIONS")[1].split(".SH SYMSPECS")[0]
    found = []
    for line in re.findall(r"^\.TP\n(\..*)$", text, re.M):
        line = re.sub(r"^\.(BR|BI|B|IR) ", "", line)
        line = re.sub(r"\\f.", "", line).replace("\\", "")
        line = re.sub(r'"([^"]*)"', lambda match: match.group(1).replace(" ", "~"), line)
        found.append(option(line.replace(" ", "").replace("~", " ")))
    return found


def of_manual():
    text = read(DOC, "gprof.texi").split("@node Options\n")[1].split("@node Exit status")[0]
    found = []
    for item, itemx, indexed in re.findall(
        r"^@item (-.*)\n(?:@itemx (-.*)\n)?((?:@opindex .*\n)*)", text, re.M
    ):
        words = re.sub(r"@var\{([^}]*)\}", r"\1", item + (", " + itemx if itemx else ""))
        found.append(option(words))
        if tuple(re.findall(r"@opindex (\S+)", indexed)) != found[-1][0]:
            found.append(((item, "not in the index under all names"), NONE))
    return found


def of_bash():
    """Names only."""
    return set(
        re.findall(
            r"--?\w[\w-]*",
            re.search(r"_options='(.*?)'", read(COMPLETIONS, "gprof.bash"), re.S).group(1),
        )
    )


def of_zsh():
    found = []
    for line in read(COMPLETIONS, "gprof.zsh").splitlines():
        if not re.match(r"  '[-*(]", line) or re.match(r"  '\*:", line):
            continue
        specs = re.search(r"\{(.*?)\}'", line)
        names = (
            specs.group(1).split(",") if specs else [re.match(r"  '\*?(-[^[]*)\[", line).group(1)]
        )
        argument = (
            OPTIONAL
            if names[-1].endswith("-")
            else REQUIRED if re.search(r"[+=]$", names[-1]) else NONE
        )
        found.append((tuple(re.sub(r"[-+=]*$", "", name) for name in names), argument))
    return found


def of_fish():
    found = []
    for line in read(COMPLETIONS, "gprof.fish").splitlines():
        if not line.startswith("complete "):
            continue
        names = ["-" + name for name in re.findall(r" -s (\S)", line)]
        names += ["--" + name for name in re.findall(r" -l (\S+)", line)]
        found.append((tuple(names), REQUIRED if re.search(r" -[xr] ", line) else NONE))
    return found


# ---- Options of the program ----


def said(*arguments):
    return harness.run([harness.GPROF] + list(arguments))[2].decode().split("\n")[0]


def of_program():
    """The letters, and the long names that getopt's messages reveal: all except those with a unique
    first letter
    and an optional argument."""
    letters = {
        "-" + c
        for c in string.ascii_letters + string.digits
        if "invalid option" not in said("-" + c, "/")
    }
    names = set()
    for c in string.ascii_letters:
        for words in (["--" + c], ["--%s=x" % c]):
            names.update(re.findall(r"(?:possibilities: |, )(--[\w-]{2,})", said(*words)))
    return letters, names


def argument_of(name):
    """The kind of argument of a long name."""
    if "requires an argument" in said(name):
        return REQUIRED
    return NONE if "takes no argument" in said(name + "=x") else OPTIONAL


# ---- Comparing ----


def difference(wanted, got):
    missing = [o for o in wanted if o not in got]
    extra = [o for o in got if o not in wanted]
    text = "".join("missing: %s, %s\n" % (" ".join(o[0]), o[1]) for o in missing)
    text += "too many: %s\n" % extra if extra else ""
    if not text and wanted != got:
        text = "in another order: " + ", ".join(o[0][0] for w, o in zip(wanted, got) if w != o)
    return text


def without_optional(options):
    """Fish does not distinguish optional arguments from none."""
    return [(names, NONE if argument == OPTIONAL else argument) for names, argument in options]


def check_help(tap, options):
    lines = help_lines()
    tap.ok(len(options) > 40, "--help lists options", lines)
    wide = [line for line in lines if len(line) > MOST_COLUMNS]
    tap.ok(not wide, "--help: no line has more than %d columns" % MOST_COLUMNS, wide)
    bare = [
        line
        for line in lines
        if re.match(r"  +-", line) and not re.search(r"\S  +\S", line.strip().replace("    --", ""))
    ]
    tap.ok(not bare, "--help: one line for each option", bare)
    indented = [line for line in lines if line.startswith("       ")]
    tap.ok(not indented, "--help: no line goes on on the next", indented)
    tap.ok(len(lines) <= MOST_LINES, "--help: at most %d lines" % MOST_LINES, len(lines))
    groups = [re.sub(" .*|:", "", line) for line in lines if re.match(r"[A-Z].*:$", line)]
    wanted = ["Examples,", "Table", "Reports", "Comparing", "Many", "Other"]
    tap.ok(groups == wanted, "--help: examples first, then options in the order of use", groups)
    examples = [line for line in lines if line.startswith("  gprof ")]
    used = {word for line in examples for word in re.findall(r" (-\w|--[\w-]+)", line)}
    unknown = used - {name for names, _ in options for name in names}
    tap.ok(
        len(examples) == 3 and not unknown, "--help: its examples use options that exist", unknown
    )
    formats = (
        re.search(r"FORMAT is (.*?)\.", " ".join(lines))[1]
        .replace(",", "")
        .replace(" or ", " ")
        .split()
    )
    offered = said("--format=/").split(":")[-1].split()
    tap.ok(len(formats) > 5 and formats == offered, "--help names all formats", (formats, offered))


def check_program(tap, options):
    letters, names = of_program()
    told = {name for names_, _ in options for name in names_}
    extra = (letters | names) - told - UNTOLD
    tap.ok(
        not extra, "the program takes no option that --help is silent of", " ".join(sorted(extra))
    )
    missing = {name for name in told if len(name) == 2} - letters
    tap.ok(not missing, "the program takes all letters of --help", " ".join(sorted(missing)))
    wrong = []
    for names_, argument in options:
        for name in names_:
            if name.startswith("--") and (
                said(name + "x").find("unrecognized") < 0 or argument_of(name) != argument
            ):
                wrong.append(name)
    tap.ok(not wrong, "long names and their arguments are as --help says", " ".join(wrong))


def check_columns(tap):
    """The columns of --top and --base, wherever they are listed."""
    names = set(said("--top", "--columns=", "/").split("columns are: ")[1].split())
    compared = set(said("--base=-", "--columns=", "/").split("columns are: ")[1].split())
    places = {
        "bash": re.search(r"_columns='(.*?)'", read(COMPLETIONS, "gprof.bash"), re.S).group(1),
        "zsh": re.search(r"columns=\((.*?)\)", read(COMPLETIONS, "gprof.zsh"), re.S).group(1),
    }
    for i, found in enumerate(
        re.findall(r"__fish_append , (.*?)\)", read(COMPLETIONS, "gprof.fish"))
    ):
        places["fish, %d" % (i + 1)] = found
    for place, listed in places.items():
        wrong = (names | compared) ^ set(listed.split())
        tap.ok(not wrong, "columns complete in " + place, " ".join(wrong))
    page = re.search(r"The columns are:(.*?)\.RE", read(DOC, "gprof.1"), re.S).group(1)
    listed = set(re.findall(r"\\fB(.*?)\\fR", "\n".join(re.findall(r"^\.IP .*", page, re.M))))
    tap.ok(names == listed, "the man page explains all columns", " ".join(names ^ listed))
    table = re.search(
        r"These are all columns:(.*?)@end multitable", read(DOC, "gprof.texi"), re.S
    ).group(1)
    listed = {
        name
        for row in re.findall(r"^@item (.*?)@tab", table, re.M)
        for name in re.findall(r"@code\{(.*?)\}", row)
    }
    tap.ok(names == listed, "the manual explains all columns", " ".join(names ^ listed))
    section = re.search(
        r"@section The columns of a comparison(.*?)@cindex clones", read(DOC, "gprof.texi"), re.S
    ).group(1)
    missing = compared - set(re.findall(r"@code\{(.*?)\}", section))
    tap.ok(not missing, "and all of comparisons", " ".join(missing))
    shell = harness.tool("BASH", "bash")
    if not shell:
        return tap.skip("bash completes a list of columns", "no bash")
    command = (
        "compopt() { :; }; . %s; COMP_WORDS=(gprof --sort = self,-to) COMP_CWORD=3; _regprof; echo"
        " ${COMPREPLY[*]}"
    )
    out = harness.run(shell + ["-c", command % os.path.join(COMPLETIONS, "gprof.bash")])[1].decode()
    tap.ok(
        out.split()[:4] == ["self,-total", "self,-total%", "self,-total-error", "self,-total/call"],
        "bash completes a list of columns",
        out,
    )


def check_functions(tap):
    """Functions of the image complete specs."""
    image = os.path.join(harness.TEMP, "image")
    harness.write(
        image, elf.parse("function main 8\nfunction middle 8\nfunction _ZN2Sq4areaEv 8\n").bytes()
    )
    os.chmod(image, 0o755)
    cases = (
        ("gprof image -pmid", "-pmiddle"),
        ("gprof image -k main/mid", "main/middle"),
        ("gprof -b image -e m", "main middle"),
        ("gprof image --time = mid", "middle"),
        ("gprof image --graph = mid", "middle"),
        ("gprof image -pSq :: a", "area"),
        ("gprof -e mid", ""),
    )
    shell = harness.tool("BASH", "bash")
    for words, wanted in cases:
        name = "bash completes functions: " + words
        if not shell or not harness.tool("NM", "nm"):
            tap.skip(name, "no bash, or no nm")
            continue
        command = (
            "compopt() { :; }; . %s; COMP_WORDS=(%s) COMP_CWORD=%d; _regprof; echo ${COMPREPLY[*]}"
        )
        command %= os.path.join(COMPLETIONS, "gprof.bash"), words, len(words.split()) - 1
        out = harness.run(shell + ["-c", command], cwd=harness.TEMP)[1].decode()
        tap.ok(out.split() == wanted.split(), name, out)
    shell = harness.tool("FISH_SHELL", "fish")
    for line, wanted in (
        ("-e mid", "middle"),
        ("--flat-profile=mid", "--flat-profile=middle"),
        ("-k main/mid", "main/middle"),
    ):
        name = "fish completes functions: " + line
        if not shell or not harness.tool("NM", "nm"):
            tap.skip(name, "no fish, or no nm")
            continue
        script = (
            read(COMPLETIONS, "gprof.fish").replace("@COMMAND@", "gprof")
            + "complete -C 'gprof image %s'" % line
        )
        env = dict(harness.ENV, HOME=harness.TEMP)
        out = harness.run(shell + ["--no-config", "-c", script], harness.TEMP, env)[1].decode()
        tap.ok(out.split("\t")[0] == wanted, name, out)


def check_mistakes(tap):
    """What is wrong with the command line is said in one line, with what may have been meant; all
    of standard error
    is compared."""
    harness.write(os.path.join(harness.TEMP, "profile"), b"gmon\1" + bytes(15))
    negative = re.findall(r"(--no-[\w-]+)", "\n".join(help_lines()))
    missing, again = "No such file or directory", "Try 'gprof --help' for more information."
    for words, *lines in (
        ("--colums=self", "unrecognized option `--colums=self'; similar options: --columns", again),
        ("--forkus=x", "unrecognized option `--forkus=x'; similar options: --focus", again),
        ("--nonsense", "unrecognized option `--nonsense'", again),
        ("--html=x image", "unrecognized option `--html=x'; did you mean --format=html?", again),
        ("--top imge", "imge: %s: did you mean image?" % missing),
        ("--top 5 image", "5: %s: if it is the argument of --top, attach it: --top=5" % missing),
        ("image profle", "profle: %s: did you mean profile?" % missing),
        ("--no", "option `--no' is ambiguous; possibilities: " + ", ".join(negative), again),
        ("--separate=no", "option `--separate=no' takes no argument", again),
        ("-bX", "invalid option `-X'", again),
        ("--width", "option `--width' requires an argument", again),
        (
            "-p mid image profile",
            "mid: %s: if it is the argument of -p, attach it: -pmid" % missing,
        ),
        (
            "image profile -bq main",
            "main: %s: if it is the argument of -q, attach it: -qmain" % missing,
        ),
        (
            "--flat-pro f image",
            "f: %s: if it is the argument of --flat-pro, attach it: --flat-pro=f" % missing,
        ),
        (
            "-pf none profile",
            "none: %s: the first argument must be the profiled executable" % missing,
        ),
        (
            "-b none profile",
            "none: %s: the first argument must be the profiled executable" % missing,
        ),
        (
            "profile image",
            (
                "profile: is a profile, not an executable: the first argument must be the profiled"
                " executable"
            ),
        ),
        (
            "image image",
            (
                "image: is an executable, not a profile: the first argument is the executable (now"
                " image), profiles follow"
            ),
        ),
    ):
        status, out, err = harness.run([harness.GPROF] + words.split(), name="gprof")
        wanted = "".join(line + "\n" if line == again else "gprof: %s\n" % line for line in lines)
        tap.ok(status == 1 and not out and err.decode() == wanted, "a mistake: " + words, err)


def check_versions(tap):
    version = harness.run([harness.GPROF, "--version"])[1].split()[2].decode()
    tap.ok(
        '"regprof %s"' % version in read(DOC, "gprof.1"), "the man page is of version " + version
    )
    tap.ok(
        "\nVersion:        %s\n" % version in read(harness.SRCDIR, "packaging", "regprof.spec"),
        "the package for RPM is of version " + version,
    )
    tap.ok(version + "\n-----" in read(harness.SRCDIR, "NEWS"), "NEWS has version " + version)


def check_man_page(tap):
    page = os.path.join(DOC, "gprof.1")
    for name, command in (
        ("mandoc -T lint", ["mandoc", "-T", "lint", page]),
        ("man --warnings", ["man", "--warnings", "-l", page]),
    ):
        program = harness.tool(command[0].upper(), command[0])
        if not program:
            tap.skip("the man page is clean: " + name, "no " + command[0])
            continue
        status, out, err = harness.run(program + command[1:])
        complaint = out + err if command[0] == "mandoc" else err
        tap.ok(
            status == 0 and not complaint,
            "the man page is clean: " + name,
            complaint.decode("utf-8", "replace"),
        )


def check_gate(tap):
    """The manual page of gprof-gate has the options of its help, and no error."""
    page = read(DOC, "gprof-gate.1").replace("\\-", "-")
    help = harness.run([os.path.join(harness.SRCDIR, "contrib", "ci", "gprof-gate"), "--help"])[
        1
    ].decode()
    told, listed = ({name for name in re.findall(r"--[a-z][\w-]*", text)} for text in (page, help))
    tap.ok(
        len(listed) > 10 and listed <= told,
        "the man page of gprof-gate explains its options",
        " ".join(listed ^ told),
    )
    program = harness.tool("MANDOC", "mandoc")
    if not program:
        return tap.skip("the man page of gprof-gate is clean", "no mandoc")
    status, out, err = harness.run(program + ["-T", "lint", os.path.join(DOC, "gprof-gate.1")])
    tap.ok(status == 0 and not out + err, "the man page of gprof-gate is clean", out + err)


MAN_SECTIONS = [
    "NAME",
    "SYNOPSIS",
    "DESCRIPTION",
    "OPTIONS",
    "SYMSPECS",
    "EXIT STATUS",
    "ENVIRONMENT",
    "FILES",
    "EXAMPLES",
    "NOTES",
    "DIFFERENCES",
    "REPORTING BUGS",
    "COPYRIGHT",
    "SEE ALSO",
]


def check_man_examples(tap, options):
    """The sections of the manual page; its examples use options that exist, and show the ways in
    which most work."""
    text = read(DOC, "gprof.1")
    found = re.findall(r"^\.SH (.*)", text, re.M)
    tap.ok(found == MAN_SECTIONS, "the manual page has its sections", found)
    examples = text.split(".SH EXAMPLES")[1].split(".SH NOTES")[0].replace("\\-", "-")
    commands = [line for line in examples.splitlines() if line.startswith("gprof ")]
    used = {word for line in commands for word in re.findall(r" (-\w|--[\w-]+)", line)}
    unknown = used - {name for names, _ in options for name in names}
    tap.ok(len(commands) > 6 and not unknown, "its examples use options that exist", unknown)
    wanted = {"-l", "-A", "--per-file", "--focus", "-s"}
    tap.ok(
        wanted <= used and "g++" in examples,
        "and are of C++, of lines and of many profiles",
        wanted - used,
    )
    license = "License GPLv3+: GNU GPL version 3 or later"
    version = harness.run([harness.GPROF, "--version"])[1].decode()
    tap.ok(license in text and license in version, "its licence is that of --version")


def check_layers(tap):
    """HACKING names every module of every layer, and no others."""
    text = harness.read(os.path.join(harness.SRCDIR, "HACKING")).decode()
    table = (
        text.split("what it is for, and its modules\n", 1)[1].split("\n\n", 1)[0].split("\n", 1)[1]
    )
    told, layer = {}, None
    for line in table.split("\n"):
        layer = line[4:15].strip() or layer
        told.setdefault(layer, set()).update(
            re.findall(r"\w+", line[15:].split("; the sources", 1)[0])
        )
    wrong = []
    for layer in sorted({*told, *os.listdir(os.path.join(harness.SRCDIR, "src"))}):
        paths = [
            path
            for top in ("src", "include")
            for path in glob.glob(os.path.join(harness.SRCDIR, top, layer, "*.[ch]"))
        ]
        modules = {os.path.splitext(os.path.basename(path))[0] for path in paths}
        wrong += [
            "%s/%s is not in HACKING" % (layer, name)
            for name in sorted(modules - told.get(layer, set()))
        ]
        # Other words of the row describe the layer; what looks like a module has to be one.
        wrong += [
            "%s/%s is not there" % (layer, name)
            for name in sorted(told.get(layer, set()) - modules)
            if "_" in name
        ]
    tap.ok(told and not wrong, "HACKING names the modules of each layer", wrong)


def flags_of_build(words):
    """What `make' of the build puts in the place of words with its variables."""
    rule = "print-words:; @echo '%s'" % words
    return shlex.split(
        harness.must_run(
            [
                "make",
                "-s",
                "--no-print-directory",
                "-C",
                harness.BUILDDIR,
                "--eval=" + rule,
                "print-words",
            ]
        ).decode()
    )


def build_patched(tree):
    """The program with the sources of a patched tree, of which only those are compiled that differ
    from the build."""
    program = os.path.join(tree, "gprof")
    compiler = flags_of_build(
        "$(CC) $(DEFS) -I. -I%s/include -I%s/src $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS)"
        % (tree, tree)
    )
    objects = []
    for path in sorted(glob.glob(os.path.join(tree, "src", "*", "*.c"))):
        if "option_rows.h" in read(path) or os.path.basename(path) in (
            "print_by_address.c",
            "report.c",
        ):
            objects.append(path[:-1] + "o")
            result = harness.run(compiler + ["-c", "-o", objects[-1], path], cwd=harness.BUILDDIR)
            if result[0] != 0:
                return None, harness.said(result)
    linker = flags_of_build("$(CC) $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS)") + [
        "-o",
        program,
        os.environ["MAIN_OBJECT"],
    ]
    result = harness.run(
        linker + objects + flags_of_build("$(LDADD) $(LIBS)"), cwd=harness.BUILDDIR
    )
    return program if result[0] == 0 else None, harness.said(result)


BY_ADDRESS = """\
    calls  function
        0  first
        7  second
        0  third
"""


def check_contributing(tap):
    """The example of CONTRIBUTING is a patch that applies to the present sources; the program then
    prints its report."""
    name = "the patch in CONTRIBUTING adds its report"
    patch, compiler = harness.tool("PATCH", "patch"), harness.tool("CC", "cc")
    if not patch or not compiler or not os.environ.get("MAIN_OBJECT"):
        return tap.skip(name, "no patch, no compiler, or not run by make")
    tree = os.path.join(harness.TEMP, "patched")
    for part in ("src", "include", "tests/golden"):
        shutil.copytree(os.path.join(harness.SRCDIR, part), os.path.join(tree, part))
    shutil.copy(os.path.join(harness.SRCDIR, "Makefile.am"), tree)
    harness.must_run(["chmod", "-R", "u+w", tree])
    page = os.path.join(harness.SRCDIR, "CONTRIBUTING")
    status, out, err = harness.run(patch + ["--force", "--fuzz=0", "-p1", "-d", tree, "-i", page])
    program, said = (
        build_patched(tree) if status == 0 else (None, (out + err).decode("utf-8", "replace"))
    )
    if program:
        image = "text 0x1000\n" + "".join(
            "function %s 0x10\n" % function for function in ("first", "second", "third")
        )
        harness.write(os.path.join(tree, "image"), elf.parse(image).bytes())
        records = [gmonfile.Histogram(0x1000, 0x1030, 24, {}, 100), ("arc", 0x1004, 0x1010, 7)]
        harness.write(
            os.path.join(tree, "gmon.out"),
            gmonfile.Profile(gmonfile.Layout(64, "little"), records).bytes(),
        )
        status, out, err = harness.run([program, "-b", "--by-address", "image", "gmon.out"], tree)
        said = (out + err).decode("utf-8", "replace")
    tap.ok(program and said == BY_ADDRESS, name, said)


def macros():
    return "".join(read(path) for path in glob.glob(os.path.join(harness.SRCDIR, "m4", "*.m4")))


def check_readme(tap, options):
    """README and README.md are the same, and the pictures in it are there and small enough to be
    looked at over a
    slow line."""
    tap.ok(
        read(harness.SRCDIR, "README") == read(harness.SRCDIR, "README.md"), "README is README.md"
    )
    pictures = re.findall(r"^!\[.*\]\((.*)\)$", read(harness.SRCDIR, "README.md"), re.M)
    sizes = [os.path.getsize(os.path.join(harness.SRCDIR, picture)) for picture in pictures]
    tap.ok(sizes and max(sizes) < 150000, "its pictures are small", (pictures, sizes))
    screen = read(harness.SRCDIR, "README.md").split("\n\n![")[0].splitlines()
    tap.ok(20 < len(screen) <= MOST_SCREEN, "its first screen", len(screen))
    commands = [line.split("#")[0] for line in screen if line.startswith("    $ ")]
    used = {
        word
        for line in commands
        if "gprof" in line
        for word in re.findall(r" (-\w|--[\w-]+)", line)
    }
    unknown = used - {name for names, _ in options for name in names}
    tap.ok(
        len(commands) == 3 and not unknown,
        "has three commands, with options that exist",
        (commands, unknown),
    )
    lines = read(harness.SRCDIR, "INSTALL").splitlines()
    tap.ok(len(lines) <= MOST_INSTALL, "INSTALL is short", len(lines))
    name = r"--(?:with|without|enable|disable)-([\w-]+)"
    told = set(re.findall(name, "\n".join(lines)))
    known = set(re.findall(r"\[%s[=\]]" % name, macros())) | {"nls"}
    tap.ok(told - {"targets"} == known, "INSTALL has the options of configure", told ^ known)


def check_scripts(tap):
    """--help of the two scripts that INSTALL begins with prints all of the comment at their top,
    and does nothing else."""
    place = os.path.join(harness.TEMP, "sources")
    shutil.copytree(os.path.join(harness.SRCDIR, "scripts"), os.path.join(place, "scripts"))
    for name in ("demo", "check"):
        path = os.path.join(place, "scripts", name)
        status, out, err = harness.run([path, "--help"], place)
        told = [line[2:] for line in read(path).split("\nset ")[0].split("\n")[1:]]
        tap.ok(
            status == 0 and not err and out.decode().splitlines() == told,
            "scripts/%s --help" % name,
            out + err,
        )
    tap.ok(os.listdir(place) == ["scripts"], "and nothing else", os.listdir(place))


# ---- HACKING ----

_FOLDERS = (
    "bench|completions|contrib|doc|examples|include|m4|packaging|po|runtime|scripts|src|tests"
)
_PATH = r"(?<![\w/.-])(?:%s)/[\w./-]*[\w/]" % _FOLDERS
_HOLE = re.compile(r"NAME|LANGUAGE")  # in paths that a newcomer makes


# What writes, removes or renames a file, or starts a program: by source, what SECURITY.md says of
# it.
WRITES = (
    r"O_(?:WRONLY|CREAT)|O_RDWR \| O_CREAT|\bmkstemps?\(|\bfopen\([^\"]*\"[wa]"
    r"|\b(?:rename|unlink|unlinkat|symlink|mkdir)\("
)
WRITERS = {
    "src/base/files.c": "`.gprof-unfinished-output-`",  # atomic_file: -o and sums
    "src/input/source_files.c": "`NAME-ann`",
    "src/program/open_page.c": "`--open` writes a page",
    "src/program/mode_sum.c": "removes those of an earlier sum",
    "src/program/main.c": "`--open` writes a page",  # removed again if it could not be written
}
STARTS = r"\b(?:posix_spawnp?|exec[lv]p?e?|popen|system|v?fork)\("
STARTERS = {"src/program/open_page.c": "`xdg-open`", "src/foreign/stream.c": "`perf script`"}


def check_security(tap):
    """SECURITY.md names what the sources write, start and read of the environment, and no more."""
    gprof, library = read(harness.SRCDIR, "SECURITY.md").replace("\n  ", " ").split("## libregmon")
    sources = {p: re.sub(r"/\*.*?\*/", "", read(p), flags=re.S) for p in harness.sources()}
    for what, pattern, known in (("written", WRITES, WRITERS), ("started", STARTS, STARTERS)):
        found = {p for p, source in sources.items() if re.search(pattern, source)}
        wrong = {os.path.relpath(p, harness.SRCDIR) for p in found} ^ set(known)
        wrong |= {words for words in known.values() if words not in gprof}
        tap.ok(not wrong, "SECURITY.md: what is %s" % what, wrong)
    table = gprof[gprof.index("| variable") : gprof.index("A message catalogue")]
    rows = [
        (re.findall(r"`(\w+)`", names), use)
        for names, use in re.findall(r"^\| (`.*?`) \| (.*) \|$", table, re.M)
    ]
    named = {name for names, _ in rows for name in names}
    by_libraries = {
        name for names, use in rows if re.search("libbfd|language", use) for name in names
    }
    asked = {
        name for source in sources.values() for name in re.findall(r'\bgetenv\("(\w+)"\)', source)
    }
    wrong = asked - named | named - asked - by_libraries
    tap.ok(not wrong, "SECURITY.md: the environment of gprof", wrong)
    runtime = "".join(read(p) for p in glob.glob(os.path.join(harness.SRCDIR, "runtime", "*.c")))
    asked = set(re.findall(r'\bgetenv\("(\w+)"\)', runtime)) | set(
        re.findall(r'"([A-Z]\w+)="', runtime)
    )
    unsaid = {
        name for name in asked if not name.startswith("REGMON_") and "`%s`" % name not in library
    }
    tap.ok(len(asked) >= 6 and not unsaid, "SECURITY.md: the environment of libregmon", unsaid)


def claims(text):
    """(path, name): what HACKING says that a file has.  In `PATH: a member of enum kind, and a row
    of kind_names' these
    are `enum kind' and `kind_names'; in `struct style in PATH' it is `struct style'."""
    for name, path in re.findall(r"((?:struct|enum) \w+) in (%s)" % _PATH, text):
        yield path, name
    for item in re.split(r"\n *(?:\d+\. |\n)", text):
        parts = re.split(r"(%s): " % _PATH, " ".join(item.split()))
        for path, said in zip(parts[1::2], parts[2::2]):
            said = re.split(r"\. (?=[A-Z])", said)[0]  # what follows is of something else
            for name in re.findall(
                r"(?<![\w/.])(?:(?:struct|enum) \w+|[a-z]\w*_\w+)(?![\w/]|\.\w)", said
            ):
                yield path, name


def check_hacking(tap):
    """Files that HACKING names exist, and have what it says in `How to add ...'."""
    text = read(harness.SRCDIR, "HACKING")
    paths = {path for path in re.findall(_PATH, text) if not _HOLE.search(path)}
    tops = (harness.SRCDIR, harness.BUILDDIR)
    missing = [
        path for path in paths if not any(os.path.exists(os.path.join(top, path)) for top in tops)
    ]
    tap.ok(
        len(paths) > 50 and not missing, "files that HACKING names exist", " ".join(sorted(missing))
    )
    section = re.search(r"^How to add \.\.\.\n-+\n(.*?)\n\n\n", text, re.M | re.S)[1]
    said = [
        claim for claim in claims(section) if not _HOLE.search(claim[0]) and claim[0] not in missing
    ]
    wrong = [
        "%s: %s" % claim
        for claim in said
        if not re.search(r"\b%s\b" % claim[1], read(harness.SRCDIR, claim[0]))
    ]
    tap.ok(len(said) > 5 and not wrong, "and have what it says", wrong)


def main():
    tap = harness.Tap()
    options = of_help()
    check_help(tap, options)
    check_program(tap, options)
    for name, place in (("the man page", of_man_page), ("the manual", of_manual)):
        what = difference(options, place())
        tap.ok(not what, "%s explains the options of --help, in their order" % name, what)
    told = {name for names, _ in options for name in names}
    wrong = told ^ of_bash()
    tap.ok(not wrong, "completion for bash", " ".join(sorted(wrong)))
    what = difference(sorted(options), sorted(of_zsh()))
    tap.ok(not what, "completion for zsh", what)
    what = difference(sorted(without_optional(options)), sorted(without_optional(of_fish())))
    tap.ok(not what, "completion for fish", what)
    check_columns(tap)
    check_functions(tap)
    check_mistakes(tap)
    check_versions(tap)
    check_man_page(tap)
    check_gate(tap)
    check_man_examples(tap, options)
    check_layers(tap)
    check_contributing(tap)
    check_readme(tap, options)
    check_scripts(tap)
    check_hacking(tap)
    check_security(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
