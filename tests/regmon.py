#!/usr/bin/env python3
"""The command regmon: its options and messages, and that a program under it is the program that was
meant: what it
inherits, the signals that it gets, job control, how it ends.

Usage: regmon.py [CHECK]...   (a name of a function below; all if none is given)
"""

import sys

sys.dont_write_bytecode = True

import ctypes
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess

import languages
from lib import harness, runtime_build
from lib.runtime_build import Place, compile_program
from lib.runtime_jobs import expect, run_checks

REGMON = runtime_build.REGMON
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True)


def guest_of(context):
    """tests/runtime/guest.c, in which the library does nothing."""
    return compile_program(context.gcc, "guest.c", "guest", ["-O1"], profile="-g")


def temporary(name):
    return os.path.join(harness.TEMP, name)


# ---- Options ----


def options_of_help():
    out = harness.run([REGMON, "--help"])[1].decode()
    return [
        (*re.findall(r"-\w", letters), name)
        for letters, name in re.findall(r"^  ((?:-\w, )+|    )(--[\w-]+)", out, re.M)
    ]


def check_names(context):
    """Short and long names do the same."""
    for words, value in (
        ("-r -F --rate", "77"),
        ("-c --clock", "thread"),
        ("-o --output", "a.b%p"),
        ("-a --all", None),
        ("-m --main", None),
        ("--only", "a*"),
        ("-k --keep", None),
        ("-x --outside-init", None),
        ("-S --stacks", None),
        ("-v --verbose", None),
    ):
        said = []
        for word in words.split():
            for spelling in (
                [[word, value], [word + ("=" if word[1] == "-" else "") + value]]
                if value
                else [[word]]
            ):
                out = harness.run([REGMON, "-D", *spelling, "env"])[1].decode()
                said.append(
                    sorted(
                        line
                        for line in out.splitlines()
                        if re.match("REGMON_(?!POOL=|PROGRAM=)|GMON_", line)
                    )
                )
        context.tap.ok(
            len(said[0]) == 1 and all(lines == said[0] for lines in said), "options: " + words, said
        )
    out = harness.run([REGMON, "-am", "-r5", "--no-stacks", "--series", "--", "env"])[1].decode()
    found = sorted(
        line for line in out.splitlines() if re.match("REGMON_(?!POOL=|PROGRAM=)|GMON_", line)
    )
    expect(
        context,
        "options: several",
        found,
        ["REGMON_HZ=5", "REGMON_OBJECTS=main", "REGMON_SERIES=1", "REGMON_STACKS=0"],
    )
    out = harness.run([REGMON, "-s", "USR1", "-i", "5", "env"])[1].decode()
    expect(
        context,
        "options: regmon keeps -s and -i",
        re.findall("^REGMON_(?:SIGNAL|INTERVAL).*", out, re.M),
        [],
    )
    result = harness.run([REGMON, "echo", "-r", "--help"])
    expect(
        context, "options: those behind the program are its own", result[:2], (0, b"-r --help\n")
    )
    for words, first in (
        (["-V"], b"regmon (regprof) "),
        (["--version"], b"regmon (regprof) "),
        (["-h"], b"Usage: regmon "),
        (["--help"], b"Usage: regmon "),
    ):
        status, out, err = harness.run([REGMON] + words)
        context.tap.ok(
            status == 0 and out.startswith(first) and not err,
            "options: " + words[0],
            (status, out, err),
        )
    page = harness.read(os.path.join(runtime_build.SOURCES, "regmon.1")).decode()
    page = re.sub(r"\\f.|[\\\"]", "", page.split(".SH OPTIONS")[1].split(".SH FILES")[0])
    listed = re.findall(r"^\.TP\n\.B\w* ((?:-\w , +)*)(--[\w-]+)", page, re.M)
    expect(
        context,
        "options: the manual page has those of the help",
        [(*re.findall(r"-\w", letters), name) for letters, name in listed],
        options_of_help(),
    )
    for command, status in (([REGMON, "--wait"], 0), ([REGMON, "--finish"], 0)):
        result = harness.run(command)
        expect(context, "options: %s, and there is nothing" % command[1], result[0], status, result)


# ---- Messages ----

# Words, the message and what stands in it.  All end with status 125.
WRONG = [
    ("-r abc env", "option %s requires a number up to %u", ("-r", 50000)),
    ("--rate=50001 env", "option %s requires a number up to %u", ("--rate", 50000)),
    ("-r 00000001 env", "option %s requires a number up to %u", ("-r", 50000)),
    ("--interval=-1 env", "option %s requires a number up to %u", ("--interval", 1000000)),
    ("-s TERM env", "option %s requires a number up to %u", ("-s", 64)),
    ("-s 17 env", "option %s requires a signal that is free to be handled", ("-s",)),
    ("--signal=SIG9 env", "option %s requires a signal that is free to be handled", ("--signal",)),
    ("-c foo env", "option %s requires 'thread' or 'perf'", ("-c",)),
    ("-c itimer env", "the clock 'itimer' is gone: use 'thread'", ()),
    (
        "-o a%q env",
        "option %s knows %%p, %%h, %%r, %%n and %%%%, and no other %% in '%s'",
        ("-o", "a%q"),
    ),
    (
        "-o %%% env",
        "option %s knows %%p, %%h, %%r, %%n and %%%%, and no other %% in '%s'",
        ("-o", "%%%"),
    ),
    (
        "-p 17",
        (
            "a process that runs already cannot be profiled: use 'perf record -p PID', then '%s"
            " perf.data'"
        ),
        ("gprof",),
    ),
    (
        "-p",
        (
            "a process that runs already cannot be profiled: use 'perf record -p PID', then '%s"
            " perf.data'"
        ),
        ("gprof",),
    ),
    ("--only= env", "option %s requires the name of a program, without its directory", ("--only",)),
    (
        "--only bin/env env",
        "option %s requires the name of a program, without its directory",
        ("--only",),
    ),
    ("--output", "option %s requires an argument", ("--output",)),
    ("-ao", "option -%c requires an argument", ("o",)),
    ("--all=3 env", "option %.*s takes no argument", ("--all",)),
    ("--serious env", "unknown option %s", ("--serious",)),
    ("-aZ env", "unknown option -%c", ("Z",)),
    ("--all -Z env", "unknown option -%c", ("Z",)),
    ("--wait env", "--wait and --finish take no program", ()),
    ("--finish env", "--wait and --finish take no program", ()),
    ("-a", "no program", ()),
    (
        "-D -s USR1 env",
        "-s and -D cannot be used together: with -D, regmon is gone when the signal comes",
        (),
    ),
]


STATIC = (
    "%s is linked statically: use 'perf record --call-graph dwarf %s', then '%s perf.data', or link"
    " it with -lregmon"
)


def elf(bits, order, machine, has_interpreter):
    """An executable as far as regmon reads it."""
    sign = "<" if order == 1 else ">"
    ident = b"\x7fELF" + bytes([1 if bits == 32 else 2, order, 1]) + bytes(9)
    if bits == 32:
        header = struct.pack(sign + "HHIIIIIHHHHHH", 2, machine, 1, 0, 52, 0, 0, 52, 32, 2, 0, 0, 0)
        size = 32
    else:
        header = struct.pack(sign + "HHIQQQIHHHHHH", 2, machine, 1, 0, 64, 0, 0, 64, 56, 2, 0, 0, 0)
        size = 56
    types = [1, 3 if has_interpreter else 1]
    return (
        ident + header + b"".join(struct.pack(sign + "I", kind) + bytes(size - 4) for kind in types)
    )


def make_programs(context):
    """[(name, words, status, message, what stands in it)] of programs that cannot be run, or not
    profiled."""
    place = temporary("programs")
    os.mkdir(place)

    def make(name, data, mode=0o755):
        path = harness.write(os.path.join(place, name), data)
        os.chmod(path, mode)
        return path

    shutil.copy2("/bin/true", os.path.join(place, "here"))
    static = compile_program(context.gcc, "guest.c", "guest-static", ["-static"], profile="-g")
    closed = make("closed", b"#!/bin/sh\n", 0o644)
    alone = make("alone", b"#!/nonexistent/shell\n")
    rows = [
        ("not found", ["nowhere"], 127, "cannot run %s: not found", ("nowhere",)),
        ("not found", ["/nonexistent/a"], 127, "cannot run %s: not found", ("/nonexistent/a",)),
        ("not found", [closed + "/a"], 127, "cannot run %s: not found", (closed + "/a",)),
        ("an empty name", [""], 127, "cannot run %s: not found", ("",)),
        (
            "here, not along PATH",
            ["here"],
            127,
            "cannot run %s: not found; did you mean %s?",
            ("here", "./here"),
        ),
        ("a directory", [place], 126, "cannot run %s: %s", (place, "Is a directory")),
        ("not executable", [closed], 126, "cannot run %s: %s", (closed, "Permission denied")),
        (
            "without its interpreter",
            [alone],
            127,
            "cannot run %s: its interpreter is not found",
            (alone,),
        ),
        (
            "without its interpreter, -D",
            ["-D", alone],
            127,
            "cannot run %s: its interpreter is not found",
            (alone,),
        ),
        ("a static one", [static, "die", "9"], 125, STATIC, (static, static, "gprof")),
    ]
    own = harness.read(runtime_build.built().shared())[18:20]
    for bits in (32, 64):
        for order in (1, 2):
            static = make("static-%d-%d" % (bits, order), elf(bits, order, 62, False))
            rows.append(
                (
                    "a static one, %d bits, order %d" % (bits, order),
                    [static],
                    125,
                    STATIC,
                    (static, static, "gprof"),
                )
            )
            other = make("other-%d-%d" % (bits, order), elf(bits, order, 1, True))
            rows.append(
                (
                    "of another machine, %d bits, order %d" % (bits, order),
                    [other],
                    125,
                    "%s is a program of another machine than libregmon",
                    (other,),
                )
            )
    short = make("short", b"\x7fELF" + b"\xff" * 60)
    rows.append(("damaged", [short], 125, STATIC, (short, short, "gprof")))
    wrong = make("class", elf(32, 1, int.from_bytes(own, "little"), True))
    rows.append(
        (
            "of another word size",
            [wrong],
            125,
            "%s is a program of another machine than libregmon",
            (wrong,),
        )
    )
    if os.geteuid() == 0:
        foreign = os.path.join(place, "foreign")
        shutil.copy2(guest_of(context), foreign)
        os.chown(foreign, harness.NOBODY, -1)
        os.chmod(foreign, 0o4755)
        rows.append(
            (
                "another user's",
                [foreign],
                125,
                "%s runs with another user's rights; it has to be linked with -lregmon",
                (foreign,),
            )
        )
    return place, rows


def formatted(text, values):
    return (
        "regmon: "
        + (text.replace("%.*s", "%s") % values if values or "%%" in text else text)
        + "\n"
    )


def check_messages(context):
    """In English and in Spanish."""
    catalogue = languages.read_catalogue(languages.PO)[0]
    spanish = languages.spanish_environment(context.tap)
    place, rows = make_programs(context)
    rows += [
        ("wrong: regmon " + words, words.split(), 125, text, values)
        for words, text, values in WRONG
    ]
    for name, words, status, text, values in rows:
        for language, env in (("English", harness.ENV), ("Spanish", spanish)):
            if not env:
                continue
            result = harness.run([REGMON] + words, cwd=place, env=env)
            wanted = formatted(text if env is harness.ENV else catalogue[text][0], values)
            if env is spanish:  # the C library's own words, where there is a catalogue of them
                wanted = wanted.rpartition(": ")[0] if text == "cannot run %s: %s" else wanted
            last = "try 'regmon --help'"
            more = (
                formatted(last if env is harness.ENV else catalogue[last][0], ())
                if name.startswith("wrong: ")
                else ""
            )
            said = result[2].decode()
            is_good = said == wanted + more if wanted.endswith("\n") else said.startswith(wanted)
            context.tap.ok(
                result[0] == status and not result[1] and is_good,
                "%s (%s)" % (name, language),
                "%s\n%s" % (harness.said(result), wanted),
            )
    if spanish:
        english, other = (
            harness.run([REGMON, "--help"], env=env)[1].decode() for env in (harness.ENV, spanish)
        )
        options = [
            re.findall(r"^  (?:-\w, |    )--[\w-]+", text, re.M) for text in (english, other)
        ]
        expect(context, "the help in Spanish has the same options", options[1], options[0])
        expect(
            context,
            "and no line in English",
            set(english.splitlines()) & set(other.splitlines()) - {""},
            set(),
        )
        expect(
            context,
            "and at most 80 columns",
            [line for line in other.splitlines() + english.splitlines() if len(line) > 80],
            [],
        )


def check_library(context):
    """regmon finds the library beside itself, however it was called."""
    place = temporary("library")
    os.mkdir(place)
    os.symlink(REGMON, os.path.join(place, "regmon"))
    show = ["sh", "-c", "echo $LD_PRELOAD"]
    shared = os.path.realpath(os.path.join(runtime_build.BUILT, "libregmon.so"))
    for name, words, cwd, env in (
        ("by its path", [REGMON], None, {}),
        ("by a relative path", ["./regmon"], runtime_build.BUILT, {}),
        ("by a symbolic link", [os.path.join(place, "regmon")], None, {}),
        (
            "along PATH",
            ["env", "regmon"],
            None,
            {"PATH": runtime_build.BUILT + ":" + harness.ENV["PATH"]},
        ),
        (
            "by a link along PATH",
            ["env", "regmon"],
            None,
            {"PATH": place + ":" + harness.ENV["PATH"]},
        ),
    ):
        result = harness.run(words + show, cwd=cwd, env=dict(harness.ENV, **env))
        expect(
            context,
            "the library: regmon is run " + name,
            os.path.realpath(result[1].decode().strip()),
            shared,
            result,
        )
    others = None if b"__asan_" in harness.read(REGMON) else harness.shim("shim")
    if others:
        out = harness.run([REGMON] + show, env=dict(harness.ENV, LD_PRELOAD=others))[1].decode()
        expect(
            context,
            "the library: others are still preloaded",
            out.strip().rpartition(":")[2],
            others,
        )


# ---- What the program inherits ----


def state_of(words, **keys):
    """What tests/runtime/guest.c prints, without the numbers of the process."""
    out = subprocess.run(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        env=dict(harness.ENV, **{"a.b": "1 2", "BASH_FUNC_f%%": "() {  :\n}"}),
        timeout=harness.TIMEOUT,
        **keys
    ).stdout.decode()
    rest, _, process = out.partition("process ")
    return re.sub(r"pipe:\[\d+\]", "a pipe", rest), [int(word) for word in process.split()]


def block_and_ignore():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1, signal.SIGCHLD, signal.SIGTERM])
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGCHLD, signal.SIGTSTP):
        signal.signal(number, signal.SIG_IGN)


def set_timers():
    signal.setitimer(signal.ITIMER_REAL, 10000)
    signal.setitimer(signal.ITIMER_VIRTUAL, 10000)


def close_all():
    for number in range(3):
        if number != 1:
            os.close(number)


def open_more():
    os.dup2(1, 7)


def check_heritage(context):
    guest = guest_of(context)
    for name, prepare in (
        ("nothing special", None),
        ("signals that are blocked and ignored", block_and_ignore),
        ("timers", set_timers),
        ("no standard input and error", close_all),
        ("another descriptor", open_more),
        ("a signal for the parent's death", lambda: LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGUSR2)),
    ):
        alone = state_of([guest, "state"], preexec_fn=prepare, close_fds=False)
        for option in ([], ["-D"]):
            found = state_of(
                [REGMON, "-r", "0", *option, guest, "state"], preexec_fn=prepare, close_fds=False
            )  # no handler of samples
            expect(
                context,
                "what the program inherits: %s %s" % (name, " ".join(option)),
                found[0],
                alone[0],
            )
    context.tap.ok(
        "variable a.b=1 2\nvariable BASH_FUNC_f%%=() {  :\n}\n" in alone[0],
        "also variables that a shell has no names for",
        alone[0],
    )
    for option, is_same in ([], False), (["-D"], True), (["--detach"], True):
        process = subprocess.Popen(
            [REGMON, *option, guest, "state"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        own, parent, is_in_group = [
            int(word)
            for word in process.communicate()[0].decode().rpartition("process ")[2].split()
        ]
        found = own == process.pid, parent, is_in_group
        expect(
            context,
            "the process " + " ".join(option),
            found,
            (is_same, os.getpid() if is_same else process.pid, 1),
        )


# ---- Signals ----


class Guest:
    """A program under regmon, in a process group of its own, whose lines are read one by one."""

    def __init__(self, words, **keys):
        keys.setdefault("start_new_session", True)
        keys.setdefault("stdin", subprocess.PIPE)
        self.process = subprocess.Popen(
            words,
            bufsize=0,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=harness.ENV,
            **keys
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Ends what is left of the session's first process group."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.stdout.close()
        self.process.wait()

    def line(self):
        """The next line; empty if none comes."""
        is_there = select.select([self.process.stdout], [], [], harness.TIMEOUT)[0]
        return self.process.stdout.readline().decode().strip() if is_there else ""

    def until_last(self):
        """Its lines until SIGRTMAX, which is sent to regmon."""
        os.kill(self.process.pid, signal.SIGRTMAX)
        lines = []
        while not lines or lines[-1] not in ("64 0", ""):
            lines.append(self.line())
        return lines[:-1]


KEPT = {signal.SIGKILL, signal.SIGSTOP, 32, 33, signal.SIGRTMAX}


def check_forwarding(context):
    guest = guest_of(context)
    numbers = [number for number in range(1, 64) if number not in KEPT]
    with Guest([REGMON, "-r", "0", guest, "listen"]) as run:
        found = [run.line()]
        for number in numbers:
            os.kill(run.process.pid, number)
            found.append(run.line())
        found += run.until_last()
        wanted = ["ready"] + ["%d 0" % number for number in numbers]
        expect(
            context, "signals: each is passed on, once", (found, run.process.wait()), (wanted, 0)
        )
    with Guest([REGMON, "-r", "0", guest, "listen"]) as run:
        run.line()
        LIBC.sigqueue(run.process.pid, signal.SIGRTMIN + 3, ctypes.c_void_p(77))
        found = run.line()
        expect(context, "signals: with their values", found, "%d 77" % (signal.SIGRTMIN + 3))
    numbers = [number for number in numbers if number not in (signal.SIGCHLD, signal.SIGCONT)]
    with Guest([REGMON, "-r", "0", guest, "listen"]) as run:
        found = [run.line()]
        for number in numbers:
            os.killpg(run.process.pid, number)
            found.append(run.line())
        found += run.until_last()
        wanted = ["ready"] + ["%d 0" % number for number in numbers]
        expect(context, "signals: the program gets those of the group once", found, wanted)
    for how in ("both", "parent"):
        with Guest([REGMON, guest, how, str(int(signal.SIGUSR1))]) as run:
            found = [run.line()] + run.until_last()
            wanted = ["ready"] + (["10 0"] if how == "both" else [])
            expect(context, "signals: of the program itself (%s)" % how, found, wanted)
    with Guest([REGMON, "-s", "USR2", guest, "listen"]) as run:
        run.line()
        os.kill(run.process.pid, signal.SIGUSR2)
        os.kill(run.process.pid, signal.SIGUSR1)
        expect(context, "signals: the one of -s is regmon's", run.until_last(), ["10 0"])


def check_terminal_signals(context):
    guest = guest_of(context)
    for name, sent, number in (
        ("an interrupt", b"\x03", signal.SIGINT),
        ("a stop", b"\x1a", signal.SIGTSTP),
        ("the end of the terminal", None, signal.SIGHUP),
    ):
        master, slave = pty.openpty()
        script = (
            "import os, sys, fcntl, termios\nos.setsid()\nfcntl.ioctl(0, termios.TIOCSCTTY,"
            " 0)\nos.execv(sys.argv[1], sys.argv[1:])\n"
        )
        with Guest(
            [sys.executable, "-c", script, REGMON, guest, "listen"],
            stdin=slave,
            start_new_session=False,
        ) as run:
            os.close(slave)
            found = [run.line()]
            if sent:
                os.write(master, sent)
            else:
                os.close(master)
            found.append(run.line())
            found += [
                line for line in run.until_last() if line != "18 0"
            ]  # SIGCONT comes with SIGHUP
            expect(context, "signals: %s" % name, found, ["ready", "%d 0" % number])
        if sent:
            os.close(master)


def check_witness(context):
    """regmon goes on when the process group was stopped and only regmon is continued."""
    guest = guest_of(context)
    with Guest([REGMON, "-r", "0", guest, "listen"]) as run:
        found = [run.line()]
        os.killpg(run.process.pid, signal.SIGSTOP)
        os.waitpid(run.process.pid, os.WUNTRACED)
        os.kill(run.process.pid, signal.SIGCONT)
        found.append(run.line())
        os.kill(run.process.pid, signal.SIGUSR1)
        found.append(run.line())
        os.killpg(run.process.pid, signal.SIGUSR2)
        found.append(run.line())
        found += run.until_last()
        expect(
            context, "signals: after a stop of the group", found, ["ready", "18 0", "10 0", "12 0"]
        )


def check_deaths(context):
    guest = guest_of(context)
    with Guest([REGMON, guest, "line"]) as run:
        first = run.line()
        run.process.kill()
        run.process.wait()
        run.process.stdin.write(b"go on\n")
        run.process.stdin.close()
        rest = run.process.stdout.read()
        expect(
            context,
            "regmon is killed: the program goes on, and ends",
            (first, rest),
            ("ready", b""),
        )
    script = (
        "import ctypes, os, sys\nif not os.fork():\n    ctypes.CDLL(None).prctl(1,"
        " int(sys.argv[1]))\n    os.execv(sys.argv[2], sys.argv[2:])\nos.wait()\n"
    )
    for number in (signal.SIGKILL, signal.SIGTERM):
        with Guest([sys.executable, "-c", script, str(int(number)), REGMON, guest, "line"]) as run:
            first = run.line()
            run.process.kill()
            rest = run.process.stdout.read()  # ends with the last process
            expect(
                context,
                "the parent's death ends the program, too, if it was to end regmon (%d)" % number,
                (first, rest),
                ("ready", b""),
            )


# ---- Ends ----

ENDING = [
    number for number in range(1, 65) if number not in (17, 18, 19, 20, 21, 22, 23, 28, 32, 33)
]


def check_ends(context):
    guest = guest_of(context)
    profiled = compile_program(context.gcc, "guest.c", "guest-profiled", ["-O1"])
    without_clock = [number for number in ENDING if number != signal.SIGPROF]
    for name, program, numbers in (("", guest, ENDING), (", with -pg", profiled, without_clock)):
        with Place() as place:
            found = [place.run([REGMON, program, "die", str(number)])[0] for number in numbers]
        expect(context, "ends by each signal" + name, found, [-number for number in numbers])
    found = [
        harness.run([REGMON, "sh", "-c", "exit %d" % status])[0]
        for status in (0, 1, 2, 125, 126, 127, 128, 200, 255)
    ]
    expect(context, "ends by each status", found, [0, 1, 2, 125, 126, 127, 128, 200, 255])

    def core_of(words):
        with Place() as place:
            process = subprocess.Popen(
                ["sh", "-c", 'ulimit -c unlimited; exec "$@"', "sh"] + words,
                cwd=place.path,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            status = os.waitpid(process.pid, 0)[1]
            process.returncode = 0
            return os.WTERMSIG(status), os.WCOREDUMP(status)

    alone, under = core_of([guest, "die", "6"]), core_of([REGMON, guest, "die", "6"])
    expect(context, "there is no second core", under, (alone[0], False))
    with Guest([REGMON, "sh", "-c", "exec 1>&-; exit 3"]) as run:
        output = run.process.stdout.read()  # regmon's witness must not hold it open for ever
        expect(context, "output ends with the program", (output, run.process.wait()), (b"", 3))


def check_container(context):
    """regmon as process 1, whose process group is of the outside."""
    guest = guest_of(context)
    unshare = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if harness.run(unshare + ["true"])[0] != 0:
        context.tap.skip("process 1 of a container", "unshare is missing or not permitted")
        return
    inside = unshare + [REGMON, guest]
    expect(
        context, "process 1: a status", harness.run(unshare + [REGMON, "sh", "-c", "exit 3"])[0], 3
    )
    expect(context, "process 1: a signal", harness.run(inside + ["die", "15"])[0], 128 + 15)
    with Guest(inside + ["listen"]) as run:
        found = [run.line()]
        child = int(
            harness.read("/proc/%d/task/%d/children" % (run.process.pid, run.process.pid)).split()[
                0
            ]
        )
        os.kill(child, signal.SIGTERM)
        os.kill(child, signal.SIGRTMAX)
        found += [run.line(), run.line()]
        expect(
            context,
            "process 1: signals are passed on",
            (found, run.process.wait()),
            (["ready", "15 0", "64 0"], 0),
        )


# ---- Job control ----


def job_lines(shell, script, command):
    """What a shell and its job, a command, write to a terminal about its stops and its end."""
    script = script.replace("%s", command).replace("%%", "%")
    text = harness.run_on_own_terminal([shell, "-m", "-c", script]).decode()
    return re.findall(r"^(?:(?:stopped|ended|ready|suspend).*|\d+)(?=\r?$)", text, re.M)


def check_job_control(context):
    """A shell sees the stops and ends of a job under regmon as it sees them without."""
    guest = guest_of(context)
    scripts = [
        (
            "stops itself by %d" % number,
            "%%s suspend %d; echo stopped $?; fg >/dev/null; echo ended $?" % number,
        )
        for number in (signal.SIGTSTP, signal.SIGSTOP, signal.SIGTTIN)
    ]
    scripts += [
        (
            "reads in the background",
            "%s line & wait; jobs | grep -c Stopped; kill -KILL %%1; wait; echo ended",
        ),
        (
            "is stopped and continued in the background",
            "%s suspend 20 & wait; bg >/dev/null; wait $!; echo ended $?",
        ),
        (
            "is killed while it is stopped",
            "%s suspend 20 & wait; kill -TERM %%1; kill -CONT %%1; wait $!; echo ended $?",
        ),
    ]
    for shell in ("bash", "dash"):
        if not shutil.which(shell):
            context.tap.skip("job control in " + shell, "not installed")
            continue
        for name, script in scripts:
            texts = [job_lines(shell, script, words) for words in (guest, REGMON + " " + guest)]
            context.tap.ok(
                texts[0] == texts[1] and texts[0], "%s: a job that %s" % (shell, name), texts
            )


# ---- What to type next ----


def last_line(words, cwd, **environment):
    """What is written on a terminal that is standard error only."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        words,
        cwd=cwd,
        env=dict(harness.ENV, **environment),
        stdout=subprocess.DEVNULL,
        stderr=slave,
    )
    out = harness.read_terminal(master, slave, process).decode().replace("\r\n", "\n")
    return out.replace(str(process.pid), "REGMON")


# Where starting the program takes longest, regmon names what has no samples in place of this.
NO_SAMPLES = (
    r"regmon: (no samples in \d\.\d{3} s of CPU time: a longer run has some, and so may a higher"
    r" rate \(-F\)|\S* of \S* s have no samples: programs that did not load .*)\n"
)


def check_next(context):
    program = compile_program(context.gcc, "names.c", "next", ["-O1"])
    spaced = temporary("it's next")
    shutil.copy2(program, spaced)
    for name, words, environment, wanted in (
        ("gmon.out", [program], {}, "gprof --top"),
        ("-o", ["-o", "run", program], {}, "gprof --top run.stacks"),
        (
            "a pattern",
            ["-o", "%n.%r%%", program],
            {"PMI_RANK": "3"},
            "gprof --top %s next.3%%" % program,
        ),
        ("a blank", ["-o", "a b%%", spaced], {}, r"gprof --top 'a b%\.stacks'"),
        ("along PATH", ["next"], {"PATH": harness.TEMP + ":" + harness.ENV["PATH"]}, "gprof --top"),
    ):
        with Place() as place:
            said = last_line([REGMON] + words, place.path, **environment)
            again = place.run([REGMON] + words, **environment)
        context.tap.ok(
            re.fullmatch("regmon: to see the profile: " + wanted + "\n", said),
            "what to type next: " + name,
            said,
        )
        context.tap.ok(again[2] == b"", "which is said on a terminal only", again)
    with Place() as place:
        harness.write(place.file(), b"gmon, old")
        os.utime(place.file(), (1, 1))
        # On a busy machine, the shell may take so long that there is a sample of it, unless samples
        # are rare.
        said = last_line(
            [REGMON, "sh", "-c", "exit"], place.path, REGMON_HZ="1", REGMON_CLOCK="thread"
        )
        expect(context, "nothing without a profile", said.count("profile"), 0)
    for words, name in ([], "gmon.out.stacks"), (["-o", "run"], "run.stacks"):
        with Place() as place:
            harness.write(place.file(name), b"# regmon stacks 3\n")
            os.utime(place.file(name), (1, 1))
            command = [REGMON, "-r", "1", "-c", "thread"] + words + ["sh", "-c", "exit"]
            said = place.run(command)[2].decode()
            is_old = os.stat(place.file(name)).st_mtime == 1
            wanted = "regmon: no samples: %s is of an earlier run\n" % re.escape(name) + NO_SAMPLES
            is_said = re.fullmatch(wanted if is_old else "", said) is not None
            context.tap.ok(is_said, "a record that stays is not of this run: " + name, said)
    plain = compile_program(context.gcc, "names.c", "plain", ["-O1"], profile="-g")
    for words, wanted in (
        ([], NO_SAMPLES),
        (["-r", "0"], ""),
        (["--no-stacks"], ""),
        (["-o", "%p"], ""),
        (["--series"], ""),
        (["--only=other"], "regmon: nothing was profiled: no program that --only names was run\n"),
    ):
        with Place() as place:
            command = [REGMON, "-c", "thread", *words, plain]
            said = place.run(command, REGMON_HZ="1")[2].decode()
        name = "a run without a sample: " + " ".join(words)
        context.tap.ok(re.fullmatch(wanted, said) is not None, name, said)
    with Place() as place:
        expect(context, "nor with -D", last_line([REGMON, "-D", program], place.path), "")


if __name__ == "__main__":
    sys.exit(
        run_checks(
            [
                check_names,
                check_messages,
                check_library,
                check_heritage,
                check_forwarding,
                check_terminal_signals,
                check_witness,
                check_deaths,
                check_ends,
                check_container,
                check_job_control,
                check_next,
            ]
        )
    )
