#!/usr/bin/env python3
"""After any failure while a sum is written, the file is either the complete old sum or the complete
new one."""

import sys

sys.dont_write_bytecode = True

import errno
import os
import resource
import shutil
import signal
import stat
import subprocess
import tempfile

from lib import elf, harness
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, read, said, write

PLAIN = Layout(64, "little")
LOW, BINS = 0x10000, 20000


class Workshop:
    """A directory with an image, and profiles whose sum is large."""

    def __init__(self, name, count=40):
        self.path = os.path.join(TEMP, name)
        self.room = os.path.join(self.path, "room")
        os.makedirs(self.room)
        text = (
            "text 0x10000\nfunction main 0x9000\nfunction left 0x9000\nfunction zz_padding 0x100\n"
        )
        self.image = write(os.path.join(self.path, "image"), elf.parse(text).bytes())
        self.files = []
        for i in range(count):
            bins = {j: 65535 if j % 7 == i % 7 else 1 for j in range(0, BINS, 5)}
            arcs = [("arc", LOW + j, LOW + 4 * i, 2**32 - 1) for j in range(50)]
            data = Profile(PLAIN, [Histogram(LOW, LOW + 4 * BINS, BINS, bins)] + arcs).bytes()
            self.files.append(write(os.path.join(self.path, "gmon.%d" % i), data))
        self.target = os.path.join(self.room, "gmon.sum")

    def command(self, files=None):
        return [harness.GPROF, "-s", "-o", self.target, self.image] + (files or self.files)

    def run(self):
        return harness.run(self.command())

    def left_behind(self):
        return sorted(set(os.listdir(self.room)) - {"gmon.sum"})


def check_failure(tap, name, result, workshop, message=None):
    """Checks that the run has failed with a message, and changed nothing."""
    stands = os.path.exists(workshop.target) and read(workshop.target) == b"old"
    told = message is None or os.strerror(message).encode() in result[2]
    good = result[0] == 1 and stands and told and not workshop.left_behind()
    tap.ok(
        good, name, said(result) + "old one stands: %s; left: %s" % (stands, workshop.left_behind())
    )


# ---- Files that are too large ----


def limited(command, size):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    done = subprocess.run(command, env=harness.ENV, cwd=TEMP, preexec_fn=limit, capture_output=True)
    return done.returncode, done.stdout, done.stderr


def check_size_limit(tap, workshop):
    for size in (0, 1, 4096, 100000):
        write(workshop.target, b"old")
        result = limited(workshop.command(), size)
        check_failure(tap, "a limit of %d bytes a file" % size, result, workshop, errno.EFBIG)


# ---- Files and directories that cannot be written ----


def check_permissions(tap):
    """In a directory that all users can reach, if root runs the tests."""
    place = tempfile.mkdtemp(dir="/tmp") if os.geteuid() == 0 else tempfile.mkdtemp(dir=TEMP)
    try:
        workshop = Workshop(os.path.join(place, "w"), 2)
        for directory, _, names in os.walk(place):
            os.chmod(directory, 0o755)
            for name in names:
                os.chmod(os.path.join(directory, name), 0o644)
        program = shutil.copy(harness.GPROF, os.path.join(place, "gprof"))
        os.chmod(program, 0o755)
        command = [program] + workshop.command()[1:]
        if harness.as_nobody([program, "--version"])[0] != 0:
            return tap.skip("a read-only directory", "the program cannot be run by everybody")
        write(workshop.target, b"old")
        os.chmod(workshop.room, 0o555)
        check_failure(
            tap, "a read-only directory", harness.as_nobody(command), workshop, errno.EACCES
        )
        if os.geteuid() == 0:
            os.chmod(workshop.room, 0o777)
            os.chmod(workshop.target, 0o444)
            check_failure(
                tap, "a read-only file", harness.as_nobody(command), workshop, errno.EACCES
            )
            for groups, mode, group, left in (
                ((), 0o666, harness.NOBODY, 0o606),
                ((4711,), 0o660, 4711, 0o660),
            ):
                os.chown(write(workshop.target, b"old"), 0, 4711)
                os.chmod(workshop.target, mode)
                result = harness.as_nobody(command, groups)
                status = os.stat(workshop.target)
                found = status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)
                name = "a file of a group that is %s" % (
                    "kept" if groups else "not the user's: no rights for another one"
                )
                tap.ok(
                    result[0] == 0 and found == (harness.NOBODY, group, left),
                    name,
                    "%s\n%s" % (found, said(result)),
                )
                os.unlink(workshop.target)
    finally:
        shutil.rmtree(place)


def check_places(tap, workshop):
    expected = reference_sum(workshop)
    os.mkfifo(os.path.join(workshop.path, "fifo"))
    os.mkdir(os.path.join(workshop.path, "directory"))
    for name in ("fifo", "directory", "/dev/full", "nowhere/gmon.sum", "gmon.0/gmon.sum"):
        place = os.path.join(workshop.path, name)
        kind = stat.S_IFMT(os.lstat(place).st_mode) if os.path.exists(place) else None
        before = set(os.listdir(workshop.path))
        command = [harness.GPROF, "-s", "-o", place, workshop.image] + workshop.files[:2]
        status, _, err = result = harness.run(command)
        after = stat.S_IFMT(os.lstat(place).st_mode) if os.path.exists(place) else None
        unchanged = kind == after and set(os.listdir(workshop.path)) == before
        good = status == 1 and name.encode() in err and unchanged
        tap.ok(good, "a sum cannot go to %s" % name, result)
    report = write(os.path.join(workshop.path, "report"), b"old")
    command = [harness.GPROF, "-d", "-b", "-p", "-o", report, workshop.image] + workshop.files[:2]
    status, _, err = result = harness.run(["/bin/sh", "-c", 'exec "$@" >/dev/full', "sh"] + command)
    good = status == 1 and b"standard output" in err and read(report) == b"old"
    tap.ok(good, "a file is not replaced if standard output is full", result)
    elsewhere = write(os.path.join(workshop.path, "elsewhere"), b"old")
    os.symlink("../elsewhere", workshop.target)
    status, _, err = result = workshop.run()
    good = (
        status == 1
        and b"elsewhere" in err
        and read(elsewhere) == b"old"
        and os.path.islink(workshop.target)
    )
    tap.ok(good, "a link out of the directory is not followed", result)
    os.unlink(workshop.target)
    elsewhere = write(os.path.join(os.path.dirname(workshop.target), "elsewhere"), b"old")
    os.chmod(elsewhere, 0o640)
    os.symlink("elsewhere", workshop.target)
    result = workshop.run()
    good = result[0] == 0 and os.path.islink(workshop.target) and read(elsewhere) == expected
    tap.ok(good, "a link stays one, and what it leads to is replaced", result)
    tap.ok(stat.S_IMODE(os.stat(elsewhere).st_mode) == 0o640, "and keeps its permissions")
    os.unlink(workshop.target)
    os.unlink(elsewhere)
    os.umask(0o027)
    workshop.run()
    mode = stat.S_IMODE(os.stat(workshop.target).st_mode)
    os.umask(0o022)
    tap.ok(mode == 0o640, "a new one gets those that the user's mask leaves", "%o" % mode)
    os.unlink(workshop.target)


def other_group():
    """A group that files can be given to and that new ones do not have; None if there is none."""
    if os.geteuid() == 0:
        return harness.NOBODY
    return next((group for group in os.getgroups() if group != os.getegid()), None)


def check_group(tap, workshop):
    group = other_group()
    if group is None:
        return tap.skip("a sum that is replaced keeps its group", "this user has one group only")
    os.chown(write(workshop.target, b"old"), -1, group)
    result = workshop.run()
    tap.ok(
        result[0] == 0 and os.stat(workshop.target).st_gid == group,
        "a sum that is replaced keeps its group",
        result,
    )
    if os.geteuid() == 0:
        os.chown(write(workshop.target, b"old"), harness.NOBODY, -1)
        result = workshop.run()
        tap.ok(os.stat(workshop.target).st_uid == harness.NOBODY, "and its owner", result)
    os.unlink(workshop.target)


def check_synced(tap, workshop):
    """Neither a file nor its name is lost with a power failure after the run."""
    name, shim = "the file and its directory are synced", harness.shim("shim")
    if not shim or harness.is_sanitized():
        return tap.skip(name, "no compiler, or sanitizers")
    reports = [harness.GPROF, "-o", workshop.target, workshop.image, *workshop.files[:1]]
    for command in (workshop.command(), reports, reports + ["--format=json"]):
        synced = harness.shim_report("fsync", command)
        tap.ok(synced == ["file", "directory"], name, synced)
        os.unlink(workshop.target)


def reference_sum(workshop, files=None):
    workshop_target = workshop.target
    done = harness.run(workshop.command(files))
    assert done[0] == 0, said(done)
    data = read(workshop_target)
    os.unlink(workshop_target)
    return data


# ---- Signals ----


def check_signal(tap, title, command, target, which, moments=lambda count: range(1, count + 1)):
    """A run gets a signal before each of the calls that change a file, or some of them.  It ends,
    and leaves the old file; only a rename that has begun, and the sync after it, leave the new one.
    """
    name, shim = "%s: %s" % (title, which.name), harness.shim("shim")
    if not shim or harness.is_sanitized():
        return tap.skip(name, "no compiler, or sanitizers")
    count, room = int(harness.shim_report("changes", command)[0]), os.path.dirname(target)
    new, wrong, replaced = read(target), [], 0
    for number in sorted(moments(count)):
        write(target, b"old")
        env = dict(harness.ENV, LD_PRELOAD=shim, SHIM_SIGNAL="%d:%d" % (which, number))
        status, content = harness.run(command, env=env)[0], read(target)
        left = [file for file in os.listdir(room) if file != os.path.basename(target)]
        replaced += content == new
        is_hidden = which == signal.SIGKILL and all(file.startswith(".") for file in left)
        if status != -which or content not in (b"old", new) or (left and not is_hidden):
            wrong.append("call %d: %d, %d bytes, %s" % (number, status, len(content), left))
        for file in left:
            os.unlink(os.path.join(room, file))
    tap.ok(not wrong, name + " ends it: the old or the new one is left", wrong)
    why = "%d of %d" % (replaced, count)
    return tap.ok(0 < replaced <= 2 < count, name + ": the new one only at the end", why)


def some_of(count):
    return {*range(1, 5), *range(5, count, count // 20), *range(count - 5, count + 1)}


def check_output(tap, workshop):
    """-o of reports."""
    room = os.path.join(TEMP, "output")
    os.mkdir(room)
    target = os.path.join(room, "report")
    for words in (["--quiet", "--format=json"], ["-b", "-p"]):
        command = [harness.GPROF, *words, "-o", target, workshop.image, workshop.files[0]]
        check_signal(tap, " ".join(words) + " -o", command, target, signal.SIGTERM)


def check_memory(tap, workshop):
    """What is asked of the kernel while a file is written has been set."""
    name = "valgrind finds nothing while a file is written"
    if harness.is_sanitized() or harness.run(["valgrind", "--version"], TEMP)[0] != 0:
        return tap.skip(name, "no valgrind, or sanitizers")
    command = [
        "valgrind",
        "-q",
        "--error-exitcode=9",
        harness.GPROF,
        "-s",
        "-o",
        os.path.join(TEMP, "checked"),
        workshop.image,
        workshop.files[0],
    ]
    result = harness.run(command)
    return tap.ok(result == (0, b"", b""), name, result)


def check_nohup(tap, workshop):
    name, shim = "a signal that is ignored is ignored", harness.shim("shim")
    if not shim or harness.is_sanitized():
        return tap.skip(name, "no compiler, or sanitizers")
    expected, wrong = reference_sum(workshop), []
    count = int(harness.shim_report("changes", workshop.command())[0])
    command = ["/bin/sh", "-c", 'trap "" HUP; exec "$@"', "sh", *workshop.command()]
    for number in (1, count // 2, count):
        os.unlink(workshop.target)
        env = dict(harness.ENV, LD_PRELOAD=shim, SHIM_SIGNAL="%d:%d" % (signal.SIGHUP, number))
        result = harness.run(command, env=env)
        wrong += [] if result[0] == 0 and read(workshop.target) == expected else [said(result)]
    return tap.ok(not wrong, name, wrong)


def main():
    tap = harness.Tap()
    workshop = Workshop("workshop")
    check_size_limit(tap, workshop)
    os.unlink(workshop.target)
    check_permissions(tap)
    check_places(tap, workshop)
    check_group(tap, workshop)
    check_synced(tap, workshop)
    check_nohup(tap, workshop)
    check_output(tap, workshop)
    check_memory(tap, workshop)
    for which in (signal.SIGKILL, signal.SIGTERM):
        check_signal(tap, "-s", workshop.command(), workshop.target, which, some_of)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
