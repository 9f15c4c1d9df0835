#!/usr/bin/env python3
"""Failing environments: output errors, inputs that are not regular files or change while they are
read, exhausted
memory, signals, unusual environments.  The program prints a message of its own and exits with
status 1, or
continues without the resource.  (merge_faults.py tests sums.)

INJECT_STEP=N in the environment: only every Nth allocation is tested.  With TEST_SAMPLE, every
fourth.
"""

import sys

sys.dont_write_bytecode = True

import contextlib
import errno
import os
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from lib import elf, harness, seeds
from lib.harness import TEMP, read, said, write


GPROF = harness.GPROF
IMAGE, PROFILE = os.path.join(TEMP, "image"), os.path.join(TEMP, "profile")
SOURCE = os.path.join(TEMP, "a.c")
REPORTS = [
    ["-p"],
    ["-q"],
    ["-T"],
    ["-p", "-l"],
    ["-C", "-l", "-z"],
    ["-A", "-l"],
    ["-i"],
    ["-r"],
    ["-R", "map"],
    ["--per-file"],
    ["--format=speedscope", "--per-file"],
    ["--format=symbol-order"],
    ["-d"],
    ["-s", "-o", "-"],
    ["--help"],
    ["--version"],
]


def prepare():
    write(IMAGE, elf.parse(seeds.IMAGE.replace("/src/", TEMP + "/")).bytes())
    write(PROFILE, dict(seeds.pipeline_seeds())["options-0"][1:])
    write(SOURCE, b"".join(b"line %d\n" % i for i in range(1, 30)))
    write(os.path.join(TEMP, "map"), b"a.o:0 T main\na.o:0 T left\nb.o:0 t inner\n")


def own_words(text):
    return all(line.startswith(b"gprof: ") for line in text.splitlines())


def check(tap, name, result, status, *fragments):
    """Checks that the run ended with STATUS, and printed FRAGMENTS and no messages of libraries."""
    good = (
        result[0] == status
        and own_words(result[2])
        and all(f.encode() in result[2] for f in fragments)
    )
    return tap.ok(good, name, result)


# ---- Standard output ----


def shell(script, *words, **keys):
    return harness.run(["/bin/sh", "-c", script, "sh", GPROF, *words], TEMP, **keys)


def to_closed_pipe(words, before=None):
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        [GPROF] + words,
        cwd=TEMP,
        env=harness.ENV,
        stdout=write_end,
        stderr=subprocess.PIPE,
        preexec_fn=before,
    )
    os.close(write_end)
    return done.returncode, b"", done.stderr


def check_output(tap):
    for report in REPORTS:
        words = ["-b"] + report + [IMAGE, PROFILE]
        result = shell('exec "$@" >/dev/full', *words)
        check(
            tap,
            "%s: a full disk" % " ".join(report),
            result,
            1,
            "standard output",
            os.strerror(errno.ENOSPC),
        )
        check(tap, "%s: a closed pipe" % " ".join(report), to_closed_pipe(words), -signal.SIGPIPE)
    words = ["-b", "-p", IMAGE, PROFILE]
    check(
        tap,
        "a closed pipe, and SIGPIPE ignored",
        to_closed_pipe(words, lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN)),
        1,
        "standard output",
        os.strerror(errno.EPIPE),
    )
    check(tap, "no standard output", shell('exec "$@" >&-', *words), 1, "standard output")
    check(tap, "no standard streams", shell('exec "$@" <&- >&- 2>&-', *words), 1)
    check(
        tap,
        "no standard input, which is asked for",
        shell('exec "$@" - <&-', "-b", "-p", IMAGE),
        1,
        "-: ",
    )
    result = shell('exec "$@" >&- 2>&-', "-s", "-o", "closed.sum", IMAGE, PROFILE, "/nowhere")
    tap.ok(
        result[0] == 1 and not os.path.exists(os.path.join(TEMP, "closed.sum")),
        "no message ends up in a file",
        result,
    )
    result = shell('ulimit -f 0; exec "$@" >limited', *words)
    check(tap, "a limit of file size", result, 1, os.strerror(errno.EFBIG))


# ---- Files that are written ----


def check_annotated_files(tap):
    room = os.path.join(TEMP, "room")
    target = os.path.join(room, "a.c-ann")
    command = [GPROF, "-b", "-A", "-y", "-l", IMAGE, PROFILE]
    os.mkdir(room)
    precious = write(os.path.join(TEMP, "precious"), b"precious")

    def attempt(name, *fragments):
        result = harness.run(command, room)
        check(tap, "-y: %s" % name, result, 1, "a.c-ann", *fragments)
        tap.ok(read(precious) == b"precious", "-y: %s: nothing else is written to" % name)

    os.symlink(precious, target)
    attempt("a link")
    os.unlink(target)
    os.link(precious, target)
    attempt("another name of a file")
    os.unlink(target)
    os.mkdir(target)
    attempt("a directory", os.strerror(errno.EISDIR))
    os.rmdir(target)
    os.mkfifo(target)
    attempt("a pipe that nobody reads")
    os.unlink(target)
    os.symlink("/dev/full", target)
    attempt("a link to a device")
    os.unlink(target)
    result = shell('cd room; ulimit -f 0; exec "$@"', *command[1:])
    check(tap, "-y: a limit of file size", result, 1, "a.c-ann", os.strerror(errno.EFBIG))
    result = (
        shell('exec "$@" >/dev/full', "-b", "-i", "-A", "-y", "-l", IMAGE, PROFILE)
        if os.symlink("x", os.path.join(TEMP, "a.c-ann")) is None
        else None
    )
    check(tap, "-y and standard output: both are told of", result, 1, "a.c-ann", "standard output")
    shutil.rmtree(room)
    os.unlink(os.path.join(TEMP, "a.c-ann"))


# ---- Files that are read ----


def check_unreadable(tap):
    names = ("unreadable image", "unreadable profile")
    place = tempfile.mkdtemp(prefix="regprof-", dir="/tmp" if os.geteuid() == 0 else TEMP)
    try:
        program, image, profile = (shutil.copy(p, place) for p in (GPROF, IMAGE, PROFILE))
        os.chmod(place, 0o755)
        os.chmod(program, 0o755)
        for path in (image, profile):
            os.chmod(path, 0o644)
        if harness.as_nobody([program, "-b", "-p", image, profile])[0] != 0:
            for name in names:
                tap.skip(name, "the program cannot be run by everybody")
            return
        for name, path in zip(names, (image, profile)):
            os.chmod(path, 0)
            check(
                tap,
                name,
                harness.as_nobody([program, "-b", "-p", image, profile]),
                1,
                path,
                os.strerror(errno.EACCES),
            )
            os.chmod(path, 0o644)
    finally:
        shutil.rmtree(place)


def check_kinds(tap):
    directory, pipe = os.path.join(TEMP, "directory"), os.path.join(TEMP, "pipe")
    os.mkdir(directory)
    os.mkfifo(pipe)
    uses = {
        "image": lambda path: ["-b", "-p", path, PROFILE],
        "profile": lambda path: ["-b", "-p", IMAGE, path],
        "-S": lambda path: ["-b", "-p", "-S", path, IMAGE, PROFILE],
        "-R": lambda path: ["-b", "-R", path, IMAGE, PROFILE],
        "--files-from": lambda path: ["-b", "-p", "--files-from", path, IMAGE],
    }
    for use, words in uses.items():
        for kind, path in (
            ("directory", directory),
            ("device", "/dev/zero"),
            ("missing file", "nowhere"),
        ):
            result = harness.run([GPROF] + words(path), TEMP)
            check(tap, "%s: a %s" % (use, kind), result, 1, path)
    check(tap, "image: a pipe", harness.run([GPROF] + uses["image"](pipe), TEMP), 1, pipe)
    for use in ("profile", "-S", "-R", "--files-from"):
        content = {
            "profile": read(PROFILE),
            "-S": b"10000 T main\n",
            "-R": read("%s/map" % TEMP),
            "--files-from": PROFILE.encode(),
        }
        run = subprocess.Popen(
            [GPROF] + uses[use](pipe),
            env=harness.ENV,
            cwd=TEMP,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        feeder = threading.Thread(target=feed, args=(pipe, run, content[use]))
        feeder.start()
        out, err = run.communicate(timeout=harness.TIMEOUT)
        feeder.join()
        check(tap, "%s: a pipe" % use, (run.returncode, out, err), 0)


def open_when_read(pipe, process):
    """The pipe, opened for writing when the process has opened it; None if the process ends
    without."""
    while True:
        has_ended = process.poll() is not None
        try:
            end = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if has_ended:
                return None
            time.sleep(0.001)
            continue
        os.set_blocking(end, True)
        return os.fdopen(end, "wb", buffering=0)


def feed(pipe, process, content):
    """Writes into the pipe what the process reads of it."""
    end = open_when_read(pipe, process)
    if end:
        with end, contextlib.suppress(BrokenPipeError):
            end.write(content)


def shrink_image(image):
    """The result of a run whose image is cut while it waits for its profile, and the rest of the
    image is not read."""
    victim, pipe = write(os.path.join(TEMP, "shrinking"), read(image)), os.path.join(TEMP, "slow")
    os.mkfifo(pipe)
    command = [GPROF, "-b", "-l", "-c", victim, pipe]
    process = subprocess.Popen(
        command, env=harness.ENV, cwd=TEMP, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    profile = open_when_read(pipe, process)
    os.truncate(victim, 1)
    if profile:
        with profile:
            profile.write(read(PROFILE))
    messages = process.communicate()[1]
    return process.returncode, b"", messages


def shrink_once(rng, image):
    """The result of a run while one of its files is cut."""
    files = [
        write(os.path.join(TEMP, "shrinking-%d" % i), read(p) + bytes(300000))
        for i, p in enumerate((image, PROFILE))
    ]
    command = [GPROF, "-b", "-l", "-c", *files]
    process = subprocess.Popen(
        command, env=harness.ENV, cwd=TEMP, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    time.sleep(rng.uniform(0, 0.01))
    victim = rng.choice(files)
    os.truncate(victim, rng.randrange(os.path.getsize(victim)))
    messages = process.communicate()[1]
    return process.returncode, b"", messages


def check_shrinking(tap):
    """Files that are cut while they are read; with CHECK_LONG=1, at any moments, some of which are
    early enough."""
    rng, wrong, hits = random.Random(1), "", 0
    image = compiled_image() or IMAGE
    check(tap, "an executable that shrinks while it is read", shrink_image(image), 1)
    if not harness.IS_LONG:
        return
    for number in range(600):
        status, _, messages = result = shrink_once(rng, image)
        hits += status == 1
        if status not in (0, 1) or not own_words(messages):
            wrong += "run %d: %s\n" % (number, said(result)[:500])
        if number >= 60 and hits >= 5:
            break
    tap.ok(not wrong, "files that shrink while they are read", wrong)
    tap.ok(hits > 0, "some shrink early enough", "%d of %d runs have failed" % (hits, number + 1))


def check_sources(tap):
    """Debug information that names files of the system, and files that are no sources by their
    size, as sources."""
    huge, secret = os.path.join(TEMP, "huge.c"), os.path.join(TEMP, "secret.c")
    with open(huge, "wb") as file:
        file.truncate(100 << 20)
    os.symlink("/proc/self/environ", secret)
    for path, fragment in (
        ("/proc/self/environ", "could not locate"),
        (secret, "could not locate"),
        ("/sys/kernel/uevent_seqnum", "could not locate"),
        (huge, os.strerror(errno.EFBIG)),
    ):
        image = write(
            os.path.join(TEMP, "naming"), elf.parse(seeds.IMAGE.replace("/src/a.c", path)).bytes()
        )
        for words in (["-A", "-l"], ["--format=html", "-l"]):
            result = harness.run(
                [GPROF, "-b", *words, image, PROFILE],
                TEMP,
                dict(harness.ENV, SECRET="hidden treasure"),
            )
            good = (
                result[0] == 0 and b"hidden treasure" not in result[1] and len(result[1]) < 1 << 20
            )
            tap.ok(
                good and fragment.encode() in result[2],
                "%s: %s is not read" % (" ".join(words), path),
                said(result)[:2000],
            )


def check_companions(tap):
    """An executable names a file without an end, one that is large and empty, or a pipe without a
    writer, as its debug
    information."""
    compiled, objcopy = compiled_image(), harness.tool("OBJCOPY", "objcopy")
    pipe, sparse = os.path.join(TEMP, "companion"), os.path.join(TEMP, "sparse")
    os.mkfifo(pipe)
    with open(sparse, "wb") as file:
        file.truncate(1 << 40)
    for target in ("/dev/zero", "/proc/self/pagemap", "/proc/kcore", sparse, pipe):
        name = "debug information in " + os.path.basename(target)
        link, image = os.path.join(TEMP, "debuglink"), os.path.join(TEMP, "linked-elsewhere")
        words = os.path.relpath(target, TEMP).encode() + b"\0"
        write(link, words.ljust((len(words) + 3) // 4 * 4, b"\0") + bytes(4))
        command = [
            *(objcopy or []),
            "-g",
            "--add-section",
            ".gnu_debuglink=" + link,
            compiled or "",
            image,
        ]
        if not compiled or not objcopy or harness.run(command)[0] != 0:
            tap.skip(name, "needs cc and objcopy")
            continue
        check(tap, name, harness.run([GPROF, "-b", "-z", image, PROFILE]), 0)


# ---- Exhausted memory ----


def compiled_image():
    """A linked program with debug information, or None."""
    compiler = harness.tool("CC", "cc")
    source, image = os.path.join(TEMP, "program.c"), os.path.join(TEMP, "linked")
    write(
        source,
        (
            b"static int f (int x) { return x + 1; }\nint main (int c, char **v) { (void) v; return"
            b" f (c); }\n"
        ),
    )
    if compiler and harness.run(compiler + ["-g", "-O1", "-o", image, source])[0] == 0:
        return image
    return None


def build_shim():
    """How to make allocations fail: in what, the program, and its environment; None if that is not
    possible."""
    shim, faulty = harness.shim("shim"), os.path.join(harness.BUILDDIR, "tests", "faulty")
    if shim and not harness.is_sanitized():
        return "anywhere", GPROF, {"LD_PRELOAD": shim}
    if os.access(faulty, os.X_OK):
        return "in the program and its libraries", faulty, {}
    return None


class Starving:
    """Runs a command repeatedly; each time, another allocation fails."""

    def __init__(self, program, env, words, room):
        self.program, self.words, self.room = program, words, room
        self.env = dict(harness.ENV, **env)
        write(os.path.join(room, "gmon.sum"), b"old")
        self.normal = self.run(None)
        self.sum = read(os.path.join(room, "gmon.sum"))

    def run(self, failing):
        env = dict(self.env, SHIM_FAIL=failing) if failing else self.env
        return harness.run([self.program] + self.words, self.room, env, name="gprof")

    def requests(self):
        words = [self.program] + self.words
        return int(harness.shim_report("requests", words, self.room, self.env, "gprof")[-1])

    def complaint(self, failing):
        before = {"gmon.sum", "a.c-ann"} | ({"out"} if "out" in self.words else set())
        write(os.path.join(self.room, "gmon.sum"), b"old")
        status, out, err = self.run(failing)
        content = read(os.path.join(self.room, "gmon.sum"))
        clean = status == 1 and err and own_words(err) and b"emory" in err.splitlines()[-1]
        harmless = (
            status == 0 and (status, out, err) == self.normal
        )  # the C library worked around the failure
        left = set(os.listdir(self.room)) - before
        if not clean and not harmless:
            return "%s: status %d\n%s\n" % (failing, status, err.decode("utf-8", "replace")[:3000])
        if content not in (b"old", self.sum) or left:
            return "%s: gmon.sum has %d bytes, and there is %s\n" % (failing, len(content), left)
        return ""


def check_memory(tap):
    step = int(os.environ.get("INJECT_STEP") or min(4, harness.SAMPLE))
    compiled = compiled_image()
    inputs = {
        "reports": ["-b", "-z", "-c", IMAGE, PROFILE],
        "source lines": ["-b", "-l", "-A", "-C", compiled or IMAGE, PROFILE],
        "a sum": ["-s", IMAGE, PROFILE, PROFILE, PROFILE],
        "reports in a file": ["-b", "-o", "out", IMAGE, PROFILE],
        "JSON in a file": ["--format=json", "-o", "out", IMAGE, PROFILE],
        "a comparison in a file": [
            "--base=" + IMAGE,
            "--base-profile=" + PROFILE,
            "--format=html",
            "-o",
            "out",
            IMAGE,
            PROFILE,
        ],
    }
    if not build_shim():
        return tap.skip("no memory", "no compiler, and a linker that cannot wrap")
    way, program, env = build_shim()
    for name, words in inputs.items():
        room = os.path.join(TEMP, "starving")
        os.mkdir(room)
        starving = Starving(program, env, words, room)
        count, wrong = starving.requests(), ""
        for number in range(1, count + 1, step):
            wrong += starving.complaint("%d" % number)
        for number in range(1, count + 1, 7 * step):
            wrong += starving.complaint("%d-" % number)
        tap.ok(
            count > 10 and not wrong,
            "no memory %s: %s, %d requests" % (way, name, count),
            wrong[:5000],
        )
        shutil.rmtree(room)
    return None


# ---- Disks that cannot be read ----


def check_reads(tap):
    """Each read of an executable and of a profile fails in turn, with EIO, unless the C library has
    the bytes already."""
    shim = harness.shim("shim")
    compiled = compiled_image()
    if not shim or harness.is_sanitized() or not compiled:
        return tap.skip("reads that fail", "needs a compiler, and no sanitizers")
    reports = (
        ["-b", "-z"],
        ["-b", "-l", "-A"],
        ["-b", "-c"],
        ["-b", "--format=json"],
        ["-s", "-o", "-"],
    )
    for words in reports:
        for path in (compiled, PROFILE):
            command = [GPROF, *words, compiled, PROFILE]

            env = dict(harness.ENV, LD_PRELOAD=shim, SHIM_EIO="0:" + path)
            count = max(map(int, harness.shim_report("reads", command, TEMP, env, "gprof")))
            normal, wrong = harness.run(command, TEMP, env, name="gprof"), ""
            for number in range(1, count + 1):
                env["SHIM_EIO"] = "%d:%s" % (number, path)
                status, _, err = result = harness.run(command, TEMP, env, name="gprof")
                said_so = (
                    status == 1
                    and own_words(err)
                    and all(x in err for x in (path.encode(), os.strerror(errno.EIO).encode()))
                )
                wrong += (
                    ""
                    if said_so or result == normal
                    else "read %d of %d: %s" % (number, count, said(result)[:1000])
                )
            tap.ok(
                not wrong and count > 0,
                "%s: %s cannot be read, %d times"
                % (" ".join(words), os.path.basename(path), count),
                wrong[:4000],
            )
    return None


# ---- Signals and the environment ----


def signalled(which, disposition):
    """The exit status and messages of a run that receives the signal while it waits for its
    profile.  The
    disposition is set explicitly, because it is inherited and the signal may be ignored (by nohup,
    or in the
    background)."""
    pipe = os.path.join(TEMP, "awaited")
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [GPROF, "-b", IMAGE, pipe],
        env=harness.ENV,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(which, disposition),
    )
    profile = open_when_read(pipe, process)
    if profile:
        with profile, contextlib.suppress(BrokenPipeError):
            process.send_signal(which)
            profile.write(read(PROFILE))
    os.unlink(pipe)
    _, messages = process.communicate()
    return process.returncode, messages


def check_signals(tap):
    for which in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        status, messages = signalled(which, signal.SIG_DFL)
        tap.ok(status == -which and messages == b"", "%s ends a run" % which.name, messages)
        status, messages = signalled(which, signal.SIG_IGN)
        tap.ok(status == 0, "%s that is ignored does not" % which.name, messages)


DOCUMENTED = {"COLUMNS", "GPROF_PATH", "GNUTARGET", "POSIXLY_CORRECT", "TEXTDOMAINDIR"}
LANGUAGE = {
    "LANGUAGE",
    "LC_ALL",
    "LC_MESSAGES",
    "LC_CTYPE",
    "LANG",
    "NLSPATH",
    "LOCPATH",
    "OUTPUT_CHARSET",
}


def check_comma(tap, words, plain):
    """Numbers have a point in a locale whose own have a comma."""
    name, locales = "numbers in a German locale", os.path.join(TEMP, "locales")
    if not harness.make_locale("de_DE", locales):
        return tap.skip(name, "localedef cannot make it; on Debian, its data are in locales")
    env = dict(harness.ENV, LOCPATH=locales, LC_ALL="de_DE.UTF-8")
    comma = harness.run(["/usr/bin/printf", "%.1f", "0,5"], TEMP, env)[1]
    return tap.ok(comma == b"0,5" and harness.run([GPROF] + words, TEMP, env) == plain, name, comma)


def check_environment(tap):
    words = ["-b", "-l", "-A", "-z", IMAGE, PROFILE]
    plain = harness.run([GPROF] + words, TEMP)
    check_comma(tap, words, plain)
    for name, value in (
        ("LC_ALL", "xx_YY.nonsense"),
        ("LANG", "tlh_TLH.UTF-8"),
        ("LANGUAGE", "../../etc"),
        ("LC_NUMERIC", "de_DE.UTF-8"),
        ("TZ", "Mars/Olympus"),
        ("COLUMNS", "1"),
        ("TMPDIR", "/nowhere"),
        ("HOME", "/nowhere"),
        ("DEBUGINFOD_URLS", "http://localhost:1"),
        ("GPROF", "-p"),
        ("GPROF_PATH", ":::"),
    ):
        env = {k: v for k, v in harness.ENV.items() if k != "LC_ALL"}
        tap.ok(
            harness.run([GPROF] + words, TEMP, dict(env, **{name: value})) == plain,
            "%s=%s changes nothing" % (name, value),
        )
    way = build_shim()
    name = "the environment is asked for what the manual says"
    if not way or not way[2]:
        return tap.skip(name, "no shim with sanitizers, or without a compiler")
    asked = set(harness.shim_report("getenv", [GPROF] + words, TEMP))
    strangers = asked - DOCUMENTED - LANGUAGE
    with open(os.path.join(harness.SRCDIR, "doc", "gprof.1"), encoding="utf-8") as file:
        manual = file.read()
    unsaid = {variable for variable in DOCUMENTED if variable not in manual}
    return tap.ok(
        "GPROF_PATH" in asked and not strangers and not unsaid,
        name,
        "asked: %s; not in the manual: %s" % (strangers, unsaid),
    )


def main():
    tap = harness.Tap()
    prepare()
    check_output(tap)
    check_annotated_files(tap)
    check_unreadable(tap)
    check_kinds(tap)
    check_shrinking(tap)
    check_companions(tap)
    check_sources(tap)
    check_memory(tap)
    check_reads(tap)
    check_signals(tap)
    check_environment(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
