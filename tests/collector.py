#!/usr/bin/env python3
"""Profiles of programs that cannot write them: they are killed, confined, or go where they may not
write.

Usage: collector.py [CHECK]...   (a name of a function below; all if none is given)
"""

import sys

sys.dont_write_bytecode = True

import errno
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import time

from lib import harness, runtime_build
from lib.harness import sized
from lib.runtime_build import Place, calls_of, compile_program, sections_of
from lib.runtime_jobs import expect, leaf_calls_of_files, run_checks

UNABLE = 77  # what the program ends with if the kernel does not let it do it
REGMON = runtime_build.REGMON

# How, status, calls in gmon.out, calls in files of children.
FATES = [
    ("kill", -signal.SIGKILL, 1000, []),
    ("time", -signal.SIGKILL, 1000, []),
    ("blocked", -signal.SIGSEGV, 1000, []),
    ("jump", -signal.SIGSEGV, 1000, []),
    ("abort", -signal.SIGABRT, 1000, []),
    ("heap", -signal.SIGABRT, 1000, []),
    ("exit_group", 9, 1000, []),
    ("strict", 0, 2000, []),
    ("filter", 0, 2000, []),
    ("children", 0, 1000, [1, 2, 3, 4, 5]),
    ("title", 0, 1000, [1, 2, 3, 4, 5]),
    ("daemon", 0, 1000, [77]),
    ("root", -signal.SIGKILL, 1000, []),
    ("descriptors", 0, 1000, []),
    ("closed", 0, 1000, []),
    ("memory", 0, 2000, []),
]


def fates(context):
    return compile_program(context.gcc, "fates.c", "fates", ["-O1"])


def wait_for_files(place, program, wanted):
    """What is in the files when they have what is wanted, or will not have it."""
    harness.wait_until(lambda: leaf_calls_of_files(program, place) == wanted)
    return leaf_calls_of_files(program, place)


def check_fates(context):
    program = fates(context)
    for how, status, calls, children in FATES:
        for option in ([], ["-D"]):
            with Place() as place:
                result = place.run(
                    ["sh", "-c", 'ulimit -c 0; exec "$@"', "sh", REGMON] + option + [program, how],
                    REGMON_STACKS="0",
                )
                if option:
                    harness.run([REGMON, "--wait"], cwd=place.path)
                if how == "root" and os.path.isdir(place.file("root")):
                    os.rmdir(place.file("root"))
                found = result[0], wait_for_files(place, program, (calls, children, []))
            name = " ".join(["fate:", how] + option)
            if result[0] == UNABLE:
                context.tap.skip(name, "the kernel does not permit it")
            else:
                expect(context, name, found, (status, (calls, children, [])), result)


def check_group(context):
    """regmon is in the group of the program, and is killed with it; the collector is not."""
    program = fates(context)
    with Place() as place:
        process = subprocess.Popen(
            [REGMON, program, "group"],
            cwd=place.path,
            env=dict(harness.ENV, REGMON_STACKS="0"),
            start_new_session=True,
        )
        status = process.wait()
        found = status, wait_for_files(place, program, (1000, [], []))
    expect(context, "fate: the whole group is killed", found, (-signal.SIGKILL, (1000, [], [])))


def limited_group():
    """A new control group that may have 64 MB of memory; None if none can be made."""
    for root, limit in (
        ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
        ("/sys/fs/cgroup", "memory.max"),
    ):
        group = os.path.join(root, "regprof-%d" % os.getpid())
        try:
            os.mkdir(group)
            harness.write(os.path.join(group, limit), b"64M")
            return group
        except OSError:
            if os.path.isdir(group):
                os.rmdir(group)
    return None


def remove_group(group):
    def is_removed():
        try:
            os.rmdir(group)
            return True
        except OSError:
            return False

    harness.wait_until(is_removed)


def check_exhausted(context):
    """regmon, the collector and the program are in a control group without memory: the kernel kills
    the program."""
    program, group = fates(context), limited_group()
    for option in ([], ["-D"]):
        name = " ".join(["fate: out of memory"] + option)
        if not group:
            context.tap.skip(name, "no control group can be made")
            continue
        with Place() as place:
            enter = 'ulimit -c 0; echo $$ > "$0" && exec "$@"'
            words = (
                ["sh", "-c", enter, os.path.join(group, "cgroup.procs"), REGMON]
                + option
                + ["--no-stacks", program, "exhausted"]
            )
            result = place.run(words)
            found = result[0], wait_for_files(place, program, (1000, [], []))
        if result[0] == UNABLE:
            context.tap.skip(name, "the control group does not limit swap")
        else:
            expect(context, name, found, (-signal.SIGKILL, (1000, [], [])), result)
    if group:
        remove_group(group)


def start(place, words, stderr=None):
    """regmon, when the program has called."""
    process = subprocess.Popen(
        [REGMON] + words, cwd=place.path, env=harness.ENV, stdout=subprocess.PIPE, stderr=stderr
    )
    process.stdout.readline()
    return process


def child_of(process):
    """The program that regmon runs: the child that has no name of regmon."""
    with open("/proc/%d/task/%d/children" % (process.pid, process.pid), encoding="ascii") as file:
        numbers = [int(number) for number in file.read().split()]
    return [
        number for number in numbers if b"regmon" not in harness.read("/proc/%d/comm" % number)
    ][0]


def check_storm(context):
    """Threads count in the profile and by themselves; whenever they are killed, both are equal, but
    for a call of each."""
    program = fates(context)
    for _ in range(sized(5, 200)):
        with Place() as place:
            process = start(place, [program, "storm"])
            os.kill(child_of(process), signal.SIGKILL)
            status = process.wait()
            process.stdout.close()
            own = sum(struct.unpack("512Q", harness.read(place.file("counted")))[::16])
            counted = calls_of("counted", program, place.file())
        context.tap.ok(
            status == -signal.SIGKILL and 0 <= counted - own <= 3,
            "fate: killed in a storm of calls",
            "%d, %d of its own" % (counted, own),
        )


# ---- Snapshots ----


def check_snapshots(context):
    """The collector writes them: the program is not interrupted, and need not do anything."""
    program = fates(context)
    for options, wake in (
        (["-s", "USR1"], lambda process: process.send_signal(signal.SIGUSR1)),
        (["-i", "0.3"], lambda process: None),
    ):
        with Place() as place:
            process = start(place, options + ["--no-stacks", program, "wait"])
            wake(process)
            found = wait_for_files(place, program, (1000, [], []))
            alive = process.poll() is None
            process.terminate()
            status = process.wait()
            process.stdout.close()
        expect(
            context,
            "a snapshot: %s" % options[0],
            (found, alive, status),
            ((1000, [], []), True, -signal.SIGTERM),
        )


# ---- Collectors ----


def collectors_in(directory):
    """Numbers of processes that were started in a directory, and lead a session as collectors
    do."""
    found = []
    for name in os.listdir("/proc"):
        try:
            if (
                name.isdigit()
                and os.getsid(int(name)) == int(name)
                and harness.read("/proc/%s/comm" % name) == b"regmon\n"
            ):
                places = [
                    harness.read(os.path.join(pool, "collector")).split(b"\0")[0]
                    for pool in pools_of(int(name))
                ]
                found += [int(name)] if places == [directory.encode()] else []
        except OSError:
            pass
    return found


def pools_of(number):
    """Directories that a process has open, with files of collectors."""
    links = [
        os.readlink("/proc/%d/fd/%s" % (number, fd)) for fd in os.listdir("/proc/%d/fd" % number)
    ]
    return [link for link in links if os.path.basename(link).startswith("regmon-")]


def kill_all(place, program):
    """Kills regmon, its program and its collector while they run; returns the pool that they
    leave."""
    process = start(place, ["--no-stacks", program, "wait"])
    (collector,) = collectors_in(place.path)
    (pool,) = pools_of(collector)
    for number in (collector, process.pid, child_of(process)):
        os.kill(number, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    harness.wait_until(
        lambda: not os.path.exists("/proc/%d/fd" % collector)
        or not os.listdir("/proc/%d/fd" % collector)
    )
    return pool


def check_finish(context):
    """The collector is killed, too: then regmon --finish writes what is left."""
    program = fates(context)
    with Place() as place:
        pool = kill_all(place, program)
        before = place.files()
        said = place.run([harness.GPROF, program])
        context.tap.ok(
            said[0] == 1
            and b"gmon.out: No such file or directory: the profile of %s is still in memory: run `regmon --finish'"
            % program.encode()
            in said[2],
            "gprof names regmon --finish",
            said,
        )
        result = place.run([REGMON, "--finish"])
        found = before, result[0], leaf_calls_of_files(program, place), os.path.exists(pool)
    expect(context, "regmon --finish", found, ([], 0, (1000, [], []), False), result)


def check_record(context):
    """Sections of processes that have ended are not lost with regmon and its collector."""
    program = compile_program(context.gcc, "without.c", "without", ["-O1"], profile="-g")
    script = '"$0" script true; echo done; read x'
    words = [REGMON, "-r", "1", "-c", "thread", "sh", "-c", script, program]
    with Place() as place:
        process = subprocess.Popen(
            words, cwd=place.path, env=harness.ENV, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        process.stdout.readline()
        (collector,) = collectors_in(place.path)
        (pool,) = pools_of(collector)
        harness.wait_until(
            lambda: any(re.fullmatch(r"section-\d+-\d+", name) for name in os.listdir(pool))
        )
        shell = child_of(process)
        for number in (collector, process.pid, shell):
            os.kill(number, signal.SIGKILL)
        process.communicate()
        harness.wait_until(lambda: not os.path.exists("/proc/%d" % shell))
        before = os.listdir(place.path)
        result = place.run([REGMON, "--finish"])
        found = before, result[0], sorted(os.listdir(place.path)), os.path.exists(pool)
        wanted = [], 0, ["gmon.out.stacks"], False
        expect(context, "--finish writes the record", found, wanted, result)
        samples = [s.samples for s in sections_of(place.file("gmon.out.stacks"))]
        expect(context, "with what has ended", samples, [10])


def check_full(context):
    """A profile that has no room is kept, with its counts and its name, until regmon --finish can
    write it."""
    program = fates(context)
    with Place() as place:
        harness.write(place.file(), b"gmon, old")
        process = start(place, ["--no-stacks", program, "wait"], stderr=subprocess.PIPE)
        (collector,) = collectors_in(place.path)
        (pool,) = pools_of(collector)
        resource.prlimit(collector, resource.RLIMIT_FSIZE, (0, 0))
        process.terminate()
        said = process.communicate()[1]
        harness.wait_until(lambda: not os.path.exists("/proc/%d" % collector))
        first = (
            process.returncode,
            harness.read(place.file()),
            b"until then it is in " + pool.encode() in said,
        )
        still = place.run(["sh", "-c", "ulimit -f 0; trap '' XFSZ; exec \"$0\" --finish", REGMON])
        result = place.run([REGMON, "--finish"])
        found = (
            first,
            still[0],
            result[0],
            leaf_calls_of_files(program, place),
            os.path.exists(pool),
        )
    expect(
        context,
        "a profile that has no room",
        found,
        ((-signal.SIGTERM, b"gmon, old", True), 125, 0, (1000, [], []), False),
        said.decode() + harness.said(still) + harness.said(result),
    )


def check_first_process(context):
    """Process 1 of a container ends all others with it: with -D, it writes by itself."""
    program = fates(context)
    for option in ([], ["-D"]):
        with Place() as place:
            result = place.run(
                ["unshare", "--pid", "--fork", "--kill-child", REGMON]
                + option
                + ["--no-stacks", program]
            )
            found = result[0], wait_for_files(place, program, (1000, [], []))
        name = " ".join(["the first process of a container"] + option)
        if b"unshare:" in result[2]:
            context.tap.skip(name, "no namespace of processes can be made")
        else:
            expect(context, name, found, (0, (1000, [], [])), result)


def check_leftovers(context):
    """Who ends a whole service sends SIGTERM to the collector, too, which goes on; nothing is left
    in memory then."""
    program = fates(context)
    with Place() as place:
        process = start(place, ["--no-stacks", program, "wait"])
        (collector,) = collectors_in(place.path)
        (pool,) = pools_of(collector)
        os.kill(collector, signal.SIGTERM)
        process.terminate()
        process.wait()
        process.stdout.close()
        found = leaf_calls_of_files(program, place), harness.wait_until(
            lambda: not os.path.exists(pool)
        )
    expect(context, "the pool is removed", found, ((1000, [], []), True))


def is_asleep(number):
    """Whether a process makes no system call meanwhile: its count of switches stays the same over
    many looks."""

    def switches():
        return re.findall(rb"ctxt_switches:\s+(\d+)", harness.read("/proc/%d/status" % number))

    for _ in range(50):
        before = switches()
        time.sleep(0.5)
        if switches() == before:
            return True
    return False


def check_rest(context):
    """The collector sleeps while programs live, also after snapshots: looking at a file does not
    wake it."""
    program = fates(context)
    with Place() as place:
        process = start(place, ["-s", "USR1", "--no-stacks", program, "wait"])
        (collector,) = collectors_in(place.path)
        said = place.run([harness.GPROF, program])
        context.tap.ok(
            said[0] == 1
            and b"%s runs under regmon, which has written no profile yet" % program.encode()
            in said[2],
            "gprof says that the program runs",
            said,
        )
        process.send_signal(signal.SIGUSR1)
        wait_for_files(place, program, (1000, [], []))
        found = is_asleep(collector)
        process.terminate()
        process.wait()
        process.stdout.close()
    context.tap.ok(found, "the collector sleeps", "")


def check_background(context):
    """A program that a script leaves behind begins when the script has ended."""
    program = fates(context)
    for _ in range(sized(3, 30)):
        with Place() as place:
            result = place.run([REGMON, "-r", "0", "sh", "-c", '"$0" kill &', program])
            found = result[0], wait_for_files(place, program, (None, [1000], []))
        expect(context, "a program in the background", found, (0, (None, [1000], [])), result)


def check_many(context):
    """Each process of a script has its file, and none of those that were not profiled."""
    program, many = fates(context), sized(40, 400)
    with Place() as place:
        script = "for i in $(seq %d); do %s & done; wait; true" % (many, program)
        result = place.run([REGMON, "-r", "0", "-o", "part", "sh", "-c", script])
        files = [f for f in place.files() if re.fullmatch(r"part\.\d+(-\d+)?", f)]
        counts = {calls_of("leaf", program, place.file(f)) for f in files}
        found = result[0], len(files), len(place.files()), counts
    expect(context, "a script with many programs", found, (0, many, many, {1000}), result)


def check_idle(context):
    """For a process that counts nothing, the collector starts no other one: numbers of processes
    follow each other."""
    number = 'i=0; while [ $i -lt "$0" ]; do i=$((i + 1)); (:); done; sh -c "echo \\$\\$"'
    regmon = 'regmon=$1; shift; "$regmon" -r 0 sh -c "$@"; true'
    numbers = []
    for children in (1, 51):
        with Place() as place:
            result = place.run(
                [
                    "unshare",
                    "--pid",
                    "--fork",
                    "--kill-child",
                    "sh",
                    "-c",
                    regmon,
                    "sh",
                    REGMON,
                    number,
                    str(children),
                ]
            )
        numbers.append(result[1].decode().strip())
    if b"unshare:" in result[2]:
        context.tap.skip("processes that count nothing", "no namespace of processes can be made")
    else:
        expect(
            context, "processes that count nothing", int(numbers[1]) - int(numbers[0]), 50, result
        )


def check_nested(context):
    program = fates(context)
    with Place() as place:
        result = place.run([REGMON, "-r", "0", REGMON, "-r", "0", program, "kill"])
        found = result[0], leaf_calls_of_files(program, place)
    expect(context, "regmon in regmon", found, (-signal.SIGKILL, (1000, [], [])), result)


def check_refused(context):
    """The status of the program is kept where its profile cannot be written."""
    program = fates(context)
    with Place() as place:
        result = place.run([REGMON, "-o", "/nonexistent/x", program, "exit_group"])
    before = (
        "regmon: no profile can be written in /nonexistent/: %s; -o PREFIX names another place\n"
        % os.strerror(errno.ENOENT)
    )
    is_said = (
        result[2].startswith(before.encode())
        and b"regmon: cannot write /nonexistent/x" in result[2]
    )
    context.tap.ok(result[0] == 9 and is_said, "a directory that is not there", result)
    sampled = compile_program(context.gcc, "without.c", "without", ["-O1"], profile="-g")
    words = ["-r", "1", "-c", "thread", "-o", "/nonexistent/x", sampled, "script", sampled]
    with Place() as place:
        result = place.run([REGMON, *words])
    said = result[2].count(b"cannot write"), b"no samples" in result[2]
    expect(context, "which is said once, and that there are no samples is not", said, (1, False))
    script = '"$0" script true; echo $REGMON_POOL'
    words = ["-r", "1", "-c", "thread", "-o", "x" * 250, "sh", "-c", script, sampled]
    with Place() as place:
        result = place.run([REGMON, *words])
    pool = result[1].decode().strip()
    is_gone = pool != "" and harness.wait_until(lambda: not os.path.exists(pool))
    is_said = b"name too long" in result[2]
    context.tap.ok(
        is_gone and is_said,
        "a record whose name is too long: no pool stays",
        harness.said(result) + pool,
    )


def check_damage(context):
    """A program that writes where it should not damages its counts; no other profile suffers."""
    program = fates(context)
    with Place() as place:
        process = start(place, ["--no-stacks", program, "wait"])
        (pool,) = pools_of(collectors_in(place.path)[0])
        for name in os.listdir(pool):
            if name.isdigit():
                with open(os.path.join(pool, name), "r+b") as file:
                    file.seek(8)
                    file.write(b"\xff" * 120)  # sizes and lists of the header
        process.terminate()
        status, said = process.wait(), process.stdout.close()
        found = status, place.files(), said
    expect(context, "counts that are damaged", found, (-signal.SIGTERM, [], None))


def compile_damage(context):
    return compile_program(
        context.gcc, "damage.c", "damage", ["-O1", "-D_GNU_SOURCE", "-I" + runtime_build.SOURCES]
    )


def check_count(context):
    """A count that no process can reach is left out, and said; the others are written."""
    program = compile_damage(context)
    with Place() as place:
        result = place.run([REGMON, "-r", "0", program, "count"])
        found = (
            result[0],
            place.files(),
            calls_of("leaf", program, place.file()),
            calls_of("other", program, place.file()),
        )
    is_said = b"1 counts are left out: they are damaged" in result[2]
    expect(
        context,
        "one count that is damaged",
        found + (is_said,),
        (0, ["gmon.out"], 0, 10, True),
        result,
    )


def check_removed(context):
    """Somebody removes the counts of a running program: that is said."""
    program = fates(context)
    with Place() as place:
        process = start(place, ["--no-stacks", program, "wait"], stderr=subprocess.PIPE)
        (pool,) = pools_of(collectors_in(place.path)[0])
        shutil.rmtree(pool)
        process.terminate()
        said = process.communicate()[1]
        found = (
            process.returncode,
            place.files(),
            b"counts are lost" in said and pool.encode() in said,
        )
    expect(context, "counts that were removed", found, (-signal.SIGTERM, [], True), said)


def check_long_path(context):
    """A program whose path is longer than a profile can say has its profile."""
    program = fates(context)
    with Place() as place:
        deep = place.file("/".join(["x" * 100] * 6))
        os.makedirs(deep)
        shutil.copy(program, deep)
        result = place.run([REGMON, os.path.join(deep, "fates"), "exit_group"])
        found = result, calls_of("leaf", program, place.file())
    expect(context, "a long path", found, ((9, b"", b""), 1000))


NAMES_BELOW = re.compile(r"gmon\.out(\.-?\d+)?(-\d+)?(\.\d\d\d+)?(\.[^/]+)?", re.S)


def check_changed_pools(context):
    """Processes that have given up root's rights change their pools: only files of profiles come,
    and only here."""
    program = compile_damage(context)
    with Place() as place:
        os.mkdir(place.file("run"))
        os.mkdir(place.file("secret"), 0o700)
        secret = harness.write(place.file("secret/conf"), b"gmon: precious")
        os.chmod(secret, 0o600)
        link = place.file("run/gmon.out.libc.so.6")
        before = list_tree(place)
        for first in range(0, sized(200, 2000), 100):
            script = (
                "for i in $(seq %d); do $0 $((%d + i)) $((i %% 4 * 7 + 1)) $1; done; exec $0 count"
                % (100, first)
            )
            os.symlink(secret, link)
            result = harness.run(
                [REGMON, "-r", "0", "sh", "-c", script, program, secret],
                cwd=place.file("run"),
                env=dict(harness.ENV, REGMON_OBJECTS="all"),
            )
            files = [
                name
                for name in os.listdir(place.file("run"))
                if os.path.join("run", name) != os.path.relpath(link, place.path)
            ]
            wrong = [name for name in files if not NAMES_BELOW.fullmatch(name) or ".tmp-" in name]
            size = sum(os.lstat(place.file("run/" + name)).st_size for name in files)
            status = os.path.islink(link), result[0], wrong, size < 1 << 30, list_tree(place)
            expect(
                context,
                "pools that are changed, from %d on" % first,
                status,
                (True, 0, [], True, before),
                "%d files of %d bytes\n%s" % (len(files), size, harness.said(result)[:2000]),
            )
            for name in os.listdir(place.file("run")):
                os.unlink(place.file("run/" + name))


def list_tree(place):
    """What is beside the directory in which regmon runs: paths, modes and contents."""
    found = []
    for directory, _, names in os.walk(place.path):
        if directory != place.file("run"):
            found += [
                (path, os.lstat(path).st_mode, harness.read(path))
                for path in (os.path.join(directory, n) for n in sorted(names))
            ]
    return found


def check_precious(context):
    """A file that is no profile keeps its name: the profile gets the next one."""
    program = fates(context)
    with Place() as place:
        own = shutil.copy(program, place.file("fates"))
        before = harness.read(own)
        result = place.run([REGMON, "-o", "%n", "--no-stacks", "./fates", "exit_group"])
        found = (
            result[0],
            place.files(),
            harness.read(own) == before,
            calls_of("leaf", program, place.file("fates-2")),
        )
    expect(
        context, "-o %n beside the program", found, (9, ["fates", "fates-2"], True, 1000), result
    )
    context.tap.ok(
        result[2] == b"regmon: is no profile, and stays: fates\n", "which is said", result
    )
    for name, make in (
        ("a link", lambda path: os.symlink("elsewhere", path)),
        ("a directory", os.mkdir),
        ("a pipe", os.mkfifo),
    ):
        with Place() as place:
            make(place.file())
            result = place.run([REGMON, "--no-stacks", program, "exit_group"])
            kind = os.lstat(place.file()).st_mode
            found = result[0], place.files(), calls_of("leaf", program, place.file("gmon.out-2"))
        expect(
            context,
            "gmon.out is " + name,
            found,
            (9, ["gmon.out", "gmon.out-2"], 1000),
            harness.said(result) + oct(kind),
        )


def check_begun(context):
    """A collector that was killed before it said anything of the run: --finish writes its pool,
    after a minute."""
    program = fates(context)
    with Place() as place:
        pool = kill_all(place, program)
        said = os.path.join(pool, "collector")
        os.truncate(said, 0)
        young = place.run([REGMON, "--finish"]), os.path.exists(pool)
        os.utime(said, (1, 1))
        old = place.run([REGMON, "--finish"])
        found = (
            young[0][0],
            young[1],
            old[0],
            leaf_calls_of_files(program, place),
            os.path.exists(pool),
        )
    expect(
        context,
        "a collector that was killed at its start",
        found,
        (0, True, 0, (1000, [], []), False),
        old,
    )


CHECKS = [
    check_fates,
    check_group,
    check_exhausted,
    check_storm,
    check_snapshots,
    check_finish,
    check_record,
    check_full,
    check_first_process,
    check_leftovers,
    check_rest,
    check_background,
    check_many,
    check_idle,
    check_nested,
    check_refused,
    check_damage,
    check_count,
    check_removed,
    check_long_path,
    check_changed_pools,
    check_precious,
    check_begun,
]


if __name__ == "__main__":
    sys.exit(run_checks(CHECKS))
