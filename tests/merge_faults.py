#!/usr/bin/env python3
"""After any failure while a sum is written, the file is either the complete old sum or the complete
new one."""

import sys

sys.dont_write_bytecode = True

import errno
import os
import re
import resource
import shutil
import signal
import stat
import subprocess
import tempfile
import time

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


# ---- Full disks ----


def check_full_disk(tap, workshop):
    name = "a full disk: the old one stands"
    if os.geteuid() != 0 or not shutil.which("mount"):
        return tap.skip(name, "only root can mount one")
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", workshop.room]
    if harness.run(mount)[0] != 0:
        return tap.skip(name, "no tmpfs can be mounted here")
    try:
        write(workshop.target, b"old")
        check_failure(tap, name, workshop.run(), workshop, errno.ENOSPC)
        os.unlink(workshop.target)
        result = workshop.run()
        tap.ok(
            result[0] == 1 and os.listdir(workshop.room) == [],
            "a full disk: nothing is left on it",
            said(result),
        )
    finally:
        harness.must_run(["umount", workshop.room])


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
    for name in (
        "fifo",
        "directory",
        "/dev/full",
        "/dev/null",
        "nowhere/gmon.sum",
        "gmon.0/gmon.sum",
    ):
        place = os.path.join(workshop.path, name)
        kind = stat.S_IFMT(os.lstat(place).st_mode) if os.path.exists(place) else None
        before = set(os.listdir(workshop.path))
        command = [harness.GPROF, "-s", "-o", place, workshop.image] + workshop.files[:2]
        status, _, err = result = harness.run(command)
        after = stat.S_IFMT(os.lstat(place).st_mode) if os.path.exists(place) else None
        unchanged = kind == after and set(os.listdir(workshop.path)) == before
        if (
            name == "/dev/null"
        ):  # what is written there is lost, so that only the profiles are checked
            tap.ok(
                status == 0 and not err and unchanged,
                "a sum is not written to %s" % name,
                said(result),
            )
            result = harness.run(
                command + [write(os.path.join(workshop.path, "cut"), read(workshop.files[0])[:-1])]
            )
            os.unlink(os.path.join(workshop.path, "cut"))
            tap.ok(
                result[0] == 1 and b"cut: unexpected end" in result[2],
                "damage is reported all the same",
                said(result),
            )
            continue
        good = status == 1 and name.encode() in err and unchanged
        tap.ok(good, "a sum cannot go to %s" % name, said(result))
    status, _, err = result = harness.run(
        ["/bin/sh", "-c", 'exec "$@" >/dev/full', "sh"] + stdout_command(workshop)
    )
    tap.ok(status == 1 and b"standard output" in err, "standard output that is full", said(result))
    report = write(os.path.join(workshop.path, "report"), b"old")
    command = [harness.GPROF, "-d", "-b", "-p", "-o", report, workshop.image] + workshop.files[:2]
    status, _, err = result = harness.run(["/bin/sh", "-c", 'exec "$@" >/dev/full', "sh"] + command)
    good = status == 1 and b"standard output" in err and read(report) == b"old"
    tap.ok(good, "a file is not replaced if standard output is full", said(result))
    elsewhere = write(os.path.join(workshop.path, "elsewhere"), b"old")
    os.symlink("../elsewhere", workshop.target)
    status, _, err = result = workshop.run()
    good = (
        status == 1
        and b"elsewhere" in err
        and read(elsewhere) == b"old"
        and os.path.islink(workshop.target)
    )
    tap.ok(good, "a link out of the directory is not followed", said(result))
    os.unlink(workshop.target)
    elsewhere = write(os.path.join(os.path.dirname(workshop.target), "elsewhere"), b"old")
    os.chmod(elsewhere, 0o640)
    os.symlink("elsewhere", workshop.target)
    result = workshop.run()
    good = result[0] == 0 and os.path.islink(workshop.target) and read(elsewhere) == expected
    tap.ok(good, "a link stays one, and what it leads to is replaced", said(result))
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
        said(result),
    )
    if os.geteuid() == 0:
        os.chown(write(workshop.target, b"old"), harness.NOBODY, -1)
        result = workshop.run()
        tap.ok(os.stat(workshop.target).st_uid == harness.NOBODY, "and its owner", said(result))
    os.unlink(workshop.target)


def check_synced(tap, workshop):
    """Neither a sum nor its name is lost with a power failure after the run."""
    name, shim = "the sum and its directory are synced", harness.shim("shim")
    if not shim or harness.is_sanitized():
        return tap.skip(name, "no compiler, or sanitizers")
    report = os.path.join(TEMP, "synced")
    result = harness.run(
        workshop.command(), env=dict(harness.ENV, LD_PRELOAD=shim, SHIM_REPORT=report)
    )
    synced = [line for line in read(report).splitlines() if line.startswith(b"fsync")]
    tap.ok(
        result[0] == 0 and synced == [b"fsync file", b"fsync directory"],
        name,
        said(result) + repr(synced),
    )
    os.unlink(workshop.target)


def stdout_command(workshop):
    return [harness.GPROF, "-s", "-o", "-", workshop.image] + workshop.files


def reference_sum(workshop, files=None):
    workshop_target = workshop.target
    done = harness.run(workshop.command(files))
    assert done[0] == 0, said(done)
    data = read(workshop_target)
    os.unlink(workshop_target)
    return data


# ---- Signals ----


class Killing:
    """Runs a large merge repeatedly, and ends each run with a signal."""

    def __init__(self, workshop, which):
        self.workshop, self.signal = workshop, which
        self.sums = [
            reference_sum(workshop, files)
            for files in (workshop.files[: len(workshop.files) // 2], workshop.files)
        ]
        self.seen = {"old": 0, "new": 0, "unfinished": 0}

    def command(self):
        return self.workshop.command()

    def changes(self, shim):
        """The number of calls of such a run that change files."""
        report = write(os.path.join(TEMP, "changes"), b"")
        harness.run(self.command(), env=dict(harness.ENV, LD_PRELOAD=shim, SHIM_REPORT=report))
        return int(re.search(rb"^changes (\d+)$", read(report), re.M)[1])

    def at_change(self, shim, number):
        """What is wrong if a run ends before this call."""
        env = dict(harness.ENV, LD_PRELOAD=shim, SHIM_SIGNAL="%d:%d" % (self.signal, number))
        return self.judge("call %d" % number, lambda: harness.run(self.command(), env=env))

    def judge(self, when, run):
        workshop = self.workshop
        write(workshop.target, self.sums[0])
        run()
        content, left = read(workshop.target), workshop.left_behind()
        if content not in self.sums:
            return "%s: neither the old nor the new one: %d bytes\n" % (when, len(content))
        self.seen["new" if content == self.sums[1] else "old"] += 1
        self.seen["unfinished"] += len(left)
        for name in left:
            os.unlink(os.path.join(workshop.room, name))
        if left and (
            self.signal != signal.SIGKILL or any(not name.startswith(".") for name in left)
        ):
            return "%s: left behind: %s\n" % (when, left)
        return ""

    def report(self, tap, name, wrong):
        tap.ok(not wrong, "%s: the old or the new one" % name, wrong)
        seen = "%(old)d old, %(new)d new, %(unfinished)d unfinished files" % self.seen
        tap.ok(min(self.seen["old"], self.seen["new"]) > 0, "and both have been seen", seen)
        tap.say(seen)


def check_kills(tap, workshop, which):
    """At the first and last calls that change a file, some between them, and behind the last
    one."""
    name, shim = "%s before calls that change a file" % which.name, harness.shim("shim")
    if not shim or harness.is_sanitized():
        return tap.skip(name, "no compiler, or sanitizers")
    killing = Killing(workshop, which)
    count = killing.changes(shim)
    moments = {*range(1, 5), *range(5, count, count // 20), *range(count - 5, count + 2)}
    return killing.report(
        tap, name, "".join(killing.at_change(shim, number) for number in sorted(moments))
    )


def check_output(tap, workshop):
    """-o: SIGTERM before each call that changes a file.  It ends the run, and leaves the old file
    if it comes before
    the new one is synced."""
    name, shim = "SIGTERM while -o writes", harness.shim("shim")
    if not shim or harness.is_sanitized():
        return tap.skip(name, "no compiler, or sanitizers")
    room = os.path.join(TEMP, "output")
    os.mkdir(room)
    target, report = os.path.join(room, "report"), os.path.join(TEMP, "changes")
    command = [
        harness.GPROF,
        "--quiet",
        "--format=json",
        "-o",
        target,
        workshop.image,
        workshop.files[0],
    ]
    for words in (
        command,
        [harness.GPROF, "-b", "-p", "-o", target, workshop.image, workshop.files[0]],
    ):
        write(report, b"")
        harness.run(words, env=dict(harness.ENV, LD_PRELOAD=shim, SHIM_REPORT=report))
        lines, new, wrong = read(report), read(target), []
        count = int(re.search(rb"^changes (\d+)$", lines, re.M)[1])
        replaced = 0
        for number in range(1, count + 1):
            write(target, b"old")
            status = harness.run(
                words,
                env=dict(
                    harness.ENV, LD_PRELOAD=shim, SHIM_SIGNAL="%d:%d" % (signal.SIGTERM, number)
                ),
            )[0]
            content = read(target)
            replaced += content == new
            if (
                status != -signal.SIGTERM
                or content not in (b"old", new)
                or os.listdir(room) != ["report"]
            ):
                wrong.append(
                    "call %d: status %d, %d bytes, %s"
                    % (number, status, len(content), os.listdir(room))
                )
        tap.ok(
            not wrong and lines.count(b"fsync file") == 1,
            name + ": it dies of it, and nothing is left",
            "\n".join(wrong) + repr(lines),
        )
        tap.ok(
            replaced <= 2 < count,
            name + ": only a rename that has begun, and the sync after it, leave the new one",
            "%d of %d" % (replaced, count),
        )
    return None


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
    return tap.ok(result == (0, b"", b""), name, said(result))


def check_nohup(tap, workshop):
    def ignore():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    expected, wrong = reference_sum(workshop), ""
    for _ in range(15):
        process = subprocess.Popen(workshop.command(), env=harness.ENV, preexec_fn=ignore)
        while process.poll() is None:
            process.send_signal(signal.SIGHUP)
            time.sleep(0.001)
        if process.returncode != 0 or read(workshop.target) != expected:
            wrong += "status %d\n" % process.returncode
        os.unlink(workshop.target)
    tap.ok(not wrong, "a signal that is ignored is ignored", wrong)


def main():
    tap = harness.Tap()
    workshop = Workshop("workshop")
    check_full_disk(tap, workshop)
    check_size_limit(tap, workshop)
    os.unlink(workshop.target)
    check_permissions(tap)
    check_places(tap, workshop)
    check_group(tap, workshop)
    check_synced(tap, workshop)
    check_nohup(tap, workshop)
    check_output(tap, workshop)
    check_memory(tap, workshop)
    check_kills(tap, workshop, signal.SIGKILL)
    check_kills(tap, workshop, signal.SIGTERM)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
