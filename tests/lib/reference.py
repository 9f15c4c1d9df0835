"""Runs the reference, or repeats the result of an earlier run on the same files.

The reference took half of the time of the comparing tests, and its results change only with its
input.  They
are kept below CACHE.  A result is found by a digest of

    the reference and its shared libraries,
    its arguments, and the contents of the files that they name,
    its environment.

Each result is kept with the names of all files that the reference opened or looked up (opened.c
records them),
such as sources, maps and separate debug information, and with their digests.  It is used only if
each of these
files has the same contents, or is still missing.  So no test has to list what a report depends on.

Not kept are results of runs that end by a signal or a timeout, and reports that contain the name of
the
temporary directory.  Nothing is kept if the files cannot be recorded: without a compiler, or with a
static
reference.  With FRESH=1 in the environment, the reference always runs.
"""

import collections
import functools
import hashlib
import json
import os
import re
import tempfile
import zlib

from lib import harness

CACHE = os.path.join(harness.CACHE, "reference")
_TEMP = harness.TEMP.encode()
_MARK = b"@TEMP@"  # stands for the temporary directory, which has another name in each run
_NO_MATTER = {"HOME", "TMPDIR", "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS"}

Kept = collections.namedtuple(
    "Kept", "status out err files"
)  # files: {name: contents} of those it made


def run(arguments, cwd=None, env=None, runner=harness.run):
    """As harness.run of the reference: (status, stdout, stderr)."""
    return _result(arguments, cwd or harness.TEMP, env or harness.ENV, runner, False)[:3]


def run_with_files(arguments, cwd, env=None, runner=harness.run):
    """The same, and {name: contents} of the files that it creates in CWD, which no other process
    may use.  They
    are removed."""
    result = _result(arguments, cwd, env or harness.ENV, runner, True)
    return result[:3], result.files


def _result(arguments, cwd, env, runner, has_files):
    path = _path(arguments, cwd, env, has_files) if _identity() else None
    return (path and _kept(path, cwd)) or _run(path, arguments, cwd, env, runner, has_files)


# ---- What a result depends on ----


@functools.lru_cache(maxsize=None)
def _digest_of_version(path, *_):
    """The digest of a file outside the temporary directory, where each version has another time or
    size."""
    return _digest_now(path)


def _digest_now(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def _digest(path):
    """A digest of what a path leads to."""
    try:
        found = os.stat(path)
        if not os.path.isfile(path):
            return "no file"
        if path.startswith(harness.TEMP):
            return _digest_now(path)
        return _digest_of_version(path, found.st_ino, found.st_size, found.st_mtime_ns)
    except OSError as error:
        return error.__class__.__name__


@functools.lru_cache(maxsize=None)
def _identity():
    """Digests of the reference and its libraries; empty if results cannot be kept."""
    if os.environ.get("FRESH") or not harness.shim("opened"):
        return ""
    status, out, _ = harness.run(["ldd", harness.REFERENCE])
    libraries = re.findall(r"(/\S+) \(0x", out.decode("utf-8", "replace"))
    return (
        " ".join(_digest(path) for path in [harness.REFERENCE] + libraries)
        if status == 0 and libraries
        else ""
    )


def _path(arguments, cwd, env, has_files):
    """Where the result is kept."""
    named = [_digest(os.path.join(cwd, word)) for word in arguments]
    names = [os.fsencode(word).replace(_TEMP, _MARK) for word in arguments]
    variables = sorted(item for item in env.items() if item[0] not in _NO_MATTER)
    key = hashlib.sha256(
        repr((_identity(), names, named, variables, has_files)).encode()
    ).hexdigest()
    return os.path.join(CACHE, key[:2], key[2:])


# ---- Keeping ----


def _kept(path, cwd):
    """The result at PATH; None if there is none, or if a file has changed since."""
    try:
        with open(path, "rb") as file:
            entry = json.loads(zlib.decompress(file.read()))
    except (OSError, ValueError, zlib.error):
        return None
    for name, digest in entry["opened"].items():
        name = name.encode("latin-1").replace(_MARK, _TEMP)
        if _digest(os.path.join(cwd, os.fsdecode(name))) != digest:
            return None
    os.utime(path)  # scripts/check removes what has not been used for long
    data = {key: entry[key].encode("latin-1") for key in ("out", "err")}
    files = {name: content.encode("latin-1") for name, content in entry["files"].items()}
    return Kept(entry["status"], data["out"], data["err"].replace(_MARK, _TEMP), files)


def _keep(path, cwd, result, opened):
    if (
        result.status not in (0, 1)
        or _TEMP in result.out
        or any(_TEMP in content for content in result.files.values())
    ):
        return
    names = [name for name in opened if os.path.basename(name) not in result.files]
    digests = {
        os.fsencode(n).replace(_TEMP, _MARK).decode("latin-1"): _digest(os.path.join(cwd, n))
        for n in names
    }
    entry = {
        "status": result.status,
        "out": result.out.decode("latin-1"),
        "err": result.err.replace(_TEMP, _MARK).decode("latin-1"),
        "files": {name: content.decode("latin-1") for name, content in result.files.items()},
        "opened": digests,
    }
    os.makedirs(os.path.dirname(path), exist_ok=True)
    handle, new = tempfile.mkstemp(dir=os.path.dirname(path))
    with os.fdopen(handle, "wb") as file:
        file.write(zlib.compress(json.dumps(entry).encode(), 1))
    os.rename(new, path)


# ---- Running ----


def _run(path, arguments, cwd, env, runner, has_files):
    log = os.path.join(harness.TEMP, "opened-%d" % os.getpid())
    traced = dict(env, LD_PRELOAD=harness.shim("opened"), OPENED_LOG=log) if path else env
    before = set(os.listdir(cwd)) if has_files else set()
    status, out, err = runner([harness.REFERENCE] + arguments, cwd=cwd, env=traced)
    files = {}
    for name in sorted(set(os.listdir(cwd)) - before) if has_files else []:
        files[name] = harness.read(os.path.join(cwd, name))
        os.unlink(os.path.join(cwd, name))
    result = Kept(status, out, err, files)
    if path:
        opened = [line.split(" ", 2)[-1] for line in os.fsdecode(harness.read(log)).split("\n")]
        harness.write(log, b"")
        if len(opened) > 1:
            _keep(path, cwd, result, sorted(set(opened) - {""}))
    return result
