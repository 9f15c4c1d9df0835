#!/usr/bin/env python3
"""Measures what a profiled call and a sample cost with libregmon, beside the C library's own counting.

    runtime.py [--build DIR] [--calls N] [--rounds N] [PART]...

Rows: nanoseconds of user time per call, by the program without -pg, with the C library, with libregmon preloaded and
linked, and with a function that does nothing, preloaded (which no library that is preloaded can do without), and by
uftrace and callgrind where they are installed, in 1 and 2 threads; the part of the CPU time that is sampled at 100,
1,000 and 10,000 Hz; what call stacks of 100 frames add to the CPU time of a program; by how much 20,000 threads and
2,000 calls of dlopen need more; what each of many forks and processes needs more, with the collector; what 1,000
samples a second add to the CPU time of installed programs without -pg, beside what as many signals add that do
nothing; where the time of programs is that wait for pages of memory, beside what they measure themselves; memory.
Each figure is the best of some rounds in turn, because only disturbance makes a run slower; those of stacks, of
processes and of installed programs are medians of pairs.
"""

import argparse
import csv
import ctypes
import os
import re
import resource
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def compile_all(directory, build):
    source, archive = os.path.join(TOP, "tests", "runtime", "loop.c"), os.path.join(build, "runtime", "libregmon.a")
    burn = os.path.join(TOP, "tests", "runtime", "burn.c")
    programs = {
        "plain": ["-O2", source],
        "mcount": ["-O2", "-pg", source],
        "fentry": ["-O2", "-pg", "-mfentry", source],
        "linked": ["-O2", "-pg", source, archive],
        "instrumented": ["-O2", "-finstrument-functions", source],
        "static": ["-O2", "-pg", "-static", source, archive],
        "burn": ["-O1", "-pg", burn],
    }
    if os.uname().machine != "x86_64":
        del programs["fentry"]
    for name, words in programs.items():
        subprocess.run(["gcc", "-pthread", "-o", os.path.join(directory, name)] + words, check=True)
    empty = os.path.join(directory, "empty.c")
    with open(empty, "w", encoding="ascii") as file:
        file.write("void mcount(void) {}\nvoid _mcount(void) {}\nvoid __fentry__(void) {}\n")
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", os.path.join(directory, "empty.so"), empty], check=True)
    return [name for name in programs if name != "burn"]


def user_seconds(directory, command, **environment):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, cwd=directory, env=dict(os.environ, **environment), check=True, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def tools(directory):
    """(label, program, what runs it) of tools that are installed, which take many times longer."""
    trace = ["uftrace", "record", "-d", os.path.join(directory, "trace")]
    callgrind = ["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    rows = [("uftrace, mcount", "mcount", trace), ("callgrind, no profiling", "plain", callgrind)]
    return [row for row in rows if shutil.which(row[2][0])]


def ns_per_call(options, directory, command, calls, **environment):
    """Less what the program and the tool need without calls."""

    def best(count):
        return min(user_seconds(directory, command + [str(count)], **environment) for _ in range(options.rounds))

    return (best(calls) - best(0)) / calls * 1e9


def measure_calls(options, directory):
    library = os.path.join(options.build, "runtime", "libregmon.so")
    ways = [("no profiling", "plain", {}), ("C library, mcount", "mcount", {})]
    ways += [("libregmon preloaded, mcount", "mcount", {"LD_PRELOAD": library})]
    if "fentry" in options.compiled:
        ways += [("C library, fentry", "fentry", {}), ("libregmon preloaded, fentry", "fentry", {"LD_PRELOAD": library})]
    ways += [("an empty function, preloaded", "mcount", {"LD_PRELOAD": os.path.join(directory, "empty.so")})]
    ways += [("libregmon linked", "linked", {}), ("libregmon, static program", "static", {})]
    # The C library counts none of these.
    ways += [("C library, instrumented", "instrumented", {})]
    ways += [("libregmon preloaded, the same", "instrumented", {"LD_PRELOAD": library})]
    rows = [(label, program, [], options.calls, environment) for label, program, environment in ways]
    rows += [(label, program, tool, options.calls // 50, {}) for label, program, tool in tools(directory)]
    print("%-32s %8s %8s   ns of user time per call, less that of no profiling" % ("", "1 thread", "2"))
    empty = {}
    for label, program, tool, calls, environment in rows:
        figures = []
        for threads in (1, 2):
            command = tool + [os.path.join(directory, program), str(threads)]
            ns = ns_per_call(options, directory, command, calls, **environment)
            figures.append(ns if program == "plain" else ns - empty[threads])
            empty.setdefault(threads, ns)
        print("%-32s %8.2f %8.2f" % (label, *figures))


def seconds_of(path):
    """Samples in all histograms of a file, by their rate."""
    with open(path, "rb") as file:
        data = file.read()
    at, total = 20, 0
    while at < len(data):
        if data[at] == 0:
            bins, rate = struct.unpack_from("II", data, at + 17)
            total += sum(struct.unpack_from("%dH" % bins, data, at + 41)) / rate
            at += 41 + 2 * bins
        else:
            at += 21
    return total


def sampled_share(options, directory, environment):
    for name in os.listdir(directory):
        if name.startswith("gmon.out"):
            os.unlink(os.path.join(directory, name))
    environment = dict(os.environ, REGMON_OBJECTS="all", **environment)
    done = subprocess.run(
        [os.path.join(directory, "burn"), "2", "2000"], cwd=directory, env=environment, capture_output=True, check=True
    )
    files = [name for name in os.listdir(directory) if name.startswith("gmon.out")]
    seconds = sum(seconds_of(os.path.join(directory, name)) for name in files)
    return seconds / (int(done.stdout) / 1e9)


def measure_samples(options, directory):
    library = os.path.join(options.build, "runtime", "libregmon.so")
    print("\n%-30s %8s %8s %8s   part of the CPU time of 2 threads" % ("", "100 Hz", "1 kHz", "10 kHz"))
    print("%-30s %8.3f" % ("C library, main program only", sampled_share(options, directory, {})))
    for clock in ("thread", "perf"):
        figures = [
            sampled_share(options, directory, {"LD_PRELOAD": library, "REGMON_CLOCK": clock, "REGMON_HZ": str(hz)})
            for hz in (100, 1000, 10000)
        ]
        print("%-30s %8.3f %8.3f %8.3f" % ("libregmon, " + clock, *figures))  # thread: at most the kernel's ticks


DEEP = """
#include <stdio.h>
#include <stdlib.h>
static volatile int sink;
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void work(void)
{
    int values[500];
    char text[100];
    for (int round = 0; round < 30000; round++) {
        for (int i = 0; i < 500; i++)
            values[i] = i * 7919 % 503;
        qsort(values, 500, sizeof values[0], compare);
        for (int i = 0; i < 100; i++)
            sink = snprintf(text, sizeof text, "%d %g", i, i * 1.5);
    }
}
static int even(int depth);
static int odd(int depth) { return depth ? even(depth - 1) + 1 : (work(), 0); }
static int even(int depth) { return depth ? odd(depth - 1) + 2 : (work(), 0); }
int main(void) { return sink = odd(100), 0; }
"""


def cpu_seconds(directory, command, **environment):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=directory, env=dict(os.environ, **environment), check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure_stacks(options, directory):
    source = os.path.join(directory, "deep.c")
    with open(source, "w", encoding="ascii") as file:
        file.write(DEEP)
    program = os.path.join(directory, "deep")
    subprocess.run(["gcc", "-O1", "-pg", "-o", program, source], check=True)
    library = os.path.join(options.build, "runtime", "libregmon.so")
    print("\n%-30s %8s %8s   CPU time with stacks of 100 frames by that without, less 1" % ("", "1 kHz", "10 kHz"))
    figures = []
    for hz in ("1000", "10000"):
        settings = {"LD_PRELOAD": library, "REGMON_HZ": hz, "REGMON_CLOCK": "perf"}
        pairs = [[cpu_seconds(directory, program, REGMON_STACKS=on, **settings) for on in "10"] for _ in range(2 * options.rounds)]
        figures.append(100 * statistics.median(with_stacks / without - 1 for with_stacks, without in pairs))
    print("%-30s %6.1f %% %6.1f %%" % ("libregmon, perf", *figures))


STORMS = """#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
__attribute__((noinline)) void leaf(void) { __asm__ volatile(""); }
static void *work(void *unused) { leaf(); return unused; }
int main(int count, char **words) {
    int (*call)(int);
    pthread_t thread;
    void *plugin;
    for (int i = 0; i < atoi(words[1]); i++) {
        if (count < 3) {
            pthread_create(&thread, NULL, work, NULL);
            pthread_join(thread, NULL);
            continue;
        }
        plugin = dlopen(words[2], RTLD_NOW);
        *(void **)&call = dlsym(plugin, "plugin_work");
        call(1);
        dlclose(plugin);
    }
}
"""


def measure_storms(options, directory):
    """Threads that end at once, and plugins that are opened, called and closed."""
    regmon = os.path.join(options.build, "runtime", "regmon")
    plugin = os.path.join(TOP, "tests", "runtime", "plugin.c")
    for name, flags in (("plain", []), ("counting", ["-pg"])):
        subprocess.run(["gcc", "-O1", "-pthread", "-x", "c", "-o", "storms-" + name, "-"] + flags, cwd=directory, input=STORMS, text=True, check=True)
        subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-o", name + ".so", plugin] + flags, cwd=directory, check=True)
    print("\n%-30s %8s   CPU time under regmon, with -pg, by that without both: medians of rounds in turn" % ("", "plain"))
    for name, count, more in (("20,000 threads", "20000", lambda kind: []), ("2,000 times dlopen", "2000", lambda kind: ["./%s.so" % kind])):
        rounds = [
            [cpu_seconds(directory, words + ["./storms-" + kind, count] + more(kind)) for words, kind in (([], "plain"), ([regmon], "counting"))]
            for _ in range(2 * options.rounds)
        ]
        plain, counting = (statistics.median(times) for times in zip(*rounds))
        print("%-30s %6.2f s %6.2f" % (name, plain, counting / plain), flush=True)


FORKS = """#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int count, char **words) {
    for (int i = 0; i < atoi(words[1]); i++) {
        pid_t child = count < 3 ? fork() : vfork();
        if (child == 0 && count >= 3)
            execv(words[2], words + 2);
        if (child == 0)
            _exit(0);
        waitpid(child, NULL, 0);
    }
}
"""
PR_SET_CHILD_SUBREAPER = 36


def cpu_seconds_of_all(directory, command):
    """Also of the collector, whose parent this process is then."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=directory, check=True)
    try:
        while True:
            os.wait()
    except ChildProcessError:
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure_processes(options, directory):
    """Processes that count nothing: children that end at once, and programs that do."""
    regmon = os.path.join(options.build, "runtime", "regmon")
    subprocess.run(["gcc", "-O1", "-x", "c", "-o", "forks", "-"], cwd=directory, input=FORKS, text=True, check=True)
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    print("\n%-30s %8s %8s   milliseconds of CPU time each; what it is more: median of pairs" % ("", "plain", "regmon"))
    for name, count, words in (("5,000 forks", 5000, []), ("2,000 programs", 2000, ["/bin/true"])):
        command = ["./forks", str(count)] + words
        pairs = [(cpu_seconds_of_all(directory, command), cpu_seconds_of_all(directory, [regmon] + command)) for _ in range(options.rounds)]
        plain = statistics.median(pair[0] for pair in pairs) / count * 1e3
        more = sorted((under - alone) / count * 1e3 for alone, under in pairs)
        print("%-30s %8.3f %8.3f (%.3f to %.3f)" % (name, plain, statistics.median(more), more[0], more[-1]), flush=True)


SQL = """create table t(a integer primary key, b text, c real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000)
insert into t select i, printf('%06d', (i * 7919) % 200000), i / 3.0 from n;
create index tb on t(b);
select count(*), sum(a), min(b), max(b), total(c) from t;
select sum(length(p)) from (select substr(b, 1, 3) as p, count(*) from t group by p order by p);
"""
PYTHON = "d = {}\nfor i in range(5000000):\n    d[i % 1000] = str(i)\n"


def installed_programs(directory):
    """(name, command) of those that there are."""
    unit = os.path.join(directory, "unit.i")
    source = "".join('#include "%s"\n' % name for name in ("unwind.c", "signal.c", "exec.c", "table.c"))
    subprocess.run(["gcc", "-E", "-P", "-D_GNU_SOURCE", "-I", os.path.join(TOP, "runtime"), "-x", "c", "-o", unit, "-"], input=source, text=True, check=True)
    compiler = subprocess.run(["gcc", "-print-prog-name=cc1"], capture_output=True, text=True, check=True).stdout.strip()
    yield "cc1", [compiler, "-quiet", "-w", "-O3", unit, "-o", os.path.join(directory, "unit.s")]
    yield "python3", [sys.executable, "-c", PYTHON]
    if shutil.which("sqlite3"):
        yield "sqlite3", ["sqlite3", "-batch", ":memory:", SQL]


# The perf clock of libregmon, with a handler that does nothing: what the kernel needs for 1,000 signals a second.
EVENT = """
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
static void handle(int number) { (void)number; }
__attribute__((constructor)) static void begin(void)
{
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE, .size = sizeof event, .config = PERF_COUNT_SW_TASK_CLOCK,
        .sample_period = 1000000, .disabled = 1, .exclude_hv = 1, .exclude_kernel = 1, .wakeup_events = 1};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    struct f_owner_ex owner = {F_OWNER_TID, (int)syscall(SYS_gettid)};
    int fd = (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    sigaction(SIGSTKFLT, &action, NULL);
    mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0);
    fcntl(fd, F_SETOWN_EX, &owner);
    fcntl(fd, F_SETSIG, SIGSTKFLT);
    fcntl(fd, F_SETFL, O_ASYNC);
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    close(fd);
}
"""


def measure_programs(options, directory):
    regmon, event = os.path.join(options.build, "runtime", "regmon"), os.path.join(directory, "event.so")
    subprocess.run(["gcc", "-O2", "-D_GNU_SOURCE", "-shared", "-fPIC", "-x", "c", "-o", event, "-"], input=EVENT, text=True, check=True)
    print("\n%-30s %8s %8s %8s   CPU time by that without signals, less 1: median of pairs, half of them between" % ("", "CPU", "kernel", "regmon"))
    for name, command in installed_programs(directory):
        runs = []
        for _ in range(2 * options.rounds):
            plain, signals = cpu_seconds(directory, command), cpu_seconds(directory, command, LD_PRELOAD=event)
            runs.append([plain, 100 * (signals / plain - 1), 100 * (cpu_seconds(directory, [regmon, "-r", "1000"] + command) / plain - 1)])
        plain, kernel, cost = (statistics.quantiles(column, n=4) for column in zip(*runs))
        print("%-30s %6.2f s %6.1f %% %6.1f %% (%.1f to %.1f %%)" % (name, plain[1], kernel[1], cost[1], cost[0], cost[2]), flush=True)


PLACES = {"touch": "touch|look|copy|store", "compute": "compute", "call": "munmap|pread"}
KINDS = ("phases", "fine", "mixed", "movs", "file", "cow", "hot", "threads")


def spent(output):
    """Seconds in places of faults.c, and in all, by what its processes have printed."""
    pairs = re.findall(r"(\w+) (\d+)", output)
    return {name: sum(int(number) for other, number in pairs if other == name) / 1e9 for name, _ in pairs}


def sampled(options, directory, files):
    """The same by samples, in the table of all objects."""
    words = [os.path.join(options.build, "src", "gprof"), "--quiet", "--top=0", "--format=csv", "--columns=self,name"]
    done = subprocess.run(words + ["faults"] + files, cwd=directory, capture_output=True, text=True, check=True)
    seconds = dict.fromkeys(["all", *PLACES], 0.0)
    for row in csv.reader(done.stdout.splitlines()[1:]):
        name = re.split(r"[ @]", row[1].lstrip("_"))[0]
        seconds["all"] += float(row[0] or 0)
        for place, names in PLACES.items():
            seconds[place] += float(row[0] or 0) if re.fullmatch(names, name) else 0
    return seconds


def faults_of(options, directory, kind):
    """Shares of the time, in percent: by the program's own clock, without regmon, and by samples."""
    for name in os.listdir(directory):
        if name.startswith("gmon.out"):
            os.unlink(os.path.join(directory, name))
    regmon = os.path.join(options.build, "runtime", "regmon")
    plain, sampling = (
        subprocess.run(words + ["./faults", kind], cwd=directory, capture_output=True, text=True, check=True).stdout
        for words in ([], [regmon, "-r", str(options.rate)])
    )
    files = [name for name in os.listdir(directory) if re.fullmatch(r"gmon\.out(\.\d+)?", name)]
    if kind == "cow":  # only its children print what they need
        files.remove("gmon.out")
    true, found, all_of = spent(plain), sampled(options, directory, files), spent(sampling)["all"]
    return {place: (100 * true[place] / true["all"], 100 * found[place] / all_of) for place in ("touch", "compute", "call")}


def measure_faults(options, directory):
    """Programs that wait for pages of memory: where their time is."""
    source = os.path.join(TOP, "tests", "runtime", "faults.c")
    subprocess.run(["gcc", "-O1", "-g", "-pthread", "-o", "faults", source], cwd=directory, check=True)
    head = ("faults", "touch", "compute", "call")
    print("\n%-30s %24s %24s %24s   %% of the CPU time, by itself without regmon, by samples; difference, error" % head)
    for kind in KINDS:
        rounds = [faults_of(options, directory, kind) for _ in range(options.rounds)]
        cells = ""
        for place in ("touch", "compute", "call"):
            true, found = zip(*(shares[place] for shares in rounds))
            error = (statistics.variance(found) + statistics.variance(true)) ** 0.5 / options.rounds**0.5
            true, found = statistics.mean(true), statistics.mean(found)
            cells += "  %5.1f %5.1f %+5.1f +-%4.1f" % (true, found, found - true, error)
        print("%-30s%s" % (kind, cells), flush=True)


def measure_memory(options, directory):
    library = os.path.join(options.build, "runtime", "libregmon.so")
    environment = dict(os.environ, LD_PRELOAD=library, REGMON_VERBOSE="1")
    print("\nmemory of tables")
    for threads in (1, 8, 64):
        command = [os.path.join(directory, "mcount"), str(threads), "1000000"]
        done = subprocess.run(command, cwd=directory, env=environment, capture_output=True, check=True)
        print("%3d threads: %s KiB" % (threads, re.search(rb"(\d+) KiB", done.stderr).group(1).decode()))


PARTS = {
    "calls": measure_calls,
    "samples": measure_samples,
    "stacks": measure_stacks,
    "storms": measure_storms,
    "processes": measure_processes,
    "programs": measure_programs,
    "faults": measure_faults,
    "memory": measure_memory,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.getcwd(), help="a build tree (the current directory)")
    parser.add_argument("--calls", type=int, default=100_000_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--rate", type=int, default=1000, help="samples a second, of faults")
    parser.add_argument("parts", nargs="*", metavar="PART", help="all if none is given: " + ", ".join(PARTS))
    options = parser.parse_args()
    if set(options.parts) - set(PARTS):
        parser.error("parts are " + ", ".join(PARTS))
    options.build = os.path.abspath(options.build)
    if not os.path.exists(os.path.join(options.build, "runtime", "libregmon.so")):
        sys.exit("runtime.py: %s has no runtime/libregmon.so" % options.build)
    with tempfile.TemporaryDirectory() as directory:
        options.compiled = compile_all(directory, options.build)
        for part in options.parts or PARTS:
            PARTS[part](options, directory)


if __name__ == "__main__":
    main()
