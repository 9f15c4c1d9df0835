#!/usr/bin/env python3
"""Directories as operands: which files are read, and in which order.

Usage: directories.py
"""

import sys

sys.dont_write_bytecode = True

import gzip
import lzma
import os
import re
import shutil

import merge
from lib import harness, zstd
from lib.harness import TEMP, read, write


def listed(work, *words):
    """(status, the paths of the profiles that -i lists, standard error)"""
    status, out, err = merge.gprof("-i", merge.make_program(), list(words), cwd=work)
    return status, [os.fsdecode(name) for name in re.findall(rb"^File `(.*)'", out, re.M)], err


def make_tree(work, names, contents=None):
    for i, name in enumerate(names):
        path = os.path.join(work, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write(path, merge.small(i).bytes() if contents is None else contents)


def check_order(tap):
    names = [
        "a",
        "b1",
        "b2/c",
        "b2/x09",
        "b2/x9",
        "b2/x10",
        "b2.5",
        "b10/1/z",
        "b10/2/a",
        "b10/10/a",
        "b20",
        "b100000000000000000000001",
    ]
    work = merge.directory("order")
    make_tree(work, ["runs/" + name for name in reversed(names)])
    expected = ["runs/" + name for name in names]
    status, found, err = listed(work, "runs")
    tap.ok((status, found, err) == (0, expected, b""), "directories: in natural order", found)
    found = listed(work, "--no-recurse", "runs")
    expected = [name for name in expected if name.count("/") == 1]
    tap.ok(found == (0, expected, b""), "--no-recurse: only what is directly there", found)


def check_tree(tap):
    work = merge.directory("tree")
    make_tree(work, ["runs/1", "runs/.old/2", "runs/sub/3", "other/4"])
    os.symlink("..", os.path.join(work, "runs/sub/up"))
    os.symlink("../other", os.path.join(work, "runs/other"))
    os.symlink("../other/4", os.path.join(work, "runs/zlink"))
    status, found, err = listed(work, "runs")
    good = status == 0 and found == ["runs/1", "runs/sub/3", "runs/zlink"]
    told = (
        b"warning: runs: symbolic links to directories skipped: 2 (for example runs/other); name"
        b" them"
        in err
    )
    tap.ok(good and told, "links to directories are not followed, with a warning", (found, err))
    found = listed(work, "--no-recurse", "runs")
    tap.ok(
        found == (0, ["runs/1", "runs/zlink"], b""), "without a warning with --no-recurse", found
    )
    found = listed(work, "runs/other")
    tap.ok(found == (0, ["runs/other/4"], b""), "one that is named is followed", found)
    make_tree(work, ["none/a/b/c"], b"no profile")
    status, found, err = listed(work, "none")
    tap.ok(
        status == 1 and b"none: directory contains no profiles" in err,
        "no profile at any depth",
        err,
    )


def check_deep(tap):
    """Directories are nested 1900 deep, with a small stack and few files; then deeper than a path
    can be."""
    work, depth = merge.directory("deep"), 1900
    harness.must_run(["mkdir", "-p", "runs/" + "d/" * depth], work)
    harness.must_run(
        ["cp", write(os.path.join(TEMP, "gmon"), merge.small(1).bytes()), "runs/" + "d/" * depth],
        work,
    )
    command = (
        'ulimit -n 20; ulimit -s 256; exec "$0" -i "$1" runs'
        if not harness.is_sanitized()
        else 'exec "$0" -i "$1" runs'
    )
    result = harness.run(["/bin/sh", "-c", command, harness.GPROF, merge.make_program()], work)
    tap.ok(
        result[0] == 0 and result[1].count(b"File `") == 1,
        "a deep tree",
        harness.said(result)[-300:],
    )
    harness.must_run(["rm", "-r", "runs"], work)
    here = os.open(work, os.O_RDONLY)
    for _ in range(30):
        os.mkdir("d" * 200, dir_fd=here)
        inner = os.open("d" * 200, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    make_tree(work, ["z"])
    status, found, err = listed(work, ".")
    tap.ok(
        status == 1 and err.splitlines()[0].endswith(b"d: File name too long"),
        "a tree too deep for paths",
        err[-300:],
    )
    status, found, err = listed(work, "--skip-bad", ".")
    tap.ok(status == 1 and found == ["./z"], "--skip-bad: the rest of it", found)


def check_unreadable(tap):
    work = merge.directory("unreadable")
    make_tree(work, ["runs/1", "runs/2/3", "runs/4"])
    os.chmod(os.path.join(work, "runs/2"), 0)
    program = write(os.path.join(work, "program"), read(merge.make_program()))
    for path in (TEMP, work, program, os.path.join(work, "runs")):
        os.chmod(path, 0o755)
    command = [harness.GPROF, "-i", program, os.path.join(work, "runs")]
    if harness.as_nobody([harness.GPROF, "-h"])[0] != 0 or harness.as_nobody(command)[1:] == (
        b"",
        b"",
    ):
        return tap.skip("a directory that cannot be read", "the program cannot be run by everybody")
    status, out, err = harness.as_nobody(command)
    tap.ok(
        status == 1 and not out and b"runs/2: Permission denied" in err,
        "a directory that cannot be read",
        err,
    )
    status, out, err = harness.as_nobody(command + ["--skip-bad"])
    good = status == 1 and out.count(b"File `") == 2 and b"runs/2: Permission denied" in err
    tap.ok(good, "--skip-bad: the others, and status 1", (status, out, err))
    os.chmod(os.path.join(work, "runs/2"), 0o755)


def check_crashed(tap):
    """What a killed process leaves in a directory is a bad profile; what is no profile is not."""
    work, whole = merge.directory("crashed"), merge.small(3).bytes()
    cases = {
        "empty": b"",
        "with one byte": whole[:1],
        "with three bytes": whole[:3],
        "with the magic number": whole[:4],
        "with half of its header": whole[:10],
        "with one zero": b"\0",
        "with zeros": bytes(70000),
        "compressed, with nothing": gzip.compress(b""),
        "compressed, cut": gzip.compress(whole)[:5],
        "compressed, with zeros": gzip.compress(bytes(999)),
        "compressed, of two bytes": gzip.compress(whole[:2]),
        "compressed by zstd, cut": zstd.frame(whole)[:40],
        "compressed by xz": lzma.compress(b"notes"),
        "with zeros for its beginning": bytes(4096) + whole[-9:],
    }
    others = {
        "words": b"w",
        "gm.txt": b"gmo no",
        "one": b"1\n",
        "zeros first": bytes(70000) + b"data",
    }
    for what, data in cases.items():
        shutil.rmtree(os.path.join(work, "runs"), ignore_errors=True)
        make_tree(work, ["runs/1", "runs/3"])
        make_tree(work, ["runs/2"], data)
        status, found, err = listed(work, "runs")
        if what == "with zeros for its beginning":  # nothing tells it from other files
            tap.ok(
                status == 0 and b"not profiles: 1 (for example runs/2)" in err,
                "a file %s is another file" % what,
                err,
            )
            continue
        tap.ok(status == 1 and b"gprof: runs/2: " in err, "a profile %s is bad" % what, err)
        status, found, err = listed(work, "--skip-bad", "runs")
        good = status == 1 and found == ["runs/1", "runs/3"] and b"skipped 1 of 3 profiles" in err
        tap.ok(good, "a profile %s: --skip-bad" % what, err)
    others["notes.gz"] = gzip.compress(b"these are notes" * 9)
    others["notes.zst"] = zstd.frame(b"these are notes" * 9) if harness.reads_zstd() else b"notes"
    for what, data in others.items():
        write(os.path.join(work, "runs", what), data)
    write(os.path.join(work, "runs/2"), whole)
    status, found, err = listed(work, "runs")
    good = status == 0 and len(found) == 3 and b"not profiles: 6 (for example runs/gm.txt)" in err
    tap.ok(good, "files of other kinds are skipped", (found, err))


def main():
    if harness.is_reference():
        harness.skip_all("the reference reads no directories")
    tap = harness.Tap()
    for check in (check_order, check_tree, check_deep, check_unreadable, check_crashed):
        check(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
