#!/usr/bin/env python3
"""Runs real programs, compiled with -pg, with libregmon and without: what they print, how they end and how they
handle signals has to be the same.

    programs.py [--sources DIR] [--build DIR] [PROGRAM]...

DIR has the unpacked sources of redis, ninja-build and sqlite3, as `apt-get source' gets them, and programs are
compiled in it.  The HTTP server needs httplib.h (libcpp-httplib-dev, or its source in DIR), Python its header files.
What is missing is skipped.  Nothing is installed.  Servers listen on sockets of files, and end by TERM under load;
Python gets Ctrl-C.  Ends with 1 if something is not as without libregmon.
"""

import argparse
import glob
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TIMEOUT = 600
SETTINGS = [("100/s", ["-r", "100"]), ("1,000/s", ["-r", "1000"]), ("1,000/s, -i 1", ["-r", "1000", "-i", "1"]), ("1,000/s, -S", ["-r", "1000", "-S"])]


class Missing(Exception):
    """Why a program cannot be run here."""


def source(options, pattern):
    found = sorted(glob.glob(os.path.join(options.sources, pattern)))
    if not found:
        raise Missing("no " + pattern)
    return found[0]


def make(directory, target, *commands):
    """The path of a program that the commands make in the directory, if it is not there."""
    path = os.path.join(directory, target)
    for command in commands if not os.path.exists(path) else ():
        result = subprocess.run(command, cwd=directory, shell=True, capture_output=True, timeout=1800)
        if result.returncode:
            raise Missing("cannot make %s: %s" % (target, result.stderr.decode("utf-8", "replace")[-300:]))
    return path


def wait_for(what, has_happened):
    end = time.monotonic() + 60
    while not has_happened():
        if time.monotonic() > end:
            raise RuntimeError("no " + what)
        time.sleep(0.01)


class Run:
    """A program in an empty directory; what it says of itself is without the library's messages."""

    def __init__(self, command, place):
        self.place = place
        with open(os.path.join(place, "out"), "wb") as out, open(os.path.join(place, "err"), "wb") as err:
            self.process = subprocess.Popen(command, cwd=place, stdin=subprocess.DEVNULL, stdout=out, stderr=err)

    def read(self, name):
        with open(os.path.join(self.place, name), encoding="utf-8", errors="replace") as file:
            return file.read()

    def end(self):
        try:
            self.status = self.process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.status = "hangs"
        lines = self.read("err").splitlines()
        self.messages = [line for line in lines if line.startswith("regmon: ")]
        return self.status, self.read("out"), [line for line in lines if line not in self.messages]


# ---- Programs that read nothing ----


def start_ninja(options):
    directory = os.path.dirname(source(options, "ninja-*/configure.py"))
    program = make(directory, "ninja_test", "CXX=g++ CFLAGS='-pg -O2' LDFLAGS=-pg python3 configure.py --bootstrap", "./ninja ninja_test")
    return [program], lambda run: None, lambda found: found


def make_sqlite(options, name, sources):
    directory = os.path.dirname(source(options, "sqlite3-*/configure"))
    make(directory, "sqlite3.c", "./configure --disable-readline", "make sqlite3.c shell.c")
    flags = "-pg -O2 -w -DSQLITE_THREADSAFE=1 -I."
    return make(directory, name, "gcc %s -o %s %s sqlite3.c -lpthread -ldl -lm" % (flags, name, sources))


SQL = """create table t(a integer primary key, b text, c real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 200000)
insert into t select i, printf('%06d', (i * 7919) % 200000), i / 3.0 from n;
create index tb on t(b);
select count(*), sum(a), min(b), max(b), total(c) from t;
select a, b from t order by b desc limit 20;
select substr(b, 1, 3) as p, count(*) from t group by p order by p limit 50;
.dump nothing
pragma integrity_check;
select raise_nothing();
"""


def start_shell(options):
    program = make_sqlite(options, "shell-pg", "shell.c")
    return [program, "-batch", ":memory:", SQL.replace(".dump nothing\n", "")], lambda run: None, lambda found: found


def start_speedtest(options):
    program = make_sqlite(options, "speedtest-pg", "test/speedtest1.c")

    def untimed(found):
        return found[0], re.sub(r"\d+\.\d+s|TOTAL.*", "", found[1]), found[2]

    return [program, "--size", "40", "--verify"], lambda run: None, untimed


# ---- Servers, which end by TERM under load ----


def under_load(run, request):
    """Four threads make requests until the server has ended by TERM; then their errors do not matter."""
    done, is_over = [0] * 4, threading.Event()

    def work(number):
        try:
            while not is_over.is_set():
                request(number)
                done[number] += 1
        except OSError:
            pass

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    wait_for("load", lambda: min(done) > 100)
    time.sleep(3)  # with some snapshots
    run.process.send_signal(signal.SIGTERM)
    run.process.wait(60)
    is_over.set()
    for thread in threads:
        thread.join()


class Redis:
    """A connection."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(path)
        self.file = self.socket.makefile("rb")

    def reply(self):
        line = self.file.readline()
        if not line:
            raise ConnectionError
        kind, rest = line[:1], line[1:-2]
        if kind == b"$":
            return self.file.read(int(rest) + 2)[:-2] if rest != b"-1" else None
        if kind == b"*":
            return [self.reply() for _ in range(int(rest))]
        return line[:-2]

    def ask(self, *words):
        text = b"*%d\r\n" % len(words)
        for word in words:
            data = str(word).encode()
            text += b"$%d\r\n%s\r\n" % (len(data), data)
        self.socket.sendall(text)
        return self.reply()


def use_redis(run):
    path = os.path.join(run.place, "socket")
    wait_for("server", lambda: os.path.exists(path))
    client = Redis(path)
    replies = []
    for i in range(3000):
        replies += [client.ask("set", "k%d" % i, i * i), client.ask("get", "k%d" % (i // 2)), client.ask("zadd", "z", i * 7919 % 3000, "m%d" % i)]
        replies += [client.ask("lpush", "l", i), client.ask("hincrby", "h", i % 10, i)]
    replies += [client.ask("zrange", "z", 0, 50), client.ask("lrange", "l", 0, 20), sorted(client.ask("hgetall", "h"))]
    replies += [client.ask("eval", "local s = 0 for i = 1, 100000 do s = s + i end return s", 0), client.ask("dbsize")]
    saved = client.ask("bgsave")
    wait_for("saved file", lambda: b"rdb_bgsave_in_progress:0" in client.ask("info", "persistence"))
    errors = [reply for reply in replies if isinstance(reply, bytes) and reply.startswith(b"-")]
    clients = [Redis(path) for _ in range(4)]

    def request(number):
        reply = clients[number].ask("incr", "n%d" % number)
        if reply.startswith(b"-") and b"shutdown" not in reply.lower():
            errors.append(reply)

    under_load(run, request)
    if errors:
        raise ValueError(errors[0])
    return replies, saved, sorted(f for f in os.listdir(run.place) if f == "dump.rdb")


def start_redis(options):
    directory = os.path.dirname(source(options, "redis-*/src/server.c"))
    program = make(directory, "redis-server", "make MALLOC=libc OPTIMIZATION=-O2 CFLAGS=-pg LDFLAGS=-pg")
    words = ["--port", "0", "--unixsocket", "socket", "--save", "3600 1", "--io-threads", "2", "--daemonize", "no"]

    def unlogged(found):
        return found[0], re.findall(r"crash|DB saved on disk|ready to exit|SIGTERM", found[1]), found[2]

    return [program] + words, use_redis, unlogged


SERVER = r"""
#include <csignal>
#include <httplib.h>
static httplib::Server server;
static std::vector<int> primes_to(int n) {
    std::vector<int> found;
    for (int i = 2; i < n; i++) {
        bool is_prime = true;
        for (int p : found) { if (p * p > i) break; if (i % p == 0) { is_prime = false; break; } }
        if (is_prime) found.push_back(i);
    }
    return found;
}
int main() {
    std::signal(SIGTERM, [](int) { server.stop(); });
    server.set_address_family(AF_INET);
    server.Get(R"(/primes/(\d+))", [](const httplib::Request &request, httplib::Response &response) {
        std::string body;
        try {
            int n = std::stoi(request.matches[1]);
            if (n > 20000) throw std::range_error("too many");
            for (int p : primes_to(n)) body += std::to_string(p) + " ";
        } catch (const std::exception &e) { body = e.what(); response.status = 400; }
        response.set_content(body, "text/plain");
    });
    int port = server.bind_to_any_port("127.0.0.1");
    std::printf("%d\n", port);
    std::fflush(stdout);
    server.listen_after_bind();
    std::puts("stopped");
    return 7;
}
"""


def use_server(run):
    wait_for("server", lambda: run.read("out").endswith("\n"))
    port = int(run.read("out"))

    def get(path):
        with socket.create_connection(("127.0.0.1", port), 60) as connection:
            connection.sendall(("GET %s HTTP/1.0\r\n\r\n" % path).encode())
            answer = b""
            while True:
                data = connection.recv(65536)
                if not data:
                    return answer
                answer += data

    answers = [get("/primes/%d" % n) for n in list(range(0, 20001, 100)) + [20002, 99999999999]]
    under_load(run, lambda number: get("/primes/5000"))
    return answers


def start_server(options):
    header = glob.glob(os.path.join(options.sources, "*httplib*", "httplib.h")) + glob.glob("/usr/include/httplib.h")
    if not header:
        raise Missing("no httplib.h")
    with open(os.path.join(options.made, "server.cc"), "w", encoding="ascii") as file:
        file.write(SERVER)
    program = make(options.made, "server", "g++ -pg -O1 -w -I %s -o server server.cc -pthread" % os.path.dirname(header[0]))
    return [program], use_server, lambda found: (found[0], re.sub(r"^\d+\n", "", found[1]), found[2])


# ---- Python ----


PYTHON = r"""
#include <Python.h>
__attribute__((noinline)) static long work(long n) { long s = 0; for (long i = 0; i < n; i++) s += i ^ n; return s; }
static PyObject *call_work(PyObject *self, PyObject *arguments) {
    long n;
    return PyArg_ParseTuple(arguments, "l", &n) ? PyLong_FromLong(work(n)) : NULL;
}
static PyMethodDef methods[] = {{"work", call_work, METH_VARARGS, ""}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "host", NULL, -1, methods};
static PyObject *make(void) { return PyModule_Create(&module); }
int main(void) {
    int result;
    PyImport_AppendInittab("host", make);
    Py_Initialize();
    result = PyRun_SimpleString(
        "import host, sys, time, threading, signal\n"
        "def burn(seconds):\n"
        "    end = time.thread_time() + seconds\n"
        "    total = 0\n"
        "    while time.thread_time() < end: total += host.work(1000)\n"
        "print(signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM), [host.work(n) for n in range(200)])\n"
        "threads = [threading.Thread(target=burn, args=(0.3,)) for i in range(3)]\n"
        "[t.start() for t in threads]; [t.join() for t in threads]\n"
        "for wait in (lambda: time.sleep(600), lambda: burn(600), threading.Event().wait):\n"
        "    try:\n"
        "        print('ready', flush=True)\n"
        "        wait()\n"
        "    except KeyboardInterrupt:\n"
        "        print('interrupted', flush=True)\n"
        "print('ready', flush=True)\n"
        "burn(600)\n");
    return Py_FinalizeEx() < 0 || result == -1 ? 130 : 0;
}
"""


def interrupt(run):
    for i in range(4):
        wait_for("prompt", lambda: run.read("out").count("ready") == i + 1)
        time.sleep(0.5)
        run.process.send_signal(signal.SIGINT)


def start_python(options):
    with open(os.path.join(options.made, "embedded.c"), "w", encoding="ascii") as file:
        file.write(PYTHON)
    flags = "$(python3-config --includes) -o embedded embedded.c $(python3-config --embed --ldflags)"
    program = make(options.made, "embedded", "gcc -pg -O1 -w " + flags)
    return [program], interrupt, lambda found: found


PROGRAMS = {
    "redis": start_redis,
    "sqlite-shell": start_shell,
    "speedtest1": start_speedtest,
    "ninja_test": start_ninja,
    "http-server": start_server,
    "python": start_python,
}


def run_once(command, use, normal, regmon=()):
    """What can be seen of a run, the library's messages, and the files of profiles."""
    with tempfile.TemporaryDirectory() as place:
        if regmon:
            command = list(regmon) + ["-o", os.path.join(place, "gmon.out")] + command
        run = Run(command, place)
        try:
            seen = use(run)
        except (OSError, RuntimeError, ValueError, subprocess.TimeoutExpired) as error:
            seen = error
            run.process.kill()
        return (normal(run.end()), seen), run.messages, [f for f in os.listdir(place) if f.startswith("gmon.out")]


def try_program(name, options):
    """Whether all settings are as without the library."""
    try:
        command, use, normal = PROGRAMS[name](options)
    except Missing as missing:
        print("%-14s skipped: %s" % (name, missing))
        return True
    wanted = run_once(command, use, normal)[0]
    if isinstance(wanted[1], Exception):
        print("%-14s cannot be used: %r" % (name, wanted[1]))
        return False
    print("%-14s %-14s status %s" % (name, "without", wanted[0][0]), flush=True)
    is_good = True
    for title, words in SETTINGS:
        start = time.monotonic()
        found, messages, files = run_once(command, use, normal, [os.path.join(options.build, "runtime", "regmon")] + words)
        is_same = found == wanted and files and not [f for f in files if ".tmp-" in f]
        print("%-14s %-14s status %s, %s, %.1f s %s" % (name, title, found[0][0], "same" if is_same else "DIFFERS", time.monotonic() - start, "; ".join(messages)), flush=True)
        if not is_same:
            print("    wanted %.2000r\n    found  %.2000r\n    files %s" % (wanted, found, files))
        is_good = is_good and is_same
    return is_good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", default=".", help="directory of the unpacked sources")
    parser.add_argument("--build", default=os.path.join(TOP, "build"), help="build directory of regprof")
    parser.add_argument("programs", nargs="*", help=", ".join(PROGRAMS))
    options = parser.parse_args()
    options.sources, options.build = os.path.abspath(options.sources), os.path.abspath(options.build)
    with tempfile.TemporaryDirectory() as options.made:
        results = [try_program(name, options) for name in options.programs or PROGRAMS]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
