#!/usr/bin/env python3
"""Messages in Spanish: all messages and lines around tables are translated, and nothing that
programs read is.

Usage: languages.py

Compares the catalogue po/es.po with the messages of the sources.  Then runs the program in a
Spanish locale, which
is made for this if localedef and its data (on Debian, locales) are installed.
"""

import sys

sys.dont_write_bytecode = True

import ast
import os
import re
import shutil

import clients
import manual
from lib import harness

PO = os.path.join(harness.SRCDIR, "po", "es.po")
MOST_COLUMNS, HELP_COLUMN = 80, 36

# All output that programs may read, for the profiles of the manual's examples.
REPORTS = [
    "calc",
    "-z -T calc full.gmon",
    "-l calc",
    "-l -C calc blocks.gmon",
    "-l -A -I. calc blocks.gmon",
    "-l -A -I. -x -t 3 calc blocks.gmon",
    "-i calc gmon.out blocks.gmon",
    "--per-file calc ranks",
    "-r calc",
    "-R objects.map calc",
    "-d calc",
    "-p names names.gmon",
    "-q shapes shapes.gmon",
    "calc rate0.gmon",
]

COMPARED = "--base=calc --base-profile=gmon.out calc slow.gmon"

# Tables for people, with lines above or below them, and the same for programs.
TABLES = [
    "--top=2 calc",
    "--top=2 --by=file calc",
    "--tree --min-share=50 calc",
    "--tree=find --depth=2 calc",
    "--code=find calc",
    "--code=find --stacks=calls calc",
    "--top spin.folded",
    "--format=markdown --top=2 calc",
    COMPARED,
    "--top=0 " + COMPARED,
    "--base=calc --base-profile=gmon.out calc",
]
# Of the functions main and find; some of the counter of calls, and some without their first frames.
STACKS = b"""\
# regmon stacks 3
# rate 100
# program 2 calc
# object 3 /lib/libregmon.so.0
2:1258;2:1310 60
2:1258;3:40 20
?;2:1310 6
"""
FORMATS = ["tsv", "csv", "json", "benchmark"]

# Arguments with errors, the status, and the message in English and in Spanish.
MISTAKES = [
    (
        "-w abc calc",
        1,
        "gprof: option -w: `abc' is not a number",
        "gprof: opción -w: «abc» no es un número",
    ),
    (
        "-O other calc",
        1,
        "gprof: other: unknown file format",
        "gprof: other: formato de archivo desconocido",
    ),
    (
        "-b -p -O magic calc bsd.gmon",
        1,
        "gprof: bsd.gmon: not a gmon file: bad magic number",
        "gprof: bsd.gmon: no es un archivo gmon: número mágico incorrecto",
    ),
    ("-b -p calc rate0.gmon", 0, "gprof: warning: rate0.gmon: ", "gprof: aviso: rate0.gmon: "),
    ("-b calc damaged.gmon", 1, "gprof: damaged.gmon: ", "gprof: damaged.gmon: "),
]


# ---- The catalogue ----


def read_catalogue(path):
    """{message: (translation, is it a printf format)} of a .po file without its header, and its
    useless entries
    (fuzzy or obsolete)."""
    messages, useless = {}, []
    with open(path, encoding="utf-8") as file:
        entries = re.split(r"\n(?:[ \t]*\n)+", file.read().strip())
    for entry in entries[1:]:
        parts = re.fullmatch(r'((?:#.*\n)*)msgid ((?:".*"\s)+)msgstr ((?:".*"\s?)+)', entry)
        if not parts or "fuzzy" in parts.group(1):
            useless.append(entry)
            continue
        message, translation = (ast.literal_eval("(%s)" % part) for part in parts.groups()[1:])
        messages[message] = translation, re.search(r"^#,.* c-format", parts.group(1), re.M)
    return messages, useless


def directives(text):
    """The printf directives, by argument number."""
    found = re.findall(r"%(?:(\d+)\$)?([-+ #0-9.*]*[hlzjt]*[a-zA-Z])", text.replace("%%", ""))
    return sorted((int(place or i + 1), kind) for i, (place, kind) in enumerate(found))


def frame(text):
    """(whether the text begins with a newline, whether it ends with one)"""
    return text.startswith("\n"), text.endswith("\n")


def check_catalogue(tap, messages, useless):
    tap.ok(len(messages) > 100 and not useless, "no message is fuzzy or obsolete", useless)
    empty = [m for m, (translation, _) in messages.items() if not translation]
    tap.ok(not empty, "every message is translated", empty)
    wrong = [
        m
        for m, (translation, is_format) in messages.items()
        if is_format and directives(m) != directives(translation)
    ]
    tap.ok(not wrong, "translations take the arguments of their messages", wrong)
    wrong = [m for m, (translation, _) in messages.items() if frame(m) != frame(translation)]
    tap.ok(not wrong, "translations begin and end a line where messages do", wrong)
    msgfmt = harness.tool("MSGFMT", "msgfmt")
    if msgfmt:
        status, _, err = harness.run(msgfmt + ["--check", "--statistics", "-o", os.devnull, PO])
        tap.ok(
            status == 0 and re.fullmatch(rb"\d+ translated messages\.\n", err),
            "msgfmt finds nothing wrong",
            err,
        )
    else:
        tap.skip("msgfmt finds nothing wrong", "no msgfmt")


def check_sources(tap, messages):
    """Checks that the catalogue has exactly the messages of the sources, and that all messages are
    in messages.h."""
    name = "the catalogue has the messages of the sources, and no others"
    makefile = harness.read(os.path.join(harness.BUILDDIR, "Makefile"))
    if re.search(rb"^collect-messages:", makefile, re.M):
        target = os.path.join(harness.TEMP, "fresh.pot")
        make = harness.tool("MAKE", "make") + [
            "-C",
            harness.BUILDDIR,
            "collect-messages",
            "POT=" + target,
        ]
        status, out, err = harness.run(make)
        current = read_catalogue(target)[0] if os.path.exists(target) else {}
        wrong = ["missing: " + m for m in current if m not in messages] + [
            "too many: " + m for m in messages if m not in current
        ]
        tap.ok(status == 0 and current and not wrong, name, "\n".join(wrong) or err.decode())
    else:
        tap.skip(name, "no xgettext, or no build tree")
    wrong = []
    for source in harness.sources():
        with open(source, encoding="utf-8") as file:
            calls = re.findall(r'\b(?:warning|problem|die)\s*\(\s*"[^\n]*', file.read())
        wrong += ["%s: %s" % (source, call) for call in calls]
    tap.ok(not wrong, "all messages stand in messages.h", wrong)


# ---- The program in Spanish ----


def make_catalogue(path):
    msgfmt = harness.tool("MSGFMT", "msgfmt")
    built = os.path.join(harness.SRCDIR, "po", "es.gmo")
    os.makedirs(os.path.dirname(path))
    if msgfmt:
        harness.must_run(msgfmt + ["-o", path, PO])
    elif os.path.exists(built):
        shutil.copyfile(built, path)
    return os.path.exists(path)


def spanish_environment(tap):
    """The environment of a Spanish locale; None, after a skipped test, if it cannot be made."""
    has_languages = b"#define ENABLE_NLS 1" in harness.read(
        os.path.join(harness.BUILDDIR, "config.h")
    )
    locales, catalogues = (os.path.join(harness.TEMP, name) for name in ("locales", "catalogues"))
    if not has_languages:
        why_not = "configured to know no other language"
    elif not make_catalogue(os.path.join(catalogues, "es", "LC_MESSAGES", "regprof.mo")):
        why_not = "no msgfmt"
    elif not harness.make_locale("es_ES", locales):
        why_not = "localedef cannot make a Spanish locale; on Debian, its data are in locales"
    else:
        env = dict(harness.ENV, LOCPATH=locales, TEXTDOMAINDIR=catalogues, LANG="es_ES.UTF-8")
        del env["LC_ALL"]
        return env
    tap.skip("the program in Spanish", why_not)
    return None


class Speaker:
    """The program in both languages."""

    def __init__(self, spanish, directory):
        self.spanish, self.directory = spanish, directory

    def say(self, words, env=harness.ENV):
        """(status, stdout, stderr)"""
        status, out, err = harness.run([harness.GPROF] + words.split(), cwd=self.directory, env=env)
        return (
            status,
            out.decode("utf-8", "backslashreplace"),
            err.decode("utf-8", "backslashreplace"),
        )

    def both(self, words):
        return self.say(words), self.say(words, self.spanish)


def too_wide(text):
    return [line for line in text.split("\n") if len(line) > MOST_COLUMNS]


def options_of(text):
    return re.findall(r"^ +(-\w|--[\w-]+)(?:, (--[\w-]+))?", text, re.M)


def check_help(tap, speaker):
    english, spanish = speaker.both("--help")
    tap.ok(english[::2] == spanish[::2] == (0, ""), "--help in Spanish", spanish[2])
    options = options_of(spanish[1])
    tap.ok(
        len(options) > 40 and options == options_of(english[1]),
        "--help lists the same options",
        spanish[1],
    )
    tap.ok(
        not too_wide(spanish[1]),
        "--help fits %d columns" % MOST_COLUMNS,
        "\n".join(too_wide(spanish[1])),
    )
    texts = re.findall(r"^  +-\S.*(?:\n {%d}.*)?" % HELP_COLUMN, spanish[1], re.M)
    ragged = [
        text for text in texts if not re.match(r".* \S", text.split("\n")[-1][HELP_COLUMN - 1 :])
    ]
    tap.ok(not ragged, "--help has its texts in one column", ragged)
    same = set(english[1].split("\n")) & set(spanish[1].split("\n")) - {""}
    tap.ok(not same, "--help has no line in English", same)
    english, spanish = (out.split("\n") for _, out, _ in speaker.both("--version"))
    same = set(english) & set(spanish) - {""}
    tap.ok(same == {english[0]}, "--version in Spanish", spanish)


def check_mistakes(tap, speaker):
    for words, status, *starts in MISTAKES:
        results = speaker.both(words)
        fine = (
            results[0][:2] == results[1][:2]
            and results[0][0] == status
            and results[0][2] != results[1][2]
        )
        fine = fine and all(result[2].startswith(start) for result, start in zip(results, starts))
        tap.ok(fine, "gprof %s: said in Spanish, the rest is the same" % words, results)
    words = MISTAKES[0][0]
    for name, change in (
        ("English in the C locale", {"LC_ALL": "C", "LANGUAGE": "es"}),
        ("English in a language without a catalogue", {"TEXTDOMAINDIR": harness.TEMP}),
    ):
        result = speaker.say(words, dict(speaker.spanish, **change))
        tap.ok(result[2].startswith(MISTAKES[0][2]), name, result[2])


def check_reports(tap, speaker):
    for words in REPORTS:
        english, spanish = (result[:2] for result in speaker.both("-b " + words))
        fine = english == spanish and english[0] == 0 and english[1]
        tap.ok(
            fine,
            "gprof -b %s: the same in Spanish" % words,
            harness.diff(english[1].encode(), spanish[1].encode()),
        )


def split_table(text):
    """The words of the rows of the table in TEXT, without lines of a tree; and the other lines."""
    lines = text.split("\n")
    first = next(i for i, line in enumerate(lines) if re.search(r"\b(name|code)( \|)?$", line))
    end = lines.index("", first)
    return [re.findall(r"[\w.%*+]+", line) for line in lines[first:end]], [
        line for line in lines[:first] + lines[end:] if line
    ]


def check_tables(tap, speaker):
    """Lines around a table are in Spanish, and its rows the same; so are formats that programs
    read."""
    harness.write(os.path.join(speaker.directory, "spin.folded"), b"main;spin 10\n")
    harness.write(os.path.join(speaker.directory, "calls"), STACKS)
    has_opcodes = harness.has_library("OPCODES")
    for words in TABLES + has_opcodes * ["--asm --code=find calc"]:
        english, spanish = (split_table(result[1]) for result in speaker.both("--quiet " + words))
        fine = (
            english[0] == spanish[0]
            and len(english[1]) == len(spanish[1]) > 0
            and not set(english[1]) & set(spanish[1])
        )
        tap.ok(fine, "gprof %s: in Spanish but for the table" % words, spanish[1])
    for words in ("calc", COMPARED):
        for format in FORMATS:
            english, spanish = (
                result[:2] for result in speaker.both("--quiet --format=%s %s" % (format, words))
            )
            tap.ok(
                english == spanish and english[1],
                "gprof --format=%s %s: the same in Spanish" % (format, words),
                spanish[1],
            )


def check_measured(tap, speaker):
    """The last lines of a call graph from stacks are in Spanish, and the rest is the same."""
    for words in "", "-T ":
        english, spanish = (
            result[1].splitlines()
            for result in speaker.both("--quiet -b %s-q --stacks=calls calc" % words)
        )
        changed = [pair for pair in zip(english, spanish) if pair[0] != pair[1]]
        starts = [
            ("0.20 s in counting calls", "sin 0.20 s de contar llamadas"),
            ("9.1 % of the stacks", "el 9.1 % de las pilas"),
        ]
        fine = len(english) == len(spanish) and len(changed) == len(starts)
        fine = fine and all(
            a.startswith(x) and b.startswith(y) for (a, b), (x, y) in zip(changed, starts)
        )
        tap.ok(fine, "gprof %s-q, measured: in Spanish but for the call graph" % words, changed)


def check_gate(tap, speaker):
    """Messages of gprof-gate, which begin with its name, and what gprof says to it."""
    name = "gprof-gate speaks Spanish"
    if not harness.tool("GETTEXT", "gettext"):
        return tap.skip(name, "no gettext")
    gate = os.path.join(harness.SRCDIR, "contrib", "ci", "gprof-gate")
    env = dict(speaker.spanish, GPROF=harness.GPROF)
    status, out, err = harness.run([gate, "--runs=0"], speaker.directory, env)
    tap.ok(
        (status, out, err.decode())
        == (1, b"", "gprof-gate: --runs=0: no es un número de 1 a 9999\n"),
        name,
        err,
    )
    english, spanish = (
        harness.run([gate, "--help"], speaker.directory, e)[1].decode() for e in (harness.ENV, env)
    )
    options = re.findall(r"--[a-z][\w-]*", spanish)
    tap.ok(
        len(options) > 10 and options == re.findall(r"--[a-z][\w-]*", english),
        "its help has the same options",
        spanish,
    )
    same = set(english.splitlines()) & set(spanish.splitlines()) - {""}
    tap.ok(
        not same and not too_wide(english + spanish),
        "and no line in English, and none too wide",
        same,
    )
    command = 'cp gmon.out "$GMON_OUT_PREFIX".1'
    harness.must_run(["chmod", "+x", "calc"], speaker.directory)
    words = ["--base-image=calc", "calc", "--", "sh", "-c", command]
    status, out, err = harness.run([gate] + words, speaker.directory, env)
    lines = out.decode().splitlines()
    tap.ok(
        lines[:1] == ["### calc: perfil de 5 ejecuciones"]
        and "regresión" in err.decode()
        and status in (0, 4),
        "and its table",
        said(status, out, err),
    )


def said(status, out, err):
    return "status %d\n%s%s" % (status, out.decode(), err.decode())


def check_explanations(tap, speaker, messages):
    """Checks that each explanation is completely in Spanish, and that the tables are unchanged."""
    for words in ("-p calc", "-T -p calc", "-q calc", "-T -q calc", "--per-file calc ranks"):
        english, spanish = (result[1] for result in speaker.both(words))
        expected = english
        for message in sorted(messages, key=len, reverse=True):
            if message.endswith("\n"):
                expected = expected.replace(message, messages[message][0])
        fine = expected == spanish != english
        tap.ok(
            fine,
            "gprof %s: explained in Spanish" % words,
            harness.diff(expected.encode(), spanish.encode()),
        )
        brief = speaker.say("-b " + words)[1].split("\n") + ["", "\f"]
        ours = [
            line
            for line in spanish.split("\n")
            if line not in brief and "(explanation follows)" not in line
        ]
        same = set(ours) & set(english.split("\n"))
        tap.ok(not same, "gprof %s: no line of it is in English" % words, same)
        wide = too_wide("\n".join(ours))
        tap.ok(not wide, "gprof %s: fits %d columns" % (words, MOST_COLUMNS), wide)
        if "-q" in words:
            same = clients.parse_graph(english) == clients.parse_graph(spanish)
            tap.ok(same, "gprof %s: readers find the same call graph" % words, spanish)


def main():
    tap = harness.Tap()
    messages, useless = read_catalogue(PO)
    check_catalogue(tap, messages, useless)
    check_sources(tap, messages)
    spanish = spanish_environment(tap)
    if spanish:
        directory = os.path.join(harness.TEMP, "examples")
        manual.build(directory)
        speaker = Speaker(spanish, directory)
        check_help(tap, speaker)
        check_mistakes(tap, speaker)
        check_reports(tap, speaker)
        check_tables(tap, speaker)
        check_measured(tap, speaker)
        check_gate(tap, speaker)
        check_explanations(tap, speaker, messages)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
