"""Functions for test scripts: a fixed environment, a temporary directory, TAP, running and
comparing.

local.mk sets these environment variables; a script that is run by hand in the top of a build tree
needs none:

    GPROF      the program under test            BUILDDIR/src/gprof
    SRCDIR     top of the source tree            found from the path of this file
    BUILDDIR   top of the build tree             the current directory
    MKGMON     the profile writer                BUILDDIR/tests/mkgmon, or compiled for this run
    REFERENCE  the gprof to compare with         /usr/bin/gprof
    CC CXX FC  compilers                         cc c++ gfortran
    AS LD NM OBJCOPY                             as ld nm objcopy
    TEST_CACHE results kept for the next run     BUILDDIR/tests/cache
    FRESH      not empty: always run the reference, see reference.py
    CHECK_LONG not empty: sizes that take minutes, and what depends on time, load or the number of
    samples
    TEST_SAMPLE  N: only one Nth of the random draws, of differential.py's reports and of compilers'
    flags
    KEEP       not empty: leave temporary directories behind
    UNDER_VALGRIND  not empty: run the program under valgrind
    UNDER_DRIVER    not empty: automake's driver runs the script
"""

import atexit
import concurrent.futures
import difflib
import fcntl
import glob
import os
import pty
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

_links = {}  # directories with blanks: links to them


def _at_exit_of_this(function):
    """Calls FUNCTION when this process ends, but not when a child that it forks does."""
    owner = os.getpid()
    atexit.register(lambda: function() if os.getpid() == owner else None)


def _without_blank(path):
    """A path of the same file without a blank, because words of shells and paths in LD_PRELOAD end
    at one."""
    if " " not in path:
        return path
    for directory, link in _links.items():
        if path == directory or path.startswith(directory + os.sep):
            return link + path[len(directory) :]
    if not os.path.isdir(path):
        return path
    place = tempfile.mkdtemp(prefix="tests-")
    link = _links[path] = os.path.join(place, "link")
    os.symlink(path, link)
    _at_exit_of_this(lambda: (os.unlink(link), os.rmdir(place)))
    return link


SRCDIR = _without_blank(
    os.environ.get("SRCDIR")
    or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
)
BUILDDIR = _without_blank(os.environ.get("BUILDDIR") or os.getcwd())
TESTS = os.path.join(SRCDIR, "tests")
LIB = os.path.join(TESTS, "lib")
CACHE = os.environ.get("TEST_CACHE") or os.path.join(BUILDDIR, "tests", "cache")
GPROF = _without_blank(os.environ.get("GPROF") or os.path.join(BUILDDIR, "src", "gprof"))
REFERENCE = os.environ.get("REFERENCE") or "/usr/bin/gprof"
SAMPLE = int(os.environ.get("TEST_SAMPLE") or 1)
IS_LONG = bool(os.environ.get("CHECK_LONG"))
TIMEOUT = 120  # seconds for one program; far more than any should need
SANITIZER_STATUS = 99  # differs from the statuses of gprof
NOBODY = 65534  # user and group

_CALLER_PATH = os.environ.get("PATH", os.defpath)

# Shells start background jobs with these ignored, nohup the first; every program that a test runs
# would inherit that.
for _number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
    if signal.getsignal(_number) == signal.SIG_IGN:
        signal.signal(_number, signal.SIG_DFL)


def sized(usual, full):
    """FULL with CHECK_LONG=1 in the environment, else USUAL."""
    return full if IS_LONG else usual


def sources():
    """The C files of the program, layer by layer."""
    return sorted(glob.glob(os.path.join(SRCDIR, "src", "*", "*.c")))


def _make_temporary():
    base = os.path.join(BUILDDIR, "tests")
    is_usable = os.path.isdir(base) and " " not in os.path.realpath(base)
    path = tempfile.mkdtemp(prefix="tmp-", dir=base if is_usable else None)
    _at_exit_of_this(
        lambda: None if os.environ.get("KEEP") else shutil.rmtree(path, ignore_errors=True)
    )
    os.mkdir(os.path.join(path, "home"))
    return path


TEMP = _make_temporary()


def read(path):
    """The bytes of a file; empty if it does not exist."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""


def has_library(name):
    """Whether the program was built with a library: ZSTD, LZMA, LIBDW, JANSSON, OPCODES."""
    return b"#define HAVE_%s 1" % name.encode() in read(os.path.join(BUILDDIR, "config.h"))


def _leaks_of_others():
    """A file with leaks that LeakSanitizer ignores: libbfd does not free the range lists that it
    reads for line
    numbers."""
    path = os.path.join(TEMP, "leaks-of-others")
    with open(path, "w", encoding="ascii") as file:
        file.write("leak:_bfd_dwarf2_find_nearest_line\n")
    return path


def _under_valgrind(program):
    """A script that runs the program under valgrind's memcheck.  Only if that finds an error, it
    prints messages,
    and the exit status shows it."""
    suppressions, script = os.path.join(TEMP, "suppressions"), os.path.join(TEMP, "gprof")
    with open(suppressions, "w", encoding="ascii") as file:
        file.write("{\n  libbfd\n  Memcheck:Leak\n  ...\n  fun:_bfd_dwarf2_find_nearest_line*\n}\n")
    options = (
        "-q --error-exitcode=%d --leak-check=full --show-leak-kinds=definite" % SANITIZER_STATUS
    )
    options += " --errors-for-leak-kinds=definite --suppressions=" + shlex.quote(suppressions)
    with open(script, "w", encoding="ascii") as file:
        file.write('#!/bin/sh\nexec valgrind %s %s "$@"\n' % (options, shlex.quote(program)))
    os.chmod(script, 0o755)
    return script


if os.environ.get("UNDER_VALGRIND"):
    GPROF = _under_valgrind(GPROF)


def _pinned_environment():
    sanitizer = "exitcode=%d:halt_on_error=1" % SANITIZER_STATUS
    # By frame pointers, a malloc takes a tenth of the time.  libbfd has none, but reads lines only
    # where libdw does not.
    walk = ":detect_leaks=1:fast_unwind_on_malloc=%d" % has_library("LIBDW")
    env = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": os.path.join(TEMP, "home"),
        "TMPDIR": TEMP,
        "LC_ALL": "C",
        "TZ": "UTC",
        "COLUMNS": "80",
        "ASAN_OPTIONS": sanitizer + walk,
        "LSAN_OPTIONS": "exitcode=%d:print_suppressions=0:suppressions=%s" % (
            SANITIZER_STATUS,
            _leaks_of_others(),
        ),
        "UBSAN_OPTIONS": sanitizer + ":print_stacktrace=1",
    }
    for name in ("LD_LIBRARY_PATH",):
        if name in os.environ:
            env[name] = os.environ[name]
    return env


ENV = _pinned_environment()

# With -R, the reference reads uninitialised memory; with this setting, it works.
FILLED_MEMORY = dict(ENV, MALLOC_PERTURB_="85")


def tool(variable, default):
    """The command of a tool as a list, or None if it is not installed."""
    words = shlex.split(os.environ.get(variable) or default)
    path = shutil.which(words[0], path=_CALLER_PATH) if words else None
    return [path] + words[1:] if path else None


_running = set()  # (process that started it, process group) of commands


def _end_running():
    for owner, group in list(_running):
        if owner == os.getpid():
            _end_group(group)


def _end_group(group):
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _end_by_signal(number, _frame):
    """What ends this script does not reach the groups of its commands."""
    _end_running()
    sys.exit(128 + number)


for _number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
    signal.signal(_number, _end_by_signal)


def run_group(command, timeout=TIMEOUT, **keys):
    """Runs a command in a process group of its own; returns (status, stdout, stderr).  At TIMEOUT,
    all of the group is
    ended, and the command counts as killed by signal 14."""
    process = subprocess.Popen(command, start_new_session=True, **keys)
    running = os.getpid(), process.pid
    _running.add(running)
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired as late:
        _end_group(process.pid)
        process.wait()
        return -14, late.stdout or b"", b"no end after %d s" % timeout
    except BaseException:
        _end_group(process.pid)
        raise
    finally:
        _running.discard(running)
    return process.returncode, out or b"", err


def run(
    command, cwd=None, env=None, stdin=None, timeout=TIMEOUT, stdout=subprocess.PIPE, name=None
):
    """Runs a command, under another NAME if that is given; returns (status, stdout, stderr), the
    status negative for a signal, stdout empty if it
    goes to a file.

    A command that exceeds TIMEOUT is ended with all that it has started, and counts as killed by
    signal 14.
    """
    return run_group(
        [name or command[0], *command[1:]],
        timeout,
        executable=command[0] if name else None,
        cwd=cwd or TEMP,
        env=env or ENV,
        stdin=stdin or subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
    )


def read_to_nul(master):
    """What is written to a terminal before a NUL; processes in the background can write more."""
    out = b""
    while b"\0" not in out:
        out += os.read(master, 65536)
    return out[: out.index(b"\0")]


def read_terminal(master, slave, process):
    """What is written to a terminal until PROCESS ends, which is not the leader of its session;
    closes both ends.

    A NUL of our own is the end.  Who reads until the other end is closed can lose the last bytes:
    the kernel looks for bytes first, then whether more can come, and both can change in between.
    """

    def end():
        process.wait()
        os.write(slave, b"\0")

    waiter = threading.Thread(target=end)
    waiter.start()
    out = read_to_nul(master)
    waiter.join()
    os.close(master)
    os.close(slave)
    return out


def run_on_own_terminal(words):
    """What is written to a terminal that is the controlling one of a command.  The leader of the
    session outlives the command, as its end would discard what is not read yet."""
    master, slave = pty.openpty()
    leader = '"$@"; printf "\\0"; exec sleep 600'
    process = subprocess.Popen(
        ["setsid", "-c", "sh", "-c", leader, "sh", *words],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=ENV,
    )
    os.close(slave)
    out = read_to_nul(master)
    process.kill()
    process.wait()
    os.close(master)
    return out


def result_on_terminal(command, width, cwd=None, env=None, height=24):
    """Status, the text that a command prints on a terminal with WIDTH columns and HEIGHT lines, and
    standard error."""
    master, slave = pty.openpty()
    settings = termios.tcgetattr(slave)
    settings[1] &= ~termios.OPOST
    termios.tcsetattr(slave, termios.TCSANOW, settings)
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
    process = subprocess.Popen(
        command, cwd=cwd or TEMP, env=env or ENV, stdout=slave, stderr=subprocess.PIPE
    )
    out = read_terminal(master, slave, process)
    err = process.communicate()[1]
    return process.returncode, out, err


def run_on_terminal(command, width, cwd=None, env=None, height=24):
    """Only the text."""
    return result_on_terminal(command, width, cwd, env, height)[1].decode()


def as_nobody(command, groups=()):
    """Like run, in the root directory, and as an unprivileged user, who is also in GROUPS, if root
    runs the tests.  The
    status is 126 if that user may not run the command, as below a directory that only root can
    enter.
    """

    def drop():
        if os.geteuid() == 0:
            os.setgroups(groups)
            os.setgid(NOBODY)
            os.setuid(NOBODY)

    try:
        return run_group(
            command,
            env=ENV,
            cwd="/",
            preexec_fn=drop,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except PermissionError:
        return 126, b"", b"permission denied"


MOST_OUTPUT = 256 << 20  # bytes; an endless loop may print until its time is up


def run_limited(command, cwd, env, timeout):
    """Like run; a command that writes more than MOST_OUTPUT to a file is killed by signal 25."""
    with open(os.path.join(TEMP, "output-%d" % os.getpid()), "w+b") as output:
        limit = ["prlimit", "--fsize=%d" % MOST_OUTPUT] if shutil.which("prlimit") else []
        status, _, messages = run(limit + command, cwd, env, timeout=timeout, stdout=output)
        output.seek(0)
        return status, output.read() if status in (0, 1) else b"", messages


def said(result):
    """The status and messages of a result, for diagnostics."""
    return "status %d\n%s" % (result[0], result[2].decode("utf-8", "backslashreplace")[:2000])


def shown(what):
    """What a failure has to show, as text: of a result, status and messages; of a list, its lines."""
    if isinstance(what, bytes):
        return what.decode("utf-8", "backslashreplace")
    if isinstance(what, tuple) and [type(part) for part in what] == [int, bytes, bytes]:
        return said(what)
    if isinstance(what, list) and all(isinstance(line, str) for line in what):
        return "\n".join(what)
    return what if isinstance(what, str) else "" if what is None else repr(what)


def check_converter(tap, words, source, cwd):
    """What a script of contrib writes is whole or unchanged, and replaces none of its inputs;
    SOURCE is one."""
    before = state_of(cwd)
    result = run(words + ["-o", source], cwd)
    is_refused = result[0] == 1 and b"would be replaced" in result[2]
    tap.ok(is_refused and state_of(cwd) == before, "the output is an input", result)
    write(os.path.join(cwd, "old"), b"old")
    before = state_of(cwd)
    for name in ("old", "new"):
        result = run(["sh", "-c", 'ulimit -f 0; exec "$@"', "-", *words, "-o", name], cwd)
        is_refused = result[0] == 1 and name.encode() + b": File too large" in result[2]
        tap.ok(is_refused and state_of(cwd) == before, "a full disk: %s" % name, result)
    result = run(words + ["-o", "/dev/full"], cwd)
    tap.ok(result[0] == 1 and b"/dev/full: No space left" in result[2], "a full device", result)
    result = run(words + ["-o", "no\033where/x"], cwd)
    tap.ok(
        result[0] == 1 and b"no\\x1bwhere/x: No such" in result[2],
        "control characters are escaped",
        result,
    )
    result = run(words + ["--no\033option"], cwd)
    tap.ok(result[0] == 1 and b"--no\\x1boption" in result[2], "also in options", result)
    result = run(words + ["-o", "/dev/stdout"], cwd)
    tap.ok(result[0] == 0 and result[1] and state_of(cwd) == before, "onto a pipe", result)
    result = run(words + ["-o", "old"], cwd)
    is_written = (
        result[0] == 0
        and read(os.path.join(cwd, "old")) != b"old"
        and len(state_of(cwd)) == len(before)
    )
    tap.ok(is_written, "an older file is replaced", result)
    os.unlink(os.path.join(cwd, "old"))


def must_run(command, cwd=None):
    """Runs a command that prepares the test; raises RuntimeError if it fails."""
    status, out, err = run(command, cwd)
    if status != 0:
        raise RuntimeError(
            "%s: status %d\n%s" % (shlex.join(command), status, err.decode("utf-8", "replace"))
        )
    return out


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)
    return path


def state_of(directory):
    """Paths, sizes and times of all files below a directory, to detect changes."""
    state = {}
    for place, _, names in os.walk(directory):
        for name in names:
            found = os.lstat(os.path.join(place, name))
            state[os.path.join(place, name)] = (found.st_ino, found.st_size, found.st_mtime_ns)
    return state


def has_reference():
    return os.access(REFERENCE, os.X_OK)


def wraps_libbfd():
    """Whether libbfd's allocations go through src/base/memory_limit.c; those of a shared library do
    not."""
    if b"#define HAVE_WRAP 1" not in read(os.path.join(BUILDDIR, "config.h")):
        return False
    return b"libbfd" not in run(["ldd", GPROF])[1]


def reads_zstd():
    return has_library("ZSTD")


def is_reference():
    """Whether the program under test is the reference itself, which tests the harness."""
    return os.path.realpath(GPROF) == os.path.realpath(REFERENCE)


def mkgmon():
    """The profile writer; compiled now if the build has not made it."""
    path = _without_blank(os.environ.get("MKGMON") or os.path.join(BUILDDIR, "tests", "mkgmon"))
    if not os.access(path, os.X_OK):
        path = os.path.join(TEMP, "mkgmon")
        if not os.path.exists(path):
            must_run(tool("CC", "cc") + ["-o", path, os.path.join(LIB, "mkgmon.c")])
    return path


def make_locale(language, directory):
    """Makes LANGUAGE.UTF-8 below DIRECTORY, for LOCPATH; false if that is not possible here.  The
    order of its letters, which
    takes longest to make, is that of their codes."""
    localedef, path = tool("LOCALEDEF", "localedef"), os.path.join(directory, language + ".UTF-8")
    os.makedirs(directory, exist_ok=True)
    if localedef:
        parts = (
            "ADDRESS COLLATE CTYPE IDENTIFICATION MEASUREMENT MESSAGES MONETARY NAME NUMERIC PAPER"
            " TELEPHONE TIME".split()
        )
        text = "".join(
            'LC_%s\ncopy "%s"\nEND LC_%s\n'
            % (part, "POSIX" if part == "COLLATE" else language, part)
            for part in parts
        )
        run(localedef + ["-i", write(path + ".source", text.encode()), "-f", "UTF-8", path])
    return os.path.isdir(path)


def shim(name):
    """NAME.c of lib as a library for LD_PRELOAD, or None without a compiler.  It does not go
    together with
    sanitizers, see is_sanitized."""
    compiler, path = tool("CC", "cc"), os.path.join(TEMP, name + ".so")
    if compiler and not os.path.exists(path):
        new, source = "%s-%d" % (path, os.getpid()), os.path.join(LIB, name + ".c")
        if run(compiler + ["-shared", "-fPIC", "-O1", "-o", new, source, "-ldl"])[0] == 0:
            os.rename(new, path)
    return path if os.path.exists(path) else None


def shim_report(word, command, cwd=None, env=None, name=None):
    """What lib/shim.c reports of a run of a command: the rests of the lines that begin with WORD."""
    path = write(os.path.join(TEMP, "shim-report"), b"")
    env = env or dict(ENV, LD_PRELOAD=shim("shim"))
    run(command, cwd, dict(env, SHIM_REPORT=path), name=name)
    lines = (line.partition(" ") for line in read(path).decode().splitlines())
    return [rest for first, _, rest in lines if first == word]


def is_sanitized():
    """Whether the program under test was built with AddressSanitizer."""
    return b"__asan_" in read(GPROF)


def parallel(function, items):
    """Yields function(item) in order; items run on all processors at once."""
    workers = len(os.sched_getaffinity(0))
    with concurrent.futures.ProcessPoolExecutor(workers) as pool:
        yield from pool.map(function, items, chunksize=max(1, min(32, len(items) // (8 * workers))))


def wait_until(has_happened):
    """Waits for something that must happen; whether it has within TIMEOUT, which is far more than
    it needs."""
    end = time.monotonic() + TIMEOUT
    while not has_happened():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def first_good(measure, is_good):
    """The first of five measurements that is good, else the last: in some, the host takes the
    processor away."""
    for _ in range(5):
        figures = measure()
        if is_good(figures):
            break
    return figures


def diff(expected, actual, limit=30):
    """A short unified diff of two byte strings."""
    lines = list(
        difflib.unified_diff(
            expected.decode("utf-8", "backslashreplace").splitlines(),
            actual.decode("utf-8", "backslashreplace").splitlines(),
            "expected",
            "actual",
            n=2,
            lineterm="",
        )
    )
    if not lines and expected != actual:
        lines = ["(they differ in line ends only)"]
    if len(lines) > limit:
        lines[limit:] = ["... %d more lines" % (len(lines) - limit)]
    return "\n".join(lines)


def _has_no_number(text):
    """Whether there may be a `nan' or `inf'; fast, because most reports have none."""
    return b"nan " in text or b"inf " in text


def reference_fails(theirs):
    """The failure of the reference that a result shows, with its difference in the manual; None if
    it worked."""
    if theirs[0] not in (0, 1):
        return "8, 16: the reference dies or loops"
    if b"somebody miscounted" in theirs[2]:
        return "2: the reference miscounts"
    if _has_no_number(theirs[1]) and re.search(rb"(?<= )-?(?:nan|inf)(?= )", theirs[1]):
        return "12: the reference divides by a rate of 0"
    return None


def without_division_by_zero(text):
    """The reference's output as it would be if calls without samples took no time (difference
    12)."""
    if not _has_no_number(text):
        return text
    return re.sub(
        rb"(?: |(?<= ))-?nan(?= )", lambda match: b"0.00".rjust(len(match.group(0))), text
    )


def keeps_cycle_time(arguments):
    """Whether a cycle that is called only by arcs with 0 calls has time, which the reference loses
    (difference 25).
    Our trace says so.  Files that ARGUMENTS name have absolute names."""
    with tempfile.TemporaryDirectory(dir=TEMP) as place:
        trace = run([GPROF, "-d1024", "-q"] + arguments, place)[1]
    return bool(
        re.search(
            rb"^\[propagation\] .*, fraction 1, 0 calls, (?!0 ticks).*: <cycle \d+>$", trace, re.M
        )
    )


def disagreement(ours, theirs):
    """How two results of run differ; empty when they do not.  Where the reference did not work,
    ours has to end
    with status 0."""
    expected = without_division_by_zero(theirs[1])
    if reference_fails((theirs[0], expected, theirs[2])):
        return "" if ours[0] == 0 else "the reference fails, and ours does not work: " + said(ours)
    messages = ours[2].decode("utf-8", "backslashreplace")[:2000]
    if ours[0] != theirs[0]:
        text = "status %d instead of %d\n%s" % (ours[0], theirs[0], messages)
        return text + "reference: " + theirs[2].decode("utf-8", "backslashreplace")[:500]
    return diff(expected, ours[1]) if ours[1] != expected else ""


class Tap:
    """Prints test results in the Test Anything Protocol."""

    def __init__(self):
        self.count = 0
        self.failures = 0

    def ok(self, passed, name, diagnostics=""):
        """DIAGNOSTICS are shown if it has not passed."""
        self.count += 1
        self.failures += not passed
        print("%s %d - %s" % ("ok" if passed else "not ok", self.count, name.replace("#", "\\#")))
        if not passed:
            self.say(shown(diagnostics))
        sys.stdout.flush()
        return passed

    def refused(self, words, fragment, cwd):
        """gprof refuses the command line WORDS: its status, a message with FRAGMENT, no output."""
        status, out, err = run([GPROF] + words, cwd)
        self.ok(
            status == 1 and fragment in err.decode() and not out,
            "refused: " + " ".join(words),
            err.decode(),
        )

    def skip(self, name, why):
        self.count += 1
        print("ok %d - %s # SKIP %s" % (self.count, name.replace("#", "\\#"), why))
        sys.stdout.flush()

    @staticmethod
    def say(text):
        for line in text.splitlines():
            print("# " + line)

    def done(self):
        """Prints the plan and what the test has cost: processor time, also of its commands.
        Returns the exit status for
        main: 1 if a row is not ok, but 0 under the driver, which counts the rows, and a status as
        another failure.
        """
        print("1..%d" % self.count)
        self.say(
            "%s: %d checks, %.1f s"
            % (os.path.basename(sys.argv[0]), self.count, sum(os.times()[:4]))
        )
        return 1 if self.failures and not os.environ.get("UNDER_DRIVER") else 0


def skip_all(why):
    print("1..0 # SKIP " + why)
    sys.exit(0)
