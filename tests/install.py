#!/usr/bin/env python3
"""Installing creates all files, with a changed program name if configured; uninstalling removes
them.
Build systems of programs find the installed library.

Usage: install.py   (in a build tree)
"""

import sys

sys.dont_write_bytecode = True

import os
import re
import shutil

from lib import harness, runtime_build

PREFIX = "/opt/other"  # not the configured prefix


def make(*arguments):
    command = (
        (harness.tool("MAKE", "make") or ["make"]) + ["-C", harness.BUILDDIR] + list(arguments)
    )
    return harness.run(command, env=harness.ENV, timeout=600)


def files_below(directory):
    return {
        os.path.relpath(os.path.join(path, name), directory)
        for path, _, names in os.walk(directory)
        for name in names
    }


BOARDS = "README entry_arm.S entry_riscv.S regmon_board.c regmon_board.h".split()
CONTRIB = files_below(os.path.join(harness.SRCDIR, "contrib")) - {"ci/gprof-gate"}


def has_catalogue():
    has_languages = b"#define ENABLE_NLS 1" in harness.read(
        os.path.join(harness.BUILDDIR, "config.h")
    )
    return has_languages and any(
        os.path.exists(os.path.join(d, "po", "es.gmo")) for d in (harness.BUILDDIR, harness.SRCDIR)
    )


def has_manual():
    return any(
        os.path.exists(os.path.join(d, "doc", "regprof.info"))
        for d in (harness.BUILDDIR, harness.SRCDIR)
    )


def has_runtime():
    return os.path.exists(os.path.join(harness.BUILDDIR, "runtime", "libregmon.so"))


# Their names do not change with the program's.
RUNTIME = {
    "bin/regmon",
    "include/regmon.h",
    "lib/libregmon.a",
    "lib/libregmon.so",
    "share/man/man1/regmon.1",
}
RUNTIME |= {"lib/pkgconfig/regmon.pc"} | {
    "lib/cmake/regmon/regmon-config%s.cmake" % part for part in ("", "-version")
}


def expected(command):
    share = "share/"
    files = {
        "bin/" + command,
        "bin/" + command + "-gate",
        share + "man/man1/%s-gate.1" % command,
        share + "man/man1/%s.1" % command,
        share + "bash-completion/completions/" + command,
        share + "zsh/site-functions/_" + command,
        share + "fish/vendor_completions.d/%s.fish" % command,
        share + "doc/regprof/CI",
        share + "doc/regprof/CLUSTERS",
        share + "doc/regprof/comparison.schema.json",
        share + "doc/regprof/graph.svg",
        share + "doc/regprof/overview.png",
        share + "doc/regprof/profile.schema.json",
        share + "doc/regprof/runtime/README",
    }
    files |= {
        share + "doc/regprof/" + name
        for name in (
            "CONTRIBUTING",
            "COPYING",
            "HACKING",
            "INSTALL",
            "NEWS",
            "README.md",
            "SECURITY.md",
        )
    }
    for source, target in (
        ("doc/decisions", "decisions"),
        ("examples/boards", "examples/boards"),
        ("examples/sheet", "examples/sheet"),
    ):
        names = files_below(os.path.join(harness.SRCDIR, source))
        files |= {"%sdoc/regprof/%s/%s" % (share, target, name) for name in names}
    files |= {share + "regprof/boards/" + name for name in BOARDS}
    files |= {share + "doc/regprof/contrib/" + name for name in CONTRIB}
    if has_runtime():
        files |= RUNTIME
    if has_catalogue():
        files.add(share + "locale/es/LC_MESSAGES/regprof.mo")
    if has_manual():
        files.add(share + "info/regprof.info")
    return files


def check_readme(tap, top, command):
    """What the installed INSTALL lists is installed."""
    place = os.path.join(top, "share", "doc", "regprof")
    with open(os.path.join(place, "INSTALL"), encoding="utf-8") as file:
        section = file.read().split("\nFiles\n")[1]
    named = [
        name
        for name in re.findall(r"^    (\S+)  ", section, re.M)
        if name not in ("doc/gprof.texi", "doc/gprof.1")
    ]
    missing = [
        name for name in named if not os.path.exists(os.path.join(place, re.sub("^doc/", "", name)))
    ]
    tap.ok(len(named) > 8 and not missing, "%s: what INSTALL lists is there" % command, missing)


def check_completions(tap, top, command):
    share = os.path.join(top, "share")
    bash = harness.tool("BASH", "bash")
    script = os.path.join(share, "bash-completion/completions", command)
    if bash:
        lines = (
            "source %s && complete -p %s && COMP_WORDS=(%s --st) COMP_CWORD=1 && _regprof && echo"
            " ${COMPREPLY[*]}"
        )
        status, out, err = harness.run(bash + ["-c", lines % (script, command, command)])
        tap.ok(
            b"\n--static-call-graph --stacks --strict\n" in out and not err,
            "%s: completion for bash" % command,
            out + err,
        )
    else:
        tap.skip("%s: completion for bash" % command, "no bash")
    for shell, path, check in (
        ("zsh", "zsh/site-functions/_" + command, ["-n"]),
        ("fish", "fish/vendor_completions.d/%s.fish" % command, ["--no-execute"]),
    ):
        path = os.path.join(share, path)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        named = re.search(
            r"(#compdef|complete -c) %s\b" % command, text
        ) and "@" not in text.replace("@ ", "")
        tap.ok(named, "%s: completion for %s names the command" % (command, shell))
        name = "%s: completion for %s has no mistake" % (command, shell)
        program = harness.tool(shell.upper() + "_SHELL", shell)
        if not program:
            tap.skip(name, "no " + shell)
            continue
        status, _, err = harness.run(program + check + [path])
        tap.ok(status == 0 and not err, name, err)


def check_manual_page(tap, top, command):
    """The manual page calls the program by its name, and others by theirs."""
    with open(os.path.join(top, "share/man/man1/%s.1" % command), encoding="utf-8") as file:
        page = file.read()
    name = "%s: the manual page " % command
    tap.ok(
        ".TH %s 1 " % command.upper() in page and "\n%s \\- report" % command in page,
        name + "has its name",
    )
    tap.ok('"regprof ' in page and "GNU gprof 2.40" in page, name + "names others as before")
    others = re.sub(r"regprof|(GNU|BSD) gprof|gprof2dot", "", page)
    strange = [
        line for line in others.splitlines() if re.search(r"gprof", line) and command not in line
    ]
    tap.ok(not strange, name + "has no other name", strange)
    program = os.path.join(top, "bin", command)
    err = harness.run([program, "--foo"])[2].decode()
    tap.ok(
        err.startswith(command + ": ") and "Try '%s --help'" % command in err,
        "%s: its name in messages" % command,
        err,
    )
    out = harness.run([program, "--help"])[1].decode()
    tap.ok(
        out.startswith("Usage: %s [OPTION]" % command),
        "%s: its name in the help" % command,
        out[:100],
    )


def check_fish(tap, top, command):
    """What fish offers for the arguments of options."""
    fish = harness.tool("FISH_SHELL", "fish")
    script = os.path.join(top, "share/fish/vendor_completions.d", command + ".fish")
    for words, wanted, excluded in (
        ("--demangle=", b"--demangle=rust", b"--demangle=tsv"),
        ("--format ", b"tsv", b"rust"),
        ("", b"", b"rust"),
    ):
        name = "%s: fish completes `%s'" % (command, words)
        if not fish:
            tap.skip(name, "no fish")
            continue
        status, out, err = harness.run(
            fish + ["-c", "source %s; complete -C '%s %s'" % (script, command, words)]
        )
        lines = [line.split(b"\t")[0] for line in out.splitlines()]
        good = status == 0 and (not wanted or wanted in lines) and excluded not in lines
        tap.ok(good, name, (out[:500] + err).decode(errors="replace"))


def check_uninstalled(tap, command, destination, arguments):
    status, out, err = make("uninstall", *arguments)
    left = files_below(destination)
    ours = [path for path, _, _ in os.walk(destination) if "regprof" in os.path.basename(path)]
    tap.ok(
        status == 0 and not left and not ours,
        "%s: uninstalled" % command,
        "%s %s\n%s" % (sorted(left), ours, err.decode()),
    )


def check_install(tap, command, transform):
    destination = os.path.join(harness.TEMP, "destination")
    arguments = ["DESTDIR=" + destination, "prefix=" + PREFIX] + transform
    status, out, err = make("install", *arguments)
    if not tap.ok(
        status == 0, "%s: installed" % command, (out + err).decode("utf-8", "replace")[-3000:]
    ):
        return
    top = destination + PREFIX
    files = {"." + PREFIX + "/" + name for name in expected(command)}
    found = {"./" + name for name in files_below(destination)} - {".%s/share/info/dir" % PREFIX}
    wrong = "missing: %s\ntoo many: %s" % (sorted(files - found), sorted(found - files))
    tap.ok(
        files == found, "%s: everything is in its place below prefix and DESTDIR" % command, wrong
    )
    status, out, err = harness.run([os.path.join(top, "bin", command), "--version"])
    tap.ok(
        status == 0 and out.startswith(b"gprof (regprof)"), "%s: the program works" % command, err
    )
    gate = [os.path.join(top, "bin", command + "-gate"), "--save=base.json", "missing"]
    err = harness.run(gate)[2]
    tap.ok(
        err == b"%s-gate: missing: no such executable\n" % command.encode(),
        "%s: the gate finds it in its directory" % command,
        err,
    )
    page = harness.read(os.path.join(top, "share/man/man1/%s-gate.1" % command)).decode()
    tap.ok(
        ".TH %s\\-GATE 1 " % command.upper() in page and ".B %s\\-gate bisect" % command in page,
        "%s: so does its manual page" % command,
    )
    if has_runtime():
        status, out, err = harness.run([os.path.join(top, "bin/regmon"), "-V"])
        tap.ok(
            status == 0 and out.startswith(b"regmon (regprof)"), "%s: regmon works" % command, err
        )
        said = harness.run([os.path.join(top, "bin/regmon"), "sh", "-c", "echo $LD_PRELOAD"])[
            1
        ].decode()
        tap.ok(
            said == top + "/lib/libregmon.so\n",
            "%s: regmon finds the library that is installed with it" % command,
            said,
        )
        os.rename(os.path.join(top, "lib/libregmon.so"), os.path.join(top, "lib/other"))
        err = harness.run([os.path.join(top, "bin/regmon"), "true"])[2].decode()
        os.rename(os.path.join(top, "lib/other"), os.path.join(top, "lib/libregmon.so"))
        wanted = top + "/lib/libregmon.so is missing"
        tap.ok(
            wanted in err, "%s: regmon searches the library where it is installed" % command, err
        )
        text = harness.read(os.path.join(top, "lib/pkgconfig/regmon.pc")).decode()
        tap.ok("prefix=%s\n" % PREFIX in text, "%s: and so does pkg-config" % command, text)
    scripts = [
        os.path.join(top, "share/doc/regprof/contrib", name)
        for name in CONTRIB
        if not name.endswith(".yml")
    ]
    tap.ok(
        all(os.access(path, os.X_OK) for path in scripts), "%s: scripts can be executed" % command
    )
    check_readme(tap, top, command)
    check_completions(tap, top, command)
    check_manual_page(tap, top, command)
    check_fish(tap, top, command)
    check_uninstalled(tap, command, destination, arguments)
    shutil.rmtree(destination, ignore_errors=True)


# ---- Programs that are built with the installed library ----

WITH_MESON = b"""\
project('prog', 'c')
executable('prog', 'prog.c', dependencies: dependency('regmon'))
"""
WITH_CMAKE = b"""\
cmake_minimum_required(VERSION 3.15)
project(prog C)
find_package(regmon 0.1 REQUIRED)
add_executable(prog prog.c)
target_link_libraries(prog regmon::regmon)
"""
# Each leaves the program in the directory build.
BUILDS = [
    (
        "pkg-config",
        ["pkg-config"],
        (
            "mkdir build && $CC $(pkg-config --cflags regmon) -c prog.c && $CC -o build/prog prog.o"
            " $(pkg-config --libs regmon)"
        ),
    ),
    (
        "pkg-config, static",
        ["pkg-config"],
        (
            "mkdir build && $CC $(pkg-config --cflags regmon) -static -o build/prog prog.c"
            " $(pkg-config --libs regmon)"
        ),
    ),
    ("Meson", ["meson", "ninja", "pkg-config"], "meson setup build && ninja -C build"),
    (
        "CMake",
        ["cmake"],
        'cmake -S . -B build -DCMAKE_PREFIX_PATH="$STAGED" && cmake --build build',
    ),
]


def check_build(tap, staged, libdir, name, script):
    """The program is built with what is installed, and its calls are counted by the library."""
    place = os.path.join(harness.TEMP, name)
    os.mkdir(place)
    shutil.copyfile(
        os.path.join(harness.TESTS, "runtime", "reset.c"), os.path.join(place, "prog.c")
    )
    harness.write(os.path.join(place, "meson.build"), WITH_MESON)
    harness.write(os.path.join(place, "CMakeLists.txt"), WITH_CMAKE)
    paths = {
        "PKG_CONFIG_SYSROOT_DIR": staged,
        "PKG_CONFIG_LIBDIR": os.path.join(libdir, "pkgconfig"),
        "LD_LIBRARY_PATH": libdir,
    }
    environment = dict(
        harness.ENV,
        CC=" ".join(harness.tool("CC", "cc")),
        STAGED=os.path.dirname(libdir),
        REGMON_HZ="0",
        **paths
    )
    result = harness.run(["sh", "-ec", script], cwd=place, env=environment)
    if not tap.ok(result[0] == 0, "%s: a program is built with libregmon" % name, result):
        return
    program, gmon = os.path.join(place, "build", "prog"), os.path.join(place, "gmon.out")
    result = harness.run([program], cwd=place, env=environment)
    rows = runtime_build.flat_profile(harness.GPROF, program, gmon) if os.path.exists(gmon) else {}
    counts = [rows.get(function, (0, 0))[1] for function in ("first", "second")]
    # The library's mark in the header.
    is_ours = os.path.exists(gmon) and harness.read(gmon)[8:14] == b"regmon"
    tap.ok(
        counts == [0, 1002] and is_ours,
        "%s: which counts calls by it" % name,
        "%r\n%s" % (counts, harness.said(result)),
    )


def check_builds(tap):
    """Installed below DESTDIR, with the configured prefix."""
    if not has_runtime():
        tap.skip("programs are built with libregmon", "the runtime is not built")
        return
    staged = os.path.join(harness.TEMP, "staged")
    result = make("install", "DESTDIR=" + staged)
    tap.ok(
        (b"manual (info regprof) is not installed" in result[2]) != has_manual(),
        "what is said of the manual",
        result,
    )
    libdirs = [path for path, _, names in os.walk(staged) if "libregmon.so" in names]
    if not tap.ok(result[0] == 0 and len(libdirs) == 1, "the library is installed", result):
        return
    for name, tools, script in BUILDS:
        missing = [tool for tool in tools if not shutil.which(tool)]
        if missing:
            tap.skip(
                "%s: a program is built with libregmon" % name, "no " + " and no ".join(missing)
            )
        else:
            check_build(tap, staged, libdirs[0], name, script)


def check_summary(tap):
    """What configure ends with agrees with what is built."""
    log = harness.read(os.path.join(harness.BUILDDIR, "config.log")).decode("utf-8", "replace")
    match = re.search(r": regprof \S+:\n((?:    \S.*\n)+)", log)
    lines = (
        dict(re.split(r"  +", line.strip(), maxsplit=1) for line in match[1].splitlines())
        if match
        else {}
    )
    for name, wanted, yes in (
        ("libregmon, regmon", has_runtime(), "(?!none|declined).+"),
        ("source lines", harness.has_library("LIBDW"), "by libdw"),
        ("reading JSON", harness.has_library("JANSSON"), "yes"),
        ("compressed profiles", harness.has_library("ZSTD"), "gzip, zstd"),
        ("compressed symbols", harness.has_library("LZMA"), "yes"),
        ("manual", has_manual(), "yes|that of the release"),
        ("messages in Spanish", has_catalogue(), "yes"),
    ):
        said = lines.get(name, "")
        tap.ok(
            said and bool(re.fullmatch(yes, said)) == wanted,
            "configure's summary: " + name,
            "%r, wanted %r" % (said, wanted),
        )


def main():
    if not os.path.exists(os.path.join(harness.BUILDDIR, "Makefile")):
        harness.skip_all("not in a build tree")
    tap = harness.Tap()
    check_install(tap, "gprof", [])
    check_install(tap, "reggprof", ["transform=s,^,reg,"])
    check_builds(tap)
    check_summary(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
