#!/usr/bin/env python3
"""Golden cases: one line in golden/cases.txt, its expected text in golden/expected.

A line is

    NAME | COMMAND | STATUS | TAGS

COMMAND is a shell line in which `gprof' is the program under test.  It runs in a new directory with
the images, the
profiles and the sources:

    golden/images/X.s     assembled and linked to    X          (macros.inc, image.ld)
    golden/images/X.elf   written by elf.py to       X
    golden/profiles/X-*.gm  written by mkgmon to     X-*.gmon   (the symbols of image X are known)
    golden/profiles/*.folded, *.stacks  copied: drawn stacks of an interpreter, a record of a run
    golden/sources/*      copied to                  sources/*

golden/expected/NAME.out is the expected standard output, with the files that the command made (each
after a line
`==> FILE <=='; binary files in hexadecimal).  NAME.err has fragments of standard error, one per
line, in order;
without it, standard error must be empty.  TAGS:

    same=NAME     the output is that of the case NAME, as where an option changes nothing; there is
    no NAME.out of its own
    from=NAME     NAME.out has only what differs from the output of the case NAME, as `diff -U0'
    prints it
    differs=N     the reference has difference N here.  golden/expected/NAME.ref, if differences.py
    does not test how, has
                  its status, in the first line, and how its output differs from ours, as `diff -U0'
                  prints it.  Compared
                  with the reference if it is GNU gprof 2.40, the version of which this is known
    noref=WORD    the reference is not run, for the reason WORD
    terminal      standard output is a terminal of 80 columns and 24 lines, in UTF-8: what is
                  printed fits in both, with at most two lines below the last empty one

Usage: golden.py [--accept] [--list] [NAME...]   NAMEs select cases; --accept writes the output to
the
expected files instead of comparing, also that of the reference, and --list prints the output.
"""

import sys

sys.dont_write_bytecode = True

import difflib
import os
import re
import shutil

from lib import elf, harness
from lib.harness import TEMP

GOLDEN = os.path.join(harness.TESTS, "golden")
EXPECTED = os.path.join(GOLDEN, "expected")
COLUMNS, LINES = 80, 24  # of a terminal


_LINE = r"(\S+) \| (.*) \| (\d+)(?: \| (.*))?"  # the command may contain pipes


def changes(old, new):
    """How NEW differs from OLD, as `diff -U0' prints it, without names of files."""
    old, new = (text.decode("latin-1").split("\n") for text in (old, new))
    lines = list(difflib.unified_diff(old, new, n=0, lineterm=""))[2:]
    return "".join(line + "\n" for line in lines).encode("latin-1")


def changed(old, text):
    """What OLD becomes by the changes that TEXT has."""
    old, new, at = old.split(b"\n"), [], 0
    for line in text.split(b"\n")[:-1]:
        head = re.match(rb"@@ -(\d+)(,0)?", line)
        if head:
            start = int(head.group(1)) - (not head.group(2))
            new, at = new + old[at:start], start
        elif line.startswith(b"+"):
            new.append(line[1:])
        else:
            at += 1
    return b"\n".join(new + old[at:])


def read_expected(name, kind):
    """The bytes of an expected file; None if there is none."""
    try:
        with open(os.path.join(EXPECTED, "%s.%s" % (name, kind)), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


class Case:
    def __init__(self, line):
        name, command, status, tags = re.fullmatch(_LINE, line).groups()
        self.name, self.command, self.status = name, command, int(status)
        self.tags = dict(tag.partition("=")[::2] for tag in (tags or "").split())
        self.base = None  # the case whose output this one's is made from

    def output(self):
        """The expected standard output; None if there is none."""
        if "same" in self.tags:
            return self.base.output()
        text = read_expected(self.name, "out")
        return changed(self.base.output(), text) if self.base and text is not None else text


def read_cases(wanted):
    with open(os.path.join(GOLDEN, "cases.txt"), encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    cases = [Case(line) for line in lines if line and not line.startswith("#")]
    names = [case.name for case in cases]
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise ValueError("cases of one name: " + ", ".join(sorted(repeated)))
    named = dict(zip(names, cases))
    for case in cases:
        base = case.tags.get("same") or case.tags.get("from")
        case.base = base and named[base]
    cases.sort(
        key=lambda case: "from" in case.tags
    )  # --accept writes those that others are made from first
    return [case for case in cases if not wanted or case.name in wanted]


# ---- Material ----


def assemble(source, image):
    images = os.path.join(GOLDEN, "images")
    assembler, linker = harness.tool("AS", "as"), harness.tool("LD", "ld")
    if not assembler or not linker:
        return False
    thing = image + ".o"
    made = harness.run(assembler + ["-I", images, "-o", thing, source])[0] == 0
    made = (
        made
        and harness.run(
            linker + ["-e", "0", "-T", os.path.join(images, "image.ld"), "-o", image, thing]
        )[0]
        == 0
    )
    if os.path.exists(thing):
        os.unlink(thing)
    if made:
        with open(image, "rb") as file:
            made = file.read(6) == b"\x7fELF\x02\x01"
    return made


def build_images(directory):
    images = os.path.join(GOLDEN, "images")
    missing = []
    for name in sorted(os.listdir(images)):
        stem, kind = os.path.splitext(name)
        source, image = os.path.join(images, name), os.path.join(directory, stem)
        if kind == ".elf":
            with open(source, encoding="ascii") as file:
                content = elf.parse(file.read()).bytes()
            with open(image, "wb") as file:
                file.write(content)
        elif kind == ".s" and not assemble(source, image):
            missing.append(stem)
    return missing


def write_symbols(image, path):
    with open(path, "wb") as file:
        for name, address, _ in elf.symbols(image):
            if all(33 <= c < 127 and c not in b'+-"#' for c in name):
                file.write(b"symbol %s %#x\n" % (name, address))


def build_profiles(directory):
    profiles = os.path.join(GOLDEN, "profiles")
    for name in sorted(os.listdir(profiles)):
        stem, kind = os.path.splitext(name)
        image = os.path.join(directory, stem.split("-")[0])
        if kind in (".folded", ".stacks"):
            shutil.copy(os.path.join(profiles, name), directory)
        if kind != ".gm" or not os.path.exists(image):
            continue
        names = os.path.join(TEMP, "symbols")
        write_symbols(image, names)
        target = os.path.join(directory, stem + ".gmon")
        harness.must_run([harness.mkgmon(), "-o", target, names, os.path.join(profiles, name)])


def build(directory):
    os.mkdir(directory)
    missing = build_images(directory)
    build_profiles(directory)
    sources = os.path.join(directory, "sources")
    shutil.copytree(os.path.join(GOLDEN, "sources"), sources)
    os.chmod(sources, 0o755)  # the source tree may be read-only
    return missing


# ---- Running ----


def show_new_files(directory, before):
    shown = b""
    for name in sorted(set(os.listdir(directory)) - before):
        with open(os.path.join(directory, name), "rb") as file:
            content = file.read()
        if b"\0" in content:
            rows = (content[i : i + 16].hex(" ") for i in range(0, len(content), 16))
            content = "".join(row + "\n" for row in rows).encode()
        shown += b"==> %s <==\n" % name.encode() + content
    return shown


def run_case(case, program, material):
    """Runs a case; returns status, output with the files it made, standard error.

    Its directory has links to the material, which no case may change."""
    directory = os.path.join(TEMP, "run-%s-%s" % (case.name, os.path.basename(program)))
    shutil.copytree(material, directory, copy_function=os.link)
    before = set(os.listdir(directory))
    script = 'gprof() { "$PROGRAM" "$@"; }\n' + case.command
    env, command = dict(harness.ENV, PROGRAM=program), ["/bin/sh", "-c", script]
    if "terminal" in case.tags:
        env["LC_ALL"] = "C.UTF-8"
        status, out, err = harness.result_on_terminal(command, COLUMNS, directory, env, LINES)
    else:
        status, out, err = harness.run(command, directory, env)
    out += show_new_files(directory, before)
    shutil.rmtree(directory)
    return status, out, err


def missing_fragment(fragments, err):
    at = 0
    for fragment in fragments.splitlines():
        at = err.find(fragment, at)
        if at < 0:
            return fragment
        at += len(fragment)
    return None


def fits(text):
    """Whether a terminal shows all of the text, and a line with the prompt below it."""
    lines = text.splitlines()
    last = text.rpartition("\n\n")[2].splitlines()
    below = 0 if re.search(r"\w%? +(name|code)$", last[0]) else len(last)  # it is a table
    return max(map(len, lines)) <= COLUMNS and len(lines) < LINES and below <= 2


def complaint(case, status, out, err):
    """What is wrong with a result; empty if nothing is."""
    expected = case.output()
    if expected is None:
        return "no expected text: %s.out" % case.name
    said = "".join(
        "stderr: %s\n" % line for line in err.decode("utf-8", "backslashreplace").splitlines()[:8]
    )
    if status != case.status:
        return "status %d instead of %d\n%s" % (status, case.status, said)
    if out != expected:
        return harness.diff(expected, out) + "\n" + said
    if "terminal" in case.tags and not fits(out.decode()):
        return "it does not fit the terminal"
    fragments = read_expected(case.name, "err")
    if fragments is None:
        return said
    fragment = missing_fragment(fragments, err)
    if fragment is not None:
        return "standard error does not say: %s\n%s" % (fragment.decode(), said)
    return ""


def accept(case, status, out, err):
    """Writes the expected output, except of a case that has that of another, which has to say so no
    longer."""
    if "same" not in case.tags:
        text = changes(case.base.output(), out) if case.base else out
        harness.write(os.path.join(EXPECTED, case.name + ".out"), text)
    elif case.output() != out:
        print(
            "%s: NOT ACCEPTED: the output is not the same as of %s" % (case.name, case.tags["same"])
        )
        return
    print("%s: status %d%s" % (case.name, status, "" if status == case.status else " UNEXPECTED"))
    if err and read_expected(case.name, "err") is None:
        print("  says: " + err.decode("utf-8", "backslashreplace").rstrip())


def check_files(tap, cases):
    """Each expected file is that of a case, and no two outputs are the same."""
    named = {"%s.%s" % (case.name, kind) for case in cases for kind in ("out", "err", "ref")}
    named -= {case.name + ".out" for case in cases if "same" in case.tags}
    found = set(os.listdir(EXPECTED))
    tap.ok(found <= named, "each expected file is that of a case", " ".join(sorted(found - named)))
    first, repeated = {}, []
    for case in cases:
        out = case.output()
        if out and "same" not in case.tags and first.setdefault(out, case.name) != case.name:
            repeated.append("%s: same=%s" % (case.name, first[out]))
    tap.ok(not repeated, "an output that another case has is named, not repeated", repeated)


def why_untested(case, missing):
    """The reason for skipping a case; empty if it is not skipped."""
    if harness.is_reference() and ("differs" in case.tags or "noref" in case.tags):
        return "the reference differs here"
    if set(missing) & set(case.command.split()):
        return "the image needs as and ld for little-endian ELF of 64 bits"
    return ""


def shows_difference(case):
    return "differs" in case.tags and not harness.is_reference()


def run_both(task):
    """The results of a case: ours, and the reference's if it is known to differ."""
    case, material = task
    ours = run_case(case, harness.GPROF, material)
    asked = shows_difference(case) and harness.has_reference()
    return ours, run_case(case, harness.REFERENCE, material) if asked else None


def wrong_reference(case, known, status, out):
    """How the reference's result differs from the KNOWN one; empty if it does not."""
    head, _, text = known.partition(b"\n")
    if head != b"status %d" % status:
        return "status %d instead of: %s\n" % (status, head.decode())
    expected = changed(case.output(), text)
    return harness.diff(expected, out) if expected != out else ""


def check_difference(tap, case, theirs):
    name = "%s: the reference still differs" % case.name
    if theirs is None:
        tap.skip(name, "no %s" % harness.REFERENCE)
        return
    tap.ok(
        complaint(case, *theirs) != "",
        name,
        "it does as we do: difference %s is none" % case.tags["differs"],
    )
    known = read_expected(case.name, "ref")
    if known is None:
        return
    name = "%s: and in the known way" % case.name
    if not is_known_reference():
        tap.skip(name, "%s is not GNU gprof 2.40" % harness.REFERENCE)
        return
    what = wrong_reference(case, known, *theirs[:2])
    tap.ok(not what, name, what)


def is_known_reference():
    return (
        b"GNU gprof" in (text := harness.run([harness.REFERENCE, "--version"])[1])
        and b" 2.40" in text
    )


def accept_reference(case, status, out):
    """Only where there is a file, which may be empty; others are tested by differences.py."""
    if read_expected(case.name, "ref") is not None:
        text = b"status %d\n" % status + changes(case.output(), out)
        harness.write(os.path.join(EXPECTED, case.name + ".ref"), text)


def main(arguments):
    options = [word for word in arguments if word.startswith("--")]
    cases = read_cases([word for word in arguments if not word.startswith("--")])
    material = os.path.join(TEMP, "material")
    missing = build(material)
    before = harness.state_of(material)
    tested = [case for case in cases if not why_untested(case, missing)]
    results = dict(
        zip(
            (case.name for case in tested),
            harness.parallel(run_both, [(case, material) for case in tested]),
        )
    )
    tap = harness.Tap()
    for case in cases:
        if case.name not in results:
            tap.skip(case.name, why_untested(case, missing))
            continue
        result, theirs = results[case.name]
        if "--list" in options:
            print(
                "--- %s: %s\n%s"
                % (case.name, case.command, result[1].decode("utf-8", "backslashreplace"))
            )
        if "--accept" in options:
            accept(case, *result)
            if theirs is not None and is_known_reference():
                accept_reference(case, *theirs[:2])
            continue
        what = complaint(case, *result)
        tap.ok(not what, "%s: %s" % (case.name, case.command), what)
        if shows_difference(case):
            check_difference(tap, case, theirs)
    if "--accept" in options:
        return 0
    check_files(tap, read_cases([]))
    tap.ok(harness.state_of(material) == before, "no case has changed the files that all share")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
