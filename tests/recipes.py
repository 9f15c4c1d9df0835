#!/usr/bin/env python3
"""The recipes for clusters, contrib/*: their sums have the same bytes as those of one process."""

import sys

sys.dont_write_bytecode = True

import os
import re
import shutil

from lib import elf, harness
from lib.gmonfile import Histogram, Layout, Profile, checksum
from lib.harness import TEMP, read, write

CONTRIB = os.path.join(harness.SRCDIR, "contrib")
BBCONV = os.path.join(CONTRIB, "bbconv")
TREE = os.path.join(CONTRIB, "gprof-merge-tree")
SLURM = os.path.join(CONTRIB, "slurm", "gprof-merge.sbatch")
MPI = os.path.join(CONTRIB, "mpi", "gprof-merge-mpi")
COUNT = 40  # profiles
LOW, BINS = 0x10000, 64
BOGUS = b"gmon"


def said(result):
    return "status %d\n%s%s" % (
        result[0],
        result[1].decode(errors="replace")[-1000:],
        result[2].decode(errors="replace")[-1000:],
    )


class Site:
    """A directory with a blank in its name, with an image, profiles, a list of them, and their
    sum."""

    def __init__(self):
        self.path = os.path.join(TEMP, "a site")
        os.makedirs(os.path.join(self.path, "runs"))
        text = "text 0x10000\nfunction main 0x40\nfunction left 0x40\nfunction zz_padding 0x100\n"
        write(os.path.join(self.path, "program"), elf.parse(text).bytes())
        self.names = ["runs/gmon.%03d" % i for i in range(COUNT)]
        for i, name in enumerate(self.names):
            arcs = [
                ("arc", LOW + i % 7 * 4, LOW + 0x40, 2**31),
                ("arc", LOW + 4 * (i % 40), LOW, 1),
            ]
            bins = {i % 64: i, 3: 1000}
            histogram = Histogram(LOW, LOW + 4 * BINS, BINS, bins)
            profile = Profile(Layout(), [histogram] + arcs)
            write(os.path.join(self.path, name), profile.bytes())
            lines = "# rate 100\n# histogram %x %x %d\n%s\n# program 0 program" % (
                LOW,
                LOW + 4 * BINS,
                sum(bins.values()),
                checksum(histogram),
            )
            stack = "0:%x;0:%x %d\n# samples %d\n" % (LOW + 5 + i % 7, LOW + 0x40, i + 1, i + 1)
            write(
                os.path.join(self.path, name + ".stacks"),
                ("# regmon stacks 3\n%s\n%s" % (lines, stack)).encode(),
            )
        names = sorted(
            self.names + [name + ".stacks" for name in self.names]
        )  # as `find' names them
        self.list = write(
            os.path.join(self.path, "list"), "".join(n + "\n" for n in names).encode()
        )
        command = [harness.GPROF, "-s", "-o", "expected", "program", "--files-from=list"]
        harness.must_run(command, self.path)
        self.expected = read(os.path.join(self.path, "expected"))
        self.expected_stacks = read(os.path.join(self.path, "expected.stacks"))

    def run(self, command, **variables):
        """Runs a recipe on the list; returns its result."""
        sum_path = os.path.join(self.path, "gmon.sum")
        for path in (sum_path, sum_path + ".stacks"):
            if os.path.exists(path):
                os.unlink(path)
        env = dict(harness.ENV, GPROF=harness.GPROF, **variables)
        with open(self.list, "rb") as stdin:
            return harness.run(command, self.path, env, stdin)

    def sum(self):
        return read(os.path.join(self.path, "gmon.sum"))

    def check(self, tap, name, result):
        known = {
            "runs",
            "program",
            "list",
            "expected",
            "expected.stacks",
            "gmon.sum",
            "gmon.sum.stacks",
        }
        left = sorted(set(os.listdir(self.path)) - known)
        good = result[0] == 0 and self.sum() == self.expected and not left
        good = (
            good and read(os.path.join(self.path, "gmon.sum.stacks")) == self.expected_stacks != b""
        )
        tap.ok(good, name, said(result) + "".join("left: %s\n" % x for x in left))


def spoil(site):
    """Makes one profile unusable; returns its old contents."""
    path = os.path.join(site.path, site.names[30])
    data = read(path)
    write(path, BOGUS)
    return data


def check_tree(tap, site, engine, options):
    site.check(tap, "%s: groups of 256" % engine, site.run([TREE] + options + ["program"]))
    site.check(
        tap,
        "%s: a tree of threes" % engine,
        site.run([TREE, "-g", "3", "-j", "3"] + options + ["program"]),
    )
    work = os.path.join(TEMP, "level", "sums")
    os.makedirs(work, exist_ok=True)
    for path in (work, os.path.relpath(work, site.path)):
        result = site.run([TREE, "-g", "7"] + options + ["program"], TMPDIR=path)
        site.check(tap, "%s: works wherever TMPDIR is: %s" % (engine, path), result)
    data = spoil(site)
    result = site.run([TREE, "-g", "7"] + options + ["program"])
    tap.ok(result[0] != 0 and site.sum() == b"", "%s: a bad profile ends it" % engine, said(result))
    result = site.run([TREE, "-k", "-g", "7"] + options + ["program"])
    others = [name for name in site.names if name != site.names[30]]
    harness.must_run([harness.GPROF, "-s", "-o", "others", "program"] + others, site.path)
    expected = read(os.path.join(site.path, "others"))
    for name in ("others", "others.stacks"):
        os.unlink(os.path.join(site.path, name))
    tap.ok(result[0] == 1 and site.sum() == expected, "%s: -k leaves it out" % engine, said(result))
    write(os.path.join(site.path, site.names[30]), data)


def check_slurm(tap, site):
    """Runs the script as Slurm does: each task with its variables, then the last job."""
    tasks = 7

    def task(number, **more):
        variables = {
            "SLURM_ARRAY_JOB_ID": "41",
            "SLURM_ARRAY_TASK_ID": str(number + 2),
            "SLURM_ARRAY_TASK_MIN": "2",
        }
        variables.update(SLURM_ARRAY_TASK_COUNT=str(tasks), IMAGE="program", LIST="list")
        return site.run(["/bin/sh", SLURM], **dict(variables, **more))

    def last(job):
        return site.run(["/bin/sh", SLURM], IMAGE="program", LAST=job)

    results = [task(number) for number in reversed(range(tasks))]
    tap.ok(
        all(r[0] == 0 for r in results),
        "Slurm: every task adds up its share",
        "".join(map(said, results)),
    )
    site.check(tap, "Slurm: the last job", last("41"))
    results = [
        task(number, SLURM_ARRAY_JOB_ID=job, SLURM_ARRAY_TASK_COUNT=str(n))
        for job, n in (("42", 4), ("43", 2))
        for number in range(n)
    ]
    tap.ok(
        all(r[0] == 0 for r in results),
        "Slurm: a run without an end, and another",
        "".join(map(said, results)),
    )
    result = last("43")
    tap.ok(
        result[0] == 0 and site.sum() == site.expected,
        "Slurm: shares of the first one are not counted",
        said(result),
    )
    site.check(tap, "Slurm: and are still there", last("42"))
    result = last("43")
    tap.ok(
        result[0] == 1 and b"no task of job 43" in result[2] and site.sum() == b"",
        "Slurm: no shares, no sum",
        said(result),
    )
    results = [
        task(number, SLURM_ARRAY_TASK_COUNT="400") for number in range(400) if number % 8 == 3
    ]
    tap.ok(
        all(r[0] == 0 for r in results),
        "Slurm: tasks without a share",
        "".join(map(said, results))[-2000:],
    )
    shutil.rmtree(os.path.join(site.path, "gprof-sums"))
    for spec, step, numbers in (
        ("0-6:2", 2, range(0, 7, 2)),
        ("5-40:7", 7, range(5, 41, 7)),
        ("1,3,7", 1, (1, 3, 7)),
        ("4,100", 1, (4, 100)),
    ):
        array = {"SLURM_ARRAY_TASK_MIN": min(numbers), "SLURM_ARRAY_TASK_MAX": max(numbers)}
        array.update(SLURM_ARRAY_TASK_STEP=step, SLURM_ARRAY_TASK_COUNT=len(numbers))
        array = {name: str(value) for name, value in array.items()}
        results = [task(0, SLURM_ARRAY_TASK_ID=str(number), **array) for number in numbers]
        tap.ok(
            all(r[0] == 0 for r in results),
            "Slurm: the tasks of --array=%s" % spec,
            "".join(map(said, results)),
        )
        site.check(tap, "Slurm: the last job after --array=%s" % spec, last("41"))
    data = spoil(site)
    results = [task(number) for number in range(tasks)]
    tap.ok([r[0] for r in results].count(0) == tasks - 1, "Slurm: a bad profile fails its task")
    write(os.path.join(site.path, site.names[30]), data)
    shutil.rmtree(os.path.join(site.path, "gprof-sums"))


# Names that are options, settings of variables of awk, or text for the shell.
ODD = ["-n", "list=1", "$HOME", "a\\b'c\"d", "*", "%s", "--", "r\u00e9sum\u00e9 [1]"]


def odd_names(site):
    """Each with an image and a list of this name in the site, for a while."""
    for name in ODD:
        image, list = name, name + ".list"
        for old, new in (("program", image), ("list", list)):
            shutil.copy(os.path.join(site.path, old), os.path.join(site.path, new))
        yield name, image, list
        for new in (image, list):
            os.unlink(os.path.join(site.path, new))


def is_summed(site, result):
    return result[0] == 0 and site.sum() == site.expected


def check_odd_names(tap, site):
    mpi = ["--", "--oversubscribe"] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])
    has_mpi = (
        shutil.which("mpirun", path=harness.ENV["PATH"])
        and harness.run(["mpirun", "-np", "2"] + mpi[1:] + ["true"])[0] == 0
    )
    for name, image, list in odd_names(site):
        if has_mpi:
            result = site.run([MPI, "-n", "3", "-d", name + ".sums", "--", image, list] + mpi)
            tap.ok(is_summed(site, result), "Open MPI: names such as %s" % name, said(result))
        variables = {"IMAGE": image, "LIST": list, "SUMS": name + ".sums"}
        results = [
            site.run(
                ["/bin/sh", SLURM],
                SLURM_ARRAY_JOB_ID="41",
                SLURM_ARRAY_TASK_ID=str(i),
                SLURM_ARRAY_TASK_COUNT="2",
                **variables
            )
            for i in range(2)
        ]
        result = site.run(["/bin/sh", SLURM], LAST="41", **variables)
        tap.ok(
            is_summed(site, result),
            "Slurm: names such as %s" % name,
            "".join(map(said, results + [result])),
        )
        result = site.run([TREE, "-g", "16", "--", image])
        tap.ok(is_summed(site, result), "a tree: names such as %s" % name, said(result))


def check_mpi(tap, site):
    more = ["--", "--oversubscribe"] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])
    if not shutil.which("mpirun", path=harness.ENV["PATH"]):
        return tap.skip("Open MPI", "there is no mpirun")
    if harness.run(["mpirun", "-np", "2"] + more[1:] + ["true"])[0] != 0:
        return tap.skip("Open MPI", "mpirun does not work here")
    for ranks, group in ((4, 16), (4, 2), (1, 2)):
        result = site.run([MPI, "-n", str(ranks), "-g", str(group), "program", "list"] + more)
        site.check(tap, "Open MPI: %d ranks, then groups of %d" % (ranks, group), result)
    result = site.run([MPI, "-n", "4", "-d", "1.profiles", "program", "list"] + more)
    site.check(tap, "Open MPI: a directory that is named like a sum", result)
    result = site.run([MPI, "-n", "4", "-d", "two\nlines", "program", "list"] + more)
    tap.ok(
        result[0] == 1 and b"newline" in result[2] and site.sum() == b"",
        "Open MPI: a directory with a newline is refused",
        said(result),
    )
    result = site.run(
        ["/bin/sh", "-c", '"$@" && cat', "sh", MPI, "-n", "4", "program", "list"] + more
    )
    names = read(site.list)
    tap.ok(
        result[0] == 0 and result[1] == names,
        "Open MPI: leaves the caller's input unread",
        said(result),
    )
    data = spoil(site)
    result = site.run([MPI, "-n", "4", "program", "list"] + more)
    tap.ok(result[0] != 0 and site.sum() == b"", "Open MPI: a bad profile ends it", said(result))
    write(os.path.join(site.path, site.names[30]), data)


def check_shells(tap):
    for path in (TREE, SLURM, MPI):
        name = os.path.basename(path)
        result = harness.run(["/bin/sh", "-n", path])
        tap.ok(result[0] == 0, "%s is a shell script" % name, said(result))
        if not shutil.which("shellcheck"):
            tap.skip("%s, says shellcheck" % name, "there is none")
            continue
        result = harness.run([shutil.which("shellcheck"), path])
        tap.ok(result[0] == 0, "%s, says shellcheck" % name, said(result))


def check_help(tap):
    """The help of each script is the comment at its top, without code."""
    for path in (BBCONV, TREE, MPI):
        _, out, err = result = harness.run([path, "-h"])
        head, code = re.fullmatch(
            r'(#!.*\n(?:#.*\n|"""(?s:.*?)"""\n)+)((?s:.*))', read(path).decode()
        ).groups()
        lines = {line.strip() for line in (out + err).decode().splitlines()} - {""}
        last = head.replace('"""', "").rstrip().splitlines()[-1].strip("# ")
        good = last in lines and not lines & {line.strip() for line in code.splitlines()}
        tap.ok(
            good,
            "%s has a help that ends where its head does" % os.path.basename(path),
            said(result),
        )


def has_gnu_parallel():
    return b"GNU parallel" in harness.run(["/bin/sh", "-c", "parallel --version"])[1]


def main():
    tap = harness.Tap()
    site = Site()
    check_shells(tap)
    check_help(tap)
    check_tree(tap, site, "xargs", ["-x"])
    if has_gnu_parallel():
        check_tree(tap, site, "GNU parallel", [])
    else:
        tap.skip("GNU parallel", "it is not installed")
    check_slurm(tap, site)
    check_mpi(tap, site)
    check_odd_names(tap, site)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
